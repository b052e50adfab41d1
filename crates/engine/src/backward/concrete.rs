//! From a symbolic run to one that executes: the trace of the Cubicle paper (CAV 2012, section 3).
//!
//! The transitions of the run are followed backwards once more, in instances with a fixed number of
//! processes. There every universal quantifier is exact, so a cube at the end that meets the initial states
//! stands for real runs; one of them is executed forwards, and the judge has the last word.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use polycube_certificate::{
    Cell, Instance, NewValue, Orders, State, Step, Trace, Value, cells, counted, new_value, replay,
};
use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::{EnumerationId, Type};
use polycube_smt::budget::Budget;
use polycube_smt::ordered;
use polycube_smt::rational::Rational;
use polycube_smt::relation::{Comparison, Linear, Ordered, Relation, Term, Variable};
use polycube_smt::shape::Kind;
use polycube_smt::theory::{self, TheoryModel};
use rustc_hash::FxHashSet;

use super::node::{Node, Nodes};
use super::task::Task;
use crate::cube::renaming::canonical;
use crate::cube::store::NodeId;
use crate::cube::vocabulary::{MAX_NAMED, PROCESSES, Universe, Vocabulary, sort_of};
use crate::cube::{Cube, Draft};
use crate::symbolic::initial::{Initial, Meeting};
use crate::symbolic::preimage::{cubes_before, for_each_assignment, restricted_cells};
use crate::symbolic::root::closed_property_cubes;
use crate::symbolic::rule::Rule;

/// How many more processes than a symbolic run names are tried for a real one.
const SPARE_PROCESSES: u8 = 2;

/// How many cubes are followed at most, at each step.
const MAX_WIDTH: usize = 500;

/// How much work the solver may do for one state.
const STEPS: u64 = 1_000_000;

/// Values of abstract types are numbers that leave room for others in between.
const ROOM: u32 = 1 << 16;

struct Link {
    cube: Cube,
    /// The cube of the layer before to which a step leads, and the arguments of that step.
    next: usize,
    arguments: Vec<u8>,
}

/// A run of a small instance that takes the steps of a node that leads to a property, if there is one.
pub(super) fn concrete_run(task: &Task<'_, '_, '_>, nodes: &Nodes, id: NodeId) -> Option<Trace> {
    let transitions: Vec<usize> = nodes.steps(id).map(|step| step.transition as usize).collect();
    let Node { cube, target, .. } = &nodes[id];
    let least = cube.at_least.max(1);
    let sizes = match task.vocabulary.universe {
        Universe::Closed(size) => size..=size,
        Universe::Open => least..=(least + SPARE_PROCESSES).min(MAX_NAMED),
    };
    sizes.into_iter().find_map(|processes| concretize(task, target.index(), &transitions, processes))
}

/// A run of the instance with n processes that takes these transitions, the first one first, and ends in a
/// state of the property; if there is one, and the search is not cancelled.
fn concretize(
    task: &Task<'_, '_, '_>,
    property: usize,
    transitions: &[usize],
    processes: u8,
) -> Option<Trace> {
    let (system, rules) = (task.system(), &task.rules);
    let vocabulary = Vocabulary::new(system, Universe::Closed(processes)).ok()?;
    let vocabulary = vocabulary.until(&task.options.interrupt);
    let mut layers: Vec<Vec<Link>> = Vec::new();
    let roots = closed_property_cubes(&vocabulary, &system.properties[property], processes).ok()?;
    let last = roots.into_iter().map(|cube| Link { cube, next: 0, arguments: Vec::new() }).collect();
    layers.push(distinct(&vocabulary, last));
    for &transition in transitions.iter().rev() {
        let rule = &rules[transition];
        // Steps that change what the cube speaks about are those of the symbolic run; others come after them.
        let (mut layer, mut idle): (Vec<Link>, Vec<Link>) = (Vec::new(), Vec::new());
        for (next, link) in layers[layers.len() - 1].iter().enumerate() {
            let parameters = rule.transition.parameters.len();
            let restricted = restricted_cells(&vocabulary, &link.cube);
            let _ = for_each_assignment(&vocabulary, parameters, processes, &mut |arguments| {
                if layer.len() >= MAX_WIDTH * 4 || task.is_interrupted() {
                    return ControlFlow::Break(());
                }
                let links = if rule.changes_some(&restricted, arguments) { &mut layer } else { &mut idle };
                if links.len() < MAX_WIDTH * 4 {
                    for cube in cubes_before(&vocabulary, rule, &link.cube, arguments).unwrap_or_default() {
                        links.push(Link { cube, next, arguments: arguments.to_vec() });
                    }
                }
                ControlFlow::Continue(())
            });
        }
        layer.append(&mut idle);
        layers.push(distinct(&vocabulary, layer));
    }
    let initial = Initial::new(&vocabulary);
    layers[layers.len() - 1].iter().enumerate().find_map(|(index, link)| {
        if task.is_interrupted() {
            return None;
        }
        let Meeting::At(draft) = initial.meeting(&link.cube) else { return None };
        let model = solve(&vocabulary, processes, &draft)?;
        let trace = execute(&vocabulary, rules, transitions, &layers, index, &draft.words, &model)?;
        // The judge has the last word.
        let run = replay(system, &trace).ok()?;
        run.violations.iter().any(|violation| violation.property == property).then_some(trace)
    })
}

/// One link for each cube, up to renaming; not too many.
fn distinct(vocabulary: &Vocabulary<'_>, links: Vec<Link>) -> Vec<Link> {
    let mut seen = FxHashSet::default();
    // The search is cancelled: what is missing does not matter.
    let links = links.into_iter().take_while(|_| !vocabulary.is_interrupted());
    let mut kept: Vec<Link> =
        links.filter(|link| seen.insert(canonical(vocabulary, link.cube.clone()).0)).collect();
    kept.truncate(MAX_WIDTH);
    kept
}

fn solve(vocabulary: &Vocabulary<'_>, processes: u8, draft: &Draft) -> Option<TheoryModel> {
    let shape = &vocabulary.layout(processes).shape;
    let mut budget = Budget::new(STEPS).until(&vocabulary.interrupt);
    let domain = |variable| shape.domain(&draft.words, variable);
    let relations: Vec<&Relation> = draft.relations.iter().collect();
    theory::satisfiable(&shape.sorts, &domain, &relations, &mut budget).ok()
}

/// Executes the run that begins in a cube of the last layer, in the state that the model describes.
fn execute(
    vocabulary: &Vocabulary<'_>,
    rules: &[Rule<'_>],
    transitions: &[usize],
    layers: &[Vec<Link>],
    mut index: usize,
    words: &[u64],
    model: &TheoryModel,
) -> Option<Trace> {
    let system = vocabulary.system;
    let Universe::Closed(processes) = vocabulary.universe else { return None };
    let shape = &vocabulary.layout(processes).shape;
    let value = |cell: Cell| {
        let variable = variable_of(vocabulary, processes, &cell);
        let ty = system.symbol(cell.symbol).ty;
        let value = model_value(ty, model, variable).unwrap_or_else(|| match (ty, shape.field(variable)) {
            (Type::Abstract(id), _) => Value::Abstract(id, ROOM),
            (_, Some(field)) => any_value(ty, field.get(words)),
            (_, None) => Value::Number(Number::ZERO),
        });
        (cell, value)
    };
    let orders = orders(system, model);
    let instance = Instance::new(system, processes.into(), orders.clone()).ok()?;
    // What counts is not chosen: the other cells decide it.
    let declared =
        cells(system, processes.into()).filter(|cell| (cell.symbol.0 as usize) < system.declared());
    let mut states = vec![counted(&instance, declared.map(value).collect()).ok()?];
    let mut steps = Vec::new();
    for (layer, &transition) in (1..layers.len()).rev().zip(transitions) {
        let link = &layers[layer][index];
        let arguments: Vec<u32> = link.arguments.iter().map(|&argument| u32::from(argument) + 1).collect();
        let target = &layers[layer - 1][link.next].cube;
        let before = states.last().expect("there is an initial state");
        let transition = rules[transition].transition;
        let mut after = before.clone();
        let mut open = Vec::new();
        for cell in cells(system, processes.into()) {
            match new_value(&instance, transition, &arguments, &cell, before) {
                NewValue::Unchanged(_) => {}
                NewValue::Exactly(value) => {
                    after.set(cell, value);
                }
                NewValue::Any => open.push(cell),
            }
        }
        if !open.is_empty() {
            choose(vocabulary, processes, target, &mut after, &open)?;
        }
        steps.push(Step {
            transition: transition.name.clone(),
            arguments,
            changes: before.changes_to(&after),
        });
        states.push(after);
        index = link.next;
    }
    let trace = Trace { processes: processes.into(), orders, initial: states.swap_remove(0), steps };
    Some(with_small_abstract_values(system, trace))
}

/// Values for the cells that are open, such that the state lies in the cube.
fn choose(
    vocabulary: &Vocabulary<'_>,
    processes: u8,
    target: &Cube,
    after: &mut State,
    open: &[Cell],
) -> Option<()> {
    let system = vocabulary.system;
    let layout = vocabulary.layout(processes);
    let shape = &layout.shape;
    let open: Vec<Variable> = open.iter().map(|cell| variable_of(vocabulary, processes, cell)).collect();
    let mut draft = target.over(vocabulary, processes);
    let mut known: Vec<Variable> = draft.relations.iter().flat_map(Relation::variables).collect();
    known.sort_unstable();
    known.dedup();
    known.retain(|variable| !open.contains(variable));
    let cell_of = |variable: Variable| {
        let indices = layout.indices(variable).iter().map(|&index| u32::from(index) + 1).collect();
        Cell { symbol: layout.symbol(variable), indices }
    };
    // What is known of the state, as far as the relations of the cube speak about it.
    let mut ranks: Vec<(Variable, u32)> = Vec::new();
    for &variable in &known {
        match (after.get(&cell_of(variable))?, shape.kind(variable)) {
            (Value::Process(process), Kind::Finite(_, field)) => {
                field.set(&mut draft.words, 1 << (process - 1));
            }
            (Value::Constructor(_, index), Kind::Finite(_, field)) => field.set(&mut draft.words, 1 << index),
            (Value::Number(number), Kind::Number(kind)) => {
                let constant = -Rational::from_ratio(number.as_ratio());
                let equal = Linear::new(kind, [(variable, Rational::ONE)], constant, Comparison::Equal);
                draft.relations.push(equal.into());
            }
            (Value::Abstract(_, number), Kind::Unbounded(sort)) => {
                for &(other, rank) in &ranks {
                    if shape.kind(other) == shape.kind(variable) {
                        let (left, right) = (Term::Variable(other), Term::Variable(variable));
                        let (left, comparison, right) = match rank.cmp(number) {
                            Ordering::Less => (left, Comparison::Less, right),
                            Ordering::Equal => (left, Comparison::Equal, right),
                            Ordering::Greater => (right, Comparison::Less, left),
                        };
                        draft.relations.push(Ordered { sort, left, comparison, right }.into());
                    }
                }
                ranks.push((variable, *number));
            }
            (value, kind) => panic!("a cell of kind {kind:?} holds {value:?}"),
        }
    }
    let model = solve(vocabulary, processes, &draft)?;
    for variable in open {
        let cell = cell_of(variable);
        let ty = system.symbol(cell.symbol).ty;
        let value = match (model.ordered.value(variable), ty) {
            (Some(ordered::Value::Other(class)), Type::Abstract(id)) => {
                // The value of a known cell of the same class, or one between those of the nearest classes.
                let classes = ranks
                    .iter()
                    .filter(|(known, _)| shape.kind(*known) == shape.kind(variable))
                    .filter_map(|&(known, rank)| match model.ordered.value(known) {
                        Some(ordered::Value::Other(class)) => Some((class, rank)),
                        _ => None,
                    });
                let (mut below, mut above, mut same) = (0u32, u32::MAX, None);
                for (other, rank) in classes {
                    match other.cmp(&class) {
                        Ordering::Less => below = below.max(rank),
                        Ordering::Equal => same = Some(rank),
                        Ordering::Greater => above = above.min(rank),
                    }
                }
                let between =
                    if above == u32::MAX { below.checked_add(ROOM)? } else { below + (above - below) / 2 };
                let rank = same.unwrap_or(between);
                // Open cells of the same class are equal from now on.
                ranks.push((variable, rank));
                Value::Abstract(id, rank)
            }
            _ => match (model_value(ty, &model, variable), shape.field(variable)) {
                (Some(value), _) => value,
                (None, Some(field)) => any_value(ty, field.get(&draft.words)),
                (None, None) => after.get(&cell)?.clone(),
            },
        };
        after.set(cell, value);
    }
    Some(())
}

fn variable_of(vocabulary: &Vocabulary<'_>, processes: u8, cell: &Cell) -> Variable {
    let index = |process: &u32| u8::try_from(process - 1).expect("a closed universe has few processes");
    let indices: Vec<u8> = cell.indices.iter().map(index).collect();
    vocabulary.layout(processes).cell(cell.symbol, &indices)
}

fn model_value(ty: Type, model: &TheoryModel, variable: Variable) -> Option<Value> {
    if let Some(number) = model.linear.value(variable) {
        return Some(Value::Number(Number::from_ratio(number.to_ratio())));
    }
    match (model.ordered.value(variable)?, ty) {
        (ordered::Value::Point(process), Type::Process) => Some(Value::Process(u32::from(process) + 1)),
        (ordered::Value::Point(index), Type::Enumeration(id)) => Some(Value::Constructor(id, index.into())),
        (ordered::Value::Other(class), Type::Abstract(id)) => {
            // There are at most as many classes as cells.
            Some(Value::Abstract(id, (u32::from(class) + 1) * ROOM))
        }
        _ => None,
    }
}

fn any_value(ty: Type, values: u64) -> Value {
    match (ty, values.trailing_zeros()) {
        (Type::Process, process) => Value::Process(process + 1),
        (Type::Enumeration(id), value) => Value::Constructor(id, value),
        (ty, _) => panic!("{ty:?} has no sets of values"),
    }
}

/// The orders that a model chose, for processes and enumerations.
fn orders(system: &System, model: &TheoryModel) -> Orders {
    let points = |sort, first: u32| -> Option<Vec<u32>> {
        let points: Vec<u32> = (model.ordered.order(sort).iter())
            .filter_map(|value| match value {
                ordered::Value::Point(point) => Some(u32::from(*point) + first),
                ordered::Value::Other(_) => None,
            })
            .collect();
        let natural = points.iter().zip(first..).all(|(&point, place)| point == place);
        (!natural).then_some(points)
    };
    let mut orders = Orders { processes: points(PROCESSES, 1), ..Orders::default() };
    for (_, id) in system.enumerations.iter().zip((0..).map(EnumerationId)) {
        if let Some(order) = points(sort_of(system, Type::Enumeration(id)), 0) {
            orders.enumerations.insert(id, order);
        }
    }
    orders
}

/// The same run with the values of abstract types numbered from 1, in the same order.
fn with_small_abstract_values(system: &System, mut trace: Trace) -> Trace {
    for index in 0..system.abstract_types.len() {
        let number_of = |value: &Value| match value {
            Value::Abstract(id, number) if id.0 as usize == index => Some(*number),
            _ => None,
        };
        let changes = trace.steps.iter().flat_map(|step| step.changes.iter().map(|(_, value)| value));
        let values = trace.initial.iter().map(|(_, value)| value).chain(changes);
        let mut numbers: Vec<u32> = values.filter_map(number_of).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let small = |value: &mut Value| {
            if let Value::Abstract(id, number) = value
                && id.0 as usize == index
            {
                let place = numbers.binary_search(number).expect("all numbers are listed");
                *number = u32::try_from(place).expect("values have 32 bits") + 1;
            }
        };
        let with_small = |(cell, value): (&Cell, &Value)| {
            let mut value = value.clone();
            small(&mut value);
            (cell.clone(), value)
        };
        trace.initial = trace.initial.iter().map(with_small).collect();
        for step in &mut trace.steps {
            step.changes.iter_mut().for_each(|(_, value)| small(value));
        }
    }
    trace
}
