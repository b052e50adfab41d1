//! The initial states of an instance, one after the other.
//!
//! A search over the slots: what a conjunct of `init` fixes is taken, of the other slots the first one tries its values in turn, and a conjunct that has become
//! false turns back. Slots of a finite type try all their values. Numbers take the value that an equation gives them once its other slots are known;
//! otherwise they try all values between the bounds that `init` gives, and if it gives none, those of [`Bounds::numbers`] and the numbers near those that `init`
//! compares with; in that case [`Cut::Start`] says so.

use polycube_language::System;
use polycube_language::formula::{Linear as LinearTerm, Term};
use polycube_language::number::Number;
use polycube_language::system::{Type, Update, Value};

use super::condition::{Atom, Condition, Sign};
use super::domain::{Bounds, Domain, NumberFormat, Unstorable};
use super::program::Unfit;
use super::slot::SlotId;
use super::{Cut, Instance};

/// Bounds of a number that `init` gives are tried one by one up to so many.
const MAX_INTERVAL: i128 = 1 << 16;

const UNSET: u64 = u64::MAX;

/// The search for initial states.
pub struct Initial<'i> {
    instance: &'i Instance<'i>,
    /// The conjuncts that mention a slot, for each slot.
    mentions: Vec<Vec<u32>>,
    /// The codes that each slot may start with.
    candidates: Vec<Vec<u64>>,
    /// The codes of the slots that are known.
    codes: Vec<u64>,
    /// The known slots, in the order in which they became known.
    trail: Vec<SlotId>,
    /// The slots whose codes are tried.
    frames: Vec<Frame>,
    /// Numbers whose initial values are cut off.
    cuts: Vec<Cut>,
    state: Progress,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    NotStarted,
    Running,
    Finished,
}

struct Frame {
    slot: SlotId,
    /// The next candidate to try.
    next: usize,
    /// How many slots were known before.
    known: usize,
}

/// Something cannot be: the search turns back.
struct Conflict;

impl<'i> Initial<'i> {
    /// Starts the search.
    pub fn new(instance: &'i Instance<'i>, bounds: &Bounds) -> Result<Self, Unfit> {
        let count = instance.slots.len();
        let mut mentions = vec![Vec::new(); count];
        for (at, conjunct) in instance.init.iter().enumerate() {
            conjunct.for_each_slot(&mut |slot| {
                let list: &mut Vec<u32> = &mut mentions[slot.0 as usize];
                if list.last() != Some(&(at as u32)) {
                    list.push(at as u32);
                }
            });
        }
        let mut initial = Initial {
            instance,
            mentions,
            candidates: Vec::with_capacity(count),
            codes: vec![UNSET; count],
            trail: Vec::new(),
            frames: Vec::new(),
            cuts: Vec::new(),
            state: Progress::NotStarted,
        };
        for slot in instance.slots.iter() {
            let candidates = match instance.domain(slot) {
                Domain::Finite(values) => (0..values.len() as u64).collect(),
                Domain::Numbers(_) => Vec::new(),
            };
            initial.candidates.push(candidates);
        }
        initial.number_candidates(bounds)?;
        Ok(initial)
    }

    /// What the bounds cut off. Known once the search has started.
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

    /// The next initial state, as a code for each slot; none if there is no other.
    pub fn next_codes(&mut self) -> Result<Option<&[u64]>, Unfit> {
        let outcome = match self.state {
            Progress::Finished => return Ok(None),
            Progress::NotStarted => {
                self.state = Progress::Running;
                self.start()?
            }
            Progress::Running => Err(Conflict),
        };
        let mut outcome = outcome;
        loop {
            if outcome.is_ok() {
                let from = self.frames.last().map_or(0, |frame| frame.slot.0 as usize + 1);
                // Slots before the one tried last are known: the first unknown one is always taken.
                match (from..self.codes.len()).find(|&slot| self.codes[slot] == UNSET) {
                    None => return Ok(Some(&self.codes)),
                    Some(slot) => {
                        let known = self.trail.len();
                        self.frames.push(Frame { slot: SlotId(slot as u32), next: 0, known });
                    }
                }
            }
            outcome = loop {
                let Some(frame) = self.frames.last_mut() else {
                    self.state = Progress::Finished;
                    return Ok(None);
                };
                let (slot, known) = (frame.slot, frame.known);
                let candidate = self.candidates[slot.0 as usize].get(frame.next).copied();
                frame.next += 1;
                self.forget(known);
                match candidate {
                    None => {
                        self.frames.pop();
                    }
                    Some(code) => break self.assign(slot, code)?,
                }
            };
        }
    }

    fn forget(&mut self, known: usize) {
        for slot in self.trail.drain(known..) {
            self.codes[slot.0 as usize] = UNSET;
        }
    }

    /// Takes what conjuncts say of one slot.
    fn start(&mut self) -> Result<Result<(), Conflict>, Unfit> {
        let instance = self.instance;
        if instance.init.contains(&Condition::FALSE) {
            return Ok(Err(Conflict));
        }
        for conjunct in &instance.init {
            match conjunct {
                Condition::Atom(Atom::Is(slot, code)) if self.assign(*slot, *code)?.is_err() => {
                    return Ok(Err(Conflict));
                }
                Condition::Atom(Atom::In(slot, set)) => {
                    self.candidates[slot.0 as usize].retain(|&code| set.contains(code));
                }
                _ => {}
            }
        }
        Ok(Ok(()))
    }

    /// Gives a slot its code, and all slots that follow from it.
    fn assign(&mut self, slot: SlotId, code: u64) -> Result<Result<(), Conflict>, Unfit> {
        let mut from = self.trail.len();
        if self.put(slot, code).is_err() {
            return Ok(Err(Conflict));
        }
        while from < self.trail.len() {
            let slot = self.trail[from];
            from += 1;
            for at in 0..self.mentions[slot.0 as usize].len() {
                let conjunct = &self.instance.init[self.mentions[slot.0 as usize][at] as usize];
                let consequence = match self.evaluate(conjunct) {
                    Some(true) => None,
                    Some(false) => return Ok(Err(Conflict)),
                    None => match self.consequence(conjunct)? {
                        Err(Conflict) => return Ok(Err(Conflict)),
                        Ok(consequence) => consequence,
                    },
                };
                if let Some((slot, code)) = consequence
                    && self.put(slot, code).is_err()
                {
                    return Ok(Err(Conflict));
                }
            }
        }
        Ok(Ok(()))
    }

    fn put(&mut self, slot: SlotId, code: u64) -> Result<(), Conflict> {
        let known = &mut self.codes[slot.0 as usize];
        if *known == UNSET {
            *known = code;
            self.trail.push(slot);
        }
        if *known == code { Ok(()) } else { Err(Conflict) }
    }

    /// What an equation says of its only unknown slot.
    fn consequence(&self, conjunct: &Condition) -> Result<Result<Option<(SlotId, u64)>, Conflict>, Unfit> {
        match conjunct {
            Condition::Atom(Atom::Same(left, right)) => {
                let (left_code, right_code) = (self.codes[left.0 as usize], self.codes[right.0 as usize]);
                Ok(Ok(if left_code == UNSET { Some((*left, right_code)) } else { Some((*right, left_code)) }))
            }
            Condition::Atom(Atom::Linear(linear, Sign::Zero)) => {
                let mut unknown =
                    linear.terms.iter().filter(|(_, slot)| self.codes[slot.0 as usize] == UNSET);
                let (Some(&(factor, slot)), None) = (unknown.next(), unknown.next()) else {
                    return Ok(Ok(None));
                };
                let mut rest = linear.constant;
                for &(factor, other) in linear.terms.iter().filter(|&&(_, other)| other != slot) {
                    rest += i128::from(factor) * self.steps(other);
                }
                solve(self.instance, slot, factor, rest)
            }
            _ => Ok(Ok(None)),
        }
    }

    /// Whether a conjunct holds, as far as that is known.
    fn evaluate(&self, conjunct: &Condition) -> Option<bool> {
        let code = |slot: SlotId| Some(self.codes[slot.0 as usize]).filter(|&code| code != UNSET);
        conjunct.evaluate(&code, &|slot| self.instance.domain(slot).low())
    }

    /// The number of steps in a known slot.
    fn steps(&self, slot: SlotId) -> i128 {
        steps(self.instance, slot, self.codes[slot.0 as usize])
    }

    /// The values that numbers may start with.
    fn number_candidates(&mut self, bounds: &Bounds) -> Result<(), Unfit> {
        let instance = self.instance;
        let near: [Vec<Number>; 2] =
            [Type::Integer, Type::Real].map(|ty| numbers_compared(instance.system, ty));
        for slot in instance.slots.iter() {
            let symbol = instance.slots.symbol(slot);
            let Domain::Numbers(format) = *instance.domain(slot) else { continue };
            let ty = instance.system.symbol(symbol).ty;
            let interval = self.interval(slot);
            self.candidates[slot.0 as usize] = match interval {
                // Between two integers there are only so many others; between two reals there are always more.
                (Some(low), Some(high))
                    if low >= high || ty == Type::Integer && high - low < MAX_INTERVAL =>
                {
                    let codes: Option<Vec<u64>> = (low..=high).map(|steps| format.code(steps)).collect();
                    codes.ok_or(Unfit { symbol, why: Unstorable::Far })?
                }
                _ => {
                    let follows = instance.init.iter().any(|conjunct| is_equation_for(conjunct, slot));
                    let cut = Cut::Start(symbol);
                    if !follows && !self.cuts.contains(&cut) {
                        self.cuts.push(cut);
                    }
                    let mut codes: Vec<u64> = range_codes(format, bounds).collect();
                    for number in &near[usize::from(ty == Type::Real)] {
                        if let Some(steps) = format.steps(number) {
                            let one = i128::from(format.scale);
                            codes.extend(
                                [-one, 0, one].iter().filter_map(|offset| format.code(steps + offset)),
                            );
                        }
                    }
                    codes.sort_unstable();
                    codes.dedup();
                    codes
                }
            };
        }
        Ok(())
    }

    /// The bounds, in steps, that conjuncts about this slot alone give.
    fn interval(&self, slot: SlotId) -> (Option<i128>, Option<i128>) {
        let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
        for &at in &self.mentions[slot.0 as usize] {
            let (linear, strict, upper) = match &self.instance.init[at as usize] {
                Condition::Atom(Atom::Is(_, code)) => {
                    let steps = steps(self.instance, slot, *code);
                    low = low.max(Some(steps));
                    high = Some(high.map_or(steps, |high| high.min(steps)));
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
            let is_upper = (factor > 0) == upper;
            let bound = (-constant).div_euclid(factor);
            let exact = -constant % factor == 0;
            if is_upper {
                let floor =
                    if exact { bound - i128::from(strict) } else { floor_division(-constant, factor) };
                high = Some(high.map_or(floor, |high| high.min(floor)));
            } else {
                let ceiling =
                    if exact { bound + i128::from(strict) } else { floor_division(-constant, factor) + 1 };
                low = low.max(Some(ceiling));
            }
        }
        (low, high)
    }
}

fn floor_division(dividend: i128, divisor: i128) -> i128 {
    let quotient = dividend / divisor;
    if dividend % divisor != 0 && (dividend < 0) != (divisor < 0) { quotient - 1 } else { quotient }
}

/// Whether the slot has to satisfy an equation with other slots.
fn is_equation_for(conjunct: &Condition, slot: SlotId) -> bool {
    match conjunct {
        Condition::Atom(Atom::Same(left, right)) => {
            // Of two numbers that are equal, the first is tried and the second follows.
            *left < *right && *right == slot
        }
        Condition::Atom(Atom::Linear(linear, Sign::Zero)) => {
            linear.terms.iter().map(|&(_, other)| other).max() == Some(slot)
        }
        _ => false,
    }
}

/// The solution of `factor * slot + rest = 0`.
fn solve(
    instance: &Instance<'_>,
    slot: SlotId,
    factor: i64,
    rest: i128,
) -> Result<Result<Option<(SlotId, u64)>, Conflict>, Unfit> {
    let symbol = instance.slots.symbol(slot);
    let Domain::Numbers(format) = *instance.domain(slot) else { unreachable!("only numbers are added") };
    let factor = i128::from(factor);
    if rest % factor != 0 {
        return if instance.system.symbol(symbol).ty == Type::Integer {
            Ok(Err(Conflict))
        } else {
            let wanted = factor.unsigned_abs() as i64;
            let common = super::domain::gcd(wanted, (rest % factor).unsigned_abs() as i64);
            Err(Unfit { symbol, why: Unstorable::Between(wanted / common) })
        };
    }
    match format.code(-rest / factor) {
        Some(code) => Ok(Ok(Some((slot, code)))),
        None => Err(Unfit { symbol, why: Unstorable::Far }),
    }
}

fn steps(instance: &Instance<'_>, slot: SlotId, code: u64) -> i128 {
    i128::from(code) + i128::from(instance.domain(slot).low())
}

/// The codes of the numbers that an arbitrary number may be.
pub(super) fn range_codes(format: NumberFormat, bounds: &Bounds) -> impl Iterator<Item = u64> + use<> {
    bounds
        .numbers
        .clone()
        .filter_map(move |number| format.code(i128::from(number) * i128::from(format.scale)))
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
    let mut of_term = |term: &Term| {
        if let Term::Linear(linear) = term {
            visit(&linear.constant);
            linear.terms.iter().for_each(|(factor, _)| visit(factor));
        }
    };
    for formula in system.formulas() {
        formula.for_each_comparison(&mut |comparison| {
            of_term(&comparison.left);
            of_term(&comparison.right);
        });
    }
    for value in system.updates().flat_map(Update::values) {
        if let Value::Term(term) = value {
            of_term(term);
        }
    }
}
