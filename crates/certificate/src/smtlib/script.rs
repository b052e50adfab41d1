//! The script for the initial states, for a transition, and for a property.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use polycube_language::System;
use polycube_language::formula::{Formula, Quantifier, Variable, VariableId};
use polycube_language::system::{Init, Processes, SymbolId, Transition, Type, Update, Value};

use super::text::{
    Names, State, all, any, applied, binds_own_variables, distinct, formula, implied, not, rank,
    speaks_of_all, symbol_name, term, type_name,
};
use super::{NoScripts, Room, Script, script_name};
use crate::cases::{arrangements, deciding, witnesses};
use crate::fact::known;
use crate::hint::{Hint, Hints, Promise, Role};
use crate::invariant::{Clause, Invariant, Obligation};
use crate::pointers::{Pointer, Pointers};
use crate::tuples::{distinct_tuples, tuples};

/// How many terms for processes all clauses are said of, if it is not known which are needed.
const MAX_TERMS: usize = 10;

/// How many terms for processes that cells hold are used, at most.
const MAX_HELD: usize = 24;

/// What stands at the beginning of each script.
const EXPLANATION: &str = "\
; Proved if the answer to every question is unsat: each asks for a counterexample.
;
; Processes are named by constants: those of the step or the property, and others for which a clause of the
; invariant might not hold. For each number of others there is a question for each clause. What holds for all
; processes is said of some: that is less than is known, so unsat is a proof.
";

/// What stands there if some clause promises processes.
const PROMISES: &str = "\
; Where clause K says that a process exists, some.K.1 is one; it depends on the parameters of the clause.
";

/// What stands there if the model counts processes.
const FACTS: &str = "\
; The clauses after those of the invariant are facts about numbers of processes: so many are at least as many as
; are named, and if they are more, there is another one.
";

/// The script with the questions of an obligation, and of all others that have the same script.
pub fn script_of(
    system: &System,
    invariant: &Invariant,
    hints: &Hints,
    room: &Room<'_>,
    obligation: Obligation,
) -> Result<Script, NoScripts> {
    let mut writer = Writer::new(system, invariant, hints, room);
    let title = match obligation {
        Obligation::Initially { .. } => writer.initially(),
        Obligation::Preserved { transition, .. } => writer.step(transition),
        Obligation::Excludes { property } => writer.property(property),
    };
    let is_promising = writer.known.iter().any(|clause| !clause.promised().is_empty());
    let promises = if is_promising { PROMISES } else { "" };
    let facts = if system.counts.is_empty() { "" } else { FACTS };
    let text = format!("; {title}\n{EXPLANATION}{promises}{facts}(set-logic ALL)\n{}", writer.body);
    room.complete(Script { name: script_name(system, obligation), title, text, checks: writer.checks })
}

struct Writer<'w> {
    system: &'w System,
    invariant: &'w Invariant,
    /// The clauses of the invariant, and then facts: what may be assumed.
    known: Vec<Clause>,
    hints: &'w Hints,
    room: &'w Room<'w>,
    body: String,
    checks: Vec<Vec<Obligation>>,
    /// Terms for processes that exist in any case, and are pairwise different. If the number of processes is
    /// fixed, all of them: `p.1`, `p.2` and so on. Otherwise the constants for the parameters of the
    /// transition or property, and then `o.1`, `o.2` and so on for the others, as many as the level says.
    certain: Vec<String>,
    /// How many parameters the transition or property has.
    parameters: usize,
    /// Terms for processes of which formulas say that they exist, `w.*`; then for those that a `?` stands
    /// for, `any.*`. Any two may be the same process, and the same as one that is certain.
    witnesses: Vec<String>,
    pointers: Pointers,
    /// Terms for processes that cells hold.
    held: Vec<String>,
}

impl<'w> Writer<'w> {
    fn new(system: &'w System, invariant: &'w Invariant, hints: &'w Hints, room: &'w Room<'w>) -> Writer<'w> {
        let mut writer = Writer {
            system,
            invariant,
            known: known(system, invariant),
            hints,
            room,
            body: String::new(),
            checks: Vec::new(),
            certain: Vec::new(),
            parameters: 0,
            witnesses: Vec::new(),
            pointers: Pointers::of(system, invariant),
            held: Vec::new(),
        };
        writer.types();
        writer.symbols();
        writer.ranks();
        writer
    }

    /// Asks whether every initial state satisfies the invariant. Returns the title of the script.
    fn initially(&mut self) -> String {
        let facts = self.clauses().end..self.known.len();
        let needed = self.needed(self.clauses().map(|clause| Obligation::Initially { clause }));
        let clauses = self.plain_clauses().into_iter();
        self.define(clauses.chain(facts.filter(|fact| needed.contains(fact))), State::Now);
        self.begin_processes(&[]);
        // Clauses without parameters say once what they say, and may say that some process exists.
        let (simple, general): (Vec<&Init>, Vec<&Init>) =
            self.system.init.iter().partition(|init| init.parameters.is_empty());
        let simple: Vec<(&Formula, Names)> = (simple.into_iter())
            .map(|init| (&init.formula, self.name_witnesses(&init.formula, Names::new())))
            .collect();
        for init in &general {
            assert_own_variables(&init.formula, init.parameters.iter().map(|parameter| parameter.id));
        }
        for level in self.levels() {
            self.begin_level(level);
            self.comment("An initial state.");
            for (said, names) in &simple {
                self.assume(said, names);
            }
            for init in &general {
                let length = init.parameters.len();
                let terms = self.spoken_of(if length == 1 { usize::MAX } else { MAX_TERMS });
                for tuple in tuples(counted(terms.len()), length) {
                    self.assume(&init.formula, &bound(&init.parameters, &chosen(&terms, &tuple)));
                    if !self.room.take(0) {
                        break;
                    }
                }
            }
            for clause in self.clauses() {
                self.check(Obligation::Initially { clause }, clause, State::Now, level, None);
            }
        }
        "Every initial state satisfies the invariant.".to_owned()
    }

    /// Asks whether a transition preserves the invariant. Returns the title of the script.
    fn step(&mut self, number: usize) -> String {
        let transition = &self.system.transitions[number];
        let (untouched, touched): (Vec<usize>, Vec<usize>) =
            self.clauses().partition(|&clause| self.invariant.clauses[clause].is_untouched_by(transition));
        let obligation = |clause: usize| Obligation::Preserved { transition: number, clause };
        let mut now = self.needed(touched.iter().map(|&clause| obligation(clause)));
        now.extend(&untouched);
        self.define(now, State::Now);
        let names = self.begin_processes(&transition.parameters);
        let names = self.name_witnesses(&transition.guard, names);
        self.name_witnesses_of_updates(transition, &names);
        self.next_state(transition, &names);
        self.define(self.plain_clauses(), State::Next);
        for level in self.levels() {
            self.begin_level(level);
            if level == 0 || speaks_of_all(&transition.guard, true) {
                self.comment(&format!("{} is possible.", transition.name));
                self.assume(&transition.guard, &names);
            }
            self.check_untouched(&untouched, level, &obligation);
            for &clause in &touched {
                self.check(obligation(clause), clause, State::Next, level, Some((&transition.guard, &names)));
            }
        }
        let parameters: Vec<&str> =
            transition.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        format!(
            "Every step of {}({}) that starts in a state of the invariant ends in one.",
            transition.name,
            parameters.join(", ")
        )
    }

    /// Asks whether the invariant excludes a property. Returns the title of the script.
    fn property(&mut self, number: usize) -> String {
        let property = &self.system.properties[number];
        let obligation = Obligation::Excludes { property: number };
        self.define(self.needed([obligation]), State::Now);
        let names = self.begin_processes(&property.parameters);
        let names = self.name_witnesses(&property.formula, names);
        self.begin_level(0);
        self.comment("A state of the property.");
        let Instances { instances, promised } = self.instances(obligation, &[]);
        let processes = [self.spoken_of(usize::MAX), promised].concat();
        self.assume_of(&property.formula, &names, &processes);
        self.comment("The invariant.");
        for instance in instances {
            self.assert(&instance);
        }
        self.line("(check-sat)");
        self.checks.push(vec![obligation]);
        let keyword = property.kind.keyword();
        format!("No state of the invariant is one of property {}, an `{keyword}` clause.", number + 1)
    }

    fn clauses(&self) -> std::ops::Range<usize> {
        0..self.invariant.clauses.len()
    }

    /// Those that are violated as they are defined: see [`Writer::violated`].
    fn plain_clauses(&self) -> Vec<usize> {
        self.clauses().filter(|&clause| !speaks_of_all(&self.invariant.clauses[clause].never, true)).collect()
    }

    fn line(&mut self, text: &str) {
        if self.room.take(text.len() + 1) {
            self.body += text;
            self.body += "\n";
        }
    }

    fn comment(&mut self, text: &str) {
        self.line(&format!("; {text}"));
    }

    fn assert(&mut self, formula: &str) {
        if formula != "true" {
            self.line(&format!("(assert {formula})"));
        }
    }

    fn assert_distinct(&mut self, terms: &[String]) {
        if let Some(distinct) = distinct(terms) {
            self.assert(&distinct);
        }
    }

    fn declare(&mut self, name: &str, arguments: usize, ty: Type) {
        let arguments = vec!["Proc"; arguments].join(" ");
        self.line(&format!("(declare-fun {name} ({arguments}) {})", type_name(self.system, ty)));
    }

    /// Defines a function of processes.
    fn define_function(&mut self, name: &str, arguments: &[String], ty: Type, value: &str) {
        let arguments: Vec<String> = arguments.iter().map(|argument| format!("({argument} Proc)")).collect();
        let (arguments, ty) = (arguments.join(" "), type_name(self.system, ty));
        self.line(&format!("(define-fun {name} ({arguments}) {ty} {value})"));
    }

    fn types(&mut self) {
        self.comment("Types.");
        match self.system.processes {
            Processes::Any => self.line("(declare-sort Proc 0)"),
            Processes::Exactly(count) => {
                // There may be any number of them: they are counted before they are listed.
                if self.room.take(count as usize * "(p.1)".len()) {
                    let names: Vec<String> = (1..=count).map(|number| format!("(p.{number})")).collect();
                    self.line(&format!("(declare-datatypes ((Proc 0)) (({})))", names.join(" ")));
                }
            }
        }
        for ty in &self.system.abstract_types {
            self.line(&format!("(declare-sort t.{} 0)", ty.name));
        }
        for ty in &self.system.enumerations[1..] {
            let names: Vec<String> = ty.constructors.iter().map(|name| format!("(e.{name})")).collect();
            self.line(&format!("(declare-datatypes ((t.{} 0)) (({})))", ty.name, names.join(" ")));
        }
    }

    fn symbols(&mut self) {
        self.comment("The state.");
        for (symbol, id) in self.system.symbols.iter().zip((0..).map(SymbolId)) {
            let name = format!("s.{}", symbol_name(self.system, id));
            if self.system.count(id).is_some() {
                self.comment(&format!("{name} is {}.", symbol.name));
            }
            self.declare(&name, symbol.dimensions(), symbol.ty);
        }
    }

    /// The orders that the system leaves open. A counterexample has finitely many values, and any order of
    /// these is that of some numbers; the sort of an abstract type may consist of just these.
    fn ranks(&mut self) {
        for ty in self.invariant.ordered_types(self.system) {
            let (name, rank) = (type_name(self.system, ty), rank(self.system, ty));
            self.comment(&format!("Some order of the values of {}.", self.system.type_name(ty)));
            self.line(&format!("(declare-fun {rank} ({name}) Real)"));
            let values: Vec<String> = match ty {
                Type::BOOL => vec!["false".to_owned(), "true".to_owned()],
                Type::Enumeration(id) => {
                    let names = self.system.enumeration(id).constructors.iter();
                    names.map(|name| format!("e.{name}")).collect()
                }
                // That they have different ranks is said for those that are spoken of.
                Type::Process => continue,
                _ => {
                    let same = format!("(= ({rank} x) ({rank} y))");
                    self.assert(&format!("(forall ((x {name}) (y {name})) (=> {same} (= x y)))"));
                    continue;
                }
            };
            let ranks: Vec<String> = values.iter().map(|value| format!("({rank} {value})")).collect();
            self.assert_distinct(&ranks);
        }
    }

    /// What clauses of the invariant say, under the names `clause.K` (now) and `next.K`. Of a clause that may
    /// be assumed, an existential quantifier is replaced by a function of the parameters: there is one for
    /// which all instances hold.
    fn define(&mut self, clauses: impl IntoIterator<Item = usize>, state: State) {
        self.comment(match state {
            State::Now => "Clauses of the invariant.",
            State::Next => "Clauses of the invariant, after the step.",
        });
        for number in clauses {
            let clause = self.known[number].clone();
            let names = numbered("z", clause.parameters.len());
            let mut bound = bound(&clause.parameters, &names);
            if state == State::Now {
                assert_own_variables(&clause.never, bound.keys().copied());
                for (at, variable) in clause.promised().into_iter().enumerate() {
                    let some = promised_name(Promise { clause: number, number: at });
                    self.declare(&some, names.len(), Type::Process);
                    bound.insert(variable.id, applied(&some, &names));
                }
            }
            let said = formula(self.system, &clause.never, &bound, state);
            let never = all(distinct(&names).into_iter().chain([said]));
            self.define_function(&clause_name(number, state), &names, Type::BOOL, &not(&never));
        }
    }

    /// Declares constants for the processes that parameters stand for, and says that they are different.
    fn begin_processes(&mut self, parameters: &[Variable]) -> Names {
        if let Processes::Exactly(count) = self.system.processes
            && self.room.take(count as usize)
        {
            self.certain = numbered("p.", count as usize);
        }
        let names: Vec<String> = parameters.iter().map(|variable| format!("p.{}", variable.name)).collect();
        if !names.is_empty() {
            self.comment("The processes in place of the parameters.");
        }
        for name in &names {
            self.declare(name, 0, Type::Process);
        }
        self.assert_distinct(&names);
        if self.system.processes == Processes::Any {
            self.certain.clone_from(&names);
        }
        self.parameters = parameters.len();
        bound(parameters, &names)
    }

    /// Declares constants for the processes of which a formula says that they exist, and adds them to the
    /// names.
    fn name_witnesses(&mut self, said: &Formula, mut names: Names) -> Names {
        assert_own_variables(said, names.keys().copied());
        for variable in witnesses(said, true) {
            let name = format!("w.{}.{}", self.witnesses.len() + 1, variable.name);
            self.declare(&name, 0, Type::Process);
            self.witnesses.push(name.clone());
            names.insert(variable.id, name);
        }
        names
    }

    /// Declares a constant for each quantifier in the conditions of updates: a process that decides it. If there is one
    /// for which the body of `exists` holds, or that of `forall` does not, then it is such a one; if not, it is any. So
    /// nothing is assumed that does not follow.
    fn name_witnesses_of_updates(&mut self, transition: &Transition, names: &Names) {
        for one in deciding(transition) {
            let name = format!("w.{}.{}", self.witnesses.len() + 1, one.variable.name);
            self.declare(&name, 0, Type::Process);
            self.witnesses.push(name.clone());
            let mut inner = names.clone();
            inner.insert(one.variable.id, name);
            let whole = formula(self.system, &Formula::Quantified(one.clone()), names, State::Now);
            let body = formula(self.system, &one.body, &inner, State::Now);
            self.assert(&match one.quantifier {
                Quantifier::Exists => format!("(=> {whole} {body})"),
                Quantifier::Forall => format!("(=> {body} {whole})"),
            });
        }
    }

    /// The levels: how many processes besides the parameters there are, in increasing order, up to as many as
    /// a clause has parameters. Each level keeps the assertions of those before, and none assumes processes
    /// that only a later one needs.
    fn levels(&self) -> RangeInclusive<usize> {
        match self.system.processes {
            Processes::Exactly(_) => 0..=0,
            Processes::Any => {
                0..=self.invariant.clauses.iter().map(|clause| clause.parameters.len()).max().unwrap_or(0)
            }
        }
    }

    /// Begins a level: declares others until there are `level` of them.
    fn begin_level(&mut self, level: usize) {
        if self.system.processes == Processes::Any {
            let others = self.certain.len() - self.parameters;
            // There is at least one process.
            let wanted = if self.parameters == 0 { level.max(1) } else { level };
            self.line("");
            self.comment(&match wanted {
                0 => "No other processes.".to_owned(),
                1 => "One other process.".to_owned(),
                count => format!("{count} other processes."),
            });
            for number in others..wanted {
                let name = format!("o.{}", number + 1);
                self.declare(&name, 0, Type::Process);
                self.certain.push(name);
                self.assert_distinct(&self.certain.clone());
            }
            self.hold();
        }
        if self.invariant.ordered_types(self.system).contains(&Type::Process) {
            let rank = rank(self.system, Type::Process);
            let terms = self.spoken_of(usize::MAX);
            for (at, left) in terms.iter().enumerate() {
                for right in &terms[..at] {
                    self.assert(&format!("(=> (= ({rank} {left}) ({rank} {right})) (= {left} {right}))"));
                }
            }
        }
    }

    /// Finds terms for the processes that cells hold.
    fn hold(&mut self) {
        let mut terms = [&self.certain[..], &self.witnesses].concat();
        let named = terms.len();
        for Pointer { symbol, indices } in self.pointers.cells(counted(named), MAX_HELD) {
            let indices: Vec<String> = indices.iter().map(|&index| terms[index].clone()).collect();
            terms.push(applied(&format!("s.{}", symbol_name(self.system, symbol)), &indices));
        }
        self.held = terms.split_off(named);
    }

    /// Terms for up to `most` processes, the most important ones first.
    fn spoken_of(&self, most: usize) -> Vec<String> {
        let terms = self.certain.iter().chain(&self.witnesses).chain(&self.held);
        terms.take(most).cloned().collect()
    }

    /// Asserts that a formula holds; of what it says of all processes, only what it says of those that are
    /// spoken of.
    fn assume(&mut self, said: &Formula, names: &Names) {
        self.assume_of(said, names, &self.spoken_of(usize::MAX));
    }

    /// The same, of these processes.
    fn assume_of(&mut self, said: &Formula, names: &Names, processes: &[String]) {
        let text = implied(self.system, said, true, processes, (names, State::Now), self.room);
        self.assert(&text);
    }

    fn next_state(&mut self, transition: &Transition, names: &Names) {
        self.comment("The state after the step.");
        for (symbol, id) in self.system.symbols.iter().zip((0..).map(SymbolId)) {
            let update = transition.updates.iter().find(|update| update.symbol == id);
            let indices = numbered("i", symbol.dimensions());
            let value = match update {
                None => applied(&format!("s.{}", symbol_name(self.system, id)), &indices),
                Some(update) => self.new_value(update, &indices, names),
            };
            let name = format!("n.{}", symbol_name(self.system, id));
            self.define_function(&name, &indices, symbol.ty, &value);
        }
    }

    /// What the cell with these indices holds after an update.
    fn new_value(&mut self, update: &Update, indices: &[String], names: &Names) -> String {
        let mut names = names.clone();
        names.extend(bound(&update.indices, indices));
        let mut text = self.value(update, &update.otherwise, 0, indices, &names);
        for (number, branch) in update.branches.iter().enumerate().rev() {
            let condition = formula(self.system, &branch.condition, &names, State::Now);
            let value = self.value(update, &branch.value, number + 1, indices, &names);
            text = format!("(ite {condition} {value} {text})");
        }
        text
    }

    /// The value that a branch of an update gives. What `?` stands for is a new symbol, of which nothing is
    /// known.
    fn value(
        &mut self,
        update: &Update,
        value: &Value,
        branch: usize,
        indices: &[String],
        names: &Names,
    ) -> String {
        let symbol = self.system.symbol(update.symbol);
        match value {
            Value::Term(said) => term(self.system, said, symbol.ty, names, State::Now),
            Value::Any => {
                let name = format!("any.{branch}.{}", symbol_name(self.system, update.symbol));
                self.declare(&name, indices.len(), symbol.ty);
                if symbol.ty == Type::Process && indices.is_empty() {
                    self.witnesses.push(name.clone());
                }
                applied(&name, indices)
            }
        }
    }

    /// The goals of a clause on a level. A *goal* is a way to violate the clause: terms for different
    /// processes, one for each parameter of the clause. Exactly `level` of them are others; if the number of
    /// processes is fixed, the only level has all tuples of them. Together, the goals of all levels are every
    /// way in which the clause can be violated.
    fn goals(&self, clause: usize, level: usize) -> Vec<Vec<String>> {
        let count = self.invariant.clauses[clause].parameters.len();
        // Each takes more than this in the script. If there is not room for all of them, there will be no
        // script.
        let is_room = |tuple: &Vec<u32>| self.room.take(tuple.len());
        let tuples = arrangements(self.system.processes, count, counted(self.parameters), counted(level));
        let terms = |tuple: Vec<u32>| tuple.iter().map(|&at| self.certain[at as usize].clone()).collect();
        tuples.take_while(is_room).map(terms).collect()
    }

    /// The numbers of the clauses that some of the obligations need.
    fn needed(&self, obligations: impl IntoIterator<Item = Obligation>) -> BTreeSet<usize> {
        let mut needed = BTreeSet::new();
        for obligation in obligations {
            match self.hints.get(&obligation) {
                Some(instances) => needed.extend(instances.iter().flat_map(Hint::clauses)),
                None => needed.extend(0..self.known.len()),
            }
        }
        // A hint that we have not written may mention others.
        needed.retain(|&clause| clause < self.known.len());
        needed
    }

    /// What is known of the states that an obligation is about: of an initial state, besides what `init` says, the
    /// facts; of others, the clauses as well.
    fn usable(&self, obligation: Obligation) -> std::ops::Range<usize> {
        match obligation {
            Obligation::Initially { .. } => self.clauses().end..self.known.len(),
            Obligation::Preserved { .. } | Obligation::Excludes { .. } => 0..self.known.len(),
        }
    }

    /// The instances of the invariant that an obligation needs, among the processes that are spoken of.
    fn instances(&self, obligation: Obligation, goals: &[Vec<String>]) -> Instances {
        let mut found = Instances::default();
        let usable = self.usable(obligation);
        if let Some(instances) = self.hints.get(&obligation) {
            for Hint { clause, roles } in instances.iter().filter(|hint| usable.contains(&hint.clause)) {
                let terms: Option<Vec<String>> = roles.iter().map(|role| self.term(role)).collect();
                terms.into_iter().for_each(|terms| self.add_instance(&mut found, *clause, &terms));
            }
            return found;
        }
        // The processes of the goals come first; what clauses say of all of these is also said of those of which
        // they say that they exist.
        let mut terms = self.spoken_of(usize::MAX);
        terms.sort_by_key(|term| !goals.iter().flatten().any(|goal| goal == term));
        terms.truncate(MAX_TERMS.max(self.certain.len()));
        self.add_instances(&mut found, &usable, &terms, 0);
        let known = terms.len();
        terms.extend(found.promised.iter().take(MAX_TERMS.saturating_sub(known)).cloned());
        if terms.len() > known {
            self.add_instances(&mut found, &usable, &terms, known);
        }
        found
    }

    /// All instances for these terms but those for the `known` first ones alone, which are there already.
    fn add_instances(
        &self,
        found: &mut Instances,
        usable: &std::ops::Range<usize>,
        terms: &[String],
        known: usize,
    ) {
        for (number, clause) in usable.clone().map(|number| (number, &self.known[number])) {
            for tuple in distinct_tuples(counted(terms.len()), clause.parameters.len()) {
                if known > 0 && tuple.iter().all(|&term| term as usize <= known) {
                    continue;
                }
                self.add_instance(found, number, &chosen(terms, &tuple));
                if !self.room.take(found.instances.last().map_or(0, String::len)) {
                    break;
                }
            }
        }
    }

    fn add_instance(&self, found: &mut Instances, clause: usize, terms: &[String]) {
        found.instances.push(applied(&clause_name(clause, State::Now), terms));
        for number in 0..self.known[clause].promised().len() {
            found.promised.push(applied(&promised_name(Promise { clause, number }), terms));
        }
    }

    /// The term for the process that has a role, if it is spoken of. If the number of processes is fixed,
    /// `certain` begins with `#1` and not with the parameters: see [`Role`] why that may be.
    fn term(&self, role: &Role) -> Option<String> {
        match role {
            Role::Number(number) => Some(format!("p.{number}")),
            Role::Parameter(at) => self.certain.get(*at).filter(|_| *at < self.parameters).cloned(),
            Role::Other(at) => self.certain.get(self.parameters.checked_add(*at)?).cloned(),
            Role::Witness(at) => self.witnesses.get(*at).cloned(),
            Role::Promised(promise, roles) => {
                let clause = self.known.get(promise.clause)?;
                let roles: Option<Vec<String>> = roles.iter().map(|role| self.term(role)).collect();
                let roles = roles.filter(|roles| roles.len() == clause.parameters.len())?;
                let is_promised = promise.number < clause.promised().len();
                is_promised.then(|| applied(&promised_name(*promise), &roles))
            }
            Role::At(symbol, indices) => {
                let indices: Option<Vec<String>> = indices.iter().map(|index| self.term(index)).collect();
                self.system.symbols.get(symbol.0 as usize)?;
                let name = format!("s.{}", symbol_name(self.system, *symbol));
                indices.map(|indices| applied(&name, &indices))
            }
        }
    }

    /// One question: whether a clause can be violated for one of its goals on this level, if it has any
    /// there. What the guard says of all processes is also said of those of which clauses say that they
    /// exist.
    fn check(
        &mut self,
        obligation: Obligation,
        clause: usize,
        state: State,
        level: usize,
        guard: Option<(&Formula, &Names)>,
    ) {
        let goals = self.goals(clause, level);
        if goals.is_empty() {
            return;
        }
        let Instances { mut instances, promised } = self.instances(obligation, &goals);
        if let Some((guard, names)) = guard.filter(|(guard, _)| speaks_of_all(guard, true))
            && !promised.is_empty()
        {
            // Of the named ones it was said before; but several quantifiers may be about one of these and one of
            // those.
            let others = if quantifiers(guard) > 1 { self.spoken_of(usize::MAX) } else { Vec::new() };
            let processes = [&others[..], &promised].concat();
            instances.push(implied(self.system, guard, true, &processes, (names, State::Now), self.room));
        }
        let violated: Vec<String> =
            goals.iter().map(|goal| self.violated(clause, state, goal, &promised)).collect();
        self.ask(&instances, violated, vec![obligation]);
    }

    /// That a clause is violated for these processes. What it says then of all processes is said of those
    /// that are spoken of, and of these others.
    fn violated(&self, clause: usize, state: State, goal: &[String], others: &[String]) -> String {
        let Clause { parameters, never } = &self.invariant.clauses[clause];
        if !speaks_of_all(never, true) {
            return not(&applied(&clause_name(clause, state), goal));
        }
        let processes = [&self.spoken_of(usize::MAX)[..], others].concat();
        let said =
            implied(self.system, never, true, &processes, (&bound(parameters, goal), state), self.room);
        all(distinct(goal).into_iter().chain([said]))
    }

    /// One question for all clauses that mention nothing that the step changes: each goal follows from the
    /// same instance before the step.
    fn check_untouched(&mut self, clauses: &[usize], level: usize, obligation: &dyn Fn(usize) -> Obligation) {
        let (mut before, mut violated, mut obligations) = (Vec::new(), Vec::new(), Vec::new());
        for &clause in clauses {
            let goals = self.goals(clause, level);
            obligations.extend((!goals.is_empty()).then(|| obligation(clause)));
            for goal in goals {
                let mut instance = Instances::default();
                self.add_instance(&mut instance, clause, &goal);
                before.append(&mut instance.instances);
                violated.push(self.violated(clause, State::Next, &goal, &instance.promised));
            }
        }
        if !obligations.is_empty() {
            self.comment("Clauses that speak of nothing that the step changes.");
            self.ask(&before, violated, obligations);
        }
    }

    /// One question, which is a part of these obligations: whether one of the clauses can be violated, if
    /// these instances of the invariant hold.
    fn ask(
        &mut self,
        instances: &[String],
        violated: impl IntoIterator<Item = String>,
        obligations: Vec<Obligation>,
    ) {
        self.line("(push 1)");
        for instance in instances {
            self.assert(instance);
        }
        self.assert(&any(violated));
        self.line("(check-sat)");
        self.line("(pop 1)");
        self.checks.push(obligations);
    }
}

/// Instances of the invariant, and the processes of which they say that they exist.
#[derive(Default)]
struct Instances {
    instances: Vec<String>,
    promised: Vec<String>,
}

/// What [`implied`] relies on. If a quantifier shared the variable of a witness, it would be replaced by that
/// witness.
fn assert_own_variables(said: &Formula, parameters: impl Iterator<Item = VariableId>) {
    let is_so = binds_own_variables(said, &mut parameters.collect());
    assert!(is_so, "every quantifier and every parameter of a formula has a variable of its own");
}

/// How many quantifiers there are in a formula.
fn quantifiers(formula: &Formula) -> usize {
    let own = usize::from(matches!(formula, Formula::Quantified(_)));
    own + formula.parts().iter().map(quantifiers).sum::<usize>()
}

/// A function that gives a process of which a clause says that it exists.
fn promised_name(Promise { clause, number }: Promise) -> String {
    format!("some.{}.{}", clause + 1, number + 1)
}

fn clause_name(number: usize, state: State) -> String {
    let prefix = match state {
        State::Now => "clause",
        State::Next => "next",
    };
    format!("{prefix}.{}", number + 1)
}

fn bound(variables: &[Variable], terms: &[String]) -> Names {
    variables.iter().map(|variable| variable.id).zip(terms.iter().cloned()).collect()
}

/// The terms with these numbers, from 1.
fn chosen(terms: &[String], numbers: &[u32]) -> Vec<String> {
    numbers.iter().map(|&number| terms[number as usize - 1].clone()).collect()
}

/// Names with numbers, from 1.
fn numbered(prefix: &str, count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("{prefix}{number}")).collect()
}

fn counted(processes: usize) -> u32 {
    u32::try_from(processes).expect("processes are counted in 32 bits")
}
