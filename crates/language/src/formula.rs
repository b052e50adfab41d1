//! Formulas and terms over the state of a [`System`](crate::System).

use crate::number::Number;
use crate::signature::{Enumeration, EnumerationId, SymbolId, Type};
use crate::span::Origin;

/// A process variable. Its number is unique within one clause or transition: parameters come first, then
/// every other binder in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VariableId(pub u32);

/// The place that binds a process variable. No two variables that are visible at one place have the same
/// name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable {
    /// Its number.
    pub id: VariableId,
    /// Its name.
    pub name: String,
    /// Where it is bound.
    pub origin: Origin,
}

/// A formula: true or false in a state, given processes for its free variables.
///
/// It has the shape in which it was written, not a normal form: normal forms can be exponentially larger. It
/// is built by the functions below, which keep it small: no constant below a connective, no negated constant,
/// comparison or negation, no conjunction directly inside a conjunction (likewise disjunctions), and at least
/// two parts in each. Comparisons are left as they are, even between two numbers, and the body of a
/// quantifier may be a constant. It nests at most [`Formula::MAX_DEPTH`] deep, so programs may recurse on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// Always true, or always false.
    Constant(bool),
    /// Compares two terms of the same type.
    Compare(Comparison),
    /// The part does not hold.
    Not(Box<Formula>),
    /// All parts hold.
    And(Vec<Formula>),
    /// Some part holds.
    Or(Vec<Formula>),
    /// Both parts hold or neither does.
    Iff(Box<[Formula; 2]>),
    /// The second part holds where the first does, the third where the first does not.
    IfThenElse(Box<[Formula; 3]>),
    /// For all, or for some, processes.
    Quantified(Quantified),
}

/// `left relation right`, both of type `ty`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Comparison {
    /// The left term.
    pub left: Term,
    /// How they compare.
    pub relation: Relation,
    /// The right term.
    pub right: Term,
    /// The type of both.
    pub ty: Type,
    /// Where it is written.
    pub origin: Origin,
}

/// The relations; `a > b` is written as `b < a`. For `<` and `<=` on other types than numbers, see the
/// [order](crate::system) of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
}

/// All or some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// For all.
    Forall,
    /// For some.
    Exists,
}

/// The body holds for all (or for some) processes in place of the variable, those included that other
/// variables stand for.
///
/// What the language leaves out is said in the body: `forall_other j. F` with `i` visible is `forall j. j = i
/// || F`, `exists_other j. F` is `exists j. j <> i && F`, and `forall x <> y. F` is `forall x. forall y. y =
/// x || F`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantified {
    /// All or some.
    pub quantifier: Quantifier,
    /// The variable.
    pub variable: Variable,
    /// What holds for it.
    pub body: Box<Formula>,
    /// Where it is written.
    pub origin: Origin,
}

/// A term: has a value in a state, given processes for its variables.
///
/// Terms of a numeric type are always [`Term::Linear`], terms of other types never are, so that one value has
/// one form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A process variable.
    Variable(VariableId),
    /// The process `#k`, k from 1.
    Process(u32),
    /// A value of an enumeration: its index in [`Enumeration::constructors`].
    Constructor(EnumerationId, u32),
    /// The value of a symbol.
    Access(Access),
    /// A linear expression. Behind a pointer, because most terms are none and should not pay for its size.
    Linear(Box<Linear>),
}

/// `X` or `A[t1, ..., tn]`: a constant or variable, or a cell of an array.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// What is accessed.
    pub symbol: SymbolId,
    /// Terms of type `proc`, one per dimension; they may have the same value.
    pub indices: Vec<Term>,
}

/// `c1 * a1 + ... + cn * an + c`: a term of type `int` or `real`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Linear {
    /// Coefficients and what they multiply: no coefficient is zero, accesses are strictly increasing.
    pub terms: Vec<(Number, Access)>,
    /// The constant.
    pub constant: Number,
}

impl Formula {
    /// How deep a formula of a checked system nests at most.
    pub const MAX_DEPTH: usize = 200;

    /// Always true.
    pub const TRUE: Formula = Formula::Constant(true);
    /// Always false.
    pub const FALSE: Formula = Formula::Constant(false);

    /// `not formula`
    #[must_use]
    #[allow(clippy::should_implement_trait)] // a constructor, beside `and` and `or`
    pub fn not(formula: Formula) -> Formula {
        match formula {
            Formula::Constant(value) => Formula::Constant(!value),
            Formula::Compare(comparison) => Formula::Compare(comparison.negated()),
            Formula::Not(inner) => *inner,
            other => Formula::Not(Box::new(other)),
        }
    }

    /// All of `parts` hold.
    pub fn and(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::Constant(true) => {}
                Formula::Constant(false) => return Formula::FALSE,
                Formula::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        chain(flat, Formula::TRUE, Formula::And)
    }

    /// Some of `parts` holds.
    pub fn or(parts: impl IntoIterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::Constant(false) => {}
                Formula::Constant(true) => return Formula::TRUE,
                Formula::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        chain(flat, Formula::FALSE, Formula::Or)
    }

    /// `left => right`
    pub fn implies(left: Formula, right: Formula) -> Formula {
        Formula::or([Formula::not(left), right])
    }

    /// `left <=> right`
    pub fn iff(left: Formula, right: Formula) -> Formula {
        match (left, right) {
            (Formula::Constant(true), other) | (other, Formula::Constant(true)) => other,
            (Formula::Constant(false), other) | (other, Formula::Constant(false)) => Formula::not(other),
            (left, right) => Formula::Iff(Box::new([left, right])),
        }
    }

    /// `if condition then consequence else alternative`
    pub fn if_then_else(condition: Formula, consequence: Formula, alternative: Formula) -> Formula {
        match (condition, consequence, alternative) {
            (Formula::Constant(true), consequence, _) => consequence,
            (Formula::Constant(false), _, alternative) => alternative,
            (condition, Formula::Constant(true), alternative) => Formula::or([condition, alternative]),
            (condition, Formula::Constant(false), alternative) => {
                Formula::and([Formula::not(condition), alternative])
            }
            (condition, consequence, Formula::Constant(true)) => Formula::implies(condition, consequence),
            (condition, consequence, Formula::Constant(false)) => Formula::and([condition, consequence]),
            (condition, consequence, alternative) => {
                Formula::IfThenElse(Box::new([condition, consequence, alternative]))
            }
        }
    }

    /// `left relation right` for two processes.
    pub fn compare_processes(left: Term, relation: Relation, right: Term, origin: Origin) -> Formula {
        Formula::Compare(Comparison { left, relation, right, ty: Type::Process, origin })
    }

    /// `left relation right` for two integers.
    pub fn compare_integers(left: Linear, relation: Relation, right: Linear) -> Formula {
        let (left, right, ty, origin) = (left.into(), right.into(), Type::Integer, Origin::default());
        Formula::Compare(Comparison { left, relation, right, ty, origin })
    }

    /// For all, or for some, processes in place of `variable` other than those in place of `excluded`.
    pub fn quantified(
        quantifier: Quantifier,
        variable: Variable,
        excluded: &[VariableId],
        body: Formula,
        origin: Origin,
    ) -> Formula {
        let differs = |&other| {
            let (left, right) = (Term::Variable(variable.id), Term::Variable(other));
            Formula::compare_processes(left, Relation::NotEqual, right, variable.origin)
        };
        let range = excluded.iter().map(differs);
        let body = Box::new(match quantifier {
            Quantifier::Forall => Formula::or(range.map(Formula::not).chain([body])),
            Quantifier::Exists => Formula::and(range.chain([body])),
        });
        Formula::Quantified(Quantified { quantifier, variable, body, origin })
    }

    /// The formula whose quantifiers range only over the processes for which the condition holds.
    #[must_use]
    pub fn relativized(mut self, condition: &dyn Fn(&Variable) -> Formula) -> Formula {
        // Only bodies of quantifiers become other formulas, so whatever is above them keeps its shape.
        for part in self.parts_mut() {
            *part = part.take().relativized(condition);
        }
        if let Formula::Quantified(Quantified { quantifier, variable, body, .. }) = &mut self {
            let (range, rest) = (condition(variable), body.take());
            **body = match quantifier {
                Quantifier::Forall => Formula::implies(range, rest),
                Quantifier::Exists => Formula::and([range, rest]),
            };
        }
        self
    }

    /// The formula, in whose place stands another one.
    pub(crate) fn take(&mut self) -> Formula {
        std::mem::replace(self, Formula::TRUE)
    }

    /// The conjunction as a list.
    pub(crate) fn conjuncts(&self) -> &[Formula] {
        match self {
            Formula::And(parts) => parts,
            formula => std::slice::from_ref(formula),
        }
    }

    /// The Boolean term has the value `True`.
    pub fn is_true(term: Term, origin: Origin) -> Formula {
        let right = Term::Constructor(EnumerationId::BOOL, Enumeration::TRUE);
        Formula::Compare(Comparison { left: term, relation: Relation::Equal, right, ty: Type::BOOL, origin })
    }

    /// The formulas directly inside it, in the order of the text.
    pub fn parts(&self) -> &[Formula] {
        match self {
            Formula::Constant(_) | Formula::Compare(_) => &[],
            Formula::Not(part) => std::slice::from_ref(&**part),
            Formula::And(parts) | Formula::Or(parts) => parts,
            Formula::Iff(parts) => &parts[..],
            Formula::IfThenElse(parts) => &parts[..],
            Formula::Quantified(quantified) => std::slice::from_ref(&*quantified.body),
        }
    }

    /// See [`Formula::parts`].
    pub fn parts_mut(&mut self) -> &mut [Formula] {
        match self {
            Formula::Constant(_) | Formula::Compare(_) => &mut [],
            Formula::Not(part) => std::slice::from_mut(&mut **part),
            Formula::And(parts) | Formula::Or(parts) => parts,
            Formula::Iff(parts) => &mut parts[..],
            Formula::IfThenElse(parts) => &mut parts[..],
            Formula::Quantified(quantified) => std::slice::from_mut(&mut *quantified.body),
        }
    }

    /// Gives every variable, bound or free, another number. Variables are visited in the order of the text,
    /// each first where it is bound.
    pub fn rename(&mut self, rename: &mut dyn FnMut(VariableId) -> VariableId) {
        match self {
            Formula::Compare(comparison) => {
                comparison.left.rename(rename);
                comparison.right.rename(rename);
            }
            Formula::Quantified(quantified) => quantified.variable.id = rename(quantified.variable.id),
            _ => {}
        }
        self.parts_mut().iter_mut().for_each(|part| part.rename(rename));
    }

    /// The formula with another one in place of each comparison; none where there is none for one of them.
    pub fn try_replace(&self, replace: &mut dyn FnMut(&Comparison) -> Option<Formula>) -> Option<Formula> {
        let mut part = |formula: &Formula| formula.try_replace(replace);
        Some(match self {
            Formula::Constant(value) => Formula::Constant(*value),
            Formula::Compare(comparison) => replace(comparison)?,
            Formula::Not(inner) => Formula::not(part(inner)?),
            Formula::And(parts) => Formula::and(parts.iter().map(part).collect::<Option<Vec<_>>>()?),
            Formula::Or(parts) => Formula::or(parts.iter().map(part).collect::<Option<Vec<_>>>()?),
            Formula::Iff(sides) => Formula::iff(part(&sides[0])?, part(&sides[1])?),
            Formula::IfThenElse(parts) => {
                Formula::if_then_else(part(&parts[0])?, part(&parts[1])?, part(&parts[2])?)
            }
            Formula::Quantified(quantified) => {
                let body = Box::new(part(&quantified.body)?);
                Formula::Quantified(Quantified { body, ..quantified.clone() })
            }
        })
    }

    /// The formula with terms in place of some of its free variables. No quantifier in it binds a variable of
    /// these terms.
    #[must_use]
    pub fn substituted(&self, term: &dyn Fn(VariableId) -> Option<Term>) -> Formula {
        let replaced = self.try_replace(&mut |comparison| {
            let (left, right) = (comparison.left.substituted(term), comparison.right.substituted(term));
            Some(Formula::Compare(Comparison { left, right, ..comparison.clone() }))
        });
        replaced.expect("each comparison is replaced")
    }

    /// Calls `visit` with every comparison in it, in the order of the text.
    pub fn for_each_comparison<'f>(&'f self, visit: &mut dyn FnMut(&'f Comparison)) {
        if let Formula::Compare(comparison) = self {
            visit(comparison);
        }
        self.parts().iter().for_each(|part| part.for_each_comparison(visit));
    }

    /// Calls `visit` with every access in it, those of indices included.
    pub fn for_each_access<'f>(&'f self, visit: &mut dyn FnMut(&'f Access)) {
        self.for_each_comparison(&mut |comparison| {
            comparison.left.for_each_access(visit);
            comparison.right.for_each_access(visit);
        });
    }

    /// Calls `visit` with every variable that a term in it mentions.
    pub fn for_each_mentioned<'f>(&'f self, visit: &mut dyn FnMut(VariableId)) {
        self.for_each_comparison(&mut |comparison: &'f Comparison| {
            for term in [&comparison.left, &comparison.right] {
                term.for_each_part(&mut |part| {
                    if let Term::Variable(variable) = part {
                        visit(*variable);
                    }
                });
            }
        });
    }

    /// Whether a quantifier occurs in it.
    pub fn has_quantifier(&self) -> bool {
        matches!(self, Formula::Quantified(_)) || self.parts().iter().any(Formula::has_quantifier)
    }

    /// Number of its parts, terms included.
    pub fn size(&self) -> usize {
        let terms = match self {
            Formula::Compare(comparison) => comparison.left.size() + comparison.right.size(),
            _ => 0,
        };
        1 + terms + self.parts().iter().map(Formula::size).sum::<usize>()
    }

    /// How deep it nests: 1 for a constant or comparison.
    pub fn depth(&self) -> usize {
        1 + self.parts().iter().map(Formula::depth).max().unwrap_or(0)
    }
}

/// A chain of at least two parts; fewer need no connective.
fn chain(mut parts: Vec<Formula>, none: Formula, join: fn(Vec<Formula>) -> Formula) -> Formula {
    match parts.len() {
        0 => none,
        1 => parts.remove(0),
        _ => {
            parts.shrink_to_fit();
            join(parts)
        }
    }
}

/// The numbers of variables.
pub fn ids(variables: &[Variable]) -> Vec<VariableId> {
    variables.iter().map(|variable| variable.id).collect()
}

impl Relation {
    /// The relation of the negated comparison. That of `<` and `<=` has its sides exchanged, see
    /// [`Relation::is_order`]: every order here is total.
    #[must_use]
    pub fn negated(self) -> Relation {
        match self {
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::Less => Relation::LessEqual,
            Relation::LessEqual => Relation::Less,
        }
    }

    /// Whether it is `<` or `<=`.
    pub fn is_order(self) -> bool {
        matches!(self, Relation::Less | Relation::LessEqual)
    }
}

impl Comparison {
    /// The comparison that holds exactly where this one does not.
    #[must_use]
    pub fn negated(mut self) -> Comparison {
        if self.relation.is_order() {
            std::mem::swap(&mut self.left, &mut self.right);
        }
        self.relation = self.relation.negated();
        self
    }
}

impl Linear {
    /// A number.
    pub fn constant(value: Number) -> Linear {
        Linear { terms: Vec::new(), constant: value }
    }

    /// The value of a symbol.
    pub fn access(access: Access) -> Linear {
        Linear { terms: vec![(Number::ONE, access)], constant: Number::ZERO }
    }

    /// The access it consists of, if it is nothing else.
    pub fn as_access(&self) -> Option<&Access> {
        match &self.terms[..] {
            [(coefficient, access)] if *coefficient == Number::ONE && self.constant.is_zero() => Some(access),
            _ => None,
        }
    }

    /// The number it is, if it mentions no symbol.
    pub fn as_constant(&self) -> Option<&Number> {
        self.terms.is_empty().then_some(&self.constant)
    }

    /// The sum of `parts`.
    pub fn sum(parts: impl IntoIterator<Item = Linear>) -> Linear {
        let mut sum = Linear::constant(Number::ZERO);
        for part in parts {
            sum.terms.extend(part.terms);
            sum.constant = sum.constant + &part.constant;
        }
        sum.normalize();
        sum
    }

    /// Sorts the terms, joins those of the same access and drops those with coefficient zero.
    pub(crate) fn normalize(&mut self) {
        self.terms.sort_by(|(_, left), (_, right)| left.cmp(right));
        self.terms.dedup_by(|(next, access), (kept, kept_access)| {
            let same = access == kept_access;
            if same {
                *kept = kept.clone() + next;
            }
            same
        });
        self.terms.retain(|(coefficient, _)| !coefficient.is_zero());
    }

    /// The sum with terms in place of some variables of its indices.
    #[must_use]
    pub fn substituted(&self, term: &dyn Fn(VariableId) -> Option<Term>) -> Linear {
        let of_term = |(number, access): &(Number, Access)| (number.clone(), access.substituted(term));
        let terms = self.terms.iter().map(of_term).collect();
        let mut linear = Linear { terms, constant: self.constant.clone() };
        linear.normalize();
        linear
    }

    /// `factor * self`
    #[must_use]
    pub fn scaled(self, factor: &Number) -> Linear {
        if factor.is_zero() {
            return Linear::constant(Number::ZERO);
        }
        let terms =
            self.terms.into_iter().map(|(coefficient, access)| (coefficient * factor, access)).collect();
        Linear { terms, constant: self.constant * factor }
    }
}

impl Access {
    /// The access with terms in place of some variables of its indices.
    #[must_use]
    pub fn substituted(&self, term: &dyn Fn(VariableId) -> Option<Term>) -> Access {
        let indices = self.indices.iter().map(|index| index.substituted(term)).collect();
        Access { symbol: self.symbol, indices }
    }
}

impl From<Linear> for Term {
    fn from(linear: Linear) -> Term {
        Term::Linear(Box::new(linear))
    }
}

impl Term {
    /// The value of a symbol, or of a cell of type `ty`.
    pub fn access(access: Access, ty: Type) -> Term {
        if ty.is_numeric() { Linear::access(access).into() } else { Term::Access(access) }
    }

    /// Gives every variable another number.
    pub fn rename(&mut self, rename: &mut dyn FnMut(VariableId) -> VariableId) {
        match self {
            Term::Variable(variable) => *variable = rename(*variable),
            Term::Process(_) | Term::Constructor(..) => {}
            Term::Access(access) => access.indices.iter_mut().for_each(|index| index.rename(rename)),
            Term::Linear(linear) => {
                for (_, access) in &mut linear.terms {
                    access.indices.iter_mut().for_each(|index| index.rename(rename));
                }
                // The order of the accesses depends on the numbers, and two may have become the same.
                linear.normalize();
            }
        }
    }

    /// The term with others in place of some of its variables.
    #[must_use]
    pub fn substituted(&self, term: &dyn Fn(VariableId) -> Option<Term>) -> Term {
        match self {
            Term::Variable(variable) => term(*variable).unwrap_or_else(|| self.clone()),
            Term::Process(_) | Term::Constructor(..) => self.clone(),
            Term::Access(access) => Term::Access(access.substituted(term)),
            Term::Linear(linear) => linear.substituted(term).into(),
        }
    }

    /// Calls `visit` with every access in it, those of indices included.
    pub fn for_each_access<'t>(&'t self, visit: &mut dyn FnMut(&'t Access)) {
        self.for_each_part(&mut |part| match part {
            Term::Access(access) => visit(access),
            Term::Linear(linear) => linear.terms.iter().for_each(|(_, access)| visit(access)),
            Term::Variable(_) | Term::Process(_) | Term::Constructor(..) => {}
        });
    }

    /// Calls `visit` with it and with every term inside it.
    pub fn for_each_part<'t>(&'t self, visit: &mut dyn FnMut(&'t Term)) {
        visit(self);
        let mut indices = |access: &'t Access| {
            access.indices.iter().for_each(|index| index.for_each_part(visit));
        };
        match self {
            Term::Variable(_) | Term::Process(_) | Term::Constructor(..) => {}
            Term::Access(access) => indices(access),
            Term::Linear(linear) => linear.terms.iter().for_each(|(_, access)| indices(access)),
        }
    }

    /// Number of its parts.
    pub fn size(&self) -> usize {
        let of_access = |access: &Access| access.indices.iter().map(Term::size).sum::<usize>();
        1 + match self {
            Term::Variable(_) | Term::Process(_) | Term::Constructor(..) => 0,
            Term::Access(access) => of_access(access),
            Term::Linear(linear) => linear.terms.iter().map(|(_, access)| 1 + of_access(access)).sum(),
        }
    }

    /// The access that this term is, whatever its type, if it is nothing else.
    pub fn as_access(&self) -> Option<&Access> {
        match self {
            Term::Access(access) => Some(access),
            Term::Linear(linear) => linear.as_access(),
            _ => None,
        }
    }
}
