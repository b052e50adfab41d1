//! Formulas and terms about a state, in the syntax of Why3.

use std::collections::BTreeMap;

use polycube_language::formula::{
    Access, Comparison, Formula, Linear, Quantified, Quantifier, Relation, Term, Variable, VariableId,
};
use polycube_language::number::Number;
use polycube_language::system::{Enumeration, EnumerationId, SymbolId, SymbolKind, Type};

use crate::layout::Layout;
use crate::names::Names;
use crate::vocabulary::{NOW, Notation, Vocabulary};

/// What may stand in a place of a formula without parentheses: what binds at least as tight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    Top,
    Disjunction,
    Conjunction,
    Operand,
}

/// Names for the variables of a formula, and those that are taken.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    variables: BTreeMap<VariableId, String>,
    taken: Names,
}

impl Vocabulary<'_> {
    /// The scope of a formula with these parameters, and their names.
    pub(crate) fn scope(&self, parameters: &[Variable]) -> (Scope, Vec<String>) {
        inside(&Scope { variables: BTreeMap::new(), taken: self.taken.clone() }, parameters)
    }

    /// Formulas as operands of a conjunction.
    pub(crate) fn operands<'f>(
        &self,
        formulas: impl IntoIterator<Item = &'f Formula>,
        scope: &Scope,
    ) -> Vec<Layout> {
        formulas.into_iter().map(|formula| self.formula(formula, scope, Level::Operand)).collect()
    }

    /// A formula about the state now.
    pub(crate) fn formula(&self, formula: &Formula, scope: &Scope, level: Level) -> Layout {
        let part = |part: &Formula, level| self.formula(part, scope, level);
        let parts = |parts: &[Formula], level| parts.iter().map(|inner| part(inner, level)).collect();
        let (own_level, layout) = match formula {
            Formula::Constant(value) => (Level::Operand, Layout::text(value.to_string())),
            Formula::Compare(comparison) => {
                (Level::Operand, Layout::text(self.comparison(comparison, scope)))
            }
            Formula::Not(inner) => (Level::Operand, Layout::before("not", part(inner, Level::Operand))),
            Formula::And(inner) => (Level::Conjunction, Layout::Chain("/\\", parts(inner, Level::Operand))),
            Formula::Or(inner) => {
                (Level::Disjunction, Layout::Chain("\\/", parts(inner, Level::Conjunction)))
            }
            Formula::Iff(sides) => (Level::Top, Layout::Chain("<->", parts(&sides[..], Level::Disjunction))),
            Formula::IfThenElse(three) => {
                let [condition, consequence, alternative] =
                    [0, 1, 2].map(|index| part(&three[index], Level::Disjunction));
                (Level::Top, Layout::Cases(vec![(condition, consequence)], Box::new(alternative)))
            }
            Formula::Quantified(Quantified { quantifier, variable, body, .. }) => {
                let (inner, names) = inside(scope, std::slice::from_ref(variable));
                (Level::Top, quantified(*quantifier, &names, self.formula(body, &inner, Level::Top)))
            }
        };
        if own_level < level { Layout::parentheses(layout) } else { layout }
    }

    fn comparison(&self, comparison: &Comparison, scope: &Scope) -> String {
        let Comparison { left, relation, right, ty, .. } = comparison;
        let (a, b) = (self.term(left, *ty, scope), self.term(right, *ty, scope));
        if let (Term::Access(_), Term::Constructor(EnumerationId::BOOL, value), false) =
            (left, right, relation.is_order())
        {
            // What has a value of type bool is a formula.
            let holds = (*value == Enumeration::TRUE) == (*relation == Relation::Equal);
            return if holds { a } else { format!("not {a}") };
        }
        let operator = match (relation, ty) {
            (Relation::Equal, _) => "=",
            (Relation::NotEqual, _) => "<>",
            (Relation::Less, Type::Integer) => "<",
            (Relation::LessEqual, Type::Integer) => "<=",
            (Relation::Less, Type::Real) => "<.",
            (Relation::LessEqual, Type::Real) => "<=.",
            (Relation::Less, _) => return format!("{} {} {}", self.less(*ty), argument(&a), argument(&b)),
            (Relation::LessEqual, _) => {
                return format!("not {} {} {}", self.less(*ty), argument(&b), argument(&a));
            }
        };
        format!("{a} {operator} {b}")
    }

    pub(crate) fn term(&self, term: &Term, ty: Type, scope: &Scope) -> String {
        match term {
            Term::Variable(variable) => scope.variables[variable].clone(),
            Term::Process(number) => self.processes[*number as usize - 1].clone(),
            Term::Constructor(id, index) => self.constructors[id.0 as usize][*index as usize].clone(),
            Term::Access(access) => self.access(access, scope),
            Term::Linear(linear) => self.linear(linear, ty, scope),
        }
    }

    fn access(&self, access: &Access, scope: &Scope) -> String {
        let name = &self.symbols[access.symbol.0 as usize];
        if self.system.symbol(access.symbol).kind == SymbolKind::Constant {
            return name.clone();
        }
        let indices = access.indices.iter().map(|index| argument(&self.term(index, Type::Process, scope)));
        self.cell(access.symbol, NOW, &indices.collect::<Vec<_>>())
    }

    /// What a symbol that is not a constant holds in a state, for these processes.
    pub(crate) fn cell(&self, symbol: SymbolId, state: &str, processes: &[String]) -> String {
        let name = &self.symbols[symbol.0 as usize];
        match self.notation {
            Notation::Function => applied(name, state, processes),
            Notation::Field => [&[format!("{state}.{name}")], processes].concat().join(" "),
        }
    }

    fn linear(&self, linear: &Linear, ty: Type, scope: &Scope) -> String {
        // The operators on real numbers end with a point.
        let point = if ty == Type::Real { "." } else { "" };
        let mut text = String::new();
        let mut add = |is_negative: bool, size: &str| {
            text = match (text.is_empty(), is_negative) {
                (true, false) => size.to_owned(),
                (true, true) => format!("(-{point} {size})"),
                (false, false) => format!("{text} +{point} {size}"),
                (false, true) => format!("{text} -{point} {size}"),
            };
        };
        for (factor, access) in &linear.terms {
            let (size, access) = (factor.abs(), self.access(access, scope));
            let product = match size == Number::ONE {
                true => access,
                false => format!("{} *{point} {access}", number(&size, ty)),
            };
            add(factor.is_negative(), &product);
        }
        if linear.terms.is_empty() || !linear.constant.is_zero() {
            add(linear.constant.is_negative(), &number(&linear.constant.abs(), ty));
        }
        text
    }
}

/// The scope inside another one with more variables, and their names.
pub(crate) fn inside(scope: &Scope, variables: &[Variable]) -> (Scope, Vec<String>) {
    let mut scope = scope.clone();
    let names: Vec<String> = variables.iter().map(|variable| scope.taken.small(&variable.name)).collect();
    scope.variables.extend(variables.iter().map(|variable| variable.id).zip(names.iter().cloned()));
    (scope, names)
}

/// A number that is not negative. Not every one is a decimal.
fn number(number: &Number, ty: Type) -> String {
    let ratio = number.as_ratio();
    match (ty, number.to_decimal()) {
        (Type::Real, decimal) if !decimal.contains('/') => decimal,
        (Type::Real, _) => format!("({}.0 /. {}.0)", ratio.numerator(), ratio.denominator()),
        _ => ratio.numerator().to_string(),
    }
}

/// A function or predicate of a state and of processes.
pub(crate) fn applied(name: &str, state: &str, processes: &[String]) -> String {
    let arguments = processes.iter().map(|process| format!(" {process}"));
    format!("{name} {state}{}", arguments.collect::<String>())
}

fn argument(term: &str) -> String {
    if term.contains(' ') { format!("({term})") } else { term.to_owned() }
}

/// The formula holds for all processes, or for some.
pub(crate) fn quantified(quantifier: Quantifier, names: &[String], formula: Layout) -> Layout {
    let keyword = match quantifier {
        Quantifier::Forall => "forall",
        Quantifier::Exists => "exists",
    };
    if names.is_empty() {
        return formula;
    }
    Layout::before(format!("{keyword} {}: proc.", names.join(" ")), formula)
}

/// The formula holds for all processes, in parentheses unless there are no variables for them.
pub(crate) fn for_all(names: &[String], formula: Layout) -> Layout {
    match names {
        [] => formula,
        _ => Layout::parentheses(quantified(Quantifier::Forall, names, formula)),
    }
}

pub(crate) fn distinct(names: &[String]) -> Vec<Layout> {
    let pairs = names.iter().enumerate().flat_map(|(at, left)| {
        names[at + 1..].iter().map(move |right| Layout::text(format!("{left} <> {right}")))
    });
    pairs.collect()
}

pub(crate) fn all(mut parts: Vec<Layout>) -> Layout {
    match parts.len() {
        0 => Layout::text("true"),
        1 => parts.remove(0),
        _ => Layout::Chain("/\\", parts),
    }
}

/// The parts of a conjunction, or the one part that a formula is.
pub(crate) fn conjuncts(formula: &Formula) -> &[Formula] {
    match formula {
        Formula::And(parts) => parts,
        one => std::slice::from_ref(one),
    }
}

pub(crate) fn mentions(formula: &Formula, variables: &[Variable]) -> bool {
    let mut found = false;
    let mut look = |term: &Term| {
        term.for_each_part(&mut |part| {
            found |= variables.iter().any(|variable| *part == Term::Variable(variable.id));
        });
    };
    formula.for_each_comparison(&mut |comparison| {
        look(&comparison.left);
        look(&comparison.right);
    });
    found
}
