//! The cubes at which a search begins: the states that a property describes.

use std::ops::ControlFlow;

use polycube_language::system::Property;

use super::condition::Conditions;
use super::expansion::{Cases, Draft, Drafts};
use super::preimage::TooMany;
use super::rule::sites;
use crate::cube::Cube;
use crate::cube::renaming::canonical;
use crate::cube::vocabulary::Vocabulary;

/// Cubes, and what could not be said by them.
pub struct Roots {
    /// The cubes.
    pub cubes: Vec<Cube>,
    /// Whether a case was left out, because it needs one more process.
    pub outside: bool,
}

/// The states of a property, as cubes in canonical form. In an open universe the property has no universal
/// quantifier.
pub fn property_cubes(vocabulary: &Vocabulary<'_>, property: &Property) -> Result<Vec<Cube>, TooMany> {
    let parameters = property.parameters.len();
    let mut cubes = Vec::new();
    if !vocabulary.is_open() {
        let crate::cube::Universe::Closed(processes) = vocabulary.universe else { return Ok(cubes) };
        let mut result = Ok(());
        super::preimage::for_each_assignment(vocabulary, parameters, processes, &mut |arguments| {
            match property_cubes_at(vocabulary, property, arguments, processes) {
                Ok(roots) => cubes.extend(roots.cubes),
                Err(error) => result = Err(error),
            }
        });
        result?;
    } else {
        let arguments: Vec<u8> = (0..parameters as u8).collect();
        for named in parameters..=parameters + sites(&property.formula) {
            if named > usize::from(vocabulary.max_named) {
                return Err(TooMany::Processes);
            }
            let roots = property_cubes_at(vocabulary, property, &arguments, named as u8)?;
            cubes.extend(roots.cubes);
            if !roots.outside {
                break;
            }
        }
    }
    Ok(cubes.into_iter().map(|cube| canonical(vocabulary, cube).0).collect())
}

/// The states of a property with these processes in place of its parameters.
pub fn property_cubes_at(
    vocabulary: &Vocabulary<'_>,
    property: &Property,
    arguments: &[u8],
    named: u8,
) -> Result<Roots, TooMany> {
    let mut conditions = Conditions::new(vocabulary, named);
    for (parameter, &argument) in property.parameters.iter().zip(arguments) {
        conditions.bind(parameter.id, argument);
    }
    let tree = conditions.formula(&property.formula, true);
    let shape = &vocabulary.layout(named).shape;
    let mut draft = Draft { words: conditions.draft.clone(), relations: Vec::new() };
    let (mut pending, mut drafts, mut result) = (Vec::new(), Drafts::default(), Ok(()));
    if !shape.has_empty(&draft.words) && draft.assert(shape, tree, &mut pending) {
        Cases::of(shape, draft, pending, &mut |draft| {
            result = drafts.add(shape, draft);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
    }
    result?;
    Ok(Roots { cubes: drafts.into_cubes(named, named), outside: conditions.outside })
}
