//! The successors of a state.

use std::convert::Infallible;

use super::sleep::{Arrival, Sleep};
use crate::compile::Instance;
use crate::compile::filter::for_each_member;
use crate::compile::program::Unfit;

/// Why the successors of a state cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepError {
    /// A number cannot be stored.
    Unfit(Unfit),
    /// The choices of one state, up to those of this transition, lead to too many states.
    Choices(u32),
    /// The visitor has seen enough.
    Stopped,
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
    /// Among how many states the steps from one state may choose, if that is less than what is possible at all.
    most_choices: Option<u64>,
    choices: Vec<u32>,
    positions: Vec<usize>,
}

impl Scratch {
    /// With a limit on choices, if there is one.
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
) -> Result<(), StepError> {
    let mut chosen = 0;
    for word in 0..instance.rule_filter.words() {
        for_each_member(word, instance.rule_filter.candidates(state, word), |number| {
            fire(instance, state, number, scratch, &mut chosen, &mut visit)
        })?;
    }
    Ok(())
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
) -> Result<u64, StepError> {
    let (mut chosen, mut sleeping) = (0, 0);
    for word in 0..instance.rule_filter.words() {
        let candidates = instance.rule_filter.candidates(state, word);
        let asleep = candidates & sleep.asleep(arrival, word);
        for_each_member(word, candidates & !asleep, |number| {
            fire(instance, state, number, scratch, &mut chosen, &mut visit)
        })?;
        let unguarded = instance.unguarded[word];
        sleeping += u64::from((asleep & unguarded).count_ones());
        let Ok(()) = for_each_member(word, asleep & !unguarded, |number| {
            sleeping += u64::from(instance.rules[number].guard.holds(state, &instance.program));
            Ok::<(), Infallible>(())
        });
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
) -> Result<(), StepError> {
    let rule = &instance.rules[number];
    if !rule.guard.holds(state, &instance.program) {
        return Ok(());
    }
    scratch.choices.clear();
    let mut after = *state;
    rule.fire(state, &mut after, &instance.program, &mut scratch.choices).map_err(StepError::Unfit)?;
    if scratch.choices.is_empty() {
        return if visit(number, after) { Ok(()) } else { Err(StepError::Stopped) };
    }
    let sizes = scratch.choices.iter().map(|&choice| instance.program.choice(choice).codes.len() as u64);
    *chosen = chosen.saturating_add(sizes.fold(1, u64::saturating_mul));
    if *chosen > scratch.most_choices.map_or(max_choices::<W>(), |most| most.min(max_choices::<W>())) {
        return Err(StepError::Choices(rule.transition));
    }
    for_each_choice(instance, after, scratch, |after| visit(number, after))
}

/// Every way to choose the fields that may be anything, like an odometer.
fn for_each_choice<const W: usize>(
    instance: &Instance<'_>,
    mut after: [u64; W],
    scratch: &mut Scratch,
    mut visit: impl FnMut([u64; W]) -> bool,
) -> Result<(), StepError> {
    let choice = |number: u32| instance.program.choice(number);
    scratch.positions.clear();
    scratch.positions.resize(scratch.choices.len(), 0);
    for &number in &scratch.choices {
        choice(number).field.set(&mut after, choice(number).codes[0]);
    }
    loop {
        if !visit(after) {
            return Err(StepError::Stopped);
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
