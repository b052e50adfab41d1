//! The last touches: what is said of constants, and numbers and names of variables that are unique.

use polycube_language::System;
use polycube_language::formula::{Formula, Relation, Term, Variable, VariableId};
use polycube_language::span::{Origin, Span};
use polycube_language::system::{Init, Processes, Property, SymbolId, Type as SystemType, Update, Value};
use polycube_language::words::Claim;
use rustc_hash::FxHashMap;

use super::named::Named;
use super::value::{cell, compare};
use super::{MAX_DEPTH, Result, Translator, refuse, too_many_cases};

impl Translator<'_> {
    pub(super) fn finish(&mut self) -> Result<System> {
        self.find_ghosts()?;
        // After that: what only such a leaf depends on is no guard.
        if self.processes.is_some() {
            self.answer_questions();
        }
        self.name_smaller_literals();
        let least = self.least_number()?;
        let mut system = std::mem::take(&mut self.system);
        if let Some(murphi) = &mut system.words.murphi {
            murphi.least = least;
        }
        if self.processes.is_none() {
            join_properties(&mut system);
            system.processes = Processes::Exactly(1);
            system.words.instance = Some("the sizes of the file".to_owned());
        }
        if let Some(least) = self.least_process() {
            let place = |(number, symbol): (&i64, &SymbolId)| {
                u32::try_from(number - least + 1).ok().map(|place| (*symbol, place))
            };
            system.words.numbered = self.literals.iter().filter_map(place).collect();
        }
        let literals: Vec<_> = self.literals.values().copied().collect();
        for (at, one) in literals.iter().enumerate() {
            for other in &literals[..at] {
                let [one, other] = [one, other].map(|symbol| cell(*symbol, &[]));
                let formula = compare(one, Relation::NotEqual, other, SystemType::Process);
                system.init.push(Init { parameters: Vec::new(), formula, origin: Origin::default() });
            }
        }
        if self.uses_order {
            system.init.extend(self.order_of_literals());
        }
        for init in &mut system.init {
            number(&mut init.parameters, &mut init.formula, &mut []);
        }
        for property in &mut system.properties {
            number(&mut property.parameters, &mut property.formula, &mut []);
        }
        for transition in &mut system.transitions {
            number(&mut transition.parameters, &mut transition.guard, &mut transition.updates);
        }
        for (formula, origin) in system.properties.iter().map(|property| (&property.formula, property.origin))
        {
            if formula.depth() > MAX_DEPTH {
                return too_many_cases(origin.0, "this");
            }
        }
        self.introduce_counts(&mut system)?;
        Ok(system)
    }
}

impl Translator<'_> {
    /// Where a file names the third process there are at least three.
    fn name_smaller_literals(&mut self) {
        let (Some(least), Some((&most, _))) = (self.least_process(), self.literals.last_key_value()) else {
            return;
        };
        for number in least..most {
            self.literal_constant(number);
        }
    }

    /// How many processes there are at least. That is a restriction: a file that only compares a process with the third one
    /// also means something where there are two. So whoever says what was proved has to say from which number on.
    fn least_number(&self) -> Result<u32> {
        let most = match self.known.named {
            Named::Parameters(most) => Some(most),
            Named::Constants | Named::AlwaysConstants => {
                self.literals.last_key_value().map(|(most, _)| *most)
            }
        };
        let (Some(least), Some(most)) = (self.least_process(), most) else { return Ok(1) };
        // What is no process of the file is refused where it stands, and the sizes of types are limited.
        match u32::try_from(most - least + 1) {
            Ok(count) => Ok(count.max(1)),
            Err(_) => refuse(Span::default(), "a process is called by too large a number"),
        }
    }

    /// They are the least processes, in the order of their numbers.
    fn order_of_literals(&mut self) -> Vec<Init> {
        let literals: Vec<Term> = self.literals.values().map(|symbol| cell(*symbol, &[])).collect();
        let mut clauses = Vec::new();
        for (at, literal) in literals.iter().enumerate() {
            let other = self.fresh("k");
            let process = Term::Variable(other.id);
            let less = |one: &Term, relation, other: &Term| {
                compare(one.clone(), relation, other.clone(), SystemType::Process)
            };
            let is_one_before = literals[..at].iter().map(|before| less(&process, Relation::Equal, before));
            let is_not_less = less(literal, Relation::LessEqual, &process);
            let formula = Formula::or(is_one_before.chain([is_not_less]).collect::<Vec<_>>());
            clauses.push(Init { parameters: vec![other], formula, origin: Origin::default() });
        }
        clauses
    }
}

/// What one place of the file claims for each value of a ruleset is one property. None has parameters.
fn join_properties(system: &mut System) {
    let mut joined: Vec<(Property, Vec<Formula>, Option<Claim>)> = Vec::new();
    for (at, property) in std::mem::take(&mut system.properties).into_iter().enumerate() {
        let claim = system.words.properties.remove(&at);
        let is_same = |(other, _, known): &&mut (Property, Vec<Formula>, Option<Claim>)| {
            other.origin.0 == property.origin.0 && *known == claim
        };
        match joined.iter_mut().find(is_same) {
            Some((_, formulas, _)) if formulas.contains(&property.formula) => {}
            Some((_, formulas, _)) => formulas.push(property.formula),
            None => {
                let formulas = vec![property.formula.clone()];
                joined.push((property, formulas, claim));
            }
        }
    }
    for (at, (property, formulas, claim)) in joined.into_iter().enumerate() {
        system.words.properties.extend(claim.map(|claim| (at, claim)));
        system.properties.push(Property { formula: Formula::or(formulas), ..property });
    }
}

/// Gives each variable a number and a name of its own: parameters first, then every other binder in order.
fn number(parameters: &mut [Variable], formula: &mut Formula, updates: &mut [Update]) {
    let mut numbering = Numbering { next: 0, names: Vec::new(), scope: FxHashMap::default() };
    for parameter in parameters.iter_mut() {
        numbering.bind(parameter);
    }
    numbering.formula(formula);
    for update in updates {
        for index in &mut update.indices {
            numbering.bind(index);
        }
        for branch in &mut update.branches {
            numbering.formula(&mut branch.condition);
            numbering.value(&mut branch.value);
        }
        numbering.value(&mut update.otherwise);
        for index in &update.indices {
            numbering.names.retain(|name| *name != index.name);
        }
    }
}

struct Numbering {
    next: u32,
    /// Those that are visible.
    names: Vec<String>,
    scope: FxHashMap<VariableId, VariableId>,
}

impl Numbering {
    fn bind(&mut self, variable: &mut Variable) {
        let id = VariableId(self.next);
        self.next += 1;
        self.scope.insert(variable.id, id);
        let base = plain(&variable.name);
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let mut all = std::iter::once(base.clone()).chain(numbered);
        let name = all.find(|name| !self.names.contains(name)).expect("there are enough numbers");
        self.names.push(name.clone());
        *variable = Variable { id, name, origin: variable.origin };
    }

    fn formula(&mut self, formula: &mut Formula) {
        if let Formula::Quantified(quantified) = formula {
            let before = self.scope.get(&quantified.variable.id).copied();
            let old = quantified.variable.id;
            self.bind(&mut quantified.variable);
            self.formula(&mut quantified.body);
            self.names.pop();
            if let Some(before) = before {
                self.scope.insert(old, before);
            }
            return;
        }
        if let Formula::Compare(comparison) = formula {
            comparison.left.rename(&mut |variable| self.scope[&variable]);
            comparison.right.rename(&mut |variable| self.scope[&variable]);
            return;
        }
        formula.parts_mut().iter_mut().for_each(|part| self.formula(part));
    }

    fn value(&mut self, value: &mut Value) {
        if let Value::Term(Term::Constructor(..)) = value {
            return;
        }
        value.rename(&mut |variable| self.scope[&variable]);
    }
}

/// A name that the language allows for a process.
fn plain(name: &str) -> String {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let is_good = plain.starts_with(|first: char| first.is_ascii_lowercase())
        && !matches!(
            plain.as_str(),
            "in" | "if"
                | "not"
                | "let"
                | "then"
                | "else"
                | "case"
                | "var"
                | "type"
                | "init"
                | "array"
                | "const"
        );
    if is_good { plain } else { format!("p{}", plain.to_ascii_lowercase()) }
}
