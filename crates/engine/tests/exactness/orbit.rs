//! The class of a state under renaming, by trying all renamings.

use std::collections::BTreeMap;

use polycube_certificate::{Cell, Orders, State, Value};
use polycube_language::System;
use polycube_language::formula::Term;
use polycube_language::system::{AbstractTypeId, EnumerationId, Type, Update};

/// The renamings that a system does not notice.
pub struct Renamings {
    /// New names of processes, from 1.
    processes: Vec<Vec<u32>>,
    /// New names of the values of each abstract type, from 1.
    values: Vec<BTreeMap<AbstractTypeId, Vec<u32>>>,
}

impl Renamings {
    pub fn of(system: &System, processes: u32, values: u32) -> Renamings {
        let Mentioned { named, ordered } = Mentioned::by(system);
        let keeps_named =
            |names: &Vec<u32>| named.iter().all(|&process| names[process as usize - 1] == process);
        let process_names = if ordered.contains(&Type::Process) {
            vec![(1..=processes).collect()]
        } else {
            permutations(processes).into_iter().filter(keeps_named).collect()
        };
        let mut value_names = vec![BTreeMap::new()];
        for at in 0..system.abstract_types.len() as u32 {
            let id = AbstractTypeId(at);
            let names = if ordered.contains(&Type::Abstract(id)) {
                vec![(1..=values).collect()]
            } else {
                permutations(values)
            };
            value_names = value_names
                .iter()
                .flat_map(|others| {
                    names.iter().map(|names| {
                        let mut all: BTreeMap<_, Vec<u32>> = others.clone();
                        all.insert(id, names.clone());
                        all
                    })
                })
                .collect();
        }
        Renamings { processes: process_names, values: value_names }
    }

    /// The least renaming of a state.
    pub fn least(&self, state: &State) -> State {
        let renamings = self
            .processes
            .iter()
            .flat_map(|processes| self.values.iter().map(move |values| (processes, values)));
        renamings
            .map(|(processes, values)| renamed(state, processes, values))
            .min()
            .expect("at least no renaming")
    }
}

/// What a system says about particular values.
struct Mentioned {
    /// The processes that it names.
    named: Vec<u32>,
    /// The types that it compares by `<`.
    ordered: Vec<Type>,
}

impl Mentioned {
    fn by(system: &System) -> Mentioned {
        let (mut named, mut ordered) = (Vec::new(), Vec::new());
        for formula in system.formulas() {
            formula.for_each_comparison(&mut |comparison| {
                for side in [&comparison.left, &comparison.right] {
                    side.for_each_part(&mut |part| named.extend(process_of(part)));
                }
                if comparison.relation.is_order() {
                    ordered.push(comparison.ty);
                }
            });
        }
        for value in system.updates().flat_map(Update::values) {
            if let polycube_language::system::Value::Term(term) = value {
                term.for_each_part(&mut |part| named.extend(process_of(part)));
            }
        }
        Mentioned { named, ordered }
    }
}

/// Every choice of the orders that a system leaves open.
pub fn all_orders(system: &System, processes: u32) -> Vec<Orders> {
    let Mentioned { named, ordered } = Mentioned::by(system);
    let mut all = vec![Orders::default()];
    let mut choose = |lists: Vec<Vec<u32>>, set: &dyn Fn(&mut Orders, Vec<u32>)| {
        all = all
            .iter()
            .flat_map(|orders| {
                lists.iter().map(|list| {
                    let mut orders = orders.clone();
                    if !list.is_sorted() {
                        set(&mut orders, list.clone());
                    }
                    orders
                })
            })
            .collect();
    };
    if ordered.contains(&Type::Process) && !named.is_empty() {
        choose(permutations(processes), &|orders, list| orders.processes = Some(list));
    }
    for at in 0..system.enumerations.len() as u32 {
        let id = EnumerationId(at);
        if ordered.contains(&Type::Enumeration(id)) {
            let count = system.enumeration(id).constructors.len() as u32;
            let from_zero =
                permutations(count).into_iter().map(|list| list.iter().map(|value| value - 1).collect());
            choose(from_zero.collect(), &|orders, list| {
                orders.enumerations.insert(id, list);
            });
        }
    }
    all
}

fn process_of(term: &Term) -> Option<u32> {
    match term {
        Term::Process(process) => Some(*process),
        _ => None,
    }
}

fn renamed(state: &State, processes: &[u32], values: &BTreeMap<AbstractTypeId, Vec<u32>>) -> State {
    let process = |process: u32| processes[process as usize - 1];
    state
        .iter()
        .map(|(cell, value)| {
            let indices = cell.indices.iter().map(|&index| process(index)).collect();
            let value = match value {
                Value::Process(number) => Value::Process(process(*number)),
                Value::Abstract(id, number) => Value::Abstract(*id, values[id][*number as usize - 1]),
                other => other.clone(),
            };
            (Cell { symbol: cell.symbol, indices }, value)
        })
        .collect()
}

fn permutations(count: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .iter()
            .flat_map(|shorter: &Vec<u32>| {
                (1..=count).filter(|next| !shorter.contains(next)).map(|next| {
                    let mut longer = shorter.clone();
                    longer.push(next);
                    longer
                })
            })
            .collect();
    }
    all
}
