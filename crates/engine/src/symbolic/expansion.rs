//! From conditions to cubes: a disjunctive normal form, of what is consistent. (The Cubicle paper, CAV 2012,
//! section 3, only says that a preimage is a union of cubes.)

use std::ops::ControlFlow;

use polycube_smt::relation::Variable;
use polycube_smt::shape::{Shape, is_subset, nonempty};

use super::effort::{Effort, TooMany};
use super::tree::Tree;
use crate::cube::Draft;

impl Draft {
    /// Adds a condition. Disjunctions in it go to `pending`. Returns false if the condition contradicts the
    /// draft; a contradiction may be missed.
    pub fn assert(&mut self, shape: &Shape, tree: Tree, pending: &mut Vec<Tree>) -> bool {
        match tree {
            Tree::True => true,
            Tree::False => false,
            Tree::Within(cell, values) => {
                let field = shape.field(cell).expect("a cell of a finite type has a field");
                field.restrict(&mut self.words, values)
            }
            Tree::Relation(relation) => {
                if self.relations.contains(&relation) {
                    return true;
                }
                let possible = !self.relations.contains(&relation.negated());
                self.relations.push(relation);
                possible
            }
            Tree::Others(condition) => {
                self.others |= 1 << condition;
                true
            }
            Tree::And(parts) => parts.into_iter().all(|part| self.assert(shape, part, pending)),
            Tree::Or(_) => {
                pending.push(tree);
                true
            }
        }
    }

    /// The condition, simplified by what the draft says. Meaningless once `effort` is exhausted.
    fn simplified(&self, shape: &Shape, tree: &Tree, effort: &Effort<'_>) -> Tree {
        match tree {
            Tree::Others(condition) if self.others >> condition & 1 == 1 => Tree::True,
            Tree::True | Tree::False | Tree::Others(_) => tree.clone(),
            Tree::Within(cell, values) => Tree::within(shape, &self.words, *cell, *values),
            Tree::Relation(relation) => {
                if self.relations.contains(relation) {
                    Tree::True
                } else if self.relations.contains(&relation.negated()) {
                    Tree::False
                } else {
                    tree.clone()
                }
            }
            Tree::And(parts) | Tree::Or(parts) if effort.spend(parts.len() as u64).is_err() => Tree::False,
            Tree::And(parts) | Tree::Or(parts) => {
                let is_conjunction = matches!(tree, Tree::And(_));
                let decisive = Tree::constant(!is_conjunction);
                let mut kept = Vec::with_capacity(parts.len());
                for part in parts {
                    let part = self.simplified(shape, part, effort);
                    if part == decisive {
                        return decisive;
                    }
                    kept.push(part);
                }
                if is_conjunction { Tree::all(kept) } else { Tree::any(kept) }
            }
        }
    }
}

/// Cases: a disjunctive normal form in the making.
pub struct Cases<'c> {
    shape: &'c Shape,
    left: usize,
    effort: &'c Effort<'c>,
    visit: &'c mut Visit<'c>,
}

/// What is done with each case, until it says that this is enough.
type Visit<'c> = dyn FnMut(Draft) -> Result<ControlFlow<()>, TooMany> + 'c;

impl<'c> Cases<'c> {
    /// How many cases are looked at, those included that turn out to be impossible.
    const MOST: usize = 5_000;

    /// Calls `visit` with conjunctions whose union is the draft with all pending conditions, until it says
    /// that this is enough. Not all of them need be satisfiable: relations are mostly compared with negations
    /// only.
    pub fn of(
        shape: &'c Shape,
        draft: Draft,
        pending: Vec<Tree>,
        effort: &'c Effort<'c>,
        visit: &'c mut Visit<'c>,
    ) -> Result<(), TooMany> {
        Cases { shape, left: Cases::MOST, effort, visit }.expand(draft, pending).map(|_| ())
    }

    fn expand(&mut self, mut draft: Draft, mut pending: Vec<Tree>) -> Result<ControlFlow<()>, TooMany> {
        self.left = self.left.checked_sub(1).ok_or(TooMany::Cases)?;
        self.effort.spend((draft.words.len() + pending.len()) as u64)?;
        // What is known may decide a disjunction, and that may decide others.
        let mut from = 0;
        while from < pending.len() {
            match draft.simplified(self.shape, &pending[from], self.effort) {
                Tree::True => {
                    pending.swap_remove(from);
                }
                tree @ Tree::Or(_) => {
                    pending[from] = tree;
                    from += 1;
                }
                tree => {
                    pending.swap_remove(from);
                    if !draft.assert(self.shape, tree, &mut pending) {
                        return if self.effort.is_exhausted() {
                            Err(TooMany::Cases)
                        } else {
                            Ok(ControlFlow::Continue(()))
                        };
                    }
                    from = 0;
                }
            }
        }
        if self.effort.is_exhausted() {
            return Err(TooMany::Cases);
        }
        let size = |tree: &Tree| match tree {
            Tree::Or(parts) => parts.len(),
            _ => 0,
        };
        let Some(smallest) = (0..pending.len()).min_by_key(|&at| size(&pending[at])) else {
            return (self.visit)(draft);
        };
        // Many disjunctions are many cases: it pays to find out early that there are none.
        if pending.len() > 2
            && !draft.relations.is_empty()
            && !draft.is_consistent(self.shape, self.effort.interrupt())
        {
            return Ok(ControlFlow::Continue(()));
        }
        let Tree::Or(cases) = pending.swap_remove(smallest) else { panic!("only disjunctions are pending") };
        for case in cases {
            let (mut draft, mut pending) = (draft.clone(), pending.clone());
            if draft.assert(self.shape, case, &mut pending) && self.expand(draft, pending)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The most relations of a draft from which a variable is eliminated.
const MAX_RELATIONS: usize = 100;

/// Quantifies variables that are not cells existentially, and eliminates them. Returns conjunctions whose
/// union is the result; `None` if it cannot be expressed, or would be too large.
pub fn eliminate(draft: &Draft, variables: &[Variable]) -> Option<Vec<Draft>> {
    let mut drafts = vec![draft.clone()];
    // Nothing to do in most cases.
    for &variable in variables {
        let mut without = Vec::new();
        for draft in drafts {
            if !draft.relations.iter().any(|relation| relation.variables().any(|other| other == variable)) {
                without.push(draft);
                continue;
            }
            // Each variable may square their number.
            if draft.relations.len() > MAX_RELATIONS {
                return None;
            }
            for relations in polycube_smt::eliminate::eliminate(variable, &draft.relations)? {
                if without.len() > Drafts::MOST {
                    return None;
                }
                without.push(Draft { relations, ..draft.clone() });
            }
        }
        drafts = without;
    }
    Some(drafts)
}

/// Conjunctions that are simplified, consistent, and not contained in each other; those that differ in one
/// cell only are joined.
#[derive(Debug, Default)]
pub struct Drafts {
    kept: Vec<Draft>,
}

impl Drafts {
    const MOST: usize = 300;

    pub fn add(&mut self, shape: &Shape, mut draft: Draft, effort: &Effort<'_>) -> Result<(), TooMany> {
        if draft.simplify(shape, effort.interrupt()) {
            draft.remove_implied(shape, effort.interrupt());
            self.add_simplified(shape, draft, effort)?;
        }
        if self.kept.len() > Drafts::MOST { Err(TooMany::Cases) } else { Ok(()) }
    }

    pub fn len(&self) -> usize {
        self.kept.len()
    }

    pub fn into_drafts(self) -> Vec<Draft> {
        self.kept
    }

    fn add_simplified(
        &mut self,
        shape: &Shape,
        mut draft: Draft,
        effort: &Effort<'_>,
    ) -> Result<(), TooMany> {
        let kept = &mut self.kept;
        let mut at = 0;
        while at < kept.len() {
            let other = &kept[at];
            effort.spend(draft.words.len() as u64)?;
            if contains(other, &draft) {
                return Ok(());
            }
            if contains(&draft, other) {
                kept.swap_remove(at);
            } else if let Some(joined) = join(shape, other, &draft) {
                // The union may contain or join others that were passed already.
                kept.swap_remove(at);
                draft = joined;
                at = 0;
            } else {
                at += 1;
            }
        }
        kept.push(draft);
        Ok(())
    }
}

fn contains(large: &Draft, small: &Draft) -> bool {
    is_subset(&small.words, &large.words)
        && large.relations.iter().all(|relation| small.relations.binary_search(relation).is_ok())
        && large.others & !small.others == 0
}

/// The union of two conjunctions, where it is one: they differ in the values of one cell.
fn join(shape: &Shape, left: &Draft, right: &Draft) -> Option<Draft> {
    if left.relations != right.relations || left.others != right.others {
        return None;
    }
    let mut differing = 0;
    for at in 0..left.words.len() {
        let difference = left.words[at] ^ right.words[at];
        differing += nonempty(difference, shape.bits[at], shape.guards[at]).count_ones();
        if differing > 1 {
            return None;
        }
    }
    let words = left.words.iter().zip(&right.words).map(|(left, right)| left | right).collect();
    Some(Draft { words, ..left.clone() })
}
