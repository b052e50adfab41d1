//! A counterexample to an obligation, as the judge has confirmed it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use polycube_certificate::clauses::{first_distinct, is_initial, violates};
use polycube_certificate::fit::fits;
use polycube_certificate::instance::{Instance, Orders};
use polycube_certificate::interpreter::{Assignment, holds};
use polycube_certificate::invariant::{Clause, Invariant, Obligation};
use polycube_certificate::state::{Cell, State, cells};
use polycube_certificate::step::{NewValue, check_step, new_value};
use polycube_certificate::value::Value;
use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::{AbstractTypeId, SymbolId, Transition, Type};

use crate::meaning::Meaning;
use crate::model::Model;
use crate::universe::{CellId, PlaceId, id};

/// A state of an instance, and perhaps a step from it, for which an obligation does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    pub processes: u32,
    /// What `<` means.
    pub orders: Orders,
    pub state: State,
    /// The step from it: the processes in place of the parameters of the transition, and the state after it.
    pub step: Option<(Vec<u32>, State)>,
}

/// Makes a counterexample of a model, if the judge agrees that it is one. `arguments` are the places of the
/// parameters of the transition.
pub(crate) fn confirm(
    invariant: &Invariant,
    obligation: Obligation,
    meaning: &Meaning<'_>,
    model: &Model,
    arguments: &[PlaceId],
) -> Option<Counterexample> {
    let system = meaning.system;
    let world = World::new(meaning, model)?;
    let orders = world.orders();
    let instance = Instance::new(system, world.processes(), orders.clone()).ok()?;
    let state = world.state()?;
    // A number that is kept beside what it counts may be wrong.
    fits(&instance, &state).ok()?;
    let (is_one, step) = match obligation {
        Obligation::Initially { clause } => {
            let is_violated = is_violated(&instance, &invariant.clauses[clause], &state);
            (is_violated && is_initial(&instance, &state).is_ok(), None)
        }
        Obligation::Excludes { property } => {
            let is_violated = violates(&instance, &system.properties[property], &state).is_some();
            (is_violated && satisfies(&instance, invariant, &state), None)
        }
        Obligation::Preserved { transition, clause } => {
            let transition = &system.transitions[transition];
            let arguments: Vec<u32> =
                arguments.iter().map(|&place| world.process(place)).collect::<Option<_>>()?;
            let mut after = state.clone();
            for (cell, _) in state.iter() {
                let value = match new_value(&instance, transition, &arguments, cell, &state) {
                    NewValue::Unchanged(value) | NewValue::Exactly(value) => value,
                    NewValue::Any => world.chosen(&instance, transition, &arguments, cell, &state)?,
                };
                after.set(cell.clone(), value);
            }
            let is_one = satisfies(&instance, invariant, &state)
                && check_step(&instance, &state, transition, &arguments, &after).is_ok()
                && is_violated(&instance, &invariant.clauses[clause], &after);
            (is_one, Some((arguments, after)))
        }
    };
    is_one.then(|| Counterexample { processes: instance.processes(), orders, state, step })
}

fn is_violated(instance: &Instance<'_>, clause: &Clause, state: &State) -> bool {
    first_distinct(instance, &clause.never, &clause.parameters, state).is_some()
}

fn satisfies(instance: &Instance<'_>, invariant: &Invariant, state: &State) -> bool {
    !invariant.clauses.iter().any(|clause| is_violated(instance, clause, state))
}

/// A model, with names of the judge for what is in it.
struct World<'w, 's> {
    meaning: &'w Meaning<'s>,
    model: &'w Model,
    /// The numbers that stand for values of abstract types.
    abstracts: BTreeMap<AbstractTypeId, BTreeSet<&'w Number>>,
}

impl<'w, 's> World<'w, 's> {
    fn new(meaning: &'w Meaning<'s>, model: &'w Model) -> Option<World<'w, 's>> {
        let mut abstracts: BTreeMap<AbstractTypeId, BTreeSet<&Number>> = BTreeMap::new();
        for (cell, number) in &model.numbers {
            if let Type::Abstract(id) = meaning.ty(*cell) {
                abstracts.entry(id).or_default().insert(number);
            }
        }
        (!model.places.is_empty()).then_some(World { meaning, model, abstracts })
    }

    fn processes(&self) -> u32 {
        id(self.model.places.len())
    }

    fn process(&self, place: PlaceId) -> Option<u32> {
        let at = self.model.places.iter().position(|&other| other == place)?;
        Some(id(at) + 1)
    }

    fn place(&self, process: u32) -> PlaceId {
        self.model.places[process as usize - 1]
    }

    /// The orders that are not natural.
    fn orders(&self) -> Orders {
        let mut orders = Orders::default();
        for (&ty, ranks) in &self.model.ranks {
            if let Type::Enumeration(enumeration) = ty {
                let mut constructors: Vec<u32> = (0..id(ranks.len())).collect();
                constructors.sort_by_key(|&constructor| ranks[constructor as usize]);
                if !constructors.is_sorted() {
                    orders.enumerations.insert(enumeration, constructors);
                }
            } else {
                let mut processes: Vec<u32> = (1..=self.processes()).collect();
                processes.sort_by_key(|&process| ranks[self.place(process) as usize]);
                orders.processes = Some(processes).filter(|processes| !processes.is_sorted());
            }
        }
        orders
    }

    fn places(&self, cell: &Cell) -> Vec<PlaceId> {
        cell.indices.iter().map(|&process| self.place(process)).collect()
    }

    fn state(&self) -> Option<State> {
        let value = |cell: Cell| {
            let value =
                self.value(self.meaning.universe.cell(cell.symbol, &self.places(&cell)), cell.symbol)?;
            Some((cell, value))
        };
        cells(self.meaning.system, self.processes()).map(value).collect()
    }

    /// The value of a cell of a symbol, or of one that holds what `?` stands for; the first of its type if
    /// the model has none.
    fn value(&self, cell: CellId, symbol: SymbolId) -> Option<Value> {
        let finite = self.model.finite.get(cell as usize).copied().flatten();
        let number = self.model.numbers.get(&cell).cloned().unwrap_or(Number::ZERO);
        Some(match self.meaning.system.symbol(symbol).ty {
            Type::Process => match finite {
                Some(place) => Value::Process(self.process(place)?),
                None => Value::Process(1),
            },
            Type::Enumeration(id) => Value::Constructor(id, finite.unwrap_or(0)),
            Type::Integer | Type::Real => Value::Number(number),
            Type::Abstract(ty) => {
                let numbers = self.abstracts.get(&ty);
                let at = numbers.and_then(|numbers| numbers.iter().position(|&other| *other == number));
                Value::Abstract(ty, id(at.unwrap_or(0)) + 1)
            }
        })
    }

    /// What `?` stands for.
    fn chosen(
        &self,
        instance: &Instance<'_>,
        transition: &Transition,
        arguments: &[u32],
        cell: &Cell,
        state: &State,
    ) -> Option<Value> {
        let update = transition.updates.iter().find(|update| update.symbol == cell.symbol)?;
        let variables = transition.parameters.iter().chain(&update.indices);
        let assignment = Assignment::of(variables, &[arguments, &cell.indices].concat());
        let mut branches = update.branches.iter();
        let branch = branches.position(|branch| holds(instance, &branch.condition, state, &assignment));
        let branch = branch.unwrap_or(update.branches.len());
        let any = self.meaning.any_cell(cell.symbol, branch, &self.places(cell));
        self.value(any.unwrap_or(CellId::MAX), cell.symbol)
    }
}

impl Counterexample {
    pub fn display(&self, system: &System) -> impl Display {
        fmt::from_fn(move |out| {
            let Counterexample { processes, state, step, .. } = self;
            writeln!(out, "with {processes} process{}:", if *processes == 1 { "" } else { "es" })?;
            for (cell, value) in state.iter() {
                writeln!(out, "  {} = {}", cell.display(system), value.display(system))?;
            }
            let Some((arguments, after)) = step else { return Ok(()) };
            let arguments: Vec<String> = arguments.iter().map(|process| format!("#{process}")).collect();
            writeln!(out, "and after a step with ({}):", arguments.join(", "))?;
            for (cell, value) in state.changes_to(after) {
                writeln!(out, "  {} = {}", cell.display(system), value.display(system))?;
            }
            Ok(())
        })
    }
}
