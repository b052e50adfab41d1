//! A cube as a formula of the language.

use polycube_language::System;
use polycube_language::formula::{
    Access, Comparison as FormulaComparison, Formula, Linear as LinearTerm, Quantifier,
    Relation as FormulaRelation, Term, Variable, VariableId,
};
use polycube_language::number::Number;
use polycube_language::span::Origin;
use polycube_language::system::{EnumerationId, SymbolId, Type};
use polycube_smt::rational::Rational;
use polycube_smt::relation::{Comparison, Relation, Term as SolverTerm, Variable as CellId};

use super::Cube;
use super::vocabulary::{CubeLayout, OTHER, Universe, Vocabulary, type_of};

/// A set of states as a formula: there are pairwise different processes for which it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubeFormula {
    /// Variables for the processes.
    pub parameters: Vec<Variable>,
    pub formula: Formula,
}

/// The cube as a formula over pairwise different processes, as many as there are at least. The first ones
/// have these names, the others are called `z1`, `z2`, and so on.
pub fn formula(vocabulary: &Vocabulary<'_>, cube: &Cube, names: &[String]) -> CubeFormula {
    let (variables, count) = if vocabulary.is_open() { (u64::MAX, parameters_of(cube)) } else { (0, 0) };
    let parameters = (0..count).map(|process| {
        let name = names.get(usize::from(process)).cloned();
        parameter(process.into(), name.unwrap_or_else(|| format!("z{}", process + 1)))
    });
    let formula = Formula::and([conjunction(vocabulary, cube, variables), others(vocabulary, cube, names)]);
    CubeFormula { parameters: parameters.collect(), formula }
}

/// How many processes a formula says that there are. That there is one at all need not be said.
fn parameters_of(cube: &Cube) -> u8 {
    if cube.named == 0 && cube.at_least == 1 { 0 } else { cube.at_least }
}

/// What a cube says of the processes that it does not name.
fn others(vocabulary: &Vocabulary<'_>, cube: &Cube, names: &[String]) -> Formula {
    let Some(others) = &cube.others else { return Formula::TRUE };
    // Its number comes after those of all parameters.
    let other = VariableId(parameters_of(cube).into());
    let named: Vec<VariableId> = (0..cube.named).map(|process| VariableId(process.into())).collect();
    let last = VariableId(cube.named.into());
    let situations = others.situations().iter().map(|situation| {
        let mut shown = conjunction(vocabulary, situation, u64::MAX);
        shown.rename(&mut |variable| if variable == last { other } else { variable });
        shown
    });
    let free = (other.0 + 1..).map(|number| format!("z{number}")).find(|name| !names.contains(name));
    let variable = parameter(other.0, free.expect("there are more numbers than names"));
    Formula::quantified(Quantifier::Forall, variable, &named, Formula::or(situations), Origin::default())
}

/// The cube, and all others that renamings of processes make of it, as a formula. With a fixed number of
/// processes, those that the system names keep their names, and every other one stands for all.
pub fn orbit(vocabulary: &Vocabulary<'_>, cube: &Cube) -> CubeFormula {
    let Universe::Closed(size) = vocabulary.universe else { return formula(vocabulary, cube, &[]) };
    let pinned = |process: u8| vocabulary.pinned >> process & 1 == 1;
    let mut shown = conjunction(vocabulary, cube, !u64::from(vocabulary.pinned));
    let mut spoken: Vec<VariableId> = Vec::new();
    shown.rename(&mut |variable| {
        if !spoken.contains(&variable) {
            spoken.push(variable);
        }
        variable
    });
    spoken.sort_unstable();
    let parameters =
        spoken.iter().zip(1..).map(|(variable, number)| parameter(variable.0, format!("z{number}")));
    let others = spoken.iter().flat_map(|&variable| {
        (0..size).filter(|&process| pinned(process)).map(move |process| {
            let (left, right) = (Term::Variable(variable), Term::Process(u32::from(process) + 1));
            Formula::compare_processes(left, FormulaRelation::NotEqual, right, Origin::default())
        })
    });
    let parts: Vec<Formula> = others.chain([shown]).collect();
    CubeFormula { parameters: parameters.collect(), formula: Formula::and(parts) }
}

/// What a cube says. Processes are shown as variables if their bits are set, and otherwise by their numbers.
fn conjunction(vocabulary: &Vocabulary<'_>, cube: &Cube, variables: u64) -> Formula {
    let layout = vocabulary.layout(cube.named);
    let show = Show { vocabulary, layout, variables };
    let cells = layout.restricted(&cube.words).map(|(cell, sort, field, values)| {
        let full = field.get(&layout.full);
        match type_of(vocabulary.system, sort) {
            Type::Process => show.processes(cell, values, full),
            ty => show.values(cell, ty, values, full),
        }
    });
    Formula::and(cells.chain(cube.relations.iter().map(|relation| show.relation(relation))))
}

/// The values that symbols never hold, as sets of states. That these are never reached is an inductive
/// invariant, on which everything about cubes rests.
pub fn subtype_formulas(vocabulary: &Vocabulary<'_>) -> Vec<CubeFormula> {
    let system = vocabulary.system;
    let mut formulas = Vec::new();
    for (symbol, symbol_id) in system.symbols.iter().zip((0..).map(SymbolId)) {
        let (Type::Enumeration(id), Some(values)) = (symbol.ty, vocabulary.values(symbol_id)) else {
            continue;
        };
        let never: Vec<u32> = constructors(system, id).filter(|value| values >> value & 1 == 0).collect();
        if never.is_empty() {
            continue;
        }
        // The processes in the brackets may coincide: one formula for each way in which they can.
        for pattern in patterns(symbol.dimensions()) {
            let count = pattern.iter().map(|&process| process + 1).max().unwrap_or(0);
            let indices = pattern.iter().map(|&process| Term::Variable(VariableId(process))).collect();
            let access = Access { symbol: symbol_id, indices };
            let is = |value: &u32| {
                let (left, right) = (Term::Access(access.clone()), Term::Constructor(id, *value));
                compare(symbol.ty, left, FormulaRelation::Equal, right)
            };
            let parameters =
                (0..count).map(|process| parameter(process, format!("z{}", process + 1))).collect();
            formulas.push(CubeFormula { parameters, formula: Formula::or(never.iter().map(is)) });
        }
    }
    formulas
}

/// The ways in which this many indices can coincide: each has the number of the first one that it equals,
/// without gaps.
fn patterns(dimensions: usize) -> Vec<Vec<u32>> {
    let mut patterns = vec![Vec::new()];
    for _ in 0..dimensions {
        patterns = (patterns.into_iter())
            .flat_map(|pattern: Vec<u32>| {
                let next = pattern.iter().map(|&process| process + 1).max().unwrap_or(0);
                (0..=next).map(move |process| {
                    let mut pattern = pattern.clone();
                    pattern.push(process);
                    pattern
                })
            })
            .collect();
    }
    patterns
}

fn constructors(system: &System, id: EnumerationId) -> impl Iterator<Item = u32> + use<> {
    0..u32::try_from(system.enumeration(id).constructors.len()).expect("constructors are counted in 32 bits")
}

fn parameter(process: u32, name: String) -> Variable {
    Variable { id: VariableId(process), name, origin: Origin::default() }
}

fn compare(ty: Type, left: Term, relation: FormulaRelation, right: Term) -> Formula {
    Formula::Compare(FormulaComparison { left, relation, right, ty, origin: Origin::default() })
}

struct Show<'v, 's> {
    vocabulary: &'v Vocabulary<'s>,
    layout: &'v CubeLayout,
    variables: u64,
}

impl Show<'_, '_> {
    fn process(&self, process: u8) -> Term {
        match self.variables >> process & 1 {
            1 => Term::Variable(VariableId(process.into())),
            _ => Term::Process(u32::from(process) + 1),
        }
    }

    fn access(&self, cell: CellId) -> Access {
        let indices = self.layout.indices(cell).iter().map(|&index| self.process(index)).collect();
        Access { symbol: self.layout.symbol(cell), indices }
    }

    fn cell(&self, cell: CellId) -> Term {
        let access = self.access(cell);
        let ty = self.vocabulary.system.symbol(access.symbol).ty;
        Term::access(access, ty)
    }

    /// The cell has one of these values: said in the shorter way.
    fn values(&self, cell: CellId, ty: Type, values: u64, full: u64) -> Formula {
        let Type::Enumeration(id) = ty else { panic!("only enumerations have points") };
        let is = |relation, value| compare(ty, self.cell(cell), relation, Term::Constructor(id, value));
        let all = || constructors(self.vocabulary.system, id);
        let listed = |set: u64| all().filter(move |value| set >> value & 1 == 1);
        let missing = full & !values;
        if missing.count_ones() < values.count_ones() {
            Formula::and(listed(missing).map(|value| is(FormulaRelation::NotEqual, value)))
        } else {
            Formula::or(listed(values).map(|value| is(FormulaRelation::Equal, value)))
        }
    }

    fn processes(&self, cell: CellId, values: u64, full: u64) -> Formula {
        let is = |relation, process| compare(Type::Process, self.cell(cell), relation, self.process(process));
        let listed = |set: u64| (0..self.layout.named).filter(move |process| set >> process & 1 == 1);
        if values >> OTHER & 1 == 1 {
            Formula::and(listed(full & !values).map(|process| is(FormulaRelation::NotEqual, process)))
        } else {
            Formula::or(listed(values).map(|process| is(FormulaRelation::Equal, process)))
        }
    }

    fn relation(&self, relation: &Relation) -> Formula {
        match relation {
            Relation::Ordered(ordered) => {
                let ty = type_of(self.vocabulary.system, ordered.sort);
                let term = |term| match (term, ty) {
                    (SolverTerm::Variable(cell), _) => self.cell(cell),
                    (SolverTerm::Point(process), Type::Process) => self.process(process),
                    (SolverTerm::Point(value), Type::Enumeration(id)) => Term::Constructor(id, value.into()),
                    (SolverTerm::Point(_), _) => panic!("only processes and enumerations have points"),
                };
                compare(ty, term(ordered.left), relation_of(ordered.comparison), term(ordered.right))
            }
            Relation::Linear(linear) => {
                // What is added stands on the left, what is subtracted on the right.
                // Whole numbers can be written down, whatever the constant is.
                let scale = linear.terms.iter().fold(linear.constant.denominator(), |scale, (_, factor)| {
                    &scale * &(factor * &scale).denominator()
                });
                let number = |rational: &Rational| Number::from_ratio((rational * &scale).to_ratio());
                let ty = self.vocabulary.system.symbol(self.access(linear.terms[0].0).symbol).ty;
                // Of integers, `X + 1 <= Y` says that `X < Y`.
                let is_less = ty == Type::Integer
                    && linear.comparison == Comparison::LessEqual
                    && linear.constant.signum() > 0
                    && number(&linear.constant) == Number::ONE
                    && linear.terms.iter().any(|(_, factor)| factor.signum() > 0);
                let comparison = if is_less { Comparison::Less } else { linear.comparison };
                let constant = if is_less { Rational::ZERO } else { linear.constant.clone() };
                let side = |positive: bool| {
                    let terms = linear.terms.iter().filter(|(_, factor)| (factor.signum() > 0) == positive);
                    let terms = terms.map(|(cell, factor)| {
                        LinearTerm::access(self.access(*cell)).scaled(&number(&factor.abs()))
                    });
                    let own = (constant.signum() > 0) == positive && !constant.is_zero();
                    let constant = if own { constant.abs() } else { Rational::ZERO };
                    let constant = LinearTerm::constant(number(&constant));
                    LinearTerm::sum(terms.chain([constant])).into()
                };
                compare(ty, side(true), relation_of(comparison), side(false))
            }
        }
    }
}

fn relation_of(comparison: Comparison) -> FormulaRelation {
    match comparison {
        Comparison::Equal => FormulaRelation::Equal,
        Comparison::NotEqual => FormulaRelation::NotEqual,
        Comparison::Less => FormulaRelation::Less,
        Comparison::LessEqual => FormulaRelation::LessEqual,
    }
}
