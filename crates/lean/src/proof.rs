//! An invariant, and from which of its clauses each of its obligations follows.
//!
//! That makes it cheap to try another invariant: only what the change concerns is proved again.

use std::collections::{BTreeMap, BTreeSet};

use polycube_certificate::hint::Hint;
use polycube_certificate::{Clause, Invariant, Obligation};
use polycube_engine::backward::Witnesses;
use polycube_induction::{Effort, Finding, Induction};
use polycube_language::System;

use crate::claim::property_of;

/// An inductive invariant that excludes all properties. Always: each change is proved before it is made.
pub(crate) struct Proof<'s> {
    system: &'s System,
    /// States in which every claim holds that is inductive, if any are known.
    witnesses: Option<&'s Witnesses<'s>>,
    invariant: Invariant,
    /// The numbers of the clauses that each obligation follows from.
    needs: BTreeMap<Obligation, BTreeSet<usize>>,
    /// How many obligations may still be proved again, to try something.
    questions: usize,
}

impl<'s> Proof<'s> {
    /// The proof of an invariant, if it is inductive.
    pub(crate) fn new(system: &'s System, invariant: Invariant, effort: &Effort<'_>) -> Option<Proof<'s>> {
        let all = Obligation::all(system, &invariant).into_iter().collect();
        let induction = Induction::proof(system, &invariant, &all, effort)?;
        Proof::found(system, invariant, induction, usize::MAX)
    }

    /// The proof that was found, if it is complete and has hints. So many obligations may be proved again.
    pub(crate) fn found(
        system: &'s System,
        invariant: Invariant,
        induction: Induction,
        questions: usize,
    ) -> Option<Proof<'s>> {
        let needs = needs(system, &invariant, induction)?;
        Some(Proof { system, witnesses: None, invariant, needs, questions })
    }

    /// The same, with states in which claims that are not inductive may be seen to be wrong.
    pub(crate) fn with(self, witnesses: &'s Witnesses<'s>) -> Proof<'s> {
        Proof { witnesses: Some(witnesses), ..self }
    }

    pub(crate) fn clauses(&self) -> &[Clause] {
        &self.invariant.clauses
    }

    pub(crate) fn into_parts(self) -> (Invariant, BTreeMap<Obligation, BTreeSet<usize>>) {
        (self.invariant, self.needs)
    }

    /// How many obligations, other than its own, follow from each clause among others.
    pub(crate) fn uses(&self) -> Vec<usize> {
        let mut uses = vec![0; self.clauses().len()];
        for (obligation, needs) in &self.needs {
            needs
                .iter()
                .filter(|&&clause| about(*obligation) != Some(clause))
                .for_each(|&clause| uses[clause] += 1);
        }
        uses
    }

    /// Leaves out the clauses that no property needs, directly or not. What is left is a proof: whatever has to be
    /// proved of it was proved from clauses that are left.
    pub(crate) fn keep_what_is_needed(&mut self) {
        let mut next: BTreeSet<usize> = BTreeSet::new();
        let mut needs = vec![BTreeSet::new(); self.clauses().len()];
        for (obligation, clauses) in &self.needs {
            match about(*obligation) {
                Some(clause) => needs[clause].extend(clauses),
                None => next.extend(clauses),
            }
        }
        let mut kept = BTreeSet::new();
        while let Some(clause) = next.pop_first() {
            if kept.insert(clause) {
                next.extend(&needs[clause]);
            }
        }
        self.leave_out(&(0..self.clauses().len()).filter(|clause| !kept.contains(clause)).collect());
    }

    /// Does without some clauses, if the others are enough. Whether they are. What was proved without the dropped ones
    /// stays proved; the rest is proved again.
    pub(crate) fn without(&mut self, dropped: &BTreeSet<usize>, effort: &Effort<'_>) -> bool {
        let is_kept =
            |obligation: &Obligation| about(*obligation).is_none_or(|clause| !dropped.contains(&clause));
        let concerned: Vec<Obligation> = (self.needs.iter())
            .filter(|(obligation, needs)| is_kept(obligation) && !needs.is_disjoint(dropped))
            .map(|(obligation, _)| *obligation)
            .collect();
        if !self.may_ask(concerned.len()) {
            return false;
        }
        let number = numbers_without(self.clauses().len(), dropped);
        let rest = self.invariant.clauses.iter().enumerate().filter(|(at, _)| !dropped.contains(at));
        let rest = Invariant { clauses: rest.map(|(_, clause)| clause.clone()).collect() };
        let asked = concerned.iter().map(|obligation| renumbered(*obligation, &number)).collect();
        let Some(found) = self.prove(&rest, &asked, effort) else { return false };
        concerned.iter().for_each(|obligation| drop(self.needs.remove(obligation)));
        self.leave_out(dropped);
        self.needs.extend(found);
        true
    }

    /// Puts a clause that says more in the place of another one, if it is inductive together with the rest.
    /// Whether it is.
    ///
    /// What was proved from the weaker clause follows from the stronger one: only the clause itself is to be
    /// proved.
    pub(crate) fn strengthen(&mut self, number: usize, stronger: Clause, effort: &Effort<'_>) -> bool {
        let asked: BTreeSet<Obligation> =
            self.needs.keys().filter(|obligation| about(**obligation) == Some(number)).copied().collect();
        if !self.may_ask(asked.len()) {
            return false;
        }
        // What is inductive holds in all reachable states: what does not hold in one of them need not be tried.
        if self.witnesses.is_some_and(|witnesses| witnesses.satisfy(&property_of(&stronger))) {
            self.questions -= asked.len();
            return false;
        }
        let mut invariant = self.invariant.clone();
        invariant.clauses[number] = stronger;
        let Some(found) = self.prove(&invariant, &asked, effort) else { return false };
        self.invariant = invariant;
        self.needs.extend(found);
        true
    }

    /// How many obligations may still be proved again.
    pub(crate) fn questions(&self) -> usize {
        self.questions
    }

    /// Whether nothing more may be tried.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.questions == 0
    }

    /// Whether so many obligations may be proved again. If not, that was the end: to look for something cheaper
    /// is not free either.
    fn may_ask(&mut self, count: usize) -> bool {
        if count > self.questions {
            self.questions = 0;
        }
        self.questions > 0
    }

    /// What obligations of another invariant follow from, if they are proved.
    fn prove(
        &mut self,
        invariant: &Invariant,
        asked: &BTreeSet<Obligation>,
        effort: &Effort<'_>,
    ) -> Option<BTreeMap<Obligation, BTreeSet<usize>>> {
        if asked.is_empty() {
            return Some(BTreeMap::new());
        }
        self.questions -= asked.len();
        needs(self.system, invariant, Induction::proof(self.system, invariant, asked, effort)?)
    }

    fn leave_out(&mut self, dropped: &BTreeSet<usize>) {
        let number = numbers_without(self.clauses().len(), dropped);
        let mut at = 0..;
        self.invariant.clauses.retain(|_| !dropped.contains(&at.next().expect("numbers do not end")));
        let needs = std::mem::take(&mut self.needs).into_iter();
        let needs = needs
            .filter(|(obligation, _)| about(*obligation).is_none_or(|clause| !dropped.contains(&clause)));
        self.needs = needs
            .map(|(obligation, needs)| {
                (renumbered(obligation, &number), needs.into_iter().map(|clause| number[clause]).collect())
            })
            .collect();
    }
}

/// What each obligation follows from, if all of them are proved.
fn needs(
    system: &System,
    invariant: &Invariant,
    induction: Induction,
) -> Option<BTreeMap<Obligation, BTreeSet<usize>>> {
    if !induction.is_proved() {
        return None;
    }
    let needs = induction.findings.into_iter().map(|(obligation, finding)| {
        let Finding::Proved(hints) = finding else { panic!("all are proved") };
        let mut needs = clauses_of(&hints, invariant);
        // What a step does not change needs itself, and no hint.
        if let Obligation::Preserved { transition, clause } = obligation
            && hints.is_empty()
            && invariant.clauses[clause].is_untouched_by(&system.transitions[transition])
        {
            needs.insert(clause);
        }
        (obligation, needs)
    });
    Some(needs.collect())
}

/// The clauses that hints mention. (Facts, whose numbers come after those of the clauses, are there in any case.)
pub(crate) fn clauses_of(hints: &[Hint], invariant: &Invariant) -> BTreeSet<usize> {
    let mentioned = hints.iter().flat_map(Hint::clauses);
    mentioned.filter(|&clause| clause < invariant.clauses.len()).collect()
}

/// The clause that an obligation is about.
pub(crate) fn about(obligation: Obligation) -> Option<usize> {
    match obligation {
        Obligation::Initially { clause } | Obligation::Preserved { clause, .. } => Some(clause),
        Obligation::Excludes { .. } => None,
    }
}

/// The numbers that clauses have when some are left out. (Those that are have one that means nothing.)
fn numbers_without(count: usize, dropped: &BTreeSet<usize>) -> Vec<usize> {
    let mut next = 0;
    let number = |clause| {
        let number = next;
        next += usize::from(!dropped.contains(&clause));
        number
    };
    (0..count).map(number).collect()
}

fn renumbered(obligation: Obligation, number: &[usize]) -> Obligation {
    match obligation {
        Obligation::Initially { clause } => Obligation::Initially { clause: number[clause] },
        Obligation::Preserved { transition, clause } => {
            Obligation::Preserved { transition, clause: number[clause] }
        }
        Obligation::Excludes { property } => Obligation::Excludes { property },
    }
}
