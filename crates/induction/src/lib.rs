//! Is an invariant inductive? A small routine that decides obligations by itself.
//!
//! It shares nothing with the engines that find invariants, so that a mistake of theirs does not repeat
//! itself here. For each obligation it looks for a counterexample, as
//! [`smtlib`](polycube_certificate::smtlib) has solvers do: a state of the invariant, and a step to a state
//! that violates a clause. It names the processes of the transition, and those for which the clause is
//! violated (`universe.rs`); what formulas say about these is a formula without quantifiers over the cells
//! that they index (`ground.rs`, `meaning.rs`); whether that can hold is asked of a SAT solver
//! (`question.rs`), with `numbers.rs` for what sets of values cannot say. Clauses have many parts in common,
//! and what these mean is found out once (`claims.rs`, `truths.rs`). The work is cut into jobs for threads
//! (`job.rs`).
//!
//! *What is assumed is never too much.* The invariant is said of some processes only: of those for which a
//! state that the solver proposes violates it. So is everything that holds for all processes. What cannot be
//! said without quantifiers is replaced by an unknown. So "no counterexample" is a proof.
//!
//! *A counterexample is one.* What the solver finds in the end is turned into a state of an instance, and the
//! judge executes the step (`counterexample.rs`). If it does not agree, the obligation remains open.
//!
//! Beside the answer, it says which [instances](Hint) of the clauses each obligation was proved from: few of
//! them, which makes the questions to other solvers short.

// A number that loses its upper bits makes a wrong answer look like any other. (Tests count small numbers.)
#![cfg_attr(
    not(test),
    warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss)
)]

mod claims;
mod counterexample;
mod findings;
mod goal;
mod ground;
mod job;
mod meaning;
mod model;
mod numbers;
mod question;
mod truths;
mod universe;
mod watch;

use std::collections::BTreeMap;

use polycube_certificate::Obligation;
use polycube_certificate::hint::{Hint, Hints};

pub use counterexample::Counterexample;

/// What is known about an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It holds: it follows from these instances of the clauses.
    Proved(Vec<Hint>),
    /// It does not hold.
    Refuted(Box<Counterexample>),
    /// Neither was found.
    Open(Open),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// There was no time for it.
    Stopped,
    /// What was found is no counterexample: something was left out.
    Incomplete,
}

/// What is wanted of each obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Whether it holds. What is proved is proved from no instance in particular.
    Answers,
    /// Also from which instances of clauses it follows: that takes longer.
    Hints,
}

/// How much is wanted, and who may stop it.
pub struct Effort<'e> {
    /// Asked often, by all threads: whether to go on.
    pub goes_on: &'e (dyn Fn() -> bool + Sync),
    /// How many threads may work.
    pub threads: usize,
    pub wanted: Wanted,
}

/// What was found out about an invariant: about each obligation.
#[derive(Clone, Debug, Default)]
pub struct Induction {
    pub findings: BTreeMap<Obligation, Finding>,
    /// Of how many others nothing was found out, because there was no time.
    pub stopped: usize,
    /// How many others hold because the transition changes nothing that the clause speaks of. (If hints are
    /// wanted, these are among the findings.)
    pub unchanged: usize,
}

impl Induction {
    pub fn obligations(&self) -> usize {
        self.findings.len() + self.stopped + self.unchanged
    }

    pub fn proved(&self) -> usize {
        let is_proved = |finding: &&Finding| matches!(finding, Finding::Proved(_));
        self.findings.values().filter(is_proved).count() + self.unchanged
    }

    /// Whether all obligations are proved.
    pub fn is_proved(&self) -> bool {
        self.stopped == 0 && self.findings.values().all(|finding| matches!(finding, Finding::Proved(_)))
    }

    /// The obligations that were proved, with what they were proved from.
    pub fn hints(&self) -> Hints {
        let proved = self.findings.iter().filter_map(|(&obligation, finding)| match finding {
            Finding::Proved(hints) => Some((obligation, hints.clone())),
            Finding::Refuted(_) | Finding::Open(_) => None,
        });
        proved.collect()
    }

    /// An obligation that does not hold.
    pub fn refuted(&self) -> Option<(Obligation, &Counterexample)> {
        self.findings.iter().find_map(|(&obligation, finding)| match finding {
            Finding::Refuted(counterexample) => Some((obligation, &**counterexample)),
            Finding::Proved(_) | Finding::Open(_) => None,
        })
    }
}
