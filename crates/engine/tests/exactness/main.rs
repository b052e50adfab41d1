//! The explorer against a naive search: the same states, steps, violations and deadlocks on random systems,
//! with and without symmetry, with one thread and with several.

mod naive;
mod orbit;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use orbit::Renamings;
use polycube_certificate::{self as certificate, Orders, State, is_initial};
use polycube_engine::compile::domain::Bounds;
use polycube_engine::forward::{
    Deadlocks, End, Exploration, Goal, Limits, Options, Reduction, explore, explore_states, orders_of, state,
};
use polycube_language::System;
use polycube_language::system::Processes;
use polycube_testing::generate::{Profile, Random, random_system};
use polycube_testing::{for_seeds, within};

/// How many systems are tried.
const SYSTEMS: u64 = 1_000;

/// Larger explorations are cut off at a depth.
const MOST_STATES: u64 = 250;

/// Systems with more choices of orders are not tried: each choice is an exploration of its own.
const MOST_ORDERS: usize = 24;

/// How many assignments are tried to find the initial states.
const MOST_ASSIGNMENTS: usize = 1500;

#[test]
fn random_systems_are_explored_exactly() {
    let totals = Totals::default();
    let Some(tried) = for_seeds!(SYSTEMS, |seed| compare(seed, &totals)) else { return };
    // The test would mean little if most systems were trivial.
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    assert!(count(&totals.explored) > tried * 8 / 10, "{totals:?}");
    assert!(count(&totals.states) > tried * 12, "{totals:?}");
    assert!(count(&totals.reduced) > tried / 10, "{totals:?}");
    assert!(count(&totals.violated) > tried / 12, "{totals:?}");
    assert!(count(&totals.deadlocked) > tried / 30, "{totals:?}");
    assert!(count(&totals.complete) > tried / 5, "{totals:?}");
    assert!(count(&totals.initial_checked) > tried / 5, "{totals:?}");
}

#[derive(Debug, Default)]
struct Totals {
    explored: AtomicU64,
    states: AtomicU64,
    reduced: AtomicU64,
    violated: AtomicU64,
    deadlocked: AtomicU64,
    complete: AtomicU64,
    initial_checked: AtomicU64,
}

fn compare(seed: u64, totals: &Totals) {
    let mut random = Random::new(seed ^ 0x5EED);
    let profile = if seed.is_multiple_of(2) { Profile::ALL } else { Profile::FINITE };
    let system = random_system(seed, &profile);
    let processes = match system.processes {
        Processes::Exactly(count) => count,
        Processes::Any => random.between(1, 4) as u32,
    };
    let mut options = Options::new(processes);
    options.goal = Goal::Everything;
    options.deadlocks = if random.one_in(2) { Deadlocks::NoStep } else { Deadlocks::NoChange };
    options.bounds = Bounds {
        numbers: random.below(2) as i64 - 1..=random.below(2) as i64,
        values: random.between(1, 3) as u32,
    };
    let depth = loop {
        match affordable_depth(&system, &options) {
            Some(depth) => break depth,
            // Too many initial states: fewer processes have fewer.
            None if options.processes > 1 && system.processes == Processes::Any => options.processes -= 1,
            None => return,
        }
    };
    let processes = options.processes;
    options.limits = Limits { depth: Some(depth), ..Limits::default() };
    let add = |counter: &AtomicU64, number: u64| counter.fetch_add(number, Ordering::Relaxed);
    add(&totals.explored, 1);

    let plain = run(&system, &Options { reduction: Reduction::None, ..options.clone() });
    let reduced = run(&system, &options);
    for (one, options) in [(&plain, Reduction::None), (&reduced, Reduction::Symmetry)]
        .map(|(one, reduction)| (one, Options { reduction, threads: 4, ..options.clone() }))
    {
        let several = run(&system, &options);
        assert_eq!(several.exploration, one.exploration, "seed {seed}: several threads");
        assert_eq!(several.states, one.states, "seed {seed}: several threads");
    }

    let mut all = Summary::default();
    let mut classes = Summary::default();
    let orders = orbit::all_orders(&system, processes);
    assert_eq!(plain.exploration.orders, orders.len(), "seed {seed}: choices of orders");
    for orders in &orders {
        let (states, representatives) = (plain.states_for(orders), reduced.states_for(orders));
        let instance = certificate::Instance::new(&system, processes, orders.clone()).expect("an instance");
        let options = Options { reduction: Reduction::None, ..options.clone() };
        let initial = initial_of(&system, &options, orders);
        for state in &initial {
            is_initial(&instance, state).unwrap_or_else(|error| panic!("seed {seed}: not initial: {error}"));
        }
        if let Some(expected) = naive::initial_states(&instance, &options.bounds, MOST_ASSIGNMENTS) {
            add(&totals.initial_checked, 1);
            assert!(expected.is_subset(&initial), "seed {seed}: an initial state is missing");
            if system.symbols.iter().all(|symbol| !symbol.ty.is_numeric()) {
                assert_eq!(expected, initial, "seed {seed}: initial states");
            }
        }
        let reached = naive::search(&instance, initial, &options.bounds, depth);
        let expected: BTreeSet<State> = reached.states().cloned().collect();
        assert_eq!(states, expected, "seed {seed}: states");

        let renamings = Renamings::of(&system, processes, options.bounds.values);
        let expected_classes: BTreeSet<State> = expected.iter().map(|state| renamings.least(state)).collect();
        let found_classes: BTreeSet<State> =
            representatives.iter().map(|state| renamings.least(state)).collect();
        assert_eq!(found_classes, expected_classes, "seed {seed}: classes of states");
        assert_eq!(
            representatives.len(),
            found_classes.len(),
            "seed {seed}: one representative for each class"
        );
        assert!(representatives.is_subset(&expected), "seed {seed}: representatives are reachable");

        all.add(&reached, options.deadlocks, |_| true);
        classes.add(&reached, options.deadlocks, |state| representatives.contains(state));
    }
    all.compare(&plain.exploration, &system, seed);
    classes.compare(&reduced.exploration, &system, seed);

    add(&totals.states, plain.exploration.states);
    add(&totals.reduced, u64::from(reduced.exploration.states < plain.exploration.states));
    add(&totals.violated, u64::from(!plain.exploration.violations.is_empty()));
    add(&totals.deadlocked, u64::from(plain.exploration.deadlocks > 0));
    add(&totals.complete, u64::from(plain.exploration.end == End::Complete));
}

/// What an exploration should say.
#[derive(Default)]
struct Summary {
    states: u64,
    transitions: u64,
    deadlocks: u64,
    depth: usize,
    violations: Vec<(usize, usize)>,
    first_deadlock: Option<usize>,
    fired: BTreeSet<usize>,
}

impl Summary {
    fn add(&mut self, reached: &naive::Reached, deadlocks: Deadlocks, counts: impl Fn(&State) -> bool) {
        self.states += reached.states().filter(|state| counts(state)).count() as u64;
        for (state, steps) in reached.steps.iter().filter(|(state, _)| counts(state)) {
            self.transitions += steps.all;
            let ways_out = if deadlocks == Deadlocks::NoStep { steps.all } else { steps.away };
            if ways_out == 0 {
                self.deadlocks += 1;
                let depth = reached.layers.iter().position(|layer| layer.contains(state));
                self.first_deadlock = [self.first_deadlock, depth].into_iter().flatten().min();
            }
        }
        self.depth = self.depth.max(reached.layers.len().saturating_sub(1));
        for &(property, depth) in &reached.violations {
            match self.violations.iter_mut().find(|(known, _)| *known == property) {
                Some((_, known)) => *known = depth.min(*known),
                None => self.violations.push((property, depth)),
            }
        }
        self.violations.sort_unstable();
        self.fired.extend(&reached.fired);
    }

    fn compare(&self, exploration: &Exploration, system: &System, seed: u64) {
        assert_eq!(exploration.states, self.states, "seed {seed}: number of states");
        assert_eq!(exploration.transitions, self.transitions, "seed {seed}: number of steps");
        assert_eq!(exploration.deadlocks, self.deadlocks, "seed {seed}: number of deadlocks");
        assert_eq!(exploration.depth, self.depth, "seed {seed}: depth");
        let violations: Vec<(usize, usize)> = exploration
            .violations
            .iter()
            .map(|violation| (violation.property, violation.trace.steps.len()))
            .collect();
        assert_eq!(violations, self.violations, "seed {seed}: violations, with the lengths of shortest runs");
        let deadlock = exploration.deadlock.as_ref().map(|trace| trace.steps.len());
        assert_eq!(deadlock, self.first_deadlock, "seed {seed}: a shortest run to a deadlock");
        let never: Vec<usize> =
            (0..system.transitions.len()).filter(|transition| !self.fired.contains(transition)).collect();
        assert_eq!(exploration.never_fired, never, "seed {seed}: transitions that are never possible");
    }
}

/// An exploration with its states, for each choice of orders.
struct Explored {
    exploration: Exploration,
    states: Vec<(Orders, BTreeSet<State>)>,
}

impl Explored {
    fn states_for(&self, orders: &Orders) -> BTreeSet<State> {
        let found = self.states.iter().find(|(other, _)| other == orders);
        found.map(|(_, states)| states.clone()).unwrap_or_default()
    }
}

fn run(system: &System, options: &Options) -> Explored {
    let mut states: Vec<(Orders, BTreeSet<State>)> = Vec::new();
    let exploration = explore_states(system, options, &mut (), &mut |instance, packed| {
        let orders = orders_of(instance);
        if states.last().is_none_or(|(last, _)| *last != orders) {
            states.push((orders, BTreeSet::new()));
        }
        let new = states.last_mut().expect("one was pushed").1.insert(state(instance, packed));
        assert!(new, "a state is stored once");
    })
    .expect("small instances can be compiled");
    Explored { exploration, states }
}

/// The initial states for one choice of orders.
fn initial_of(system: &System, options: &Options, orders: &Orders) -> BTreeSet<State> {
    let options = Options { limits: Limits { depth: Some(0), ..Limits::default() }, ..options.clone() };
    let initial = run(system, &options);
    initial
        .states
        .into_iter()
        .find(|(other, _)| other == orders)
        .map(|(_, states)| states)
        .unwrap_or_default()
}

/// How deep to go so that a naive search is possible; none if even the initial states, or the orders, are too
/// many.
fn affordable_depth(system: &System, options: &Options) -> Option<usize> {
    if orbit::all_orders(system, options.processes).len() > MOST_ORDERS {
        return None;
    }
    let interrupt = Arc::default();
    let mut options =
        Options { reduction: Reduction::None, interrupt: Arc::clone(&interrupt), ..options.clone() };
    options.limits.states = Some(MOST_STATES * 8);
    let mut depth = None;
    for limit in 0..12 {
        options.limits.depth = Some(limit);
        // Some have hardly any initial states, and these take long to find.
        let explored = within(Duration::from_secs(1), &interrupt, || explore(system, &options, &mut ()));
        let exploration = explored.ok()?;
        if exploration.end == End::Complete && exploration.states <= MOST_STATES {
            return Some(usize::MAX);
        }
        if !matches!(exploration.end, End::Depth) || exploration.states > MOST_STATES {
            break;
        }
        depth = Some(limit);
    }
    depth
}
