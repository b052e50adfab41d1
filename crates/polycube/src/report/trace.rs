//! Runs for people: tables that fit, with colours; whoever prints them may take the colours away.

mod chosen;
mod clause;
mod layout;
mod repeat;
mod state;

use std::fmt::Write;

use annotate_snippets::renderer::Style;
use polycube_certificate::{Cell, Run, State, Step, Trace, Value, replay};
use polycube_language::System;

pub(crate) use clause::{
    ClaimInWords, at_the_end, claim, clause_name, first_of_each, kind_of_clause, reasons, violation, when,
};
pub(crate) use layout::{
    Entry, abridged, columns, hanging, indented, labelled, listed, narrow, paragraph, separate,
};
pub(crate) use state::{known, state};

use super::counted;
use super::json_trace::{orders, processes as numbered};
use layout::wrapped;

/// Transitions that are longer than this stand on a line of their own.
const LONGEST_TRANSITION: usize = 32;

/// How much of a run is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What each step changes, and the first and the last state. What repeats is left out where it is long.
    #[default]
    Changes,
    /// Every state.
    States,
}

/// The run of a trace. The trace is one that [`replay`](polycube_certificate::replay()) accepts.
pub(crate) fn trace(system: &System, trace: &Trace, detail: Detail) -> String {
    let mut chosen = chosen::cells(system, trace);
    chosen.retain(|cell| cell.spoken_of(system).is_some());
    let initial = state(system, trace.processes, &trace.initial, &chosen);
    let mut text = format!("{}\ninitially:\n{initial}", instance(system, trace));
    if !chosen.is_empty() {
        text += "\n  * chosen: `init` does not say\n";
    }
    let run = replay(system, trace).ok();
    let states = run.as_ref().map_or(&[][..], |run: &Run| &run.states);
    match (detail, trace.steps.len()) {
        (_, 0) => {}
        (Detail::States, _) => {
            for (at, (step, states)) in trace.steps.iter().zip(states.windows(2)).enumerate() {
                let (number, name) = (at + 1, call(system, &step.transition, &step.arguments));
                let (bold, changed) = (Style::new().bold(), changed(&states[0], &states[1]));
                let table = state(system, trace.processes, &states[1], &changed);
                let _ = write!(text, "\nstep {number}: {bold}{name}{bold:#}\n{table}");
            }
        }
        (Detail::Changes, _) => {
            let _ = write!(text, "\nsteps:\n{}", steps(system, &trace.initial, &trace.steps, 1));
            if let Some(last) = states.last() {
                let _ = write!(text, "\nfinally:\n{}", state(system, trace.processes, last, &[]));
            }
        }
    }
    text
}

/// The cells that have another value afterwards.
fn changed(before: &State, after: &State) -> Vec<Cell> {
    let is_changed = |(cell, value): &(&Cell, &Value)| before.get(cell) != Some(*value);
    after.iter().filter(is_changed).map(|(cell, _)| cell.clone()).collect()
}

/// Runs, each with a sentence about its last state, in parts that a blank line separates.
pub(crate) fn runs(system: &System, runs: &[(&Trace, String)], detail: Detail) -> Vec<String> {
    let mut parts = Vec::new();
    for (at, (run, end)) in runs.iter().enumerate() {
        if runs.len() > 1 {
            parts.push(format!("Run {} of {}:\n", at + 1, runs.len()));
        }
        parts.extend([trace(system, run, detail), end.clone()]);
    }
    parts
}

/// Where a trace starts: the number of processes, the orders unless they are natural, and the initial state.
pub(crate) fn start(system: &System, trace: &Trace) -> String {
    let initial = state(system, trace.processes, &trace.initial, &[]);
    format!("{}\ninitially:\n{initial}", instance(system, trace))
}

/// The number of processes, and the orders unless they are natural.
pub(crate) fn instance(system: &System, trace: &Trace) -> String {
    let mut text = format!("{}\n", instance_name(system, trace.processes));
    for (name, values) in orders(system, trace) {
        let start = format!("order of {name}: ");
        let word = |(at, value): (usize, &String)| format!("{}{value}", if at == 0 { "" } else { "< " });
        let _ = writeln!(text, "{start}{}", wrapped(values.iter().enumerate().map(word), start.len()));
    }
    text
}

/// Steps from a state on, one line each unless it is long. The first one has the number `first`.
pub(crate) fn steps(system: &System, before: &State, steps: &[Step], first: usize) -> String {
    let names: Vec<String> =
        steps.iter().map(|step| call(system, &step.transition, &step.arguments)).collect();
    let widest = names.iter().map(String::len).filter(|&width| width <= LONGEST_TRANSITION).max();
    let widest = widest.unwrap_or(LONGEST_TRANSITION);
    let digits = (first + steps.len()).saturating_sub(1).to_string().len();
    let (bold, indent) = (Style::new().bold(), digits + widest + 6);
    let mut skipped = 0;
    let mut state = before.clone();
    let mut text = String::new();
    let mut repeats = repeat::repeats(steps).into_iter().peekable();
    for (at, (step, name)) in steps.iter().zip(&names).enumerate() {
        let number = first + at;
        if let Some(again) = repeats.next_if(|again| again.steps.start == at) {
            let (from, to) = (first + again.steps.start, first + again.steps.end - 1);
            let _ = writeln!(text, "  {:>digits$}  steps {from} to {to}: {}", "...", again.describe());
            skipped = again.steps.end;
        }
        if at < skipped {
            changes(system, &mut state, step);
            continue;
        }
        let _ = write!(text, "  {number:>digits$}  {bold}{name}{bold:#}");
        match widest.checked_sub(name.len()) {
            Some(blanks) => text.extend(std::iter::repeat_n(' ', blanks + 2)),
            None => {
                let _ = write!(text, "\n{:indent$}", "");
            }
        }
        let _ = writeln!(text, "{}", wrapped(changes(system, &mut state, step), indent));
    }
    text
}

/// What a step changes, as `Turn: #1 -> #2`; changes the state accordingly. What is not known before it may be
/// `any` value.
pub(crate) fn changes(system: &System, state: &mut State, step: &Step) -> Vec<String> {
    let mut changes: Vec<String> = changed_in_words(system, state, step)
        .into_iter()
        .map(|(cell, before, after)| {
            format!("{}: {} -> {after}", cell.in_words(system), before.as_deref().unwrap_or("any"))
        })
        .collect();
    if changes.is_empty() {
        return vec!["nothing changes".to_owned()];
    }
    separate(&mut changes);
    changes
}

/// What a step changes: the cells that are spoken of, with what they held before, as far as it is known, and
/// afterwards. Changes the state accordingly.
pub(crate) fn changed_in_words(
    system: &System,
    state: &mut State,
    step: &Step,
) -> Vec<(Cell, Option<String>, String)> {
    let mut cells: Vec<(Cell, Option<String>)> = Vec::new();
    for (cell, _) in &step.changes {
        if let Some(cell) = cell.spoken_of(system)
            && !cells.iter().any(|(known, _)| *known == cell)
        {
            let before = state.in_words(system, &cell);
            cells.push((cell, before));
        }
    }
    for (cell, value) in &step.changes {
        state.set(cell.clone(), value.clone());
    }
    let changed = cells.into_iter().filter_map(|(cell, before)| {
        let after = state.in_words(system, &cell)?;
        (before.as_ref() != Some(&after)).then_some((cell, before, after))
    });
    changed.collect()
}

/// A transition with its arguments: `enter(#1, #2)`, `tick()`. A rule of a file may have blanks in its name, and needs no
/// parentheses for nothing.
pub(crate) fn call(system: &System, transition: &str, arguments: &[u32]) -> String {
    called_with(system, transition, &numbered(arguments))
}

/// The same for processes that have other names.
pub(crate) fn called_with(system: &System, transition: &str, arguments: &[String]) -> String {
    match (system.words.transitions.get(transition), arguments) {
        (Some(rule), []) => rule.clone(),
        _ => format!("{}({})", system.transition_in_words(transition), arguments.join(", ")),
    }
}

/// The names of some transitions as people call them, each once.
pub(crate) fn rules(system: &System, transitions: impl IntoIterator<Item = usize>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for at in transitions {
        let name = system.transition_in_words(&system.transitions[at].name);
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// `7 steps with 3 processes`
pub(crate) fn length(system: &System, trace: &Trace) -> String {
    format!("{} {}", counted(trace.steps.len(), "step"), within(system, trace.processes))
}

/// Where something happens: `with 3 processes`, or `at the sizes of the file`.
pub(crate) fn within(system: &System, count: u32) -> String {
    let word = if system.words.instance.is_some() { "at" } else { "with" };
    format!("{word} {}", instance_name(system, count))
}

/// `3 processes`, unless the only instance has a name.
pub(crate) fn instance_name(system: &System, count: u32) -> String {
    system.words.instance.clone().unwrap_or_else(|| processes(count))
}

/// `1 process`, `3 processes`
pub(crate) fn processes(count: u32) -> String {
    format!("{count} process{}", if count == 1 { "" } else { "es" })
}
