//! The cubes at which a search begins: the states that a property describes (unsafe formulas of the Cubicle
//! paper, CAV 2012, section 2, which have to be cubes there).

use std::ops::ControlFlow;

use polycube_language::system::Property;
use polycube_smt::shape::Kind;

use super::condition::Conditions;
use super::effort::TooMany;
use super::expansion::{Cases, Drafts};
use super::others::Universal;
use super::preimage::for_each_assignment;
use super::rule::{pointers, sites};
use crate::cube::renaming::canonical;
use crate::cube::vocabulary::{Universe, Vocabulary};
use crate::cube::{Cube, Draft};

/// The states of a property, as cubes in canonical form; none if no state at all can be reached. Where a
/// universal quantifier cannot be said by a cube, they are more.
pub fn property_cubes(vocabulary: &Vocabulary<'_>, property: &Property) -> Result<Vec<Cube>, TooMany> {
    if vocabulary.has_no_states() {
        return Ok(Vec::new());
    }
    let cubes = match vocabulary.universe {
        Universe::Closed(processes) => closed_property_cubes(vocabulary, property, processes)?,
        Universe::Open => open_property_cubes(vocabulary, property)?.cubes,
    };
    let canonical = |cube| match vocabulary.is_interrupted() {
        true => Err(TooMany::Cases),
        false => Ok(canonical(vocabulary, cube).0),
    };
    cubes.into_iter().map(canonical).collect()
}

/// Whether the cubes of a property may have more states than it has.
pub fn is_weakened(vocabulary: &Vocabulary<'_>, property: &Property) -> bool {
    vocabulary.is_open() && open_property_cubes(vocabulary, property).is_ok_and(|found| found.weakened)
}

fn open_property_cubes(vocabulary: &Vocabulary<'_>, property: &Property) -> Result<Found, TooMany> {
    let parameters = u8::try_from(property.parameters.len()).map_err(|_| TooMany::Processes)?;
    let arguments: Vec<u8> = (0..parameters).collect();
    let mut all = Found { cubes: Vec::new(), outside: false, weakened: false };
    for spare in 0..=sites(&property.formula) {
        let named = u8::try_from(usize::from(parameters) + spare).map_err(|_| TooMany::Processes)?;
        if named > vocabulary.max_named {
            return Err(TooMany::Processes);
        }
        let found = property_cubes_at(vocabulary, property, &arguments, named, Spares::Alike)?;
        all.cubes.extend(found.cubes);
        all.weakened |= found.weakened;
        if !found.outside {
            break;
        }
    }
    Ok(all)
}

/// The states of a property in an instance, up to renaming, with the names of its processes as they are.
pub fn closed_property_cubes(
    vocabulary: &Vocabulary<'_>,
    property: &Property,
    processes: u8,
) -> Result<Vec<Cube>, TooMany> {
    // Different processes stand for the parameters: there have to be as many.
    let Some(parameters) = u8::try_from(property.parameters.len()).ok().filter(|count| *count <= processes)
    else {
        return Ok(Vec::new());
    };
    let mut cubes = Vec::new();
    let mut add = |arguments: &[u8]| match property_cubes_at(
        vocabulary,
        property,
        arguments,
        processes,
        Spares::Different,
    ) {
        Ok(found) => {
            cubes.extend(found.cubes);
            ControlFlow::Continue(())
        }
        Err(error) => ControlFlow::Break(error),
    };
    let ended = if vocabulary.pinned == 0 {
        // Any other processes would only be other names.
        add(&(0..parameters).collect::<Vec<u8>>())
    } else {
        for_each_assignment(vocabulary, parameters.into(), processes, &mut add)
    };
    ended.break_value().map_or(Ok(cubes), Err)
}

/// Whether processes that are no arguments may be renamed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spares {
    Alike,
    Different,
}

/// The states of a property.
struct Found {
    cubes: Vec<Cube>,
    /// Whether a case was left out, because it needs one more process.
    outside: bool,
    /// Whether the cubes may have more states.
    weakened: bool,
}

/// The states of a property with these processes in place of its parameters.
fn property_cubes_at(
    vocabulary: &Vocabulary<'_>,
    property: &Property,
    arguments: &[u8],
    named: u8,
    spares: Spares,
) -> Result<Found, TooMany> {
    let mut conditions = Conditions::new(vocabulary, named);
    if spares == Spares::Alike {
        // The arguments are the first processes. Whatever the others are, they can be renamed so that the n-th pointer is
        // an argument, one of the first n others, or not named: any numbering in which those that pointers mean come
        // first, in the order of the pointers, does it. Cubes are what they are up to such renamings.
        for (at, symbol) in pointers(&property.formula).into_iter().enumerate() {
            let cell = conditions.layout.cell(symbol, &[]);
            let later = (arguments.len() + at + 1..usize::from(named)).map(|process| 1 << process);
            if let Kind::Finite(_, field) = conditions.layout.shape.kind(cell) {
                field.restrict(&mut conditions.draft, !later.sum::<u64>());
            }
        }
    }
    conditions.universal = Universal::Kept;
    conditions.bind_all(&property.parameters, arguments);
    let tree = conditions.formula(&property.formula, true);
    if conditions.effort.is_exhausted() {
        return Err(TooMany::Cases);
    }
    let shape = &vocabulary.layout(named).shape;
    let mut draft = Draft::new(conditions.draft.clone(), Vec::new());
    let (mut pending, mut drafts) = (Vec::new(), Drafts::default());
    if !shape.has_empty(&draft.words) && draft.assert(shape, tree, &mut pending) {
        Cases::of(shape, draft, pending, &conditions.effort, &mut |draft| {
            drafts.add(shape, draft, &conditions.effort).map(ControlFlow::Continue)
        })?;
    }
    let cubes = conditions.cubes(drafts, named);
    Ok(Found { cubes, outside: conditions.outside, weakened: conditions.weakened })
}

#[cfg(test)]
mod tests {
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random};

    use super::*;
    use crate::samples::{Sample, small_system};

    /// The cubes of a property have the states that the judge says it has.
    #[test]
    fn cubes_of_random_properties_have_their_states() {
        for_seeds!(6_000, |seed| {
            let mut random = Random::new(seed);
            let system = small_system(&mut random, &Profile { quantified_properties: false, ..Profile::ALL });
            let Some(sample) = Sample::new(&system, &mut random) else { return };
            let mut states = vec![sample.state(&mut random)];
            for _ in 0..10 {
                let next = sample.neighbour(random.pick(&states), &mut random);
                states.push(next);
            }
            for property in &system.properties {
                let Ok(cubes) = property_cubes(&sample.vocabulary, property) else { continue };
                for state in &states {
                    let expected = sample.satisfies(property, state);
                    let found = cubes.iter().any(|cube| sample.is_in(cube, state));
                    assert_eq!(found, expected, "{state:?}\n{cubes:?}\n{}", system.to_source());
                }
            }
        });
    }
}
