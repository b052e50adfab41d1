//! Compiled conditions and updates: a flat list of instructions over packed states.
//!
//! A condition is code that jumps: every test names the instruction that follows if it holds and the one if
//! it does not, down to [`ACCEPT`] and [`REJECT`]. An update is code that writes fields of the state after
//! the step, computed from the state before it. Running either walks no tree, looks nothing up in a map and
//! allocates nothing.

use std::sync::Arc;

use polycube_language::system::SymbolId;

use super::condition::{Atom, Condition, Linear, Sign};
use super::domain::{Domain, NumberFormat, Unstorable, gcd};
use super::layout::{Field, Layout, word_of};
use super::slot::{SlotId, Slots};
use super::unroll::{Cases, Source};

/// The address at which code ends with "yes".
pub const ACCEPT: u32 = u32::MAX;
/// The address at which code ends with "no".
pub const REJECT: u32 = u32::MAX - 1;

/// `word & mask == value`: what a conjunction says about slots of one word that have one code each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    pub word: u16,
    pub mask: u64,
    pub value: u64,
}

/// Where the operands of a test lead.
#[derive(Clone, Copy, Debug)]
struct Targets {
    then: u32,
    otherwise: u32,
}

#[derive(Clone, Copy, Debug)]
enum Instruction {
    Mask(Test, Targets),
    /// The code is in a set of at most 64 codes.
    In(Field, u64, Targets),
    /// The code is in a set that starts at this word of `sets`.
    InLarge(Field, u32, Targets),
    Same(Field, Field, Targets),
    Below(Field, Field, Targets),
    Linear(u32, Sign, Targets),
    TestFlag(u8, Targets),
    /// Goes on at this address.
    Do(Action, u32),
}

#[derive(Clone, Copy, Debug)]
enum Action {
    SetFlag { flag: u8, value: bool },
    Write { to: Field, code: u64 },
    Copy { to: Field, from: Field },
    Store { to: Field, sum: u32, format: NumberFormat, symbol: SymbolId },
    Choose(u32),
}

/// A linear sum over codes. Sums of codes differ from sums of steps by a constant, which is part of the
/// constant here.
#[derive(Clone, Debug)]
struct Sum {
    terms: Vec<(i64, Field)>,
    constant: i128,
    divisor: i64,
}

/// A field that may become any of these codes.
#[derive(Clone, Debug)]
pub struct Choice {
    pub field: Field,
    /// The codes, not empty; the same list for all slots of a symbol.
    pub codes: Arc<[u64]>,
}

/// A number that could not be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unfit {
    /// The symbol that was to hold it.
    pub symbol: SymbolId,
    pub why: Unstorable,
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    instructions: Vec<Instruction>,
    sums: Vec<Sum>,
    sets: Vec<u64>,
    choices: Vec<Choice>,
}

impl Program {
    /// How many instructions there are.
    pub fn size(&self) -> u64 {
        self.instructions.len() as u64
    }

    pub fn choice(&self, choice: u32) -> &Choice {
        &self.choices[choice as usize]
    }

    /// Whether the condition at an address holds in a state.
    #[inline]
    pub fn holds<const W: usize>(&self, start: u32, state: &[u64; W]) -> bool {
        if start >= REJECT {
            return start == ACCEPT;
        }
        let mut flags = [false; MAX_FLAGS];
        let mut at = start;
        loop {
            at = match self.instructions[at as usize] {
                Instruction::Do(Action::SetFlag { flag, value }, next) => {
                    flags[usize::from(flag)] = value;
                    next
                }
                Instruction::TestFlag(flag, targets) => targets.of(flags[usize::from(flag)]),
                instruction => self.test(instruction, state),
            };
            if at >= REJECT {
                return at == ACCEPT;
            }
        }
    }

    /// Runs the update at an address: changes `after`, which starts as a copy of `before`, and lists what may
    /// be chosen freely.
    #[inline(never)]
    pub fn update<const W: usize>(
        &self,
        start: u32,
        before: &[u64; W],
        after: &mut [u64; W],
        choices: &mut Vec<u32>,
    ) -> Result<(), Unfit> {
        let mut flags = [false; MAX_FLAGS];
        let mut at = start;
        while at != ACCEPT {
            at = match self.instructions[at as usize] {
                Instruction::Do(action, next) => {
                    match action {
                        Action::SetFlag { flag, value } => flags[usize::from(flag)] = value,
                        Action::Write { to, code } => to.set(after, code),
                        Action::Copy { to, from } => to.set(after, from.get(before)),
                        Action::Store { to, sum, format, symbol } => {
                            let code = self.sums[sum as usize].store(before, format);
                            to.set(after, code.map_err(|why| Unfit { symbol, why })?);
                        }
                        Action::Choose(choice) => choices.push(choice),
                    }
                    next
                }
                Instruction::TestFlag(flag, targets) => targets.of(flags[usize::from(flag)]),
                instruction => self.test(instruction, before),
            };
        }
        Ok(())
    }

    #[inline]
    fn test<const W: usize>(&self, instruction: Instruction, state: &[u64; W]) -> u32 {
        match instruction {
            Instruction::Mask(test, targets) => targets.of(test.holds(state)),
            Instruction::In(field, set, targets) => targets.of(set >> field.get(state) & 1 == 1),
            Instruction::InLarge(field, first, targets) => {
                let code = field.get(state);
                targets.of(self.sets[first as usize + (code / 64) as usize] >> (code % 64) & 1 == 1)
            }
            Instruction::Same(left, right, targets) => targets.of(left.get(state) == right.get(state)),
            Instruction::Below(left, right, targets) => targets.of(left.get(state) < right.get(state)),
            Instruction::Linear(sum, sign, targets) => {
                targets.of(sign.of(self.sums[sum as usize].total(state)))
            }
            _ => unreachable!("not a test"),
        }
    }
}

/// How many conditions with two sides that both have to be known may be nested: as deep as formulas are.
const MAX_FLAGS: usize = 256;

impl Targets {
    #[inline]
    fn of(self, holds: bool) -> u32 {
        if holds { self.then } else { self.otherwise }
    }
}

impl Test {
    fn of(field: Field, code: u64) -> Test {
        Test { word: field.word, mask: field.mask(), value: code << field.shift }
    }

    #[inline]
    pub fn holds<const W: usize>(&self, state: &[u64; W]) -> bool {
        state[word_of::<W>(self.word)] & self.mask == self.value
    }
}

impl Sum {
    fn total<const W: usize>(&self, state: &[u64; W]) -> i128 {
        let products =
            self.terms.iter().map(|&(factor, field)| i128::from(factor) * i128::from(field.get(state)));
        products.sum::<i128>() + self.constant
    }

    fn store<const W: usize>(&self, state: &[u64; W], format: NumberFormat) -> Result<u64, Unstorable> {
        let (total, divisor) = (self.total(state), i128::from(self.divisor));
        if total % divisor != 0 {
            let rest = i64::try_from((total % divisor).abs()).expect("a rest is below its divisor");
            let common = gcd(self.divisor, rest);
            return Err(Unstorable::Between(self.divisor / common));
        }
        format.code(total / divisor).ok_or(Unstorable::Far)
    }
}

pub struct Assembler<'i> {
    slots: &'i Slots,
    layout: &'i Layout,
    /// The codes of a slot that may be anything, by symbol; empty for symbols that are never chosen freely.
    free_codes: &'i [Arc<[u64]>],
    program: Program,
    flags: u8,
}

impl<'i> Assembler<'i> {
    pub fn new(slots: &'i Slots, layout: &'i Layout, free_codes: &'i [Arc<[u64]>]) -> Self {
        Assembler { slots, layout, free_codes, program: Program::default(), flags: 0 }
    }

    pub fn finish(self) -> Program {
        self.program
    }

    /// The tests that a list of conjuncts makes, and the other conjuncts. No tests, and `false`, if the tests
    /// contradict each other.
    pub fn tests(&self, conjuncts: Vec<Condition>) -> (Vec<Test>, Vec<Condition>) {
        let mut tests: Vec<Test> = Vec::new();
        let mut rest = Vec::new();
        for conjunct in conjuncts {
            let Some(new) = self.as_test(&conjunct) else {
                rest.push(conjunct);
                continue;
            };
            match tests.iter_mut().find(|test| test.word == new.word) {
                None => tests.push(new),
                Some(test) if (test.value ^ new.value) & test.mask & new.mask != 0 => {
                    return (Vec::new(), vec![Condition::FALSE]);
                }
                Some(test) => {
                    test.mask |= new.mask;
                    test.value |= new.value;
                }
            }
        }
        (tests, rest)
    }

    fn as_test(&self, condition: &Condition) -> Option<Test> {
        match condition {
            Condition::Atom(Atom::Is(slot, code)) => Some(Test::of(self.layout.field(*slot), *code)),
            // Not the one of two values: the other.
            Condition::Not(part) => match **part {
                Condition::Atom(Atom::Is(slot, code)) if self.slots.domain(slot).size() == Some(2) => {
                    Some(Test::of(self.layout.field(slot), 1 - code))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Code for a condition that goes on at `then` or at `otherwise`.
    pub fn condition(&mut self, condition: Condition, then: u32, otherwise: u32) -> u32 {
        match condition {
            Condition::Constant(true) => then,
            Condition::Constant(false) => otherwise,
            Condition::Atom(atom) => self.atom(atom, Targets { then, otherwise }),
            Condition::Not(part) => self.condition(*part, otherwise, then),
            Condition::And(parts) => {
                let (tests, rest) = self.tests(parts);
                let next =
                    rest.into_iter().rev().fold(then, |next, part| self.condition(part, next, otherwise));
                if next == otherwise {
                    return otherwise;
                }
                tests.into_iter().rev().fold(next, |next, test| {
                    self.push(Instruction::Mask(test, Targets { then: next, otherwise }))
                })
            }
            Condition::Or(parts) => {
                parts.into_iter().rev().fold(otherwise, |next, part| self.condition(part, then, next))
            }
            Condition::Iff(parts) => {
                // The left side is remembered while the right side is tested: neither is compiled twice.
                let [left, right] = *parts;
                let flag = self.flags;
                self.flags = flag.checked_add(1).expect("formulas nest less deep than there are flags");
                let both = self.push(Instruction::TestFlag(flag, Targets { then, otherwise }));
                let neither =
                    self.push(Instruction::TestFlag(flag, Targets { then: otherwise, otherwise: then }));
                let next = self.condition(right, both, neither);
                let holds = self.push(Instruction::Do(Action::SetFlag { flag, value: true }, next));
                let fails = self.push(Instruction::Do(Action::SetFlag { flag, value: false }, next));
                let start = self.condition(left, holds, fails);
                self.flags -= 1;
                start
            }
            Condition::IfThenElse(parts) => {
                let [condition, consequence, alternative] = *parts;
                let consequence = self.condition(consequence, then, otherwise);
                let alternative = self.condition(alternative, then, otherwise);
                self.condition(condition, consequence, alternative)
            }
        }
    }

    /// Code that gives a slot its new value, and goes on at `next`.
    pub fn update(&mut self, slot: SlotId, cases: Cases<Source>, next: u32) -> u32 {
        let mut cases = cases.into_iter().rev();
        let (_, last) = cases.next().expect("a slot that changes has a new value");
        let last = self.source(slot, last, next);
        cases.fold(last, |otherwise, (condition, source)| {
            let then = self.source(slot, source, next);
            self.condition(condition, then, otherwise)
        })
    }

    fn source(&mut self, slot: SlotId, source: Source, next: u32) -> u32 {
        let to = self.layout.field(slot);
        let action = match source {
            Source::Code(code) => Action::Write { to, code },
            Source::Slot(from) if from == slot => return next,
            Source::Slot(from) => Action::Copy { to, from: self.layout.field(from) },
            Source::Linear(linear) => {
                let Domain::Numbers(format) = *self.slots.domain(slot) else {
                    unreachable!("only numbers are computed")
                };
                Action::Store { to, sum: self.sum(&linear), format, symbol: self.slots.symbol(slot) }
            }
            Source::Any => {
                let codes = self.free_codes[self.slots.symbol(slot).0 as usize].clone();
                self.program.choices.push(Choice { field: to, codes });
                Action::Choose(address(self.program.choices.len() - 1))
            }
        };
        self.push(Instruction::Do(action, next))
    }

    fn atom(&mut self, atom: Atom, targets: Targets) -> u32 {
        let field = |slot: SlotId| self.layout.field(slot);
        let instruction = match atom {
            Atom::Is(slot, code) => Instruction::Mask(Test::of(field(slot), code), targets),
            Atom::In(slot, set) => match set.words() {
                &[word] => Instruction::In(field(slot), word, targets),
                words => {
                    let first = address(self.program.sets.len());
                    self.program.sets.extend(words);
                    Instruction::InLarge(field(slot), first, targets)
                }
            },
            Atom::Same(left, right) => Instruction::Same(field(left), field(right), targets),
            Atom::Below(left, right) => Instruction::Below(field(left), field(right), targets),
            Atom::Linear(linear, sign) => Instruction::Linear(self.sum(&linear), sign, targets),
        };
        self.push(instruction)
    }

    fn sum(&mut self, linear: &Linear) -> u32 {
        let mut sum = Sum { terms: Vec::new(), constant: linear.constant, divisor: linear.divisor };
        for &(factor, slot) in &linear.terms {
            let Domain::Numbers(format) = *self.slots.domain(slot) else {
                unreachable!("only numbers are added")
            };
            sum.terms.push((factor, self.layout.field(slot)));
            sum.constant += i128::from(factor) * i128::from(format.low());
        }
        self.program.sums.push(sum);
        address(self.program.sums.len() - 1)
    }

    fn push(&mut self, instruction: Instruction) -> u32 {
        self.program.instructions.push(instruction);
        address(self.program.instructions.len() - 1)
    }
}

/// The address of an instruction, or of something else that instructions name: below those with a meaning of
/// their own.
fn address(place: usize) -> u32 {
    let address = u32::try_from(place).ok().filter(|&address| address < REJECT);
    address.expect("the code of an instance fits into memory")
}
