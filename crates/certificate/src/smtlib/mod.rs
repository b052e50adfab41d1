//! Obligations as questions to solvers, in SMT-LIB 2.6: each is proved if the answer is `unsat`.
//!
//! A question asks for a counterexample: a state, and what follows it, for which the claim is wrong. The
//! processes that such a counterexample speaks of are constants. What holds for *all* processes (the
//! invariant, `init`, universal guards) is said of these constants, and of the processes that they point at,
//! instance by instance. So the questions have no quantifiers, unless the model has some in unusual places.
//! Instances follow from what they are instances of, so `unsat` is a proof whatever instances there are;
//! fewer of them can only mean that less is proved. That few of them are enough is what `polycube-induction`
//! finds out.
//!
//! What must be complete is the list of cases. Of the processes for which a clause is violated, some number L
//! are not parameters of the transition; they are called `o.1` to `o.L`, in order. Level L asks about every
//! such arrangement, and assumes no further process: there may be none.
//!
//! There is one [`Script`] for the initial states, one for each transition, and one for each property.
//! `text.rs` has the words, `script.rs` the sentences.
//!
//! Names. `s.X` is a symbol of the model in a state, `n.X` in the next one; `t.`, `e.`, `p.` stand before
//! types, values of enumerations and processes. So no name of a model can be mistaken for one that solvers
//! know.

mod room;
mod script;
mod text;

use polycube_language::System;

use crate::hint::Hints;
use crate::invariant::{Invariant, Obligation};

pub use room::{NoScripts, Room};
pub use script::script_of;

/// A file with questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// A name for it, without an extension: letters, digits, `_` and `-`.
    pub name: String,
    /// What it states, in words.
    pub title: String,
    /// The script.
    pub text: String,
    /// For each `(check-sat)`, the obligations that it is a part of. An obligation is proved if the answer to
    /// all of these is `unsat`.
    pub checks: Vec<Vec<Obligation>>,
}

/// The questions that prove an invariant, if the answer to each is `unsat`.
pub fn scripts(
    system: &System,
    invariant: &Invariant,
    hints: &Hints,
    room: &Room<'_>,
) -> Result<Vec<Script>, NoScripts> {
    // One obligation of each script.
    let initially = [Obligation::Initially { clause: 0 }].into_iter();
    let steps =
        (0..system.transitions.len()).map(|transition| Obligation::Preserved { transition, clause: 0 });
    let properties = (0..system.properties.len()).map(|property| Obligation::Excludes { property });
    let obligations = initially.chain(steps).chain(properties);
    obligations.map(|obligation| script_of(system, invariant, hints, room, obligation)).collect()
}

/// The name of the script with the questions of an obligation.
pub fn script_name(system: &System, obligation: Obligation) -> String {
    match obligation {
        Obligation::Initially { .. } => "initially".to_owned(),
        // Names of files may not be long; the number tells them apart.
        Obligation::Preserved { transition, .. } => {
            format!("step-{:02}-{:.100}", transition + 1, system.transitions[transition].name)
        }
        Obligation::Excludes { property } => format!("property-{}", property + 1),
    }
}
