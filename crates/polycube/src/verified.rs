//! What is known about a model after a search.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use polycube_certificate::{Clause, Invariant, Obligation, State, Trace, Violation, replay};
use polycube_engine::backward::{Answer, CubeFormula, Reason, Shortest, Verification, Witnesses};
use polycube_engine::oracle::{Explored, Known};
use polycube_engine::vacuity::Vacuity;
use polycube_induction::{Counterexample, Effort, Induction, Wanted};
use polycube_language::System;
use polycube_language::span::Lines;
use polycube_language::system::{Processes, Property};
use polycube_lean::Formulas;

use crate::model::Model;
use crate::report::cube;
use crate::report::number::{counted, grouped};
use crate::report::trace::{Detail, length, listed, processes, trace as table, within};

/// What is known about a model.
pub struct Verified<'m> {
    pub(crate) model: &'m Model,
    pub(crate) verification: Verification,
    /// For each property that is violated.
    runs: Vec<BadRun>,
    pub(crate) rechecked: Option<Rechecked>,
    /// The invariant for people, if it is not too long for them.
    pub(crate) formulas: Option<Formulas>,
    /// What never comes true in small instances, if nothing bad was found.
    pub(crate) vacuity: Option<Vacuity>,
    /// The clauses of the model are the invariant: there was nothing to search for.
    pub(crate) as_written: bool,
    pub(crate) seconds: f64,
}

/// How long the second check of a part may take, when time is up.
const A_MOMENT: Duration = Duration::from_millis(500);

/// Longer invariants are not put into words.
const READABLE: usize = 150;

/// So many obligations, and one in a hundred of those that were checked once more, may be proved yet again to
/// make the invariant smaller. Most are trivial, and these are not.
const AGAIN: usize = 60;

/// The answer to all properties together.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<'v> {
    /// No bad state is reachable.
    Safe,
    /// This run reaches one: the smallest that was found.
    Unsafe(&'v BadRun),
    /// This run violates an `invariant` clause. No `unsafe` clause is known to hold in a reachable state.
    WrongInvariant(&'v BadRun),
    /// Neither is known. The reason is that of the first property without an answer.
    Unknown(&'v Reason),
}

impl Verdict<'_> {
    /// The word for it, as in docs/json.md.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe(_) => "unsafe",
            Verdict::WrongInvariant(_) => "wrong_invariant",
            Verdict::Unknown(_) => "unknown",
        }
    }
}

/// A run that reaches a bad state. The judge has executed it.
#[derive(Clone, Debug)]
pub struct BadRun {
    /// The run.
    pub trace: Trace,
    /// What is bad about its last state.
    pub violation: Violation,
    /// That state.
    pub last: State,
    /// What is known about other runs.
    pub shortest: Shortest,
}

/// What the second check of an invariant came to, if it refuted nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rechecked {
    /// How many obligations there are.
    pub obligations: usize,
    /// How many of them were proved.
    pub proved: usize,
    /// How many are open, because time ran out.
    pub stopped: usize,
    /// How long it took.
    pub seconds: f64,
}

/// An obligation that does not hold: the invariant is not inductive, and the program is wrong.
#[derive(Clone, Debug)]
pub struct Failed {
    /// The obligation.
    pub obligation: Obligation,
    /// Why it does not hold.
    pub counterexample: Box<Counterexample>,
}

impl<'m> Verified<'m> {
    /// What a search has found. The judge looks at every run once more.
    pub(crate) fn new(model: &'m Model, verification: Verification, seconds: f64) -> Verified<'m> {
        let runs = verification.answers.iter().enumerate().filter_map(|(property, answer)| match answer {
            Answer::Unsafe(trace) => {
                let shortest = verification.shortest.get(property).copied().unwrap_or_default();
                Some(BadRun { shortest, ..BadRun::new(&model.system, property, trace) })
            }
            Answer::Safe | Answer::Unknown(_) | Answer::Trusted => None,
        });
        let runs = runs.collect();
        let (rechecked, formulas, vacuity) = (None, None, None);
        Verified { model, verification, runs, rechecked, formulas, vacuity, as_written: false, seconds }
    }

    /// The answer to all properties together.
    pub fn verdict(&self) -> Verdict<'_> {
        match self.verification.verdict() {
            Answer::Safe | Answer::Trusted => Verdict::Safe,
            Answer::Unknown(reason) => Verdict::Unknown(reason),
            Answer::Unsafe(_) => {
                let is_main = |run: &&BadRun| self.model.system.is_main(run.violation.property);
                let size = |run: &&BadRun| (run.trace.processes, run.trace.steps.len());
                match self.runs.iter().filter(is_main).min_by_key(size) {
                    Some(run) => Verdict::Unsafe(run),
                    None => {
                        let run = self.runs.iter().min_by_key(size);
                        Verdict::WrongInvariant(run.expect("there is a run for each answer"))
                    }
                }
            }
        }
    }

    /// What is known of the clauses that the model is about, where a helper is wrong.
    pub(crate) fn known_besides(&self) -> &'static str {
        let mut main = self.answers().iter().enumerate().filter(|(at, _)| self.model.system.is_main(*at));
        if main.all(|(_, answer)| *answer == Answer::Safe) {
            "no bad state is reachable"
        } else {
            "whether a bad state is reachable is not known"
        }
    }

    /// Whether no bad state is reachable.
    pub fn is_safe(&self) -> bool {
        matches!(self.verdict(), Verdict::Safe)
    }

    /// What is known about each property, in the order of the model.
    pub fn answers(&self) -> &[Answer] {
        &self.verification.answers
    }

    /// A run for each property that is violated.
    pub fn runs(&self) -> &[BadRun] {
        &self.runs
    }

    /// The inductive invariant that proves the model safe; without clauses if it is not.
    pub fn invariant(&self) -> Invariant {
        let clause =
            |cube: &CubeFormula| Clause { parameters: cube.parameters.clone(), never: cube.formula.clone() };
        Invariant { clauses: self.verification.invariant.iter().map(clause).collect() }
    }

    /// Whether it follows from the invariant that no reachable state has a property of the model. A "no" means nothing.
    pub(crate) fn excludes(&self, property: &Property, interrupt: &AtomicBool) -> bool {
        let (properties, obligation) = (vec![property.clone()], Obligation::Excludes { property: 0 });
        let system = System { properties, ..self.system().clone() };
        let goes_on = || !interrupt.load(Ordering::Relaxed);
        let effort = Effort { goes_on: &goes_on, threads: 1, wanted: Wanted::Answers };
        let only = BTreeSet::from([obligation]);
        Induction::proof(&system, &self.invariant(), &only, &effort).is_some()
    }

    /// The system that the invariant speaks of: it may count more than the model does.
    pub fn system(&self) -> &System {
        self.verification.counting.as_ref().unwrap_or(&self.model.system)
    }

    /// What the second check came to, if there was one.
    pub fn rechecked(&self) -> Option<Rechecked> {
        self.rechecked
    }

    /// Proves the obligations of the invariant once more, as long as the caller wants it to go on. Does
    /// nothing for a model that is not safe, or whose safety rests on trusted `invariant` clauses: it does
    /// not follow from the invariant alone.
    ///
    /// # Errors
    ///
    /// If the invariant is not inductive.
    pub fn recheck(
        &mut self,
        threads: usize,
        goes_on: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<(), Failed> {
        if self.is_safe() && !self.verification.answers.contains(&Answer::Trusted) {
            let (system, invariant) = (self.system(), self.invariant());
            let known = &self.verification.known;
            self.learn(recheck_and_read(system, &invariant, known, threads, goes_on, progress)?);
        }
        Ok(())
    }

    /// Where some properties are safe and others are not known, or wrong helpers: proves once more, in a moment, that those
    /// are. What is not proved then is not known either. Does nothing where `invariant` clauses are trusted, as for
    /// [`Verified::recheck`].
    ///
    /// # Errors
    ///
    /// If the cubes because of which they are said to be safe are not inductive.
    pub(crate) fn recheck_part(&mut self, threads: usize) -> Result<(), Failed> {
        let reason = match self.verdict() {
            Verdict::Unknown(reason) => reason.clone(),
            Verdict::WrongInvariant(_) => Reason::Violated,
            Verdict::Safe | Verdict::Unsafe(_) => return Ok(()),
        };
        let is_safe: Vec<bool> = self.answers().iter().map(|answer| *answer == Answer::Safe).collect();
        if !is_safe.contains(&true) || self.answers().contains(&Answer::Trusted) {
            return Ok(());
        }
        let mut system = self.system().clone();
        let mut safe = is_safe.iter();
        system.properties.retain(|_| safe.next() == Some(&true));
        let (start, invariant) = (Instant::now(), self.invariant());
        let effort = Effort { goes_on: &|| start.elapsed() < A_MOMENT, threads, wanted: Wanted::Answers };
        let induction = Induction::of(&system, &invariant, &effort, &mut |_, _| {});
        if let Some((obligation, counterexample)) = induction.refuted() {
            return Err(Failed { obligation, counterexample: Box::new(counterexample.clone()) });
        }
        if !induction.is_proved() {
            let answers = self.verification.answers.iter_mut().filter(|answer| **answer == Answer::Safe);
            answers.for_each(|answer| *answer = Answer::Unknown(reason.clone()));
        }
        Ok(())
    }

    /// Remembers what a second check came to.
    pub(crate) fn learn(&mut self, (rechecked, formulas): (Rechecked, Option<Formulas>)) {
        self.rechecked = Some(rechecked);
        self.formulas = formulas;
    }

    /// The invariant as formulas, if it is not too long.
    pub(crate) fn formulas(&self) -> Option<Cow<'_, Formulas>> {
        let invariant = self.invariant();
        let grouped = || Cow::Owned(Formulas::grouped(self.system(), &invariant));
        let is_readable = invariant.clauses.len() <= READABLE;
        self.formulas.as_ref().map(Cow::Borrowed).or_else(|| is_readable.then(grouped))
    }
}

impl BadRun {
    /// A run that the engine claims to violate a property. The judge is asked once more, who also says for
    /// which processes.
    pub(crate) fn new(system: &System, property: usize, trace: &Trace) -> BadRun {
        let mut run = replay(system, trace).unwrap_or_else(|rejected| {
            panic!(
                "the run that violates property {property} is not one: {} (step {})",
                rejected.reason, rejected.step
            )
        });
        let violation = run.violations.into_iter().find(|violation| violation.property == property);
        let violation = violation
            .unwrap_or_else(|| panic!("the run that violates property {property} ends in a good state"));
        let last = run.states.pop().expect("a run has a state at least");
        BadRun { trace: trace.clone(), violation, last, shortest: Shortest::default() }
    }
}

impl BadRun {
    /// Whether it is known to be the shortest: `the shortest with 2 processes`.
    pub(crate) fn minimality(&self, system: &System) -> String {
        let within = within(system, self.trace.processes);
        match self.shortest {
            Shortest { steps: true, .. } => format!("the shortest {within}"),
            Shortest { steps: false, .. } => "not known to be the shortest".to_owned(),
        }
    }
}

impl Rechecked {
    /// Nothing was looked at.
    pub(crate) fn nothing(system: &System, invariant: &Invariant) -> Rechecked {
        let obligations = Obligation::count(system, invariant);
        Rechecked { obligations, proved: 0, stopped: obligations, seconds: 0.0 }
    }
}

/// Proves the obligations of an invariant, as long as the caller wants it to go on.
///
/// # Errors
///
/// If one of them does not hold.
pub fn recheck(
    system: &System,
    invariant: &Invariant,
    threads: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Rechecked, Failed> {
    let known = Known::default();
    recheck_and_read(system, invariant, &known, threads, goes_on, progress).map(|(rechecked, _)| rechecked)
}

/// The same; what is proved and not too long is also put into words. With states that are known it takes less time.
pub(crate) fn recheck_and_read(
    system: &System,
    invariant: &Invariant,
    known: &Known,
    threads: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(Rechecked, Option<Formulas>), Failed> {
    let start = Instant::now();
    let is_readable = invariant.clauses.len() <= READABLE;
    let wanted = if is_readable { Wanted::Hints } else { Wanted::Answers };
    let effort = Effort { goes_on, threads, wanted };
    let induction = Induction::of(system, invariant, &effort, progress);
    if let Some((obligation, counterexample)) = induction.refuted() {
        return Err(Failed { obligation, counterexample: Box::new(counterexample.clone()) });
    }
    let obligations = induction.obligations();
    let rechecked = Rechecked {
        obligations,
        proved: induction.proved(),
        stopped: induction.stopped,
        seconds: start.elapsed().as_secs_f64(),
    };
    let formulas = is_readable
        .then(|| {
            let (witnesses, questions) = (Witnesses::new(system, known), AGAIN + obligations / 100);
            Formulas::of_proof(system, invariant, induction, questions, &witnesses, &effort)
        })
        .flatten();
    Ok((rechecked, formulas))
}

/// For which instances of a system an answer holds.
pub(crate) fn instances(system: &System) -> String {
    match system.processes {
        Processes::Any => "whatever the number of processes".to_owned(),
        Processes::Exactly(count) => format!("with the {} of the model", processes(count)),
    }
}

/// Which instances were looked at: `all 12 states of 2 processes and 1,300 states of 3 processes (up to 9 steps
/// deep)`.
pub(crate) fn looked_at(instances: &[Explored]) -> String {
    let instance = |one: &Explored| {
        let states = match (one.states, one.complete) {
            (1, true) => "the only state".to_owned(),
            (count, true) => format!("all {}", counted(count, "state")),
            (count, false) => counted(count, "state"),
        };
        format!("{states} of {}", processes(one.processes))
    };
    // An instance may be looked at again, more closely.
    let is_last = |(at, one): &(usize, &Explored)| {
        !instances[at + 1..]
            .iter()
            .any(|other| other.processes == one.processes && other.states >= one.states)
    };
    let instances: Vec<&Explored> =
        instances.iter().enumerate().filter(is_last).map(|(_, one)| one).collect();
    let is_single = |one: &Explored| one.states == 1 && one.complete;
    let follows = |one: &&Explored, next: &&Explored| {
        is_single(one) && is_single(next) && one.processes + 1 == next.processes
    };
    let range = |range: &[&Explored]| match range {
        [first, .., last] => {
            format!("the only state of {} to {}", first.processes, processes(last.processes))
        }
        [one] => instance(one),
        [] => String::new(),
    };
    let mut looked: Vec<String> = instances.chunk_by(follows).map(range).collect();
    if let Some((text, last)) = looked.last_mut().zip(instances.last()) {
        *text += &format!(" (up to {} deep)", counted(last.depth as u64, "step"));
    }
    listed(&looked)
}

/// That instances were looked at and have no initial state, if that is so of all: `no state of 2 and 3 processes is
/// initial`.
pub(crate) fn without_states(instances: &[Explored]) -> Option<String> {
    if instances.is_empty() || instances.iter().any(|one| one.states > 0 || !one.complete) {
        return None;
    }
    Some(format!("no state of {} is initial", sizes(instances)))
}

/// `2 and 3 processes`
pub(crate) fn sizes(instances: &[Explored]) -> String {
    // An instance may be looked at again.
    let mut sizes: Vec<String> = instances.iter().map(|one| one.processes.to_string()).collect();
    sizes.dedup();
    let word = if sizes == ["1"] { "process" } else { "processes" };
    format!("{} {word}", listed(&sizes))
}

/// That a run reaches a bad state, in a sentence.
pub(crate) fn headline(system: &System, run: &BadRun) -> String {
    if run.trace.steps.is_empty() {
        format!("Unsafe: an initial state {} is bad.", within(system, run.trace.processes))
    } else {
        format!(
            "Unsafe: a run of {} reaches a bad state, {}.",
            length(system, &run.trace),
            run.minimality(system)
        )
    }
}

/// That a run violates an `invariant` clause, in a sentence; what is known of the `unsafe` clauses follows.
pub(crate) fn wrong_invariant(model: &Model, run: &BadRun, rest: &str) -> String {
    let place = model.system.properties[run.violation.property].origin.0.start;
    let line = Lines::new(model.text()).position(place).line;
    let what = if run.trace.steps.is_empty() {
        format!("an initial state {}", within(&model.system, run.trace.processes))
    } else {
        format!("a run of {}", length(&model.system, &run.trace))
    };
    format!("Wrong invariant: {what} violates the one in line {line}; {rest}.")
}

/// The answer, and what it rests on: the invariant, or the run.
impl Display for Verified<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let system = self.system();
        match self.verdict() {
            Verdict::Safe => {
                writeln!(out, "Safe: no bad state is reachable, {}.", self.model.instances)?;
                for clause in &self.verification.invariant {
                    writeln!(out, "  {}", cube::Clause::new(system, clause).to_text())?;
                }
                if let Some(Rechecked { obligations, proved, .. }) = self.rechecked {
                    let all = counted(obligations as u64, "obligation");
                    writeln!(out, "Rechecked {} of {all}.", grouped(proved as u64))?;
                }
                Ok(())
            }
            Verdict::Unsafe(run) | Verdict::WrongInvariant(run) => {
                let headline = match self.verdict() {
                    Verdict::WrongInvariant(run) => wrong_invariant(self.model, run, self.known_besides()),
                    _ => headline(system, run),
                };
                let table = table(&self.model.system, &run.trace, Detail::default());
                // Colours are for terminals.
                writeln!(out, "{headline}\n\n{}", anstream::adapter::strip_str(&table))
            }
            Verdict::Unknown(reason) => writeln!(out, "Unknown: {reason}."),
        }
    }
}
