//! Questions with many choices that have nothing to do with each other.

use polycube_smt::cover::{Cover, Covered};
use polycube_smt::relation::{Sort, SortId, Variable};
use polycube_smt::shape::{Field, Kind, Shape};

use crate::sequence::ask;

const BOOLEANS_PER_WORD: usize = 21;

/// So many variables with two values.
fn booleans(count: usize) -> Shape {
    let words = count.div_ceil(BOOLEANS_PER_WORD);
    let mut shape = Shape {
        bits: vec![0; words],
        guards: vec![0; words],
        variables: Vec::new(),
        sorts: vec![Sort { points: 2, other: None }],
    };
    for index in 0..count {
        let word = index / BOOLEANS_PER_WORD;
        let field = Field { word: word as u32, shift: (index % BOOLEANS_PER_WORD * 3) as u8, width: 2 };
        shape.bits[word] |= field.bits();
        shape.guards[word] |= field.guard();
        shape.variables.push(Kind::Finite(SortId(0), field));
    }
    shape
}

/// Excludes the states in which variables have these values.
fn exclude(cover: &mut Cover<'_>, shape: &Shape, values: &[(usize, u8)]) -> usize {
    let mut words = shape.bits.clone();
    for &(variable, value) in values {
        let field = shape.field(Variable(variable as u16)).expect("a variable with two values");
        field.set(&mut words, 1 << value);
    }
    cover.exclude(&words, &[])
}

/// The variables 2i and 2i + 1 are different: this many choices.
fn exclude_equal_pairs(cover: &mut Cover<'_>, shape: &Shape, pairs: usize) {
    for pair in 0..pairs {
        for value in [0, 1] {
            exclude(cover, shape, &[(2 * pair, value), (2 * pair + 1, value)]);
        }
    }
}

/// All values of three variables are excluded. Their clauses are longer than those of the pairs, so that the
/// contradiction is found behind all other choices.
#[test]
fn choices_that_do_not_matter_are_jumped_over() {
    let pairs = 100;
    let shape = booleans(2 * pairs + 3);
    let mut cover = Cover::new(&shape, &shape.bits, &[]);
    exclude_equal_pairs(&mut cover, &shape, pairs);
    assert_eq!(ask(&mut cover, 1_000), Covered::No);
    let core: Vec<usize> = (0..8)
        .map(|values: u8| {
            let value = |bit: usize| (2 * pairs + bit, values >> bit & 1);
            exclude(&mut cover, &shape, &[value(0), value(1), value(2)])
        })
        .collect();
    assert_eq!(ask(&mut cover, 1_000), Covered::Yes(core));
}

#[test]
fn too_many_choices_are_given_up() {
    let pairs = 200;
    let shape = booleans(2 * pairs);
    let mut cover = Cover::new(&shape, &shape.bits, &[]);
    exclude_equal_pairs(&mut cover, &shape, 120);
    assert_eq!(ask(&mut cover, 1_000), Covered::No);
    exclude_equal_pairs(&mut cover, &shape, pairs);
    assert_eq!(ask(&mut cover, 1_000_000), Covered::GaveUp);
    let last = [exclude(&mut cover, &shape, &[(0, 0)]), exclude(&mut cover, &shape, &[(0, 1)])];
    assert_eq!(ask(&mut cover, 1_000_000), Covered::Yes(last.to_vec()));
}
