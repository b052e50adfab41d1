//! Why a guard does not hold: the smallest parts of it that fail, with the values that make them fail.

use std::fmt::{self, Display, Formatter};

use polycube_language::formula::{Access, Comparison, Formula, Quantifier, Term, Variable, VariableId};
use polycube_language::span::{Origin, Span};
use polycube_language::system::Transition;

use crate::instance::Instance;
use crate::interpreter::{Assignment, accessed_cell, holds, value};
use crate::state::State;

/// A part of a formula that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The part, as text.
    pub formula: String,
    /// The variables that it mentions, and the processes that they stand for.
    pub bindings: Vec<(String, u32)>,
    /// The values on which it depends, such as `Cache[#1] is Shared`.
    pub detail: Option<String>,
    /// Where it is written; the whole clause or transition where its pieces stand in different places.
    pub origin: Origin,
}

/// Why the transition is not possible with these processes in place of its parameters: nothing if its guard
/// holds.
///
/// Expects one process of the instance for each parameter, and a state that fits.
pub fn why_not(
    instance: &Instance<'_>,
    transition: &Transition,
    arguments: &[u32],
    state: &State,
) -> Vec<Explanation> {
    why_fails(instance, &transition.guard, &transition.parameters, arguments, state, transition.origin)
}

/// Why the formula does not hold with these processes in place of its free variables: nothing if it holds.
/// `clause` is the clause or transition that it belongs to.
pub(crate) fn why_fails(
    instance: &Instance<'_>,
    formula: &Formula,
    variables: &[Variable],
    processes: &[u32],
    state: &State,
    clause: Origin,
) -> Vec<Explanation> {
    let assignment = Assignment::of(variables, processes);
    let mut explanation =
        Explainer { instance, state, clause, variables: variables.to_vec(), reasons: Vec::new() };
    if !holds(instance, formula, state, &assignment) {
        explanation.descend(formula, &assignment);
    }
    explanation.reasons
}

/// Several reasons in one line.
pub(crate) fn joined(reasons: &[Explanation]) -> String {
    reasons.iter().map(Explanation::to_string).collect::<Vec<_>>().join("; ")
}

struct Explainer<'e> {
    instance: &'e Instance<'e>,
    state: &'e State,
    clause: Origin,
    /// The variables that are visible, in the order in which they are bound.
    variables: Vec<Variable>,
    reasons: Vec<Explanation>,
}

impl Explainer<'_> {
    /// Goes down to the parts that fail. The formula fails as a whole.
    fn descend(&mut self, formula: &Formula, assignment: &Assignment) {
        match formula {
            Formula::And(parts) => {
                for part in parts {
                    if !holds(self.instance, part, self.state, assignment) {
                        self.descend(part, assignment);
                    }
                }
            }
            Formula::Quantified(quantified) if quantified.quantifier == Quantifier::Forall => {
                let counterexample = (1..=self.instance.processes())
                    .map(|process| assignment.with(quantified.variable.id, process))
                    .find(|extended| !holds(self.instance, &quantified.body, self.state, extended))
                    .expect("what does not hold for all fails for one");
                self.variables.push(quantified.variable.clone());
                self.descend(&quantified.body, &counterexample);
                self.variables.pop();
            }
            // A disjunction fails because all of it does, an existential because it does for every process:
            // neither has a smaller reason.
            _ => {
                let reason = self.reason(formula, assignment);
                self.reasons.push(reason);
            }
        }
    }

    fn reason(&self, formula: &Formula, assignment: &Assignment) -> Explanation {
        let mentioned = Mentioned::of(formula);
        let bindings = self.variables.iter().filter(|variable| mentioned.variables.contains(&variable.id));
        let bindings =
            bindings.filter_map(|variable| Some((variable.name.clone(), assignment.get(variable.id)?)));
        let mut details = self.values(&mentioned, assignment);
        if let Formula::Compare(comparison) = formula {
            details.extend(self.sides(comparison, assignment));
        }
        Explanation {
            formula: self.text(formula),
            bindings: bindings.collect(),
            detail: (!details.is_empty()).then(|| details.join(", ")),
            origin: self.origin(formula),
        }
    }

    /// A formula of the language; with the names of a file, where that is in another one.
    fn text(&self, formula: &Formula) -> String {
        let system = self.instance.system();
        match system.words.cells.is_empty() {
            true => system.display_formula(formula, &self.variables).to_string(),
            false => system.display_in_words(formula, &self.variables).to_string(),
        }
    }

    /// The values of all cells that are mentioned, other than those that depend on variables bound further
    /// inside.
    fn values(&self, mentioned: &Mentioned<'_>, assignment: &Assignment) -> Vec<String> {
        let system = self.instance.system();
        let mut values = Vec::new();
        for access in &mentioned.accesses {
            let cell = accessed_cell(self.instance, access, self.state, assignment);
            let Some(cell) = cell else { continue };
            let Some(value) = self.state.get(&cell) else { continue };
            let text = format!("{} is {}", cell.in_words(system), value.in_words(system));
            if !values.contains(&text) {
                values.push(text);
            }
        }
        values
    }

    /// What the values of the cells do not tell: the results of arithmetic, and an order that the model
    /// leaves open.
    fn sides(&self, comparison: &Comparison, assignment: &Assignment) -> Vec<String> {
        let system = self.instance.system();
        let value_of = |term: &Term| value(self.instance, term, self.state, assignment);
        let mut sides = Vec::new();
        for (side, term) in [("left", &comparison.left), ("right", &comparison.right)] {
            if let Term::Linear(linear) = term
                && linear.as_access().is_none()
                && linear.as_constant().is_none()
            {
                sides.push(format!("the {side} side is {}", value_of(term).display(system)));
            }
        }
        let [left, right] = [value_of(&comparison.left), value_of(&comparison.right)];
        if comparison.relation.is_order() && !comparison.ty.is_numeric() && left != right {
            sides.push(format!("{} < {} in this run", right.display(system), left.display(system)));
        }
        sides
    }

    /// Where a formula is written. Only comparisons and quantifiers say; what consists of several reaches
    /// from the first to the last, unless a part of it comes from elsewhere, such as a predicate.
    fn origin(&self, formula: &Formula) -> Origin {
        match formula {
            Formula::Compare(comparison) => comparison.origin,
            Formula::Quantified(quantified) => quantified.origin,
            _ => {
                let Origin(clause) = self.clause;
                let is_inside = |span: &Span| clause.start <= span.start && span.end <= clause.end;
                span(formula).filter(is_inside).map_or(self.clause, Origin)
            }
        }
    }
}

/// The smallest range that contains all comparisons and quantifiers.
fn span(formula: &Formula) -> Option<Span> {
    let around = |parts: &[Formula]| parts.iter().filter_map(span).reduce(Span::to);
    match formula {
        Formula::Constant(_) => None,
        Formula::Compare(comparison) => Some(comparison.origin.0),
        Formula::Quantified(quantified) => Some(quantified.origin.0),
        Formula::Not(part) => span(part),
        Formula::And(parts) | Formula::Or(parts) => around(parts),
        Formula::Iff(parts) => around(&parts[..]),
        Formula::IfThenElse(parts) => around(&parts[..]),
    }
}

/// The variables and accesses that a formula mentions, in the order of the text. An index that is itself an
/// access stands before the access that it belongs to.
#[derive(Default)]
struct Mentioned<'f> {
    variables: Vec<VariableId>,
    accesses: Vec<&'f Access>,
}

impl<'f> Mentioned<'f> {
    fn of(formula: &'f Formula) -> Mentioned<'f> {
        let mut mentioned = Mentioned::default();
        formula.for_each_comparison(&mut |comparison| {
            mentioned.term(&comparison.left);
            mentioned.term(&comparison.right);
        });
        mentioned
    }

    fn term(&mut self, term: &'f Term) {
        match term {
            Term::Variable(variable) => self.variables.push(*variable),
            Term::Process(_) | Term::Constructor(..) => {}
            Term::Access(access) => self.access(access),
            Term::Linear(linear) => linear.terms.iter().for_each(|(_, access)| self.access(access)),
        }
    }

    fn access(&mut self, access: &'f Access) {
        access.indices.iter().for_each(|index| self.term(index));
        self.accesses.push(access);
    }
}

impl Display for Explanation {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is false", self.formula)?;
        if !self.bindings.is_empty() {
            let bindings: Vec<String> =
                self.bindings.iter().map(|(name, process)| format!("{name} = #{process}")).collect();
            write!(out, " for {}", bindings.join(", "))?;
        }
        match &self.detail {
            Some(detail) => write!(out, " ({detail})"),
            None => Ok(()),
        }
    }
}
