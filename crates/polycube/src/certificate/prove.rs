//! Having solvers check the scripts of a certificate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};
use std::{fs, io};

use polycube_certificate::Obligation;
use polycube_certificate::smtlib::{NoScripts, Room, Script, script_name, script_of};
use polycube_solver::{Answer, Cause, Failure, Limits, Solver};
use serde::Serialize;

use super::{Certificate, script_file};

/// Why a solver did not prove an obligation.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "reason", content = "message")]
pub(crate) enum Gap {
    /// It found a counterexample to the question, also with the whole invariant. That need not be one of the
    /// obligation: questions say less than is known.
    #[serde(rename = "sat")]
    Satisfiable,
    #[serde(rename = "unknown")]
    Unknown,
    #[serde(rename = "timeout")]
    TimedOut,
    /// It failed, in these words.
    #[serde(rename = "failed")]
    Failed(String),
}

/// What a solver makes of a certificate.
pub(crate) struct Checked {
    pub(crate) solver: Solver,
    /// The obligations that it did not prove.
    pub(crate) gaps: BTreeMap<Obligation, Gap>,
    /// Those that it proved only with the whole invariant.
    pub(crate) retried: Vec<Obligation>,
    /// How long it worked, on all scripts together.
    pub(crate) seconds: f64,
}

impl Checked {
    pub(crate) fn is_complete(&self) -> bool {
        self.gaps.is_empty()
    }
}

pub(crate) struct Progress {
    pub(crate) answers: usize,
    pub(crate) checks: usize,
    /// How many of them are not what is hoped for.
    pub(crate) gaps: usize,
}

pub(crate) struct Resources {
    pub(crate) limits: Limits,
    pub(crate) threads: usize,
    /// How large scripts without hints may be, which are written where those with hints are not enough.
    pub(crate) script_bytes: usize,
}

struct Run {
    answers: Vec<Option<Answer>>,
    failure: Option<Failure>,
    time: Duration,
}

struct Job<'j> {
    solver: &'j Solver,
    script: &'j Script,
    file: PathBuf,
}

/// Has each solver check the scripts. Nothing if it was interrupted.
///
/// They run on copies: what lies in the directory of a certificate may be something else by now.
pub(crate) fn prove(
    certificate: &Certificate,
    scripts: &[Script],
    solvers: &[Solver],
    resources: &Resources,
    stop: &AtomicBool,
    show: &mut dyn FnMut(&Progress),
) -> io::Result<Option<Vec<Checked>>> {
    let folder = tempfile::tempdir()?;
    for script in scripts {
        fs::write(folder.path().join(script_file(&script.name)), &script.text)?;
    }
    let jobs = solvers.iter().flat_map(|solver| {
        let folder = folder.path();
        scripts.iter().map(move |script| Job { solver, script, file: folder.join(script_file(&script.name)) })
    });
    let Some(runs) = run_all(&jobs.collect::<Vec<_>>(), resources, stop, show) else { return Ok(None) };
    let mut runs = runs.into_iter();
    let mut checked = Vec::new();
    for solver in solvers {
        let runs: Vec<(&Script, Run)> = scripts.iter().zip(&mut runs).collect();
        checked.push(Checked {
            solver: solver.clone(),
            gaps: runs.iter().flat_map(|(script, run)| gaps(script, run)).collect(),
            retried: Vec::new(),
            seconds: runs.iter().map(|(_, run)| run.time.as_secs_f64()).sum(),
        });
    }
    // An obligation that is not proved with its hints is tried with the whole invariant.
    let folder = tempfile::tempdir()?;
    for checked in &mut checked {
        if retry(certificate, checked, folder.path(), resources, stop)?.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(checked))
}

/// Asks a solver once more about what it did not prove, without hints.
fn retry(
    certificate: &Certificate,
    checked: &mut Checked,
    folder: &Path,
    resources: &Resources,
    stop: &AtomicBool,
) -> io::Result<Option<()>> {
    // Who fails with less would fail with more.
    let hinted: BTreeSet<Obligation> = (checked.gaps.iter())
        .filter(|(obligation, gap)| {
            !matches!(gap, Gap::Failed(_)) && certificate.hints.contains_key(obligation)
        })
        .map(|(&obligation, _)| obligation)
        .collect();
    let mut hints = certificate.hints.clone();
    hints.retain(|obligation, _| !hinted.contains(obligation));
    let goes_on = || !stop.load(Ordering::Relaxed);
    let room = Room::new(resources.script_bytes, &goes_on);
    let mut scripts: BTreeMap<String, Result<Script, NoScripts>> = BTreeMap::new();
    for &obligation in &hinted {
        // Many obligations have the same script, and to write it can take long.
        let script = || script_of(&certificate.system, &certificate.invariant, &hints, &room, obligation);
        let script = scripts.entry(script_name(&certificate.system, obligation)).or_insert_with(script);
        if *script == Err(NoScripts::Stopped) {
            return Ok(None);
        }
    }
    // What would be too large is not asked: the gap remains.
    let mut jobs = Vec::new();
    for script in scripts.values().flatten() {
        let file = folder.join(script_file(&script.name));
        fs::write(&file, &script.text)?;
        jobs.push(Job { solver: &checked.solver, script, file });
    }
    let Some(runs) = run_all(&jobs, resources, stop, &mut |_| {}) else { return Ok(None) };
    for (script, run) in scripts.values().flatten().zip(&runs) {
        checked.seconds += run.time.as_secs_f64();
        let gaps = gaps(script, run);
        let concerned: BTreeSet<Obligation> =
            script.checks.iter().flatten().copied().filter(|one| hinted.contains(one)).collect();
        for obligation in concerned {
            match gaps.get(&obligation) {
                Some(gap) => {
                    checked.gaps.insert(obligation, gap.clone());
                }
                None => {
                    checked.gaps.remove(&obligation);
                    checked.retried.push(obligation);
                }
            }
        }
    }
    Ok(Some(()))
}

/// The obligations of a script that a run of it did not prove. Only a run that went well from its beginning
/// to its end proves anything: a solver that reports an error may have answered another question.
fn gaps(script: &Script, run: &Run) -> BTreeMap<Obligation, Gap> {
    let mut gaps = BTreeMap::new();
    for (obligations, answer) in script.checks.iter().zip(&run.answers) {
        let gap = match (answer, &run.failure) {
            (_, Some(failure)) => Gap::Failed(failure.to_string()),
            (Some(Answer::Unsatisfiable), None) => continue,
            (Some(Answer::Satisfiable), None) => Gap::Satisfiable,
            (Some(Answer::TimedOut), None) => Gap::TimedOut,
            (Some(Answer::Unknown) | None, None) => Gap::Unknown,
        };
        for &obligation in obligations {
            // What was answered is more than what was not.
            if !matches!(gaps.get(&obligation), Some(Gap::Satisfiable)) {
                gaps.insert(obligation, gap.clone());
            }
        }
    }
    gaps
}

enum Event {
    Answer(Answer),
    Done(usize, Run),
}

/// Runs all jobs, several at a time. Nothing if that was interrupted.
fn run_all(
    jobs: &[Job<'_>],
    resources: &Resources,
    stop: &AtomicBool,
    show: &mut dyn FnMut(&Progress),
) -> Option<Vec<Run>> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    let mut runs: Vec<Option<Run>> = jobs.iter().map(|_| None).collect();
    let checks = jobs.iter().map(|job| job.script.checks.len()).sum();
    let mut progress = Progress { answers: 0, checks, gaps: 0 };
    std::thread::scope(|scope| {
        for _ in 0..resources.threads.clamp(1, jobs.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    let run = run(job, resources, stop, &sender);
                    if sender.send(Event::Done(at, run)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for event in receiver {
            match event {
                Event::Answer(answer) => {
                    progress.answers += 1;
                    progress.gaps += usize::from(answer != Answer::Unsatisfiable);
                }
                Event::Done(at, run) => runs[at] = Some(run),
            }
            show(&progress);
        }
    });
    let runs: Option<Vec<Run>> = runs.into_iter().collect();
    let is_interrupted = |failure: &Failure| matches!(failure.cause, Cause::Interrupted);
    runs.filter(|runs| !runs.iter().any(|run| run.failure.as_ref().is_some_and(is_interrupted)))
}

fn run(job: &Job<'_>, resources: &Resources, stop: &AtomicBool, sender: &Sender<Event>) -> Run {
    let start = Instant::now();
    let count = job.script.checks.len();
    let mut answers = vec![None; count];
    let result = job.solver.run(&job.file, count, &resources.limits, stop, &mut |at, answer| {
        answers[at] = Some(answer);
        let _ = sender.send(Event::Answer(answer));
    });
    Run { answers, failure: result.err(), time: start.elapsed() }
}
