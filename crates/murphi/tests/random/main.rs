//! The translation against an interpreter: the same states, steps and errors on random models.
//!
//! The interpreter explores the model at the sizes of the file. The engine explores what it was translated to, with as
//! many processes; and what it is translated to at the sizes of the file, which is almost never refused. What they find is
//! compared state by state. The documented differences, of which the second translation has none:
//!
//! - leaves that are left out have no symbol: they are left out on the other side as well;
//! - a constant `Nobody` and constants for literals multiply the states: those are compared in which the constants have
//!   the values that the file means, and the others have to be as many for each choice;
//! - the elements of a scalarset have no order: where a start state ends its loops with the last one, the translation has
//!   every renaming of it.

mod generate;
mod interpreter;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use interpreter::{Expanded, Leaf, Reached, State, values};
use polycube_certificate::{Cell, Value};
use polycube_engine::forward::{
    End, Exploration, Goal, Limits, Options, Reduction, explore_states, orders_of, state,
};
use polycube_language::System;
use polycube_language::span::Span;
use polycube_language::system::{SymbolId, SymbolKind};
use polycube_murphi::check::check;
use polycube_murphi::model::{Model, TypeId, TypeKind};
use polycube_murphi::parameter::candidates;
use polycube_murphi::translate::{translate, translate_at_its_sizes};
use polycube_testing::for_seeds;

/// How many models are tried.
const MODELS: u64 = 300;

/// Larger explorations end after the layer in which this number is passed.
const MOST_STATES: usize = 400;

#[test]
fn random_models_are_translated_exactly() {
    let totals = Totals::default();
    let Some(tried) = for_seeds!(MODELS, |seed| compare(seed, &totals)) else { return };
    // The test would mean little if most models were refused, or trivial.
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    assert!(count(&totals.accepted) > tried * 5 / 10, "{totals:?}");
    assert!(count(&totals.accepted_at_sizes) > tried * 8 / 10, "{totals:?}");
    assert!(count(&totals.multisets) > tried / 10, "{totals:?}");
    assert!(count(&totals.complete) > tried / 5, "{totals:?}");
    assert!(count(&totals.states) > tried * 5, "{totals:?}");
    assert!(count(&totals.errors) > tried / 20, "{totals:?}");
    assert!(count(&totals.violated) > tried / 20, "{totals:?}");
}

#[derive(Debug, Default)]
struct Totals {
    accepted: AtomicU64,
    accepted_at_sizes: AtomicU64,
    multisets: AtomicU64,
    complete: AtomicU64,
    states: AtomicU64,
    errors: AtomicU64,
    violated: AtomicU64,
    left_out: AtomicU64,
}

fn compare(seed: u64, totals: &Totals) {
    let text = generate::model(seed);
    let checked = check(&text, &[]);
    let said: Vec<&String> = checked.diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
    let Some(model) = checked.model else { panic!("seed {seed}: {said:?}\n{text}") };
    let processes = *candidates(&model).first().expect("there is a type for processes");
    let expected = interpreter::explore(&model, MOST_STATES);
    let add = |counter: &AtomicU64, number: u64| counter.fetch_add(number, Ordering::Relaxed);
    for processes in [Some(processes), None] {
        let translated = match processes {
            Some(processes) => translate(&model, processes),
            None => translate_at_its_sizes(&model),
        };
        let (system, expected) = match (translated, &expected) {
            (Ok(system), Ok(expected)) => (system, expected),
            (Ok(_), Err(span)) => panic!("seed {seed}: an error in a start state at {span:?}\n{text}"),
            (Err(_), _) => continue,
        };
        let comparison = Comparison { model: &model, system: &system, processes };
        let left_out = comparison.compare(expected).unwrap_or_else(|what| {
            panic!("seed {seed}, processes {processes:?}: {what}\n{text}\n{}", system.to_source())
        });
        if processes.is_none() {
            add(&totals.accepted_at_sizes, 1);
            let has_multisets = model.globals.iter().any(|variable| model.has_multiset(variable.ty));
            add(&totals.multisets, u64::from(has_multisets));
            assert!(!left_out, "seed {seed}: a leaf is left out\n{text}");
            continue;
        }
        add(&totals.accepted, 1);
        add(&totals.left_out, u64::from(left_out));
        add(&totals.complete, u64::from(expected.is_complete));
        add(&totals.states, expected.states.len() as u64);
        add(&totals.errors, u64::from(!expected.errors.is_empty()));
        add(&totals.violated, u64::from(!expected.violated.is_empty()));
    }
}

struct Comparison<'c> {
    model: &'c Model,
    system: &'c System,
    /// None at the sizes of the file.
    processes: Option<TypeId>,
}

/// Where the system keeps a leaf.
struct Place {
    cell: Cell,
    /// What says that it is no process.
    kind: Option<Cell>,
    ty: TypeId,
}

/// What the engine finds.
struct Explored {
    exploration: Exploration,
    /// The states in which orders and constants are those that the file means.
    states: Vec<State>,
    /// How many states there are for each choice of an order, and of constants.
    choices: BTreeMap<(Vec<u32>, Vec<u32>), u64>,
}

/// States without the leaves that are left out, and what is known of them.
type States = BTreeMap<State, Expanded>;

impl Comparison<'_> {
    /// Whether some leaf is left out.
    fn compare(&self, reached: &Reached) -> Result<bool, String> {
        let (leaves, places): (Vec<usize>, Vec<Place>) = self.places().into_iter().unzip();
        let expected = self.expected(reached, &leaves)?;
        let explored = self.explored(reached, &places);
        self.check(reached, &expected, &explored)?;
        Ok(leaves.len() < self.leaves().len())
    }

    /// The values that are processes.
    fn elements(&self) -> Vec<i64> {
        self.processes.map_or_else(Vec::new, |processes| values(self.model, processes))
    }

    /// There is one process at least.
    fn count(&self) -> u32 {
        u32::try_from(self.elements().len().max(1)).expect("few processes")
    }

    /// The name of each leaf, as a symbol and the processes that are its indices, and its type.
    fn leaves(&self) -> Vec<(String, Vec<u32>, TypeId)> {
        let mut found = Vec::new();
        for variable in &self.model.globals {
            self.add_leaves(variable.name.clone(), &[], variable.ty, &mut found);
        }
        found
    }

    fn add_leaves(
        &self,
        name: String,
        indices: &[u32],
        ty: TypeId,
        found: &mut Vec<(String, Vec<u32>, TypeId)>,
    ) {
        match &self.model.ty(ty).kind {
            TypeKind::Record(fields) => {
                for (field, ty) in fields {
                    self.add_leaves(format!("{name}_{field}"), indices, *ty, found);
                }
            }
            TypeKind::Array { index, element } => {
                for value in values(self.model, *index) {
                    match self.process(value) {
                        Some(process) if self.holds_processes(*index) => {
                            let indices = [indices, &[process]].concat();
                            self.add_leaves(name.clone(), &indices, *element, found);
                        }
                        _ => {
                            let written = self.written(value, *index);
                            self.add_leaves(format!("{name}_{written}"), indices, *element, found);
                        }
                    }
                }
            }
            TypeKind::Multiset { size, element } => {
                for slot in 0..size.value {
                    found.push((format!("{name}_{slot}_present"), indices.to_vec(), TypeId::BOOLEAN));
                    self.add_leaves(format!("{name}_{slot}"), indices, *element, found);
                }
            }
            _ => found.push((name, indices.to_vec(), ty)),
        }
    }

    /// A value as Murphi writes it.
    fn written(&self, value: i64, ty: TypeId) -> String {
        match &self.model.ty(ty).kind {
            TypeKind::Boolean => if value == 1 { "true" } else { "false" }.to_owned(),
            TypeKind::Enumeration(names) => {
                let at = values(self.model, ty).iter().position(|known| *known == value);
                names[at.expect("a value of the type")].clone()
            }
            TypeKind::Scalarset(_) => {
                let at = values(self.model, ty).iter().position(|known| *known == value);
                let name = self.model.ty(ty).name.as_deref().unwrap_or("element");
                format!("{name}_{}", at.expect("a value of the type") + 1)
            }
            TypeKind::Union(members) => {
                let member = members.iter().find(|member| values(self.model, **member).contains(&value));
                self.written(value, *member.expect("a value of a member"))
            }
            _ => value.to_string(),
        }
    }

    /// Whether values of a type can be processes.
    fn holds_processes(&self, ty: TypeId) -> bool {
        match &self.model.ty(ty).kind {
            TypeKind::Union(members) => members.iter().any(|member| Some(*member) == self.processes),
            _ => Some(ty) == self.processes,
        }
    }

    /// The process that a value is.
    fn process(&self, value: i64) -> Option<u32> {
        let at = self.elements().iter().position(|known| *known == value)?;
        Some(at as u32 + 1)
    }

    fn symbol(&self, name: &str) -> Option<SymbolId> {
        let is_it = |symbol: &str| symbol.eq_ignore_ascii_case(name);
        let at = self.system.symbols.iter().position(|symbol| is_it(&symbol.name))?;
        Some(SymbolId(at as u32))
    }

    /// Where the leaves are that are not left out, with their numbers.
    fn places(&self) -> Vec<(usize, Place)> {
        let mut found = Vec::new();
        for (at, (name, indices, ty)) in self.leaves().into_iter().enumerate() {
            let Some(symbol) = self.symbol(&name) else { continue };
            let kind =
                self.symbol(&format!("{name}_is")).map(|symbol| Cell { symbol, indices: indices.clone() });
            found.push((at, Place { cell: Cell { symbol, indices }, kind, ty }));
        }
        let is_place = |symbol: SymbolId| {
            found.iter().any(|(_, place)| {
                place.cell.symbol == symbol || place.kind.as_ref().is_some_and(|kind| kind.symbol == symbol)
            })
        };
        for (at, symbol) in self.system.symbols.iter().enumerate() {
            let is_known = symbol.kind == SymbolKind::Constant || is_place(SymbolId(at as u32));
            assert!(is_known, "{} is the symbol of no leaf", symbol.name);
        }
        found
    }

    /// The states of the interpreter, without the leaves that are left out; with all renamings of the elements of a
    /// scalarset.
    fn expected(&self, reached: &Reached, leaves: &[usize]) -> Result<States, String> {
        let types: Vec<TypeId> = self.leaves().into_iter().map(|(_, _, ty)| ty).collect();
        let mut all = States::new();
        for (state, &expanded) in &reached.states {
            for renaming in self.renamings() {
                let renamed = self.renamed(state, &types, &renaming);
                let kept: State = leaves.iter().map(|leaf| renamed[*leaf]).collect();
                match all.get(&kept) {
                    Some(known)
                        if known.fired.is_some()
                            && expanded.fired.is_some()
                            && known.fired != expanded.fired =>
                    {
                        return Err(format!("states that should be alike have {known:?} and {expanded:?}"));
                    }
                    Some(known) if known.depth <= expanded.depth => {}
                    _ => _ = all.insert(kept, expanded),
                }
            }
        }
        Ok(all)
    }

    /// Permutations of the processes, from 0.
    fn renamings(&self) -> Vec<Vec<u32>> {
        let same: Vec<u32> = (0..self.count()).collect();
        let kind = self.processes.map(|processes| &self.model.ty(processes).kind);
        if !matches!(kind, Some(TypeKind::Scalarset(_))) {
            return vec![same];
        }
        let mut all = vec![Vec::new()];
        for _ in &same {
            let longer = |some: Vec<u32>| {
                let others: Vec<u32> = same.iter().copied().filter(|one| !some.contains(one)).collect();
                others.into_iter().map(move |one| [&some[..], &[one]].concat())
            };
            all = all.into_iter().flat_map(longer).collect();
        }
        all
    }

    /// The state in which each process is another one, as an index and as a value.
    fn renamed(&self, state: &State, types: &[TypeId], renaming: &[u32]) -> State {
        let all = self.elements();
        let names = self.leaves();
        let other = |process: u32| renaming[process as usize - 1] + 1;
        let mut renamed = state.clone();
        let positions: BTreeMap<(&str, &[u32]), usize> = names
            .iter()
            .enumerate()
            .map(|(at, (name, indices, _))| ((&name[..], &indices[..]), at))
            .collect();
        for (at, (name, indices, _)) in names.iter().enumerate() {
            let indices: Vec<u32> = indices.iter().map(|index| other(*index)).collect();
            let value = state[at].map(|value| match self.process(value) {
                Some(process) if self.holds_processes(types[at]) => all[other(process) as usize - 1],
                _ => value,
            });
            renamed[positions[&(&name[..], &indices[..])]] = value;
        }
        renamed
    }

    /// What the engine finds as far as the interpreter went, and the states in which constants have their meaning.
    fn explored(&self, reached: &Reached, places: &[Place]) -> Explored {
        let mut options = Options::new(self.count());
        options.goal = Goal::Everything;
        options.reduction = Reduction::None;
        options.runs = false;
        let depth = if reached.is_complete { None } else { Some(reached.depth) };
        options.limits = Limits { depth, ..Limits::default() };
        let natural: Vec<u32> = (1..=self.count()).collect();
        let constants = self.constants();
        let meant: Vec<u32> = constants.iter().map(|(_, process)| *process).collect();
        let (mut states, mut choices) = (Vec::new(), BTreeMap::new());
        let exploration = explore_states(self.system, &options, &mut (), &mut |instance, packed| {
            let order = orders_of(instance).processes.unwrap_or_else(|| natural.clone());
            let state = state(instance, packed);
            let chosen: Vec<u32> = (constants.iter())
                .map(|(symbol, _)| match state.get(&Cell { symbol: *symbol, indices: Vec::new() }) {
                    Some(Value::Process(process)) => *process,
                    other => panic!("a constant is {other:?}"),
                })
                .collect();
            if order == natural && chosen == meant {
                states.push(places.iter().map(|place| self.leaf(&state, place)).collect());
            }
            *choices.entry((order, chosen)).or_insert(0) += 1;
        });
        let exploration = exploration.expect("small instances can be compiled");
        Explored { exploration, states, choices }
    }

    /// The constants, and which processes they mean; any is good for the one that means nothing.
    fn constants(&self) -> Vec<(SymbolId, u32)> {
        let is_constant =
            |symbol: &&(usize, &polycube_language::system::Symbol)| symbol.1.kind == SymbolKind::Constant;
        let constants: Vec<_> = self.system.symbols.iter().enumerate().collect();
        let constants = constants.iter().filter(is_constant).map(|(at, symbol)| {
            let number =
                symbol.name.strip_prefix("Process_").map(|number| number.parse::<i64>().expect("a number"));
            let process = number.map(|number| self.process(number).expect("a process of the file"));
            (SymbolId(*at as u32), process.unwrap_or(1))
        });
        constants.collect()
    }

    /// The value of a leaf.
    fn leaf(&self, state: &polycube_certificate::State, place: &Place) -> Leaf {
        let cell = place.kind.as_ref().unwrap_or(&place.cell);
        let process = |value: &Value| match value {
            Value::Process(process) => self.elements()[*process as usize - 1],
            other => panic!("{other:?} is no process"),
        };
        let value = |cell: &Cell| state.get(cell).expect("every cell has a value");
        match value(cell) {
            value @ Value::Process(_) => Some(process(value)),
            Value::Constructor(id, at) => {
                let name = &self.system.enumeration(*id).constructors[*at as usize];
                // Names that are taken get a number.
                let is_number = |end: &str| end.chars().all(|letter| letter.is_ascii_digit());
                let plain = name
                    .rsplit_once('_')
                    .filter(|(_, end)| is_number(end))
                    .map_or(&name[..], |(plain, _)| plain);
                match plain {
                    "Undefined" => return None,
                    "Is_process" => return Some(process(value(&place.cell))),
                    _ => {}
                }
                let find = |name: &str| {
                    values(self.model, place.ty).into_iter().find(|value| {
                        let written = self.written(*value, place.ty);
                        name.eq_ignore_ascii_case(&written) || *name == format!("N{written}")
                    })
                };
                Some(
                    find(name)
                        .or_else(|| find(plain))
                        .unwrap_or_else(|| panic!("no value of a leaf is {name}")),
                )
            }
            other => panic!("{other:?} is no value of a leaf"),
        }
    }

    fn check(&self, reached: &Reached, expected: &States, explored: &Explored) -> Result<(), String> {
        let Explored { exploration, states: found, choices } = explored;
        let is_expected_end = if reached.is_complete {
            exploration.end == End::Complete
        } else {
            matches!(exploration.end, End::Depth | End::Complete)
        };
        let distinct: BTreeSet<&State> = found.iter().collect();
        if distinct.len() < found.len() {
            return Err("one state is several states of the system".to_owned());
        }
        let missing = expected.keys().find(|state| !distinct.contains(state));
        let additional = distinct.iter().find(|state| !expected.contains_key(**state));
        if missing.is_some() || additional.is_some() {
            let counts = (expected.len(), found.len());
            return Err(format!("states {counts:?}, missing {missing:?}, additional {additional:?}"));
        }
        if !is_expected_end {
            return Err(format!("it ends by {:?}", exploration.end));
        }
        // The others are renamings of these.
        if let Some((choice, count)) = choices.iter().find(|(_, count)| **count != expected.len() as u64) {
            return Err(format!("{count} states, not {}, for {choice:?}", expected.len()));
        }
        let copies = choices.len() as u64;
        let fired: u64 = expected.values().filter_map(|expanded| expanded.fired).sum();
        if exploration.transitions != copies * fired {
            return Err(format!("{} steps, not {copies} times {fired}", exploration.transitions));
        }
        let properties = self.system.properties.iter().zip(&exploration.reached);
        let violated: BTreeSet<Span> = properties
            .filter(|(_, is_reached)| **is_reached)
            .map(|(property, _)| property.origin.0)
            .collect();
        let invariants: BTreeSet<Span> =
            self.model.invariants.iter().map(|invariant| invariant.span).collect();
        let is_wrong = |span: &&Span| {
            reached.violated.contains(span) != violated.contains(span) && !reached.failing.contains(span)
        };
        if let Some(span) = invariants.iter().find(is_wrong) {
            return Err(format!("invariant {span:?}: violated is {}", violated.contains(span)));
        }
        let errors: BTreeSet<Span> = violated.difference(&invariants).copied().collect();
        if let Some(span) = reached.errors.difference(&errors).next() {
            return Err(format!("the error at {span:?} is not found; found are {errors:?}"));
        }
        // After the first error of a rule, the translation goes on.
        if reached.errors.is_empty() && !errors.is_empty() {
            return Err(format!("there are no errors, but {errors:?} are found"));
        }
        Ok(())
    }
}
