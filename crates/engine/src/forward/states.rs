//! Reachable states, kept to be asked: is there one, and a choice of processes, that satisfies a conjunction?
//!
//! The states are kept by column: for a slot and a value, the bitset of the states in which the slot has the
//! value. A conjunction with processes for its variables is an intersection of unions of columns, computed a
//! few words at a time until the first state is found. Columns are made when they are first asked for.
//!
//! The states may be representatives of their renamings: every choice of processes without a name is tried, so that makes
//! no difference to the answer. What an answer is worth depends on how complete the exploration was; nothing
//! sound may rest on it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::SymbolId;
use polycube_smt::relation::Comparison;

use super::exploration::{Exploration, Observer, Options};
use super::explore::explore_states;
use crate::compile::TooLarge;
use crate::compile::domain::Domain;
use crate::compile::filter::members;
use crate::compile::layout::{Field, Layout};
use crate::compile::slot::{SlotId, Slots, first_injective, next_injective};

/// A conjunction over process variables, which stand for pairwise different processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conjunction {
    /// For each of the variables 0, 1, and so on: the process that it stands for (from 0), if the system has a name for
    /// that. Without one, it stands for any process that has no name.
    pub variables: Vec<Option<u32>>,
    pub literals: Vec<Literal>,
}

/// What a conjunction says about one or two cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// The cell, of an enumeration or an abstract type, has one of these values (counted from 0).
    Values(Cell, Vec<u32>),
    /// The cell, of type `proc`, holds one of these variables, or any process that no variable stands for.
    Processes {
        cell: Cell,
        variables: Vec<u32>,
        /// Whether it may hold another process.
        others: Unnamed,
    },
    /// Two cells of the same type have the same value.
    Same(Cell, Cell),
    /// Two cells of the same type have different values.
    Different(Cell, Cell),
    /// A sum of numeric cells, each times a factor, and of a constant compares so with zero.
    Linear { terms: Vec<(Cell, i32)>, constant: i64, comparison: Comparison },
    /// Every process for which none of these variables stands is in one of these situations: conjunctions,
    /// which call it by the number after those of all variables.
    Each { besides: Vec<u32>, situations: Vec<Vec<Literal>> },
}

impl Literal {
    /// Whether it is about one cell, and allows a value of it, if the variables stand for these processes.
    #[inline]
    fn allows(&self, value: u32, processes: &[u32]) -> bool {
        match self {
            Literal::Values(_, values) => values.contains(&value),
            Literal::Processes { variables, others, .. } => {
                match (0..).zip(processes).find(|(_, process)| **process == value) {
                    Some((variable, _)) => variables.contains(&variable),
                    None => *others == Unnamed::Allowed,
                }
            }
            Literal::Same(..) | Literal::Different(..) | Literal::Linear { .. } | Literal::Each { .. } => {
                false
            }
        }
    }
}

/// Whether processes are allowed that no variable stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unnamed {
    Allowed,
    Excluded,
}

/// A constant, a variable, or a cell of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    pub symbol: SymbolId,
    /// The variables in the brackets.
    pub indices: Vec<u32>,
}

/// A state that satisfies a conjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The number of the state.
    pub state: usize,
    /// The process of each variable, from 0.
    pub processes: Vec<u32>,
}

/// The reachable states of an instance, by column.
#[derive(Debug, Default)]
pub struct States {
    processes: u32,
    /// The processes that the system names: it may treat them differently, and no renaming moves them.
    named: Vec<u32>,
    slots: Slots,
    layout: Layout,
    count: usize,
    /// The packed states, one behind the other.
    states: Vec<u64>,
    columns: Vec<OnceLock<Columns>>,
    /// Set by the caller to cancel.
    interrupt: Arc<AtomicBool>,
}

/// The columns of one slot: a bitset for each code, one behind the other.
#[derive(Debug)]
struct Columns {
    /// How many words a bitset takes.
    words: usize,
    bits: Vec<u64>,
    /// How many states have each code.
    counts: Vec<usize>,
}

impl Columns {
    fn column(&self, code: usize) -> &[u64] {
        &self.bits[code * self.words..(code + 1) * self.words]
    }
}

/// How many choices of processes are looked at, at most: all of them up to eight processes.
const MAX_TUPLES: usize = 1 << 16;

/// Numbers of one state are compared in the time in which so many words are looked at.
const COMPARED: u64 = 10;

/// How many words are intersected before looking whether something is left.
const BLOCK: usize = 16;

impl States {
    /// Explores an instance, and keeps its states.
    pub fn explore(
        system: &System,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<(States, Exploration), TooLarge> {
        let (processes, interrupt) = (options.processes, Arc::clone(&options.interrupt));
        let named = system.named_processes();
        let mut kept = States { processes, named, interrupt, ..States::default() };
        let exploration = explore_states(system, options, observer, &mut |instance, state| {
            if kept.is_empty() {
                kept.slots = instance.slots.clone();
                kept.layout = instance.layout.clone();
            }
            // With several choices of orders, numbers may have been widened in between: these states would
            // not fit. They are left out.
            if kept.slots.domains == instance.slots.domains {
                kept.states.extend(&state[..kept.layout.words]);
                kept.count += 1;
            }
        })?;
        kept.columns.resize_with(kept.slots.len(), OnceLock::new);
        Ok((kept, exploration))
    }

    pub fn processes(&self) -> u32 {
        self.processes
    }

    /// Whether the system has a name for a process.
    pub fn is_named(&self, process: u32) -> bool {
        self.named.contains(&process)
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// How many bytes it takes at most, when all columns are made.
    pub fn bytes(&self) -> usize {
        let columns: usize = self.slots.iter().filter_map(|slot| self.slots.domain(slot).size()).sum();
        (self.states.capacity() + columns * self.count.div_ceil(64)) * size_of::<u64>()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The first state, with the first choice of processes that has one, that satisfies a conjunction. None
    /// if there are fewer processes than variables, and none beyond `MAX_TUPLES`. Adds to `words` how many
    /// sets of 64 states were looked at.
    pub fn witness(&self, conjunction: &Conjunction, words: &mut u64) -> Option<Witness> {
        if self.is_empty() {
            return None;
        }
        let unnamed: Vec<u32> = (0..self.processes).filter(|&process| !self.is_named(process)).collect();
        let count = u32::try_from(unnamed.len()).expect("there are no more than all processes");
        let is_free = |variable: &&Option<u32>| variable.is_none();
        let mut chosen = first_injective(count, conjunction.variables.iter().filter(is_free).count())?;
        for _ in 0..MAX_TUPLES {
            if self.interrupt.load(Ordering::Relaxed) {
                return None;
            }
            let mut next = chosen.iter().map(|&at| unnamed[at as usize]);
            let process = |variable: &Option<u32>| variable.or_else(|| next.next());
            let processes: Vec<u32> = conjunction.variables.iter().filter_map(process).collect();
            if let Some(state) = self.first_state(&conjunction.literals, &processes, words) {
                return Some(Witness { state, processes });
            }
            if !next_injective(&mut chosen, count) {
                return None;
            }
        }
        None
    }

    /// The value of a cell of a finite type in a state, counted from 0: a constructor, a process, an abstract
    /// value.
    pub fn value(&self, state: usize, symbol: SymbolId, processes: &[u32]) -> u32 {
        match &self.slots.domains[symbol.0 as usize] {
            Domain::Finite(values) => values[index(self.code(state, self.slots.slot(symbol, processes)))],
            Domain::Numbers(_) => unreachable!("numbers are not values of a finite type"),
        }
    }

    /// The value of a numeric cell in a state.
    pub fn number(&self, state: usize, symbol: SymbolId, processes: &[u32]) -> Number {
        match self.slots.domains[symbol.0 as usize] {
            Domain::Numbers(format) => format.number(self.code(state, self.slots.slot(symbol, processes))),
            Domain::Finite(_) => unreachable!("values of a finite type are not numbers"),
        }
    }

    pub fn holds(&self, state: usize, literal: &Literal, processes: &[u32]) -> bool {
        let value = |cell: &Cell| self.comparable(state, self.slot(cell, processes));
        match literal {
            Literal::Values(cell, _) | Literal::Processes { cell, .. } => {
                u32::try_from(value(cell)).is_ok_and(|value| literal.allows(value, processes))
            }
            Literal::Same(left, right) => value(left) == value(right),
            Literal::Different(left, right) => value(left) != value(right),
            Literal::Linear { terms, constant, comparison } => {
                self.sum(terms, *constant, *comparison, processes).compares(self.packed(state))
            }
            Literal::Each { besides, situations } => self.others(besides, processes).all(|with_other| {
                let holds = |literal: &Literal| self.holds(state, literal, &with_other);
                situations.iter().any(|situation| situation.iter().all(holds))
            }),
        }
    }

    /// The processes for which none of these variables stands, each behind those for which variables stand.
    fn others(&self, besides: &[u32], processes: &[u32]) -> impl Iterator<Item = Vec<u32>> {
        let is_other =
            move |other: &u32| !besides.iter().any(|&variable| processes[variable as usize] == *other);
        (0..self.processes).filter(is_other).map(move |other| [processes, &[other]].concat())
    }

    /// The states in which every process, but for some, is in one of some situations.
    fn each(&self, besides: &[u32], situations: &[Vec<Literal>], processes: &[u32]) -> Factor<'_> {
        let words = self.count.div_ceil(64);
        let mut all = vec![u64::MAX; words];
        for with_other in self.others(besides, processes) {
            let mut union = vec![0; words];
            for situation in situations {
                let mut states = vec![u64::MAX; words];
                for literal in situation {
                    self.intersect(literal, &with_other, &mut states);
                }
                union.iter_mut().zip(states).for_each(|(union, states)| *union |= states);
            }
            all.iter_mut().zip(union).for_each(|(all, union)| *all &= union);
        }
        Factor { parts: Parts::Own(all), complement: false, count: self.count }
    }

    /// Leaves those of a set of states in which a literal holds.
    fn intersect(&self, literal: &Literal, processes: &[u32], states: &mut [u64]) {
        match self.factor_of(literal, processes) {
            Some(None) => states.fill(0),
            Some(Some(factor)) => {
                for (block, states) in states.chunks_mut(BLOCK).enumerate() {
                    factor.intersect(block * BLOCK, states);
                }
            }
            None => {
                self.retain(0, states, |state| state >= self.count || self.holds(state, literal, processes));
            }
        }
    }

    /// The states in which a literal holds, or nothing if there are none; nothing at all if that has to be
    /// asked state by state, because it compares numbers.
    fn factor_of(&self, literal: &Literal, processes: &[u32]) -> Option<Option<Factor<'_>>> {
        match literal {
            Literal::Values(cell, _) | Literal::Processes { cell, .. } => {
                let allows = |value| literal.allows(value, processes);
                Some(self.factor(self.slot(cell, processes), &allows))
            }
            Literal::Same(left, right) | Literal::Different(left, right) => {
                let same = matches!(literal, Literal::Same(..));
                self.equality(self.slot(left, processes), self.slot(right, processes), same).map(Some)
            }
            Literal::Linear { .. } => None,
            Literal::Each { besides, situations } => Some(Some(self.each(besides, situations, processes))),
        }
    }

    /// A sum of numeric cells and a constant, which compares so with zero, if the variables stand for these processes.
    fn sum(&self, terms: &[(Cell, i32)], constant: i64, comparison: Comparison, processes: &[u32]) -> Sum {
        let mut scale = 1;
        // Numbers have at most 62 bits and factors 32: the sum of even a million of them fits.
        let mut lowest = 0;
        let terms = terms.iter().map(|(cell, factor)| {
            let slot = self.slot(cell, processes);
            let Domain::Numbers(format) = self.slots.domain(slot) else {
                unreachable!("only numbers are added")
            };
            // All numbers of a type have one scale.
            scale = i128::from(format.scale);
            lowest += i128::from(*factor) * i128::from(format.low());
            (self.layout.field(slot), i64::from(*factor))
        });
        let terms = terms.collect();
        Sum { terms, constant: lowest + i128::from(constant) * scale, comparison }
    }

    /// What a slot holds in a state: the same number for the same value of its type, whatever codes the slot
    /// has.
    fn comparable(&self, state: usize, slot: SlotId) -> u64 {
        match self.slots.domain(slot) {
            Domain::Finite(values) => u64::from(values[index(self.code(state, slot))]),
            Domain::Numbers(_) => self.code(state, slot),
        }
    }

    fn code(&self, state: usize, slot: SlotId) -> u64 {
        self.layout.field(slot).get_from(self.packed(state))
    }

    fn packed(&self, state: usize) -> &[u64] {
        let words = self.layout.words;
        &self.states[state * words..(state + 1) * words]
    }

    fn first_state(&self, literals: &[Literal], processes: &[u32], looked_at: &mut u64) -> Option<usize> {
        let mut factors: Vec<Factor<'_>> = Vec::with_capacity(literals.len());
        // Numbers have no columns: these are compared state by state.
        let mut equalities: Vec<(SlotId, SlotId, bool)> = Vec::new();
        let mut sums: Vec<Sum> = Vec::new();
        for literal in literals {
            match (self.factor_of(literal, processes), literal) {
                (Some(factor), _) => factors.push(factor?),
                (None, Literal::Same(left, right) | Literal::Different(left, right)) => {
                    let same = matches!(literal, Literal::Same(..));
                    equalities.push((self.slot(left, processes), self.slot(right, processes), same));
                }
                (None, Literal::Linear { terms, constant, comparison }) => {
                    sums.push(self.sum(terms, *constant, *comparison, processes));
                }
                (None, _) => unreachable!("only numbers have no columns"),
            }
        }
        let compared = if equalities.is_empty() && sums.is_empty() { 0 } else { COMPARED };
        // The smallest first: often nothing is left after it.
        factors.sort_by_key(|factor| factor.count);
        let words = self.count.div_ceil(64);
        for start in (0..words).step_by(BLOCK) {
            let size = BLOCK.min(words - start);
            *looked_at += size as u64;
            let mut left = [u64::MAX; BLOCK];
            for factor in &factors {
                factor.intersect(start, &mut left[..size]);
            }
            if start + size == words {
                left[size - 1] &= u64::MAX >> ((64 - self.count % 64) % 64);
            }
            let before = left;
            for &(one, other, same) in &equalities {
                self.retain(start, &mut left[..size], |state| {
                    (self.comparable(state, one) == self.comparable(state, other)) == same
                });
            }
            for sum in &sums {
                self.compare(sum, start, &mut left[..size]);
            }
            let found = left[..size].iter().position(|&left| left != 0);
            let counted = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            let Some(word) = found else {
                *looked_at += compared * counted(&before[..size]);
                continue;
            };
            // Those before the one that is found, and this one.
            let bit = left[word].trailing_zeros();
            *looked_at += compared * (counted(&before[..word]) + counted(&[before[word] << (63 - bit)]));
            return Some((start + word) * 64 + bit as usize);
        }
        None
    }

    /// Leaves those of a set of states, which begins with this word, in which a sum compares so.
    fn compare(&self, sum: &Sum, start: usize, left: &mut [u64]) {
        match sum.comparison {
            Comparison::Equal => self.retain_sum(sum, start, left, |total| total == 0),
            Comparison::NotEqual => self.retain_sum(sum, start, left, |total| total != 0),
            Comparison::Less => self.retain_sum(sum, start, left, |total| total < 0),
            Comparison::LessEqual => self.retain_sum(sum, start, left, |total| total <= 0),
        }
    }

    /// Leaves those for which something holds of a sum. Most sums are short and small: what they consist of need not be
    /// found out for each state.
    #[inline]
    fn retain_sum(&self, sum: &Sum, start: usize, left: &mut [u64], holds: impl Fn(i64) -> bool) {
        let part =
            |(field, factor): (Field, i64), state| factor * field.get_from(self.packed(state)).cast_signed();
        match (&sum.terms[..], sum.small()) {
            (&[one], Some(constant)) => {
                self.retain(start, left, |state| holds(constant + part(one, state)));
            }
            (&[one, other], Some(constant)) => {
                self.retain(start, left, |state| holds(constant + part(one, state) + part(other, state)));
            }
            _ => self.retain(start, left, |state| sum.compares(self.packed(state))),
        }
    }

    /// Leaves those of a set of states, which begins with this word, for which something holds.
    #[inline]
    fn retain(&self, start: usize, left: &mut [u64], holds: impl Fn(usize) -> bool) {
        for (word, left) in (start..).zip(left).filter(|(_, left)| **left != 0) {
            let failing = members(word, *left).filter(|&state| !holds(state));
            *left &= !failing.fold(0, |failing, state| failing | 1 << (state % 64));
        }
    }

    fn slot(&self, cell: &Cell, processes: &[u32]) -> SlotId {
        let mut tuple = [0; 8];
        if cell.indices.len() > tuple.len() {
            let tuple: Vec<u32> = cell.indices.iter().map(|&index| processes[index as usize]).collect();
            return self.slots.slot(cell.symbol, &tuple);
        }
        for (process, &index) in tuple.iter_mut().zip(&cell.indices) {
            *process = processes[index as usize];
        }
        self.slots.slot(cell.symbol, &tuple[..cell.indices.len()])
    }

    /// The states in which a slot has one of the values; none if there is no such state.
    fn factor(&self, slot: SlotId, wanted: &dyn Fn(u32) -> bool) -> Option<Factor<'_>> {
        let Domain::Finite(values) = self.slots.domain(slot) else { unreachable!("numbers have no columns") };
        let columns = self.columns(slot, values.len());
        let mut allowed: Vec<usize> = Vec::with_capacity(values.len());
        let mut excluded: Vec<usize> = Vec::with_capacity(values.len());
        let mut count = 0;
        for (code, &value) in values.iter().enumerate() {
            if columns.counts[code] == 0 {
                continue;
            }
            if wanted(value) {
                count += columns.counts[code];
                allowed.push(code);
            } else {
                excluded.push(code);
            }
        }
        if allowed.is_empty() {
            return None;
        }
        let complement = excluded.len() < allowed.len();
        let chosen = if complement { excluded } else { allowed };
        let parts = Parts::Columns(chosen.into_iter().map(|code| columns.column(code)).collect());
        Some(Factor { parts, complement, count })
    }

    /// The states in which two slots have the same value, or different ones; none if they hold numbers.
    fn equality(&self, left: SlotId, right: SlotId, same: bool) -> Option<Factor<'_>> {
        let (Domain::Finite(lefts), Domain::Finite(rights)) =
            (self.slots.domain(left), self.slots.domain(right))
        else {
            return None;
        };
        let (of_left, of_right) = (self.columns(left, lefts.len()), self.columns(right, rights.len()));
        let mut pairs = Vec::with_capacity(lefts.len());
        for (left, value) in lefts.iter().enumerate() {
            if let Some(right) = rights.iter().position(|other| other == value)
                && of_left.counts[left].min(of_right.counts[right]) > 0
            {
                pairs.push((of_left.column(left), of_right.column(right)));
            }
        }
        // How many there are is not known: as many as can be, so that others come first.
        Some(Factor { parts: Parts::Pairs(pairs), complement: !same, count: self.count })
    }

    fn columns(&self, slot: SlotId, size: usize) -> &Columns {
        self.columns[slot.0 as usize].get_or_init(|| self.make_columns(slot, size))
    }

    fn make_columns(&self, slot: SlotId, size: usize) -> Columns {
        let (field, words) = (self.layout.field(slot), self.count.div_ceil(64));
        let mut columns = Columns { words, bits: vec![0; words * size], counts: vec![0; size] };
        for (number, state) in self.states.chunks_exact(self.layout.words).enumerate() {
            let code = index(field.get_from(state));
            columns.bits[code * words + number / 64] |= 1 << (number % 64);
            columns.counts[code] += 1;
        }
        columns
    }
}

/// The code of a slot of a finite type as the index that it is.
fn index(code: u64) -> usize {
    usize::try_from(code).expect("a code is an index of a value")
}

/// A sum of fields of a packed state, each times a factor, and of a constant, which compares so with zero.
struct Sum {
    terms: Vec<(Field, i64)>,
    constant: i128,
    comparison: Comparison,
}

impl Sum {
    /// The constant, if no sum of it and of some of the terms leaves 64 bits, whatever the fields hold.
    fn small(&self) -> Option<i64> {
        let largest =
            |(field, factor): &(Field, i64)| i128::from(*factor).abs().max(1) * i128::from(field.low_mask());
        let most = self.constant.abs() + self.terms.iter().map(largest).sum::<i128>();
        i64::try_from(most).ok().and_then(|_| i64::try_from(self.constant).ok())
    }

    #[inline]
    fn compares(&self, state: &[u64]) -> bool {
        let term = |(field, factor): &(Field, i64)| i128::from(*factor) * i128::from(field.get_from(state));
        let sum = self.constant + self.terms.iter().map(term).sum::<i128>();
        self.comparison.holds(sum.cmp(&0))
    }
}

/// A union of columns or of intersections of two, or its complement.
struct Factor<'o> {
    parts: Parts<'o>,
    complement: bool,
    /// How many states are in it at most.
    count: usize,
}

enum Parts<'o> {
    Columns(Vec<&'o [u64]>),
    Pairs(Vec<(&'o [u64], &'o [u64])>),
    Own(Vec<u64>),
}

impl Factor<'_> {
    #[inline]
    fn intersect(&self, start: usize, left: &mut [u64]) {
        let flip = if self.complement { u64::MAX } else { 0 };
        let mut union = [0; BLOCK];
        match &self.parts {
            Parts::Columns(columns) => {
                if let [column] = columns[..] {
                    left.iter_mut().zip(&column[start..]).for_each(|(left, word)| *left &= word ^ flip);
                    return;
                }
                for column in columns {
                    for (union, word) in union.iter_mut().zip(&column[start..]).take(left.len()) {
                        *union |= word;
                    }
                }
            }
            Parts::Own(states) => {
                union
                    .iter_mut()
                    .zip(&states[start..])
                    .take(left.len())
                    .for_each(|(union, word)| *union = *word);
            }
            Parts::Pairs(pairs) => {
                for (first, second) in pairs {
                    let both = first[start..].iter().zip(&second[start..]);
                    for (union, (first, second)) in union.iter_mut().zip(both).take(left.len()) {
                        *union |= first & second;
                    }
                }
            }
        }
        left.iter_mut().zip(union).for_each(|(left, union)| *left &= union ^ flip);
    }
}
