//! A cube without what is redundant or impossible: the implied literals that the Cubicle paper (CAV 2012,
//! section 3) removes when a cube is made. What follows only in the theory is looked for as well.

use std::sync::atomic::AtomicBool;

use polycube_smt::budget::Budget;
use polycube_smt::relation::{Comparison, Normalized, Ordered, Relation, Term, Variable};
use polycube_smt::shape::{Shape, least};
use polycube_smt::theory;
use polycube_smt::unsolved::Unsolved;

use super::Draft;

/// How much work the theory may do for one cube.
const THEORY_STEPS: u64 = 10_000;

impl Draft {
    /// [Propagates](Draft::propagate). Says whether the result is consistent, as far as the theory can tell.
    pub fn simplify(&mut self, shape: &Shape, interrupt: &AtomicBool) -> bool {
        self.propagate(shape) && self.is_consistent(shape, interrupt)
    }

    /// Draws consequences from values to relations and back: a relation that the values decide is removed,
    /// one that says something about a single cell becomes part of its values. Says whether no contradiction
    /// appeared.
    ///
    /// The result is equivalent. It is not always the same for equivalent cubes.
    pub fn propagate(&mut self, shape: &Shape) -> bool {
        let Draft { words, relations, .. } = self;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            let mut at = 0;
            while at < relations.len() {
                let propagated = match &relations[at] {
                    Relation::Ordered(ordered) => propagate_one(shape, words, *ordered),
                    Relation::Linear(_) => Propagated::Unchanged,
                };
                changed |= !matches!(propagated, Propagated::Unchanged);
                match propagated {
                    Propagated::Contradiction => return false,
                    Propagated::Unchanged | Propagated::Narrowed => at += 1,
                    Propagated::Became(relation) => relations[at] = relation.into(),
                    Propagated::Gone => {
                        relations.swap_remove(at);
                    }
                }
            }
        }
        relations.sort_unstable();
        relations.dedup();
        true
    }

    /// Whether the relations can hold with these values, those left aside that speak of variables which are
    /// no cells. A "no" is always right. When the flag is set, the answer is "yes".
    pub fn is_consistent(&self, shape: &Shape, interrupt: &AtomicBool) -> bool {
        let is_cell = |variable: Variable| usize::from(variable.0) < shape.variables.len();
        let of_cells = |relation: &&Relation| relation.variables().all(is_cell);
        let relations: Vec<&Relation> = self.relations.iter().filter(of_cells).collect();
        relations.is_empty() || !refuted(shape, &self.words, &relations, interrupt)
    }

    /// Removes relations that follow from the others, the last ones first.
    pub fn remove_implied(&mut self, shape: &Shape, interrupt: &AtomicBool) {
        if self.relations.len() < 2 {
            return;
        }
        for at in (0..self.relations.len()).rev() {
            let negation = self.relations[at].negated();
            let mut rest: Vec<&Relation> = self.relations.iter().collect();
            rest[at] = &negation;
            if refuted(shape, &self.words, &rest, interrupt) {
                self.relations.remove(at);
            }
        }
    }
}

enum Propagated {
    Contradiction,
    Unchanged,
    /// Values were taken away.
    Narrowed,
    /// It says nothing any more.
    Gone,
    Became(Ordered),
}

fn propagate_one(shape: &Shape, words: &mut [u64], ordered: Ordered) -> Propagated {
    let other = shape.sorts[usize::from(ordered.sort.0)].others();
    let domain = |words: &[u64], term: Term| match term {
        Term::Point(point) => 1 << point,
        Term::Variable(variable) => shape.domain(words, variable),
    };
    let single = |values: u64| values.is_power_of_two() && values != other;
    // A cell with a single value is that value.
    let known = |words: &[u64], term: Term| match term {
        Term::Variable(variable) => {
            let values = shape.domain(words, variable);
            if single(values) { Term::Point(least(values)) } else { term }
        }
        Term::Point(_) => term,
    };
    let (left, right) = (known(words, ordered.left), known(words, ordered.right));
    let relation = match (Ordered { left, right, ..ordered }).normalized() {
        Normalized::True => return Propagated::Gone,
        Normalized::False => return Propagated::Contradiction,
        Normalized::Relation(relation) => relation,
    };
    let (of_left, of_right) = (domain(words, relation.left), domain(words, relation.right));
    let mut restrict = |term: Term, values: u64| match term {
        Term::Variable(variable) => shape.field(variable).is_none_or(|field| field.restrict(words, values)),
        Term::Point(point) => values >> point & 1 == 1,
    };
    match relation.comparison {
        Comparison::Equal => {
            let both = of_left & of_right;
            if both == 0 || !restrict(relation.left, both) || !restrict(relation.right, both) {
                return Propagated::Contradiction;
            }
            if single(both) {
                return Propagated::Gone;
            }
            if both != of_left || both != of_right {
                return if relation == ordered { Propagated::Narrowed } else { Propagated::Became(relation) };
            }
        }
        Comparison::NotEqual => {
            if of_left & of_right == 0 {
                return Propagated::Gone;
            }
            let (known, unknown, point) = if single(of_left) {
                (true, relation.right, of_left)
            } else {
                (single(of_right), relation.left, of_right)
            };
            if known {
                return if restrict(unknown, !point) { Propagated::Gone } else { Propagated::Contradiction };
            }
        }
        Comparison::Less | Comparison::LessEqual => {}
    }
    if relation == ordered { Propagated::Unchanged } else { Propagated::Became(relation) }
}

fn refuted(shape: &Shape, words: &[u64], relations: &[&Relation], interrupt: &AtomicBool) -> bool {
    let domain = |variable| shape.domain(words, variable);
    let mut budget = Budget::new(THEORY_STEPS).until(interrupt);
    let result = theory::satisfiable(&shape.sorts, &domain, relations, &mut budget);
    matches!(result, Err(Unsolved::Conflict(_)))
}

#[cfg(test)]
mod tests {
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::samples::{Sample, small_system};

    /// Two cubes together, propagated and without what follows from the rest, have the states that they had.
    #[test]
    fn random_cubes_keep_their_states() {
        for_seeds!(6_000, |seed| {
            let mut random = Random::new(seed);
            let system = small_system(&mut random, &Profile { process_constants: false, ..Profile::ALL });
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            let state = sample.state(&mut random);
            let first = sample.cube_around(&state, &mut random);
            let second = (0..8).map(|_| {
                let around = sample.neighbour(&state, &mut random);
                sample.cube_around(&around, &mut random)
            });
            let Some(second) = second.into_iter().find(|second| second.named == first.named) else { return };
            let shape = &sample.vocabulary.layout(first.named).shape;
            let words = first.words.iter().zip(&second.words).map(|(one, other)| one & other).collect();
            let relations = [first.relations.clone(), second.relations.clone()].concat();
            let mut both = Draft::new(words, relations);
            let before = both.clone().into_cube(first.named, first.named);
            let interrupt = AtomicBool::new(false);
            let is_refuted = shape.has_empty(&both.words) || !both.simplify(shape, &interrupt);
            if !is_refuted {
                both.remove_implied(shape, &interrupt);
            }
            let after = both.into_cube(first.named, first.named);
            let mut states = vec![state];
            for _ in 0..12 {
                let next = sample.neighbour(random.pick(&states), &mut random);
                states.push(next);
            }
            for state in &states {
                let is_in = !shape.has_empty(&before.words) && sample.is_in(&before, state);
                assert!(!is_refuted || !is_in, "{state:?} is a state of {before:?}");
                assert_eq!(
                    is_in,
                    !is_refuted && sample.is_in(&after, state),
                    "{state:?}, {before:?}, {after:?}"
                );
            }
        });
    }
}
