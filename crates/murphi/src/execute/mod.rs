//! Models that are executed as they are written, at the sizes of the file.
//!
//! ```text
//! Model ─compile─> Program ─explore─> Findings: numbers, and what is wrong, with runs
//!                     │ machine: one rule in one state     └ described as a System that has these runs only
//!                     └ visited: the states, packed
//! ```
//!
//! The [translation](crate::translate) says what a rule does in all states at once. Where that has too many cases, what it
//! does in one state is still easily said. States are those of Murphi: a leaf has a value or none, and the elements of a
//! multiset are sorted.

mod compile;
mod describe;
mod domain;
mod explore;
mod machine;
mod program;
mod visited;

pub use describe::{Findings, Held, Run, Violation};
pub use explore::{End, Goal, Limits, Options, Progress};

use std::sync::Arc;

use polycube_language::System;
use polycube_language::diagnostic::Diagnostic;

use crate::model::Model;
use crate::translate::skeleton::{Skeleton, skeleton};
use domain::UNDEFINED;
use program::Program;

/// A model that can be executed.
#[derive(Clone, Debug)]
pub struct Executable {
    program: Arc<Program>,
    skeleton: Skeleton,
}

impl Executable {
    /// A model, ready to be executed.
    ///
    /// # Errors
    ///
    /// What cannot be executed is refused, with its place.
    pub fn new(model: &Model) -> Result<Executable, Box<Diagnostic>> {
        let program = compile::compile(model)?;
        let skeleton = skeleton(model)?;
        assert_eq!(skeleton.leaves.len(), program.leaves.len(), "both lay out the same variables");
        Ok(Executable { program: Arc::new(program), skeleton })
    }

    /// The symbols, rules and invariants of the file, without what they mean: a system that has no run.
    pub fn outline(&self) -> System {
        self.skeleton.system.clone()
    }

    /// Every state that can be reached, as far as the options say.
    ///
    /// # Errors
    ///
    /// An error in a start state is a mistake of the model.
    pub fn explore(
        &self,
        options: &Options<'_>,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Findings, Box<Diagnostic>> {
        let explored = explore::explore(&self.program, options, progress)?;
        Ok(describe::findings(self, &explored))
    }

    /// The same, and each state afterwards: what the leaves hold, in order. Numbers and Booleans are themselves, and no
    /// element of a scalarset or enumeration is one of another.
    ///
    /// # Errors
    ///
    /// As for [`Executable::explore`].
    pub fn explore_states(
        &self,
        options: &Options<'_>,
        progress: &mut dyn FnMut(&Progress),
        visit: &mut dyn FnMut(&[Option<i64>]),
    ) -> Result<Findings, Box<Diagnostic>> {
        let explored = explore::explore(&self.program, options, progress)?;
        let mut state = vec![UNDEFINED; self.program.leaves.len()];
        for number in 0..explored.states {
            explored.packing.unpack(explored.visited.state(number), &mut state);
            let values = state.iter().map(|value| (*value != UNDEFINED).then_some(*value));
            visit(&values.collect::<Vec<_>>());
        }
        Ok(describe::findings(self, &explored))
    }
}
