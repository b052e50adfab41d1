//! Whole searches on small systems, with oracles that say anything: what they keep is an invariant, and
//! nothing rests on what was taken back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use polycube_certificate::State;
use polycube_language::System;
use polycube_language::span::Origin;
use polycube_language::system::{Property, PropertyKind};
use polycube_testing::generate::{Profile, Random, random_system};
use polycube_testing::lies::lie;
use polycube_testing::{for_seeds, within};

use super::*;
use crate::forward;
use crate::oracle::{Atom, Fixed, Guide, Oracle};
use crate::samples::{Sample, small_system};

/// Says anything; the same whenever it is asked the same.
#[derive(Debug)]
struct Liar(u64);

impl Oracle for Liar {
    fn processes(&self) -> u32 {
        3
    }

    fn knows_all(&self) -> bool {
        self.0.is_multiple_of(2)
    }

    fn rejects(&self, atoms: &[Atom], chosen: u64, _: &mut u64) -> Option<u64> {
        lie(self.0, self.0 % 3 * 30, atoms.len(), chosen)
    }
}

/// What is found with guesses that are often wrong.
fn search(system: &System, random: &mut Random) -> Option<Verification> {
    let limits = Limits { nodes: Some(60), ..Limits::default() };
    let options = Options { limits, graph: true, ..Options::default() };
    let liar = Liar(random.number());
    let guide: Box<dyn Guide + '_> = Box::new(Fixed(&liar));
    let interrupt = Arc::clone(&options.interrupt);
    within(Duration::from_millis(500), &interrupt, || {
        verify_with(system, &options, Some(guide), &[], &mut ()).ok()
    })
}

/// The invariant, as the judge sees it: it has the states of all properties, no initial one, and no step
/// leads into it from outside.
#[test]
fn invariants_of_random_systems_are_inductive() {
    let inductive = AtomicU64::new(0);
    let tried = for_seeds!(3_000, |seed| {
        let mut random = Random::new(seed);
        let profile = Profile { quantified_properties: false, ..Profile::ALL };
        let system = small_system(&mut random, &[profile, Profile::CUBES][seed as usize % 2]);
        let found = search(&system, &mut random).filter(|found| *found.verdict() == Answer::Safe);
        let Some(found) = found else { return };
        let Some(sample) = Sample::new(&system, &mut random) else { return };
        if !sample.has_few_steps() {
            return;
        }
        let cubes: Vec<Property> = found.invariant.iter().map(property).collect();
        let is_in = |state: &State| cubes.iter().any(|cube| sample.satisfies(cube, state));
        let mut states = vec![sample.state(&mut random)];
        for _ in 0..15 {
            let next = sample.neighbour(random.pick(&states), &mut random);
            states.push(next);
        }
        for state in &states {
            let is_bad = system.properties.iter().any(|property| sample.satisfies(property, state));
            assert!(!is_bad || is_in(state), "{state:?}\n{}", system.to_source());
            if !is_in(state) {
                let step = sample.all_successors(state).into_iter().find(|after| is_in(after));
                assert!(step.is_none(), "from {state:?} to {step:?}\n{}", system.to_source());
            }
        }
        let processes = sample.instance.processes();
        let limits = forward::Limits { depth: Some(0), states: Some(50), ..forward::Limits::default() };
        let options = forward::Options { limits, ..forward::Options::new(processes) };
        let _ = forward::explore_states(&system, &options, &mut (), &mut |instance, packed| {
            let (orders, state) = (forward::orders_of(instance), forward::state(instance, packed));
            if let Some(sample) = Sample::with(&system, processes, orders) {
                let is_in = cubes.iter().any(|cube| sample.satisfies(cube, &state));
                assert!(!is_in, "{state:?} is initial\n{}", system.to_source());
            }
        });
        inductive.fetch_add(1, Ordering::Relaxed);
    });
    let inductive = inductive.into_inner();
    assert!(tried.is_none_or(|tried| inductive > tried / 10), "only {inductive} are safe");
}

fn property(cube: &CubeFormula) -> Property {
    let CubeFormula { parameters, formula } = cube.clone();
    Property { kind: PropertyKind::Unsafe, parameters, formula, origin: Origin::default() }
}

/// What is not needed because of other nodes is not needed because of nodes that still stand. So what rested
/// on a guess that was refuted has come back.
#[test]
fn nothing_in_random_searches_rests_on_what_was_refuted() {
    let refuted = AtomicU64::new(0);
    let tried = for_seeds!(1_000, |seed| {
        let mut random = Random::new(seed);
        let system = random_system(seed, &Profile { places: true, ..Profile::CUBES });
        let Some(found) = search(&system, &mut random) else { return };
        // What comes from a violated property is of no interest any more.
        if matches!(found.verdict(), Answer::Unsafe(_)) {
            return;
        }
        let nodes = found.graph.expect("it was asked for").nodes;
        refuted.fetch_add(found.statistics.refuted, Ordering::Relaxed);
        let root = |mut at: usize| {
            while let Some((parent, ..)) = &nodes[at].parent {
                at = *parent;
            }
            at
        };
        let has_fallen =
            |at: usize| matches!(nodes[root(at)].state, GraphState::Refuted | GraphState::Dropped);
        for (at, node) in nodes.iter().enumerate().filter(|(at, _)| !has_fallen(*at)) {
            let rests_on = match &node.state {
                GraphState::Covered(others) => others.clone(),
                GraphState::Deleted(other) | GraphState::Approximated(other) => vec![*other],
                _ => Vec::new(),
            };
            let fallen = rests_on.iter().find(|&&other| has_fallen(other));
            assert!(fallen.is_none(), "node {at} rests on {fallen:?}\n{}", system.to_source());
        }
    });
    let refuted = refuted.into_inner();
    assert!(tried.is_none_or(|tried| refuted > tried / 50), "only {refuted} were refuted");
}
