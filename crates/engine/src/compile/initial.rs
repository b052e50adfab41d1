//! The initial states of an instance, one after the other.
//!
//! What a conjunct of `init` fixes is taken. The other slots fall apart into components that no conjunct
//! connects: the initial states are all combinations of their solutions, so that a part without solutions is
//! found at once, however many the others have. In a component, the slots that the fewest unknown others are
//! tied to are decided first; a conjunct with one unknown slot left propagates to that slot; and a
//! conjunct that has become false makes the search backtrack.
//!
//! Slots of a finite type try all their values. Numbers take the value that an equation gives them once its
//! other slots are known, and wait for that; otherwise they try all values between the bounds that `init`
//! gives, and if there are none, or the numbers between them cannot all be tried, those of [`Bounds::numbers`]
//! and the numbers near those that `init` compares with; in that case [`Cut::Start`] says so.

use polycube_language::System;
use polycube_language::count::Count;
use polycube_language::formula::{Linear as LinearTerm, Term};
use polycube_language::number::Number;
use polycube_language::system::Type;

use super::condition::{Atom, Condition, Sign};
use super::domain::{Bounds, Domain, NumberFormat, Unstorable, gcd};
use super::program::Unfit;
use super::slot::SlotId;
use super::{Cut, Instance};

/// The numbers between bounds that `init` gives are all tried if there are at most this many.
const MAX_INTERVAL: i128 = 1 << 16;

/// Evaluating this many parts of conjuncts counts as one attempt.
const PARTS: u64 = 1 << 10;

/// After this many attempts without an initial state, the search pauses.
pub const MAX_ATTEMPTS: usize = 1 << 14;

const UNSET: u64 = u64::MAX;

pub struct Initial<'i> {
    instance: &'i Instance<'i>,
    /// The slots that each conjunct mentions, each once.
    conjunct_slots: Vec<Vec<SlotId>>,
    /// The conjuncts that mention a slot, for each slot.
    mentions: Vec<Vec<u32>>,
    /// The codes that each slot may start with.
    candidates: Vec<Vec<u64>>,
    /// The slots that may start with other codes too, but which an equation gives theirs once others are
    /// known.
    follow: Vec<bool>,
    /// The codes of the slots that are known.
    codes: Vec<u64>,
    components: Vec<Component>,
    progress: Progress,
    /// Numbers whose initial values are cut off.
    cuts: Vec<Cut>,
}

/// Slots that conjuncts connect with each other, and with no others.
#[derive(Default)]
struct Component {
    slots: Vec<SlotId>,
    conjuncts: Vec<u32>,
    parts: u64,
    /// The known slots, in the order in which they became known.
    trail: Vec<SlotId>,
    /// The slots whose codes are tried.
    frames: Vec<Frame>,
    begun: bool,
}

struct Frame {
    slot: SlotId,
    /// The next candidate to try.
    next: usize,
    /// How many slots of the component were known before.
    known: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    NotStarted,
    /// The components before this one have a solution; those behind it do not matter yet.
    Solving(usize),
    /// This component is to take its next solution, or if there is none, begin again and leave it to the one
    /// before.
    Advancing(usize),
    Finished,
}

/// What the search has come to.
pub enum Next<'n> {
    /// An initial state: a code for each slot.
    State(&'n [u64]),
    /// Nothing yet, after many attempts.
    Working,
    /// There is no other.
    End,
}

/// Why a slot cannot have a code.
#[derive(Clone, Copy)]
enum Failure {
    /// No initial state has it: the search turns back.
    Conflict,
    /// Another slot has to hold a number that cannot be stored.
    Unfit(Unfit),
}

/// Whether there was no conflict.
fn is_possible(result: Result<(), Failure>) -> Result<bool, Unfit> {
    match result {
        Ok(()) => Ok(true),
        Err(Failure::Conflict) => Ok(false),
        Err(Failure::Unfit(unfit)) => Err(unfit),
    }
}

/// What a component has come to.
enum Solution {
    Found,
    None,
    Working,
}

impl<'i> Initial<'i> {
    pub fn new(instance: &'i Instance<'i>, bounds: &Bounds) -> Result<Self, Unfit> {
        let count = instance.slots.len();
        let mut mentions = vec![Vec::new(); count];
        let mut conjunct_slots = Vec::new();
        for (at, conjunct) in (0..).zip(&instance.init) {
            let mut slots = Vec::new();
            conjunct.for_each_slot(&mut |slot| slots.push(slot));
            slots.sort_unstable();
            slots.dedup();
            slots.iter().for_each(|slot| mentions[slot.0 as usize].push(at));
            conjunct_slots.push(slots);
        }
        let candidates = instance.slots.iter().map(|slot| match instance.slots.domain(slot) {
            Domain::Finite(values) => (0..values.len() as u64).collect(),
            Domain::Numbers(_) => Vec::new(),
        });
        let mut initial = Initial {
            instance,
            conjunct_slots,
            mentions,
            candidates: candidates.collect(),
            follow: vec![false; count],
            codes: vec![UNSET; count],
            components: Vec::new(),
            progress: Progress::NotStarted,
            cuts: Vec::new(),
        };
        initial.number_candidates(bounds)?;
        Ok(initial)
    }

    /// What the bounds cut off, as far as the search has come.
    pub fn cuts(&self) -> &[Cut] {
        &self.cuts
    }

    /// Tries the values of every slot in an order of its own.
    pub fn shuffle(&mut self, mut below: impl FnMut(usize) -> usize) {
        for candidates in &mut self.candidates {
            for at in (1..candidates.len()).rev() {
                candidates.swap(at, below(at + 1));
            }
        }
    }

    /// Begins again, with the values of every slot in the order of another search of the same instance, which was not begun
    /// or changed.
    pub fn begin_again(&mut self, like: &Initial<'_>) {
        self.candidates.clone_from(&like.candidates);
        self.cuts.clone_from(&like.cuts);
        self.codes.fill(UNSET);
        self.components.clear();
        self.progress = Progress::NotStarted;
    }

    pub fn next_state(&mut self) -> Result<Next<'_>, Unfit> {
        let mut patience = MAX_ATTEMPTS;
        loop {
            self.progress = match self.progress {
                Progress::Finished => return Ok(Next::End),
                Progress::NotStarted => {
                    if is_possible(self.take_facts())? {
                        self.find_components();
                        Progress::Solving(0)
                    } else {
                        Progress::Finished
                    }
                }
                Progress::Solving(at) if at == self.components.len() => {
                    self.progress = at.checked_sub(1).map_or(Progress::Finished, Progress::Advancing);
                    return Ok(Next::State(&self.codes));
                }
                Progress::Solving(at) | Progress::Advancing(at) => {
                    match (self.solve(at, &mut patience)?, self.progress) {
                        (Solution::Working, _) => return Ok(Next::Working),
                        // Those behind it have been reset: they begin again.
                        (Solution::Found, _) => Progress::Solving(at + 1),
                        (Solution::None, Progress::Advancing(1..)) => Progress::Advancing(at - 1),
                        (Solution::None, _) => Progress::Finished,
                    }
                }
            };
        }
    }

    /// Takes what conjuncts say of one slot, and what follows from it.
    fn take_facts(&mut self) -> Result<(), Failure> {
        let instance = self.instance;
        if instance.init.contains(&Condition::FALSE) {
            return Err(Failure::Conflict);
        }
        let mut facts = Component::default();
        for conjunct in &instance.init {
            match conjunct {
                Condition::Atom(Atom::Is(slot, code)) => self.assign(*slot, *code, &mut facts)?,
                Condition::Atom(Atom::In(slot, set)) => {
                    self.candidates[slot.0 as usize].retain(|&code| set.contains(code));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Groups the unknown slots by the conjuncts that connect them.
    fn find_components(&mut self) {
        let mut seen = vec![false; self.codes.len()];
        for slot in self.instance.slots.iter() {
            if self.codes[slot.0 as usize] != UNSET || seen[slot.0 as usize] {
                continue;
            }
            let mut component = Component::default();
            let mut left = vec![slot];
            seen[slot.0 as usize] = true;
            while let Some(slot) = left.pop() {
                component.slots.push(slot);
                for &conjunct in &self.mentions[slot.0 as usize] {
                    component.conjuncts.push(conjunct);
                    for &other in &self.conjunct_slots[conjunct as usize] {
                        if self.codes[other.0 as usize] == UNSET && !seen[other.0 as usize] {
                            seen[other.0 as usize] = true;
                            left.push(other);
                        }
                    }
                }
            }
            component.slots.sort_unstable();
            component.conjuncts.sort_unstable();
            component.conjuncts.dedup();
            let parts = component.conjuncts.iter().map(|&at| self.instance.init[at as usize].parts());
            component.parts = parts.sum();
            self.components.push(component);
        }
    }

    /// The next solution of a component; if there is no other, it is as if it had not begun.
    fn solve(&mut self, at: usize, patience: &mut usize) -> Result<Solution, Unfit> {
        let mut component = std::mem::take(&mut self.components[at]);
        let solution = self.solve_component(&mut component, patience);
        self.components[at] = component;
        solution
    }

    fn solve_component(
        &mut self,
        component: &mut Component,
        patience: &mut usize,
    ) -> Result<Solution, Unfit> {
        let mut descend = !component.begun;
        component.begun = true;
        loop {
            if descend {
                let Some(slot) = self.next_slot(component) else { return Ok(Solution::Found) };
                if self.follow[slot.0 as usize] {
                    self.cut(slot);
                }
                component.frames.push(Frame { slot, next: 0, known: component.trail.len() });
            }
            if *patience == 0 {
                return Ok(Solution::Working);
            }
            // All conjuncts may have to be looked at.
            *patience = patience
                .saturating_sub(1 + usize::try_from(component.parts / PARTS).unwrap_or(usize::MAX / 2));
            let Some(frame) = component.frames.last_mut() else {
                component.begun = false;
                return Ok(Solution::None);
            };
            let (slot, known) = (frame.slot, frame.known);
            let candidate = self.candidates[slot.0 as usize].get(frame.next).copied();
            frame.next += 1;
            for slot in component.trail.drain(known..) {
                self.codes[slot.0 as usize] = UNSET;
            }
            descend = match candidate {
                None => {
                    component.frames.pop();
                    false
                }
                Some(code) => is_possible(self.assign(slot, code, component))?,
            };
        }
    }

    /// The slot to try next: one of the conjunct that has the fewest unknown slots; if all conjuncts hold,
    /// any. Those that follow from others come last.
    fn next_slot(&self, component: &Component) -> Option<SlotId> {
        let is_unknown = |slot: &&SlotId| self.codes[slot.0 as usize] == UNSET;
        let is_tried = |slot: &&SlotId| is_unknown(slot) && !self.follow[slot.0 as usize];
        let open = component.conjuncts.iter().filter_map(|&conjunct| {
            let slots = &self.conjunct_slots[conjunct as usize];
            let first = slots.iter().find(is_tried)?;
            let unknown = slots.iter().filter(is_unknown).count();
            self.evaluate(&self.instance.init[conjunct as usize]).is_none().then_some((unknown, first))
        });
        let tried = open.min_by_key(|&(unknown, _)| unknown).map(|(_, first)| first);
        let tried = tried.or_else(|| component.slots.iter().find(is_tried));
        tried.or_else(|| component.slots.iter().find(is_unknown)).copied()
    }

    /// Notes that a number may start with values that are not tried.
    fn cut(&mut self, slot: SlotId) {
        let cut = Cut::Start(self.instance.slots.symbol(slot));
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }

    /// Gives a slot its code, and all slots that follow from it.
    fn assign(&mut self, slot: SlotId, code: u64, component: &mut Component) -> Result<(), Failure> {
        let mut from = component.trail.len();
        self.put(slot, code, component)?;
        while from < component.trail.len() {
            let slot = component.trail[from];
            from += 1;
            for at in 0..self.mentions[slot.0 as usize].len() {
                let conjunct = self.mentions[slot.0 as usize][at] as usize;
                match self.evaluate(&self.instance.init[conjunct]) {
                    Some(true) => {}
                    Some(false) => return Err(Failure::Conflict),
                    None => {
                        if let Some((slot, code)) = self.consequence(conjunct)? {
                            self.put(slot, code, component)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, slot: SlotId, code: u64, component: &mut Component) -> Result<(), Failure> {
        let known = &mut self.codes[slot.0 as usize];
        if *known == UNSET {
            *known = code;
            component.trail.push(slot);
        }
        if *known == code { Ok(()) } else { Err(Failure::Conflict) }
    }

    /// What a conjunct says of its only unknown slot.
    fn consequence(&mut self, conjunct: usize) -> Result<Option<(SlotId, u64)>, Failure> {
        let condition = &self.instance.init[conjunct];
        let mut unknown =
            self.conjunct_slots[conjunct].iter().filter(|slot| self.codes[slot.0 as usize] == UNSET);
        let (Some(&slot), None) = (unknown.next(), unknown.next()) else { return Ok(None) };
        match condition {
            Condition::Atom(Atom::Same(left, right)) => {
                let known = if *left == slot { right } else { left };
                Ok(Some((slot, self.codes[known.0 as usize])))
            }
            Condition::Atom(Atom::Linear(linear, Sign::Zero)) => {
                let mut rest = linear.constant;
                let mut own = 0;
                for &(factor, other) in &linear.terms {
                    if other == slot {
                        own = factor;
                    } else {
                        let steps = steps(self.instance, other, self.codes[other.0 as usize]);
                        rest += i128::from(factor) * steps;
                    }
                }
                Ok(Some((slot, solve(self.instance, slot, own, rest)?)))
            }
            // Of a slot that has few values, those are tried that the conjunct allows.
            _ if matches!(self.instance.slots.domain(slot), Domain::Finite(_)) => {
                let (mut allowed, mut count) = (None, 0);
                for at in 0..self.candidates[slot.0 as usize].len() {
                    let code = self.candidates[slot.0 as usize][at];
                    self.codes[slot.0 as usize] = code;
                    if self.evaluate(&self.instance.init[conjunct]) == Some(true) {
                        (allowed, count) = (Some((slot, code)), count + 1);
                    }
                }
                self.codes[slot.0 as usize] = UNSET;
                match count {
                    0 => Err(Failure::Conflict),
                    1 => Ok(allowed),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Whether a conjunct holds, as far as that is known.
    fn evaluate(&self, conjunct: &Condition) -> Option<bool> {
        let code = |slot: SlotId| Some(self.codes[slot.0 as usize]).filter(|&code| code != UNSET);
        conjunct.evaluate(&code, &|slot| self.instance.slots.domain(slot).low())
    }

    /// The values that numbers may start with.
    fn number_candidates(&mut self, bounds: &Bounds) -> Result<(), Unfit> {
        let instance = self.instance;
        let near: [Vec<Number>; 2] =
            [Type::Integer, Type::Real].map(|ty| numbers_compared(instance.system, ty));
        for slot in instance.slots.iter() {
            let symbol = instance.slots.symbol(slot);
            let Domain::Numbers(format) = *instance.slots.domain(slot) else { continue };
            let ty = instance.system.symbol(symbol).ty;
            let interval = match ty {
                // A number of processes.
                Type::Integer if instance.system.count(symbol).is_some_and(Count::is_number) => {
                    let most = i128::from(instance.slots.processes());
                    (Some(0), Some(most * i128::from(format.scale)))
                }
                Type::Integer => self.interval(slot),
                _ => self.only_value(slot),
            };
            self.candidates[slot.0 as usize] = match interval {
                (Some(low), Some(high)) if high < low || high - low < MAX_INTERVAL => {
                    let codes: Option<Vec<u64>> = (low..=high).map(|steps| format.code(steps)).collect();
                    codes.ok_or(Unfit { symbol, why: Unstorable::Far })?
                }
                _ => {
                    let follows = instance.init.iter().any(|conjunct| is_equation_for(conjunct, slot));
                    self.follow[slot.0 as usize] = follows;
                    if !follows {
                        self.cut(slot);
                    }
                    let mut codes: Vec<u64> = range_codes(format, bounds).collect();
                    let one = i128::from(format.scale);
                    let near = &near[usize::from(ty == Type::Real)];
                    for steps in near.iter().filter_map(|number| format.steps(number)) {
                        codes.extend([-one, 0, one].iter().filter_map(|offset| format.code(steps + offset)));
                    }
                    codes.sort_unstable();
                    codes.dedup();
                    codes
                }
            };
        }
        Ok(())
    }

    /// The bounds, in steps, that conjuncts about this integer alone give.
    fn interval(&self, slot: SlotId) -> (Option<i128>, Option<i128>) {
        let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
        self.for_each_bound(slot, |Bound { dividend, divisor, is_strict, is_upper }| {
            let is_exact = dividend % divisor == 0;
            let floor = dividend.div_euclid(divisor);
            if is_upper {
                let floor = floor - i128::from(is_exact && is_strict);
                high = Some(high.map_or(floor, |high| high.min(floor)));
            } else {
                low = low.max(Some(floor + i128::from(!is_exact || is_strict)));
            }
        });
        (low, high)
    }

    /// The only value, in steps, that conjuncts about this real number alone leave, as both bounds; if they
    /// leave more or it is not a number of steps, nothing. (Between two reals there are always more.)
    fn only_value(&self, slot: SlotId) -> (Option<i128>, Option<i128>) {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        self.for_each_bound(slot, |Bound { dividend, divisor, is_strict, is_upper }| {
            if !is_strict && dividend % divisor == 0 {
                if is_upper { &mut high } else { &mut low }.push(dividend / divisor);
            }
        });
        let both = low.into_iter().find(|value| high.contains(value));
        (both, both)
    }

    /// The bounds that conjuncts about this slot alone give.
    fn for_each_bound(&self, slot: SlotId, mut visit: impl FnMut(Bound)) {
        for &at in &self.mentions[slot.0 as usize] {
            let (linear, is_strict, upper) = match &self.instance.init[at as usize] {
                Condition::Atom(Atom::Is(_, code)) => {
                    let dividend = steps(self.instance, slot, *code);
                    for is_upper in [false, true] {
                        visit(Bound { dividend, divisor: 1, is_strict: false, is_upper });
                    }
                    continue;
                }
                Condition::Atom(Atom::Linear(linear, Sign::Negative)) => (linear, true, true),
                Condition::Atom(Atom::Linear(linear, Sign::NotPositive)) => (linear, false, true),
                Condition::Not(part) => match &**part {
                    Condition::Atom(Atom::Linear(linear, Sign::Negative)) => (linear, false, false),
                    Condition::Atom(Atom::Linear(linear, Sign::NotPositive)) => (linear, true, false),
                    _ => continue,
                },
                _ => continue,
            };
            let &[(factor, _)] = &linear.terms[..] else { continue };
            // factor * x + constant <= 0 (or < 0, or the opposite)
            let (factor, constant) = (i128::from(factor), linear.constant);
            visit(Bound {
                dividend: -constant * factor.signum(),
                divisor: factor.abs(),
                is_strict,
                is_upper: (factor > 0) == upper,
            });
        }
    }
}

/// A bound of a number, in steps: a fraction with a positive divisor.
struct Bound {
    dividend: i128,
    divisor: i128,
    is_strict: bool,
    is_upper: bool,
}

/// Whether the slot has to satisfy an equation with other slots.
fn is_equation_for(conjunct: &Condition, slot: SlotId) -> bool {
    match conjunct {
        // Of two numbers that are equal, the first is tried and the second follows.
        Condition::Atom(Atom::Same(left, right)) => *left < *right && *right == slot,
        Condition::Atom(Atom::Linear(linear, Sign::Zero)) => {
            linear.terms.iter().map(|&(_, other)| other).max() == Some(slot)
        }
        _ => false,
    }
}

/// The code that solves `factor * slot + rest = 0`.
fn solve(instance: &Instance<'_>, slot: SlotId, factor: i64, rest: i128) -> Result<u64, Failure> {
    let symbol = instance.slots.symbol(slot);
    let Domain::Numbers(format) = *instance.slots.domain(slot) else {
        unreachable!("only numbers are added")
    };
    let factor = i128::from(factor);
    let unfit = |why| Failure::Unfit(Unfit { symbol, why });
    if rest % factor == 0 {
        return format.code(-rest / factor).ok_or_else(|| unfit(Unstorable::Far));
    }
    if instance.system.symbol(symbol).ty == Type::Integer {
        return Err(Failure::Conflict);
    }
    let small = |number: i128| i64::try_from(number.abs()).expect("a coefficient has 64 bits");
    let wanted = small(factor);
    Err(unfit(Unstorable::Between(wanted / gcd(wanted, small(rest % factor)))))
}

fn steps(instance: &Instance<'_>, slot: SlotId, code: u64) -> i128 {
    i128::from(code) + i128::from(instance.slots.domain(slot).low())
}

/// The codes of the numbers that an arbitrary number may be.
pub(super) fn range_codes(format: NumberFormat, bounds: &Bounds) -> impl Iterator<Item = u64> + use<> {
    let steps = move |number: i64| i128::from(number) * i128::from(format.scale);
    bounds.numbers.clone().filter_map(move |number| format.code(steps(number)))
}

/// The numbers at which a comparison in `init` can change, all but one of its terms being zero.
fn numbers_compared(system: &System, ty: Type) -> Vec<Number> {
    let mut numbers = Vec::new();
    for init in &system.init {
        init.formula.for_each_comparison(&mut |comparison| {
            if let (Term::Linear(left), Term::Linear(right)) = (&comparison.left, &comparison.right)
                && comparison.ty == ty
            {
                let difference =
                    LinearTerm::sum([(**left).clone(), (**right).clone().scaled(&Number::from(-1))]);
                let constant = -difference.constant;
                numbers.extend(difference.terms.iter().map(|(factor, _)| constant.divided_by(factor)));
            }
        });
    }
    numbers
}

/// Every number that a system mentions.
pub(super) fn for_each_number(system: &System, visit: &mut dyn FnMut(&Number)) {
    system.for_each_term(&mut |term| {
        if let Term::Linear(linear) = term {
            visit(&linear.constant);
            linear.terms.iter().for_each(|(factor, _)| visit(factor));
        }
    });
}

#[cfg(test)]
mod tests {
    use polycube_testing::for_seeds;
    use polycube_testing::generate::Random;

    use crate::forward::{Exploration, Limits, Options, explore};

    /// The initial states of a system of one process.
    fn initial(text: &str) -> Exploration {
        let system = polycube_language::check(text).system.unwrap_or_else(|| panic!("{text}"));
        let limits = Limits { depth: Some(0), ..Limits::default() };
        explore(&system, &Options { limits, ..Options::new(1) }, &mut ()).expect("a small instance")
    }

    #[test]
    fn between_two_reals_there_are_more() {
        for (bounds, states, is_all) in [
            ("X > 0.0 && X < 1.0", 0, false),
            ("X >= 0.0 && X < 1.0", 1, false),
            ("X >= 0.0 && 2.0 * X <= 1.0", 1, false),
            ("X >= 1.0 && X <= 1.0", 1, true),
            ("X = 1.5", 1, true),
        ] {
            let found = initial(&format!("var X : real\ninit {{ {bounds} }}\nunsafe {{ X < 0.0 }}"));
            assert_eq!((found.initial_states, found.cuts.is_empty()), (states, is_all), "{bounds}");
        }
    }

    /// A number that an equation gives its value waits for that, in whatever order the conjuncts are written.
    #[test]
    fn random_equations_lose_no_solution() {
        for_seeds!(300, |seed| {
            let mut random = Random::new(seed);
            let mut between = |low: i64, high: i64| random.between(0, (high - low) as usize) as i64 + low;
            let (low, high) = (between(-2, 0), between(0, 3));
            let (factor, term, distance) = (between(-3, 3), between(-3, 3), between(-3, 3));
            let (other, limit) = (between(-5, 5), between(-6, 6));
            type Conjunct<'c> = (String, Box<dyn Fn(i64, i64, i64) -> bool + 'c>);
            let mut conjuncts: Vec<Conjunct<'_>> = vec![
                (format!("{low} <= X"), Box::new(|x, _, _| low <= x)),
                (format!("X <= {high}"), Box::new(|x, _, _| x <= high)),
                (format!("Y = {factor} * X + {term}"), Box::new(|x, y, _| y == factor * x + term)),
                (format!("Z + X = Y - {distance}"), Box::new(|x, y, z| z + x == y - distance)),
                (format!("Y <> {other}"), Box::new(|_, y, _| y != other)),
                (format!("Z <= {limit}"), Box::new(|_, _, z| z <= limit)),
            ];
            if between(0, 1) == 0 {
                conjuncts.push(("Y < Z".to_owned(), Box::new(|_, y, z| y < z)));
            }
            for at in (1..conjuncts.len()).rev() {
                conjuncts.swap(at, between(0, at as i64) as usize);
            }
            let init = conjuncts.iter().map(|(text, _)| text.replace("+ -", "- ").replace("- -", "+ "));
            let init = init.collect::<Vec<_>>().join(" && ");
            let text =
                format!("var X : int\nvar Y : int\nvar Z : int\ninit {{ {init} }}\nunsafe {{ X > 9 }}");
            let solutions = (-2..=3i64)
                .flat_map(|x| (-20..=20).flat_map(move |y| (-40..=40).map(move |z| (x, y, z))))
                .filter(|&(x, y, z)| conjuncts.iter().all(|(_, holds)| holds(x, y, z)));
            let found = initial(&text);
            assert!(found.cuts.is_empty(), "{text}");
            assert_eq!(found.initial_states, solutions.count() as u64, "{text}");
        });
    }
}
