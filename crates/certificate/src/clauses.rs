//! Whether a state is initial, and whether it violates a property: clauses with parameters, in a state.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use polycube_language::formula::{Formula, Term, Variable};
use polycube_language::system::Property;

use crate::explain::{Explanation, joined, why_fails};
use crate::instance::Instance;
use crate::interpreter::{Assignment, Context};
use crate::state::State;

/// An `init` clause that does not hold in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotInitial {
    /// Its index in the system.
    pub clause: usize,
    /// Processes in place of its parameters for which it does not hold.
    pub processes: Vec<u32>,
    /// What part of it does not hold for them.
    pub reasons: Vec<Explanation>,
}

/// Whether all `init` clauses hold, for all processes in place of their parameters. Those may coincide.
pub fn is_initial(instance: &Instance<'_>, state: &State) -> Result<(), NotInitial> {
    for (clause, init) in instance.system().init.iter().enumerate() {
        let wanted = Wanted { truth: false, are_distinct: false };
        if let Some(processes) = wanted.find(instance, &init.formula, &init.parameters, state) {
            let reasons =
                why_fails(instance, &init.formula, &init.parameters, &processes, state, init.origin);
            return Err(NotInitial { clause, processes, reasons });
        }
    }
    Ok(())
}

/// Pairwise distinct processes in place of the parameters of a property for which its formula holds: where
/// there are some, the state is one that must not be reached. The first ones, if it mentions all parameters.
pub fn violates(instance: &Instance<'_>, property: &Property, state: &State) -> Option<Vec<u32>> {
    first_distinct(instance, &property.formula, &property.parameters, state)
}

/// Pairwise distinct processes in place of the parameters for which a formula holds.
pub fn first_distinct(
    instance: &Instance<'_>,
    formula: &Formula,
    parameters: &[Variable],
    state: &State,
) -> Option<Vec<u32>> {
    Wanted { truth: true, are_distinct: true }.find(instance, formula, parameters, state)
}

/// What to look for: processes in place of parameters for which a formula holds, or does not.
#[derive(Clone, Copy)]
struct Wanted {
    truth: bool,
    are_distinct: bool,
}

impl Wanted {
    /// Such processes, if there are any. The parameters that the formula mentions get processes one after the
    /// other, the smallest first, until its truth is known; if it is not the wanted one, the last of them
    /// gets the next process. So a disjunction about many parameters does not take all their tuples.
    /// Parameters that are left over get any process.
    fn find(
        self,
        instance: &Instance<'_>,
        formula: &Formula,
        parameters: &[Variable],
        state: &State,
    ) -> Option<Vec<u32>> {
        let count = instance.processes();
        if self.are_distinct && parameters.len() > count as usize {
            return None;
        }
        let mentioned = mentioned(formula, parameters);
        let mut chosen: Vec<u32> = Vec::new();
        loop {
            let assignment = &Assignment::of(mentioned.iter().map(|&at| &parameters[at]), &chosen);
            match (Context { instance, state, assignment }).truth(formula) {
                Some(truth) if truth == self.truth => break,
                Some(_) => {}
                None => chosen.push(0),
            }
            // The next process for the last parameter that has one left.
            loop {
                let last = chosen.pop()?;
                let is_free = |process: &u32| !self.are_distinct || !chosen.contains(process);
                if let Some(process) = (last + 1..=count).find(is_free) {
                    chosen.push(process);
                    break;
                }
            }
        }
        let mut processes = vec![0; parameters.len()];
        mentioned.iter().zip(chosen).for_each(|(&at, process)| processes[at] = process);
        for at in 0..processes.len() {
            if processes[at] == 0 {
                let is_free = |process: &u32| !self.are_distinct || !processes.contains(process);
                processes[at] = (1..=count).find(is_free).expect("there are as many processes as parameters");
            }
        }
        Some(processes)
    }
}

/// The positions of the parameters that a formula mentions.
fn mentioned(formula: &Formula, parameters: &[Variable]) -> Vec<usize> {
    let mut is_mentioned = vec![false; parameters.len()];
    let mut note = |term: &Term| {
        if let Term::Variable(variable) = term
            && let Some(at) = parameters.iter().position(|parameter| parameter.id == *variable)
        {
            is_mentioned[at] = true;
        }
    };
    formula.for_each_comparison(&mut |comparison| {
        comparison.left.for_each_part(&mut note);
        comparison.right.for_each_part(&mut note);
    });
    (0..parameters.len()).filter(|&at| is_mentioned[at]).collect()
}

impl Display for NotInitial {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "an `init` clause does not hold: {}", joined(&self.reasons))
    }
}

impl Error for NotInitial {}
