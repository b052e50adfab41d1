//! A counterexample to an obligation, as the judge has confirmed it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use polycube_certificate::clauses::{first_distinct, is_initial, violates};
use polycube_certificate::instance::{Instance, Orders};
use polycube_certificate::interpreter::{Assignment, holds};
use polycube_certificate::invariant::{Clause, Invariant, Obligation};
use polycube_certificate::state::{Cell, State};
use polycube_certificate::step::{NewValue, check_step, new_value};
use polycube_certificate::value::Value;
use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::{AbstractTypeId, EnumerationId, Transition, Type};

use crate::meaning::Meaning;
use crate::model::Model;
use crate::universe::{CellId, PlaceId, id};

/// A state of an instance, and perhaps a step from it, for which an obligation does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// How many processes there are.
    pub processes: u32,
    /// What `<` means.
    pub orders: Orders,
    /// The state.
    pub state: State,
    /// The step from it: the processes in place of the parameters of the transition, and the state after it.
    pub step: Option<(Vec<u32>, State)>,
}

/// Makes a counterexample of a model, if the judge agrees that it is one. `arguments` are the places of the parameters of the
/// transition.
pub(crate) fn confirm(
    invariant: &Invariant,
    obligation: Obligation,
    meaning: &Meaning<'_>,
    model: &Model,
    arguments: &[PlaceId],
) -> Option<Counterexample> {
    let system = meaning.system;
    let world = World::new(meaning, model)?;
    let instance = Instance::new(system, world.processes(), world.orders(system)).ok()?;
    let state = world.state()?;
    let counterexample = |step| Counterexample {
        processes: instance.processes(),
        orders: world.orders(system),
        state: state.clone(),
        step,
    };
    match obligation {
        Obligation::Initially { clause } => {
            let is_one = is_initial(&instance, &state).is_ok()
                && is_violated(&instance, &invariant.clauses[clause], &state);
            is_one.then(|| counterexample(None))
        }
        Obligation::Excludes { property } => {
            let is_one = satisfies(&instance, invariant, &state)
                && violates(&instance, &system.properties[property], &state).is_some();
            is_one.then(|| counterexample(None))
        }
        Obligation::Preserved { transition, clause } => {
            let transition = &system.transitions[transition];
            let arguments: Vec<u32> =
                arguments.iter().map(|&place| world.process(place)).collect::<Option<_>>()?;
            let mut after = state.clone();
            let cells: Vec<Cell> = state.iter().map(|(cell, _)| cell.clone()).collect();
            for cell in cells {
                match new_value(&instance, transition, &arguments, &cell, &state) {
                    NewValue::Unchanged(_) => {}
                    NewValue::Exactly(value) => {
                        after.set(cell, value);
                    }
                    NewValue::Any => {
                        let assignment = Assignment::of(&transition.parameters, &arguments);
                        let value = world.chosen(&instance, transition, &assignment, &cell, &state)?;
                        after.set(cell, value);
                    }
                }
            }
            let is_one = satisfies(&instance, invariant, &state)
                && check_step(&instance, &state, transition, &arguments, &after).is_ok()
                && is_violated(&instance, &invariant.clauses[clause], &after);
            is_one.then(|| counterexample(Some((arguments, after))))
        }
    }
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
    /// The numbers that stand for values of abstract types, smallest first.
    abstracts: BTreeMap<AbstractTypeId, Vec<Number>>,
}

impl<'w, 's> World<'w, 's> {
    fn new(meaning: &'w Meaning<'s>, model: &'w Model) -> Option<World<'w, 's>> {
        let mut abstracts: BTreeMap<AbstractTypeId, BTreeSet<Number>> = BTreeMap::new();
        for (cell, number) in &model.numbers {
            if let Type::Abstract(id) = meaning.ty(*cell) {
                abstracts.entry(id).or_default().insert(number.clone());
            }
        }
        let abstracts =
            abstracts.into_iter().map(|(id, numbers)| (id, numbers.into_iter().collect())).collect();
        (!model.places.is_empty()).then_some(World { meaning, model, abstracts })
    }

    fn processes(&self) -> u32 {
        id(self.model.places.len())
    }

    fn process(&self, place: PlaceId) -> Option<u32> {
        let at = self.model.places.iter().position(|&other| other == place)?;
        Some(id(at) + 1)
    }

    fn orders(&self, system: &System) -> Orders {
        let mut orders = Orders::default();
        if !self.model.place_ranks.is_empty() {
            let mut processes: Vec<u32> = (1..=self.processes()).collect();
            processes.sort_by_key(|process| {
                self.model.place_ranks[self.model.places[*process as usize - 1] as usize]
            });
            orders.processes = Some(processes);
        }
        for (&enumeration, ranks) in &self.model.constructor_ranks {
            let count = id(system.enumerations[enumeration as usize].constructors.len());
            let mut constructors: Vec<u32> = (0..count).collect();
            constructors.sort_by_key(|&constructor| ranks[constructor as usize]);
            orders.enumerations.insert(EnumerationId(enumeration), constructors);
        }
        orders
    }

    fn cell(&self, cell: &Cell) -> CellId {
        let places: Vec<PlaceId> =
            cell.indices.iter().map(|&process| self.model.places[process as usize - 1]).collect();
        self.meaning.universe.cell(cell.symbol, &places)
    }

    fn state(&self) -> Option<State> {
        let mut complete = true;
        let state = State::new(self.meaning.system, self.processes(), |cell| {
            let value = self.value(self.cell(cell), self.meaning.system.symbol(cell.symbol).ty);
            complete &= value.is_some();
            value.unwrap_or(Value::Process(1))
        });
        complete.then_some(state)
    }

    /// The value of a cell; the first of its type if the model has none.
    fn value(&self, cell: CellId, ty: Type) -> Option<Value> {
        let finite = self.model.finite.get(cell as usize).copied().flatten();
        let number = self.model.numbers.get(&cell);
        Some(match ty {
            Type::Process => match finite {
                Some(place) => Value::Process(self.process(place)?),
                None => Value::Process(1),
            },
            Type::Enumeration(id) => Value::Constructor(id, finite.unwrap_or(0)),
            Type::Integer | Type::Real => Value::Number(number.cloned().unwrap_or(Number::ZERO)),
            Type::Abstract(ty) => {
                let number = number.cloned().unwrap_or(Number::ZERO);
                let numbers = self.abstracts.get(&ty).map_or(&[][..], Vec::as_slice);
                let at = numbers.iter().position(|other| *other == number).unwrap_or(0);
                Value::Abstract(ty, id(at) + 1)
            }
        })
    }

    /// What `?` stands for.
    fn chosen(
        &self,
        instance: &Instance<'_>,
        transition: &Transition,
        assignment: &Assignment,
        cell: &Cell,
        state: &State,
    ) -> Option<Value> {
        let update = transition.updates.iter().find(|update| update.symbol == cell.symbol)?;
        let mut assignment = assignment.clone();
        for (index, &process) in update.indices.iter().zip(&cell.indices) {
            assignment = assignment.with(index.id, process);
        }
        let branch =
            update.branches.iter().position(|branch| holds(instance, &branch.condition, state, &assignment));
        let places: Vec<PlaceId> =
            cell.indices.iter().map(|&process| self.model.places[process as usize - 1]).collect();
        let ty = self.meaning.system.symbol(cell.symbol).ty;
        let branch = branch.unwrap_or(update.branches.len());
        let any = self.meaning.any_cell(cell.symbol, branch, &places).unwrap_or(CellId::MAX);
        self.value(any, ty)
    }
}

impl Counterexample {
    /// The counterexample as text.
    pub fn display<'d>(&'d self, system: &'d System) -> impl Display + 'd {
        Shown { counterexample: self, system }
    }
}

struct Shown<'d> {
    counterexample: &'d Counterexample,
    system: &'d System,
}

impl Display for Shown<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Counterexample { processes, state, step, .. } = self.counterexample;
        writeln!(out, "with {processes} process{}:", if *processes == 1 { "" } else { "es" })?;
        for (cell, value) in state.iter() {
            writeln!(out, "  {} = {}", cell.display(self.system), value.display(self.system))?;
        }
        if let Some((arguments, after)) = step {
            let arguments: Vec<String> = arguments.iter().map(|process| format!("#{process}")).collect();
            writeln!(out, "and after a step with ({}):", arguments.join(", "))?;
            for (cell, value) in state.changes_to(after) {
                writeln!(out, "  {} = {}", cell.display(self.system), value.display(self.system))?;
            }
        }
        Ok(())
    }
}
