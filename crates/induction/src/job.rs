//! All obligations, in jobs that do not depend on each other: several threads may do them.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use polycube_certificate::invariant::{Invariant, Obligation};
use polycube_certificate::pointers::Pointers;
use polycube_language::System;

use crate::claims::Claims;
use crate::goal::Subject;
use crate::watch::Watch;
use crate::{Effort, Finding, Induction, Open, Wanted};

/// With fewer obligations than this, threads cost more than they save.
const WORTH_THREADS: usize = 256;

/// A part of some obligations.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Job {
    /// A property is excluded.
    Excluded { property: usize },
    /// The initial states satisfy the clauses with this many parameters.
    Initial { level: u32 },
    /// Steps of a transition preserve the clauses, where this many of their processes are not named by it.
    Preserved { transition: usize, level: u32 },
}

impl Job {
    /// Whether another job has the same obligations.
    fn is_about_the_same(self, other: Job) -> bool {
        match (self, other) {
            (Job::Preserved { transition, .. }, Job::Preserved { transition: other, .. }) => {
                transition == other
            }
            (Job::Excluded { property }, Job::Excluded { property: other }) => property == other,
            (Job::Initial { level }, Job::Initial { level: other }) => level == other,
            _ => false,
        }
    }
}

/// What a job found out.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) known: BTreeMap<Obligation, Finding>,
    /// Whether it came to its end.
    pub(crate) complete: bool,
}

impl Findings {
    /// Adds what was found out about a part of an obligation. Whether there is anything left to do.
    pub(crate) fn note(&mut self, obligation: Obligation, finding: Finding) -> bool {
        let goes_on = !matches!(finding, Finding::Refuted(_) | Finding::Open(Open::Stopped));
        join(&mut self.known, obligation, finding);
        goes_on
    }

    fn has_refuted(&self) -> bool {
        self.known.values().any(|finding| matches!(finding, Finding::Refuted(_)))
    }
}

impl Finding {
    /// What is known of an obligation of which this was found out of one part, and that of another: it is proved if all parts
    /// are.
    fn join(&mut self, other: Finding) {
        match (&mut *self, other) {
            (Finding::Proved(known), Finding::Proved(more)) => {
                let new: Vec<_> = more.into_iter().filter(|instance| !known.contains(instance)).collect();
                known.extend(new);
            }
            (Finding::Refuted(_), _)
            | (Finding::Open(_), Finding::Proved(_) | Finding::Open(Open::Incomplete)) => {}
            (_, other) => *self = other,
        }
    }
}

/// Looks at all obligations.
pub(crate) fn decide(
    system: &System,
    invariant: &Invariant,
    effort: &Effort<'_>,
    progress: &mut dyn FnMut(usize, usize),
) -> Induction {
    let claims = Claims::new(system, invariant);
    let pointers = Pointers::of(system, invariant);
    let subject = Subject { system, invariant, claims: &claims, pointers: &pointers, wanted: effort.wanted };
    let jobs = subject.jobs();
    let obligations = Obligation::count(system, invariant);
    let done = perform(subject, &jobs, obligations, effort, progress);
    // What is refuted is refuted by the first job that does so; what later ones found out, if they were begun, depends on
    // threads.
    let end = done.iter().position(|findings| findings.as_ref().is_some_and(Findings::has_refuted));
    let mut induction = Induction::default();
    if effort.wanted == Wanted::Hints {
        let all = Obligation::all(system, invariant).into_iter();
        induction.findings.extend(all.map(|obligation| (obligation, Finding::Proved(Vec::new()))));
    }
    let mut done = jobs.iter().copied().zip(done).enumerate().peekable();
    // The jobs of one transition follow each other, and have the same obligations. There may be very many of these: what is
    // not known about any of them is counted, not listed.
    while let Some((_, (first, _))) = done.peek() {
        let first = *first;
        let mut complete = true;
        let mut known = BTreeMap::new();
        while let Some((at, (_, findings))) = done.next_if(|(_, (job, _))| job.is_about_the_same(first)) {
            let findings = findings.filter(|_| end.is_none_or(|end| at <= end)).unwrap_or_default();
            complete &= findings.complete;
            for (obligation, finding) in findings.known {
                join(&mut known, obligation, finding);
            }
        }
        if !complete {
            // What was proved until now of an obligation is not all of it.
            known.retain(|_, finding| matches!(finding, Finding::Refuted(_)));
            induction.stopped += subject.count(first) - known.len();
            if effort.wanted == Wanted::Hints {
                subject.for_each_obligation(first, &mut |obligation| {
                    induction.findings.remove(&obligation);
                });
            }
        }
        known
            .into_iter()
            .for_each(|(obligation, finding)| join(&mut induction.findings, obligation, finding));
    }
    induction.unchanged = obligations - induction.stopped - induction.findings.len();
    induction
}

/// Adds what was found out about a part of an obligation.
fn join(findings: &mut BTreeMap<Obligation, Finding>, obligation: Obligation, finding: Finding) {
    match findings.get_mut(&obligation) {
        None => {
            findings.insert(obligation, finding);
        }
        Some(known) => known.join(finding),
    }
}

/// Does the jobs, as long as nothing is refuted. The result is the same for every number of threads, up to the first job that
/// refutes something.
fn perform(
    subject: Subject<'_>,
    jobs: &[Job],
    obligations: usize,
    effort: &Effort<'_>,
    progress: &mut dyn FnMut(usize, usize),
) -> Vec<Option<Findings>> {
    let next = AtomicUsize::new(0);
    let first_refuted = AtomicUsize::new(usize::MAX);
    let done: Mutex<Vec<Option<Findings>>> = Mutex::new(jobs.iter().map(|_| None).collect());
    let one = || {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let &job = jobs.get(at)?;
        let goes_on = || at < first_refuted.load(Ordering::Relaxed) && (effort.goes_on)();
        if goes_on() {
            let findings = subject.run(job, &Watch::new(&goes_on));
            if findings.has_refuted() {
                first_refuted.fetch_min(at, Ordering::Relaxed);
            }
            done.lock().expect("no job panics while it is held")[at] = Some(findings);
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
