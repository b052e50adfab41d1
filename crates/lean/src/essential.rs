//! What matters in a counterexample to induction: the cells because of which the step is possible, and the clause violated after it.

use polycube_certificate::interpreter::{Assignment, truth};
use polycube_certificate::step::known_value;
use polycube_certificate::{Cell, Clause, Instance, State, Value};
use polycube_language::system::Transition;

/// A step that leads to a state in which a clause does not hold for some processes.
pub(crate) struct BadStep<'b> {
    pub(crate) instance: &'b Instance<'b>,
    pub(crate) transition: &'b Transition,
    /// The processes in place of the parameters of the transition.
    pub(crate) arguments: &'b [u32],
    /// What the state after the step has where the step may choose.
    pub(crate) after: &'b State,
    pub(crate) clause: &'b Clause,
    /// The processes for which the clause is violated.
    pub(crate) processes: &'b [u32],
}

impl BadStep<'_> {
    /// The state before the step without the values that do not matter: whatever these cells hold, the step is possible, and
    /// violates the clause for these processes. (The other clauses may then fail before the step: what matters for them is not
    /// kept.)
    pub(crate) fn essential(&self, before: &State) -> State {
        smallest(before, &|known| self.is_bad(known))
    }

    /// Whether the step is possible from every state that has these values, and violates the clause.
    fn is_bad(&self, known: &State) -> bool {
        let arguments = Assignment::of(&self.transition.parameters, self.arguments);
        let is_possible = truth(self.instance, &self.transition.guard, known, &arguments) == Some(true);
        let after = self.known_after(known).into_iter().collect();
        is_possible && is_violated(self.instance, self.clause, self.processes, &after)
    }

    /// The values after the step that follow from what is known before it.
    pub(crate) fn known_after(&self, before: &State) -> Vec<(Cell, Value)> {
        let value =
            |cell| known_value(self.instance, self.transition, self.arguments, cell, before, self.after);
        self.after.iter().filter_map(|(cell, _)| Some((cell.clone(), value(cell)?))).collect()
    }
}

/// A state without the values that do not matter: whatever these cells hold, the clause is violated for these
/// processes.
pub(crate) fn violating(instance: &Instance<'_>, clause: &Clause, processes: &[u32], state: &State) -> State {
    smallest(state, &|known| is_violated(instance, clause, processes, known))
}

fn is_violated(instance: &Instance<'_>, clause: &Clause, processes: &[u32], known: &State) -> bool {
    let processes = Assignment::of(&clause.parameters, processes);
    truth(instance, &clause.never, known, &processes) == Some(true)
}

/// A part of a state that is still enough, and none of whose parts is. Cells are tried in their order.
fn smallest(state: &State, is_enough: &dyn Fn(&State) -> bool) -> State {
    let mut known = state.clone();
    for (cell, value) in state.iter() {
        known = without(&known, cell);
        if !is_enough(&known) {
            known.set(cell.clone(), value.clone());
        }
    }
    known
}

fn without(state: &State, left_out: &Cell) -> State {
    state
        .iter()
        .filter(|(cell, _)| *cell != left_out)
        .map(|(cell, value)| (cell.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::{Duration, Instant};

    use polycube_certificate::clauses::first_distinct;
    use polycube_certificate::{Invariant, NewValue, Obligation, holds, new_value};
    use polycube_induction::{Effort, Finding, Induction, Wanted};
    use polycube_language::System;
    use polycube_language::system::Type;
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random, random_system};

    use super::*;

    const SYSTEMS: u64 = 100;

    /// Some systems take minutes.
    const MOST: Duration = Duration::from_millis(200);

    /// Whatever else the cells hold that do not matter, the step is possible and the clause violated.
    #[test]
    fn what_does_not_matter_may_be_random() {
        let counts = [(); 2].map(|()| std::sync::atomic::AtomicUsize::new(0));
        let add = |at: usize, number| counts[at].fetch_add(number, std::sync::atomic::Ordering::Relaxed);
        let tried = for_seeds!(SYSTEMS, |seed| {
            let system = random_system(seed, &Profile { max_dimensions: 2, ..Profile::FINITE });
            let clauses = (system.properties.iter())
                .map(|one| Clause { parameters: one.parameters.clone(), never: one.formula.clone() });
            let invariant = Invariant { clauses: clauses.collect() };
            let start = Instant::now();
            let goes_on = || start.elapsed() < MOST;
            let effort = Effort { goes_on: &goes_on, threads: 1, wanted: Wanted::Answers };
            let mut random = Random::new(seed);
            for obligation in Obligation::all(&system, &invariant) {
                let Obligation::Preserved { transition, clause } = obligation else { continue };
                let found = Induction::of_some(&system, &invariant, &BTreeSet::from([obligation]), &effort);
                let Some(Finding::Refuted(cti)) = found.findings.get(&obligation) else { continue };
                let (arguments, after) = cti.step.as_ref().expect("a step");
                let instance =
                    Instance::new(&system, cti.processes, cti.orders.clone()).expect("an instance");
                let clause = &invariant.clauses[clause];
                let processes = first_distinct(&instance, &clause.never, &clause.parameters, after);
                let bad = BadStep {
                    instance: &instance,
                    transition: &system.transitions[transition],
                    arguments,
                    after,
                    clause,
                    processes: &processes.expect("it is violated"),
                };
                let known = bad.essential(&cti.state);
                add(0, known.iter().count());
                add(1, cti.state.iter().count());
                for _ in 0..5 {
                    check(&system, &bad, &cti.state, &known, &mut random);
                }
            }
        });
        if tried.is_some() {
            let [kept, all] = counts.map(std::sync::atomic::AtomicUsize::into_inner);
            assert!(kept > 0 && kept * 3 < all * 2, "{kept} of {all} cells matter");
        }
    }

    fn check(system: &System, bad: &BadStep<'_>, state: &State, known: &State, random: &mut Random) {
        let before: State = (state.iter())
            .map(|(cell, value)| {
                let value =
                    if known.get(cell).is_some() { value.clone() } else { any(system, cell, bad, random) };
                (cell.clone(), value)
            })
            .collect();
        let arguments = Assignment::of(&bad.transition.parameters, bad.arguments);
        assert!(holds(bad.instance, &bad.transition.guard, &before, &arguments));
        let after: State = (before.iter())
            .map(|(cell, _)| {
                let value = match new_value(bad.instance, bad.transition, bad.arguments, cell, &before) {
                    NewValue::Unchanged(value) | NewValue::Exactly(value) => value,
                    NewValue::Any => bad.after.get(cell).expect("a value").clone(),
                };
                (cell.clone(), value)
            })
            .collect();
        let processes = Assignment::of(&bad.clause.parameters, bad.processes);
        assert!(holds(bad.instance, &bad.clause.never, &after, &processes));
    }

    fn any(system: &System, cell: &Cell, bad: &BadStep<'_>, random: &mut Random) -> Value {
        let below =
            |random: &mut Random, count: usize| u32::try_from(random.below(count)).expect("few values");
        match system.symbol(cell.symbol).ty {
            Type::Process => Value::Process(1 + below(random, bad.instance.processes() as usize)),
            Type::Enumeration(id) => {
                Value::Constructor(id, below(random, system.enumeration(id).constructors.len()))
            }
            other => panic!("{other:?} is not finite"),
        }
    }
}
