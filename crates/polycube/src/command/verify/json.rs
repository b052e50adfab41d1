//! What a verification found, as JSON: see docs/json.md.

use std::path::Path;

use polycube_engine::backward::{Answer, CubeFormula, Divergence, Growth, Reason, Statistics, SymbolicRun};
use polycube_language::System;
use polycube_language::system::Processes;
use polycube_solver::quoted;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::report::{Report, name};
use crate::report::cube::{self, Clause};
use crate::report::json::{entries, optional};
use crate::report::json_trace::{ClauseText, RunText, processes, to_json};
use crate::report::lean::Shown;
use crate::verified::{Rechecked, Verdict};

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (found, system) = (&self.verified.verification, self.system());
        let (reason, run) = match self.verified.verdict() {
            Verdict::Safe => (None, None),
            Verdict::Unsafe(run) | Verdict::WrongInvariant(run) => (None, Some(run)),
            Verdict::Unknown(reason) => (Some(self.tell(reason).code), None),
        };
        let number_procs = match system.processes {
            Processes::Any => None,
            Processes::Exactly(count) => Some(count),
        };
        let warnings = entries(&self.warnings(), &self.lines);
        let is_safe = self.verified.is_safe();
        let invariants = found.invariant.iter().filter(|_| is_safe).map(|clause| json_clause(system, clause));
        let statistics = JsonStatistics { search: found.statistics, seconds: self.verified.seconds };
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("file", &self.verified.model.input.name)?;
        object.serialize_entry("verdict", self.verified.verdict().word())?;
        optional(&mut object, "reason", reason)?;
        optional(&mut object, "cut_off", self.is_cut_off.then_some(true))?;
        optional(&mut object, "processes", run.map(|run| run.trace.processes))?;
        optional(&mut object, "trace", run.map(|run| to_json(&self.verified.model.system, &run.trace)))?;
        optional(&mut object, "number_procs", number_procs)?;
        let sizes = self.verified.model.sizes.as_ref();
        optional(&mut object, "sizes", sizes.map(|sizes| &sizes.instances))?;
        optional(&mut object, "warnings", (!warnings.is_empty()).then_some(warnings))?;
        optional(&mut object, "proof", self.json_proof())?;
        optional(&mut object, "recheck", self.json_recheck())?;
        object.serialize_entry("properties", &self.json_properties())?;
        object.serialize_entry("invariants", &invariants.collect::<Vec<_>>())?;
        optional(&mut object, "formulas", self.json_formulas())?;
        object.serialize_entry("engine", &name(&self.asked.how.engine))?;
        object.serialize_entry("search", &name(&self.asked.how.search))?;
        object.serialize_entry("threads", &self.options.threads)?;
        object.serialize_entry("instances", &found.instances)?;
        object.serialize_entry("statistics", &statistics)?;
        object.end()
    }
}

impl Report<'_> {
    /// What proves the answer, and how to check that.
    fn json_proof(&self) -> Option<JsonProof> {
        let file = quoted(self.verified.model.input.path.as_deref().unwrap_or(Path::new("-")).as_os_str());
        match (self.verified.verdict(), self.certificate) {
            (Verdict::Unknown(_), _) => None,
            (Verdict::Unsafe(_) | Verdict::WrongInvariant(_), _) => {
                let check = format!("polycube replay OUTPUT {file}");
                Some(JsonProof { kind: "run", at: "trace".to_owned(), check })
            }
            // What rests on something that was taken as given is not proved.
            (Verdict::Safe, _) if self.verified.verification.answers.contains(&Answer::Trusted) => None,
            (Verdict::Safe, Some(written)) => {
                let directory = &written.directory;
                let check = format!("polycube check-certificate {}", quoted(directory.as_os_str()));
                Some(JsonProof { kind: "certificate", at: directory.display().to_string(), check })
            }
            (Verdict::Safe, None) => {
                let check = format!("polycube certify {file}");
                Some(JsonProof { kind: "invariant", at: "invariants".to_owned(), check })
            }
        }
    }

    fn json_formulas(&self) -> Option<Vec<String>> {
        let formulas = self.verified.is_safe().then(|| self.verified.formulas()).flatten()?;
        Some(formulas.formulas.iter().map(|one| Shown::new(self.system(), one).to_text()).collect())
    }

    fn json_recheck(&self) -> Option<JsonRecheck> {
        let Rechecked { obligations, proved, seconds, .. } = self.rechecked?;
        let reason = self.recheck_gap().map(|(code, _)| code);
        Some(JsonRecheck { obligations, proved, reason, seconds })
    }

    fn json_properties(&self) -> Vec<JsonProperty<'_>> {
        let properties = self.answers().enumerate().map(|(index, (_, answer))| {
            let run = self.verified.runs().iter().find(|run| run.violation.property == index);
            let reason = match answer {
                Answer::Unknown(reason) => Some(reason),
                Answer::Safe | Answer::Unsafe(_) | Answer::Trusted => None,
            };
            JsonProperty {
                clause: ClauseText::new(&self.verified.model.system, index, &self.lines),
                verdict: answer.word(),
                reason: reason.map(|reason| self.tell(reason).code),
                run: run.map(|run| {
                    RunText::bad(&self.verified.model.system, &run.trace, &run.violation.processes)
                }),
                shortest: run.map(|run| run.shortest.steps),
                symbolic_run: match reason {
                    Some(Reason::Weakened(run, _) | Reason::Unconfirmed(run)) => {
                        Some(json_symbolic_run(self.system(), run))
                    }
                    _ => None,
                },
                diverging: {
                    let diverging = &self.verified.verification.diverging;
                    let own = diverging.iter().find(|one| one.property == index);
                    own.map(|one| json_diverging(self.system(), one))
                },
            }
        });
        properties.collect()
    }
}

fn json_clause(system: &System, cube: &CubeFormula) -> JsonClause {
    let clause = Clause::new(system, cube);
    let text = clause.to_text();
    let Clause { premises, conclusion, .. } = clause;
    let never = cube::formula(system, cube);
    JsonClause { text, parameters: cube::names(system, cube), premises, conclusion, never }
}

fn json_diverging(system: &System, divergence: &Divergence) -> JsonDiverging {
    let growth = match divergence.growth {
        Growth::Numbers => "numbers",
        Growth::Processes => "processes",
    };
    let examples = divergence.examples.iter().map(|example| cube::formula(system, example)).collect();
    JsonDiverging { growth, members: divergence.members, examples }
}

fn json_symbolic_run<'r>(system: &'r System, run: &'r SymbolicRun) -> JsonSymbolicRun<'r> {
    let step = |(transition, arguments): &'r (String, Vec<u32>)| JsonStep {
        transition: system.transition_in_words(transition),
        arguments: processes(arguments),
    };
    let state = |cube: &CubeFormula| JsonCube {
        parameters: cube::names(system, cube),
        formula: cube::formula(system, cube),
    };
    JsonSymbolicRun {
        processes: run.processes,
        steps: run.steps.iter().map(step).collect(),
        states: run.states.iter().map(state).collect(),
    }
}

#[derive(Serialize)]
struct JsonProof {
    kind: &'static str,
    at: String,
    check: String,
}

#[derive(Serialize)]
struct JsonRecheck {
    obligations: usize,
    proved: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonProperty<'r> {
    #[serde(flatten)]
    clause: ClauseText,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(flatten)]
    run: Option<RunText>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbolic_run: Option<JsonSymbolicRun<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diverging: Option<JsonDiverging>,
}

#[derive(Serialize)]
struct JsonDiverging {
    growth: &'static str,
    members: usize,
    examples: Vec<String>,
}

#[derive(Serialize)]
struct JsonClause {
    text: String,
    parameters: Vec<String>,
    premises: Vec<String>,
    conclusion: String,
    never: String,
}

#[derive(Serialize)]
struct JsonCube {
    parameters: Vec<String>,
    formula: String,
}

#[derive(Serialize)]
struct JsonSymbolicRun<'r> {
    processes: u32,
    steps: Vec<JsonStep<'r>>,
    states: Vec<JsonCube>,
}

#[derive(Serialize)]
struct JsonStep<'r> {
    transition: &'r str,
    arguments: Vec<String>,
}

#[derive(Serialize)]
struct JsonStatistics {
    #[serde(flatten)]
    search: Statistics,
    seconds: f64,
}
