//! Random cubes and states for the unit tests of this crate, and the judge's opinion about them.

use std::sync::Arc;

use polycube_certificate::{Cell, Instance, Orders, State, Value, cells, enabled, successors, violates};
use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::span::Origin;
use polycube_language::system::{self, EnumerationId, Processes, Property, PropertyKind, SymbolId, Type};
use polycube_smt::rational::Rational;
use polycube_smt::relation::{
    Comparison, Linear, Normalized, NumberKind, Ordered, Relation, SortId, Term, Variable,
};
use polycube_smt::shape::Kind;
use polycube_testing::generate::{Profile, Random, random_system};

use crate::cube::limits::universe_of;
use crate::cube::others::Others;
use crate::cube::renaming::canonical;
use crate::cube::store::{NodeId, Store, TargetId};
use crate::cube::vocabulary::{OTHER, Vocabulary, sort_of};
use crate::cube::{Cube, show};

/// A small random system: everything that the profile allows, of each a little.
pub fn small_system(random: &mut Random, profile: &Profile) -> System {
    let places = random.percent(50);
    let small = Profile {
        max_dimensions: 2,
        max_symbols: 4,
        max_transitions: 3,
        max_depth: 2,
        places,
        ..profile.clone()
    };
    random_system(random.number(), &small)
}

/// An instance of a system, with the vocabulary of its cubes.
pub struct Sample<'s> {
    pub vocabulary: Vocabulary<'s>,
    pub instance: Instance<'s>,
}

impl<'s> Sample<'s> {
    /// With a few processes, and orders of any kind. None if a symbol has no value: there are no states.
    pub fn new(system: &'s System, random: &mut Random) -> Option<Sample<'s>> {
        let processes = match system.processes {
            Processes::Exactly(count) => count,
            Processes::Any => random.between(1, 3) as u32,
        };
        let mut orders = Orders::default();
        if random.percent(50) {
            orders.processes = Some(shuffled(1..=processes, random));
            for (id, enumeration) in system.enumerations.iter().enumerate() {
                let order = shuffled(0..=enumeration.constructors.len() as u32 - 1, random);
                orders.enumerations.insert(EnumerationId(id as u32), order);
            }
        }
        Sample::with(system, processes, orders)
    }

    pub fn with(system: &'s System, processes: u32, orders: Orders) -> Option<Sample<'s>> {
        let universe = universe_of(system).expect("few processes");
        let vocabulary = Vocabulary::new(system, universe).expect("a small system");
        let instance = Instance::new(system, processes, orders).expect("a small instance");
        (!vocabulary.has_no_states()).then_some(Sample { vocabulary, instance })
    }

    /// The values that `?` gives here: all of a finite type.
    pub fn choices(&self, ty: Type) -> Vec<Value> {
        match ty {
            Type::Process => (1..=self.instance.processes()).map(Value::Process).collect(),
            Type::Enumeration(id) => {
                let count = self.vocabulary.system.enumeration(id).constructors.len() as u32;
                (0..count).map(|value| Value::Constructor(id, value)).collect()
            }
            Type::Integer | Type::Real => {
                (-1..=2).map(|number| Value::Number(Number::from(number))).collect()
            }
            Type::Abstract(id) => (1..=3).map(|value| Value::Abstract(id, value)).collect(),
        }
    }

    /// Any state with values that the symbols can hold.
    pub fn state(&self, random: &mut Random) -> State {
        let processes = self.instance.processes();
        State::new(self.vocabulary.system, processes, |cell| self.value(cell.symbol, random))
    }

    fn value(&self, symbol: SymbolId, random: &mut Random) -> Value {
        let mut values = self.choices(self.vocabulary.system.symbol(symbol).ty);
        if let Some(possible) = self.vocabulary.values(symbol) {
            values
                .retain(|value| matches!(value, Value::Constructor(_, value) if possible >> value & 1 == 1));
        }
        random.pick(&values).clone()
    }

    /// A state that differs from another in one cell at most.
    pub fn neighbour(&self, state: &State, random: &mut Random) -> State {
        let all: Vec<Cell> = cells(self.vocabulary.system, self.instance.processes()).collect();
        let mut other = state.clone();
        if !all.is_empty() {
            let cell = random.pick(&all).clone();
            let value = self.value(cell.symbol, random);
            other.set(cell, value);
        }
        other
    }

    /// The states to which a transition leads.
    pub fn successors(&self, transition: usize, state: &State) -> Vec<State> {
        let transition = &self.vocabulary.system.transitions[transition];
        enabled(&self.instance, transition, state)
            .iter()
            .flat_map(|arguments| {
                successors(&self.instance, transition, arguments, state, &|ty| self.choices(ty))
            })
            .collect()
    }

    /// The states to which any transition leads.
    pub fn all_successors(&self, state: &State) -> Vec<State> {
        let transitions = 0..self.vocabulary.system.transitions.len();
        transitions.flat_map(|transition| self.successors(transition, state)).collect()
    }

    /// Whether the steps from each state are few enough to list: `?` is not for all cells of large arrays.
    pub fn has_few_steps(&self) -> bool {
        let system = self.vocabulary.system;
        let chooses = |update: &system::Update| update.values().any(|value| *value == system::Value::Any);
        system.updates().all(|update| !chooses(update) || system.symbol(update.symbol).dimensions() < 2)
    }

    /// Whether `?` has finitely many values wherever a transition uses it, so that [`Sample::successors`] are
    /// all.
    pub fn has_all_choices(&self, transition: usize) -> bool {
        let system = self.vocabulary.system;
        system.transitions[transition].updates.iter().all(|update| {
            let ty = system.symbol(update.symbol).ty;
            !update.values().any(|value| *value == system::Value::Any)
                || matches!(ty, Type::Process | Type::Enumeration(_))
        })
    }

    /// Cubes that contain neighbours of a state, as they are visited: those of nodes 0, 1, ..., in canonical form.
    pub fn visited_around(&self, state: &State, random: &mut Random) -> (Store<'_, 's>, Vec<Arc<Cube>>) {
        let (mut visited, mut cubes) = (Store::new(&self.vocabulary), Vec::new());
        for number in 0..15 {
            let around = self.neighbour(state, random);
            let cube = Arc::new(canonical(&self.vocabulary, self.cube_around(&around, random)).0);
            visited.insert(NodeId(number), TargetId(0), Arc::clone(&cube));
            cubes.push(cube);
        }
        (visited, cubes)
    }

    /// A cube that contains a state: what it says of some cells, and relations that hold in it; in some, also
    /// what it says of all others.
    pub fn cube_around(&self, state: &State, random: &mut Random) -> Cube {
        let processes = self.instance.processes();
        if !self.vocabulary.is_open() {
            return self.conjunction_around(state, &(1..=processes).collect::<Vec<_>>(), random);
        }
        let mut chosen = shuffled(1..=processes, random);
        let rest = chosen.split_off(random.below(processes as usize + 1));
        let mut cube = self.conjunction_around(state, &chosen, random);
        let most = (processes as u8).min(cube.named + 1);
        cube.at_least = random.between(cube.named.into(), most.into()) as u8;
        if random.percent(40) {
            let situations = rest.into_iter().map(|other| {
                let around: Vec<u32> = chosen.iter().copied().chain([other]).collect();
                self.conjunction_around(state, &around, random)
            });
            let situations = situations.collect();
            cube.others = Others::of(&self.vocabulary, &cube, situations).if_useful(&self.vocabulary);
        }
        cube
    }

    /// What a cube over these processes may say that contains a state.
    fn conjunction_around(&self, state: &State, chosen: &[u32], random: &mut Random) -> Cube {
        let named = chosen.len() as u8;
        let mut draft = Cube::full(&self.vocabulary, named).over(&self.vocabulary, named);
        let layout = self.vocabulary.layout(named);
        let value = |cell: Variable| {
            let symbol = layout.symbol(cell);
            let indices = layout.indices(cell).iter().map(|&index| chosen[usize::from(index)]).collect();
            state.get(&Cell { symbol, indices }).expect("a cell of the state").clone()
        };
        for (at, kind) in layout.shape.variables.iter().enumerate() {
            let Kind::Finite(_, field) = kind else { continue };
            if random.percent(40) {
                let bit = match value(Variable(at as u16)) {
                    Value::Process(process) => {
                        let place = chosen.iter().position(|&other| other == process);
                        place.unwrap_or(usize::from(OTHER)) as u32
                    }
                    Value::Constructor(_, value) => value,
                    other => panic!("{other:?} has no field"),
                };
                let others = random.number() & random.number() & field.get(&layout.full);
                field.set(&mut draft.words, 1 << bit | others);
            }
        }
        for _ in 0..random.below(3) {
            let first = Variable(random.below(layout.cells().max(1)) as u16);
            if usize::from(first.0) < layout.cells() {
                draft.relations.extend(self.relation(first, named, &value, random));
            }
        }
        assert!(draft.propagate(&layout.shape), "it contains a state");
        draft.into_cube(named, named)
    }

    /// A relation between a cell and another one that holds for these values.
    fn relation(
        &self,
        first: Variable,
        named: u8,
        value: &dyn Fn(Variable) -> Value,
        random: &mut Random,
    ) -> Option<Relation> {
        let layout = self.vocabulary.layout(named);
        let ty = |cell: Variable| self.vocabulary.system.symbol(layout.symbol(cell)).ty;
        let same = (0..layout.cells() as u16).map(Variable).filter(|&cell| ty(cell) == ty(first));
        let second = *random.pick(&same.collect::<Vec<_>>());
        let (left, right) = (value(first), value(second));
        let relation: Relation = if let (Value::Number(left), Value::Number(right)) = (&left, &right) {
            let kind = if ty(first) == Type::Integer { NumberKind::Integer } else { NumberKind::Real };
            let whole = |number: &Number| (-9..=9).find(|&whole| Number::from(whole) == *number);
            let (left, right) = (whole(left)?, whole(right)?);
            let (comparison, slack) = *random.pick(&[
                (Comparison::Equal, 0),
                (Comparison::LessEqual, 0),
                (Comparison::LessEqual, 1),
                (Comparison::Less, 1),
                (Comparison::NotEqual, 1),
            ]);
            let (terms, sum) = if first == second {
                (vec![(first, Rational::ONE)], left)
            } else {
                (vec![(first, Rational::ONE), (second, Rational::from(-1))], left - right)
            };
            Linear::new(kind, terms, Rational::from(-sum - slack), comparison).into()
        } else {
            let (left, right, less) = match self.instance.is_less(&right, &left) {
                true => (second, first, true),
                false => (first, second, self.instance.is_less(&left, &right)),
            };
            let comparison = match (less, random.below(3)) {
                (false, 0) | (true, 1) => Comparison::LessEqual,
                (false, _) => Comparison::Equal,
                (true, 0) => Comparison::Less,
                (true, _) => Comparison::NotEqual,
            };
            let sort: SortId = sort_of(self.vocabulary.system, ty(first));
            Ordered { sort, left: Term::Variable(left), comparison, right: Term::Variable(right) }.into()
        };
        match relation.normalized() {
            Normalized::Relation(relation) => Some(relation),
            Normalized::True => None,
            Normalized::False => panic!("it holds"),
        }
    }

    /// Whether a state is one of a cube, or of what renamings make of it: what the judge says of its formula.
    pub fn is_in(&self, cube: &Cube, state: &State) -> bool {
        let show::CubeFormula { parameters, formula } = show::orbit(&self.vocabulary, cube);
        self.satisfies(
            &Property { kind: PropertyKind::Unsafe, parameters, formula, origin: Origin::default() },
            state,
        )
    }

    /// Whether a state has a property, as the judge sees it.
    pub fn satisfies(&self, property: &Property, state: &State) -> bool {
        violates(&self.instance, property, state).is_some()
    }
}

fn shuffled(values: std::ops::RangeInclusive<u32>, random: &mut Random) -> Vec<u32> {
    let mut values: Vec<u32> = values.collect();
    for last in (1..values.len()).rev() {
        values.swap(last, random.below(last + 1));
    }
    values
}
