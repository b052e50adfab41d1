//! The script for the initial states, for a transition, and for a property.

use std::collections::BTreeSet;
use std::fmt::Write;

use polycube_language::System;
use polycube_language::formula::{Formula, Relation, Variable};
use polycube_language::system::{Processes, SymbolId, Transition, Type, Update, Value};

use super::text::{
    Names, State, all, any, applied, distinct, formula, implied, not, rank, speaks_of_all, term, type_name,
};
use super::{NoScripts, Room, Script, script_name};
use crate::cases::{Arrangements, witnesses};
use crate::hint::{Hint, Hints, Role};
use crate::invariant::{Invariant, Obligation};
use crate::pointers::{Index, Pointer, Pointers};
use crate::tuples::distinct_tuples;

/// How many terms for processes all clauses are said of, if it is not known which are needed.
const MAX_TERMS: usize = 10;

/// How many terms for processes that cells hold are used, at most.
const MAX_HELD: usize = 24;

/// Every initial state satisfies the invariant.
pub(super) fn initially(
    system: &System,
    invariant: &Invariant,
    hints: &Hints,
    room: &Room<'_>,
) -> Result<Script, NoScripts> {
    let mut writer = Writer::new(system, invariant, hints, room);
    let clauses: Vec<usize> = (0..invariant.clauses.len()).collect();
    writer.define(&clauses, State::Now);
    writer.begin_processes(&[]);
    // Clauses without parameters say once what they say, and may say that some process exists.
    let simple: Vec<(&Formula, Names)> = (system.init.iter())
        .filter(|init| init.parameters.is_empty())
        .map(|init| (&init.formula, writer.name_witnesses(&init.formula, &Names::new())))
        .collect();
    for level in writer.levels() {
        writer.level(level);
        writer.comment("An initial state.");
        for (said, names) in &simple {
            writer.assume(said, names);
        }
        for init in system.init.iter().filter(|init| !init.parameters.is_empty()) {
            let terms = writer.spoken_of(if init.parameters.len() == 1 { usize::MAX } else { MAX_TERMS });
            for_each_tuple(&terms, init.parameters.len(), false, &mut |tuple| {
                let names = bound(&init.parameters, tuple);
                writer.assume(&init.formula, &names);
                room.take(0)
            });
        }
        for &clause in &clauses {
            let goals = writer.goals(clause, level, 0);
            if !goals.is_empty() {
                writer.check(Obligation::Initially { clause }, State::Now, clause, &goals, &[]);
            }
        }
    }
    writer.finish("initially".to_owned(), "Every initial state satisfies the invariant.".to_owned())
}

/// A transition preserves the invariant.
pub(super) fn step(
    system: &System,
    invariant: &Invariant,
    hints: &Hints,
    room: &Room<'_>,
    number: usize,
) -> Result<Script, NoScripts> {
    let transition = &system.transitions[number];
    let mut writer = Writer::new(system, invariant, hints, room);
    let (untouched, touched): (Vec<usize>, Vec<usize>) = (0..invariant.clauses.len())
        .partition(|&clause| invariant.clauses[clause].is_untouched_by(transition));
    let obligation = |clause: usize| Obligation::Preserved { transition: number, clause };
    let needed = writer.needed(touched.iter().map(|&clause| obligation(clause)));
    let now: BTreeSet<usize> = needed.into_iter().chain(untouched.iter().copied()).collect();
    writer.define(&now.into_iter().collect::<Vec<_>>(), State::Now);
    let names = writer.begin_processes(&transition.parameters);
    let names = writer.name_witnesses(&transition.guard, &names);
    writer.next_state(transition, &names);
    let all: Vec<usize> = (0..invariant.clauses.len()).collect();
    writer.define(&all, State::Next);
    for level in writer.levels() {
        writer.level(level);
        if level == 0 || speaks_of_all(&transition.guard, true) {
            writer.comment(&format!("{} is possible.", transition.name));
            writer.assume(&transition.guard, &names);
        }
        writer.unchanged(&untouched, level, transition.parameters.len(), &obligation);
        for &clause in &touched {
            let goals = writer.goals(clause, level, transition.parameters.len());
            if !goals.is_empty() {
                let instances = writer.instances(obligation(clause), &goals);
                writer.check(obligation(clause), State::Next, clause, &goals, &instances);
            }
        }
    }
    let parameters: Vec<&str> =
        transition.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let title = format!(
        "Every step of {}({}) that starts in a state of the invariant ends in one.",
        transition.name,
        parameters.join(", ")
    );
    writer.finish(script_name(system, Obligation::Preserved { transition: number, clause: 0 }), title)
}

/// The invariant excludes a property.
pub(super) fn property(
    system: &System,
    invariant: &Invariant,
    hints: &Hints,
    room: &Room<'_>,
    number: usize,
) -> Result<Script, NoScripts> {
    let property = &system.properties[number];
    let obligation = Obligation::Excludes { property: number };
    let mut writer = Writer::new(system, invariant, hints, room);
    let needed = writer.needed([obligation]);
    writer.define(&needed.into_iter().collect::<Vec<_>>(), State::Now);
    let names = writer.begin_processes(&property.parameters);
    let names = writer.name_witnesses(&property.formula, &names);
    writer.level(0);
    writer.comment("A state of the property.");
    writer.assume(&property.formula, &names);
    writer.comment("The invariant.");
    let instances = writer.instances(obligation, &[]);
    for instance in instances {
        writer.assert(&instance);
    }
    writer.body += "(check-sat)\n";
    writer.checks.push(vec![obligation]);
    let keyword = property.kind.keyword();
    let title =
        format!("No state of the invariant is one of property {}, an `{keyword}` clause.", number + 1);
    writer.finish(script_name(system, obligation), title)
}

struct Writer<'w> {
    system: &'w System,
    invariant: &'w Invariant,
    hints: &'w Hints,
    room: &'w Room<'w>,
    body: String,
    checks: Vec<Vec<Obligation>>,
    /// Terms for the processes that exist in any case: the parameters, then the others.
    certain: Vec<String>,
    parameters: usize,
    /// Terms for processes of which formulas say that they exist.
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

    fn declare(&mut self, name: &str, arguments: usize, ty: Type) {
        let arguments = vec!["Proc"; arguments].join(" ");
        self.line(&format!("(declare-fun {name} ({arguments}) {})", type_name(self.system, ty)));
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
        for symbol in &self.system.symbols {
            self.declare(&format!("s.{}", symbol.name), symbol.dimensions(), symbol.ty);
        }
    }

    /// The orders that the system leaves open. A counterexample has finitely many values, and any order of these is that of
    /// some numbers; the sort of an abstract type may consist of just these.
    fn ranks(&mut self) {
        for ty in ordered_types(self.system, self.invariant) {
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
            if let Some(distinct) = distinct(&ranks) {
                self.assert(&distinct);
            }
        }
    }

    /// What clauses of the invariant say, under the names `clause.K` (now) and `next.K`.
    fn define(&mut self, clauses: &[usize], state: State) {
        self.comment(match state {
            State::Now => "Clauses of the invariant.",
            State::Next => "Clauses of the invariant, after the step.",
        });
        for &number in clauses {
            let clause = &self.invariant.clauses[number];
            let names: Vec<String> =
                (1..=clause.parameters.len()).map(|number| format!("z{number}")).collect();
            let arguments: Vec<String> = names.iter().map(|name| format!("({name} Proc)")).collect();
            let said = formula(self.system, &clause.never, &bound(&clause.parameters, &names), state);
            let never = all(distinct(&names).into_iter().chain([said]));
            let name = clause_name(number, state);
            self.line(&format!("(define-fun {name} ({}) Bool (not {never}))", arguments.join(" ")));
        }
    }

    /// Names the processes that parameters stand for.
    fn begin_processes(&mut self, parameters: &[Variable]) -> Names {
        if let Processes::Exactly(count) = self.system.processes
            && self.room.take(count as usize)
        {
            self.certain = (1..=count).map(|number| format!("p.{number}")).collect();
        }
        let names: Vec<String> = parameters.iter().map(|variable| format!("p.{}", variable.name)).collect();
        if !names.is_empty() {
            self.comment("The processes in place of the parameters.");
        }
        for name in &names {
            self.declare(name, 0, Type::Process);
        }
        if let Some(distinct) = distinct(&names) {
            self.assert(&distinct);
        }
        if self.system.processes == Processes::Any {
            self.certain.clone_from(&names);
        }
        self.parameters = parameters.len();
        bound(parameters, &names)
    }

    /// Names the processes of which a formula says that they exist.
    fn name_witnesses(&mut self, said: &Formula, names: &Names) -> Names {
        let mut names = names.clone();
        for variable in witnesses(said) {
            let name = format!("w.{}.{}", self.witnesses.len() + 1, variable.name);
            self.declare(&name, 0, Type::Process);
            self.witnesses.push(name.clone());
            names.insert(variable.id, name);
        }
        names
    }

    /// The numbers of processes besides the parameters, in increasing order: up to as many as a clause has. Each level keeps
    /// the assertions of those before, and none assumes processes that only a later one needs.
    fn levels(&self) -> std::ops::RangeInclusive<usize> {
        match self.system.processes {
            Processes::Exactly(_) => 0..=0,
            Processes::Any => {
                0..=self.invariant.clauses.iter().map(|clause| clause.parameters.len()).max().unwrap_or(0)
            }
        }
    }

    /// Begins a level: declares others until there are `level` of them (at least one process in all).
    fn level(&mut self, level: usize) {
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
                if let Some(distinct) = distinct(&self.certain) {
                    self.assert(&distinct);
                }
            }
            self.hold();
        }
        if ordered_types(self.system, self.invariant).contains(&Type::Process) {
            let rank = rank(self.system, Type::Process);
            let terms = self.spoken_of(usize::MAX);
            for (at, left) in terms.iter().enumerate() {
                for right in &terms[..at] {
                    self.assert(&format!("(=> (= ({rank} {left}) ({rank} {right})) (= {left} {right}))"));
                }
            }
        }
    }

    /// The processes that cells hold.
    fn hold(&mut self) {
        self.held.clear();
        let named = self.certain.len() + self.witnesses.len();
        for Pointer { symbol, indices } in self.pointers.cells(counted(named), MAX_HELD) {
            let indices: Vec<String> = indices.iter().map(|index| self.process(*index)).collect();
            self.held.push(applied(&format!("s.{}", self.system.symbol(symbol).name), &indices));
        }
    }

    /// The term for a process that indexes a cell.
    fn process(&self, index: Index) -> String {
        let mut named = self.certain.iter().chain(&self.witnesses);
        let term = match index {
            Index::Named(at) => named.nth(at),
            Index::Held(at) => self.held.get(at),
        };
        term.expect("what indexes a cell comes before it").clone()
    }

    /// Terms for processes, the most important ones first.
    fn spoken_of(&self, most: usize) -> Vec<String> {
        let terms = self.certain.iter().chain(&self.witnesses).chain(&self.held);
        terms.take(most).cloned().collect()
    }

    /// A formula holds, as far as it speaks of these processes.
    fn assume(&mut self, said: &Formula, names: &Names) {
        let text = implied(self.system, said, true, &self.spoken_of(usize::MAX), names, self.room);
        self.assert(&text);
    }

    /// The state after a step.
    fn next_state(&mut self, transition: &Transition, names: &Names) {
        self.comment("The state after the step.");
        for (symbol, id) in self.system.symbols.iter().zip((0..).map(SymbolId)) {
            let update = transition.updates.iter().find(|update| update.symbol == id);
            let indices: Vec<String> = (1..=symbol.dimensions()).map(|number| format!("i{number}")).collect();
            let value = match update {
                None => applied(&format!("s.{}", symbol.name), &indices),
                Some(update) => self.new_value(update, &indices, names, symbol.ty),
            };
            let arguments: Vec<String> = indices.iter().map(|index| format!("({index} Proc)")).collect();
            let (name, arguments, ty) =
                (&symbol.name, arguments.join(" "), type_name(self.system, symbol.ty));
            self.line(&format!("(define-fun n.{name} ({arguments}) {ty} {value})"));
        }
    }

    fn new_value(&mut self, update: &Update, indices: &[String], names: &Names, ty: Type) -> String {
        let mut names = names.clone();
        names.extend(update.indices.iter().map(|index| index.id).zip(indices.iter().cloned()));
        let mut text = self.value(&update.otherwise, update, 0, indices, &names, ty);
        for (number, branch) in update.branches.iter().enumerate().rev() {
            let condition = formula(self.system, &branch.condition, &names, State::Now);
            let value = self.value(&branch.value, update, number + 1, indices, &names, ty);
            text = format!("(ite {condition} {value} {text})");
        }
        text
    }

    /// A value; any value is that of a new symbol, of which nothing is known.
    fn value(
        &mut self,
        value: &Value,
        update: &Update,
        branch: usize,
        indices: &[String],
        names: &Names,
        ty: Type,
    ) -> String {
        match value {
            Value::Term(said) => term(self.system, said, ty, names, State::Now),
            Value::Any => {
                let name = format!("any.{branch}.{}", self.system.symbol(update.symbol).name);
                self.declare(&name, indices.len(), ty);
                if ty == Type::Process && indices.is_empty() {
                    self.witnesses.push(name.clone());
                }
                applied(&name, indices)
            }
        }
    }

    /// The processes for which a clause may be violated: this many of them are others.
    fn goals(&self, clause: usize, level: usize, parameters: usize) -> Vec<Vec<String>> {
        let count = self.invariant.clauses[clause].parameters.len();
        // Each takes more than this in the script.
        let is_room = |tuple: &Vec<u32>| self.room.take(tuple.len());
        let tuples: Box<dyn Iterator<Item = Vec<u32>>> = match self.system.processes {
            Processes::Any => Box::new(Arrangements::new(count, counted(parameters), counted(level))),
            Processes::Exactly(processes) => {
                let tuples = distinct_tuples(processes, count);
                Box::new(tuples.map(|tuple| tuple.iter().map(|process| process - 1).collect()))
            }
        };
        let named = |tuple: Vec<u32>| tuple.iter().map(|&at| self.certain[at as usize].clone()).collect();
        tuples.take_while(is_room).map(named).collect()
    }

    /// The numbers of the clauses that some of the obligations need.
    fn needed(&self, obligations: impl IntoIterator<Item = Obligation>) -> BTreeSet<usize> {
        let mut needed = BTreeSet::new();
        for obligation in obligations {
            match self.hints.get(&obligation) {
                Some(instances) => needed.extend(instances.iter().map(|instance| instance.clause)),
                None => needed.extend(0..self.invariant.clauses.len()),
            }
        }
        needed
    }

    /// The instances of the invariant that an obligation needs, among the processes that are spoken of.
    fn instances(&self, obligation: Obligation, goals: &[Vec<String>]) -> Vec<String> {
        let mut found = Vec::new();
        if let Some(instances) = self.hints.get(&obligation) {
            for Hint { clause, roles } in instances {
                let terms: Option<Vec<String>> = roles.iter().map(|role| self.term(role)).collect();
                found.extend(terms.map(|terms| applied(&clause_name(*clause, State::Now), &terms)));
            }
            return found;
        }
        // The processes of the goals come first.
        let mut terms = self.spoken_of(usize::MAX);
        terms.sort_by_key(|term| !goals.iter().flatten().any(|goal| goal == term));
        terms.truncate(MAX_TERMS.max(self.certain.len()));
        for (number, clause) in self.invariant.clauses.iter().enumerate() {
            for_each_tuple(&terms, clause.parameters.len(), true, &mut |tuple| {
                let instance = applied(&clause_name(number, State::Now), tuple);
                let is_room = self.room.take(instance.len());
                found.push(instance);
                is_room
            });
        }
        found
    }

    /// The term for a process, if it is spoken of.
    fn term(&self, role: &Role) -> Option<String> {
        match role {
            Role::Number(number) => Some(format!("p.{number}")),
            Role::Parameter(at) => self.certain.get(*at).filter(|_| *at < self.parameters).cloned(),
            Role::Other(at) => self.certain.get(self.parameters.checked_add(*at)?).cloned(),
            Role::Witness(at) => self.witnesses.get(*at).cloned(),
            Role::At(symbol, indices) => {
                let indices: Option<Vec<String>> = indices.iter().map(|index| self.term(index)).collect();
                let symbol = self.system.symbols.get(symbol.0 as usize)?;
                indices.map(|indices| applied(&format!("s.{}", symbol.name), &indices))
            }
        }
    }

    /// One question: whether a clause can be violated for one of these tuples.
    fn check(
        &mut self,
        obligation: Obligation,
        state: State,
        clause: usize,
        goals: &[Vec<String>],
        instances: &[String],
    ) {
        self.line("(push 1)");
        for instance in instances {
            self.assert(instance);
        }
        let name = clause_name(clause, state);
        self.assert(&any(goals.iter().map(|goal| not(&applied(&name, goal)))));
        self.line("(check-sat)");
        self.line("(pop 1)");
        self.checks.push(vec![obligation]);
    }

    /// One question for all clauses of which nothing changes.
    fn unchanged(
        &mut self,
        clauses: &[usize],
        level: usize,
        parameters: usize,
        obligation: &dyn Fn(usize) -> Obligation,
    ) {
        let (mut before, mut after, mut obligations) = (Vec::new(), Vec::new(), Vec::new());
        for &clause in clauses {
            for goal in self.goals(clause, level, parameters) {
                before.push(applied(&clause_name(clause, State::Now), &goal));
                after.push(not(&applied(&clause_name(clause, State::Next), &goal)));
                if obligations.last() != Some(&obligation(clause)) {
                    obligations.push(obligation(clause));
                }
            }
        }
        if obligations.is_empty() {
            return;
        }
        self.comment("Clauses that speak of nothing that the step changes.");
        self.line("(push 1)");
        for instance in before {
            self.assert(&instance);
        }
        self.assert(&any(after));
        self.line("(check-sat)");
        self.line("(pop 1)");
        self.checks.push(obligations);
    }

    fn finish(self, name: String, title: String) -> Result<Script, NoScripts> {
        let mut text = format!("; {title}\n");
        let explanation = "\
; Proved if the answer to every question is unsat: each asks for a counterexample.
;
; Processes are named by constants: those of the step or the property, and others for which a clause of the
; invariant might not hold. For each number of others there is a question for each clause. What holds for all
; processes is said of some: that is less than is known, so unsat is a proof.
";
        text += explanation;
        text += "(set-logic ALL)\n";
        let _ = write!(text, "{}", self.body);
        self.room.complete(Script { name, title, text, checks: self.checks })
    }
}

fn clause_name(number: usize, state: State) -> String {
    let prefix = match state {
        State::Now => "clause",
        State::Next => "next",
    };
    format!("{prefix}.{}", number + 1)
}

/// Terms for variables.
fn bound(variables: &[Variable], terms: &[String]) -> Names {
    variables.iter().map(|variable| variable.id).zip(terms.iter().cloned()).collect()
}

/// The types, other than numbers, whose values are compared by an order.
fn ordered_types(system: &System, invariant: &Invariant) -> Vec<Type> {
    let mut types = Vec::new();
    let clauses = invariant.clauses.iter().map(|clause| &clause.never);
    for formula in system.formulas().chain(clauses) {
        formula.for_each_comparison(&mut |comparison| {
            let ordered = matches!(comparison.relation, Relation::Less | Relation::LessEqual);
            if ordered && !comparison.ty.is_numeric() && !types.contains(&comparison.ty) {
                types.push(comparison.ty);
            }
        });
    }
    types
}

/// Calls `visit` with all tuples of this many terms, different ones if wanted, as long as it wants to go on.
fn for_each_tuple(
    terms: &[String],
    length: usize,
    is_distinct: bool,
    visit: &mut dyn FnMut(&[String]) -> bool,
) {
    fn extend(
        terms: &[String],
        length: usize,
        is_distinct: bool,
        tuple: &mut Vec<String>,
        visit: &mut dyn FnMut(&[String]) -> bool,
    ) -> bool {
        if tuple.len() == length {
            return visit(tuple);
        }
        terms.iter().all(|term| {
            if is_distinct && tuple.contains(term) {
                return true;
            }
            tuple.push(term.clone());
            let goes_on = extend(terms, length, is_distinct, tuple, visit);
            tuple.pop();
            goes_on
        })
    }
    extend(terms, length, is_distinct, &mut Vec::new(), visit);
}

/// A number of processes.
fn counted(processes: usize) -> u32 {
    u32::try_from(processes).expect("processes are counted in 32 bits")
}
