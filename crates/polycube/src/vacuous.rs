//! What is said of a model that is safe for a reason that may not be meant.

use polycube_engine::oracle::Explored;
use polycube_engine::vacuity::{Part, Vacuity};
use polycube_language::System;
use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::formula::Formula;
use polycube_language::span::Span;
use polycube_language::system::Init;
use polycube_language::words::Claim;

use crate::report::murphi::Writer;
use crate::report::number::counted;
use crate::report::trace::abridged;
use crate::verified::{Verified, looked_at, sizes};

impl Verified<'_> {
    /// Warnings about what never comes true: because the invariant excludes it, or in small instances, all states of which
    /// were looked at.
    pub fn vacuous(&self) -> Vec<Diagnostic> {
        let Some(vacuity) = self.vacuity.as_ref().filter(|_| self.is_safe()) else { return Vec::new() };
        let system = &self.model.system;
        let seen = looked_at(&vacuity.instances);
        if vacuity.nowhere {
            let is_said = self.model.diagnostics.iter().any(|known| known.code == Code::NeverHolds);
            return if is_said { Vec::new() } else { system.init.first().map(nowhere).into_iter().collect() };
        }
        let note = |is_impossible: bool| match is_impossible {
            true => "the invariant excludes it".to_owned(),
            false => format!("looked at: {seen}"),
        };
        let is_said = |span: Span| {
            let mut known = self.model.diagnostics.iter().filter(|known| known.code == Code::NeverHolds);
            known.any(|known| (span.start..span.end).contains(&known.primary.span.start))
        };
        let never = if vacuity.is_exact { &vacuity.transitions } else { &vacuity.impossible };
        let impossible = system.whole_rules(&vacuity.impossible);
        let transitions = system.whole_rules(never).into_iter().map(|at| (at, &system.transitions[at]));
        let never_possible =
            transitions.filter(|(_, transition)| !is_said(transition.origin.0)).map(|(at, transition)| {
                let name = system.transition_in_words(&transition.name);
                let message = format!("the transition `{name}` is never possible");
                Diagnostic::warning(
                    Code::NeverPossible,
                    name_of(self.model.text(), transition.origin.0),
                    message,
                )
                .note(note(impossible.contains(&at)))
            });
        // One is enough: the others often say the same of another process.
        let is_known = |part: &&Part| vacuity.is_exact || part.is_impossible;
        let parts: Vec<&Part> = claimed(system, &vacuity.parts).filter(is_known).collect();
        let parts = parts.chunk_by(|one, next| one.property == next.property).map(|parts| parts[0]);
        let never_true =
            parts.filter(|part| !is_said(system.properties[part.property].origin.0)).map(|part| {
                let text = text_of(system, part);
                let span = span_of(&part.formula).unwrap_or(system.properties[part.property].origin.0);
                Diagnostic::warning(Code::NeverTrue, span, format!("`{text}` is never true"))
                    .label("so the rest of the clause does not matter")
                    .note(note(part.is_impossible))
            });
        never_possible.chain(never_true).collect()
    }

    /// Of how many processes no state is initial, if there is none: `2 and 3 processes`.
    pub(crate) fn nowhere(&self) -> Option<String> {
        let vacuity = self.vacuity.as_ref().filter(|vacuity| self.is_safe() && vacuity.nowhere)?;
        Some(sizes(&vacuity.instances))
    }

    /// The instances in whose states nothing bad was found.
    pub(crate) fn seen(&self) -> &[Explored] {
        let looked = self.vacuity.as_ref().filter(|vacuity| !vacuity.is_bad);
        match &self.verification.instances[..] {
            [first, ..] if first.states > 0 => &self.verification.instances,
            _ => looked.map_or(&[], |vacuity| &vacuity.instances),
        }
    }

    /// What was not seen, where only a sample of the states was looked at.
    pub(crate) fn unseen(&self) -> Option<String> {
        let vacuity = self.vacuity.as_ref().filter(|vacuity| self.is_safe() && !vacuity.is_exact)?;
        let Vacuity { transitions, impossible, parts, instances, .. } = vacuity;
        let system = &self.model.system;
        let name = |at: usize| system.transition_in_words(&system.transitions[at].name).to_owned();
        // Of what is impossible, there is a warning.
        let is_said = system.whole_rules(impossible);
        let rules = system.whole_rules(transitions).into_iter().filter(|rule| !is_said.contains(rule));
        let names: Vec<String> = rules.map(name).collect();
        let mut unseen = Vec::new();
        if !names.is_empty() {
            let count = counted(names.len() as u64, "transition");
            unseen.push(format!("{count} ({})", abridged(&names)));
        }
        let parts = claimed(system, parts).filter(|part| !part.is_impossible);
        for text in parts.map(|part| format!("`{}`", text_of(system, part))) {
            if !unseen.contains(&text) {
                unseen.push(text);
            }
        }
        (!unseen.is_empty()).then(|| format!("Not seen in {}: {}.", looked_at(instances), unseen.join(", ")))
    }
}

fn nowhere(init: &Init) -> Diagnostic {
    Diagnostic::warning(Code::NoInitialState, init.origin.0, "no state is initial")
        .note("without initial states nothing is reachable, and every property holds")
        .help("`init` has to hold for all processes in place of its parameters")
}

/// The parts of what an author has written: that errors of a language never happen is what is hoped for.
fn claimed<'p>(system: &System, parts: &'p [Part]) -> impl Iterator<Item = &'p Part> {
    parts.iter().filter(|part| !matches!(system.words.properties.get(&part.property), Some(Claim::Never(_))))
}

fn text_of(system: &System, part: &Part) -> String {
    let parameters = &system.properties[part.property].parameters;
    match &system.words.murphi {
        Some(murphi) => Writer { system, murphi }.formula(&part.formula, parameters).text,
        None => system.display_formula(&part.formula, parameters).to_string(),
    }
}

/// Where a formula is written: from its first comparison to its last.
fn span_of(formula: &Formula) -> Option<Span> {
    let mut all: Option<Span> = None;
    formula.for_each_comparison(&mut |comparison| {
        let span = comparison.origin.0;
        if span == Span::default() {
            return;
        }
        all = Some(all.map_or(span, |all| Span::new(all.start.min(span.start), all.end.max(span.end))));
    });
    all
}

/// The first line of a declaration.
fn name_of(text: &str, span: Span) -> Span {
    let line = span.text(text).lines().next().unwrap_or_default().trim_end();
    Span::new(span.start, span.start + u32::try_from(line.len()).unwrap_or(0))
}
