//! All obligations, in jobs that do not depend on each other: several threads may do them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use polycube_certificate::invariant::{Invariant, Obligation};
use polycube_certificate::pointers::Pointers;
use polycube_language::System;

use crate::claims::Claims;
use crate::findings::{Findings, join};
use crate::goal::{Job, Subject, Until};
use crate::watch::Watch;
use crate::{Effort, Finding, Induction, Wanted};

/// With fewer obligations than this, threads cost more than they save.
const WORTH_THREADS: usize = 256;

impl Induction {
    /// Looks at all obligations of an invariant; at no more once one is refuted. `progress` hears how many
    /// parts of the work, of how many, were begun.
    pub fn of(
        system: &System,
        invariant: &Invariant,
        effort: &Effort<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Induction {
        Induction::look(system, invariant, None, Until::Refuted, effort, progress)
    }

    /// Looks at these obligations only.
    pub fn of_some(
        system: &System,
        invariant: &Invariant,
        only: &BTreeSet<Obligation>,
        effort: &Effort<'_>,
    ) -> Induction {
        Induction::look(system, invariant, Some(only), Until::Refuted, effort, &mut |_, _| {})
    }

    /// Proves these obligations, if all of them hold. Looks at no more once one is not proved, and does not ask why not.
    pub fn proof(
        system: &System,
        invariant: &Invariant,
        only: &BTreeSet<Obligation>,
        effort: &Effort<'_>,
    ) -> Option<Induction> {
        let induction =
            Induction::look(system, invariant, Some(only), Until::Unproved, effort, &mut |_, _| {});
        induction.is_proved().then_some(induction)
    }

    fn look(
        system: &System,
        invariant: &Invariant,
        only: Option<&BTreeSet<Obligation>>,
        until: Until,
        effort: &Effort<'_>,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Induction {
        let claims = Claims::new(system, invariant);
        let pointers = Pointers::of(system, invariant);
        let wanted = effort.wanted;
        let subject =
            Subject { system, invariant, claims: &claims, pointers: &pointers, wanted, only, until };
        let jobs = subject.jobs();
        let obligations = only.map_or_else(|| Obligation::count(system, invariant), BTreeSet::len);
        let mut done = perform(subject, &jobs, obligations, effort, progress);
        // What is refuted is refuted by the first job that does so; what later ones found out, if they were
        // begun, depends on threads.
        if let Some(end) = done.iter().position(Findings::is_end) {
            done.truncate(end + 1);
        }
        let mut induction = Induction::default();
        if effort.wanted == Wanted::Hints {
            let all = only
                .map_or_else(|| Obligation::all(system, invariant), |only| only.iter().copied().collect());
            let all = all.into_iter();
            induction.findings.extend(all.map(|obligation| (obligation, Finding::Proved(Vec::new()))));
        }
        let mut done = done.into_iter();
        // There may be very many obligations: what is not known about any of them is counted, not listed.
        for same in jobs.chunk_by(Job::is_about_the_same) {
            let mut complete = true;
            let mut known = BTreeMap::new();
            for _ in same {
                let findings = done.next().unwrap_or_default();
                complete &= findings.complete;
                for (obligation, finding) in findings.known {
                    join(&mut known, obligation, finding);
                }
            }
            if !complete {
                // What was proved until now of an obligation is not all of it.
                known.retain(|_, finding| matches!(finding, Finding::Refuted(_)));
                induction.stopped += subject.obligations(same[0]).count() - known.len();
                if effort.wanted == Wanted::Hints {
                    for obligation in subject.obligations(same[0]) {
                        induction.findings.remove(&obligation);
                    }
                }
            }
            for (obligation, finding) in known {
                join(&mut induction.findings, obligation, finding);
            }
        }
        induction.unchanged = obligations - induction.stopped - induction.findings.len();
        induction
    }
}

/// Does the jobs, until one is the end. The result is the same for every number of threads, up to the first job
/// that is.
fn perform(
    subject: Subject<'_>,
    jobs: &[Job],
    obligations: usize,
    effort: &Effort<'_>,
    progress: &mut dyn FnMut(usize, usize),
) -> Vec<Findings> {
    let next = AtomicUsize::new(0);
    let first_end = AtomicUsize::new(usize::MAX);
    let done: Mutex<Vec<Findings>> = Mutex::new(jobs.iter().map(|_| Findings::default()).collect());
    let one = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let &job = jobs.get(at)?;
        let goes_on = || at < first_end.load(Ordering::Relaxed) && (effort.goes_on)();
        if goes_on() {
            let findings = subject.run(job, &Watch::new(&goes_on));
            if findings.is_end() {
                first_end.fetch_min(at, Ordering::Relaxed);
            }
            done.lock().expect("no job panics while it is held")[at] = findings;
        }
        Some(())
    };
    std::thread::scope(|scope| {
        let threads = if obligations < WORTH_THREADS { 1 } else { effort.threads.min(jobs.len()) };
        for _ in 1..threads {
            scope.spawn(|| while one().is_some() {});
        }
        while one().is_some() {
            progress(next.load(Ordering::Relaxed).min(jobs.len()), jobs.len());
        }
    });
    done.into_inner().expect("no job panics while it is held")
}
