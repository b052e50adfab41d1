//! What an exploration found, for people.

use std::fmt::Write;

use polycube_certificate::{Trace, Violation, replay};
use polycube_engine::compile::Cut;
use polycube_engine::compile::domain::Bounds;
use polycube_engine::forward::{self, End, Exploration, Fault, Options, Reduction};
use polycube_language::System;
use polycube_language::span::{Lines, Span};
use polycube_language::system::Type;
use polycube_murphi::{Parameter, Sizes};
use serde::Serialize;

use crate::arguments::{CheckpointArguments, Deadlocks, ExploreArguments, Format};
use crate::command::model::because;
use crate::command::stop::Cause;
use crate::command::{Outcome, cut_off};
use crate::model::Model;
use crate::report::json;
use crate::report::number::{bytes, counted, grouped, rate, seconds};
use crate::report::trace::{at_the_end, instance_name, listed, paragraph, rules, runs, violation, within};

/// Below this, a rate says more about the clock than about the search.
const SECONDS_WORTH_A_RATE: f64 = 0.1;
/// Below this, memory is mostly what an empty search takes.
const STATES_WORTH_A_SIZE: u64 = 1000;

/// Names of one kind of which a bound cut off values.
#[derive(Serialize)]
pub(super) struct Bound<'r> {
    kind: BoundKind,
    /// Of constants, variables and arrays, or of types.
    names: Vec<&'r str>,
    #[serde(flatten)]
    limit: Limit,
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum BoundKind {
    /// The numbers to start with.
    Start,
    /// The numbers that `?` chooses from.
    Choice,
    /// How many values an abstract type has.
    Values,
}

#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
enum Limit {
    Range { low: i64, high: i64 },
    Count { count: u32 },
}

/// An exploration with everything that its report needs.
pub(super) struct Report<'r> {
    pub(super) model: &'r Model,
    pub(super) lines: Lines<'r>,
    pub(super) options: &'r Options,
    pub(super) exploration: &'r Exploration,
    arguments: &'r ExploreArguments,
    pub(super) stopped_by: Cause,
    pub(super) seconds: f64,
    /// Whether the search did not end by itself.
    pub(super) is_cut_off: bool,
    /// Which other process was lost, and why.
    pub(super) lost: Option<String>,
}

impl<'r> Report<'r> {
    pub(super) fn new(
        model: &'r Model,
        arguments: &'r ExploreArguments,
        options: &'r Options,
        exploration: &'r Exploration,
        stopped_by: Cause,
        seconds: f64,
    ) -> Self {
        let lines = Lines::new(&model.input.text);
        let (is_cut_off, lost) = (false, None);
        Report { model, lines, options, exploration, arguments, stopped_by, seconds, is_cut_off, lost }
    }

    /// How the command ends. Where the bounds leave no state to start from, nothing is known.
    pub(super) fn outcome(&self) -> Outcome {
        if !self.exploration.violations.is_empty() || self.has_bad_deadlock() {
            Outcome::No
        } else if self.exploration.end == End::Complete
            && !(self.has_no_start() && self.is_bounded_at_start())
        {
            Outcome::Success
        } else {
            Outcome::Unknown
        }
    }

    fn has_bad_deadlock(&self) -> bool {
        self.arguments.deadlock == Deadlocks::Error && self.exploration.deadlocks > 0
    }

    pub(super) fn system(&self) -> &System {
        &self.model.system
    }

    pub(super) fn print(&self, format: Format) -> String {
        match format {
            Format::Human => self.to_text(),
            Format::Json => json::print(self),
        }
    }

    /// The report for people: runs, then numbers, then remarks, and the answer at the end.
    fn to_text(&self) -> String {
        let mut parts = runs(self.system(), &self.runs(), self.arguments.run.detail());
        parts.push(self.numbers());
        parts.extend(self.remarks().iter().map(|remark| paragraph(remark)));
        parts.push(paragraph(&self.answer()));
        parts.join("\n")
    }

    /// What is no longer so in a deadlock.
    fn deadlocked(&self) -> &'static str {
        match self.options.deadlocks {
            forward::Deadlocks::NoStep => "transition is possible",
            forward::Deadlocks::NoChange => "rule leads to another state",
        }
    }

    /// The runs to show, and what is bad about the last state of each.
    pub(super) fn runs(&self) -> Vec<(&'r Trace, String)> {
        let violations = self.exploration.violations.iter().map(|found| {
            let last = Violation {
                state: found.trace.steps.len(),
                property: found.property,
                processes: found.processes.clone(),
            };
            let name = &self.model.input.name;
            let state = replay(self.system(), &found.trace).ok().and_then(|mut run| run.states.pop());
            let when = at_the_end(&found.trace);
            (&found.trace, violation(self.system(), name, &self.lines, &last, state.as_ref(), when))
        });
        let deadlock = self.exploration.deadlock.iter().filter(|_| self.has_bad_deadlock());
        let deadlock =
            deadlock.map(|trace| (trace, format!("No {} {}.\n", self.deadlocked(), at_the_end(trace))));
        violations.chain(deadlock).collect()
    }

    fn numbers(&self) -> String {
        let found = self.exploration;
        let mut rows = vec![
            ("states", grouped(found.states), self.meaning_of_states()),
            ("transitions", grouped(found.transitions), String::new()),
            ("depth", grouped(found.depth as u64), String::new()),
            ("time", seconds(self.seconds), String::new()),
        ];
        if self.seconds >= SECONDS_WORTH_A_RATE && found.states > 0 {
            rows[3].2 = rate(found.states, "states", self.seconds);
        }
        if found.states > 0 {
            let bits = found.state_bits;
            let each = if found.states >= STATES_WORTH_A_SIZE {
                format!("{:.1} bytes per state of {bits} bits", self.bytes_per_state())
            } else {
                format!("states of {bits} bits")
            };
            rows.push(("memory", bytes(found.bytes as u64), each));
        }
        if found.parts.len() > 1 {
            let (count, all) = (found.parts.len(), || found.parts.iter().map(|part| part.traffic));
            let sent: u64 = all().map(|traffic| traffic.sent).sum();
            let waited = all().map(|traffic| traffic.waited).max().unwrap_or_default();
            let meetings = all().map(|traffic| traffic.meetings).max().unwrap_or_default();
            let each = sent as f64 / found.states.max(1) as f64;
            rows.push(("sent", bytes(sent), format!("{each:.1} bytes per state, between {count} processes")));
            let at = format!("at most, by one process for the others, {} times", grouped(meetings));
            rows.push(("waited", seconds(waited.as_secs_f64()), at));
        }
        let width = rows.iter().map(|(_, number, _)| number.len()).max().unwrap_or(0);
        let mut text = format!("{}, {}\n", self.model.input.name, self.instance());
        for (name, number, remark) in rows {
            let _ = write!(text, "  {name:<11}  {number:>width$}");
            if !remark.is_empty() {
                let _ = write!(text, "   {remark}");
            }
            text.push('\n');
        }
        text
    }

    /// Which instance it is, and for a file of Murphi what its types have to do with it.
    fn instance(&self) -> String {
        let name = instance_name(self.system(), self.options.processes);
        match &self.model.sizes {
            Some(Sizes { parameter: None, instances, .. }) => instances.clone(),
            Some(Sizes { parameter: Some(Parameter { name: ty, count, .. }), .. }) => {
                let as_in = if *count == self.options.processes { ", as in the file" } else { "" };
                format!("{name}: the values of {ty}{as_in}")
            }
            None => name,
        }
    }

    fn meaning_of_states(&self) -> String {
        let (all, explored) = (self.exploration.orders, self.exploration.explored_orders);
        let some = if explored < all { format!("{explored} of ") } else { String::new() };
        let orders = (all != 1).then(|| format!("in {some}{all} orders of what `<` compares"));
        if self.model.execution.is_some() {
            return "without symmetry".to_owned();
        }
        let is_reduced = self.exploration.reduction == Reduction::Symmetry;
        let renaming = is_reduced.then(|| "up to renaming".to_owned());
        renaming.into_iter().chain(orders).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn bytes_per_state(&self) -> f64 {
        self.exploration.bytes as f64 / self.exploration.states.max(1) as f64
    }

    /// What the reader should know about the model, and about what was not looked at.
    pub(super) fn remarks(&self) -> Vec<String> {
        let found = self.exploration;
        let mut remarks = Vec::new();
        if self.has_no_start() {
            let within = within(self.system(), self.options.processes);
            let why = if self.is_bounded_at_start() {
                " within the bounds; widen them (--int-range)."
            } else {
                ". `init` has to hold for all processes in place of its parameters."
            };
            remarks.push(format!("warning: no state {within} is initial{why}"));
        } else if let names = self.never_fired()
            && !names.is_empty()
            && found.states > 0
            && found.end != End::Unsafe
        {
            let count = counted(names.len() as u64, "transition");
            let (is, was) = if names.len() == 1 { ("is", "was") } else { ("are", "were") };
            let names = names.join(", ");
            remarks.push(match found.end {
                End::Complete => format!("warning: {count} {is} never possible: {names}."),
                _ => format!("note: {count} {was} not taken before the search ended: {names}."),
            });
        }
        if found.deadlocks > 0 && self.arguments.deadlock == Deadlocks::Warn {
            let steps = found.deadlock.as_ref().map_or(0, |trace| trace.steps.len());
            let distance = counted(steps as u64, "step");
            let place = match (found.deadlocks, steps) {
                (1, 0) => "which is initial".to_owned(),
                (_, 0) => "one of which is initial".to_owned(),
                (1, _) => format!("{distance} from the start"),
                (_, _) => format!("the nearest {distance} from the start"),
            };
            let count = counted(found.deadlocks, "state");
            remarks.push(format!(
                "warning: in {count} no {}, {place} (--deadlock error shows a run).",
                self.deadlocked()
            ));
        }
        remarks.extend(self.executed().map(|why| {
            format!("note: this was executed as it is written, state by state, and not translated: {why}.")
        }));
        remarks.extend(self.bounds().iter().map(|bound| format!("note: {}.", bound.text)));
        let CheckpointArguments { checkpoint, resume, .. } = &self.arguments.checkpoint;
        if let Some(dir) = checkpoint.as_ref().or(resume.as_ref()) {
            match &found.fault {
                Some(Fault(reason)) if found.end != End::Unkept => {
                    remarks.push(format!("warning: what was found could not be kept: {reason}."));
                }
                _ if !matches!(found.end, End::Complete | End::Unsafe) => {
                    let dir = dir.display();
                    remarks.push(format!("note: --resume {dir} goes on from what was kept."));
                }
                _ => {}
            }
        }
        remarks
    }

    /// Why a file of Murphi has the sizes of the file only.
    pub(super) fn refused(&self) -> Option<String> {
        let refused = self.model.sizes.as_ref()?.refused.as_ref()?;
        Some(because(refused, &self.lines))
    }

    /// Why a file of Murphi was executed.
    pub(super) fn executed(&self) -> Option<String> {
        let because = &self.model.execution.as_ref()?.because;
        Some(match because.primary.span {
            nowhere if nowhere == Span::default() => because.message.clone(),
            span => format!("{} (line {})", because.message, self.lines.position(span.start).line),
        })
    }

    /// The transitions that were never possible. Of several that are one rule of a file, none was.
    pub(super) fn never_fired(&self) -> Vec<String> {
        let system = &self.model.system;
        rules(system, system.whole_rules(&self.exploration.never_fired))
    }

    /// Whether it is known that nothing is reachable.
    fn has_no_start(&self) -> bool {
        self.exploration.initial_states == 0 && self.exploration.end == End::Complete
    }

    fn is_bounded_at_start(&self) -> bool {
        self.exploration.cuts.iter().any(|cut| matches!(cut, Cut::Start(_)))
    }

    pub(super) fn bounds(&self) -> Vec<Bound<'r>> {
        let system = &self.model.system;
        let (mut started, mut chosen, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for &cut in &self.exploration.cuts {
            match cut {
                Cut::Start(symbol) => started.push(system.symbol(symbol).name.as_str()),
                Cut::Choice(symbol) => chosen.push(system.symbol(symbol).name.as_str()),
                Cut::Values(ty) => types.push(system.type_name(ty)),
            }
        }
        let Bounds { numbers, values } = &self.options.bounds;
        let (low, high) = (*numbers.start(), *numbers.end());
        let range = Limit::Range { low, high };
        let start_text = format!(
            "{} may start with numbers that were not tried; tried were {low}..{high} and those next to numbers in \
             `init` (--int-range)",
            quoted(&started)
        );
        let choice_text =
            format!("{} may become any number; tried were {low}..{high} (--int-range)", quoted(&chosen));
        let names = quoted(&types);
        let values_text = if types.len() == 1 {
            format!("the type {names} has infinitely many values; there were {values} here (--values)")
        } else {
            format!(
                "the types {names} have infinitely many values; there were {values} of each here (--values)"
            )
        };
        let bounds = [
            Bound { kind: BoundKind::Start, names: started, limit: range, text: start_text },
            Bound { kind: BoundKind::Choice, names: chosen, limit: range, text: choice_text },
            Bound {
                kind: BoundKind::Values,
                names: types,
                limit: Limit::Count { count: *values },
                text: values_text,
            },
        ];
        bounds.into_iter().filter(|bound| !bound.names.is_empty()).collect()
    }

    pub(super) fn answer(&self) -> String {
        let found = self.exploration;
        let within = within(self.system(), self.options.processes);
        let limits = &self.options.limits;
        let unfinished = match found.end {
            End::Complete | End::Unsafe => None,
            End::Depth => {
                let steps = counted(found.depth as u64, "step");
                Some(format!("the search ended {steps} from the start (--depth)"))
            }
            End::States => {
                let states = counted(limits.states.unwrap_or(0), "state");
                Some(format!("the limit of {states} was reached (--max-states)"))
            }
            End::Memory => Some(cut_off::describe(Cause::Memory, None, limits.bytes)),
            End::Sampled => Some("only some of the states were looked at".to_owned()),
            End::Full => Some("there are more states than can be numbered".to_owned()),
            End::Lost => {
                Some(self.lost.clone().unwrap_or_else(|| cut_off::describe(Cause::Peer, None, None)))
            }
            End::Unkept => {
                let reason = found.fault.as_ref().map(|Fault(reason)| format!(": {reason}"));
                Some(format!("what was found could not be kept{}", reason.unwrap_or_default()))
            }
            End::Interrupted => {
                Some(cut_off::describe(self.stopped_by, self.arguments.resources.timeout, limits.bytes))
            }
            End::Overflow(symbol) => {
                let symbol = self.system().symbol(symbol);
                let what = if symbol.ty == Type::Real { "too large or too fine" } else { "too large" };
                Some(format!("a number for `{}` is {what} to be stored", symbol.name))
            }
            End::Choices(transition) => {
                let name = &self.system().transitions[transition].name;
                Some(format!(
                    "the choices of one state, those of `{name}` among them, lead to too many states"
                ))
            }
        };
        let bad = if found.violations.is_empty() {
            let deadlock = || format!("States in which no {} are reachable {within}.", self.deadlocked());
            self.has_bad_deadlock().then(deadlock)
        } else {
            Some(format!("Bad states are reachable {within}."))
        };
        match (bad, unfinished) {
            (Some(bad), None) if found.end == End::Unsafe => {
                format!("{bad} The search ended at the nearest (--keep-going goes on).")
            }
            (Some(bad), None) => bad,
            (Some(bad), Some(reason)) => format!("{bad} Incomplete: {reason}."),
            (None, Some(reason)) if self.is_cut_off => format!("Incomplete: {reason}. {}", cut_off::CUT_OFF),
            (None, Some(reason)) if found.states == 0 => {
                format!("Incomplete: {reason} before a state was found.")
            }
            (None, Some(reason)) if found.inspected < found.states => format!(
                "Incomplete: {reason}. No bad state is among the {} that were looked at.",
                grouped(found.inspected)
            ),
            (None, Some(reason)) => {
                format!("Incomplete: {reason}. No bad state is among those that were found.")
            }
            (None, None) if self.has_no_start() && self.is_bounded_at_start() => {
                format!("Nothing was explored {within}: no state to start from is within the bounds above.")
            }
            (None, None) if self.has_no_start() => {
                format!("Nothing is reachable {within}: there is no state to start from.")
            }
            (None, None) if found.cuts.is_empty() => format!("No bad state is reachable {within}."),
            (None, None) => format!("No bad state is reachable {within}, within the bounds above."),
        }
    }
}

/// `X`, `Y` and `Z`
fn quoted(names: &[&str]) -> String {
    listed(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}
