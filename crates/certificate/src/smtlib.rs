//! Obligations as questions to a solver, in SMT-LIB 2.6: each is proved if the answer is `unsat`.
//!
//! A question asks for a counterexample: a state, and what follows it, for which the claim is wrong. The processes that
//! such a counterexample speaks of are constants. What holds for *all* processes (the invariant, `init`, universal
//! guards) is said of these constants, and of the processes that they point at, instance by instance. So the questions
//! have no quantifiers, unless the model has some in unusual places. Instances follow from what they are instances of,
//! so `unsat` is a proof whatever instances there are; fewer of them can only mean that less is proved.
//!
//! Names. `s.X` is a symbol of the model in a state, `n.X` in the next one; `t.`, `e.`, `p.` stand before types, values of
//! enumerations and processes. So no name of a model can be mistaken for one that solvers know.

use std::collections::BTreeMap;
use std::fmt::Write;

use polycube_language::System;
use polycube_language::formula::{
    Access, Comparison, Formula, Linear, Quantified, Quantifier, Relation, Term, Variable, VariableId,
};
use polycube_language::number::Number;
use polycube_language::system::{Processes, Symbol, SymbolId, SymbolKind, Transition, Type, Update, Value};

use crate::invariant::{Clause, Invariant, Obligation};

/// How many terms for processes what holds for all processes is said of, at most. What they point at comes last.
const MAX_PROCESSES: usize = 10;

/// A question that a solver answers with `unsat` if the obligation holds.
pub fn question(system: &System, invariant: &Invariant, obligation: Obligation) -> String {
    let mut printer = Printer {
        system,
        declarations: String::new(),
        assertions: String::new(),
        processes: Vec::new(),
        witnesses: 0,
        universal: Vec::new(),
    };
    match obligation {
        Obligation::Initially { clause } => {
            printer.note("An initial state");
            for init in &system.init {
                match &init.parameters[..] {
                    [] => printer.assume(&init.formula, &Names::new()),
                    parameters => printer.universally(parameters, Distinct::No, &init.formula, &Names::new()),
                }
            }
            printer.violation(&single(invariant, clause), State::Now);
        }
        Obligation::Excludes { property } => {
            let property = &system.properties[property];
            printer.assume_invariant(invariant);
            printer.note("that is one of the property");
            let names = printer.constants(&property.parameters);
            printer.assume(&property.formula, &names);
        }
        Obligation::Preserved { transition, clause } => {
            let transition = &system.transitions[transition];
            printer.assume_invariant(invariant);
            printer.step(transition);
            printer.violation(&single(invariant, clause), State::Next);
        }
    }
    printer.finish(&describe(system, obligation))
}

fn single(invariant: &Invariant, clause: usize) -> Invariant {
    Invariant { clauses: vec![invariant.clauses[clause].clone()] }
}

/// What a question is about, in words.
fn describe(system: &System, obligation: Obligation) -> String {
    match obligation {
        Obligation::Initially { .. } => "Every initial state satisfies the invariant.".to_owned(),
        Obligation::Preserved { transition, .. } => {
            let Transition { name, parameters, .. } = &system.transitions[transition];
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            format!("A step of {name}({}) from a state of the invariant ends in one.", names.join(", "))
        }
        Obligation::Excludes { property } => {
            let keyword = system.properties[property].kind.keyword();
            format!("No state of the invariant is one of property {}, an `{keyword}` clause.", property + 1)
        }
    }
}

/// The state that a formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Now,
    Next,
}

/// Whether variables stand for different processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distinct {
    Yes,
    No,
}

/// Terms for variables.
type Names = BTreeMap<VariableId, String>;

/// Something that holds for all processes.
struct Universal {
    /// A predicate that says it, if it has a name.
    predicate: Option<String>,
    variables: Vec<VariableId>,
    distinct: Distinct,
    formula: Formula,
    names: Names,
}

struct Printer<'s> {
    system: &'s System,
    declarations: String,
    assertions: String,
    /// The terms for processes that the question speaks of.
    processes: Vec<String>,
    witnesses: usize,
    universal: Vec<Universal>,
}

impl Printer<'_> {
    fn note(&mut self, text: &str) {
        writeln!(self.assertions, "; {text}").expect("a string takes everything");
    }

    fn assert(&mut self, formula: &str) {
        writeln!(self.assertions, "(assert {formula})").expect("a string takes everything");
    }

    fn declare(&mut self, name: &str, arguments: usize, ty: Type) {
        let arguments = vec!["Proc"; arguments].join(" ");
        let ty = self.ty(ty);
        writeln!(self.declarations, "(declare-fun {name} ({arguments}) {ty})")
            .expect("a string takes everything");
    }

    fn process(&mut self, name: String) -> String {
        self.declare(&name, 0, Type::Process);
        self.processes.push(name.clone());
        name
    }

    /// Constants for variables, all different.
    fn constants(&mut self, variables: &[Variable]) -> Names {
        let names: Vec<String> =
            variables.iter().map(|variable| self.process(format!("p.{}", variable.name))).collect();
        if let Some(distinct) = distinct(&names) {
            self.assert(&distinct);
        }
        variables.iter().map(|variable| variable.id).zip(names).collect()
    }

    /// The formula holds. Processes that have to exist for that get a name.
    fn assume(&mut self, formula: &Formula, names: &Names) {
        let mut names = names.clone();
        self.name_witnesses(formula, true, &mut names);
        self.universal.push(Universal {
            predicate: None,
            variables: Vec::new(),
            distinct: Distinct::No,
            formula: formula.clone(),
            names,
        });
    }

    /// Names the processes of which a formula says that they exist, if it holds or if it fails, unless that depends on
    /// other processes.
    fn name_witnesses(&mut self, formula: &Formula, holds: bool, names: &mut Names) {
        match formula {
            // Either part of an equivalence may hold or fail.
            Formula::Constant(_) | Formula::Compare(_) | Formula::Iff(_) => {}
            Formula::Not(part) => self.name_witnesses(part, !holds, names),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().for_each(|part| self.name_witnesses(part, holds, names));
            }
            // So may the condition.
            Formula::IfThenElse(parts) => {
                parts[1..].iter().for_each(|part| self.name_witnesses(part, holds, names));
            }
            Formula::Quantified(Quantified { quantifier, variable, body, .. }) => {
                if (*quantifier == Quantifier::Exists) == holds {
                    self.witnesses += 1;
                    let witness = self.process(format!("p.{}.{}", variable.name, self.witnesses));
                    names.insert(variable.id, witness);
                    self.name_witnesses(body, holds, names);
                }
            }
        }
    }

    /// The formula holds for all processes in place of the variables.
    fn universally(&mut self, variables: &[Variable], distinct: Distinct, formula: &Formula, names: &Names) {
        let variables = variables.iter().map(|variable| variable.id).collect();
        let (formula, names) = (formula.clone(), names.clone());
        self.universal.push(Universal { predicate: None, variables, distinct, formula, names });
    }

    /// Names for what the clauses of the invariant say in a state.
    fn clauses(&mut self, invariant: &Invariant, state: State) -> Vec<String> {
        let prefix = match state {
            State::Now => "clause",
            State::Next => "next",
        };
        let define = |(Clause { parameters, never }, number): (&Clause, usize)| {
            let names: Vec<String> = (1..=parameters.len()).map(|number| format!("z{number}")).collect();
            let arguments: Vec<String> = names.iter().map(|name| format!("({name} Proc)")).collect();
            let ids = parameters.iter().map(|parameter| parameter.id);
            let bound: Names = ids.zip(names.iter().cloned()).collect();
            let never = all(distinct(&names).into_iter().chain([self.formula(never, &bound, state)]));
            let (name, arguments) = (format!("{prefix}.{number}"), arguments.join(" "));
            writeln!(self.declarations, "(define-fun {name} ({arguments}) Bool (not {never}))")
                .expect("a string takes everything");
            name
        };
        invariant.clauses.iter().zip(1..).map(define).collect()
    }

    fn assume_invariant(&mut self, invariant: &Invariant) {
        self.note("A state of the invariant");
        let names = self.clauses(invariant, State::Now);
        for (name, Clause { parameters, never }) in names.into_iter().zip(&invariant.clauses) {
            let variables = parameters.iter().map(|variable| variable.id).collect();
            let (distinct, formula) = (Distinct::Yes, Formula::not(never.clone()));
            let predicate = Some(name);
            self.universal.push(Universal { predicate, variables, distinct, formula, names: Names::new() });
        }
    }

    /// Some clause of the invariant is violated.
    fn violation(&mut self, invariant: &Invariant, state: State) {
        self.note(match state {
            State::Now => "that does not satisfy the invariant",
            State::Next => "after which the invariant does not hold",
        });
        let most = invariant.clauses.iter().map(|clause| clause.parameters.len()).max().unwrap_or(0);
        let violated: Vec<String> =
            (1..=most).map(|number| self.process(format!("p.violated.{number}"))).collect();
        let names = self.clauses(invariant, state);
        let clauses = names.iter().zip(&invariant.clauses);
        let text = any(clauses
            .map(|(name, clause)| format!("(not {})", applied(name, &violated[..clause.parameters.len()]))));
        self.assert(&text);
    }

    /// A step, which leads to the next state.
    fn step(&mut self, transition: &Transition) {
        self.note(&format!("in which {} is possible", transition.name));
        let names = self.constants(&transition.parameters);
        self.assume(&transition.guard, &names);
        for (index, symbol) in self.system.symbols.iter().enumerate() {
            let id = SymbolId(index as u32);
            let dimensions = symbol.dimensions();
            let update = transition.updates.iter().find(|update| update.symbol == id);
            let indices: Vec<String> = (1..=dimensions).map(|number| format!("i{number}")).collect();
            let value = match update {
                None => applied(&format!("s.{}", symbol.name), &indices),
                Some(update) => self.new_value(update, &indices, &names, symbol.ty),
            };
            let arguments: Vec<String> = indices.iter().map(|index| format!("({index} Proc)")).collect();
            let (name, arguments, ty) = (&symbol.name, arguments.join(" "), self.ty(symbol.ty));
            writeln!(self.declarations, "(define-fun n.{name} ({arguments}) {ty} {value})")
                .expect("a string takes everything");
        }
    }

    fn new_value(&mut self, update: &Update, indices: &[String], names: &Names, ty: Type) -> String {
        let mut names = names.clone();
        names.extend(update.indices.iter().map(|index| index.id).zip(indices.iter().cloned()));
        let mut text = self.value(&update.otherwise, update.symbol, indices, &names, ty);
        for branch in update.branches.iter().rev() {
            let condition = self.formula(&branch.condition, &names, State::Now);
            let value = self.value(&branch.value, update.symbol, indices, &names, ty);
            text = format!("(ite {condition} {value} {text})");
        }
        text
    }

    /// A value; any value is that of a new symbol, of which nothing is known.
    fn value(
        &mut self,
        value: &Value,
        symbol: SymbolId,
        indices: &[String],
        names: &Names,
        ty: Type,
    ) -> String {
        match value {
            Value::Term(term) => self.term(term, ty, names, State::Now),
            Value::Any => {
                self.witnesses += 1;
                let name = format!("any.{}.{}", self.system.symbol(symbol).name, self.witnesses);
                self.declare(&name, indices.len(), ty);
                if ty == Type::Process && indices.is_empty() {
                    self.processes.push(name.clone());
                }
                applied(&name, indices)
            }
        }
    }

    /// All of it, with what holds for all processes said of those that there are.
    fn finish(mut self, title: &str) -> String {
        match self.system.processes {
            Processes::Exactly(count) => {
                self.processes = (1..=count).map(|number| format!("p.{number}")).collect();
            }
            Processes::Any => {
                self.point_at();
            }
        }
        let universal = std::mem::take(&mut self.universal);
        for Universal { predicate, variables, distinct: kind, formula, names } in &universal {
            let processes = self.processes.clone();
            for_each_tuple(&processes, variables.len(), *kind, &mut |tuple| {
                if let Some(predicate) = predicate {
                    return self.assert(&applied(predicate, tuple));
                }
                let mut names = names.clone();
                names.extend(variables.iter().copied().zip(tuple.iter().cloned()));
                let text = self.assumed(formula, true, &names);
                let different = if *kind == Distinct::Yes { distinct(tuple) } else { None };
                self.assert(&match different {
                    Some(different) => format!("(=> {different} {text})"),
                    None => text,
                });
            });
        }
        if ordered_types(self.system).contains(&Type::Process) {
            let rank = rank(self.system, Type::Process);
            for_each_tuple(&self.processes.clone(), 2, Distinct::Yes, &mut |pair| {
                let [left, right] = pair else { unreachable!("pairs have two elements") };
                self.assert(&format!("(=> (= ({rank} {left}) ({rank} {right})) (= {left} {right}))"));
            });
        }
        let ranks = self.ranks();
        format!(
            "; {title}\n; Proved if the answer is unsat: this asks for a counterexample.\n(set-logic ALL)\n{}{ranks}{}{}(check-sat)\n",
            self.types(),
            self.symbols(),
            self.declarations + &self.assertions,
        )
    }

    /// Adds the processes that cells hold.
    fn point_at(&mut self) {
        if self.processes.is_empty() {
            self.process("p.somebody".to_owned());
        }
        let known = self.processes.clone();
        let most = self.system.symbols.iter().map(Symbol::dimensions).max().unwrap_or(0);
        for dimensions in 0..=most {
            for symbol in self.system.symbols.iter().filter(|symbol| symbol.ty == Type::Process) {
                if symbol.dimensions() != dimensions {
                    continue;
                }
                let name = format!("s.{}", symbol.name);
                for_each_tuple(&known, dimensions, Distinct::No, &mut |tuple| {
                    if self.processes.len() < MAX_PROCESSES {
                        self.processes.push(applied(&name, tuple));
                    }
                });
            }
        }
    }

    /// The orders that the system leaves open. Every order of finitely many values is that of some numbers.
    fn ranks(&self) -> String {
        let mut text = String::new();
        for ty in ordered_types(self.system) {
            let (name, rank) = (self.ty(ty), rank(self.system, ty));
            let _ = writeln!(text, "(declare-fun {rank} ({name}) Real)");
            let values: Vec<String> = match ty {
                Type::BOOL => vec!["false".to_owned(), "true".to_owned()],
                Type::Enumeration(id) => {
                    let names = self.system.enumeration(id).constructors.iter();
                    names.map(|name| format!("e.{name}")).collect()
                }
                // Of these, instances are said with the rest.
                Type::Process => continue,
                _ => {
                    let same = format!("(= ({rank} x) ({rank} y))");
                    let _ = writeln!(text, "(assert (forall ((x {name}) (y {name})) (=> {same} (= x y))))");
                    continue;
                }
            };
            let ranks: Vec<String> = values.iter().map(|value| format!("({rank} {value})")).collect();
            if let Some(distinct) = distinct(&ranks) {
                let _ = writeln!(text, "(assert {distinct})");
            }
        }
        text
    }

    fn types(&self) -> String {
        let mut text = match self.system.processes {
            Processes::Any => "(declare-sort Proc 0)\n".to_owned(),
            Processes::Exactly(count) => {
                let names: Vec<String> = (1..=count).map(|number| format!("(p.{number})")).collect();
                format!("(declare-datatypes ((Proc 0)) (({})))\n", names.join(" "))
            }
        };
        for ty in &self.system.abstract_types {
            let _ = writeln!(text, "(declare-sort t.{} 0)", ty.name);
        }
        for ty in &self.system.enumerations[1..] {
            let names: Vec<String> = ty.constructors.iter().map(|name| format!("(e.{name})")).collect();
            let _ = writeln!(text, "(declare-datatypes ((t.{} 0)) (({})))", ty.name, names.join(" "));
        }
        text
    }

    fn symbols(&self) -> String {
        let mut text = String::new();
        for symbol in &self.system.symbols {
            let arguments = vec!["Proc"; symbol.dimensions()].join(" ");
            let _ = writeln!(text, "(declare-fun s.{} ({arguments}) {})", symbol.name, self.ty(symbol.ty));
        }
        text
    }

    fn ty(&self, ty: Type) -> String {
        match ty {
            Type::Process => "Proc".to_owned(),
            Type::Integer => "Int".to_owned(),
            Type::Real => "Real".to_owned(),
            Type::BOOL => "Bool".to_owned(),
            Type::Enumeration(_) | Type::Abstract(_) => format!("t.{}", self.system.type_name(ty)),
        }
    }

    /// A formula holds, or it fails: so far as can be said of the processes that there are. Where all processes are spoken of,
    /// only these are; so this follows from the formula, or from its negation.
    fn assumed(&self, formula: &Formula, holds: bool, names: &Names) -> String {
        let part = |part: &Formula| self.assumed(part, holds, names);
        match formula {
            Formula::Not(inner) => self.assumed(inner, !holds, names),
            Formula::And(parts) if holds => all(parts.iter().map(part)),
            Formula::Or(parts) if !holds => all(parts.iter().map(part)),
            Formula::And(parts) | Formula::Or(parts) => any(parts.iter().map(part)),
            Formula::IfThenElse(parts) => {
                let condition = self.formula(&parts[0], names, State::Now);
                format!("(ite {condition} {} {})", part(&parts[1]), part(&parts[2]))
            }
            Formula::Quantified(Quantified { quantifier, variable, body, .. }) => {
                let is_for_all = (*quantifier == Quantifier::Forall) == holds;
                let with = |process: &String| {
                    let mut names = names.clone();
                    names.insert(variable.id, process.clone());
                    self.assumed(body, holds, &names)
                };
                match (is_for_all, names.get(&variable.id)) {
                    (true, _) => all(self.processes.iter().map(with)),
                    (false, Some(witness)) => with(witness),
                    (false, None) => self.said(formula, holds, names),
                }
            }
            Formula::Constant(_) | Formula::Compare(_) | Formula::Iff(_) => self.said(formula, holds, names),
        }
    }

    /// A formula holds, or it fails: word for word.
    fn said(&self, formula: &Formula, holds: bool, names: &Names) -> String {
        let text = self.formula(formula, names, State::Now);
        if holds { text } else { format!("(not {text})") }
    }

    fn formula(&self, formula: &Formula, names: &Names, state: State) -> String {
        let part = |part: &Formula| self.formula(part, names, state);
        match formula {
            Formula::Constant(value) => value.to_string(),
            Formula::Compare(comparison) => self.comparison(comparison, names, state),
            Formula::Not(inner) => format!("(not {})", part(inner)),
            Formula::And(parts) => all(parts.iter().map(part)),
            Formula::Or(parts) => any(parts.iter().map(part)),
            Formula::Iff(parts) => format!("(= {} {})", part(&parts[0]), part(&parts[1])),
            Formula::IfThenElse(parts) => {
                format!("(ite {} {} {})", part(&parts[0]), part(&parts[1]), part(&parts[2]))
            }
            Formula::Quantified(Quantified { quantifier, variable, body, .. }) => {
                let keyword = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                };
                let name = format!("q.{}.{}", variable.name, variable.id.0);
                let mut names = names.clone();
                names.insert(variable.id, name.clone());
                format!("({keyword} (({name} Proc)) {})", self.formula(body, &names, state))
            }
        }
    }

    fn comparison(&self, comparison: &Comparison, names: &Names, state: State) -> String {
        let Comparison { left, relation, right, ty, .. } = comparison;
        let (left, right) = (self.term(left, *ty, names, state), self.term(right, *ty, names, state));
        let operator = match relation {
            Relation::Equal => return format!("(= {left} {right})"),
            Relation::NotEqual => return format!("(not (= {left} {right}))"),
            Relation::Less => "<",
            Relation::LessEqual => "<=",
        };
        if ty.is_numeric() {
            return format!("({operator} {left} {right})");
        }
        let rank = rank(self.system, *ty);
        format!("({operator} ({rank} {left}) ({rank} {right}))")
    }

    fn term(&self, term: &Term, ty: Type, names: &Names, state: State) -> String {
        match term {
            Term::Variable(variable) => names[variable].clone(),
            Term::Process(number) => format!("p.{number}"),
            Term::Constructor(id, index) => {
                let enumeration = self.system.enumeration(*id);
                match Type::Enumeration(*id) {
                    Type::BOOL => (*index == 1).to_string(),
                    _ => format!("e.{}", enumeration.constructors[*index as usize]),
                }
            }
            Term::Access(access) => self.access(access, names, state),
            Term::Linear(linear) => self.linear(linear, ty, names, state),
        }
    }

    fn access(&self, access: &Access, names: &Names, state: State) -> String {
        let symbol = self.system.symbol(access.symbol);
        let indices: Vec<String> =
            access.indices.iter().map(|index| self.term(index, Type::Process, names, state)).collect();
        let prefix = match (state, symbol.kind) {
            (State::Now, _) | (_, SymbolKind::Constant) => "s",
            (State::Next, _) => "n",
        };
        applied(&format!("{prefix}.{}", symbol.name), &indices)
    }

    fn linear(&self, linear: &Linear, ty: Type, names: &Names, state: State) -> String {
        let mut parts: Vec<String> = (linear.terms.iter())
            .map(|(factor, access)| {
                format!("(* {} {})", number(factor, ty), self.access(access, names, state))
            })
            .collect();
        if parts.is_empty() || !linear.constant.is_zero() {
            parts.push(number(&linear.constant, ty));
        }
        match &parts[..] {
            [one] => one.clone(),
            parts => format!("(+ {})", parts.join(" ")),
        }
    }
}

/// A number of a type.
fn number(number: &Number, ty: Type) -> String {
    let ratio = number.abs();
    let ratio = ratio.as_ratio();
    let (numerator, denominator) = (ratio.numerator(), ratio.denominator());
    let text = match ty {
        Type::Real => format!("(/ {numerator}.0 {denominator}.0)"),
        _ => numerator.to_string(),
    };
    if number.is_negative() { format!("(- {text})") } else { text }
}

/// The name of the function that orders the values of a type.
fn rank(system: &System, ty: Type) -> String {
    format!("rank.{}", system.type_name(ty))
}

/// The types, other than numbers, whose values are compared by an order.
fn ordered_types(system: &System) -> Vec<Type> {
    let mut types = Vec::new();
    for formula in system.formulas() {
        formula.for_each_comparison(&mut |comparison| {
            let ordered = matches!(comparison.relation, Relation::Less | Relation::LessEqual);
            if ordered && !comparison.ty.is_numeric() && !types.contains(&comparison.ty) {
                types.push(comparison.ty);
            }
        });
    }
    types
}

fn applied(name: &str, arguments: &[String]) -> String {
    if arguments.is_empty() { name.to_owned() } else { format!("({name} {})", arguments.join(" ")) }
}

/// The terms have different values; nothing to say of fewer than two.
fn distinct(terms: &[String]) -> Option<String> {
    (terms.len() > 1).then(|| format!("(distinct {})", terms.join(" ")))
}

fn all(parts: impl IntoIterator<Item = String>) -> String {
    joined("and", "true", parts)
}

fn any(parts: impl IntoIterator<Item = String>) -> String {
    joined("or", "false", parts)
}

fn joined(operator: &str, none: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.into_iter().collect();
    match parts.len() {
        0 => none.to_owned(),
        1 => parts.remove(0),
        _ => format!("({operator} {})", parts.join(" ")),
    }
}

/// Calls `visit` with all tuples of so many terms.
fn for_each_tuple(terms: &[String], length: usize, distinct: Distinct, visit: &mut dyn FnMut(&[String])) {
    fn extend(
        terms: &[String],
        length: usize,
        distinct: Distinct,
        tuple: &mut Vec<String>,
        visit: &mut dyn FnMut(&[String]),
    ) {
        if tuple.len() == length {
            return visit(tuple);
        }
        for term in terms {
            if distinct == Distinct::No || !tuple.contains(term) {
                tuple.push(term.clone());
                extend(terms, length, distinct, tuple, visit);
                tuple.pop();
            }
        }
    }
    extend(terms, length, distinct, &mut Vec::new(), visit);
}
