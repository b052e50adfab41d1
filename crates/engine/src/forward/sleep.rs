//! Steps that need not be taken, because the same two steps in the other order lead to the same state (after
//! the sleep sets of P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, LNCS
//! 1032, 1996; here, with a fixed order of rules, it is enough to remember one rule for each state of the
//! last layer).
//!
//! A state `t` was found by rule `a` from a state `s` of the layer before. Then a rule `b` *sleeps* in `t` if
//! it is independent of `a` and comes before it in a fixed order: it is not fired there, only counted.
//!
//! **Sound**: every reachable state is found, and in the layer that its distance from the initial states
//! says. By induction on the distance `d` of a state `u`: consider the steps that lead to `u` from a state at
//! distance `d - 1`, which is known by induction, and among them a step from some `t` by a rule `b` that
//! comes last in the order. Suppose `b` sleeps in `t`, which was found from `s` by `a`. Then `b` is possible
//! in `s`, too, and leads to some `t'` at distance `d - 1` at most; there `a` is possible, and leads to `u`.
//! So the distance of `t'` is `d - 1`, and the step from `t'` by `a` is one of those considered, by a rule
//! that comes after `b`: a contradiction. So `b` is fired in `t`.
//!
//! A step that cannot be computed because a number cannot be stored is not missed either: `b` would store the
//! same number in `s`, and so on down to a state where it does not sleep.
//!
//! With symmetry, the same holds for classes of states if the order of rules does not depend on the names of
//! processes. So there only the transitions are ordered; and the rule by which a state was found is renamed
//! along with the state.

use crate::compile::Instance;
use crate::compile::rule::Rule;

/// By which rule a state was found.
pub type Arrival = u16;

#[derive(Clone, Debug)]
pub struct Sleep {
    /// For each rule, the set of those that sleep in a state that was found by it; then the empty set.
    sets: Vec<u64>,
    /// How many words a set takes.
    words: usize,
    /// The position of the empty set.
    none: Arrival,
    /// If processes are renamed.
    names: Option<RuleNames>,
}

impl Sleep {
    /// What sleeps in an instance. `renamed` says whether processes are renamed.
    pub fn new(instance: &Instance<'_>, renamed: bool) -> Sleep {
        let rules = &instance.rules;
        let words = instance.rule_filter.words();
        let mut sleep = Sleep { sets: Vec::new(), words, none: 0, names: None };
        if renamed {
            sleep.names = RuleNames::new(instance);
        }
        let independence = instance.independence.as_ref().filter(|_| !renamed || sleep.names.is_some());
        if let Some(independence) = independence {
            for (number, rule) in rules.iter().enumerate() {
                let independent = |other: usize| independence.of(number)[other / 64] >> (other % 64) & 1 == 1;
                let first = sleep.sets.len();
                sleep.sets.resize(first + words, 0);
                for (other, before) in rules.iter().enumerate().take(number) {
                    // How often a rule with choices fires is not known without firing it.
                    let sleeps = independent(other)
                        && !before.has_choices
                        && (!renamed || before.transition < rule.transition);
                    sleep.sets[first + other / 64] |= u64::from(sleeps) << (other % 64);
                }
            }
        }
        let none = Arrival::try_from(sleep.sets.len() / words.max(1));
        sleep.none = none.expect("independence is known of few rules only");
        sleep.sets.resize(sleep.sets.len() + words, 0);
        sleep
    }

    /// Whether it matters by which rule a state is found.
    #[inline]
    pub fn is_of_use(&self) -> bool {
        self.none != 0
    }

    /// The arrival of initial states, which no rule has found.
    pub fn none(&self) -> Arrival {
        self.none
    }

    /// A word of the set of rules that sleep in a state that was found by a rule.
    #[inline]
    pub fn asleep(&self, arrival: Arrival, word: usize) -> u64 {
        self.sets[usize::from(arrival) * self.words + word]
    }

    /// The arrival of a state that a rule has found. If processes are renamed, `arguments` are the new names
    /// of its arguments.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "each rule has a set, and their number fits: see `none`"
    )]
    pub fn arrival(&self, number: usize, rule: &Rule, arguments: &[u32]) -> Arrival {
        match &self.names {
            // There is the empty set only.
            _ if !self.is_of_use() => self.none,
            None => number as Arrival,
            Some(names) => names.number(rule.transition, arguments),
        }
    }
}

/// The number of each rule, by its transition and processes.
#[derive(Clone, Debug)]
struct RuleNames {
    processes: usize,
    /// Where the numbers of each transition start.
    first: Vec<usize>,
    numbers: Vec<Arrival>,
}

impl RuleNames {
    /// The maximum length of the table. With more entries there is no table, and no rule sleeps.
    const MAX: usize = 1 << 18;

    fn new(instance: &Instance<'_>) -> Option<RuleNames> {
        let mut names = RuleNames {
            processes: instance.slots.processes() as usize,
            first: Vec::new(),
            numbers: Vec::new(),
        };
        // No rule can be renamed to one whose guard never holds; such have no number.
        for transition in &instance.system.transitions {
            names.first.push(names.numbers.len());
            let parameters = u32::try_from(transition.parameters.len()).ok()?;
            let length = names.processes.checked_pow(parameters)?;
            if names.numbers.len() + length > RuleNames::MAX {
                return None;
            }
            names.numbers.resize(names.numbers.len() + length, 0);
        }
        for (number, rule) in instance.rules.iter().enumerate() {
            let place = names.place(rule.transition, &rule.arguments);
            names.numbers[place] = Arrival::try_from(number).ok()?;
        }
        Some(names)
    }

    #[inline]
    fn number(&self, transition: u32, arguments: &[u32]) -> Arrival {
        self.numbers[self.place(transition, arguments)]
    }

    #[inline]
    fn place(&self, transition: u32, arguments: &[u32]) -> usize {
        let position =
            arguments.iter().fold(0, |position, &process| position * self.processes + process as usize);
        self.first[transition as usize] + position
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::compile::domain::Bounds;
    use crate::samples::small_system;

    /// A rule has its own name, and no other rule has it.
    #[test]
    fn random_rules_are_found_by_their_names() {
        for_seeds!(2_000, |seed| {
            let mut random = Random::new(seed);
            let system = small_system(&mut random, &Profile::ALL);
            let processes = 2 + (seed % 3) as u32;
            let bounds = Bounds { numbers: 0..=1, values: 2 };
            let Ok((precision, orders)) = Instance::prepare(&system, processes, &bounds) else { return };
            let (orders, interrupt) = (random.pick(&orders).clone(), AtomicBool::new(false));
            let instance = Instance::new(&system, processes, &bounds, &precision, orders, None, &interrupt);
            let Ok(instance) = instance else { return };
            let Some(names) = RuleNames::new(&instance) else { return };
            for (number, rule) in instance.rules.iter().enumerate() {
                assert_eq!(names.number(rule.transition, &rule.arguments) as usize, number);
            }
        });
    }
}
