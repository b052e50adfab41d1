//! What is known of the clauses of a model, as JSON: see docs/json.md.

use polycube_certificate::{Clause, Trace};
use polycube_language::span::Lines;
use polycube_language::system::Processes;
use polycube_lean::dialogue::Suggestion;
use polycube_lean::{Case, Verdict};
use serde::Serialize;

use super::look::{Counterexample, Look};
use super::report::as_cube;
use crate::report::cube::{self, written};
use crate::report::json_trace::{ClauseText, Fields, RunText, processes, values};

#[derive(Serialize)]
pub(super) struct Json<'j> {
    file: &'j str,
    verdict: &'static str,
    inductive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    number_procs: Option<u32>,
    clauses: Vec<JsonClause>,
    counterexamples: Vec<JsonCounterexample>,
    failures: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    applied: Vec<String>,
    instances: &'j [polycube_engine::oracle::Explored],
    complete: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonClause {
    clause: usize,
    #[serde(flatten)]
    place: ClauseText,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<RunText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    initially: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alone: Option<bool>,
    preserved: Vec<String>,
    violated: Vec<String>,
    unknown: Vec<String>,
    needs: Vec<JsonNeeded>,
}

#[derive(Serialize)]
struct JsonNeeded {
    clause: usize,
    transitions: Vec<String>,
}

#[derive(Serialize)]
struct JsonCounterexample {
    clause: usize,
    transition: String,
    arguments: Vec<String>,
    processes: u32,
    case: &'static str,
    before: Fields<String>,
    matters: Fields<String>,
    after: Fields<String>,
    violating: Fields<String>,
    violated_for: Vec<String>,
    suggestions: Vec<JsonSuggestion>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refuted: Vec<JsonRefuted>,
}

#[derive(Serialize)]
struct JsonSuggestion {
    clause: String,
    removes: usize,
    leaves: usize,
}

#[derive(Serialize)]
struct JsonRefuted {
    clause: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<RunText>,
}

/// What there is to say when nothing is known.
#[derive(Serialize)]
pub(super) struct CutOff<'c> {
    file: &'c str,
    verdict: &'static str,
    reason: &'static str,
    cut_off: bool,
}

impl<'c> CutOff<'c> {
    pub(super) fn new(file: &'c str, reason: &'static str) -> CutOff<'c> {
        CutOff { file, verdict: "unknown", reason, cut_off: true }
    }
}

impl Look<'_> {
    pub(super) fn to_json(&self, applied: bool) -> Json<'_> {
        let system = &self.model.system;
        let lines = Lines::new(&self.model.input.text);
        let written = |clause: &Clause| written(system, clause);
        Json {
            file: &self.model.input.name,
            verdict: match (self.runs.is_empty(), self.is_inductive()) {
                (false, _) => "unsafe",
                (true, true) => "safe",
                (true, false) => "unknown",
            },
            inductive: self.is_inductive(),
            number_procs: match system.processes {
                Processes::Any => None,
                Processes::Exactly(count) => Some(count),
            },
            clauses: (0..system.properties.len()).map(|clause| self.json_clause(clause, &lines)).collect(),
            counterexamples: self
                .counterexamples
                .iter()
                .filter_map(|one| self.json_counterexample(one))
                .collect(),
            failures: self.failures,
            applied: self.first_suggestions().into_iter().filter(|_| applied).map(written).collect(),
            instances: self.inquiry.instances(),
            complete: self.stopped.is_none(),
            seconds: self.seconds,
        }
    }

    fn json_clause(&self, clause: usize, lines: &Lines<'_>) -> JsonClause {
        let system = &self.model.system;
        let property = &system.properties[clause];
        let run = self.runs.iter().find(|run| run.violation.property == clause);
        let verdicts = self.inquiry.verdicts.get(clause);
        JsonClause {
            clause: clause + 1,
            place: ClauseText::new(system, clause, lines),
            text: cube::Clause::new(system, &as_cube(property)).to_text(),
            run: run.map(|run| RunText::bad(system, &run.trace, &run.violation.processes)),
            initially: verdicts.map(|verdicts| match verdicts.initially {
                Verdict::Holds(_) => "holds",
                Verdict::Fails(_) => "violated",
                Verdict::Unknown => "unknown",
            }),
            alone: self.alone.get(clause).copied(),
            preserved: self.names(clause, |verdict| matches!(verdict, Verdict::Holds(_))),
            violated: self.names(clause, |verdict| matches!(verdict, Verdict::Fails(_))),
            unknown: self.names(clause, |verdict| matches!(verdict, Verdict::Unknown)),
            needs: (self.needs(clause).into_iter())
                .map(|(clause, transitions)| JsonNeeded { clause, transitions })
                .collect(),
        }
    }

    fn json_counterexample(&self, counterexample: &Counterexample) -> Option<JsonCounterexample> {
        let system = &self.model.system;
        let Counterexample { clause, transition, bad, suggestions, refuted } = counterexample;
        let step = bad.step.as_ref()?;
        let suggestion = |one: &Suggestion| JsonSuggestion {
            clause: written(system, &one.clause),
            removes: one.removes,
            leaves: one.leaves,
        };
        let run = |run: &Trace| RunText::new(system, run);
        let refuted = refuted.iter().map(|(clause, found)| JsonRefuted {
            clause: written(system, clause),
            run: found.as_ref().map(run),
        });
        Some(JsonCounterexample {
            clause: clause + 1,
            transition: system.transition_in_words(&system.transitions[*transition].name).to_owned(),
            arguments: processes(&step.arguments),
            processes: bad.processes,
            case: match step.case {
                Case::Conclusion => "I",
                Case::Premise => "II",
                Case::Both => "III",
            },
            before: values(system, &bad.before),
            matters: values(system, &bad.matters),
            after: values(system, &step.after),
            violating: values(system, &step.violating),
            violated_for: processes(&bad.violated_for),
            suggestions: suggestions.iter().map(suggestion).collect(),
            refuted: refuted.collect(),
        })
    }
}
