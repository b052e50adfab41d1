//! A system as a program in WhyML whose loop has the invariant: section 5 of the BRWP paper (Conchon and
//! Roux, "Reasoning about Universal Cubes in MCMT").
//!
//! The state is a record with mutable fields, and a step assigns to them. So the obligations are not ours:
//! Why3 computes them, as the weakest preconditions of the program. An array is a function of processes. What
//! is assigned is described by a formula, also where no program could compute it (a case of an update may ask
//! for all processes).

use polycube_certificate::invariant::Invariant;
use polycube_language::System;
use polycube_language::system::{Symbol, SymbolKind, Transition, Update, Value};

use crate::formula::{Level, Scope, inside};
use crate::layout::Layout;
use crate::printer::{Printer, symbols};
use crate::vocabulary::{
    ANY_PROCESS, ANY_STATE, ANYTHING, COIN, MAIN, NOTHING, NOW, Notation, VALUE_OF, Vocabulary,
};

/// The system as a program for Why3 (1.5 or later): it chooses an initial state, and then, without end, a
/// transition and processes for it. The clauses are the invariants of this loop, and at each turn it is
/// asserted that no property is violated. If all that Why3 finds to prove is valid, no run of the system
/// reaches a state of a property.
pub fn program(system: &System, invariant: &Invariant) -> String {
    let vocabulary = Vocabulary::new(system, invariant, Notation::Field);
    let mut printer = Printer { vocabulary: &vocabulary, text: String::new() };
    printer.introduction();
    printer.begin("module Protocol", &vocabulary.arithmetic());
    printer.types();
    printer.orders();
    printer.record();
    printer.choices();
    printer.main();
    printer.end();
    printer.text
}

impl Printer<'_> {
    fn introduction(&mut self) {
        let many = self.how_many();
        self.line(&format!(
            "(* A protocol with {many}, as a program for Why3.

   The program chooses an initial state, and then, without end, a transition of the protocol and processes for it.
   What has to hold for a step to be possible is assumed; then the state changes. The invariants of the loop are what
   is claimed of all states that are reached. At each turn it is asserted that the state is none of those that must
   not be reached.

   What has to be proved is found out by Why3, and proved with, for example,

     why3 prove -a split_vc -P z3 program.mlw

   If all of it is valid, then no state is reached that must not be. *)"
        ));
    }

    /// The type of states.
    fn record(&mut self) {
        let vocabulary = self.vocabulary;
        let (constants, variables): (Vec<_>, Vec<_>) =
            symbols(vocabulary.system).partition(|(_, symbol)| symbol.kind == SymbolKind::Constant);
        for (id, symbol) in constants {
            self.note(&format!("const {}: it never changes", symbol.name));
            self.line(&format!("  constant {} : {}", vocabulary.symbols[id], vocabulary.ty(symbol.ty)));
        }
        let field = |(id, symbol): &(usize, &Symbol)| {
            let indices = "proc -> ".repeat(symbol.dimensions());
            format!("mutable {} : {indices}{};", vocabulary.symbols[*id], vocabulary.ty(symbol.ty))
        };
        let mut fields: Vec<String> = variables.iter().map(field).collect();
        if fields.is_empty() {
            fields.push(format!("{NOTHING} : unit;"));
        }
        self.note("The states");
        self.line(&format!("  type {} = {{\n    {}\n  }}", vocabulary.state, fields.join("\n    ")));
    }

    /// What the program calls: nothing is known of what these functions return, but for the last one.
    fn choices(&mut self) {
        let state = &self.vocabulary.state;
        self.note("Choices, of which nothing is known");
        self.line(&format!("  val {COIN} () : bool"));
        self.line(&format!("  val {ANY_PROCESS} () : proc"));
        self.line(&format!("  val {ANY_STATE} () : {state}"));
        self.note("A value that a formula describes");
        self.line(&format!("  val {VALUE_OF} (ghost x: 'a) : 'a ensures {{ result = x }}"));
    }

    fn main(&mut self) {
        let vocabulary = self.vocabulary;
        self.declare(&format!("let {MAIN} () : unit\n    diverges\n  ="));
        self.line(&format!("    let {NOW} = {ANY_STATE} () in"));
        self.braces(4, "assume", &vocabulary.initial(), ";");
        self.facts(4);
        self.line("    while True do");
        for clause in &vocabulary.invariant.clauses {
            self.braces(6, "invariant", &vocabulary.clause(clause), "");
        }
        self.facts(6);
        for property in &vocabulary.system.properties {
            let never = Layout::before("not", in_parentheses(vocabulary.property(property)));
            self.braces(6, "assert", &never, ";");
        }
        for transition in &vocabulary.system.transitions {
            self.line(&format!("      if {COIN} () then begin (* transition {} *)", transition.name));
            self.step(transition);
            self.line("      end else");
        }
        self.line("      ()\n    done");
    }

    /// What is true of numbers of processes in every state.
    fn facts(&mut self, column: usize) {
        let indent = " ".repeat(column);
        for (at, (_, fact)) in self.vocabulary.facts.iter().enumerate() {
            if at == 0 {
                self.line(&format!(
                    "{indent}(* Facts about numbers of processes: docs/trust.md says why they are true. *)"
                ));
            }
            self.braces(column, "assume", &self.vocabulary.clause(fact), ";");
        }
    }

    /// A formula in braces, behind a keyword.
    fn braces(&mut self, column: usize, keyword: &str, formula: &Layout, end: &str) {
        let formula = formula.without_parentheses();
        let indent = " ".repeat(column);
        self.line(&format!("{indent}{keyword} {{ {} }}{end}", formula.at(column + keyword.len() + 3)));
    }

    fn step(&mut self, transition: &Transition) {
        let vocabulary = self.vocabulary;
        let (scope, names) = vocabulary.scope(&transition.parameters);
        for name in &names {
            self.line(&format!("        let {name} = {ANY_PROCESS} () in"));
        }
        if let Some(guard) = vocabulary.guard(transition, &scope, &names) {
            self.braces(8, "assume", &guard, ";");
        }
        if transition.updates.iter().any(|update| update.values().any(|value| *value == Value::Any)) {
            self.line(&format!("        let {ANYTHING} = {ANY_STATE} () in"));
        }
        // All new values are those that the state before the step describes.
        for update in &transition.updates {
            let new = &vocabulary.new[update.symbol.0 as usize];
            let start = format!("let {new} = {VALUE_OF} (pure {{ ");
            let value = self.value(update, &scope).at(8 + start.len());
            self.line(&format!("        {start}{value} }}) in"));
        }
        let assign = |update: &Update| {
            let symbol = update.symbol.0 as usize;
            format!("{NOW}.{} <- {}", vocabulary.symbols[symbol], vocabulary.new[symbol])
        };
        let assignments: Vec<String> = transition.updates.iter().map(assign).collect();
        let nothing = "()".to_owned();
        let assignments = if assignments.is_empty() { nothing } else { assignments.join(";\n        ") };
        self.line(&format!("        {assignments}"));
    }

    /// What a symbol holds after an update: a value, or a function of processes.
    fn value(&self, update: &Update, scope: &Scope) -> Layout {
        let vocabulary = self.vocabulary;
        let (scope, indices) = inside(scope, &update.indices);
        let ty = vocabulary.system.symbol(update.symbol).ty;
        let value = |value: &Value| {
            Layout::text(match value {
                Value::Any => vocabulary.cell(update.symbol, ANYTHING, &indices),
                Value::Term(term) => vocabulary.term(term, ty, &scope),
            })
        };
        let branches: Vec<(Layout, Layout)> = (update.branches.iter())
            .map(|branch| (vocabulary.formula(&branch.condition, &scope, Level::Top), value(&branch.value)))
            .collect();
        let mut result = value(&update.otherwise);
        if !branches.is_empty() {
            result = Layout::Cases(branches, Box::new(result));
        }
        match &indices[..] {
            [] => result,
            indices => Layout::before(format!("fun ({}: proc) ->", indices.join(" ")), result),
        }
    }
}

fn in_parentheses(layout: Layout) -> Layout {
    match layout {
        Layout::Parentheses(_) => layout,
        other => Layout::parentheses(other),
    }
}
