//! A [`System`] as text of the language. Reading the text gives the same system again.

use std::fmt::{self, Display, Formatter, Write};

use rustc_hash::FxHashMap;

use crate::formula::{
    Access, Comparison, Formula, Linear, Quantified, Quantifier, Relation, Term, Variable, VariableId,
};
use crate::number::Number;
use crate::system::{Processes, SymbolKind, System, Transition, Type, Update, Value};

impl System {
    /// The system as text, in canonical layout.
    pub fn to_source(&self) -> String {
        let mut text = String::new();
        print_system(self, &mut text).expect("a string takes all that is written");
        crate::format::format(&text).expect("what is printed can be read")
    }

    /// A formula as text, given names for its free variables.
    pub fn display_formula<'d>(
        &'d self,
        formula: &'d Formula,
        variables: &'d [Variable],
    ) -> impl Display + 'd {
        struct Shown<'d>(&'d System, &'d Formula, &'d [Variable]);
        impl Display for Shown<'_> {
            fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
                let mut names = Names::default();
                names.bind(self.2);
                Printer { system: self.0, names }.formula(self.1, Level::Top, out)
            }
        }
        Shown(self, formula, variables)
    }
}

fn print_system(system: &System, out: &mut String) -> fmt::Result {
    if let Processes::Exactly(count) = system.processes {
        writeln!(out, "number_procs {count}\n")?;
    }
    for enumeration in &system.enumerations[1..] {
        writeln!(out, "type {} = {}", enumeration.name, enumeration.constructors.join(" | "))?;
    }
    for abstract_type in &system.abstract_types {
        writeln!(out, "type {}", abstract_type.name)?;
    }
    out.push('\n');
    for symbol in &system.symbols {
        let (keyword, indices) = match symbol.kind {
            SymbolKind::Constant => ("const", String::new()),
            SymbolKind::Variable => ("var", String::new()),
            SymbolKind::Array { dimensions } => {
                ("array", format!("[{}]", vec!["proc"; dimensions].join(", ")))
            }
        };
        writeln!(out, "{keyword} {}{indices} : {}", symbol.name, system.type_name(symbol.ty))?;
    }
    for init in &system.init {
        print_clause(system, "init", &init.parameters, &init.formula, out)?;
    }
    for property in &system.properties {
        let keyword = property.kind.keyword();
        print_clause(system, keyword, &property.parameters, &property.formula, out)?;
    }
    system.transitions.iter().try_for_each(|transition| print_transition(system, transition, out))
}

fn print_clause(
    system: &System,
    keyword: &str,
    parameters: &[Variable],
    formula: &Formula,
    out: &mut String,
) -> fmt::Result {
    let mut printer = Printer { system, names: Names::default() };
    printer.names.bind(parameters);
    write!(out, "\n{keyword} ({}) {{ ", joined(parameters, " "))?;
    printer.formula(formula, Level::Top, out)?;
    writeln!(out, " }}")
}

fn print_transition(system: &System, transition: &Transition, out: &mut String) -> fmt::Result {
    let mut printer = Printer { system, names: Names::default() };
    printer.names.bind(&transition.parameters);
    write!(out, "\ntransition {} ({})", transition.name, joined(&transition.parameters, " "))?;
    if transition.guard != Formula::TRUE {
        write!(out, " requires {{ ")?;
        printer.formula(&transition.guard, Level::Top, out)?;
        write!(out, " }}")?;
    }
    writeln!(out, " {{")?;
    for update in &transition.updates {
        printer.update(update, out)?;
    }
    writeln!(out, "}}")
}

fn joined(variables: &[Variable], separator: &str) -> String {
    variables.iter().map(|variable| variable.name.as_str()).collect::<Vec<_>>().join(separator)
}

/// The names of the variables that are visible.
#[derive(Default)]
struct Names<'d> {
    names: FxHashMap<VariableId, &'d str>,
}

impl<'d> Names<'d> {
    fn bind(&mut self, variables: &'d [Variable]) {
        self.names.extend(variables.iter().map(|variable| (variable.id, variable.name.as_str())));
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

struct Printer<'d> {
    system: &'d System,
    names: Names<'d>,
}

impl<'d> Printer<'d> {
    fn update(&mut self, update: &'d Update, out: &mut String) -> fmt::Result {
        self.names.bind(&update.indices);
        let symbol = self.system.symbol(update.symbol);
        out.push_str(&symbol.name);
        if !update.indices.is_empty() {
            write!(out, "[{}]", joined(&update.indices, ", "))?;
        }
        out.push_str(" := ");
        if update.branches.is_empty() && update.indices.is_empty() {
            self.value(&update.otherwise, symbol.ty, out)?;
        } else {
            out.push_str("case");
            for branch in &update.branches {
                out.push_str(" | ");
                self.formula(&branch.condition, Level::Top, out)?;
                out.push_str(" : ");
                self.value(&branch.value, symbol.ty, out)?;
            }
            out.push_str(" | _ : ");
            self.value(&update.otherwise, symbol.ty, out)?;
        }
        writeln!(out, ";")
    }

    fn value(&mut self, value: &'d Value, ty: Type, out: &mut String) -> fmt::Result {
        match value {
            Value::Any => write!(out, "?"),
            Value::Term(term) => self.term(term, ty, out),
        }
    }

    fn formula(&mut self, formula: &'d Formula, level: Level, out: &mut dyn Write) -> fmt::Result {
        let own_level = match formula {
            Formula::Constant(_) | Formula::Compare(_) | Formula::Not(_) => Level::Operand,
            Formula::And(_) => Level::Conjunction,
            Formula::Or(_) => Level::Disjunction,
            Formula::Iff(_) | Formula::IfThenElse(_) | Formula::Quantified(_) => Level::Top,
        };
        if own_level < level {
            out.write_char('(')?;
            self.bare_formula(formula, out)?;
            return out.write_char(')');
        }
        self.bare_formula(formula, out)
    }

    fn bare_formula(&mut self, formula: &'d Formula, out: &mut dyn Write) -> fmt::Result {
        match formula {
            Formula::Constant(value) => write!(out, "{value}"),
            Formula::Compare(comparison) => self.comparison(comparison, out),
            Formula::Not(part) => {
                out.write_str("not ")?;
                self.formula(part, Level::Operand, out)
            }
            Formula::And(parts) => self.chain(parts, " && ", Level::Operand, out),
            Formula::Or(parts) => self.chain(parts, " || ", Level::Conjunction, out),
            Formula::Iff(sides) => self.chain(&sides[..], " <=> ", Level::Disjunction, out),
            Formula::IfThenElse(parts) => {
                out.write_str("if ")?;
                self.formula(&parts[0], Level::Top, out)?;
                out.write_str(" then ")?;
                self.formula(&parts[1], Level::Top, out)?;
                out.write_str(" else ")?;
                self.formula(&parts[2], Level::Operand, out)
            }
            Formula::Quantified(quantified) => self.quantified(quantified, out),
        }
    }

    fn chain(
        &mut self,
        parts: &'d [Formula],
        operator: &str,
        level: Level,
        out: &mut dyn Write,
    ) -> fmt::Result {
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                out.write_str(operator)?;
            }
            self.formula(part, level, out)?;
        }
        Ok(())
    }

    fn quantified(&mut self, quantified: &'d Quantified, out: &mut dyn Write) -> fmt::Result {
        let keyword = match quantified.quantifier {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
        };
        self.names.bind(std::slice::from_ref(&quantified.variable));
        write!(out, "{keyword} {}. ", quantified.variable.name)?;
        self.formula(&quantified.body, Level::Top, out)
    }

    fn comparison(&mut self, comparison: &'d Comparison, out: &mut dyn Write) -> fmt::Result {
        self.term(&comparison.left, comparison.ty, out)?;
        out.write_str(match comparison.relation {
            Relation::Equal => " = ",
            Relation::NotEqual => " <> ",
            Relation::Less => " < ",
            Relation::LessEqual => " <= ",
        })?;
        self.term(&comparison.right, comparison.ty, out)
    }

    fn term(&mut self, term: &'d Term, ty: Type, out: &mut dyn Write) -> fmt::Result {
        match term {
            Term::Variable(variable) => out.write_str(self.names.names[variable]),
            Term::Process(number) => write!(out, "#{number}"),
            Term::Constructor(enumeration, index) => {
                out.write_str(&self.system.enumeration(*enumeration).constructors[*index as usize])
            }
            Term::Access(access) => self.access(access, out),
            Term::Linear(linear) => self.linear(linear, ty, out),
        }
    }

    fn access(&mut self, access: &'d Access, out: &mut dyn Write) -> fmt::Result {
        out.write_str(&self.system.symbol(access.symbol).name)?;
        for (at, index) in access.indices.iter().enumerate() {
            out.write_str(if at == 0 { "[" } else { ", " })?;
            self.term(index, Type::Process, out)?;
        }
        if access.indices.is_empty() { Ok(()) } else { out.write_char(']') }
    }

    fn linear(&mut self, linear: &'d Linear, ty: Type, out: &mut dyn Write) -> fmt::Result {
        let number =
            |number: &Number| if ty == Type::Real { number.to_decimal() } else { number.to_string() };
        for (at, (coefficient, access)) in linear.terms.iter().enumerate() {
            out.write_str(match (at, coefficient.is_negative()) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            })?;
            let size = coefficient.abs();
            if size != Number::ONE {
                write!(out, "{} * ", number(&size))?;
            }
            self.access(access, out)?;
        }
        if linear.terms.is_empty() {
            return out.write_str(&number(&linear.constant));
        }
        if linear.constant.is_zero() {
            return Ok(());
        }
        let sign = if linear.constant.is_negative() { '-' } else { '+' };
        write!(out, " {sign} {}", number(&linear.constant.abs()))
    }
}
