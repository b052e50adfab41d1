//! The successors of a state.

use super::sleep::{Arrival, Sleep};
use crate::compile::Instance;
use crate::compile::filter::members;
use crate::compile::program::Unfit;

/// Why the successors of a state cannot be computed, or not be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchError {
    Unfit(Unfit),
    /// The choices of one state, up to those of this transition, lead to too many states.
    Choices(u32),
    /// The visitor has seen enough.
    Stopped,
    /// There are more states than can be numbered.
    Full,
}

impl From<Unfit> for SearchError {
    fn from(unfit: Unfit) -> Self {
        SearchError::Unfit(unfit)
    }
}

/// The most states among which the steps from one state may choose, so that neither memory nor patience ends
/// in the middle of it: a million, or 32 megabytes of them.
const fn max_choices<const W: usize>() -> u64 {
    let states = (32 << 20) / size_of::<[u64; W]>() as u64;
    if states < 1 << 20 { states } else { 1 << 20 }
}

/// Room for what is computed on the way.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Among how many states the steps from one state may choose, if that is less than what is possible at
    /// all.
    most_choices: Option<u64>,
    choices: Vec<u32>,
    positions: Vec<usize>,
}

impl Scratch {
    pub fn new(most_choices: Option<u64>) -> Scratch {
        Scratch { most_choices, ..Scratch::default() }
    }
}

/// Calls `visit` with every step from a state, until it says no: the number of the rule, and the state after
/// it. Steps come in the order of the rules.
pub fn for_each_successor<const W: usize>(
    instance: &Instance<'_>,
    state: &[u64; W],
    scratch: &mut Scratch,
    mut visit: impl FnMut(usize, [u64; W]) -> bool,
) -> Result<(), SearchError> {
    let mut chosen = 0;
    for word in 0..instance.rule_filter.words() {
        for number in members(word, instance.rule_filter.candidates(state, word)) {
            fire(instance, state, number, scratch, &mut chosen, &mut visit)?;
        }
    }
    Ok(())
}

/// The same, but rules that cannot be computed are passed over, each by itself: whether a step is among these does not depend
/// on the steps before it, which those of a renaming of the state are not.
pub fn for_each_computable_successor<const W: usize>(
    instance: &Instance<'_>,
    state: &[u64; W],
    scratch: &mut Scratch,
    mut visit: impl FnMut(usize, [u64; W]) -> bool,
) {
    for word in 0..instance.rule_filter.words() {
        for number in members(word, instance.rule_filter.candidates(state, word)) {
            let fired = fire(instance, state, number, scratch, &mut 0, &mut visit);
            if fired == Err(SearchError::Stopped) {
                return;
            }
        }
    }
}

/// Calls `visit` with the steps from a state that was found in some way, except those by rules that sleep,
/// until it says no; how many steps these are.
#[inline]
pub fn for_each_waking_successor<const W: usize>(
    instance: &Instance<'_>,
    (sleep, arrival): (&Sleep, Arrival),
    state: &[u64; W],
    scratch: &mut Scratch,
    mut visit: impl FnMut(usize, [u64; W]) -> bool,
) -> Result<u64, SearchError> {
    let (mut chosen, mut sleeping) = (0, 0);
    for word in 0..instance.rule_filter.words() {
        let candidates = instance.rule_filter.candidates(state, word);
        let asleep = candidates & sleep.asleep(arrival, word);
        for number in members(word, candidates & !asleep) {
            fire(instance, state, number, scratch, &mut chosen, &mut visit)?;
        }
        let unguarded = instance.unguarded[word];
        sleeping += u64::from((asleep & unguarded).count_ones());
        for number in members(word, asleep & !unguarded) {
            sleeping += u64::from(instance.rules[number].guard.holds(state, &instance.program));
        }
    }
    Ok(sleeping)
}

/// Calls `visit` with the states to which a rule leads, if it is possible.
#[inline(always)]
fn fire<const W: usize>(
    instance: &Instance<'_>,
    state: &[u64; W],
    number: usize,
    scratch: &mut Scratch,
    chosen: &mut u64,
    visit: &mut impl FnMut(usize, [u64; W]) -> bool,
) -> Result<(), SearchError> {
    let rule = &instance.rules[number];
    if !rule.guard.holds(state, &instance.program) {
        return Ok(());
    }
    scratch.choices.clear();
    let mut after = *state;
    rule.fire(state, &mut after, &instance.program, &mut scratch.choices)?;
    if scratch.choices.is_empty() {
        return if visit(number, after) { Ok(()) } else { Err(SearchError::Stopped) };
    }
    let sizes = scratch.choices.iter().map(|&choice| instance.program.choice(choice).codes.len() as u64);
    *chosen = chosen.saturating_add(sizes.fold(1, u64::saturating_mul));
    if *chosen > scratch.most_choices.map_or(max_choices::<W>(), |most| most.min(max_choices::<W>())) {
        return Err(SearchError::Choices(rule.transition));
    }
    for_each_choice(instance, after, scratch, |after| visit(number, after))
}

/// Every way to choose the fields that may be anything, like an odometer.
fn for_each_choice<const W: usize>(
    instance: &Instance<'_>,
    mut after: [u64; W],
    scratch: &mut Scratch,
    mut visit: impl FnMut([u64; W]) -> bool,
) -> Result<(), SearchError> {
    let choice = |number: u32| instance.program.choice(number);
    scratch.positions.clear();
    scratch.positions.resize(scratch.choices.len(), 0);
    for &number in &scratch.choices {
        choice(number).field.set(&mut after, choice(number).codes[0]);
    }
    loop {
        if !visit(after) {
            return Err(SearchError::Stopped);
        }
        let mut at = 0;
        loop {
            let Some(&number) = scratch.choices.get(at) else { return Ok(()) };
            let (choice, position) = (choice(number), &mut scratch.positions[at]);
            *position += 1;
            if *position < choice.codes.len() {
                choice.field.set(&mut after, choice.codes[*position]);
                break;
            }
            *position = 0;
            choice.field.set(&mut after, choice.codes[0]);
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::AtomicBool;

    use polycube_certificate::{self as judge, State, Value, enabled, successors, violates};
    use polycube_language::System;
    use polycube_language::number::Number;
    use polycube_language::system::{Processes, Type};
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::compile::domain::{Bounds, Domain};
    use crate::forward::{orders_of, state};
    use crate::samples::small_system;

    /// As many words as small states have.
    type Packed = [u64; 4];

    /// Any state, reachable or not.
    fn random_state(instance: &Instance<'_>, random: &mut Random) -> Packed {
        let mut packed = Packed::default();
        for slot in instance.slots.iter() {
            let code = match instance.slots.domain(slot) {
                Domain::Finite(values) => random.below(values.len()) as u64,
                Domain::Numbers(format) => {
                    let number = Number::from(random.below(5) as i64 - 2);
                    let steps = format.steps(&number).expect("small numbers can be stored");
                    format.code(steps).expect("small numbers can be stored")
                }
            };
            instance.layout.field(slot).set(&mut packed, code);
        }
        packed
    }

    fn choices(system: &System, processes: u32, bounds: &Bounds, ty: Type) -> Vec<Value> {
        match ty {
            Type::Process => (1..=processes).map(Value::Process).collect(),
            Type::Integer | Type::Real => {
                bounds.numbers.clone().map(|number| Value::Number(Number::from(number))).collect()
            }
            Type::Enumeration(id) => {
                let count = system.enumeration(id).constructors.len() as u32;
                (0..count).map(|value| Value::Constructor(id, value)).collect()
            }
            Type::Abstract(id) => (1..=bounds.values).map(|value| Value::Abstract(id, value)).collect(),
        }
    }

    /// The steps from any state, and the properties it has, are those that the judge finds; and rules that are called
    /// independent lead to the same state in both orders.
    #[test]
    fn steps_of_random_instances_are_those_of_the_judge() {
        for_seeds!(5_000, |seed| {
            let mut random = Random::new(seed);
            let profile = [Profile::ALL, Profile::FINITE][seed as usize % 2].clone();
            let system = small_system(&mut random, &profile);
            let processes = match system.processes {
                Processes::Exactly(count) => count,
                Processes::Any => random.between(1, 3) as u32,
            };
            let bounds = Bounds { numbers: -1..=1, values: 2 };
            let Ok((precision, orders)) = Instance::prepare(&system, processes, &bounds) else { return };
            let orders = random.pick(&orders).clone();
            let interrupt = AtomicBool::new(false);
            let instance = Instance::new(&system, processes, &bounds, &precision, orders, None, &interrupt);
            let Ok(instance) = instance else { return };
            let chooses = instance.rules.iter().any(|rule| rule.has_choices);
            let has_large = system.symbols.iter().any(|symbol| symbol.dimensions() > 1);
            let has_no_value = |domain: &Domain| domain.size() == Some(0);
            if instance.layout.words > 4
                || chooses && has_large
                || instance.slots.domains.iter().any(has_no_value)
            {
                return;
            }
            let the_judge =
                judge::Instance::new(&system, processes, orders_of(&instance)).expect("an instance");
            for _ in 0..6 {
                let packed = random_state(&instance, &mut random);
                let before = state(&instance, &packed);
                let mut found: BTreeSet<(usize, Vec<u32>, State)> = BTreeSet::new();
                let mut fired = Vec::new();
                let done =
                    for_each_successor(&instance, &packed, &mut Scratch::default(), |number, after| {
                        let rule = &instance.rules[number];
                        let arguments = rule.arguments.iter().map(|process| process + 1).collect();
                        let is_new =
                            found.insert((rule.transition as usize, arguments, state(&instance, &after)));
                        assert!(is_new, "each step is found once");
                        fired.push((number, after));
                        true
                    });
                if done.is_err() {
                    continue;
                }
                let mut expected = BTreeSet::new();
                for (at, transition) in system.transitions.iter().enumerate() {
                    for arguments in enabled(&the_judge, transition, &before) {
                        let choices = |ty| choices(&system, processes, &bounds, ty);
                        let after = successors(&the_judge, transition, &arguments, &before, &choices);
                        expected.extend(after.into_iter().map(|after| (at, arguments.clone(), after)));
                    }
                }
                assert_eq!(found, expected, "from {before:?}\n{}", system.to_source());

                let filter = &instance.property_filter;
                for (at, property) in system.properties.iter().enumerate() {
                    let holds = instance.properties.iter().enumerate().any(|(number, (of, check))| {
                        let is_candidate = filter.candidates(&packed, number / 64) >> (number % 64) & 1 == 1;
                        *of == at && is_candidate && check.holds(&packed, &instance.program)
                    });
                    let expected = violates(&the_judge, property, &before).is_some();
                    assert_eq!(holds, expected, "property {at} in {before:?}\n{}", system.to_source());
                }

                let Some(independence) = &instance.independence else { continue };
                for &(first, after) in fired.iter().filter(|(rule, _)| !instance.rules[*rule].has_choices) {
                    for &(second, other) in
                        fired.iter().filter(|(rule, _)| !instance.rules[*rule].has_choices)
                    {
                        if first == second || independence.of(first)[second / 64] >> (second % 64) & 1 == 0 {
                            continue;
                        }
                        // Nothing where another rule cannot store a number.
                        let follow = |from: &Packed, rule: usize| {
                            let (mut reached, mut scratch) = (None, Scratch::default());
                            for_each_successor(&instance, from, &mut scratch, |number, after| {
                                reached = reached.or((number == rule).then_some(after));
                                true
                            })
                            .ok()?;
                            Some(reached.expect("it stays possible"))
                        };
                        if let (Some(one), Some(other)) = (follow(&after, second), follow(&other, first)) {
                            assert_eq!(one, other, "{}", system.to_source());
                        }
                    }
                }
            }
        });
    }
}
