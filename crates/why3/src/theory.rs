//! The obligations of an invariant as goals for Why3: a text for people, who may go on from there, and for
//! the provers that Why3 knows.
//!
//! What the model says becomes predicates over states: `initial`, one for each property and each clause of
//! the invariant, and one over two states for each transition. A symbol of the model is a function of the
//! state: `cache s p` is `Cache[p]` in the state s. (States as records with functions for arrays would be
//! nearer to the model; but then z3 has to reason with arrays of arrays, and does not find proofs that it
//! finds at once this way.) That a value may be anything, `?`, is said by saying nothing of it. An order of
//! which nothing is known is a relation with the axioms of strict total orders.
//!
//! Provers get predicates as definitions, and have to find out where they need them. Those with the attribute
//! `inline:trivial` are replaced by what they say before a prover sees them.

use polycube_certificate::invariant::{Invariant, Obligation};
use polycube_language::System;
use polycube_language::system::{Symbol, SymbolKind, Transition, Update, Value};

use crate::formula::{Level, Scope, all, applied, for_all, inside};
use crate::layout::Layout;
use crate::printer::{Printer, symbols};
use crate::vocabulary::{NEXT, NOW, Notation, Vocabulary};

/// The obligations of an invariant as a file for Why3 (1.5 or later): the model, the invariant, and a goal
/// for each obligation. If all goals are valid, no run of the system reaches a state of a property.
///
/// `needed` says from which clauses (by their numbers) an obligation is known to follow, and these are the
/// premises of its goal; where it says nothing, the whole invariant is.
pub fn theory(
    system: &System,
    invariant: &Invariant,
    needed: &dyn Fn(Obligation) -> Option<Vec<usize>>,
) -> String {
    let vocabulary = Vocabulary::new(system, invariant, Notation::Function);
    let mut printer = Printer { vocabulary: &vocabulary, text: String::new() };
    printer.header();
    printer.begin("theory Model", &vocabulary.arithmetic());
    printer.types();
    printer.orders();
    printer.state();
    printer.initial();
    printer.transitions();
    printer.properties();
    printer.end();
    // What is used last hides names of what is used before it.
    printer.begin("theory Invariant", &[&vocabulary.arithmetic()[..], &["Model"]].concat());
    printer.clauses();
    printer.end();
    printer.begin("theory Proof", &["Model", "Invariant"]);
    printer.goals(needed);
    printer.end();
    printer.text
}

impl Printer<'_> {
    /// A predicate over states and perhaps processes.
    fn predicate(&mut self, name: &str, arguments: &str, formula: &Layout) {
        let text = formula.without_parentheses().at(4);
        self.line(&format!("  predicate {name} [@inline:trivial] {arguments} =\n    {text}"));
    }

    fn header(&mut self) {
        let many = self.how_many();
        self.line(&format!(
            "(* That a protocol with {many} is safe: goals for Why3.

   Model says what the protocol is: its states, which of them are initial, the steps that it can take, and the
   states that it must not reach. Invariant claims something of all states that it does reach, clause by clause.
   The goals of Proof are that

     - the clauses hold in all initial states,
     - a step from a state in which the clauses hold leads to a state in which they hold, and
     - no state in which the clauses hold is one that must not be reached.

   If all goals are valid, then, by induction on the number of steps, the clauses hold in all states that are
   reached, so none of these is one that must not be. The premises of a goal are all clauses, or some from which
   it is known to follow.

   What a variable or an array of the protocol holds is a function of the state. A step is a predicate of the
   state before it, {NOW}, and the state after it, {NEXT}: first when it is possible, then what it changes, then what it
   keeps. The parameters of a step stand for different processes; so do those of a clause, and of the states that
   must not be reached. The attribute of predicates has provers see what they say in place of their names. *)"
        ));
    }

    /// The type of states, and functions for what is in them.
    fn state(&mut self) {
        let vocabulary = self.vocabulary;
        self.note("The states");
        self.line(&format!("  type {}", vocabulary.state));
        for (id, symbol) in symbols(vocabulary.system) {
            let (name, original) = (&vocabulary.symbols[id], &symbol.name);
            let (note, arguments) = match symbol.kind {
                SymbolKind::Constant => (format!("const {original}: it never changes"), String::new()),
                SymbolKind::Variable => (format!("var {original}"), format!(" {}", vocabulary.state)),
                SymbolKind::Array { dimensions } => {
                    let processes = " proc".repeat(dimensions);
                    (format!("array {original}"), format!(" {}{processes}", vocabulary.state))
                }
            };
            let keyword = if arguments.is_empty() { "constant" } else { "function" };
            self.note(&note);
            self.line(&format!("  {keyword} {name}{arguments} : {}", vocabulary.ty(symbol.ty)));
        }
        for (id, symbol) in symbols(vocabulary.system) {
            let is_kept = |transition| kept(vocabulary.system, transition).any(|(kept, _)| kept == id);
            if symbol.dimensions() == 0 || !vocabulary.system.transitions.iter().any(is_kept) {
                continue;
            }
            let mut taken = vocabulary.taken.clone();
            let indices: Vec<String> =
                (1..=symbol.dimensions()).map(|number| taken.small(&format!("p{number}"))).collect();
            let name = &vocabulary.symbols[id];
            let equation = format!("{} = {}", applied(name, NEXT, &indices), applied(name, NOW, &indices));
            let formula = for_all(&indices, Layout::text(equation));
            let arguments = format!("({NOW} {NEXT}: {})", vocabulary.state);
            self.note(&format!("{} keeps its values", symbol.name));
            self.predicate(&vocabulary.same[id], &arguments, &formula);
        }
    }

    fn initial(&mut self) {
        let vocabulary = self.vocabulary;
        self.note("init");
        self.predicate("initial", &format!("({NOW}: {})", vocabulary.state), &vocabulary.initial());
    }

    fn transitions(&mut self) {
        let vocabulary = self.vocabulary;
        for (transition, name) in vocabulary.system.transitions.iter().zip(&vocabulary.transitions) {
            let anything = transition.updates.iter().filter(|update| is_anything(update));
            let names: Vec<&str> =
                anything.map(|update| vocabulary.system.symbol(update.symbol).name.as_str()).collect();
            let mut note = format!("transition {}", transition.name);
            if !names.is_empty() {
                note += &format!("; {} may become anything", names.join(", "));
            }
            self.note(&note);
            let (scope, names) = vocabulary.scope(&transition.parameters);
            let mut arguments = format!("({NOW} {NEXT}: {})", vocabulary.state);
            if !names.is_empty() {
                arguments += &format!(" ({}: proc)", names.join(" "));
            }
            let guard = vocabulary.guard(transition, &scope, &names);
            let changes = transition.updates.iter().filter_map(|update| self.update(update, &scope));
            let kept: Vec<String> = (kept(vocabulary.system, transition))
                .map(|(id, symbol)| match symbol.dimensions() {
                    0 => format!("{0} {NEXT} = {0} {NOW}", vocabulary.symbols[id]),
                    _ => format!("{} {NOW} {NEXT}", vocabulary.same[id]),
                })
                .collect();
            let kept = (!kept.is_empty()).then_some(Layout::Filled("/\\", kept));
            let parts: Vec<String> =
                guard.into_iter().chain(changes).chain(kept).map(|part| part.at(4)).collect();
            let text = if parts.is_empty() { "true".to_owned() } else { parts.join(" /\\\n    ") };
            self.predicate(name, &arguments, &Layout::text(text));
        }
    }

    /// What an update says of the next state; nothing if the new value can be any.
    fn update(&self, update: &Update, scope: &Scope) -> Option<Layout> {
        let vocabulary = self.vocabulary;
        if is_anything(update) {
            return None;
        }
        let (scope, indices) = inside(scope, &update.indices);
        let ty = vocabulary.system.symbol(update.symbol).ty;
        let cell = applied(&vocabulary.symbols[update.symbol.0 as usize], NEXT, &indices);
        // Where some values can be any, there is one equation for each other value, and else one for all.
        let has_any = update.values().any(|value| *value == Value::Any);
        let value = |value: &Value| match value {
            Value::Any => Layout::text("true"),
            Value::Term(term) if has_any => {
                Layout::text(format!("{cell} = {}", vocabulary.term(term, ty, &scope)))
            }
            Value::Term(term) => Layout::text(vocabulary.term(term, ty, &scope)),
        };
        let branches: Vec<(Layout, Layout)> = (update.branches.iter())
            .map(|branch| (vocabulary.formula(&branch.condition, &scope, Level::Top), value(&branch.value)))
            .collect();
        let mut formula = value(&update.otherwise);
        if !branches.is_empty() {
            formula = Layout::parentheses(Layout::Cases(branches, Box::new(formula)));
        }
        if !has_any {
            formula = Layout::before(format!("{cell} ="), formula);
        }
        Some(for_all(&indices, formula))
    }

    fn properties(&mut self) {
        let vocabulary = self.vocabulary;
        for (property, name) in vocabulary.system.properties.iter().zip(&vocabulary.properties) {
            self.note(&format!("{}: states that must not be reached", property.kind.keyword()));
            let arguments = format!("({NOW}: {})", vocabulary.state);
            self.predicate(name, &arguments, &vocabulary.property(property));
        }
    }

    fn clauses(&mut self) {
        let vocabulary = self.vocabulary;
        let arguments = format!("({NOW}: {})", vocabulary.state);
        for (clause, name) in vocabulary.invariant.clauses.iter().zip(&vocabulary.clauses) {
            self.line("");
            self.predicate(name, &arguments, &vocabulary.clause(clause));
        }
        for (at, (name, fact)) in vocabulary.facts.iter().enumerate() {
            match at {
                0 => self.note("Facts about numbers of processes: docs/trust.md says why they are true"),
                _ => self.line(""),
            }
            self.predicate(name, &arguments, &vocabulary.clause(fact));
        }
        let facts = vocabulary.facts.iter().map(|(name, _)| name);
        let clauses: Vec<String> =
            vocabulary.clauses.iter().chain(facts).map(|name| format!("{name} {NOW}")).collect();
        let formula = if clauses.is_empty() { all(Vec::new()) } else { Layout::Filled("/\\", clauses) };
        self.line("");
        self.predicate("all_clauses", &arguments, &formula);
    }

    fn goals(&mut self, needed: &dyn Fn(Obligation) -> Option<Vec<usize>>) {
        let vocabulary = self.vocabulary;
        let mut section = String::new();
        for obligation in Obligation::all(vocabulary.system, vocabulary.invariant) {
            let title = describe(vocabulary.system, obligation);
            if title != section {
                self.note(&title);
                section = title;
            }
            let goal = self.goal(obligation, needed(obligation).as_deref());
            self.declare(&goal);
        }
    }

    fn goal(&self, obligation: Obligation, needed: Option<&[usize]>) -> String {
        let vocabulary = self.vocabulary;
        let state = &vocabulary.state;
        let invariant = || match needed {
            None => vec![format!("all_clauses {NOW}")],
            Some(clauses) => {
                let name = |at: usize| match at.checked_sub(vocabulary.clauses.len()) {
                    None => &vocabulary.clauses[at],
                    Some(fact) => &vocabulary.facts[fact].0,
                };
                clauses.iter().map(|&clause| format!("{} {NOW}", name(clause))).collect()
            }
        };
        let one_state = format!("{NOW}: {state}");
        let (name, variables, mut formulas, conclusion) = match obligation {
            Obligation::Initially { clause } => {
                let clause = &vocabulary.clauses[clause];
                let (name, conclusion) = (format!("initially_{clause}"), format!("{clause} {NOW}"));
                // Facts are true of initial states, too.
                let is_needed = |at: usize| needed.is_none_or(|needed| needed.contains(&at));
                let facts = (vocabulary.clauses.len()..).zip(&vocabulary.facts);
                let facts = facts.filter(|(at, _)| is_needed(*at));
                let initial = std::iter::once(format!("initial {NOW}"));
                let premises = initial.chain(facts.map(|(_, (fact, _))| format!("{fact} {NOW}")));
                (name, one_state, premises.collect(), conclusion)
            }
            Obligation::Preserved { transition, clause } => {
                let (_, names) = vocabulary.scope(&vocabulary.system.transitions[transition].parameters);
                let (transition, clause) = (&vocabulary.transitions[transition], &vocabulary.clauses[clause]);
                let mut variables = format!("{NOW} {NEXT}: {state}");
                if !names.is_empty() {
                    variables += &format!(", {}: proc", names.join(" "));
                }
                let mut premises = invariant();
                premises.push(applied(&format!("{transition} {NOW}"), NEXT, &names));
                (format!("{transition}_preserves_{clause}"), variables, premises, format!("{clause} {NEXT}"))
            }
            Obligation::Excludes { property } => {
                let property = &vocabulary.properties[property];
                let (name, conclusion) = (format!("never_{property}"), format!("not {property} {NOW}"));
                (name, one_state, invariant(), conclusion)
            }
        };
        formulas.push(conclusion);
        let formula = Layout::before(format!("forall {variables}."), Layout::Filled("->", formulas));
        format!("goal {name}:\n    {}", formula.at(4))
    }
}

/// What a goal is about.
fn describe(system: &System, obligation: Obligation) -> String {
    match obligation {
        Obligation::Initially { .. } => "The clauses hold in all initial states".to_owned(),
        Obligation::Preserved { transition, .. } => {
            format!("Transition {} preserves the clauses", system.transitions[transition].name)
        }
        Obligation::Excludes { .. } => "No state that must not be reached satisfies the clauses".to_owned(),
    }
}

/// What a transition does not change, constants aside.
fn kept<'s>(system: &'s System, transition: &'s Transition) -> impl Iterator<Item = (usize, &'s Symbol)> {
    let is_updated = |id: usize| transition.updates.iter().any(|update| update.symbol.0 as usize == id);
    symbols(system).filter(move |(id, symbol)| symbol.kind != SymbolKind::Constant && !is_updated(*id))
}

/// The new value may be any, whatever the state.
fn is_anything(update: &Update) -> bool {
    update.values().all(|value| *value == Value::Any)
}

#[cfg(test)]
mod tests {
    use polycube_certificate::invariant::Clause;

    use super::*;

    fn printed(model: &str, needed: &dyn Fn(Obligation) -> Option<Vec<usize>>) -> String {
        let system = polycube_language::check(model).system.expect("a correct model");
        let properties = system.properties.iter();
        let clauses = properties.map(|property| Clause {
            parameters: property.parameters.clone(),
            never: property.formula.clone(),
        });
        theory(&system, &Invariant { clauses: clauses.collect() }, needed)
    }

    #[track_caller]
    fn check(model: &str, expected: &[&str]) {
        let text = printed(model, &|_| None);
        for part in expected {
            assert!(text.contains(part), "`{part}` is missing in\n{text}");
        }
    }

    #[test]
    fn steps_are_predicates_of_two_states() {
        check(
            "
            type place = Out | In
            var Turn : proc
            array Place[proc] : place
            array Seen[proc, proc] : bool
            var Opened : bool
            init (p q) { Place[p] = Out && Opened && not Seen[p, q] }
            unsafe (p q) { Place[p] = In && Place[q] = In }
            transition enter (p) requires { Turn = p && forall_other q. Seen[p, q] } { Place[p] := In; }
            transition leave (p) requires { Place[p] = In } {
              Place[p] := Out; Turn := ?; Seen[i, j] := case | i = p : ? | _ : Seen[i, j];
            }
            ",
            &[
                "    opened s /\\ (forall p q: proc. place s p = Out /\\ not seen s p q)\n",
                "    exists p q: proc. p <> q /\\ place s p = In /\\ place s q = In\n",
                "    turn s = p /\\ (forall q: proc. q = p \\/ seen s p q) /\\
    (forall k: proc. place t k = (if k = p then In else place s k)) /\\
    turn t = turn s /\\ same_seen s t /\\ opened t = opened s\n",
                "  (* transition leave; Turn may become anything *)",
                "    (forall i j: proc. (if i = p then true else seen t i j = seen s i j)) /\\\n    opened t",
                "    forall p q: proc. p <> q -> not (place s p = In /\\ place s q = In)\n",
                "    forall s t: system_state, p: proc. all_clauses s -> enter s t p -> clause_1 t\n",
            ],
        );
    }

    #[test]
    fn numbers_and_orders() {
        check(
            "
            number_procs 2
            const Limit : real
            var Count : int
            var Level : real
            var Turn : proc
            init { Count = 0 && Level = 0.0 && Turn = #1 }
            unsafe { 2 * Count < -3 || Limit - 1.5 * Level <= 0.25 || Turn <= #1 }
            transition step () { Count := Count - 1; Level := -1.0; }
            ",
            &[
                "use int.Int",
                "use real.RealInfix",
                "type proc = Process1 | Process2",
                "constant limit : real",
                "predicate less_proc (x y: proc)",
                "2 * count s < (- 3)",
                "limit -. 1.5 *. level s <=. 0.25",
                "not less_proc Process1 (turn s)",
                "count t = count s - 1",
                "level t = (-. 1.0)",
            ],
        );
    }

    #[test]
    fn names_of_why3_are_not_used() {
        check(
            "
            type val = End | Process1
            type system_state
            var S : val
            var Clause_1 : system_state
            array Goal[proc] : bool
            init (val) { S = End && not Goal[val] }
            unsafe (s s_2) { Goal[s] && Goal[s_2] }
            transition goal (s) { Goal[s] := True; }
            transition goal (initial) { Goal[initial] := True; S := Process1; }
            ",
            &[
                "type val_2 = End | Process1\n",
                "type system_state_2\n",
                "function s_2 system_state_2 : val_2\n",
                "function clause_1 system_state_2 : system_state\n",
                "s_2 s = End /\\ (forall val_2: proc. not goal_2 s val_2)\n",
                "predicate clause_1_2 ",
                "exists s_3 s_2_2: proc. s_3 <> s_2_2 /\\ goal_2 s s_3",
                "predicate goal_3 [@inline:trivial] (s t: system_state_2) (s_3: proc) =",
                "predicate goal_4 [@inline:trivial] (s t: system_state_2) (initial_2: proc) =",
            ],
        );
    }

    #[test]
    fn premises_are_the_clauses_that_are_needed() {
        let model = "
            var X : bool
            init { not X }
            unsafe { X }
            invariant (p) { X }
            transition step () requires { X } { X := False; }
        ";
        let needed = |obligation| match obligation {
            Obligation::Initially { .. } => None,
            Obligation::Preserved { clause, .. } => Some(vec![clause]),
            Obligation::Excludes { property } => Some((0..property).collect()),
        };
        let text = printed(model, &needed);
        for goal in [
            "goal initially_clause_2:\n    forall s: system_state. initial s -> clause_2 s\n",
            "goal step_preserves_clause_2:\n    forall s t: system_state. clause_2 s -> step s t -> clause_2 t\n",
            "goal never_unsafe_1:\n    forall s: system_state. not unsafe_1 s\n",
            "goal never_invariant_2:\n    forall s: system_state. clause_1 s -> not invariant_2 s\n",
        ] {
            assert!(text.contains(goal), "`{goal}` is missing in\n{text}");
        }
    }
}
