//! One rule in one state: statements are executed one after the other.

mod expressions;
mod statements;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use polycube_language::span::Span;

use super::domain::UNDEFINED;
use super::program::{Binder, Bound, Instance, Multiset, Program, Rule, Variable};

/// CMurphi gives up a `while` after this many rounds.
const MAX_ROUNDS: usize = 1000;

/// How deep calls may be inside each other, with what nests in them: a routine that calls itself never ends here.
const MAX_NESTING: usize = 2000;

/// How many leaves local variables may have, all together.
const MAX_MEMORY: usize = 1 << 22;

/// How many values a parameter of a rule may have.
pub(super) const MAX_LISTED: usize = 200_000;

/// How often loops and calls look whether they should go on.
const ROUNDS_BETWEEN_LOOKS: u32 = 1 << 14;

/// An error of the language, and where it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Fault {
    pub span: Span,
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum What {
    Undefined,
    OutOfRange,
    Index,
    Division,
    NoReturn,
    Full,
    Gone,
    Endless,
    TooDeep,
    TooLarge,
    NoVariable,
    /// What the file says: its place among the texts.
    Said(usize),
}

impl What {
    pub fn text(self, program: &Program) -> &str {
        match self {
            What::Undefined => "an undefined value is used",
            What::OutOfRange => "a value is out of range",
            What::Index => "an index is out of range",
            What::Division => "a division by 0",
            What::NoReturn => "a function ends without `return`",
            What::Full => "a multiset is full",
            What::Gone => "an element is removed that is not there",
            What::Endless => "a loop does not end within 1000 rounds",
            What::TooDeep => "calls are too deep inside each other",
            What::TooLarge => "a number is too large",
            What::NoVariable => "a value is assigned to a name that stands for a value",
            What::Said(text) => &program.texts[text],
        }
    }
}

/// Why a rule was not run to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Fault(Fault),
    /// Cancelled by the caller.
    Interrupted,
}

type Outcome<T> = Result<T, Stop>;

fn fail<T>(what: What, span: Span) -> Outcome<T> {
    Err(Stop::Fault(Fault { span, what }))
}

/// What a statement leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    Returned,
}

/// What becomes of an instance of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fired {
    /// There is no element to be chosen: it does not exist.
    Missing,
    /// The guard does not hold.
    No,
    /// The memory has the state afterwards.
    Yes,
}

/// What a program works with.
pub(super) struct Machine<'p> {
    program: &'p Program,
    /// The leaves of the state, and behind them those of local variables.
    memory: Vec<i64>,
    size: usize,
    /// The state in which rules are run.
    before: Vec<i64>,
    /// What names stand for: of the rule, and of the routines that it calls.
    names: Vec<Bound>,
    /// Where those of the present routine begin.
    base: usize,
    /// How deep calls are inside each other.
    nesting: usize,
    rounds: u32,
    is_changed: bool,
    /// The result of a function: a simple one, or the leaves of another.
    result: i64,
    results: Vec<i64>,
    interrupt: &'p AtomicBool,
    /// The leaves of the state that were read, if that is wanted.
    pub reads: Option<BTreeSet<usize>>,
}

impl<'p> Machine<'p> {
    pub fn new(program: &'p Program, interrupt: &'p AtomicBool) -> Machine<'p> {
        let size = program.leaves.len();
        Machine {
            program,
            memory: vec![UNDEFINED; size],
            size,
            before: vec![UNDEFINED; size],
            names: Vec::new(),
            base: 0,
            nesting: 0,
            rounds: 0,
            is_changed: false,
            result: UNDEFINED,
            results: Vec::new(),
            interrupt,
            reads: None,
        }
    }

    /// The state, in which elements of multisets are where they were put.
    pub fn state(&self) -> &[i64] {
        &self.memory[..self.size]
    }

    /// Goes to a state, in which rules are run from now on.
    pub fn enter(&mut self, state: &[i64]) {
        self.before.copy_from_slice(state);
        self.is_changed = true;
    }

    /// Runs an instance of a rule.
    pub fn fire(&mut self, rule: &Rule, instance: &Instance) -> Outcome<Fired> {
        if !self.begin(rule, instance)? {
            return Ok(Fired::Missing);
        }
        if let Some(guard) = &rule.guard
            && !self.condition(guard)?
        {
            return Ok(Fired::No);
        }
        self.declare(&rule.variables)?;
        self.statements(&rule.body)?;
        Ok(Fired::Yes)
    }

    /// Binds the names of a rule. Whether there are elements to be chosen, and no equal ones before them.
    fn begin(&mut self, rule: &Rule, instance: &Instance) -> Outcome<bool> {
        self.memory.truncate(self.size);
        if self.is_changed {
            self.memory.copy_from_slice(&self.before);
            self.is_changed = false;
        }
        self.names.clear();
        self.names.extend_from_slice(&instance.frame);
        (self.base, self.nesting) = (0, 0);
        for binder in &rule.binders {
            match binder {
                Binder::Alias(local, aliased) => self.names[*local] = self.aliased(aliased)?,
                Binder::Choose(local, multiset) => {
                    let Bound::Value(slot) = self.names[*local] else { panic!("a slot is chosen") };
                    if !self.is_first(multiset, slot as usize)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether there is an element in a slot, and no equal one before it.
    fn is_first(&mut self, multiset: &Multiset, slot: usize) -> Outcome<bool> {
        let (start, width) = (self.place(&multiset.place)?, multiset.width);
        let flag = start + slot * width;
        if self.load(flag) != 1 {
            return Ok(false);
        }
        if let Some(reads) = &mut self.reads {
            reads.extend((start..flag + width).filter(|leaf| *leaf < self.size));
        }
        let element = |at: usize| &self.memory[start + at * width..start + (at + 1) * width];
        Ok(!(0..slot).any(|before| element(before) == element(slot)))
    }

    fn declare(&mut self, variables: &[Variable]) -> Outcome<()> {
        for variable in variables {
            self.names[self.base + variable.local] = Bound::Place(self.allocate(variable.width)?);
        }
        Ok(())
    }

    /// Local variables start undefined.
    fn allocate(&mut self, width: usize) -> Outcome<usize> {
        let start = self.memory.len();
        if start + width > self.size + MAX_MEMORY {
            return fail(What::TooDeep, Span::default());
        }
        self.memory.resize(start + width, UNDEFINED);
        Ok(start)
    }

    fn look(&mut self) -> Outcome<()> {
        self.rounds = self.rounds.wrapping_add(1);
        if self.rounds.is_multiple_of(ROUNDS_BETWEEN_LOOKS) && self.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        Ok(())
    }

    fn load(&mut self, at: usize) -> i64 {
        if let Some(reads) = &mut self.reads
            && at < self.size
        {
            reads.insert(at);
        }
        self.memory[at]
    }

    fn write(&mut self, at: usize, value: i64) {
        self.is_changed |= at < self.size;
        self.memory[at] = value;
    }

    /// What a name stands for.
    fn bound(&self, local: usize) -> Bound {
        self.names[self.base + local]
    }

    fn bind(&mut self, local: usize, value: i64) {
        self.names[self.base + local] = Bound::Value(value);
    }
}
