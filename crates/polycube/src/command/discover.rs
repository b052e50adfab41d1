//! `polycube discover`: an invariant that a person reads.

mod explain;

use std::time::Instant;

use polycube_certificate::{Clause, Invariant};
use polycube_engine::backward::CubeFormula;
use polycube_induction::{Effort, Wanted};
use polycube_language::System;
use polycube_language::span::Lines;
use polycube_language::system::Processes;
use polycube_lean::{Formulas, LeanFormula};
use serde::Serialize;

use super::drawing::Drawing;
use super::model::{Limited, read_limited};
use super::output::Target;
use super::verify::report::{Asked, Report};
use super::verify::{self, something_to_verify};
use super::{Outcome, Refusal};
use crate::arguments::{DiscoverArguments, Format};
use crate::certificate::directory::Directory;
use crate::console::Console;
use crate::model::Model;
use crate::report::cube::written;
use crate::report::json;
use crate::report::lean::Shown;
use crate::report::needs::Needed;
use crate::report::number::counted;
use crate::report::trace::{Detail, labelled, paragraph};

/// The part of the time after which an invariant is small enough.
const SHRINKING: f64 = 0.75;

pub(super) fn run(arguments: &DiscoverArguments, console: &mut Console) -> Result<Outcome, Refusal> {
    let format = arguments.format;
    // What can go wrong before the search should: it may be long.
    let force = arguments.force;
    let target = arguments.invariant_out.as_deref().map(|file| Target::prepare(file, force)).transpose()?;
    let directory = arguments.certificate.as_ref().map(|path| Directory::prepare(path, force)).transpose()?;
    let drawing = arguments.explain.as_ref().map(|file| Drawing::prepare(file, force)).transpose()?;
    let resources = &arguments.resources;
    let Limited { model, stop, bytes } =
        read_limited(&arguments.file, arguments.murphi.for_every_number(), resources, format, console)?;
    something_to_verify(&model.system, false)?;
    stop.watch_signals();
    let start = Instant::now();
    let threads = resources.threads();
    let options = verify::options(&arguments.how, threads, bytes, &stop);
    let asked = Asked {
        how: &arguments.how,
        show_invariant: true,
        detail: Detail::default(),
        timeout: resources.timeout,
    };
    let mut verified = verify::search(&model, asked, &options, &stop, format, console)?;
    if verified.is_safe() {
        let rechecked = verify::second_check(&verified, asked, &options, &stop, format, console);
        let Some(rechecked) = rechecked else { return Ok(Outcome::Bug) };
        verified.learn(rechecked);
    }
    let report = Report::new(&verified, asked, &options.search, stop.reason());
    if !verified.is_safe() {
        console.report(&report.print(format), format);
        return Ok(report.outcome());
    }
    let found = verified.invariant();
    // What is reached in the end has to be proved and put into words, too.
    let enough = resources.timeout.map(|timeout| timeout.mul_f64(SHRINKING));
    let is_enough = || enough.is_some_and(|enough| start.elapsed() > enough);
    let goes_on = || !stop.is_set() && !is_enough();
    let effort = Effort { goes_on: &goes_on, threads, wanted: Wanted::Hints };
    let lean = polycube_lean::discover(verified.system(), &found, bytes, &stop.flag(), &effort);
    let is_stopped = !goes_on();
    // What was reached when time was up is an invariant as well, and that is proved in a moment. Nothing is printed that is
    // not proved here, all of it, whatever was proved on the way.
    let at_the_end = Effort { goes_on: &|| true, threads, wanted: Wanted::Hints };
    let Some(Formulas { formulas }) = Formulas::of(verified.system(), &lean, &at_the_end) else {
        // The second check has left something open: then the answer is that of the search.
        console.report(&report.print(format), format);
        return Ok(report.outcome());
    };
    let answer = report.first_sentence();
    let certificate = directory.map(|directory| {
        let cube = |clause: &Clause| CubeFormula {
            parameters: clause.parameters.clone(),
            formula: clause.never.clone(),
        };
        verified.verification.invariant = lean.clauses.iter().map(cube).collect();
        let report = Report::new(&verified, asked, &options.search, stop.reason());
        verify::certify(&report, &directory, &stop, console)
    });
    let certificate = match certificate.transpose().map_err(|none| none.why(&stop)) {
        Ok(certificate) => certificate,
        Err(Some(impossible)) => return Err(impossible.into()),
        Err(None) => return Ok(Outcome::Bug),
    };
    let discovered = Discovered {
        model: &model,
        system: verified.system(),
        answer,
        certificate: certificate.map(|written| paragraph(&written.describe())),
        before: Size::of(&found),
        after: Size::of(&lean),
        formulas: &formulas,
        is_stopped,
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(target) = target {
        target.write(discovered.with_invariant().as_bytes())?;
    }
    if let Some(drawing) = drawing {
        drawing.write(&explain::to_text(&discovered, drawing.format))?;
    }
    console.report(&discovered.print(format), format);
    Ok(Outcome::Success)
}

/// How large an invariant is.
#[derive(Clone, Copy, Serialize)]
struct Size {
    clauses: usize,
    literals: usize,
}

impl Size {
    fn of(invariant: &Invariant) -> Size {
        Size { clauses: invariant.clauses.len(), literals: polycube_lean::literals_of(invariant) }
    }

    fn describe(self) -> String {
        let clauses = counted(self.clauses as u64, "clause");
        format!("{clauses} with {}", counted(self.literals as u64, "literal"))
    }
}

/// A lean invariant of a model.
struct Discovered<'d> {
    model: &'d Model,
    system: &'d System,
    /// That it is safe, and with how many processes.
    answer: String,
    /// What the search has found, and what became of it.
    before: Size,
    after: Size,
    formulas: &'d [LeanFormula],
    /// Where a certificate of it is.
    certificate: Option<String>,
    /// It was stopped before it was as small as it gets.
    is_stopped: bool,
    seconds: f64,
}

impl Discovered<'_> {
    fn system(&self) -> &System {
        self.system
    }

    fn needed(&self, formula: &LeanFormula) -> Needed {
        Needed::new(self.system(), &Lines::new(&self.model.input.text), formula)
    }

    /// The invariant as clauses of a model.
    fn clauses(&self) -> impl Iterator<Item = String> {
        self.formulas.iter().flat_map(LeanFormula::clauses).map(|clause| written(self.system(), &clause))
    }

    /// The model with the clauses of the invariant as `invariant` clauses.
    fn with_invariant(&self) -> String {
        let mut text = format!("{}\n\n(* An inductive invariant. *)\n", self.model.input.text.trim_end());
        for clause in self.clauses() {
            text += &format!("\n{clause}\n");
        }
        // What we write can be read, so there is a layout for it.
        polycube_language::format::format(&text).unwrap_or(text)
    }

    fn literals(&self) -> usize {
        self.formulas.iter().map(LeanFormula::literals).sum()
    }

    fn print(&self, format: Format) -> String {
        match format {
            Format::Human => self.to_text(),
            Format::Json => json::print(&self.to_json()),
        }
    }

    fn to_text(&self) -> String {
        let count = counted(self.formulas.len() as u64, "formula");
        let literals = counted(self.literals() as u64, "literal");
        let mut parts = vec![
            self.answer.clone(),
            paragraph(&format!("That is proved by {count} with {literals}. Each says what it is there for:")),
        ];
        let names = (1..).map(|number| format!("{number}."));
        parts.extend(self.formulas.iter().zip(names).map(|(formula, number)| self.show(formula, &number)));
        let (before, after) = (self.before.describe(), self.after.describe());
        let made = match before == after {
            true => format!("They are {after}, as many as the search had found"),
            false => format!("The search had found {before}; they are {after}"),
        };
        parts.push(paragraph(&format!("{made}, in {:.2} s.", self.seconds)));
        parts.extend(self.certificate.clone());
        if self.is_stopped {
            parts.push(paragraph("It was stopped before it was as small as it gets."));
        }
        parts.join("\n")
    }

    /// A formula with its number, and what it is needed for.
    fn show(&self, formula: &LeanFormula, number: &str) -> String {
        let mut text = Shown::new(self.system(), formula).in_lines(number);
        let behind = 2 + number.len() + 1;
        let needed = self.needed(formula);
        let reasons = needed.describe();
        if !reasons.is_empty() {
            text += &labelled(behind, "for", &reasons);
        }
        text
    }

    fn to_json(&self) -> Json<'_> {
        let formulas = self.formulas.iter().map(|formula| {
            let shown = Shown::new(self.system(), formula);
            let (text, Shown { premise, conclusions, .. }) = (shown.to_text(), shown);
            let needed = self.needed(formula);
            JsonFormula {
                text,
                premise,
                conclusions,
                literals: formula.literals(),
                needed_for: JsonNeeded {
                    properties: needed.properties,
                    formulas: needed
                        .formulas
                        .into_iter()
                        .map(|(formula, transitions)| JsonUser { formula, transitions })
                        .collect(),
                },
            }
        });
        Json {
            file: &self.model.input.name,
            verdict: "safe",
            number_procs: match self.system().processes {
                Processes::Any => None,
                Processes::Exactly(count) => Some(count),
            },
            formulas: formulas.collect(),
            clauses: self.clauses().collect(),
            literals: self.literals(),
            found: self.before,
            lean: self.after,
            complete: !self.is_stopped,
            seconds: self.seconds,
        }
    }
}

#[derive(Serialize)]
struct Json<'j> {
    file: &'j str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    number_procs: Option<u32>,
    formulas: Vec<JsonFormula>,
    clauses: Vec<String>,
    literals: usize,
    found: Size,
    lean: Size,
    complete: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonFormula {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    premise: Option<String>,
    conclusions: Vec<String>,
    literals: usize,
    needed_for: JsonNeeded,
}

#[derive(Serialize)]
struct JsonNeeded {
    properties: Vec<usize>,
    formulas: Vec<JsonUser>,
}

#[derive(Serialize)]
struct JsonUser {
    formula: usize,
    transitions: Vec<String>,
}
