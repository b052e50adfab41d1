//! What conditions say of the processes that are not named: universal cubes (Conchon and Roux, "Reasoning
//! about Universal Cubes in MCMT", there only in a finite domain).
//!
//! What a formula says of all processes, it says of each that is not named, by itself: a condition over one
//! more process, the last. Its disjunctive normal form are the situations of a cube ([`Others`]). It is
//! weaker than the formula where it speaks of two such processes at once, of yet another one that a cell
//! points at, or of a number that a step chooses once for all of them.

use std::ops::ControlFlow;

use polycube_smt::relation::Variable;

use super::condition::{Chosen, Conditions};
use super::expansion::{Cases, Drafts};
use super::tree::Tree;
use crate::cube::others::Others;
use crate::cube::{Cube, Draft};

/// What becomes of what a guard says of all processes, beside those that are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Universal {
    /// It is forgotten, as if the others had crashed.
    Forgotten,
    /// It is kept, as far as it can be said of each of the others by itself.
    Kept,
}

impl<'v, 's> Conditions<'v, 's> {
    /// Whether what is said of all others can be said here.
    pub(super) fn keeps_others(&self) -> bool {
        self.universal == Universal::Kept
            && self.vocabulary.is_open()
            && self.weakening == 0
            && self.layout.named < self.vocabulary.max_named
    }

    /// What `each` says of one more process, the last, holds for all that are not named.
    pub fn of_other(&mut self, each: &mut dyn FnMut(&mut Conditions<'v, 's>, u8) -> Tree) -> Tree {
        let (vocabulary, layout) = (self.vocabulary, self.layout);
        let wider = vocabulary.layout(layout.named + 1);
        let known = Draft::new(self.draft.clone(), Vec::new()).into_cube(layout.named, layout.named);
        let choice = |&(cell, chosen): &(Variable, Chosen)| {
            let chosen = match chosen {
                Chosen::Point(point) => Chosen::Point(point),
                // What is no cell comes after all cells.
                Chosen::Variable(Variable(number)) => {
                    let number = usize::from(number) - layout.cells() + wider.cells();
                    let number = u16::try_from(number).expect("cells take at most half of the numbers");
                    Chosen::Variable(Variable(number))
                }
            };
            (wider.cell(layout.symbol(cell), layout.indices(cell)), chosen)
        };
        let mut inner = Conditions {
            vocabulary,
            layout: wider,
            draft: known.over(vocabulary, layout.named + 1).words,
            outside: false,
            weakened: false,
            choices: self.choices.iter().map(choice).collect(),
            effort: self.effort.take(),
            universal: Universal::Forgotten,
            others: Vec::new(),
            processes: self.processes.clone(),
            weakening: 1,
        };
        let mut condition = each(&mut inner, layout.named);
        self.effort = inner.effort;
        let is_no_cell = |variable: Variable| usize::from(variable.0) >= wider.cells();
        self.weakened |= inner.weakened | condition.drop_relations(&is_no_cell);
        if condition == Tree::True {
            return Tree::True;
        }
        let known = self.others.iter().position(|other| *other == condition);
        let number = known.unwrap_or_else(|| {
            self.others.push(condition);
            self.others.len() - 1
        });
        // A draft has a bit for each.
        match u8::try_from(number).ok().filter(|&number| u32::from(number) < u64::BITS) {
            Some(number) => Tree::Others(number),
            None => {
                self.weakened = true;
                Tree::True
            }
        }
    }

    /// The cubes that drafts have become, with what they say of others.
    pub fn cubes(&mut self, drafts: Drafts, at_least: u8) -> Vec<Cube> {
        let at_least = at_least.max(self.layout.named);
        drafts.into_drafts().into_iter().filter_map(|draft| self.cube(draft, at_least)).collect()
    }

    /// None if it has no states.
    fn cube(&mut self, draft: Draft, at_least: u8) -> Option<Cube> {
        let (vocabulary, named) = (self.vocabulary, self.layout.named);
        let conditions = (0..).zip(&self.others).filter(|(number, _)| draft.others >> number & 1 == 1);
        let conditions: Vec<Tree> = conditions.map(|(_, condition)| condition.clone()).collect();
        let mut cube = draft.into_cube(named, at_least);
        if conditions.is_empty() {
            return Some(cube);
        }
        let shape = &vocabulary.layout(named + 1).shape;
        let mut draft = cube.over(vocabulary, named + 1);
        let (mut pending, mut situations) = (Vec::new(), Vec::new());
        let is_possible = conditions.into_iter().all(|tree| draft.assert(shape, tree, &mut pending));
        let mut add = |mut draft: Draft| {
            if draft.simplify(shape, self.effort.interrupt()) {
                situations.push(draft.into_cube(named + 1, named + 1));
            }
            Ok(ControlFlow::Continue(()))
        };
        if is_possible && Cases::of(shape, draft, pending, &self.effort, &mut add).is_err() {
            self.weakened = true;
            return Some(cube);
        }
        let others = Others::of(vocabulary, &cube, situations);
        // There is always a process.
        if others.are_none() && at_least.max(1) > named {
            return None;
        }
        let is_all = others.allow_all(vocabulary);
        cube.others = others.if_useful(vocabulary);
        self.weakened |= cube.others.is_none() && !is_all;
        Some(cube)
    }
}
