//! `for` over the processes: one iteration stands for all.
//!
//! The body is run once, with a variable for the process. That is exact if no iteration reads what another one
//! writes, and if it does not matter in which order they write:
//!
//! - a cell with the process among its indices is written by one iteration only;
//! - what does not depend on the process at all is the same in each iteration, and there is at least one;
//! - a value that does not depend on the process, in a cell that does not either, is written if some iteration
//!   writes it, and all that is written there is the same.
//!
//! Everything else is refused, but for numbers that are added up: `counting.rs`.

use std::collections::BTreeSet;

use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::formula::{Formula, Quantifier, Term, Variable, VariableId};
use polycube_language::span::Span;

use super::evaluate::quantified;
use super::execute::Activation;
use super::place::Environment;
use super::value::Atom;
use super::writes::{Read, Write, mentions};
use super::{Refused, Result, Translator, refuse};
use crate::model::{LocalId, Statement};

/// How a write depends on the process of its iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dependence {
    /// Its cell has it at this index.
    Own(usize),
    /// Not at all.
    None,
    /// Only in its condition.
    Condition,
    /// In another way.
    Other,
}

impl Translator<'_> {
    pub(super) fn for_all(
        &mut self,
        (local, process): (LocalId, &Variable),
        body: &[Statement],
        environment: &mut Environment,
        activation: &mut Activation,
        span: Span,
    ) -> Result<()> {
        let (errors, writes, reads) = (self.errors.len(), self.log.len(), self.reads.len());
        let leaves = self.leaves.len() as u32;
        let returned = activation.returned.clone();
        let counted = self.begin_counting(body, local, environment)?;
        self.statements(body, environment, activation)?;
        if activation.returned != returned {
            return refuse(
                span,
                "`return` inside a loop over processes: what is done before it would depend on their order",
            );
        }
        let added = self.end_counting(counted, (writes, errors, reads))?;
        for mishap in &mut self.errors[errors..] {
            mishap.condition = quantified(Quantifier::Exists, process, mishap.condition.clone());
        }
        let mut made = self.log.split_off(writes);
        // Parameters and variables of routines that the body calls are new in each iteration, and gone after it.
        made.retain(|write| write.leaf.0 < leaves);
        if self.is_start {
            self.last_of_all(&mut made, process.id);
        }
        let kinds: Vec<Dependence> = made.iter().map(|write| dependence(write, process.id)).collect();
        for (at, write) in made.iter().enumerate() {
            let place = self.leaf(write.leaf).name.join("i");
            for read in self.reads[reads..].iter().filter(|read| read.leaf == write.leaf) {
                let is_own = |index: usize| read.indices[index] == Term::Variable(process.id);
                let is_apart = matches!(kinds[at], Dependence::Own(index) if is_own(index));
                // What the same iteration has written before.
                let is_fresh = read.since.is_some_and(|since| since >= writes);
                if !is_apart && !is_fresh {
                    let message = format!(
                        "the iterations of this loop depend on their order: `{place}` is read and written"
                    );
                    let diagnostic = Diagnostic::error(Code::Unsupported, read.span, message);
                    let diagnostic = diagnostic.label("read here").also(write.span, "written here");
                    return Err(Refused(Box::new(diagnostic)));
                }
            }
            let conflict = made
                .iter()
                .zip(&kinds)
                .find(|(other, kind)| other.leaf == write.leaf && !agree(write, kinds[at], other, **kind));
            if kinds[at] == Dependence::Other || conflict.is_some() {
                let message = format!(
                    "the iterations of this loop depend on their order: the last one that writes `{place}` decides"
                );
                let diagnostic = Diagnostic::error(Code::Unsupported, write.span, message);
                self.last.entry(write.leaf).or_insert(diagnostic);
            }
        }
        for (mut write, mut kind) in made.into_iter().zip(kinds) {
            if self.last.contains_key(&write.leaf) {
                // Some iteration may have written some cell: that is said of all of them.
                write = self.of_all_cells(&write);
                kind = Dependence::None;
            }
            match kind {
                Dependence::Own(_) => write.bound.push(process.id),
                Dependence::None => {}
                Dependence::Condition => {
                    write.condition = quantified(Quantifier::Exists, process, write.condition);
                }
                Dependence::Other => unreachable!("such a leaf is one of those above"),
            }
            self.log.push(write);
        }
        added.into_iter().try_for_each(|added| self.add_up(added, process))
    }

    /// What every iteration writes to the same cell is what the last one writes. All loops of a start state end
    /// with the same process: some process, or the greatest where processes have an order.
    fn last_of_all(&mut self, made: &mut [Write], process: VariableId) {
        for write in made {
            let mut is_mentioned = write.indices.iter().any(|index| mentions(index, process));
            write.condition.for_each_mentioned(&mut |variable| is_mentioned |= variable == process);
            if write.value.mentions(process) && !is_mentioned {
                let last = match &self.last_process {
                    Some(last) => last.id,
                    None => {
                        let last = self.fresh("last");
                        self.last_process.insert(last).id
                    }
                };
                write.value = write
                    .value
                    .substituted(&|variable| (variable == process).then_some(Term::Variable(last)));
            }
        }
    }

    /// The values of a union are processes and constants. Which of them come first is not known here: so what is
    /// done for the one must not concern the other.
    pub(super) fn expect_apart(&self, first: (usize, usize), then: (usize, usize), span: Span) -> Result<()> {
        let written = |writes: &[Write]| writes.iter().map(|write| write.leaf).collect::<BTreeSet<_>>();
        let read = |reads: &[Read]| reads.iter().map(|read| read.leaf).collect::<BTreeSet<_>>();
        let [one, other] = [written(&self.log[first.0..then.0]), written(&self.log[then.0..])];
        let [one_read, other_read] = [read(&self.reads[first.1..then.1]), read(&self.reads[then.1..])];
        if one.is_disjoint(&other) && one.is_disjoint(&other_read) && one_read.is_disjoint(&other) {
            return Ok(());
        }
        refuse(span, "the iterations of this loop over a union depend on their order")
    }

    /// Any value in any cell of a leaf.
    fn of_all_cells(&mut self, write: &Write) -> Write {
        let indices = self.indices(write.leaf);
        let bound = indices.iter().map(|index| index.id).collect();
        let indices = indices.iter().map(|index| Term::Variable(index.id)).collect();
        Write {
            leaf: write.leaf,
            bound,
            condition: Formula::TRUE,
            indices,
            value: Atom::Last,
            span: write.span,
        }
    }

    /// What the order decides is used.
    pub(super) fn order_matters<T>(&self) -> Result<T> {
        let mut reasons = self.last.values().chain(&self.known.reasons);
        let first = reasons.next().expect("some leaf depends on an order, or did so when it was left out");
        Err(Refused(Box::new(first.clone())))
    }
}

fn dependence(write: &Write, process: VariableId) -> Dependence {
    if let Some(index) = write.indices.iter().position(|index| *index == Term::Variable(process)) {
        return Dependence::Own(index);
    }
    if write.indices.iter().any(|index| mentions(index, process)) || write.value.mentions(process) {
        return Dependence::Other;
    }
    let mut is_mentioned = false;
    write.condition.for_each_mentioned(&mut |variable| is_mentioned |= variable == process);
    if is_mentioned { Dependence::Condition } else { Dependence::None }
}

/// Whether it does not matter in which order two iterations do these writes.
fn agree(one: &Write, kind: Dependence, other: &Write, other_kind: Dependence) -> bool {
    match (kind, other_kind) {
        (Dependence::Own(one), Dependence::Own(other)) => one == other,
        (Dependence::None, Dependence::None) => true,
        (Dependence::Condition | Dependence::None, Dependence::Condition | Dependence::None) => {
            one.indices == other.indices && one.value == other.value && one.bound == other.bound
        }
        _ => false,
    }
}
