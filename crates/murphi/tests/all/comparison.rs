//! The translation against an interpreter: the same states, steps and errors.
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

use std::collections::{BTreeMap, BTreeSet};

use polycube_certificate::{Cell, Value};
use polycube_engine::forward::{
    End, Exploration, Goal, Limits, Options, Reduction, explore_states, orders_of, state,
};
use polycube_language::System;
use polycube_language::span::Span;
use polycube_language::system::{SymbolId, SymbolKind};
use polycube_murphi::model::{Model, TypeId, TypeKind};

use crate::interpreter::{Expanded, Leaf, Reached, State, values};

/// A model, and what it was translated to.
pub struct Comparison<'c> {
    pub model: &'c Model,
    pub system: &'c System,
    /// None at the sizes of the file.
    pub processes: Option<TypeId>,
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

/// A leaf as Murphi writes it, with a gap for each of the processes behind it, and its type.
type NamedLeaf = (Vec<String>, Vec<u32>, TypeId);

/// States without the leaves that are left out, and what is known of them.
type States = BTreeMap<State, Expanded>;

impl Comparison<'_> {
    /// Compares what the interpreter has reached with what the engine reaches. Whether some leaf is left out.
    ///
    /// # Errors
    ///
    /// How they differ.
    pub fn compare(&self, reached: &Reached) -> Result<bool, String> {
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

    /// Each leaf as Murphi writes it, with gaps for the processes that are its indices, these, and its type.
    fn leaves(&self) -> Vec<NamedLeaf> {
        let mut found = Vec::new();
        for variable in &self.model.globals {
            self.add_leaves(vec![variable.name.clone()], &[], variable.ty, &mut found);
        }
        found
    }

    fn add_leaves(&self, name: Vec<String>, indices: &[u32], ty: TypeId, found: &mut Vec<NamedLeaf>) {
        let extended = |text: String| {
            let (last, before) = name.split_last().expect("a name has a first part");
            [before, &[format!("{last}{text}")]].concat()
        };
        match &self.model.ty(ty).kind {
            TypeKind::Record(fields) => {
                for (field, ty) in fields {
                    self.add_leaves(extended(format!(".{field}")), indices, *ty, found);
                }
            }
            TypeKind::Array { index, element } => {
                for value in values(self.model, *index) {
                    match self.process(value) {
                        Some(process) if self.holds_processes(*index) => {
                            let name = [extended("[".to_owned()), vec!["]".to_owned()]].concat();
                            self.add_leaves(name, &[indices, &[process]].concat(), *element, found);
                        }
                        _ => {
                            let name = extended(format!("[{}]", self.written(value, *index)));
                            self.add_leaves(name, indices, *element, found);
                        }
                    }
                }
            }
            TypeKind::Multiset { size, element } => {
                for slot in 0..size.value {
                    let flag = extended(format!("{{{slot}}}.present"));
                    found.push((flag, indices.to_vec(), TypeId::BOOLEAN));
                    self.add_leaves(extended(format!("{{{slot}}}")), indices, *element, found);
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
        let Some(processes) = self.processes else { return false };
        match &self.model.ty(ty).kind {
            TypeKind::Union(members) => members.contains(&processes),
            // A range may be written where it is used.
            TypeKind::Range(low, high) if !low.constants.is_empty() || !high.constants.is_empty() => {
                self.model.ty(ty).kind == self.model.ty(processes).kind
            }
            _ => ty == processes,
        }
    }

    /// The process that a value is.
    fn process(&self, value: i64) -> Option<u32> {
        let at = self.elements().iter().position(|known| *known == value)?;
        Some(at as u32 + 1)
    }

    /// What keeps a leaf, if it is not left out: a symbol that is no kind.
    fn symbol(&self, name: &[String]) -> Option<SymbolId> {
        let words = &self.system.words;
        let is_kind = |symbol: SymbolId| words.guarded.values().any(|guarded| guarded.by == symbol);
        words
            .cells
            .iter()
            .find(|(symbol, known)| *known == name && !is_kind(**symbol))
            .map(|(symbol, _)| *symbol)
    }

    /// Where the leaves are that are not left out, with their numbers.
    fn places(&self) -> Vec<(usize, Place)> {
        let mut found = Vec::new();
        for (at, (name, indices, ty)) in self.leaves().into_iter().enumerate() {
            let Some(symbol) = self.symbol(&name) else { continue };
            let kind = self.system.words.guarded.get(&symbol);
            let kind = kind.map(|guarded| Cell { symbol: guarded.by, indices: indices.clone() });
            found.push((at, Place { cell: Cell { symbol, indices }, kind, ty }));
        }
        let is_place = |symbol: SymbolId| {
            found.iter().any(|(_, place)| {
                place.cell.symbol == symbol || place.kind.as_ref().is_some_and(|kind| kind.symbol == symbol)
            })
        };
        // What is counted besides is no part of a state.
        for (at, symbol) in self.system.symbols[..self.system.declared()].iter().enumerate() {
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
        let positions: BTreeMap<(&[String], &[u32]), usize> = names
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
            let number = symbol
                .name
                .strip_prefix("Process_")
                .map(|number| number.replace("minus_", "-").parse().expect("a number"));
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
        let number = |value: &Value| match value {
            Value::Number(number) => {
                number.to_ratio().map(|(number, _)| number as i64).expect("a small number")
            }
            value => process(value),
        };
        match value(cell) {
            value @ (Value::Process(_) | Value::Number(_)) => Some(number(value)),
            Value::Constructor(id, at) => {
                let guarded = self.system.words.guarded.get(&place.cell.symbol);
                if guarded.is_some_and(|guarded| guarded.counts == *at) {
                    return Some(number(value(&place.cell)));
                }
                let word = match self.system.words.constructors.get(&(*id, *at)) {
                    Some(word) => word.clone(),
                    None => self.system.enumeration(*id).constructors[*at as usize].to_ascii_lowercase(),
                };
                if word == "undefined" {
                    return None;
                }
                let found = values(self.model, place.ty)
                    .into_iter()
                    .find(|value| self.written(*value, place.ty) == word);
                Some(found.unwrap_or_else(|| panic!("no value of a leaf is {word}")))
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
