//! From formulas and terms of a system to [`Tree`]s: conditions over the cells of cubes.
//!
//! The number of named processes is fixed while a condition is built. What goes beyond conditions on single
//! cells is resolved here:
//!
//! - `A[G]`: one case for each process that G can be;
//! - `exists`: one case for each named process;
//! - `forall`: all named processes, and in an open universe all others (`others.rs`). Where these are
//!   [forgotten](Universal), or it cannot be said of each of them by itself, that is weaker than what the
//!   formula says, and [`Conditions::weakened`] is noted;
//! - in an open universe, the case that G, or the process that exists, is none of the named ones cannot be
//!   expressed. It is left out, and [`Conditions::outside`] is noted: whoever builds the condition has to do
//!   it again with one more process. Below a `forall` that would have no end: there the case is weakened to
//!   what can be said.
//!
//! Everything is simplified by what is already known: [`Conditions::draft`].

use polycube_language::formula::{
    Access, Comparison as FormulaComparison, Formula, Linear as LinearTerm, Quantifier,
    Relation as FormulaRelation, Term, Variable as Parameter, VariableId,
};
use polycube_language::system::{Branch, Type, Update, Value};
use polycube_smt::rational::Rational;
use polycube_smt::relation::{
    Comparison, Linear, Normalized, NumberKind, Ordered, SortId, Term as SolverTerm, Variable,
};
use polycube_smt::shape::{Kind, least};

use super::effort::Effort;
use super::others::Universal;
use super::tree::Tree;
use crate::cube::vocabulary::{CubeLayout, OTHER, PROCESSES, Vocabulary, sort_of};

/// A value of a term, as far as cubes can tell.
#[derive(Clone, Debug, PartialEq)]
pub enum Resolved {
    Process(u8),
    Constructor(u8),
    Cell(Variable),
    Sum(Sum),
    Anything,
}

/// `c1 * v1 + ... + cn * vn + constant`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sum {
    pub terms: Vec<(Variable, Rational)>,
    pub constant: Rational,
}

/// A value that was chosen for a cell: what `?` stands for there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// A named process, or a value of an enumeration.
    Point(u8),
    /// That of a variable which is no cell.
    Variable(Variable),
}

const UNBOUND: u8 = u8::MAX;

pub struct Conditions<'v, 's> {
    pub vocabulary: &'v Vocabulary<'s>,
    pub layout: &'v CubeLayout,
    pub draft: Vec<u64>,
    /// Whether a case was left out because it needs one more process.
    pub outside: bool,
    /// Whether a condition is weaker than the formula.
    pub weakened: bool,
    pub choices: Vec<(Variable, Chosen)>,
    /// The effort that is left. Once it is exhausted, results are meaningless.
    pub effort: Effort<'v>,
    pub universal: Universal,
    /// What [`Tree::Others`] stands for: conditions over one more process.
    pub(super) others: Vec<Tree>,
    pub(super) processes: Vec<u8>,
    /// How many enclosing calls want a case weakened, not left out.
    pub(super) weakening: usize,
}

type Then<'t, 'v, 's> = &'t mut dyn FnMut(&mut Conditions<'v, 's>, Resolved) -> Tree;

impl<'v, 's> Conditions<'v, 's> {
    pub fn new(vocabulary: &'v Vocabulary<'s>, named: u8) -> Conditions<'v, 's> {
        let layout = vocabulary.layout(named);
        Conditions {
            vocabulary,
            layout,
            draft: layout.full.clone(),
            outside: false,
            weakened: false,
            choices: Vec::new(),
            effort: Effort::new(&vocabulary.interrupt),
            universal: Universal::Forgotten,
            others: Vec::new(),
            processes: Vec::new(),
            weakening: 0,
        }
    }

    pub fn bind(&mut self, variable: VariableId, process: u8) {
        let at = variable.0 as usize;
        if self.processes.len() <= at {
            self.processes.resize(at + 1, UNBOUND);
        }
        self.processes[at] = process;
    }

    pub fn bind_all(&mut self, variables: &[Parameter], processes: &[u8]) {
        variables.iter().zip(processes).for_each(|(variable, &process)| self.bind(variable.id, process));
    }

    pub fn unbind(&mut self, variable: VariableId) {
        self.bind(variable, UNBOUND);
    }

    fn process(&self, variable: VariableId) -> u8 {
        self.processes[variable.0 as usize]
    }

    /// The condition that a formula holds, or that it does not.
    pub fn formula(&mut self, formula: &Formula, holds: bool) -> Tree {
        if self.effort.spend(Effort::NODE).is_err() {
            return Tree::False;
        }
        match formula {
            Formula::Constant(value) => Tree::constant(*value == holds),
            Formula::Compare(comparison) => self.comparison(comparison, holds),
            Formula::Not(part) => self.formula(part, !holds),
            Formula::And(parts) | Formula::Or(parts) => match matches!(formula, Formula::And(_)) == holds {
                true => self.parts(parts, holds, &Tree::False).map_or(Tree::False, Tree::all),
                false => self.parts(parts, holds, &Tree::True).map_or(Tree::True, Tree::any),
            },
            Formula::Iff(parts) => {
                let [left, right] = &**parts;
                let both = self.formula(left, true);
                let both = Tree::and(both, self.formula(right, holds));
                let neither = self.formula(left, false);
                Tree::or(both, Tree::and(neither, self.formula(right, !holds)))
            }
            Formula::IfThenElse(parts) => {
                let [condition, consequence, alternative] = &**parts;
                let (test, negation) = self.both_ways(condition);
                // A branch that is never taken must not set `outside`: it leaves no case out.
                let mut unless = |never: &Tree, part| match never {
                    Tree::False => Tree::False,
                    _ => self.formula(part, holds),
                };
                let consequence = unless(&test, consequence);
                let alternative = unless(&negation, alternative);
                self.choose(test, negation, consequence, alternative)
            }
            Formula::Quantified(quantified) => {
                let variable = quantified.variable.id;
                let named = 0..self.layout.named;
                if (quantified.quantifier == Quantifier::Forall) == holds {
                    let keeps = self.keeps_others();
                    self.weakened |= self.vocabulary.is_open() && !keeps;
                    self.weakening += 1;
                    let mut all = Tree::True;
                    for process in named {
                        self.bind(variable, process);
                        all = Tree::and(all, self.formula(&quantified.body, holds));
                        if all == Tree::False {
                            break;
                        }
                    }
                    self.weakening -= 1;
                    if keeps && all != Tree::False {
                        let others = self.of_other(&mut |conditions, other| {
                            conditions.bind(variable, other);
                            conditions.formula(&quantified.body, holds)
                        });
                        all = Tree::and(all, others);
                    }
                    all
                } else {
                    let mut any = Tree::False;
                    for process in named {
                        self.bind(variable, process);
                        any = Tree::or(any, self.formula(&quantified.body, holds));
                        if any == Tree::True {
                            return any;
                        }
                    }
                    Tree::or(any, self.beyond(Tree::True))
                }
            }
        }
    }

    /// The same, but no case is left out: what cannot be expressed is weakened to what can be said.
    pub fn weak(&mut self, formula: &Formula, holds: bool) -> Tree {
        self.weakening += 1;
        let tree = self.formula(formula, holds);
        self.weakening -= 1;
        tree
    }

    /// Whether a formula is known to hold, or to fail, whatever the variables stand for that are [not
    /// bound](Conditions::unbind). A "no" means nothing.
    pub fn is_known(&mut self, formula: &Formula, holds: bool) -> bool {
        match formula {
            Formula::Constant(value) => *value == holds,
            Formula::Not(part) => self.is_known(part, !holds),
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(formula, Formula::And(_)) == holds;
                let mut parts = parts.iter();
                if all {
                    parts.all(|part| self.is_known(part, holds))
                } else {
                    parts.any(|part| self.is_known(part, holds))
                }
            }
            Formula::Compare(comparison) => {
                let mut is_bound = true;
                let mut look = |term: &Term| {
                    if let Term::Variable(variable) = term {
                        is_bound &= self.process(*variable) != UNBOUND;
                    }
                };
                comparison.left.for_each_part(&mut look);
                comparison.right.for_each_part(&mut look);
                is_bound && self.weak(formula, holds) == Tree::True && !self.effort.is_exhausted()
            }
            Formula::Iff(_) | Formula::IfThenElse(_) | Formula::Quantified(_) => false,
        }
    }

    /// The conditions that a formula holds, and that it does not. Only where nothing had to be weakened or
    /// left out is one known from the other.
    fn both_ways(&mut self, formula: &Formula) -> (Tree, Tree) {
        let (outside, weakened) = (self.outside, self.weakened);
        (self.outside, self.weakened) = (false, false);
        let test = self.formula(formula, true);
        let exact = !self.outside && !self.weakened;
        let negation = match &test {
            Tree::True if exact => Tree::False,
            Tree::False if exact => Tree::True,
            _ => self.formula(formula, false),
        };
        self.outside |= outside;
        self.weakened |= weakened;
        (test, negation)
    }

    /// The conditions for all parts; nothing if one is `decisive`, whatever others left out or weakened.
    fn parts(&mut self, parts: &[Formula], hold: bool, decisive: &Tree) -> Option<Vec<Tree>> {
        let before = (self.outside, self.weakened);
        let (mut outside, mut weakened) = before;
        let mut trees = Vec::with_capacity(parts.len());
        for part in parts {
            (self.outside, self.weakened) = (false, false);
            let tree = self.formula(part, hold);
            // A case that was left out may make true what seems false; a weaker condition may seem true.
            let exact = if *decisive == Tree::False { !self.outside } else { !self.weakened };
            if tree == *decisive && exact {
                (self.outside, self.weakened) = before;
                return None;
            }
            outside |= self.outside;
            weakened |= self.weakened;
            trees.push(tree);
        }
        (self.outside, self.weakened) = (outside, weakened);
        Some(trees)
    }

    /// The case that a process is none of those that are named, of which `rest` can be said.
    fn beyond(&mut self, rest: Tree) -> Tree {
        if !self.vocabulary.is_open() {
            return Tree::False;
        }
        if self.weakening > 0 {
            // Weaker than the exact condition, which would need one more process for each named one.
            self.weakened = true;
            return rest;
        }
        self.outside = true;
        Tree::False
    }

    fn comparison(&mut self, comparison: &FormulaComparison, holds: bool) -> Tree {
        let FormulaComparison { left, relation, right, ty, .. } = comparison;
        let (left, relation, right) = match (relation, holds) {
            (FormulaRelation::Equal, true) | (FormulaRelation::NotEqual, false) => {
                (left, Comparison::Equal, right)
            }
            (FormulaRelation::NotEqual, true) | (FormulaRelation::Equal, false) => {
                (left, Comparison::NotEqual, right)
            }
            (FormulaRelation::Less, true) => (left, Comparison::Less, right),
            (FormulaRelation::LessEqual, true) => (left, Comparison::LessEqual, right),
            (FormulaRelation::Less, false) => (right, Comparison::LessEqual, left),
            (FormulaRelation::LessEqual, false) => (right, Comparison::Less, left),
        };
        self.term(left, &mut |conditions, left| {
            conditions
                .term(right, &mut |conditions, right| conditions.compare(*ty, left.clone(), relation, right))
        })
    }

    fn term(&mut self, term: &Term, then: Then<'_, 'v, 's>) -> Tree {
        match term {
            Term::Variable(variable) => {
                let process = self.process(*variable);
                then(self, Resolved::Process(process))
            }
            Term::Process(number) => {
                let process = u8::try_from(number - 1).expect("a closed universe has few processes");
                then(self, Resolved::Process(process))
            }
            Term::Constructor(_, index) => {
                let value = u8::try_from(*index).expect("enumerations of a vocabulary have few values");
                then(self, Resolved::Constructor(value))
            }
            Term::Access(access) => self.access(access, 0, &mut [0; 8], &mut |conditions, cell| {
                then(conditions, Resolved::Cell(cell))
            }),
            Term::Linear(linear) => {
                let constant = Rational::from_ratio(linear.constant.as_ratio());
                self.sum(linear, 0, Sum { terms: Vec::new(), constant }, then)
            }
        }
    }

    fn sum(&mut self, linear: &LinearTerm, next: usize, sum: Sum, then: Then<'_, 'v, 's>) -> Tree {
        let Some((coefficient, access)) = linear.terms.get(next) else {
            return then(self, Resolved::Sum(sum));
        };
        let coefficient = Rational::from_ratio(coefficient.as_ratio());
        self.access(access, 0, &mut [0; 8], &mut |conditions, cell| {
            let mut sum = sum.clone();
            sum.terms.push((cell, coefficient.clone()));
            conditions.sum(linear, next + 1, sum, then)
        })
    }

    /// Calls `then` with the cell that is accessed, in each case; the first `known` indices are resolved.
    fn access(
        &mut self,
        access: &Access,
        known: usize,
        indices: &mut [u8; 8],
        then: &mut dyn FnMut(&mut Self, Variable) -> Tree,
    ) -> Tree {
        let Some(index) = access.indices.get(known) else {
            let cell = self.layout.cell(access.symbol, &indices[..known]);
            return then(self, cell);
        };
        let mut indices = *indices;
        self.index(index, &mut |conditions, process| {
            indices[known] = process;
            conditions.access(access, known + 1, &mut indices, then)
        })
    }

    /// Calls `then` with the process that a term is, in each case.
    fn index(&mut self, term: &Term, then: &mut dyn FnMut(&mut Self, u8) -> Tree) -> Tree {
        self.term(term, &mut |conditions, value| match value {
            Resolved::Process(process) => then(conditions, process),
            Resolved::Cell(cell) => conditions.each_process(cell, then),
            Resolved::Constructor(_) | Resolved::Sum(_) | Resolved::Anything => {
                panic!("only processes are indices, not {value:?}")
            }
        })
    }

    /// One case for each process that a cell can hold.
    fn each_process(&mut self, cell: Variable, then: &mut dyn FnMut(&mut Self, u8) -> Tree) -> Tree {
        let field = self.layout.shape.field(cell).expect("a cell of type proc has a field");
        let values = field.get(&self.draft);
        let mut any = Tree::False;
        for process in 0..self.layout.named {
            if values >> process & 1 == 1 && self.effort.spend(Effort::NODE).is_ok() {
                // Inside the case, the cell is known to hold this process.
                field.set(&mut self.draft, 1 << process);
                let tree = then(self, process);
                field.set(&mut self.draft, values);
                any = Tree::or(any, Tree::and(self.within(cell, 1 << process), tree));
            }
        }
        if values >> OTHER & 1 == 1 {
            let rest = self.within(cell, 1 << OTHER);
            any = Tree::or(any, self.beyond(rest));
        }
        any
    }

    pub fn within(&self, cell: Variable, values: u64) -> Tree {
        Tree::within(&self.layout.shape, &self.draft, cell, values)
    }

    pub fn compare(&self, ty: Type, left: Resolved, comparison: Comparison, right: Resolved) -> Tree {
        match ty {
            Type::Integer => compare_sums(NumberKind::Integer, left, comparison, right),
            Type::Real => compare_sums(NumberKind::Real, left, comparison, right),
            _ => {
                let sort = sort_of(self.vocabulary.system, ty);
                self.compare_terms(sort, term_of(&left), comparison, term_of(&right))
            }
        }
    }

    pub fn compare_terms(
        &self,
        sort: SortId,
        left: SolverTerm,
        comparison: Comparison,
        right: SolverTerm,
    ) -> Tree {
        let relation = match (Ordered { sort, left, comparison, right }).normalized() {
            Normalized::True => return Tree::True,
            Normalized::False => return Tree::False,
            Normalized::Relation(relation) => relation,
        };
        if let Comparison::Equal | Comparison::NotEqual = comparison {
            let (left, right) = (self.known(sort, relation.left), self.known(sort, relation.right));
            let (cell, point) = match (left, right) {
                (SolverTerm::Point(left), SolverTerm::Point(right)) => {
                    return Tree::constant((left == right) == (comparison == Comparison::Equal));
                }
                (SolverTerm::Point(point), SolverTerm::Variable(cell))
                | (SolverTerm::Variable(cell), SolverTerm::Point(point)) => (cell, point),
                (SolverTerm::Variable(_), SolverTerm::Variable(_)) => {
                    return Tree::Relation(relation.into());
                }
            };
            // No value of an abstract type is a point.
            if let Kind::Finite(..) = self.layout.shape.kind(cell) {
                let is_equal = comparison == Comparison::Equal;
                return self.within(cell, if is_equal { 1 << point } else { !(1 << point) });
            }
        }
        Tree::Relation(relation.into())
    }

    /// The point that a cell is known to hold, if there is only one.
    fn known(&self, sort: SortId, term: SolverTerm) -> SolverTerm {
        if let SolverTerm::Variable(cell) = term
            && usize::from(cell.0) < self.layout.cells()
        {
            let values = self.layout.shape.domain(&self.draft, cell);
            if values.is_power_of_two() && values != self.layout.shape.sorts[usize::from(sort.0)].others() {
                return SolverTerm::Point(least(values));
            }
        }
        term
    }

    /// Calls `then` with the value that an update gives to a cell, in each case. All parameters are bound.
    pub fn new_value(&mut self, update: &Update, cell: Variable, then: Then<'_, 'v, 's>) -> Tree {
        let indices = self.layout.indices(cell);
        // The indices of the update are bound while its value is resolved. What `then` does may bind them to
        // others, where it resolves the value that the same update gives to another cell.
        self.new_value_from(update, 0, cell, &mut |conditions, value| {
            let tree = then(conditions, value);
            conditions.bind_all(&update.indices, indices);
            tree
        })
    }

    fn new_value_from(
        &mut self,
        update: &Update,
        branch: usize,
        cell: Variable,
        then: Then<'_, 'v, 's>,
    ) -> Tree {
        // Conditions bind variables of their own, so the indices are bound anew each time.
        self.bind_all(&update.indices, self.layout.indices(cell));
        let Some(Branch { condition, value, .. }) = update.branches.get(branch) else {
            return self.assigned(&update.otherwise, cell, then);
        };
        let (test, negation) = self.both_ways(condition);
        let consequence = if test == Tree::False { Tree::False } else { self.assigned(value, cell, then) };
        let alternative = if negation == Tree::False {
            Tree::False
        } else {
            self.new_value_from(update, branch + 1, cell, then)
        };
        self.choose(test, negation, consequence, alternative)
    }

    /// See [`Tree::choose`], which copies what it is given.
    fn choose(&self, test: Tree, negation: Tree, consequence: Tree, alternative: Tree) -> Tree {
        match self.effort.spend((consequence.size() + alternative.size()) * Effort::NODE) {
            Ok(()) => Tree::choose(test, negation, consequence, alternative),
            Err(_) => Tree::False,
        }
    }

    fn assigned(&mut self, value: &Value, cell: Variable, then: Then<'_, 'v, 's>) -> Tree {
        match value {
            Value::Term(term) => self.term(term, then),
            Value::Any => {
                let chosen = self.choices.iter().find(|(other, _)| *other == cell).map(|(_, value)| *value);
                let value = match (chosen, self.layout.shape.kind(cell)) {
                    (None, _) => Resolved::Anything,
                    (Some(Chosen::Point(point)), Kind::Finite(PROCESSES, _)) => Resolved::Process(point),
                    (Some(Chosen::Point(point)), _) => Resolved::Constructor(point),
                    (Some(Chosen::Variable(variable)), _) => Resolved::Cell(variable),
                };
                then(self, value)
            }
        }
    }
}

fn compare_sums(kind: NumberKind, left: Resolved, comparison: Comparison, right: Resolved) -> Tree {
    let (left, right) = (sum_of(left), sum_of(right));
    let negated = right.terms.into_iter().map(|(cell, coefficient)| (cell, -coefficient));
    let terms = left.terms.into_iter().chain(negated);
    let constant = &left.constant - &right.constant;
    linear(Linear::new(kind, terms, constant, comparison))
}

pub fn linear(linear: Linear) -> Tree {
    match linear.normalized() {
        Normalized::True => Tree::True,
        Normalized::False => Tree::False,
        Normalized::Relation(linear) => Tree::Relation(linear.into()),
    }
}

pub fn term_of(value: &Resolved) -> SolverTerm {
    match *value {
        Resolved::Process(point) | Resolved::Constructor(point) => SolverTerm::Point(point),
        Resolved::Cell(cell) => SolverTerm::Variable(cell),
        Resolved::Sum(_) | Resolved::Anything => panic!("no term: {value:?}"),
    }
}

pub fn sum_of(value: Resolved) -> Sum {
    match value {
        Resolved::Sum(sum) => sum,
        Resolved::Cell(cell) => Sum { terms: vec![(cell, Rational::ONE)], constant: Rational::ZERO },
        other => panic!("no sum: {other:?}"),
    }
}
