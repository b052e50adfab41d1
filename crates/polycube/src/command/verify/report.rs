//! What a verification found, for people: the verdict first, then what it rests on.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use annotate_snippets::renderer::AnsiColor;
use clap::ValueEnum;
use polycube_engine::backward::{Answer, Divergence, Growth, Options, Reason, Statistics};
use polycube_engine::oracle::Explored;
use polycube_language::System;
use polycube_language::diagnostic::Diagnostics;
use polycube_language::span::Lines;
use polycube_language::system::{Processes, Property};
use polycube_solver::quoted;

use super::Written;
use super::reason::{self, Told};
use crate::arguments::{Format, SearchArguments};
use crate::certificate::manifest::Provenance;
use crate::certificate::{Certificate, clause_texts};
use crate::command::cut_off::{self, CUT_OFF, RECHECK_CUT_OFF};
use crate::command::{Outcome, stop};
use crate::report::cube::{self, Clause};
use crate::report::json;
use crate::report::lean::Shown;
use crate::report::number::{bytes, counted, grouped, seconds};
use crate::report::trace::{
    ClaimInWords, Detail, at_the_end, call, claim, clause_name, hanging, length, listed, paragraph,
    processes, runs, separate, violation,
};
use crate::tool;
use crate::verified::{
    BadRun, Failed, Rechecked, Verdict, Verified, headline, looked_at, without_states, wrong_invariant,
};

/// How many clauses of an invariant are shown, unless all are wanted.
const SHOWN: usize = 8;

#[derive(Clone, Copy)]
pub(in crate::command) struct Asked<'a> {
    pub(in crate::command) how: &'a SearchArguments,
    pub(in crate::command) show_invariant: bool,
    pub(in crate::command) detail: Detail,
    pub(in crate::command) timeout: Option<Duration>,
}

/// A verification with everything that its report needs.
pub(in crate::command) struct Report<'r> {
    pub(super) verified: &'r Verified<'r>,
    pub(super) lines: Lines<'r>,
    pub(super) asked: Asked<'r>,
    pub(super) options: &'r Options,
    pub(super) stopped_by: stop::Cause,
    /// What the second check of the invariant came to, if there was one.
    pub(super) rechecked: Option<Rechecked>,
    /// Whether the search did not end by itself.
    pub(super) is_cut_off: bool,
    pub(super) certificate: Option<&'r Written>,
    /// Where an answer is not known: a step that leads to a bad state, and what to claim so that it cannot happen.
    pub(super) way_out: Option<String>,
}

impl<'r> Report<'r> {
    pub(in crate::command) fn new(
        verified: &'r Verified<'r>,
        asked: Asked<'r>,
        options: &'r Options,
        stopped_by: stop::Cause,
    ) -> Self {
        let (lines, rechecked) = (Lines::new(verified.model.text()), verified.rechecked);
        let (is_cut_off, certificate, way_out) = (false, None, None);
        Report { verified, lines, asked, options, stopped_by, rechecked, is_cut_off, certificate, way_out }
    }

    /// What looks like a mistake of a model that is safe.
    pub(super) fn vacuous(&self) -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        diagnostics.extend(self.verified.vacuous());
        diagnostics
    }

    /// The same, with what looks like one in its text.
    pub(super) fn warnings(&self) -> Diagnostics {
        let mut diagnostics = self.verified.model.diagnostics.clone();
        diagnostics.extend(self.verified.vacuous());
        diagnostics
    }

    /// Why the second check did not prove all obligations, if it did not: for programs, and for people.
    pub(super) fn recheck_gap(&self) -> Option<(&'static str, &'static str)> {
        let Rechecked { obligations, proved, stopped, .. } = self.rechecked?;
        let words = match self.stopped_by {
            stop::Cause::Timeout => "time limit",
            stop::Cause::Memory => "memory limit",
            stop::Cause::User | stop::Cause::Peer => "interrupted",
        };
        (proved < obligations).then_some(match stopped {
            0 => ("undecided", "the second check could not decide them; `polycube certify` asks others"),
            _ => (cut_off::code(self.stopped_by), words),
        })
    }

    /// The certificate for a model that is safe. If it has to end early, that takes nothing from it but
    /// hints.
    pub(super) fn to_certificate(
        &self,
        goes_on: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Certificate, Failed> {
        let cubes = self.verified.verification.invariant.iter();
        let clauses = clause_texts(self.system(), cubes.map(|cube| (&cube.parameters[..], &cube.formula)));
        let origin = Provenance {
            tool: tool(),
            file: self.verified.model.input.name.clone(),
            engine: name(&self.asked.how.engine),
            search: name(&self.asked.how.search),
        };
        let (text, threads) = (self.verified.model.own_text(), self.options.threads);
        Certificate::new(&text, &self.verified.model.system, &clauses, origin, threads, goes_on, progress)
    }

    pub(in crate::command) fn outcome(&self) -> Outcome {
        match self.verified.verdict() {
            Verdict::Safe => Outcome::Success,
            Verdict::Unsafe(_) | Verdict::WrongInvariant(_) => Outcome::No,
            Verdict::Unknown(_) => Outcome::Unknown,
        }
    }

    pub(super) fn system(&self) -> &'r System {
        self.verified.system()
    }

    /// The properties, and what is known about each.
    pub(super) fn answers(&self) -> impl Iterator<Item = (&'r Property, &'r Answer)> {
        self.system().properties.iter().zip(self.verified.answers())
    }

    pub(in crate::command) fn print(&self, format: Format) -> String {
        match format {
            Format::Human => self.to_text(),
            Format::Json => json::print(self),
        }
    }

    fn to_text(&self) -> String {
        let mut parts = vec![self.first_sentence()];
        let cut_off = if self.verified.is_safe() { RECHECK_CUT_OFF } else { CUT_OFF };
        parts.extend(self.is_cut_off.then(|| paragraph(cut_off)));
        parts.extend(self.known().as_deref().map(paragraph));
        if self.verified.verification.answers.len() > 1 {
            parts.push(self.clauses());
        }
        // First that of the headline.
        let mut bad_runs: Vec<&BadRun> = self.verified.runs().iter().collect();
        bad_runs.sort_by_key(|run| {
            let is_main = self.verified.model.system.is_main(run.violation.property);
            (!is_main, run.trace.processes, run.trace.steps.len())
        });
        let bad_runs = bad_runs.into_iter().map(|run| (&run.trace, self.what_is_bad(run)));
        parts.extend(runs(&self.verified.model.system, &bad_runs.collect::<Vec<_>>(), self.asked.detail));
        parts.extend(self.answers().enumerate().filter_map(|(at, (_, answer))| self.symbolic(at, answer)));
        parts.extend(self.verified.verification.diverging.iter().map(|one| self.diverging(one)));
        parts.extend(self.way_out.clone());
        parts.extend(self.remark().as_deref().map(paragraph));
        parts.extend(self.invariant());
        parts.extend(self.certificate.map(|written| paragraph(&written.describe())));
        parts.extend(self.recheck());
        parts.extend(self.guesses());
        parts.extend(self.verified.unseen().as_deref().map(paragraph));
        parts.push(self.numbers());
        parts.join("\n")
    }

    /// A text that begins with the verdict.
    /// The answer, in a line or two.
    pub(in crate::command) fn first_sentence(&self) -> String {
        self.verdict_in_colour(&paragraph(&self.headline()))
    }

    fn verdict_in_colour(&self, text: &str) -> String {
        let colour = match self.verified.verdict() {
            Verdict::Safe => AnsiColor::Green,
            Verdict::Unsafe(_) | Verdict::WrongInvariant(_) => AnsiColor::Red,
            Verdict::Unknown(_) => AnsiColor::Yellow,
        };
        let style = colour.on_default().bold();
        let (verdict, rest) = text.split_at(text.find(':').unwrap_or(0));
        format!("{style}{verdict}{style:#}{rest}")
    }

    fn headline(&self) -> String {
        match self.verified.verdict() {
            Verdict::Safe => {
                let condition = self.trusted().map(|trusted| {
                    let given = "as was taken as given (--trust-invariants)";
                    format!(", provided that nothing violates {trusted}, {given}")
                });
                let condition = condition.unwrap_or_default();
                let gap = self.recheck_gap().zip(self.rechecked).map(|((_, why), rechecked)| {
                    let Rechecked { obligations, proved, .. } = rechecked;
                    let open = grouped((obligations - proved) as u64);
                    let all = counted(obligations as u64, "obligation");
                    format!("; {open} of {all} were not rechecked: {why}")
                });
                let gap = gap.unwrap_or_default();
                if let Some(sizes) = self.verified.nowhere() {
                    return format!("Safe: nothing is reachable, since no state of {sizes} is initial{gap}.");
                }
                format!("Safe: no bad state is reachable, {}{condition}{gap}.", self.verified.model.instances)
            }
            Verdict::Unsafe(run) => headline(self.system(), run),
            Verdict::WrongInvariant(run) => {
                wrong_invariant(self.verified.model, run, self.verified.known_besides())
            }
            Verdict::Unknown(reason) => format!("Unknown: {}.", self.tell(reason).sentence),
        }
    }

    pub(super) fn tell(&self, reason: &Reason) -> Told {
        reason::tell(reason, self.stopped_by, &self.options.limits, self.asked.timeout)
    }

    /// What is known of small instances, where no answer is known for all.
    pub(super) fn known(&self) -> Option<String> {
        let Verdict::Unknown(_) = self.verified.verdict() else { return None };
        // One that was begun when the time was up has no states.
        let instances: Vec<Explored> =
            self.verified.seen().iter().filter(|one| one.states > 0).copied().collect();
        (!instances.is_empty()).then(|| format!("Known: no bad state is among {}.", looked_at(&instances)))
    }

    /// What the reader should know beside the verdict.
    pub(super) fn remark(&self) -> Option<String> {
        match self.verified.verdict() {
            Verdict::Unsafe(_) => Some(format!("Taken as given: {} (--trust-invariants).", self.trusted()?)),
            Verdict::WrongInvariant(run) if run.trace.steps.is_empty() => Some(
                "`invariant` describes states that are never reached. If the clause says what always holds, \
                 claim its opposite; if it is meant as an assumption about the beginning, say it in `init`."
                    .to_owned(),
            ),
            Verdict::Safe | Verdict::WrongInvariant(_) => None,
            Verdict::Unknown(reason) => {
                let file = self.verified.model.input.path.as_deref().unwrap_or(Path::new("-"));
                let file = quoted(file.as_os_str());
                let advice = self.tell(reason).advice;
                let (option, count) = match self.system().processes {
                    Processes::Any => (" -n 4", processes(4)),
                    Processes::Exactly(count) => ("", processes(count)),
                };
                let look = format!(
                    "`polycube explore {file}{option}` looks at all states of {count}, and `polycube induct {file}` \
                     helps to find `invariant` clauses."
                );
                Some(format!("{advice} {look}"))
            }
        }
    }

    /// What was taken for granted: `the invariants at mutex.cub:12 and mutex.cub:15`.
    fn trusted(&self) -> Option<String> {
        let trusted = self.answers().filter(|(_, answer)| **answer == Answer::Trusted);
        let place = |property| format!("{}:{}", self.verified.model.input.name, self.line(property));
        let places: Vec<String> = trusted.map(|(property, _)| place(property)).collect();
        let what = if places.len() == 1 { "invariant" } else { "invariants" };
        (!places.is_empty()).then(|| format!("the {what} at {}", listed(&places)))
    }

    /// What is known about each clause, one line each.
    fn clauses(&self) -> String {
        let mut text = String::new();
        let last = self.system().properties.last().map_or(1, |property| self.line(property));
        let digits = last.to_string().len();
        let names =
            (0..self.system().properties.len()).map(|at| claim(self.system(), at).what.chars().count());
        let widest = names.max().unwrap_or(0).max("unsafe clause".len());
        for (index, (property, answer)) in self.answers().enumerate() {
            let line = self.line(property);
            let ClaimInWords { what, violated: yes, kept: no } = claim(self.system(), index);
            let _ = write!(text, "  line {line:>digits$}  {what:<widest$}  ");
            let run = self.verified.runs().iter().find(|run| run.violation.property == index);
            let _ = match (answer, run) {
                (_, Some(run)) => writeln!(text, "{yes} after {}", length(self.system(), &run.trace)),
                (Answer::Trusted, _) => writeln!(text, "is taken as given"),
                (Answer::Unknown(_), _) if self.is_diverging(index) => {
                    writeln!(text, "is not known: the search does not seem to end")
                }
                (Answer::Unknown(_), _) => writeln!(text, "is not known"),
                (Answer::Safe | Answer::Unsafe(_), _) => writeln!(text, "{no}"),
            };
        }
        text
    }

    fn is_diverging(&self, property: usize) -> bool {
        self.verified.verification.diverging.iter().any(|one| one.property == property)
    }

    /// The steps that were found in place of a run, and that they are not one.
    fn symbolic(&self, property: usize, answer: &Answer) -> Option<String> {
        let (run, what) = match answer {
            Answer::Unknown(Reason::Weakened(run, _)) => (run, "Perhaps not a run"),
            Answer::Unknown(Reason::Unconfirmed(run)) => (run, "Not known to be a run"),
            _ => return None,
        };
        let clause = clause_name(self.system(), property, &self.verified.model.input.name, &self.lines);
        let count = counted(run.steps.len() as u64, "step");
        let mut text = paragraph(&format!("{what}: {count} to the {clause}."));
        let digits = run.steps.len().to_string().len();
        for (at, (transition, arguments)) in run.steps.iter().enumerate() {
            let _ = writeln!(text, "  {:>digits$}  {}", at + 1, call(self.system(), transition, arguments));
        }
        Some(text)
    }

    /// Why the search does not seem to end.
    fn diverging(&self, divergence: &Divergence) -> String {
        let Divergence { property, growth, members, examples } = divergence;
        let clause = clause_name(self.system(), *property, &self.verified.model.input.name, &self.lines);
        let (count, differ) = (
            grouped(*members as u64),
            match growth {
                Growth::Numbers => "that differ in numbers only",
                Growth::Processes => "that name more and more processes",
            },
        );
        let mut text = paragraph(&format!(
            "It does not seem to end: the {clause} leads to sets of states {differ}, {count} so far."
        ));
        for example in examples {
            text += &hanging(cube::pieces(self.system(), example));
        }
        text + "  ...\n"
    }

    pub(super) fn what_is_bad(&self, run: &BadRun) -> String {
        let when = at_the_end(&run.trace);
        violation(
            &self.verified.model.system,
            &self.verified.model.input.name,
            &self.lines,
            &run.violation,
            Some(&run.last),
            when,
        )
    }

    pub(super) fn line(&self, property: &Property) -> usize {
        self.lines.position(property.origin.0.start).line
    }

    /// The invariant, if the model is safe: how large it is, and what it says if that is wanted.
    fn invariant(&self) -> Option<String> {
        let Verdict::Safe = self.verified.verdict() else { return None };
        if self.verified.nowhere().is_some() {
            return None;
        }
        let clauses = &self.verified.verification.invariant;
        let (count, shown): (String, Vec<String>) = match self.verified.formulas() {
            Some(formulas) => {
                let show =
                    |(at, formula)| Shown::new(self.system(), formula).in_lines(&format!("{}.", at + 1));
                let shown: Vec<String> = formulas.formulas.iter().enumerate().map(show).collect();
                let literals = counted(formulas.literals() as u64, "literal");
                (format!("{} with {literals}", counted(shown.len() as u64, "formula")), shown)
            }
            None => {
                let show = |clause| Clause::new(self.system(), clause).in_lines();
                (counted(clauses.len() as u64, "clause"), clauses.iter().map(show).collect())
            }
        };
        if shown.is_empty() {
            return Some(paragraph("That needs no invariant: no state at all is a bad one."));
        }
        let mut text = paragraph(&format!("That is proved by an inductive invariant of {count}:"));
        let all = self.asked.show_invariant || shown.len() <= SHOWN + 1;
        shown.iter().take(if all { usize::MAX } else { SHOWN }).for_each(|one| text += one);
        if !all {
            let _ = writeln!(text, "  and {} more (--show-invariant)", grouped((shown.len() - SHOWN) as u64));
        }
        Some(text)
    }

    /// How much of the proof the second check has confirmed.
    fn recheck(&self) -> Option<String> {
        let Rechecked { obligations, proved, .. } = self.rechecked?;
        let (proved, all) = (grouped(proved as u64), counted(obligations as u64, "obligation"));
        if self.verified.as_written {
            return Some(paragraph(&format!(
                "The clauses of the model are that invariant: there was nothing to search for. Proved {proved} \
                 of {all}, by the routine that otherwise rechecks what a search has found."
            )));
        }
        Some(paragraph(&format!("Rechecked {proved} of {all}, by a routine that the search has no part in.")))
    }

    /// What was guessed, and what the guesses were tested on: `8 invariants guessed, 2 of them wrong, after a
    /// look at 75 states of 2 processes (depth 18)`.
    fn guesses(&self) -> Option<String> {
        let found = &self.verified.verification.statistics;
        let instances = &self.verified.verification.instances;
        // What was looked at is said already where it is all that is known.
        if instances.is_empty() || found.approximations == 0 && self.known().is_some() {
            return None;
        }
        let wrong = match found.refuted {
            0 => String::new(),
            wrong => format!(" ({} wrong)", grouped(wrong)),
        };
        let guesses = match found.approximations {
            0 => "Guessed: nothing".to_owned(),
            count => format!("Guessed: {}{wrong}", counted(count, "invariant")),
        };
        Some(paragraph(&match without_states(instances) {
            Some(nowhere) => format!("{guesses}: {nowhere}."),
            None => format!("{guesses}, after a look at {}.", looked_at(instances)),
        }))
    }

    fn numbers(&self) -> String {
        let found = &self.verified.verification.statistics;
        let mut numbers = vec![counted(found.nodes, "node")];
        if found.queue > 0 {
            numbers.push(format!("{} waiting", grouped(found.queue)));
        }
        numbers.extend([
            format!("{} covered", grouped(known(found))),
            format!("depth {}", found.depth),
            counted(found.solver_calls, "solver call"),
            seconds(self.verified.seconds),
            bytes(found.bytes as u64),
        ]);
        separate(&mut numbers);
        hanging(numbers)
    }
}

impl Written {
    /// `The certificate is in german.certificate: 15 clauses, 166 obligations.`
    pub(in crate::command) fn describe(&self) -> String {
        let clauses = counted(self.certificate.invariant.clauses.len() as u64, "clause");
        let obligations = counted(self.certificate.obligations().len() as u64, "obligation");
        let scripts = counted(self.scripts.len() as u64, "script");
        let path = self.directory.display();
        format!(
            "The certificate is in {path}: {clauses}, {obligations} in {scripts}, and a theory and a program for Why3."
        )
    }
}

/// A value as it is written on the command line.
pub(super) fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().expect("no value is hidden").get_name().to_owned()
}

/// How many sets of states did not have to be expanded, because what was known covers them.
pub(super) fn known(statistics: &Statistics) -> u64 {
    statistics.equal + statistics.contained + statistics.covered
}
