//! The successors of a state.

use crate::compile::Instance;
use crate::compile::program::Unfit;

/// Why the successors of a state cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepError {
    /// A number cannot be stored.
    Unfit(Unfit),
    /// The choices of one state, up to those of this transition, lead to too many states.
    Choices(u32),
}

/// The most states among which the steps from one state may choose, so that neither memory nor patience ends in the middle of it.
pub const MAX_CHOICES: u64 = 1 << 20;

/// Room for what is computed on the way.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    choices: Vec<u32>,
    positions: Vec<usize>,
}

/// Calls `visit` with every step from a state: the number of the rule, and the state after it. Steps come in the order of the rules.
#[inline]
pub fn for_each_successor<const W: usize>(
    instance: &Instance<'_>,
    state: &[u64; W],
    scratch: &mut Scratch,
    mut visit: impl FnMut(usize, [u64; W]),
) -> Result<(), StepError> {
    let mut chosen = 0u64;
    instance.rule_filter.for_each(state, |number| {
        let rule = &instance.rules[number];
        if !rule.guard.holds(state, &instance.program) {
            return Ok(());
        }
        scratch.choices.clear();
        let mut after = *state;
        rule.fire(state, &mut after, &instance.program, &mut scratch.choices).map_err(StepError::Unfit)?;
        if scratch.choices.is_empty() {
            visit(number, after);
            return Ok(());
        }
        let sizes = scratch.choices.iter().map(|&choice| instance.program.choice(choice).codes.len() as u64);
        chosen = chosen.saturating_add(sizes.fold(1, u64::saturating_mul));
        if chosen > MAX_CHOICES {
            return Err(StepError::Choices(rule.transition));
        }
        for_each_choice(instance, after, scratch, |after| visit(number, after));
        Ok(())
    })
}

/// Every way to choose the fields that may be anything, like an odometer.
fn for_each_choice<const W: usize>(
    instance: &Instance<'_>,
    mut after: [u64; W],
    scratch: &mut Scratch,
    mut visit: impl FnMut([u64; W]),
) {
    let choice = |number: u32| instance.program.choice(number);
    scratch.positions.clear();
    scratch.positions.resize(scratch.choices.len(), 0);
    for &number in &scratch.choices {
        choice(number).field.set(&mut after, choice(number).codes[0]);
    }
    loop {
        visit(after);
        let mut at = 0;
        loop {
            let Some(&number) = scratch.choices.get(at) else { return };
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
