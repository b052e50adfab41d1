//! Certificates: a model, an inductive invariant, and what has to be proved of it, as files in a directory.
//!
//! Everything in a certificate is a function of the model, the invariant, and the hints, which [`manifest`]
//! lists; so whoever doubts a file can make it again ([`audit`]). [`directory`] writes it, [`prove`] has
//! solvers check it.

pub(crate) mod audit;
pub(crate) mod directory;
pub(crate) mod manifest;
pub(crate) mod prove;

use polycube_certificate::hint::Hints;
use polycube_certificate::smtlib::{self, NoScripts, Room, Script};
use polycube_certificate::{Clause, Invariant, Obligation};
use polycube_induction::{Effort, Induction, Wanted};
use polycube_language::System;
use polycube_language::check::check;
use polycube_language::diagnostic::Severity;
use polycube_language::formula::{Formula, Variable};
use polycube_language::system::Property;

use crate::verified::Failed;
use manifest::{ClauseText, Manifest};

/// The names of the files that every certificate has.
pub(crate) const MODEL: &str = "model.cub";
pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const THEORY: &str = "theory.why";
pub(crate) const PROGRAM: &str = "program.mlw";

/// A model that is claimed to be safe, and why.
pub(crate) struct Certificate {
    pub(crate) text: String,
    pub(crate) system: System,
    pub(crate) invariant: Invariant,
    pub(crate) hints: Hints,
    /// What the manifest says beside that.
    pub(crate) origin: manifest::Provenance,
}

impl Certificate {
    /// The certificate for an invariant. It is read from its text, so that it is the one that readers of the
    /// certificate get.
    pub(crate) fn new(
        text: &str,
        system: &System,
        clauses: &[ClauseText],
        origin: manifest::Provenance,
        threads: usize,
        goes_on: &(dyn Fn() -> bool + Sync),
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Certificate, Failed> {
        let (system, invariant) = read_invariant(system, clauses)
            .unwrap_or_else(|why| panic!("what the program writes can be read: {why}"));
        let effort = Effort { goes_on, threads, wanted: Wanted::Hints };
        let induction = Induction::of(&system, &invariant, &effort, progress);
        if let Some((obligation, counterexample)) = induction.refuted() {
            return Err(Failed { obligation, counterexample: Box::new(counterexample.clone()) });
        }
        let hints = induction.hints();
        Ok(Certificate { text: text.to_owned(), system, invariant, hints, origin })
    }

    pub(crate) fn scripts(&self, room: &Room<'_>) -> Result<Vec<Script>, NoScripts> {
        smtlib::scripts(&self.system, &self.invariant, &self.hints, room)
    }

    /// The files for Why3: their names, what they say, and their content.
    pub(crate) fn for_why3(&self) -> [(&'static str, &'static str, String); 2] {
        let program = polycube_why3::program(&self.system, &self.invariant);
        [
            (THEORY, "All obligations, for Why3.", self.theory()),
            (PROGRAM, "The model as a program with the invariant in its loop, for Why3.", program),
        ]
    }

    fn theory(&self) -> String {
        let needed = |obligation| {
            let mut clauses: Vec<usize> =
                self.hints.get(&obligation)?.iter().map(|hint| hint.clause).collect();
            // What nothing changes is not a matter of hints.
            if let Obligation::Preserved { transition, clause } = obligation
                && self.invariant.clauses[clause].is_untouched_by(&self.system.transitions[transition])
            {
                clauses.push(clause);
            }
            clauses.sort_unstable();
            clauses.dedup();
            Some(clauses)
        };
        polycube_why3::theory(&self.system, &self.invariant, &needed)
    }

    /// The file of the script that asks about an obligation.
    pub(crate) fn script_file(&self, obligation: Obligation) -> String {
        script_file(&smtlib::script_name(&self.system, obligation))
    }

    /// What has to be proved.
    pub(crate) fn obligations(&self) -> Vec<Obligation> {
        Obligation::all(&self.system, &self.invariant)
    }

    /// All files with their content, the manifest last.
    pub(crate) fn files(&self, scripts: &[Script]) -> Vec<(String, String)> {
        let for_why3 = self.for_why3();
        let manifest = Manifest::new(self, scripts, &for_why3).to_text();
        let mut files = vec![(MODEL.to_owned(), self.text.clone())];
        files.extend(scripts.iter().map(|script| (script_file(&script.name), script.text.clone())));
        files.extend(for_why3.map(|(name, _, content)| (name.to_owned(), content)));
        files.push((MANIFEST.to_owned(), manifest));
        files
    }
}

fn script_file(name: &str) -> String {
    format!("{name}.smt2")
}

/// The texts of the clauses of an invariant.
pub(crate) fn clause_texts<'c>(
    system: &System,
    clauses: impl IntoIterator<Item = (&'c [Variable], &'c Formula)>,
) -> Vec<ClauseText> {
    let text = |(parameters, never): (&[Variable], &Formula)| ClauseText {
        parameters: parameters.iter().map(|parameter| parameter.name.clone()).collect(),
        never: system.display_formula(never, parameters).to_string(),
    };
    clauses.into_iter().map(text).collect()
}

/// Reads the clauses of an invariant: each is one more `unsafe` clause of the model. The system counts what they
/// count.
pub(crate) fn read_invariant(system: &System, clauses: &[ClauseText]) -> Result<(System, Invariant), String> {
    let mut text = system.to_source();
    for ClauseText { parameters, never } in clauses {
        text += &format!("\nunsafe ({}) {{ {never} }}\n", parameters.join(" "));
    }
    let checked = check(&text);
    let Some(mut read) = checked.system else {
        let mut diagnostics = checked.diagnostics.iter();
        let error =
            diagnostics.find(|one| one.severity == Severity::Error).map_or("", |error| &error.message);
        return Err(format!("the invariant cannot be read: {error}"));
    };
    // What people call its parts is no part of its text.
    read.words = system.words.clone();
    // A text that ends one clause and begins another thing is none.
    let own = system.properties.len();
    let properties = read.properties.split_off(own.min(read.properties.len()));
    let expected = system.with_counts(read.counts.iter().cloned());
    if expected.as_ref() != Ok(&read) || properties.len() != clauses.len() {
        return Err("the invariant cannot be read: it is not one formula for each clause".to_owned());
    }
    let clause = |property: Property| Clause { parameters: property.parameters, never: property.formula };
    Ok((read, Invariant { clauses: properties.into_iter().map(clause).collect() }))
}
