//! Random questions: a shape, a cube, and cubes that may cover it.

use polycube_smt::rational::Rational;
use polycube_smt::relation::{
    Comparison, Linear, Normalized, NumberKind, Ordered, Relation, Sort, SortId, Term, Variable,
};
use polycube_smt::shape::{Field, Kind, MAX_WIDTH, Shape};

/// What a question is made of: random numbers, or the bytes of a fuzzer.
pub trait Choices {
    /// A number below `bound`.
    fn below(&mut self, bound: u64) -> u64;

    /// Yes, once in this many times.
    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }
}

/// Whether `excluded` cover `cube`.
#[derive(Debug)]
pub struct Question {
    pub shape: Shape,
    pub cube: Cube,
    pub excluded: Vec<Cube>,
}

#[derive(Clone, Debug)]
pub struct Cube {
    pub words: Vec<u64>,
    pub relations: Vec<Relation>,
}

/// What the relations of a question are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// There are none.
    Values,
    Equalities,
    Orders,
    /// Numbers, and their differences.
    Numbers,
    Everything,
}

impl Family {
    pub const ALL: [Family; 5] =
        [Family::Values, Family::Equalities, Family::Orders, Family::Numbers, Family::Everything];

    fn has_orders(self) -> bool {
        matches!(self, Family::Orders | Family::Everything)
    }

    fn has_numbers(self) -> bool {
        matches!(self, Family::Numbers | Family::Everything)
    }

    fn has_terms(self) -> bool {
        !matches!(self, Family::Values | Family::Numbers)
    }
}

/// Brute force tries all orders of the points and variables in the relations of a sort: not more than so
/// many.
const MAX_ARRANGED: usize = 5;

/// Sorts with more points are only compared with `=` and `<>`.
pub const MAX_ORDERED_POINTS: u8 = 4;

impl Question {
    /// A question with up to this many cubes, for brute force.
    pub fn random(choices: &mut impl Choices, family: Family, most_excluded: usize) -> Question {
        let shape = shape(choices, family, 6);
        let pool = pool(choices, &shape, family);
        Question::about(choices, shape, &pool, most_excluded)
    }

    /// A question with up to this many cubes, with relations out of a pool.
    pub fn about(
        choices: &mut impl Choices,
        shape: Shape,
        pool: &[Relation],
        most_excluded: usize,
    ) -> Question {
        let all = Cube { words: full(&shape), relations: Vec::new() };
        let mut cube = all.clone();
        for variable in 0..shape.variables.len() {
            if choices.once_in(3) {
                narrow(choices, &shape, &mut cube, variable);
            }
        }
        assert_some(choices, pool, &mut cube, 2);
        let mut count = || choices.below(most_excluded as u64 + 1) as usize;
        let count = count().max(count());
        let mut excluded = if choices.once_in(3) {
            (0..count).map(|_| scattered(choices, &shape, pool, &cube, &all)).collect()
        } else {
            split(choices, &shape, pool, &cube, count)
        };
        for piece in &mut excluded {
            widen(choices, &shape, piece);
        }
        for _ in 0..choices.below(excluded.len() as u64 / 2 + 1) {
            damage(choices, &shape, pool, &mut excluded);
        }
        for place in (1..excluded.len()).rev() {
            excluded.swap(place, choices.below(place as u64 + 1) as usize);
        }
        Question { shape, cube, excluded }
    }
}

/// Up to this many finite variables, at odd places of several words, and a few others.
pub fn shape(choices: &mut impl Choices, family: Family, finite: u64) -> Shape {
    let sorts: Vec<Sort> = (0..=choices.below(3)).map(|_| sort(choices)).collect();
    let mut shape = Shape { sorts, ..Shape::default() };
    // For each word, the first free place.
    let mut ends: Vec<u8> = Vec::new();
    for _ in 0..=choices.below(finite) {
        let id = SortId(choices.below(shape.sorts.len() as u64) as u16);
        let needed = 64 - shape.sorts[usize::from(id.0)].values().leading_zeros() as u8;
        let width = (needed + choices.pick(&[0, 0, 1, 2])).min(MAX_WIDTH);
        let word = choices.below(ends.len() as u64 + 1) as usize;
        let start = ends.get(word).copied().unwrap_or(0) + choices.pick(&[0, 0, 1, 5]);
        let fits = start + width < 64;
        let (word, shift) = if fits { (word, start) } else { (ends.len(), choices.pick(&[0, 63 - width])) };
        let field = Field { word: word as u32, shift, width };
        if word == ends.len() {
            ends.push(0);
            shape.bits.push(0);
            shape.guards.push(0);
        }
        ends[word] = shift + width + 1;
        shape.bits[word] |= field.bits();
        shape.guards[word] |= field.guard();
        shape.variables.push(Kind::Finite(id, field));
    }
    if choices.once_in(20) {
        shape.bits.push(0);
        shape.guards.push(0);
    }
    for (id, sort) in shape.sorts.iter().enumerate() {
        if sort.other.is_some() {
            let count = choices.below(4) as usize;
            shape.variables.extend(vec![Kind::Unbounded(SortId(id as u16)); count]);
        }
    }
    if family.has_numbers() {
        for kind in [NumberKind::Integer, NumberKind::Real] {
            let count = choices.below(3) as usize;
            shape.variables.extend(vec![Kind::Number(kind); count]);
        }
    }
    shape
}

fn sort(choices: &mut impl Choices) -> Sort {
    match choices.below(32) {
        0 => Sort { points: 63, other: None },
        1 => Sort { points: 30 + choices.below(32) as u8, other: Some(62) },
        2 => Sort { points: choices.below(3) as u8, other: Some(62) },
        3..8 => Sort { points: 0, other: Some(0) },
        8..18 => {
            let points = choices.below(4) as u8;
            Sort { points, other: Some(points + choices.pick(&[0, 0, 1, 2])) }
        }
        _ => Sort { points: choices.below(4) as u8 + 1, other: None },
    }
}

/// Some relations, so that cubes have relations in common.
fn pool(choices: &mut impl Choices, shape: &Shape, family: Family) -> Vec<Relation> {
    let arranged: Vec<Vec<Variable>> =
        (0..shape.sorts.len() as u16).map(|id| arranged_variables(choices, shape, SortId(id))).collect();
    let count = choices.below(6);
    (0..count).filter_map(|_| relation(choices, shape, &arranged, family)).collect()
}

/// The variables of a sort that occur in relations.
fn arranged_variables(choices: &mut impl Choices, shape: &Shape, id: SortId) -> Vec<Variable> {
    let points = usize::from(shape.sorts[usize::from(id.0)].points);
    let of_sort = |kind: &Kind| matches!(kind, Kind::Finite(sort, _) | Kind::Unbounded(sort) if *sort == id);
    let mut variables = variables_with(shape, of_sort);
    while variables.len() > MAX_ARRANGED.saturating_sub(points).max(2) {
        variables.swap_remove(choices.below(variables.len() as u64) as usize);
    }
    variables
}

/// The variables of some kinds.
pub fn variables_with(shape: &Shape, is_one: impl Fn(&Kind) -> bool) -> Vec<Variable> {
    let indices = (0..).zip(&shape.variables).filter(|(_, kind)| is_one(kind));
    indices.map(|(index, _)| Variable(index)).collect()
}

/// A relation of a family, if there are variables for one.
fn relation(
    choices: &mut impl Choices,
    shape: &Shape,
    arranged: &[Vec<Variable>],
    family: Family,
) -> Option<Relation> {
    let relation = if family.has_numbers() && (!family.has_terms() || choices.once_in(2)) {
        difference(choices, shape)?
    } else if family.has_terms() {
        let id = choices.below(arranged.len() as u64) as u16;
        term_relation(choices, shape, SortId(id), &arranged[usize::from(id)], family)?
    } else {
        return None;
    };
    Some(match relation.clone().normalized() {
        Normalized::Relation(normal) if !choices.once_in(4) => normal,
        _ => relation,
    })
}

fn term_relation(
    choices: &mut impl Choices,
    shape: &Shape,
    sort: SortId,
    variables: &[Variable],
    family: Family,
) -> Option<Relation> {
    let points = shape.sorts[usize::from(sort.0)].points;
    let mut term = || match (variables.is_empty(), points) {
        (true, 0) => None,
        (false, 0) => Some(Term::Variable(choices.pick(variables))),
        (is_empty, _) if is_empty || choices.once_in(4) => {
            Some(Term::Point(choices.below(points.into()) as u8))
        }
        _ => Some(Term::Variable(choices.pick(variables))),
    };
    let (left, right) = (term()?, term()?);
    let is_ordered = family.has_orders() && points <= MAX_ORDERED_POINTS && !choices.once_in(3);
    let comparison = choices.pick(if is_ordered {
        &[Comparison::Less, Comparison::LessEqual]
    } else {
        &[Comparison::Equal, Comparison::NotEqual]
    });
    Some(Relation::Ordered(Ordered { sort, left, comparison, right }))
}

/// A number, or the difference of two, compared with a small integer.
fn difference(choices: &mut impl Choices, shape: &Shape) -> Option<Relation> {
    let kind = choices.pick(&[NumberKind::Integer, NumberKind::Real]);
    let variables = variables_with(shape, |other| *other == Kind::Number(kind));
    if variables.is_empty() {
        return None;
    }
    let mut terms = vec![(choices.pick(&variables), Rational::from(choices.pick(&[1, -1])))];
    if choices.once_in(2) {
        let opposite = -terms[0].1.clone();
        terms.push((choices.pick(&variables), opposite));
    }
    let constant = Rational::from(choices.pick(&[-1, 0, 0, 1]));
    let comparison = choices.pick(&[
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessEqual,
        Comparison::LessEqual,
    ]);
    Some(Relation::Linear(Linear::new(kind, terms, constant, comparison)))
}

/// The words that allow everything.
fn full(shape: &Shape) -> Vec<u64> {
    let mut words = vec![0; shape.words()];
    for kind in &shape.variables {
        if let Kind::Finite(sort, field) = *kind {
            field.set(&mut words, shape.sorts[usize::from(sort.0)].values());
        }
    }
    words
}

/// Takes values from a variable of a cube, but leaves some: at random, if there are several. Returns those
/// that were taken.
fn narrow(choices: &mut impl Choices, shape: &Shape, cube: &mut Cube, variable: usize) -> u64 {
    let Kind::Finite(_, field) = shape.variables[variable] else { return 0 };
    let values = field.get(&cube.words);
    let taken = if values.is_power_of_two() { 0 } else { some_of(choices, values) };
    field.set(&mut cube.words, values & !taken);
    taken
}

/// A part of a set, neither nothing nor all where that is possible: any, if the set is small.
fn some_of(choices: &mut impl Choices, set: u64) -> u64 {
    let elements: Vec<u64> = (0..64).map(|bit| 1 << bit).filter(|bit| set & bit != 0).collect();
    if elements.len() < 2 {
        return set;
    }
    if elements.len() <= 5 {
        let numbers = choices.below((1 << elements.len()) - 2) + 1;
        let is_taken = |&(number, _): &(usize, &u64)| numbers >> number & 1 == 1;
        return elements.iter().enumerate().filter(is_taken).fold(0, |part, (_, element)| part | element);
    }
    let few = (0..3).fold(0, |part, _| part | choices.pick(&elements));
    if choices.once_in(2) { few } else { set & !few }
}

/// A relation out of the pool, or its negation.
fn literal(choices: &mut impl Choices, pool: &[Relation]) -> Relation {
    let relation = &pool[choices.below(pool.len() as u64) as usize];
    if choices.once_in(2) { relation.clone() } else { relation.negated() }
}

/// Adds up to this many relations.
fn assert_some(choices: &mut impl Choices, pool: &[Relation], cube: &mut Cube, most: u64) {
    if !pool.is_empty() {
        let count = choices.below(most + 1).saturating_sub(choices.below(2));
        cube.relations.extend((0..count).map(|_| literal(choices, pool)));
    }
}

/// Any cube; often a large part of the one in question.
fn scattered(choices: &mut impl Choices, shape: &Shape, pool: &[Relation], cube: &Cube, all: &Cube) -> Cube {
    let words = if choices.once_in(2) { cube } else { all }.words.clone();
    let mut other = Cube { words, relations: Vec::new() };
    for variable in 0..shape.variables.len() {
        if !choices.once_in(3) {
            narrow(choices, shape, &mut other, variable);
        }
    }
    assert_some(choices, pool, &mut other, 2);
    other
}

/// A cube, cut into this many pieces.
fn split(
    choices: &mut impl Choices,
    shape: &Shape,
    pool: &[Relation],
    cube: &Cube,
    count: usize,
) -> Vec<Cube> {
    let mut pieces = vec![cube.clone()];
    for _ in 1..count {
        let place = choices.below(pieces.len() as u64) as usize;
        let piece = &mut pieces[place];
        let mut other = piece.clone();
        let has_several =
            |kind: &Kind| matches!(kind, Kind::Finite(_, field) if field.get(&other.words).count_ones() > 1);
        let variables: Vec<usize> =
            (0..shape.variables.len()).filter(|&variable| has_several(&shape.variables[variable])).collect();
        if !variables.is_empty() && (pool.is_empty() || choices.once_in(2)) {
            let variable = choices.pick(&variables);
            let taken = narrow(choices, shape, piece, variable);
            if let Kind::Finite(_, field) = shape.variables[variable] {
                field.set(&mut other.words, taken);
            }
        } else if !pool.is_empty() {
            let relation = literal(choices, pool);
            other.relations.push(relation.negated());
            piece.relations.push(relation);
        }
        pieces.push(other);
    }
    pieces.truncate(count);
    pieces
}

/// Takes away some of what a cube says.
fn widen(choices: &mut impl Choices, shape: &Shape, cube: &mut Cube) {
    for kind in &shape.variables {
        if let Kind::Finite(sort, field) = *kind
            && choices.once_in(8)
        {
            let values = shape.sorts[usize::from(sort.0)].values();
            let added = if choices.once_in(2) { values } else { some_of(choices, values) };
            let before = field.get(&cube.words);
            field.set(&mut cube.words, before | added);
        }
    }
    if !cube.relations.is_empty() && choices.once_in(6) {
        cube.relations.swap_remove(choices.below(cube.relations.len() as u64) as usize);
    }
}

/// Now and then, the pieces are not quite what they should be.
fn damage(choices: &mut impl Choices, shape: &Shape, pool: &[Relation], pieces: &mut Vec<Cube>) {
    if pieces.is_empty() {
        return;
    }
    let place = choices.below(pieces.len() as u64) as usize;
    let variable = choices.below(shape.variables.len() as u64) as usize;
    match choices.below(5) {
        0 => {
            pieces.swap_remove(place);
        }
        1 => {
            narrow(choices, shape, &mut pieces[place], variable);
        }
        2 => assert_some(choices, pool, &mut pieces[place], 2),
        3 => pieces.push(pieces[place].clone()),
        _ => {
            if let Kind::Finite(_, field) = shape.variables[variable] {
                field.set(&mut pieces[place].words, 0);
            }
        }
    }
}
