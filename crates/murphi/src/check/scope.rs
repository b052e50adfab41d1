//! The names that are visible at one place. An inner declaration hides an outer one.

use std::collections::hash_map::Entry;

use polycube_language::span::Span;
use polycube_language::suggest::nearest;
use rustc_hash::FxHashMap;

use crate::model::{LocalId, RoutineId, Size, TypeId};
use crate::syntax::Name;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Number(Size),
    Boolean(bool),
    /// A value of an enumeration.
    Constant(TypeId, u32),
    Type(TypeId),
    Global(u32),
    Local(LocalId),
    Routine(RoutineId),
}

#[derive(Debug)]
pub(super) struct Scope<'s> {
    /// From the outermost to the innermost.
    levels: Vec<FxHashMap<&'s str, (Meaning, Span)>>,
}

impl Default for Scope<'_> {
    fn default() -> Self {
        Scope { levels: vec![FxHashMap::default()] }
    }
}

impl<'s> Scope<'s> {
    pub fn enter(&mut self) {
        self.levels.push(FxHashMap::default());
    }

    pub fn leave(&mut self) {
        self.levels.pop();
        assert!(!self.levels.is_empty(), "the outermost level stays");
    }

    /// Binds a name at the innermost level. Where it was bound there before, if it was: then it keeps its meaning.
    pub fn bind(&mut self, name: Name<'s>, meaning: Meaning) -> Option<Span> {
        match self.levels.last_mut().expect("there is a level").entry(name.text) {
            Entry::Occupied(known) => Some(known.get().1),
            Entry::Vacant(place) => {
                place.insert((meaning, name.span));
                None
            }
        }
    }

    pub fn get(&self, name: &str) -> Option<&Meaning> {
        self.levels.iter().rev().find_map(|level| level.get(name)).map(|(meaning, _)| meaning)
    }

    pub fn similar(&self, name: &str) -> Option<&'s str> {
        let mut names: Vec<&'s str> = self.levels.iter().flat_map(|level| level.keys().copied()).collect();
        names.sort_unstable();
        nearest(name, names)
    }
}
