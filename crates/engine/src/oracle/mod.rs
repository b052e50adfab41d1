//! What knows reachable states of small instances, and rejects guesses because of them.
//!
//! It follows section III of the BRAB paper (FMCAD 2013), where the states of one instance are enumerated
//! before the search. Here there are several, larger ones when the search asks for them, and of these only
//! samples.
//!
//! Soundness never rests on an oracle: that a guess is right is proved by the search.

mod guide;
mod instances;
mod known;

use std::fmt::Debug;

use crate::forward::states::{Cell, Conjunction, Literal, States};

pub use guide::{Explored, Fixed, Guide};
pub(crate) use instances::least_processes;
pub use instances::{Instances, Plan};
pub use known::Known;

/// One of the conditions of a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// What it says; its variables are the processes of the cube.
    pub literal: Literal,
    /// The processes that it speaks of, as bits.
    pub processes: u16,
}

/// Rejects candidates, because it knows of states.
pub trait Oracle: Debug + Sync {
    /// How many processes a candidate may speak of so that the answer means something.
    fn processes(&self) -> u32;

    /// Whether it knows all states of an instance with this many processes.
    fn knows_all(&self) -> bool;

    /// If a state is known in which all the chosen atoms hold, for some choice of processes: some atoms that
    /// do not hold in it, as bits. Every candidate without one of these atoms is rejected. Adds to `words`
    /// how many sets of 64 states were looked at.
    fn rejects(&self, atoms: &[Atom], chosen: u64, words: &mut u64) -> Option<u64>;
}

/// The states of an instance.
#[derive(Debug)]
pub struct Reached {
    pub states: States,
    pub complete: bool,
    /// The transitions that were not possible in any of them.
    pub never_fired: Vec<usize>,
}

impl Oracle for Reached {
    fn processes(&self) -> u32 {
        self.states.processes()
    }

    fn knows_all(&self) -> bool {
        self.complete
    }

    fn rejects(&self, atoms: &[Atom], chosen: u64, words: &mut u64) -> Option<u64> {
        let members = |set: u64| (0..atoms.len()).filter(move |&at| set >> at & 1 == 1);
        let spoken = members(chosen).fold(0, |spoken, at| spoken | atoms[at].processes);
        // The processes get numbers: first those that the chosen atoms speak of, then the others.
        let mut order: Vec<u32> = (0..16).filter(|process| spoken >> process & 1 == 1).collect();
        let named = |process: u32| self.states.is_named(process).then_some(process);
        let variables = order.iter().map(|&process| named(process)).collect();
        let literals = members(chosen).map(|at| renamed(&atoms[at].literal, &order));
        let conjunction = Conjunction { variables, literals: literals.collect() };
        let mut witness = self.states.witness(&conjunction, words)?;
        // Any choice of the other processes without a name that atoms speak of gives a valid answer. Those without any
        // are no part of it.
        let all = atoms.iter().fold(0, |all, atom| all | atom.processes);
        let is_free = |process: &u32| !witness.processes.contains(process) && named(*process).is_none();
        let free: Vec<u32> = (0..Oracle::processes(self)).filter(is_free).collect();
        let mut free = free.into_iter();
        for process in (0..16).filter(|process| (all & !spoken) >> process & 1 == 1) {
            if let Some(own) = named(process).or_else(|| free.next()) {
                order.push(process);
                witness.processes.push(own);
            }
        }
        let known = order.iter().fold(0, |known, process| known | 1u16 << process);
        let fails = |atom: &Atom| {
            atom.processes & !known != 0
                || !self.states.holds(witness.state, &renamed(&atom.literal, &order), &witness.processes)
        };
        Some((0..atoms.len()).filter(|&at| fails(&atoms[at])).fold(0, |failing, at| failing | 1 << at))
    }
}

/// A literal in which the process `order[i]` is called i. Processes that are not there are not told apart
/// from those that have no name at all.
fn renamed(literal: &Literal, order: &[u32]) -> Literal {
    let rename = |process: u32| {
        let place = order.iter().position(|&other| other == process)?;
        Some(u32::try_from(place).expect("a cube names few processes"))
    };
    let cell = |cell: &Cell| Cell {
        symbol: cell.symbol,
        indices: cell.indices.iter().map(|&index| rename(index).expect("it is spoken of")).collect(),
    };
    match literal {
        Literal::Values(first, values) => Literal::Values(cell(first), values.clone()),
        Literal::Processes { cell: first, variables, others } => {
            let allowed: Vec<u32> = variables.iter().filter_map(|&process| rename(process)).collect();
            Literal::Processes { cell: cell(first), variables: allowed, others: *others }
        }
        Literal::Same(left, right) => Literal::Same(cell(left), cell(right)),
        Literal::Different(left, right) => Literal::Different(cell(left), cell(right)),
        Literal::Linear { terms, constant, comparison } => Literal::Linear {
            terms: terms.iter().map(|(one, factor)| (cell(one), *factor)).collect(),
            constant: *constant,
            comparison: *comparison,
        },
        Literal::Each { besides, situations } => {
            // The process in a situation comes after all others.
            let other = u32::try_from(besides.len()).expect("a cube names few processes");
            let order: Vec<u32> = order.iter().copied().chain([other]).collect();
            let situation = |literals: &Vec<Literal>| -> Vec<Literal> {
                literals.iter().map(|literal| renamed(literal, &order)).collect()
            };
            Literal::Each {
                besides: besides.iter().map(|&process| rename(process).expect("it is spoken of")).collect(),
                situations: situations.iter().map(situation).collect(),
            }
        }
    }
}
