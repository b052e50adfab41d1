//! A run as a sequence diagram, in the words of Mermaid.

use std::collections::BTreeSet;
use std::fmt::Write;

use polycube_certificate::{Cell, State, Step, Trace};
use polycube_language::System;

use super::trace::{call, changed_in_words, processes};

/// What a step changes is listed up to this many cells.
const SHOWN: usize = 6;

/// How wide a note is, in characters: Mermaid does not break its lines.
const WIDTH: usize = 36;

/// The diagram of a run. `path` is that of the model, and `end` says what is special about the last state.
pub(crate) fn to_mermaid(system: &System, trace: &Trace, path: &str, end: Option<&str>) -> String {
    let lanes = Lanes::new(trace);
    // There is little room in a note.
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut text = format!("sequenceDiagram\n    accTitle: {}\n", escaped(&format!("A run of {name}")));
    lanes.declare(&mut text);
    lanes.note(&mut text, &format!("{name}, {}", processes(trace.processes)));
    let mut state = trace.initial.clone();
    for (at, step) in trace.steps.iter().enumerate() {
        let label = format!("{}. {}", at + 1, call(system, &step.transition, &step.arguments));
        let label = [label].into_iter().chain(changes(system, &mut state, step));
        let label: Vec<String> = label.map(|line| escaped(&line)).collect();
        arrows(&mut text, &step.arguments, &label.join("<br/>"));
    }
    if let Some(end) = end {
        lanes.note(&mut text, &end.replace(path, name));
    }
    text
}

/// Who takes part: processes, and something that stands for steps without any.
struct Lanes {
    processes: Vec<u32>,
    has_global: bool,
}

const GLOBAL: &str = "G";

impl Lanes {
    fn new(trace: &Trace) -> Lanes {
        let acting: BTreeSet<u32> = trace.steps.iter().flat_map(|step| step.arguments.clone()).collect();
        let has_global = trace.steps.iter().any(|step| step.arguments.is_empty());
        // A diagram has at least one.
        let processes = if acting.is_empty() && !has_global { vec![1] } else { acting.into_iter().collect() };
        Lanes { processes, has_global }
    }

    fn declare(&self, text: &mut String) {
        if self.has_global {
            let _ = writeln!(text, "    participant {GLOBAL} as global");
        }
        for process in &self.processes {
            let _ = writeln!(text, "    participant P{process} as {}", escaped(&format!("#{process}")));
        }
    }

    /// A note over all of them, in lines.
    fn note(&self, text: &mut String, words: &str) {
        let mut lines: Vec<String> = Vec::new();
        for word in words.split_whitespace() {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                    *line = format!("{line} {word}");
                }
                _ => lines.push(word.to_owned()),
            }
        }
        let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
        let _ = writeln!(text, "    Note over {}: {}", self.all(), lines.join("<br/>"));
    }

    /// From the first to the last: `P1,P3`.
    fn all(&self) -> String {
        let mut names: Vec<String> = self.processes.iter().map(|process| format!("P{process}")).collect();
        if self.has_global {
            names.insert(0, GLOBAL.to_owned());
        }
        match &names[..] {
            [first, .., last] => format!("{first},{last}"),
            _ => names.concat(),
        }
    }
}

/// A step: from its first process to the others, or to itself if there is no other.
fn arrows(text: &mut String, arguments: &[u32], label: &str) {
    let lane = |process: &u32| format!("P{process}");
    match arguments {
        [] => {
            let _ = writeln!(text, "    {GLOBAL}->>{GLOBAL}: {label}");
        }
        [one] => {
            let _ = writeln!(text, "    {0}->>{0}: {label}", lane(one));
        }
        [first, second, others @ ..] => {
            let _ = writeln!(text, "    {}->>{}: {label}", lane(first), lane(second));
            for other in others {
                let _ = writeln!(text, "    {}->>{}: {}", lane(first), lane(other), escaped("\""));
            }
        }
    }
}

/// What a step changes, one line for each cell; changes the state accordingly.
fn changes(system: &System, state: &mut State, step: &Step) -> Vec<String> {
    let changed = changed_in_words(system, state, step).into_iter();
    let changed = changed.filter(|(cell, ..)| system.count(cell.symbol).is_none());
    let line = |(cell, before, after): (Cell, Option<String>, String)| {
        format!("{}: {} → {after}", cell.in_words(system), before.unwrap_or_default())
    };
    let mut lines: Vec<String> = changed.map(line).collect();
    if lines.len() > SHOWN {
        let more = lines.len() + 1 - SHOWN;
        lines.truncate(SHOWN - 1);
        lines.push(format!("and {more} more"));
    }
    lines
}

/// A text in a diagram, where some characters have a meaning: those that may have one are written as numbers.
fn escaped(text: &str) -> String {
    let mut result = String::new();
    for character in text.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '_' | '-' | '.' | ',' | '/' | '=' | ':' => {
                result.push(character);
            }
            '(' | ')' | '[' | ']' | '→' => result.push(character),
            character if character.is_control() => result.push(' '),
            character => {
                let _ = write!(result, "#{};", u32::from(character));
            }
        }
    }
    result
}
