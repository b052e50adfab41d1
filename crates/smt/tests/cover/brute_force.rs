//! Questions by brute force: all states, a group of variables at a time.
//!
//! A cube is a conjunction, so it is one of conditions on *groups* of variables that no relation connects. A
//! state of a group is in some of the excluded cubes, as far as the group can tell; the cubes that contain a
//! state of all variables are those that all of its groups allow. So it is enough to know, for each group,
//! which sets of excluded cubes its states allow.

use std::collections::BTreeSet;

use polycube_smt::rational::Rational;
use polycube_smt::relation::{Comparison, NumberKind, Ordered, Relation, Sort, SortId, Term, Variable};
use polycube_smt::shape::Kind;

use crate::question::{Cube, MAX_ORDERED_POINTS, Question};

/// Which excluded cubes contain a state: a set, as a mask.
type Containing = u64;

/// For each state of the cube, by which of the excluded cubes it is contained.
#[derive(Debug)]
pub struct States(BTreeSet<Containing>);

impl States {
    pub fn of(question: &Question) -> States {
        let mut groups = Vec::new();
        for (kind, index) in question.shape.variables.iter().zip(0..) {
            if let Kind::Finite(..) = kind
                && !question.cubes().any(|cube| cube.mentions(Variable(index)))
            {
                groups.push(single_variable(question, Variable(index)));
            }
        }
        for id in 0..question.shape.sorts.len() as u16 {
            groups.push(Arrangement::of(question, SortId(id)).states);
        }
        for kind in [NumberKind::Integer, NumberKind::Real] {
            groups.push(numbers(question, kind));
        }
        let mut states = BTreeSet::from([question.all_excluded()]);
        for group in groups {
            states = states.iter().flat_map(|state| group.iter().map(move |other| state & other)).collect();
        }
        States(states)
    }

    /// Whether the cube has no states.
    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether these excluded cubes cover the cube.
    pub fn are_in(&self, cubes: impl IntoIterator<Item = usize>) -> bool {
        let cubes = cubes.into_iter().fold(0, |mask, number| mask | 1 << number);
        self.0.iter().all(|containing| containing & cubes != 0)
    }
}

impl Question {
    fn cubes(&self) -> impl Iterator<Item = &Cube> {
        std::iter::once(&self.cube).chain(&self.excluded)
    }

    fn all_excluded(&self) -> Containing {
        self.excluded_with(|_| true)
    }

    fn excluded_with(&self, condition: impl Fn(&Cube) -> bool) -> Containing {
        let fulfilling = self.excluded.iter().enumerate().filter(|(_, cube)| condition(cube));
        fulfilling.fold(0, |mask, (number, _)| mask | 1 << number)
    }

    /// The values that the cube lets a variable have that is no number.
    fn values(&self, variable: Variable) -> u64 {
        match self.shape.kind(variable) {
            Kind::Finite(_, field) => field.get(&self.cube.words),
            Kind::Unbounded(sort) => self.shape.sorts[usize::from(sort.0)].others(),
            Kind::Number(_) => panic!("a number has no set of values"),
        }
    }

    /// The excluded cubes that let a variable have a value.
    fn excluded_allowing(&self, variable: Variable, value: u64) -> Containing {
        match self.shape.kind(variable) {
            Kind::Finite(_, field) => self.excluded_with(|cube| field.get(&cube.words) & value != 0),
            Kind::Unbounded(_) | Kind::Number(_) => self.all_excluded(),
        }
    }

    /// Those of a list of relations that a cube asserts, as a mask.
    fn asserted<R>(cube: &Cube, relations: &[R], is_same: impl Fn(&R, &Relation) -> bool) -> u64 {
        let is_asserted = |listed: &R| cube.relations.iter().any(|relation| is_same(listed, relation));
        let asserted = relations.iter().enumerate().filter(|(_, listed)| is_asserted(listed));
        asserted.fold(0, |mask, (index, _)| mask | 1 << index)
    }
}

impl Cube {
    fn mentions(&self, variable: Variable) -> bool {
        self.relations.iter().any(|relation| relation.variables().any(|other| other == variable))
    }
}

/// The states of a variable that no relation mentions.
fn single_variable(question: &Question, variable: Variable) -> BTreeSet<Containing> {
    let values = question.values(variable);
    bits(values).map(|value| question.excluded_allowing(variable, value)).collect()
}

fn bits(set: u64) -> impl Iterator<Item = u64> {
    (0..64).map(|bit| 1 << bit).filter(move |bit| set & bit != 0)
}

/// The points of a sort, and the variables that occur in its relations, in all possible orders.
struct Arrangement<'q> {
    question: &'q Question,
    sort: Sort,
    relations: Vec<Ordered>,
    /// The relations that the cube, and those that the excluded ones assert.
    of_cube: u64,
    of_excluded: Vec<u64>,
    variables: Vec<Variable>,
    is_ordered: bool,
    /// The places of the points, and then those of the variables; several variables may share one.
    places: Vec<usize>,
    /// How many different places there are.
    length: usize,
    states: BTreeSet<Containing>,
}

impl<'q> Arrangement<'q> {
    fn of(question: &'q Question, id: SortId) -> Arrangement<'q> {
        let mut relations: Vec<Ordered> = question
            .cubes()
            .flat_map(|cube| &cube.relations)
            .filter_map(|relation| match relation {
                Relation::Ordered(ordered) if ordered.sort == id => Some(*ordered),
                _ => None,
            })
            .collect();
        relations.sort_unstable();
        relations.dedup();
        let mut variables: Vec<Variable> = relations.iter().flat_map(Ordered::variables).collect();
        variables.sort_unstable();
        variables.dedup();
        let is_order =
            |relation: &Ordered| matches!(relation.comparison, Comparison::Less | Comparison::LessEqual);
        let is_ordered = relations.iter().any(is_order);
        let sort = question.shape.sorts[usize::from(id.0)];
        assert!(!is_ordered || sort.points <= MAX_ORDERED_POINTS, "too many orders");
        let asserted = |cube: &Cube| {
            Question::asserted(cube, &relations, |listed, relation| *relation == Relation::Ordered(*listed))
        };
        let (of_cube, of_excluded) =
            (asserted(&question.cube), question.excluded.iter().map(asserted).collect());
        let (places, states) = (Vec::new(), BTreeSet::new());
        let mut arrangement = Arrangement {
            question,
            sort,
            relations,
            of_cube,
            of_excluded,
            variables,
            is_ordered,
            places,
            length: 0,
            states,
        };
        arrangement.arrange_point(0);
        arrangement
    }

    /// Puts a point, and all after it, anywhere. Where only equality matters, one order is enough.
    fn arrange_point(&mut self, point: u8) {
        if point == self.sort.points {
            self.arrange_variable(0, self.question.all_excluded());
            return;
        }
        let first = if self.is_ordered { 0 } else { self.length };
        for place in first..=self.length {
            self.put_between(place);
            self.arrange_point(point + 1);
            self.take_back();
        }
    }

    /// Gives a variable, and all after it, any values.
    fn arrange_variable(&mut self, index: usize, containing: Containing) {
        let Some(&variable) = self.variables.get(index) else {
            self.note(containing);
            return;
        };
        let values = self.question.values(variable);
        let points = usize::from(self.sort.points);
        for point in 0..points {
            if values >> point & 1 == 1 {
                let allowing = self.question.excluded_allowing(variable, 1 << point);
                self.places.push(self.places[point]);
                self.arrange_variable(index + 1, containing & allowing);
                self.places.pop();
            }
        }
        let others = values & self.sort.others();
        if others == 0 {
            return;
        }
        let containing = containing & self.question.excluded_allowing(variable, others);
        for place in 0..self.length {
            if !self.places[..points].contains(&place) {
                self.places.push(place);
                self.arrange_variable(index + 1, containing);
                self.places.pop();
            }
        }
        let first = if self.is_ordered { 0 } else { self.length };
        for place in first..=self.length {
            self.put_between(place);
            self.arrange_variable(index + 1, containing);
            self.take_back();
        }
    }

    /// Puts the next point or variable to a place of its own, before the one that is there.
    fn put_between(&mut self, place: usize) {
        self.places.iter_mut().filter(|other| **other >= place).for_each(|other| *other += 1);
        self.places.push(place);
        self.length += 1;
    }

    /// Takes back the last [`Arrangement::put_between`].
    fn take_back(&mut self) {
        let place = self.places.pop().expect("something was put");
        self.places.iter_mut().filter(|other| **other > place).for_each(|other| *other -= 1);
        self.length -= 1;
    }

    /// Everything has its place.
    fn note(&mut self, containing: Containing) {
        let place = |term| match term {
            Term::Point(point) => self.places[usize::from(point)],
            Term::Variable(variable) => {
                let index = self.variables.binary_search(&variable).expect("all variables were collected");
                self.places[usize::from(self.sort.points) + index]
            }
        };
        let holds =
            |relation: &Ordered| relation.comparison.holds(place(relation.left).cmp(&place(relation.right)));
        let truth = self
            .relations
            .iter()
            .enumerate()
            .fold(0, |truth, (index, relation)| truth | u64::from(holds(relation)) << index);
        if truth & self.of_cube == self.of_cube {
            self.states.insert(containing & holding(&self.of_excluded, truth));
        }
    }
}

/// The excluded cubes whose relations hold.
fn holding(of_excluded: &[u64], truth: u64) -> Containing {
    let holding = of_excluded.iter().enumerate().filter(|&(_, asserted)| truth & asserted == *asserted);
    holding.fold(0, |mask, (number, _)| mask | 1 << number)
}

/// The greatest constant in relations of numbers.
const MAX_CONSTANT: i64 = 2;

/// A difference of numbers, compared with zero.
struct Difference {
    coefficients: Vec<i64>,
    constant: i64,
    comparison: Comparison,
}

/// The states of the numbers of a kind.
///
/// All that relations can say of n numbers is how they, and their differences, compare with integers up to
/// [`MAX_CONSTANT`]. For that, larger distances between neighbours (zero among them) are as good as the next
/// integer, and fractions, of which there are n at most, as good as multiples of 1 / (n + 1).
fn numbers(question: &Question, kind: NumberKind) -> BTreeSet<Containing> {
    let mut relations: Vec<&Relation> = question
        .cubes()
        .flat_map(|cube| &cube.relations)
        .filter(|relation| matches!(relation, Relation::Linear(linear) if linear.kind == kind))
        .collect();
    relations.sort_unstable();
    relations.dedup();
    let mut variables: Vec<Variable> = relations.iter().flat_map(|relation| relation.variables()).collect();
    variables.sort_unstable();
    variables.dedup();
    let count = variables.len();
    let parts = match kind {
        NumberKind::Integer => 1,
        NumberKind::Real => count as i64 + 1,
    };
    let differences: Vec<Difference> =
        relations.iter().map(|relation| difference(relation, &variables, parts)).collect();
    let asserted = |cube: &Cube| Question::asserted(cube, &relations, |listed, relation| *listed == relation);
    let of_cube = asserted(&question.cube);
    let of_excluded: Vec<u64> = question.excluded.iter().map(asserted).collect();
    let reach = count as i64 * (MAX_CONSTANT + 1) * parts;
    let mut states = BTreeSet::new();
    let mut values = vec![-reach; count];
    loop {
        let truth = differences
            .iter()
            .enumerate()
            .fold(0, |truth, (index, difference)| truth | u64::from(difference.holds(&values)) << index);
        if truth & of_cube == of_cube {
            states.insert(holding(&of_excluded, truth));
        }
        let Some(place) = values.iter().position(|&value| value < reach) else { return states };
        values[place] += 1;
        values[..place].fill(-reach);
    }
}

impl Difference {
    fn holds(&self, values: &[i64]) -> bool {
        let products = self.coefficients.iter().zip(values).map(|(coefficient, value)| coefficient * value);
        self.comparison.holds((products.sum::<i64>() + self.constant).cmp(&0))
    }
}

/// A relation between numbers that are counted in such parts of one.
fn difference(relation: &Relation, variables: &[Variable], parts: i64) -> Difference {
    let Relation::Linear(linear) = relation else { panic!("a relation between numbers") };
    let integer = |number: &Rational| number.to_i64().expect("a small integer");
    let coefficient = |variable: &Variable| linear.coefficient(*variable).map_or(0, integer);
    let coefficients: Vec<i64> = variables.iter().map(coefficient).collect();
    let constant = integer(&linear.constant);
    let is_difference = match coefficients.iter().filter(|&&coefficient| coefficient != 0).count() {
        0 | 1 => true,
        2 => coefficients.iter().sum::<i64>() == 0,
        _ => false,
    };
    let is_unit = coefficients.iter().all(|coefficient| coefficient.abs() <= 1);
    assert!(is_difference && is_unit && constant.abs() <= MAX_CONSTANT, "{linear:?} is too much");
    Difference { coefficients, constant: constant * parts, comparison: linear.comparison }
}
