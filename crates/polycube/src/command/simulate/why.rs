//! Why a transition is not possible: which part of its guard fails, for which processes, and what the values
//! are.

use std::fmt::Write;

use polycube_certificate::{Explanation, StepRejected, check_step, why_not};
use polycube_engine::compile::slot::injective_tuples;
use polycube_language::span::{Lines, Origin};
use polycube_language::suggest::nearest;
use polycube_language::system::Transition;

use super::request::Request;
use super::walk::Walk;
use crate::report::counted;
use crate::report::trace::{call, indented, paragraph, reasons, rules};

/// Where there are more choices of processes, they have to be named.
const MOST_CHOICES: usize = 1000;

/// So many different explanations are given.
const MOST_EXPLANATIONS: usize = 8;

/// So many choices are named that have the same explanation.
const MOST_NAMED: usize = 6;

/// Answers `why REQUEST`, where the request is `enter`, `enter #1 #2`, or `enter(#1, #2)`.
pub(super) fn why(walk: &Walk<'_>, lines: &Lines<'_>, request: &str) -> String {
    let Request { name, arguments } = match Request::parse(walk.system(), request) {
        Ok(Some(request)) => request,
        Ok(None) => return "Which transition? For example: why enter #1\n".to_owned(),
        Err(wrong) => return wrong,
    };
    let known: Vec<&Transition> = walk
        .system()
        .transitions
        .iter()
        .filter(|one| walk.system().transition_in_words(&one.name) == name)
        .collect();
    if known.is_empty() {
        return unknown(walk, name);
    }
    let mut text = String::new();
    for transition in &known {
        if known.len() > 1 {
            let line = lines.position(transition.origin.0.start).line;
            let _ = writeln!(text, "The transition `{name}` in line {line}:");
        }
        text += &if arguments.is_empty() {
            for_all(walk, lines, transition)
        } else {
            for_one(walk, lines, transition, &arguments)
        };
    }
    text
}

fn unknown(walk: &Walk<'_>, name: &str) -> String {
    let names = rules(walk.system(), 0..walk.system().transitions.len());
    match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("There is no transition `{name}`. Did you mean `{near}`?\n"),
        None => paragraph(&format!("There is no transition `{name}`. There are: {}.", names.join(", "))),
    }
}

fn for_one(walk: &Walk<'_>, lines: &Lines<'_>, transition: &Transition, arguments: &[u32]) -> String {
    let name = call(walk.system(), &transition.name, arguments);
    // The state after the step does not matter: the guard is asked first.
    match check_step(&walk.instance, &walk.state, transition, arguments, &walk.state) {
        Err(StepRejected::GuardFails(failing)) => {
            format!("{name} is not possible:\n{}", reasons(lines, &failing, transition.origin))
        }
        Err(
            wrong @ (StepRejected::NumberOfArguments { .. }
            | StepRejected::NoSuchProcess(_)
            | StepRejected::SameProcessTwice(_)),
        ) => format!("{name} is not possible:\n{}", indented(&wrong.to_string())),
        _ => format!("{name} is possible.\n"),
    }
}

/// Choices of processes for which the same parts of the guard fail.
struct Group {
    reasons: Vec<Explanation>,
    choices: Vec<Vec<u32>>,
}

fn for_all(walk: &Walk<'_>, lines: &Lines<'_>, transition: &Transition) -> String {
    let count = transition.parameters.len();
    let name = walk.system().transition_in_words(&transition.name);
    let processes = walk.instance.processes();
    let number = (0..count)
        .try_fold(1usize, |number, taken| number.checked_mul((processes as usize).saturating_sub(taken)));
    match number {
        Some(0) => {
            return format!(
                "{name} is not possible: it needs {count} different processes, and there are {processes}.\n"
            );
        }
        Some(1..=MOST_CHOICES) => {}
        _ => return format!("There are many choices of processes. Name them, as in: why {name} #1 #2\n"),
    }
    let mut groups: Vec<Group> = Vec::new();
    for choice in injective_tuples(processes, count) {
        let choice: Vec<u32> = choice.iter().map(|process| process + 1).collect();
        let reasons = why_not(&walk.instance, transition, &choice, &walk.state);
        let failing = || reasons.iter().map(|reason| &reason.formula);
        let is_same = |group: &&mut Group| group.reasons.iter().map(|reason| &reason.formula).eq(failing());
        match groups.iter_mut().find(is_same) {
            Some(group) => group.choices.push(choice),
            None => groups.push(Group { reasons, choices: vec![choice] }),
        }
    }
    let mut text = String::new();
    for group in groups.iter().take(MOST_EXPLANATIONS) {
        text += &explained(
            lines,
            transition.origin,
            |choice| call(walk.system(), &transition.name, choice),
            group,
        );
    }
    let others: usize = groups.iter().skip(MOST_EXPLANATIONS).map(|group| group.choices.len()).sum();
    if others > 0 {
        let _ = writeln!(text, "{} more, for other reasons.", counted(others, "choice"));
    }
    text
}

fn explained(lines: &Lines<'_>, origin: Origin, call: impl Fn(&[u32]) -> String, group: &Group) -> String {
    let named: Vec<String> = group.choices.iter().map(|choice| call(choice)).collect();
    if group.reasons.is_empty() {
        let verb = if named.len() == 1 { "is" } else { "are" };
        return paragraph(&format!("{} {verb} possible.", listed(&named)));
    }
    let mut text = format!("{} is not possible:\n{}", named[0], reasons(lines, &group.reasons, origin));
    if named.len() > 1 {
        text += &indented(&format!("and in the same way not {}", listed(&named[1..])));
    }
    text
}

/// `a, b, c and 5 others`
fn listed(names: &[String]) -> String {
    let shown = names[..names.len().min(MOST_NAMED)].join(", ");
    match names.len() - names.len().min(MOST_NAMED) {
        0 => shown,
        others => format!("{shown} and {}", counted(others, "other")),
    }
}
