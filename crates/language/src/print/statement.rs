//! Formulas as statements, for people: `exists z2. z2 <> z1 and not Shr[z2]`.

use std::fmt::{self, Display};

use super::{Level, Notation, Printer};
use crate::formula::{Comparison, Formula, Quantified, Quantifier, Relation, Term, Variable};
use crate::system::{Enumeration, EnumerationId, System};

impl System {
    /// The formula as a statement: negations stand at comparisons, Booleans are named and not compared.
    pub fn display_statement(&self, formula: &Formula, variables: &[Variable]) -> impl Display {
        self.statement(formula, variables, Level::Top)
    }

    /// The same beside `and`, `or` and `=>`: in parentheses where it would not be clear how far it reaches.
    pub fn display_part_of_statement(&self, formula: &Formula, variables: &[Variable]) -> impl Display {
        self.statement(formula, variables, Level::Operand)
    }

    fn statement(&self, formula: &Formula, variables: &[Variable], level: Level) -> impl Display {
        let formula = holding(formula);
        fmt::from_fn(move |out| {
            let mut printer = Printer { notation: Notation::Statement, ..Printer::new(self, out) };
            printer.bind(variables);
            printer.formula(&formula, level)
        })
    }
}

impl<'d> Printer<'d, '_> {
    /// Parts of a connective are in parentheses, unless they are of the strongest kind: nobody has to know
    /// which one binds more tightly.
    pub(super) fn statement(&mut self, formula: &'d Formula) -> fmt::Result {
        match formula {
            Formula::Constant(value) => write!(self.out, "{value}"),
            Formula::Compare(comparison) => self.compared(comparison),
            Formula::Not(part) => {
                self.out.write_str("not ")?;
                self.formula(part, Level::Operand)
            }
            Formula::And(parts) => self.chain(parts, " and ", Level::Operand),
            Formula::Or(parts) => self.chain(parts, " or ", Level::Operand),
            Formula::Iff(sides) => self.chain(&sides[..], " <=> ", Level::Operand),
            Formula::IfThenElse(parts) => self.if_then_else(parts),
            Formula::Quantified(quantified) => self.quantified(quantified),
        }
    }

    /// `Shr[z1]` and `not Shr[z1]` for Booleans.
    fn compared(&mut self, comparison: &'d Comparison) -> fmt::Result {
        let (Comparison { left: Term::Access(cell), right: Term::Constructor(ty, value), .. }
        | Comparison { left: Term::Constructor(ty, value), right: Term::Access(cell), .. }) = comparison
        else {
            return self.comparison(comparison);
        };
        if *ty != EnumerationId::BOOL || comparison.relation.is_order() {
            return self.comparison(comparison);
        }
        let is_true = (*value == Enumeration::TRUE) == (comparison.relation == Relation::Equal);
        self.out.write_str(if is_true { "" } else { "not " })?;
        self.access(cell)
    }
}

/// The formula with negations as far inside as they go: only equivalences are negated.
fn holding(formula: &Formula) -> Formula {
    match formula {
        Formula::Constant(_) | Formula::Compare(_) => formula.clone(),
        Formula::Not(part) => failing(part),
        Formula::And(parts) => Formula::and(parts.iter().map(holding)),
        Formula::Or(parts) => Formula::or(parts.iter().map(holding)),
        Formula::Iff(sides) => Formula::iff(holding(&sides[0]), holding(&sides[1])),
        Formula::IfThenElse(parts) => {
            Formula::if_then_else(holding(&parts[0]), holding(&parts[1]), holding(&parts[2]))
        }
        Formula::Quantified(quantified) => {
            let body = Box::new(holding(&quantified.body));
            Formula::Quantified(Quantified { body, ..quantified.clone() })
        }
    }
}

/// Its negation, likewise.
fn failing(formula: &Formula) -> Formula {
    match formula {
        Formula::Constant(_) | Formula::Compare(_) | Formula::Iff(_) => Formula::not(holding(formula)),
        Formula::Not(part) => holding(part),
        Formula::And(parts) => Formula::or(parts.iter().map(failing)),
        Formula::Or(parts) => Formula::and(parts.iter().map(failing)),
        Formula::IfThenElse(parts) => {
            Formula::if_then_else(holding(&parts[0]), failing(&parts[1]), failing(&parts[2]))
        }
        Formula::Quantified(quantified) => {
            let quantifier = match quantified.quantifier {
                Quantifier::Forall => Quantifier::Exists,
                Quantifier::Exists => Quantifier::Forall,
            };
            let body = Box::new(failing(&quantified.body));
            Formula::Quantified(Quantified { quantifier, body, ..quantified.clone() })
        }
    }
}
