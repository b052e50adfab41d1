//! Is a cube covered by the union of others?
//!
//! That is: is the cube, together with the negation of each of the others, unsatisfiable? The negation of a
//! cube is a clause, whose literals are "variable v has none of these values" (one for each field) and
//! negated relations. The search is the classical one (Davis, Logemann and Loveland, *A machine program for
//! theorem proving*, 1962) on sets of values in place of truth values:
//!
//! - A literal about a field is true where the current values and those of the other cube have none in
//!   common, false where the current ones are all among them, and open otherwise. For all fields of a word at
//!   once this takes a few instructions, see [`shape`](crate::shape).
//! - A clause with a single open literal takes values away (or asserts a negated relation).
//! - Otherwise some open literal of a shortest clause is made true, and then false. Where the refutation of
//!   the first case did not use the choice, the second is not needed (backjumping): conflicts are traced back
//!   to the choices and to the clauses that they depend on. Nothing is learned from them.
//! - Relations go to the [`theory`] as soon as nothing else follows.
//!
//! The answer "covered" comes with the cubes that were used for it: they cover on their own, but some of them
//! may not be needed. Now and then there is no answer, see [`Covered::GaveUp`]; whoever asks has to be
//! content with that.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::relation::{Relation, Variable};
use crate::shape::{Shape, field_below, is_subset, nonempty};
use crate::theory;
use crate::unsolved::{Solved, Unsolved};

/// Whether a cube is covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    /// By these together: numbers that [`Cover::exclude`] gave, ascending.
    Yes(Vec<usize>),
    /// There is a state of the cube outside the others.
    No,
    /// The budget was used up, or there are more than 127 choices to be made one after the other.
    GaveUp,
}

/// One question. It can be asked again after more cubes are excluded.
#[derive(Debug)]
pub struct Cover<'p> {
    shape: &'p Shape,
    /// The values that the cube leaves.
    root: Vec<u64>,
    /// The values that are left now.
    values: Vec<u64>,
    /// The words of the clauses, one after the other: those of the cubes they negate.
    words: Vec<u64>,
    /// Where the relations of each clause begin in `relations`.
    starts: Vec<usize>,
    /// The relations of the cubes that the clauses negate.
    relations: Vec<Literal>,
    atoms: Vec<Atom>,
    numbers: FxHashMap<Relation, Literal>,
    trail: Vec<(Change, Antecedent)>,
    /// The clauses that are not known to be true, level after level.
    active: Vec<u32>,
    /// The clauses that a conflict was traced back to.
    used: Vec<bool>,
    /// Room for [`Cover::explain`]: the values whose absence matters.
    missing: Vec<u64>,
    /// Whether the theory has not seen the last change.
    stale: bool,
    theory_calls: u64,
}

/// A relation and its negation.
#[derive(Debug)]
struct Atom {
    sides: [Relation; 2],
    /// Which of the two holds now.
    value: Option<bool>,
    /// Room for [`Cover::explain`].
    needed: bool,
}

/// An atom, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Literal {
    atom: u32,
    positive: bool,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    /// These values were taken away.
    Values { word: u32, removed: u64 },
    /// This atom got a value.
    Atom(u32),
}

#[derive(Clone, Copy, Debug)]
enum Antecedent {
    /// The clause has no other open literal.
    Clause(u32),
    /// The choices of these levels.
    Levels(Levels),
}

/// A set of levels: where it is a conflict, those on whose choices it depends.
type Levels = u128;

const MAX_LEVEL: u32 = Levels::BITS - 1;

/// What a clause says now.
enum Status {
    True,
    False,
    /// How many open literals, and the first.
    Open(u32, Open),
}

#[derive(Clone, Copy, Debug)]
enum Open {
    /// The values of one field that the cube of the clause has.
    Field {
        word: u32,
        bits: u64,
    },
    Relation(Literal),
}

impl<'p> Cover<'p> {
    /// The question for a cube that is satisfiable: its values, and its relations.
    pub fn new(shape: &'p Shape, values: &[u64], relations: &[Relation]) -> Cover<'p> {
        debug_assert_eq!(values.len(), shape.words(), "a cube has the words of its shape");
        debug_assert!(is_subset(values, &shape.bits), "a cube has no bits but those of values");
        debug_assert!(!shape.has_empty(values), "a cube with an empty field has no states");
        let mut cover = Cover {
            shape,
            root: values.to_vec(),
            values: values.to_vec(),
            words: Vec::new(),
            starts: vec![0],
            relations: Vec::new(),
            atoms: Vec::new(),
            numbers: FxHashMap::default(),
            trail: Vec::new(),
            active: Vec::new(),
            used: Vec::new(),
            missing: vec![0; values.len()],
            stale: false,
            theory_calls: 0,
        };
        for relation in relations {
            let literal = cover.literal(relation);
            cover.atoms[literal.atom as usize].value = Some(literal.positive);
        }
        cover
    }

    /// Excludes a cube: its states do not count any more. The number of the cube. Cubes that have no state in
    /// common with the one in question are better left out, see [`Shape::are_disjoint`].
    pub fn exclude(&mut self, values: &[u64], relations: &[Relation]) -> usize {
        debug_assert_eq!(values.len(), self.root.len(), "all cubes have the same shape");
        self.words.extend_from_slice(values);
        for relation in relations {
            let literal = self.literal(relation);
            self.relations.push(literal);
        }
        self.starts.push(self.relations.len());
        self.used.push(false);
        self.used.len() - 1
    }

    /// How often the theory was asked.
    pub fn theory_calls(&self) -> u64 {
        self.theory_calls
    }

    /// Whether the excluded cubes cover the one in question.
    pub fn check(&mut self, budget: &mut Budget<'_>) -> Covered {
        self.active.clear();
        let clauses = u32::try_from(self.used.len()).expect("clauses fit into memory");
        self.active.extend(0..clauses);
        self.used.fill(false);
        self.stale = false;
        let found = self.search(0, 0, budget);
        self.undo(0);
        match found {
            Ok(()) => Covered::No,
            Err(Unsolved::GaveUp) => Covered::GaveUp,
            Err(Unsolved::Conflict(_)) => {
                Covered::Yes((0..self.used.len()).filter(|&number| self.used[number]).collect())
            }
        }
    }

    fn literal(&mut self, relation: &Relation) -> Literal {
        if let Some(&literal) = self.numbers.get(relation) {
            return literal;
        }
        let negation = relation.negated();
        let atom = u32::try_from(self.atoms.len()).expect("atoms fit into memory");
        let literal = Literal { atom, positive: true };
        self.atoms.push(Atom { sides: [relation.clone(), negation.clone()], value: None, needed: false });
        self.numbers.insert(relation.clone(), literal);
        self.numbers.insert(negation, Literal { positive: false, ..literal });
        literal
    }

    /// Looks for a state, with the choices made so far. `first` is where the active clauses of this level
    /// begin.
    fn search(&mut self, first: usize, level: u32, budget: &mut Budget<'_>) -> Solved<(), Levels> {
        budget.step()?;
        let Some((count, open)) = self.propagate(first, budget)? else { return Ok(()) };
        debug_assert!(count > 1);
        if level == MAX_LEVEL {
            return Err(Unsolved::GaveUp);
        }
        let mark = self.trail.len();
        let next = self.active.len();
        let choice: Levels = 1 << level;

        // First case: the literal is true. Second case: it is false, because the first case is refuted; what
        // the refutation depends on is the antecedent.
        let mut antecedent = choice;
        for truth in [true, false] {
            self.active.extend_from_within(first..next);
            self.decide(open, truth, Antecedent::Levels(antecedent));
            let found = self.search(next, level + 1, budget);
            self.undo(mark);
            self.active.truncate(next);
            match found {
                Err(Unsolved::Conflict(levels)) if truth && levels & choice != 0 => {
                    antecedent = levels & !choice;
                }
                found => return found,
            }
        }
        unreachable!("the second case is the last")
    }

    /// Draws all consequences. Afterwards the active clauses of the level have several open literals each:
    /// returned are the number of those of a shortest clause, and one of them.
    fn propagate(&mut self, first: usize, budget: &mut Budget<'_>) -> Solved<Option<(u32, Open)>, Levels> {
        loop {
            let mut shortest: Option<(u32, Open)> = None;
            let mut changed = false;
            let mut at = first;
            while at < self.active.len() {
                let clause = self.active[at];
                match self.status(clause) {
                    Status::True => {}
                    Status::False => {
                        self.require(clause, 0, 0);
                        return Err(Unsolved::Conflict(self.explain()));
                    }
                    Status::Open(1, open) => {
                        self.decide(open, true, Antecedent::Clause(clause));
                        changed = true;
                    }
                    Status::Open(count, open) => {
                        if shortest.is_none_or(|(least, _)| count < least) {
                            shortest = Some((count, open));
                        }
                        at += 1;
                        continue;
                    }
                }
                self.active.swap_remove(at);
            }
            if changed {
                budget.step()?;
                continue;
            }
            if std::mem::take(&mut self.stale) {
                self.ask_theory(budget)?;
            }
            return Ok(shortest);
        }
    }

    fn clause_words(&self, clause: u32) -> Range<usize> {
        clause as usize * self.root.len()..(clause as usize + 1) * self.root.len()
    }

    fn clause_relations(&self, clause: u32) -> Range<usize> {
        self.starts[clause as usize]..self.starts[clause as usize + 1]
    }

    fn status(&self, clause: u32) -> Status {
        let (mut count, mut open) = (0, None);
        let words = &self.words[self.clause_words(clause)];
        for (at, (&values, &cube)) in self.values.iter().zip(words).enumerate() {
            let (bits, guards) = (self.shape.bits[at], self.shape.guards[at]);
            if nonempty(values & cube, bits, guards) != guards {
                return Status::True;
            }
            let outside = nonempty(values & !cube, bits, guards);
            if outside != 0 {
                count += outside.count_ones();
                if open.is_none() {
                    let guard = outside & outside.wrapping_neg();
                    let field = field_below(guard, bits, guards);
                    let word = u32::try_from(at).expect("fields count words in 32 bits");
                    open = Some(Open::Field { word, bits: cube & field });
                }
            }
        }
        for &literal in &self.relations[self.clause_relations(clause)] {
            match self.atoms[literal.atom as usize].value {
                Some(value) if value == literal.positive => {}
                Some(_) => return Status::True,
                None => {
                    count += 1;
                    open.get_or_insert(Open::Relation(literal));
                }
            }
        }
        open.map_or(Status::False, |open| Status::Open(count, open))
    }

    /// Makes a literal of a clause true, or false.
    fn decide(&mut self, open: Open, truth: bool, antecedent: Antecedent) {
        match open {
            Open::Field { word, bits } => {
                let at = word as usize;
                let removed =
                    self.values[at] & self.field_around(bits, at) & if truth { bits } else { !bits };
                self.values[at] &= !removed;
                self.stale |= !self.atoms.is_empty();
                self.trail.push((Change::Values { word, removed }, antecedent));
            }
            Open::Relation(literal) => {
                // The clause negates the relation.
                self.atoms[literal.atom as usize].value = Some(literal.positive != truth);
                self.stale = true;
                self.trail.push((Change::Atom(literal.atom), antecedent));
            }
        }
    }

    /// Takes back all changes but the first `length`.
    fn undo(&mut self, length: usize) {
        for (change, _) in self.trail.drain(length..).rev() {
            match change {
                Change::Values { word, removed } => self.values[word as usize] |= removed,
                Change::Atom(atom) => self.atoms[atom as usize].value = None,
            }
        }
    }

    /// Whether the relations that hold now can hold together. A conflict depends on the values of some atoms,
    /// and on the values of the variables in them.
    fn ask_theory(&mut self, budget: &mut Budget<'_>) -> Solved<(), Levels> {
        self.theory_calls += 1;
        let held = self.atoms.iter().filter_map(|atom| Some(&atom.sides[usize::from(!atom.value?)]));
        let relations: Vec<&Relation> = held.collect();
        let domain = |variable: Variable| self.shape.domain(&self.values, variable);
        let core = match theory::satisfiable(&self.shape.sorts, &domain, &relations, budget) {
            Ok(_) => return Ok(()),
            Err(Unsolved::GaveUp) => return Err(Unsolved::GaveUp),
            Err(Unsolved::Conflict(core)) => core,
        };
        let mut held: Vec<&mut Atom> = self.atoms.iter_mut().filter(|atom| atom.value.is_some()).collect();
        for index in core {
            let atom = &mut held[index];
            atom.needed = true;
            for field in atom.sides[0].variables().filter_map(|variable| self.shape.field(variable)) {
                let at = field.word as usize;
                self.missing[at] |= self.root[at] & !self.values[at] & field.bits();
            }
        }
        Err(Unsolved::Conflict(self.explain()))
    }

    /// Notes what makes the literals of a clause false, but for a field of one word.
    fn require(&mut self, clause: u32, word: usize, field: u64) {
        self.used[clause as usize] = true;
        for (at, cube) in self.words[self.clause_words(clause)].iter().enumerate() {
            let except = if at == word { field } else { 0 };
            self.missing[at] |= self.root[at] & !cube & !except;
        }
        for literal in self.clause_relations(clause) {
            self.atoms[self.relations[literal].atom as usize].needed = true;
        }
    }

    /// Traces what is noted back to choices. A change that took away none of the values whose absence matters
    /// does not matter.
    fn explain(&mut self) -> Levels {
        let mut levels = 0;
        for index in (0..self.trail.len()).rev() {
            let (change, antecedent) = self.trail[index];
            let (matters, word, field) = match change {
                Change::Values { word, removed } => {
                    let at = word as usize;
                    let matters = self.missing[at] & removed != 0;
                    self.missing[at] &= !removed;
                    (matters, at, self.field_around(removed, at))
                }
                Change::Atom(atom) => (std::mem::take(&mut self.atoms[atom as usize].needed), 0, 0),
            };
            if matters {
                match antecedent {
                    Antecedent::Levels(set) => levels |= set,
                    Antecedent::Clause(clause) => self.require(clause, word, field),
                }
            }
        }
        self.missing.fill(0);
        self.atoms.iter_mut().for_each(|atom| atom.needed = false);
        levels
    }

    /// The field of a word in which these bits lie; there are some.
    fn field_around(&self, bits: u64, word: usize) -> u64 {
        let guards = self.shape.guards[word];
        let lowest = bits & bits.wrapping_neg();
        let above = guards & !(lowest - 1);
        let guard = above & above.wrapping_neg();
        field_below(guard, self.shape.bits[word], guards)
    }
}
