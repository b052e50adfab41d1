//! What is known of the clauses of a model, for people: which are inductive, a step that leads out of them,
//! and what to claim in addition.

use std::fmt::Write;
use std::path::Path;

use annotate_snippets::renderer::{AnsiColor, Style};
use polycube_certificate::{Step, Trace};
use polycube_engine::backward::CubeFormula;
use polycube_language::System;
use polycube_language::span::Lines;
use polycube_language::system::Property;
use polycube_lean::dialogue::Suggestion;
use polycube_lean::{BadMove, Case, Verdict};

use super::look::{Counterexample, Look};
use crate::arguments::Format;
use crate::report::cube::{Clause, written};
use crate::report::json;
use crate::report::number::counted;
use crate::report::trace::{
    Detail, abridged, at_the_end, call, clause_name, instance, kind_of_clause, known, labelled, listed,
    paragraph, runs, steps, violation,
};
use crate::verified::{BadRun, headline, looked_at, without_states, wrong_invariant};

/// How many counterexamples are listed beside the one that is shown.
const LISTED: usize = 12;

impl Look<'_> {
    pub(super) fn print(&self, format: Format, applied: Option<&Path>) -> String {
        match format {
            Format::Human => self.to_text(applied),
            Format::Json => json::print(&self.to_json(applied.is_some())),
        }
    }

    fn to_text(&self, applied: Option<&Path>) -> String {
        let mut parts = vec![self.headline()];
        parts.extend(
            self.model
                .system
                .transitions
                .is_empty()
                .then(|| paragraph("The model has no transitions: its initial states are all there are.")),
        );
        parts.push(self.clauses());
        let ends = self.runs.iter().map(|run| (&run.trace, self.what_is_bad(run)));
        parts.extend(runs(self.system(), &ends.collect::<Vec<_>>(), Detail::default()));
        parts.extend(self.show(0));
        parts.extend(self.others());
        parts.extend(applied.map(|file| self.applied(file)));
        parts.push(format!("{:.2} s\n", self.seconds));
        parts.join("\n")
    }

    fn system(&self) -> &System {
        &self.model.system
    }

    /// The answer, in a line or two.
    pub(super) fn headline(&self) -> String {
        let clauses = match self.system().properties.len() {
            1 => "the clause".to_owned(),
            count => format!("the {count} clauses"),
        };
        let open = (0..self.inquiry.verdicts.len()).map(|clause| self.names(clause, is_unknown).len());
        // What is unsafe counts for more than a helper that is wrong.
        let is_helper = |run: &&BadRun| !self.system().is_main(run.violation.property);
        let (colour, text) = match self.runs.iter().min_by_key(is_helper) {
            Some(run) if self.system().is_main(run.violation.property) => {
                (AnsiColor::Red, headline(self.system(), run))
            }
            Some(run) => {
                let rest = "the `unsafe` clauses were not violated";
                (AnsiColor::Red, wrong_invariant(self.model, run, rest))
            }
            None if self.is_inductive() => {
                let (verb, them) = match self.system().properties.len() {
                    1 => ("is inductive", "it"),
                    _ => ("are inductive together", "them"),
                };
                let safe = format!("Safe: no bad state is reachable, {}", self.model.instances);
                (AnsiColor::Green, format!("{safe}: {clauses} {verb}; every step preserves {them}."))
            }
            None => {
                let why = match (self.failures, open.sum::<usize>(), &self.stopped) {
                    (0, _, Some(stopped)) => format!("Unknown: {stopped}"),
                    (0, ..) => format!("Unknown: whether every step preserves {clauses} was not found out"),
                    (count, ..) => {
                        let verb = if count == 1 { "leads" } else { "lead" };
                        format!("Not inductive: {} {verb} out of {clauses}", counted(count as u64, "step"))
                    }
                };
                (AnsiColor::Yellow, format!("{why}."))
            }
        };
        let style = colour.on_default().bold();
        let text = paragraph(&text);
        let (verdict, rest) = text.split_at(text.find(':').unwrap_or(0));
        format!("{style}{verdict}{style:#}{rest}")
    }

    /// The clauses, each with what is known of it.
    pub(super) fn clauses(&self) -> String {
        let asked = |clause: &usize| self.asked_clause.is_none_or(|asked| asked == *clause);
        let clauses = (0..self.system().properties.len()).filter(asked);
        clauses.map(|clause| self.clause(clause)).collect::<Vec<_>>().join("\n")
    }

    fn clause(&self, clause: usize) -> String {
        let property = &self.system().properties[clause];
        let lines = Lines::new(&self.model.input.text);
        let line = lines.position(property.origin.0.start).line;
        let number = format!("{}.", clause + 1);
        let mut text = labelled(2, &number, &clause_text(self.system(), property));
        let column = 2 + number.len() + 1;
        let mut say = |label: &str, words: &str| text += &labelled(column, &format!("{label:<11}"), words);
        say("is", &format!("the {} at line {line}", kind_of_clause(self.system(), clause)));
        let Some(verdicts) = self.inquiry.verdicts.get(clause) else {
            if let Some(run) = self.runs.iter().find(|run| run.violation.property == clause) {
                let end = at_the_end(&run.trace).trim_start_matches("in ");
                say("violated", &format!("by {end} of a run"));
            }
            return text;
        };
        let initially = match verdicts.initially {
            Verdict::Holds(_) => "holds",
            Verdict::Fails(_) => "violated",
            Verdict::Unknown => "not known",
        };
        say("initially", initially);
        let (holds, fails, open) =
            (self.names(clause, is_proved), self.names(clause, is_failing), self.names(clause, is_unknown));
        let all = self.names(clause, |_| true).len();
        if all > 0 {
            let holding = holds.iter().filter(|name| !fails.contains(name) && !open.contains(name)).count();
            say(
                "preserved",
                &match all - holding {
                    0 => format!(
                        "by {}",
                        if all == 1 { "the transition".to_owned() } else { format!("all {all} transitions") }
                    ),
                    _ => format!("by {holding} of {all} transitions"),
                },
            );
        }
        for (label, names) in [("not by", fails), ("not known", open)] {
            if !names.is_empty() {
                say(label, &names.join(", "));
            }
        }
        let needs = self.needs(clause);
        if self.alone[clause] {
            say("needs", "no other clause");
        } else if !needs.is_empty() {
            let needs = needs.iter().map(|(other, names)| format!("{other} ({})", abridged(names)));
            say("needs", &listed(&needs.collect::<Vec<_>>()));
        }
        text
    }

    fn what_is_bad(&self, run: &BadRun) -> String {
        let lines = Lines::new(&self.model.input.text);
        let (name, when) = (&self.model.input.name, at_the_end(&run.trace));
        violation(self.system(), name, &lines, &run.violation, Some(&run.last), when)
    }

    /// A counterexample: state, step, state; and what can be done about it.
    pub(super) fn show(&self, at: usize) -> Option<String> {
        let counterexample = self.counterexamples.get(at)?;
        let Counterexample { clause, transition, bad, suggestions, refuted } = counterexample;
        let BadMove { arguments, changes, after, violating, case, .. } = bad.step.as_ref()?;
        let system = self.system();
        let bold = Style::new().bold();
        let number = format!("Counterexample {} of {}:", at + 1, self.counterexamples.len());
        let step = call(system, &system.transitions[*transition].name, arguments);
        let lines = Lines::new(&self.model.input.text);
        let name = clause_name(system, *clause, &self.model.input.name, &lines);
        let text = paragraph(&format!("{number} {step} violates clause {}, the {name}.", clause + 1));
        let mut text = format!("{bold}{}{bold:#}{}\n", &text[..number.len()], &text[number.len()..]);
        // The orders are part of the instance.
        let (processes, orders, initial) = (bad.processes, bad.orders.clone(), bad.before.clone());
        text += &instance(system, &Trace { processes, orders, initial, steps: Vec::new() });
        let rest = |table: String, of: usize, known: usize| {
            if known == of { table } else { format!("{table}  everything else is any value\n") }
        };
        let cells = bad.before.iter().count();
        let table = known(system, bad.processes, &bad.before, &bad.matters);
        let _ = write!(text, "\nbefore:\n{}", rest(table, cells, bad.matters.iter().count()));
        let name = system.transitions[*transition].name.clone();
        let step = Step { transition: name, arguments: arguments.clone(), changes: changes.clone() };
        let _ = write!(text, "\nstep:\n{}", steps(system, &bad.matters, &[step], 1));
        let _ = write!(text, "\nafter:\n{}", known(system, bad.processes, after, violating));
        let _ = write!(text, "\n{}", paragraph(&self.reason(*clause, *case)));
        let instances = self.inquiry.instances();
        text += &paragraph(&match without_states(instances) {
            Some(nowhere) => format!("Nothing is known that is reached: {nowhere}."),
            None => format!("No such state was found among {}.", looked_at(instances)),
        });
        let _ = write!(text, "\n{}", self.suggestions(suggestions));
        for (clause, run) in refuted {
            text += &labelled(2, "-", &written(system, clause));
            text += &labelled(4, "refuted", &refutation(system, run.as_ref()));
        }
        Some(text)
    }

    /// Why a step violates a clause, in the words of an implication.
    fn reason(&self, clause: usize, case: Case) -> String {
        let property = &self.system().properties[clause];
        let premises = Clause::new(self.system(), &as_cube(property)).premises;
        let has_premise = premises.len() > usize::from(property.parameters.len() > 1);
        match case {
            Case::Conclusion if !has_premise => "The step makes the clause false (case I).".to_owned(),
            Case::Conclusion => "The premise holds before, and the step makes the conclusion false (case I).".to_owned(),
            Case::Premise => "The conclusion is false before, and the step makes the premise true (case II).".to_owned(),
            Case::Both => "Before, the premise does not hold, and the conclusion is not false: the step changes both (case III).".to_owned(),
        }
    }

    fn suggestions(&self, suggestions: &[Suggestion]) -> String {
        if suggestions.is_empty() && without_states(self.inquiry.instances()).is_some() {
            return paragraph(
                "There is nothing to suggest: any clause holds in all states that are reached, if there are none. Look \
                 at `init` first.",
            );
        }
        if suggestions.is_empty() {
            return paragraph(
                "There is nothing to suggest: whatever else would exclude such a state is violated by known \
                 states, or was rejected.",
            );
        }
        let mut text =
            paragraph("It goes away if you claim in addition one of these, which no known state violates:");
        for (letter, suggestion) in ('a'..='z').zip(suggestions) {
            text += &labelled(2, &letter.to_string(), &written(self.system(), &suggestion.clause));
            text += &labelled(3, "", &self.worth(suggestion));
        }
        text
    }

    /// What accepting a suggestion brings, and what it costs.
    fn worth(&self, suggestion: &Suggestion) -> String {
        let all = self.failures;
        let removes = match (suggestion.removes, all) {
            (_, 1) => "removes the counterexample".to_owned(),
            (removed, all) if removed == all => format!("removes all {all} counterexamples"),
            (removed, all) => format!("removes {removed} of {all} counterexamples"),
        };
        let leaves = match suggestion.leaves {
            0 => "every step preserves it".to_owned(),
            1 => "1 transition does not preserve it yet".to_owned(),
            count => format!("{count} transitions do not preserve it yet"),
        };
        format!("{removes}; {leaves}")
    }

    /// The counterexamples that are not shown, in a line each.
    fn others(&self) -> Option<String> {
        let (_, others) = self.counterexamples.split_first()?;
        if others.is_empty() {
            return None;
        }
        let mut text =
            paragraph("The others, each with its best suggestion (--clause and --transition show them):");
        for (at, other) in others.iter().take(LISTED).enumerate() {
            let number = format!("{}.", at + 2);
            let step = self.system().transition_in_words(&self.system().transitions[other.transition].name);
            text += &labelled(2, &number, &format!("{step} violates clause {}", other.clause + 1));
            let best = other.suggestions.first().map(|best| written(self.system(), &best.clause));
            text += &labelled(2 + number.len(), "", best.as_deref().unwrap_or("nothing can be suggested"));
        }
        let left = self.counterexamples.len().saturating_sub(1 + LISTED);
        if left > 0 {
            let _ = writeln!(text, "  and {left} more");
        }
        Some(text)
    }

    fn applied(&self, file: &Path) -> String {
        paragraph(&match self.first_suggestions().len() {
            0 => format!("The model was written to {}, without further clauses.", file.display()),
            count => format!(
                "The model was written to {} with {}: polycube induct {} goes on.",
                file.display(),
                counted(count as u64, "further clause"),
                file.display()
            ),
        })
    }
}

/// The report of a command that had to end before it knew anything.
pub(super) fn cut_off(name: &str, stopped: &str, reason: &'static str, format: Format) -> String {
    match format {
        Format::Human => paragraph(&format!("Unknown: {stopped}.")),
        Format::Json => json::print(&super::json::CutOff::new(name, reason)),
    }
}

fn refutation(system: &System, run: Option<&Trace>) -> String {
    match run {
        Some(run) => {
            let calls: Vec<String> =
                run.steps.iter().map(|step| call(system, &step.transition, &step.arguments)).collect();
            match calls.is_empty() {
                true => "by an initial state".to_owned(),
                false => format!("by the run {}", calls.join(", ")),
            }
        }
        None => "by a state of a larger instance".to_owned(),
    }
}

fn clause_text(system: &System, property: &Property) -> String {
    Clause::new(system, &as_cube(property)).to_text()
}

pub(super) fn as_cube(property: &Property) -> CubeFormula {
    CubeFormula { parameters: property.parameters.clone(), formula: property.formula.clone() }
}

fn is_proved(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Holds(_))
}

fn is_failing(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Fails(_))
}

fn is_unknown(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown)
}
