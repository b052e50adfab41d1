//! A [`System`] as text of the language. Reading the text gives the same system again.

mod statement;

use std::fmt::{self, Display, Write};

use rustc_hash::FxHashMap;

use crate::count::Count;
use crate::formula::{
    Access, Comparison, Formula, Linear, Quantified, Quantifier, Relation, Term, Variable, VariableId,
};
use crate::number::Number;
use crate::system::{
    Enumeration, EnumerationId, Processes, SymbolKind, System, Transition, Type, Update, Value,
};

impl System {
    /// The system as text, in canonical layout.
    pub fn to_source(&self) -> String {
        let mut text = String::new();
        Printer::new(self, &mut text).system().expect("a string takes all that is written");
        crate::format::format(&text).expect("what is printed can be read")
    }

    /// The same for people: counts in words. It cannot be read again.
    pub fn display_in_words<'d>(
        &'d self,
        formula: &'d Formula,
        variables: &'d [Variable],
    ) -> impl Display + 'd {
        self.display(formula, variables, Notation::Words)
    }

    fn display<'d>(
        &'d self,
        formula: &'d Formula,
        variables: &'d [Variable],
        notation: Notation,
    ) -> impl Display + 'd {
        fmt::from_fn(move |out| {
            let mut printer = Printer { notation, ..Printer::new(self, out) };
            printer.bind(variables);
            printer.formula(formula, Level::Top)
        })
    }

    /// A count as text, for which its indices stand.
    pub(crate) fn count_name(&self, count: &Count) -> String {
        let indices: Vec<Term> = count.indices.iter().map(|index| Term::Variable(index.id)).collect();
        fmt::from_fn(|out| {
            let mut printer = Printer::new(self, out);
            printer.bind(&count.indices);
            printer.count(count, &indices)
        })
        .to_string()
    }

    /// A formula as text, given names for its free variables.
    pub fn display_formula<'d>(
        &'d self,
        formula: &'d Formula,
        variables: &'d [Variable],
    ) -> impl Display + 'd {
        self.display(formula, variables, Notation::Language)
    }
}

/// The loosest operator that may stand here without parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Top,
    Disjunction,
    Conjunction,
    Operand,
}

/// Who reads it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notation {
    /// The language itself.
    Language,
    /// People: counts in words.
    Words,
    /// People, as part of a sentence: besides, `and`, `or`, and Booleans without values, see
    /// [`System::display_statement`].
    Statement,
}

struct Printer<'d, 'o> {
    system: &'d System,
    /// Of the variables that are visible.
    names: FxHashMap<VariableId, &'d str>,
    out: &'o mut dyn Write,
    notation: Notation,
}

impl<'d, 'o> Printer<'d, 'o> {
    fn new(system: &'d System, out: &'o mut dyn Write) -> Self {
        Printer { system, names: FxHashMap::default(), out, notation: Notation::Language }
    }

    fn bind(&mut self, variables: &'d [Variable]) {
        self.names.extend(variables.iter().map(|variable| (variable.id, variable.name.as_str())));
    }

    fn system(&mut self) -> fmt::Result {
        let system = self.system;
        if let Processes::Exactly(count) = system.processes {
            writeln!(self.out, "number_procs {count}\n")?;
        }
        for enumeration in &system.enumerations[1..] {
            writeln!(self.out, "type {} = {}", enumeration.name, enumeration.constructors.join(" | "))?;
        }
        for abstract_type in &system.abstract_types {
            writeln!(self.out, "type {}", abstract_type.name)?;
        }
        self.out.write_char('\n')?;
        for symbol in &system.symbols[..system.declared()] {
            let (keyword, indices) = match symbol.kind {
                SymbolKind::Constant => ("const", String::new()),
                SymbolKind::Variable => ("var", String::new()),
                SymbolKind::Array { dimensions } => {
                    ("array", format!("[{}]", vec!["proc"; dimensions].join(", ")))
                }
            };
            writeln!(self.out, "{keyword} {}{indices} : {}", symbol.name, system.type_name(symbol.ty))?;
        }
        for init in system.written_init() {
            self.head("init", &init.parameters)?;
            self.block(&init.formula)?;
        }
        for property in &system.properties {
            self.head(property.kind.keyword(), &property.parameters)?;
            self.block(&property.formula)?;
        }
        system.transitions.iter().try_for_each(|transition| self.transition(transition))
    }

    /// The beginning of a clause or transition.
    fn head(&mut self, words: &str, parameters: &'d [Variable]) -> fmt::Result {
        self.names.clear();
        self.bind(parameters);
        write!(self.out, "\n{words} ({})", joined(parameters, " "))
    }

    fn block(&mut self, formula: &'d Formula) -> fmt::Result {
        self.out.write_str(" { ")?;
        self.formula(formula, Level::Top)?;
        self.out.write_str(" }\n")
    }

    fn transition(&mut self, transition: &'d Transition) -> fmt::Result {
        self.head(&format!("transition {}", transition.name), &transition.parameters)?;
        if transition.guard != Formula::TRUE {
            self.out.write_str(" requires")?;
            self.block(&transition.guard)?;
        }
        self.out.write_str(" {\n")?;
        let written = transition.updates.iter().filter(|update| self.system.count(update.symbol).is_none());
        written.into_iter().try_for_each(|update| self.update(update))?;
        self.out.write_str("}\n")
    }

    fn update(&mut self, update: &'d Update) -> fmt::Result {
        self.bind(&update.indices);
        let symbol = self.system.symbol(update.symbol);
        self.out.write_str(&symbol.name)?;
        if !update.indices.is_empty() {
            write!(self.out, "[{}]", joined(&update.indices, ", "))?;
        }
        self.out.write_str(" := ")?;
        if !update.branches.is_empty() || !update.indices.is_empty() {
            self.out.write_str("case")?;
            for branch in &update.branches {
                self.out.write_str(" | ")?;
                self.formula(&branch.condition, Level::Top)?;
                self.out.write_str(" : ")?;
                self.value(&branch.value, symbol.ty)?;
            }
            self.out.write_str(" | _ : ")?;
        }
        self.value(&update.otherwise, symbol.ty)?;
        self.out.write_str(";\n")
    }

    fn value(&mut self, value: &'d Value, ty: Type) -> fmt::Result {
        match value {
            Value::Any => self.out.write_char('?'),
            Value::Term(term) => self.term(term, ty),
        }
    }

    fn formula(&mut self, formula: &'d Formula, level: Level) -> fmt::Result {
        let own_level = match formula {
            Formula::Constant(_) | Formula::Compare(_) | Formula::Not(_) => Level::Operand,
            Formula::And(_) => Level::Conjunction,
            Formula::Or(_) => Level::Disjunction,
            Formula::Iff(_) | Formula::IfThenElse(_) | Formula::Quantified(_) => Level::Top,
        };
        if own_level < level {
            self.out.write_char('(')?;
            self.bare_formula(formula)?;
            return self.out.write_char(')');
        }
        self.bare_formula(formula)
    }

    fn bare_formula(&mut self, formula: &'d Formula) -> fmt::Result {
        if self.notation == Notation::Statement {
            return self.statement(formula);
        }
        match formula {
            Formula::Constant(value) => write!(self.out, "{value}"),
            Formula::Compare(comparison) => self.comparison(comparison),
            Formula::Not(part) => {
                self.out.write_str("not ")?;
                self.formula(part, Level::Operand)
            }
            Formula::And(parts) => self.chain(parts, " && ", Level::Operand),
            Formula::Or(parts) => self.chain(parts, " || ", Level::Conjunction),
            Formula::Iff(sides) => self.chain(&sides[..], " <=> ", Level::Disjunction),
            Formula::IfThenElse(parts) => self.if_then_else(parts),
            Formula::Quantified(quantified) => self.quantified(quantified),
        }
    }

    fn if_then_else(&mut self, parts: &'d [Formula; 3]) -> fmt::Result {
        self.out.write_str("if ")?;
        self.formula(&parts[0], Level::Top)?;
        self.out.write_str(" then ")?;
        self.formula(&parts[1], Level::Top)?;
        self.out.write_str(" else ")?;
        self.formula(&parts[2], Level::Operand)
    }

    fn chain(&mut self, parts: &'d [Formula], operator: &str, level: Level) -> fmt::Result {
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                self.out.write_str(operator)?;
            }
            self.formula(part, level)?;
        }
        Ok(())
    }

    fn quantified(&mut self, quantified: &'d Quantified) -> fmt::Result {
        let keyword = match quantified.quantifier {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
        };
        self.bind(std::slice::from_ref(&quantified.variable));
        write!(self.out, "{keyword} {}. ", quantified.variable.name)?;
        self.formula(&quantified.body, Level::Top)
    }

    fn comparison(&mut self, comparison: &'d Comparison) -> fmt::Result {
        self.term(&comparison.left, comparison.ty)?;
        self.out.write_str(match comparison.relation {
            Relation::Equal => " = ",
            Relation::NotEqual => " <> ",
            Relation::Less => " < ",
            Relation::LessEqual => " <= ",
        })?;
        self.term(&comparison.right, comparison.ty)
    }

    fn term(&mut self, term: &'d Term, ty: Type) -> fmt::Result {
        match term {
            Term::Variable(variable) => self.out.write_str(self.names[variable]),
            Term::Process(number) => write!(self.out, "#{number}"),
            Term::Constructor(enumeration, index) if self.notation != Notation::Language => {
                self.out.write_str(self.system.constructor_in_words(*enumeration, *index))
            }
            Term::Constructor(enumeration, index) => {
                self.out.write_str(&self.system.enumeration(*enumeration).constructors[*index as usize])
            }
            Term::Access(access) => self.access(access),
            Term::Linear(linear) => self.linear(linear, ty),
        }
    }

    /// `#{p | F}`. Its formula is printed for the variables that are visible here.
    fn count(&mut self, count: &Count, indices: &[Term]) -> fmt::Result {
        let fresh = VariableId(self.names.keys().map(|variable| variable.0 + 1).max().unwrap_or(0));
        let mut name = count.variable.name.clone();
        let mut number = 0;
        while self.names.values().any(|taken| *taken == name) {
            number += 1;
            name = format!("{}_{number}", count.variable.name);
        }
        let formula = count.holds_for(indices, &Term::Variable(fresh));
        let worth = (!count.is_number()).then(|| count.worth(indices, &Term::Variable(fresh)));
        let (system, notation) = (self.system, self.notation);
        let names = self.names.iter().map(|(&variable, &name)| (variable, name)).chain([(fresh, &name[..])]);
        let mut printer = Printer { system, names: names.collect(), out: &mut *self.out, notation };
        match (notation != Notation::Language, &worth) {
            (true, None) if formula == Formula::TRUE => printer.out.write_str("number of processes"),
            (true, None) => {
                write!(printer.out, "number of {name} with ")?;
                printer.in_words(&formula)
            }
            (true, Some(worth)) => {
                printer.out.write_str("sum of ")?;
                printer.linear(worth, Type::Integer)?;
                write!(printer.out, " over all {name} with ")?;
                printer.in_words(&formula)
            }
            (false, worth) => {
                write!(printer.out, "#{{{name} | ")?;
                printer.formula(&formula, Level::Top)?;
                if let Some(worth) = worth {
                    printer.out.write_str(" : ")?;
                    printer.linear(worth, Type::Integer)?;
                }
                printer.out.write_char('}')
            }
        }
    }

    /// What is counted, for people: the values of one cell together, and Booleans by their names.
    fn in_words(&mut self, formula: &Formula) -> fmt::Result {
        let parts = match formula {
            Formula::And(parts) | Formula::Or(parts) => parts,
            other => std::slice::from_ref(other),
        };
        let value = |part: &Formula| match part {
            Formula::Compare(Comparison { left: Term::Access(access), relation, right, .. })
                if matches!(right, Term::Constructor(..)) && !relation.is_order() =>
            {
                Some((access.clone(), *relation, right.clone()))
            }
            _ => None,
        };
        let values: Option<Vec<_>> = parts.iter().map(value).collect();
        // `A = X or A = Y`, `A <> X and A <> Y`
        let wanted = if let Formula::And(_) = formula { Relation::NotEqual } else { Relation::Equal };
        match values.as_deref() {
            Some([(access, relation, Term::Constructor(EnumerationId::BOOL, value))]) => {
                let is_true = (*value == Enumeration::TRUE) == (*relation == Relation::Equal);
                self.out.write_str(if is_true { "" } else { "not " })?;
                self.words_of_access(access)
            }
            Some([(first, ..), rest @ ..])
                if !rest.is_empty()
                    && rest.iter().all(|(access, ..)| access == first)
                    && values.iter().flatten().all(|(_, relation, _)| *relation == wanted) =>
            {
                self.words_of_access(first)?;
                self.out.write_str(if wanted == Relation::Equal { " in {" } else { " not in {" })?;
                for (at, (.., value)) in values.iter().flatten().enumerate() {
                    let Term::Constructor(enumeration, index) = value else { continue };
                    self.out.write_str(if at == 0 { "" } else { ", " })?;
                    self.out.write_str(self.system.constructor_in_words(*enumeration, *index))?;
                }
                self.out.write_char('}')
            }
            _ => {
                let operator = if let Formula::And(_) = formula { " and " } else { " or " };
                for (at, part) in parts.iter().enumerate() {
                    self.out.write_str(if at == 0 { "" } else { operator })?;
                    match part {
                        Formula::And(_) | Formula::Or(_) if parts.len() > 1 => {
                            self.out.write_char('(')?;
                            self.in_words(part)?;
                            self.out.write_char(')')?;
                        }
                        Formula::And(_) | Formula::Or(_) => self.in_words(part)?,
                        part if parts.len() > 1 => self.in_words(part)?,
                        part => self.words_of(part)?,
                    }
                }
                Ok(())
            }
        }
    }

    fn words_of(&mut self, formula: &Formula) -> fmt::Result {
        let names = self.names.clone();
        Printer { system: self.system, names, out: &mut *self.out, notation: Notation::Words }
            .formula(formula, Level::Operand)
    }

    fn words_of_access(&mut self, access: &Access) -> fmt::Result {
        let names = self.names.clone();
        Printer { system: self.system, names, out: &mut *self.out, notation: Notation::Words }.access(access)
    }

    fn access(&mut self, access: &'d Access) -> fmt::Result {
        if let Some(count) = self.system.count(access.symbol) {
            return self.count(count, &access.indices);
        }
        if self.notation != Notation::Language
            && let Some(pieces) = self.system.words.cells.get(&access.symbol)
        {
            for (at, piece) in pieces.iter().enumerate() {
                self.out.write_str(piece)?;
                access.indices.get(at).map_or(Ok(()), |index| self.term(index, Type::Process))?;
            }
            return Ok(());
        }
        self.out.write_str(&self.system.symbol(access.symbol).name)?;
        for (at, index) in access.indices.iter().enumerate() {
            self.out.write_str(if at == 0 { "[" } else { ", " })?;
            self.term(index, Type::Process)?;
        }
        if access.indices.is_empty() { Ok(()) } else { self.out.write_char(']') }
    }

    fn linear(&mut self, linear: &'d Linear, ty: Type) -> fmt::Result {
        let number =
            |number: &Number| if ty == Type::Real { number.to_decimal() } else { number.to_string() };
        for (at, (coefficient, access)) in linear.terms.iter().enumerate() {
            self.out.write_str(match (at, coefficient.is_negative()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let size = coefficient.abs();
            if size != Number::ONE {
                write!(self.out, "{} * ", number(&size))?;
            }
            // In words it would not be clear where it ends.
            let is_long = self.notation != Notation::Language && self.system.count(access.symbol).is_some();
            let is_alone = linear.as_access().is_some();
            if is_long && !is_alone {
                self.out.write_char('(')?;
                self.access(access)?;
                self.out.write_char(')')?;
            } else {
                self.access(access)?;
            }
        }
        if linear.terms.is_empty() {
            return self.out.write_str(&number(&linear.constant));
        }
        if linear.constant.is_zero() {
            return Ok(());
        }
        let sign = if linear.constant.is_negative() { '-' } else { '+' };
        write!(self.out, " {sign} {}", number(&linear.constant.abs()))
    }
}

fn joined(variables: &[Variable], separator: &str) -> String {
    variables.iter().map(|variable| variable.name.as_str()).collect::<Vec<_>>().join(separator)
}
