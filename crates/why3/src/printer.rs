//! What every file for Why3 begins with: the types of a system, and orders of them.

use polycube_language::System;
use polycube_language::system::{Processes, Symbol};

use crate::layout::Layout;
use crate::vocabulary::Vocabulary;

/// What is printed so far.
pub(crate) struct Printer<'v> {
    pub(crate) vocabulary: &'v Vocabulary<'v>,
    pub(crate) text: String,
}

impl Printer<'_> {
    pub(crate) fn line(&mut self, text: &str) {
        self.text += text;
        self.text += "\n";
    }

    /// A part of a theory, after an empty line.
    pub(crate) fn declare(&mut self, text: &str) {
        self.line(&format!("\n  {text}"));
    }

    pub(crate) fn note(&mut self, text: &str) {
        self.declare(&format!("(* {text} *)"));
    }

    /// Begins a theory or a module that uses others.
    pub(crate) fn begin(&mut self, what: &str, used: &[&str]) {
        self.line(&format!("\n{what}"));
        if !used.is_empty() {
            let used: Vec<String> = used.iter().map(|theory| format!("use {theory}")).collect();
            self.declare(&used.join("\n  "));
        }
    }

    pub(crate) fn end(&mut self) {
        self.line("\nend");
    }

    /// How many processes there are, in words.
    pub(crate) fn how_many(&self) -> String {
        match self.vocabulary.system.processes {
            Processes::Any => "any number of processes".to_owned(),
            Processes::Exactly(1) => "one process".to_owned(),
            Processes::Exactly(count) => format!("{count} processes"),
        }
    }

    pub(crate) fn types(&mut self) {
        let vocabulary = self.vocabulary;
        match vocabulary.system.processes {
            Processes::Any => {
                self.note("The processes: at least one; how many is left open");
                self.line("  type proc");
            }
            Processes::Exactly(_) => {
                self.note("The processes");
                self.line(&format!("  {}", enumeration("proc", &vocabulary.processes)));
            }
        }
        let enumerations = vocabulary.enumerations.iter().zip(&vocabulary.constructors).skip(1);
        let enumerations = enumerations.map(|(name, values)| enumeration(name, values));
        let abstract_types = vocabulary.abstract_types.iter().map(|name| format!("type {name}"));
        for declaration in enumerations.chain(abstract_types) {
            self.declare(&declaration);
        }
    }

    pub(crate) fn orders(&mut self) {
        let vocabulary = self.vocabulary;
        for (ty, less) in &vocabulary.orders {
            let ty = vocabulary.ty(*ty);
            self.note(&format!("A strict total order of {ty}; which one is left open"));
            self.line(&format!("  predicate {less} (x y: {ty})"));
            self.line(&format!("  axiom {less}_irreflexive: forall x: {ty}. not {less} x x"));
            let (xy, yz, xz) = (format!("{less} x y"), format!("{less} y z"), format!("{less} x z"));
            self.line(&format!("  axiom {less}_transitive: forall x y z: {ty}. {xy} -> {yz} -> {xz}"));
            self.line(&format!("  axiom {less}_total: forall x y: {ty}. x = y \\/ {xy} \\/ {less} y x"));
        }
    }
}

pub(crate) fn symbols(system: &System) -> impl Iterator<Item = (usize, &Symbol)> {
    system.symbols.iter().enumerate()
}

fn enumeration(name: &str, values: &[String]) -> String {
    Layout::before(format!("type {name} ="), Layout::Filled("|", values.to_vec())).at(2)
}
