//! Packed words against their fields, one at a time.

use polycube_smt::shape::{Field, Kind, field_below, is_subset, nonempty};
use polycube_testing::for_seeds;

use crate::question::{Family, Question};
use crate::random::SplitMix64;

#[test]
fn random_words_say_what_their_fields_say() {
    for_seeds!(5_000, |seed| {
        let mut random = SplitMix64(seed);
        let Question { shape, cube, excluded } = Question::random(&mut random, Family::Values, 8);
        let fields: Vec<Field> = shape
            .variables
            .iter()
            .filter_map(|kind| if let Kind::Finite(_, field) = kind { Some(*field) } else { None })
            .collect();
        for field in &fields {
            let word = field.word as usize;
            let (bits, guards) = (shape.bits[word], shape.guards[word]);
            assert_eq!(field_below(field.guard(), bits, guards), field.bits());
        }
        for other in &excluded {
            let is_empty = |field: &Field| field.get(&other.words) == 0;
            assert_eq!(shape.has_empty(&other.words), fields.iter().any(is_empty));
            for field in &fields {
                let word = field.word as usize;
                let found = nonempty(other.words[word], shape.bits[word], shape.guards[word]);
                assert_eq!(found & field.guard() == 0, is_empty(field));
            }
            let is_apart = |field: &Field| field.get(&cube.words) & field.get(&other.words) == 0;
            let are_apart = fields.iter().any(is_apart);
            assert_eq!(shape.are_disjoint(&cube.words, &other.words), are_apart);
            let is_part = |field: &Field| field.get(&cube.words) & !field.get(&other.words) == 0;
            assert_eq!(is_subset(&cube.words, &other.words), fields.iter().all(is_part));
        }
        let changed = random.pick(&fields);
        let mut words = cube.words.clone();
        let values = random.next() & (changed.bits() >> changed.shift);
        let expected = changed.get(&words) & values;
        assert_eq!(changed.restrict(&mut words, values), expected != 0);
        for field in &fields {
            let before = if *field == changed { expected } else { field.get(&cube.words) };
            assert_eq!(field.get(&words), before);
        }
    });
}
