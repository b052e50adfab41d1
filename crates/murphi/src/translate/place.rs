//! Places: where a variable, a part of one, or an alias is.

use polycube_language::formula::{Formula, Term, VariableId};
use polycube_language::span::Span;

use super::layout::{LeafId, Node, NodeId, Role, Symbols};
use super::multiset::Slot;
use super::value::{Atom, Cases, Constant, Domain};
use super::writes::{Write, under};
use super::{MAX_LEAVES, Result, Translator, refuse};
use crate::model::{Base, Expr, LocalId, Place, Selector, TypeId, TypeKind};

/// A node with the processes that are its indices so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub node: NodeId,
    pub indices: Vec<Term>,
}

/// A place by cases, as values are.
pub(super) type Spots = Vec<(Formula, Spot)>;

/// What a bound name stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    Value(Cases),
    Place(Spots),
}

/// What the names of a rule or routine stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Environment {
    bindings: Vec<Option<Binding>>,
}

impl Environment {
    pub fn bind(&mut self, local: LocalId, binding: Binding) {
        let at = local.0 as usize;
        if self.bindings.len() <= at {
            self.bindings.resize(at + 1, None);
        }
        self.bindings[at] = Some(binding);
    }

    pub fn get(&self, local: LocalId) -> &Binding {
        self.bindings[local.0 as usize].as_ref().expect("a name is bound before it is used")
    }
}

impl Translator<'_> {
    /// Where a place is; none if it is a bound name that stands for a value.
    pub(super) fn spots(&mut self, place: &Place, environment: &mut Environment) -> Result<Option<Spots>> {
        let mut spots = match place.base {
            Base::Global(_) => {
                vec![(Formula::TRUE, Spot { node: self.global(place.base), indices: Vec::new() })]
            }
            Base::Local(local) => match environment.get(local) {
                Binding::Value(_) => return Ok(None),
                Binding::Place(spots) => spots.clone(),
            },
        };
        for selector in &place.selectors {
            spots = match selector {
                Selector::Field(at) => spots
                    .into_iter()
                    .map(|(condition, spot)| match self.node(spot.node) {
                        Node::Record(nodes) => (condition, Spot { node: nodes[*at], ..spot }),
                        node => unreachable!("fields are of records: {node:?}"),
                    })
                    .collect(),
                Selector::Index(index) => self.indexed(spots, index, environment)?,
            };
        }
        Ok(Some(spots))
    }

    fn indexed(&mut self, spots: Spots, index: &Expr, environment: &mut Environment) -> Result<Spots> {
        let cases = self.used(index, environment)?;
        let mut found = Vec::new();
        for (outer, spot) in spots {
            let (processes, listed) = match self.node(spot.node).clone() {
                Node::Array { processes, listed } => (processes, listed),
                Node::Multiset { .. } => {
                    let slots = self.slots(spot.node);
                    for (inner, atom) in &cases {
                        let node = slots[self.slot_of(spot.node, atom, index.span)?].element;
                        let condition = Formula::and([outer.clone(), inner.clone()]);
                        found.push((condition, Spot { node, indices: spot.indices.clone() }));
                    }
                    continue;
                }
                node => unreachable!("what is indexed is an array or a multiset: {node:?}"),
            };
            for (inner, atom) in &cases {
                let condition = Formula::and([outer.clone(), inner.clone()]);
                match atom {
                    Atom::Process(process) => match processes {
                        Some(node) => {
                            let indices = spot.indices.iter().chain([process]).cloned().collect();
                            found.push((condition, Spot { node, indices }));
                        }
                        None => return self.not_a_process(index),
                    },
                    Atom::Known(value) if processes.is_some() && value.domain == Domain::Number => {
                        let process = self.literal_of(*value, index.span)?;
                        let indices = spot.indices.iter().chain([&process]).cloned().collect();
                        found.push((condition, Spot { node: processes.expect("processes"), indices }));
                    }
                    Atom::Cell(cell) if processes.is_some() && cell.range.is_some() => {
                        return refuse(index.span, "a number that the state decides is used as a process");
                    }
                    Atom::Number(_) if processes.is_some() => {
                        return refuse(index.span, "a number that the state decides is used as a process");
                    }
                    Atom::Number(number) => {
                        let values: Vec<Constant> = listed.iter().map(|(value, _)| *value).collect();
                        let (cases, outside) = self.within_list(number, &values);
                        for (when, value) in cases {
                            let (_, node) =
                                listed.iter().find(|(known, _)| *known == value).expect("it is listed");
                            let here = Formula::and([condition.clone(), when]);
                            found.push((here, Spot { node: *node, indices: spot.indices.clone() }));
                        }
                        let outside = Formula::and([condition, outside]);
                        self.mishap(outside, "an index is out of range", index.span);
                    }
                    Atom::Known(_) | Atom::Cell(_) => {
                        let mut outside = condition.clone();
                        for (is_value, value) in self.possible(atom) {
                            let here = Formula::and([condition.clone(), is_value]);
                            if let Some((_, node)) = listed.iter().find(|(known, _)| *known == value) {
                                outside = Formula::and([outside, Formula::not(here.clone())]);
                                found.push((here, Spot { node: *node, indices: spot.indices.clone() }));
                            }
                        }
                        self.mishap(outside, "an index is out of range", index.span);
                    }
                    Atom::Undefined => {}
                    Atom::Last => return self.order_matters(),
                }
            }
        }
        Ok(found)
    }

    /// The literal of the type of processes with this number, if it is one of its values.
    pub(super) fn literal_of(&mut self, value: Constant, span: Span) -> Result<Term> {
        match self.least_process() {
            Some(least) if value.domain == Domain::Number && value.number >= least => {
                self.expect_in_file(value.number, span)?;
                Ok(self.literal(value.number))
            }
            _ => refuse(span, "this number is no process"),
        }
    }

    /// A file that speaks of a process which it does not have itself means another thing with its own sizes than with larger
    /// ones.
    pub(super) fn expect_in_file(&self, number: i64, span: Span) -> Result<()> {
        let processes = self.processes.map(|ty| self.model.ty(ty));
        match processes.map(|ty| &ty.kind) {
            Some(TypeKind::Range(_, high)) if number > high.value => {
                let message = format!(
                    "there is no process {number}: with the sizes of the file the last is {}",
                    high.value
                );
                refuse(span, message)
            }
            _ => Ok(()),
        }
    }

    fn not_a_process<T>(&self, index: &Expr) -> Result<T> {
        refuse(index.span, "a process is used as an index of another type")
    }

    /// The values that a known one or a cell can have, and when it has them.
    pub(super) fn possible(&self, atom: &Atom) -> Vec<(Formula, Constant)> {
        match atom {
            Atom::Known(value) => vec![(Formula::TRUE, *value)],
            Atom::Cell(cell) => {
                let coding = self.coding(cell.coding);
                let is_within = |value: &Constant| match cell.range {
                    Some((low, high)) => (low..=high).contains(&value.number),
                    None => true,
                };
                let values = (0..).zip(&coding.values).filter(|(_, value)| is_within(value));
                let is = |(at, value): (u32, &Constant)| {
                    (under(&self.path, coding.is(&cell.term, coding.constructor(at))), *value)
                };
                values.map(is).filter(|(condition, _)| *condition != Formula::FALSE).collect()
            }
            Atom::Number(_) => unreachable!("such a number has values without end, and is treated before"),
            Atom::Process(_) | Atom::Undefined | Atom::Last => Vec::new(),
        }
    }

    /// All leaves below a node, with fresh variables for the arrays over processes between.
    pub(super) fn leaves_below(&mut self, spot: &Spot) -> Vec<(LeafId, Vec<Term>, Vec<VariableId>)> {
        match self.node(spot.node).clone() {
            Node::Leaf(leaf) => vec![(leaf, spot.indices.clone(), Vec::new())],
            Node::Record(nodes) => {
                let below = |node| self.leaves_below(&Spot { node, indices: spot.indices.clone() });
                nodes.into_iter().flat_map(below).collect()
            }
            Node::Array { processes, listed } => {
                let mut found = Vec::new();
                if let Some(node) = processes {
                    let variable = self.fresh("k").id;
                    let indices = spot.indices.iter().cloned().chain([Term::Variable(variable)]).collect();
                    for (leaf, indices, mut bound) in self.leaves_below(&Spot { node, indices }) {
                        bound.insert(0, variable);
                        found.push((leaf, indices, bound));
                    }
                }
                for (_, node) in listed {
                    found.extend(self.leaves_below(&Spot { node, indices: spot.indices.clone() }));
                }
                found
            }
            Node::Multiset { .. } => {
                let mut found = Vec::new();
                for Slot { flag, element } in self.slots(spot.node) {
                    found.push((flag, spot.indices.clone(), Vec::new()));
                    found.extend(self.leaves_below(&Spot { node: element, indices: spot.indices.clone() }));
                }
                found
            }
        }
    }

    /// Writes the same to all leaves of a place.
    pub(super) fn fill(
        &mut self,
        spots: Spots,
        span: Span,
        value: &mut dyn FnMut(&mut Self, LeafId) -> Result<Atom>,
    ) -> Result<()> {
        for (condition, spot) in spots {
            let condition = Formula::and([self.path.clone(), condition]);
            if condition == Formula::FALSE {
                continue;
            }
            for (leaf, indices, bound) in self.leaves_below(&spot) {
                if self.leaf(leaf).symbols == Symbols::Ghost {
                    continue;
                }
                let value = match self.leaf(leaf).role {
                    Role::Part | Role::Element => value(self, leaf)?,
                    Role::Flag => Atom::Known(Constant::FALSE),
                };
                self.may_be(leaf, &value);
                self.log.push(Write { leaf, bound, condition: condition.clone(), indices, value, span });
            }
        }
        Ok(())
    }

    /// Copies one place to another of the same type, leaf by leaf.
    pub(super) fn copy(&mut self, from: &Spot, to: &Spot, span: Span) -> Result<()> {
        match (self.node(from.node).clone(), self.node(to.node).clone()) {
            (Node::Leaf(source), Node::Leaf(target)) => {
                let cases = self.read(source, &from.indices, span)?;
                self.store(target, &to.indices, cases, span)
            }
            (Node::Record(from_nodes), Node::Record(to_nodes)) => {
                for (one, other) in from_nodes.into_iter().zip(to_nodes) {
                    let from = Spot { node: one, indices: from.indices.clone() };
                    self.copy(&from, &Spot { node: other, indices: to.indices.clone() }, span)?;
                }
                Ok(())
            }
            (Node::Array { processes: from_all, listed: from_listed }, Node::Array { processes, listed }) => {
                if let (Some(one), Some(other)) = (from_all, processes) {
                    let variable = self.fresh("k").id;
                    let extended = |spot: &Spot, node| {
                        let indices = spot.indices.iter().cloned().chain([Term::Variable(variable)]);
                        Spot { node, indices: indices.collect() }
                    };
                    let before = self.log.len();
                    self.copy(&extended(from, one), &extended(to, other), span)?;
                    // Each cell is written from its own counterpart: in whatever order, since the two places do
                    // not overlap or are the same.
                    self.log[before..].iter_mut().for_each(|write| write.bound.push(variable));
                }
                for ((_, one), (_, other)) in from_listed.into_iter().zip(listed) {
                    let from = Spot { node: one, indices: from.indices.clone() };
                    self.copy(&from, &Spot { node: other, indices: to.indices.clone() }, span)?;
                }
                Ok(())
            }
            (Node::Multiset { .. }, Node::Multiset { .. }) => self.copy_multiset(from.node, to.node, span),
            _ => unreachable!("both are of the same type"),
        }
    }

    /// A place for a local variable, whose parts are undefined.
    pub(super) fn local_variable(&mut self, name: &str, ty: TypeId, span: Span) -> Result<Spots> {
        if self.parts(ty) > MAX_LEAVES {
            return refuse(span, format!("this has more than {MAX_LEAVES} parts"));
        }
        let node = self.lay_out(&[name.to_owned()], ty);
        Ok(vec![(Formula::TRUE, Spot { node, indices: Vec::new() })])
    }
}
