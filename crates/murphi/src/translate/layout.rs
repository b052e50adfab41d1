//! The parts of variables, down to those without parts: leaves.
//!
//! A record has a node for each field. An array over the processes has one node, whose leaves have one more
//! index. An array over another type has a node for each value of its index. So a leaf is a symbol of the
//! system, with as many dimensions as there are arrays over processes around it. A multiset has a node for each slot,
//! and a leaf that says whether there is an element in it.

use std::collections::BTreeSet;

use polycube_language::formula::Linear;
use polycube_language::system::SymbolId;

use super::Translator;
use super::multiset::Slot;
use super::value::{CodingId, Constant, Domain};
use crate::model::{Base, TypeId, TypeKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LeafId(pub u32);

#[derive(Clone, Debug)]
pub(super) enum Node {
    Leaf(LeafId),
    Record(Vec<NodeId>),
    Array { processes: Option<NodeId>, listed: Vec<(Constant, NodeId)> },
    Multiset { slots: Vec<Slot>, element: TypeId },
}

#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// As it is written in Murphi, with a gap for each index.
    pub name: Vec<String>,
    pub ty: TypeId,
    /// Constant values that it can hold.
    pub values: Vec<Constant>,
    /// Between which numbers it is, if how many there are depends on the number of processes.
    pub bounds: Option<[Linear; 2]>,
    /// Whether it can hold processes.
    pub has_process: bool,
    /// Where it is kept; nothing for local variables.
    pub symbols: Symbols,
    pub role: Role,
}

/// What a leaf is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It holds what the file says.
    Part,
    /// The same, of an element of a multiset.
    Element,
    /// It says whether there is an element in a slot of a multiset, and is never undefined.
    Flag,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbols {
    /// Of a local variable.
    Local,
    /// Left out.
    Ghost,
    Finite(SymbolId, CodingId),
    /// A number of any size; and what says whether it is one.
    Counter(SymbolId, Option<(SymbolId, CodingId)>),
    /// A process; and what it is if it is none.
    Process(SymbolId, Option<(SymbolId, CodingId)>),
}

impl Leaf {
    /// What its values are; those of a union of several are of the union.
    pub fn domain(&self) -> Domain {
        let domains: BTreeSet<Domain> = self.values.iter().map(|value| value.domain).collect();
        match (domains.first(), domains.len()) {
            (Some(domain), 1) => *domain,
            _ => Domain::Type(self.ty),
        }
    }

    /// The bounds of its numbers, if its values are numbers.
    pub fn range(&self) -> Option<(i64, i64)> {
        let (first, last) = (self.values.first()?, self.values.last()?);
        (self.domain() == Domain::Number).then_some((first.number, last.number))
    }
}

impl Translator<'_> {
    /// The node of a variable of this type. Its leaves have no symbols yet.
    pub(super) fn lay_out(&mut self, name: &[String], ty: TypeId) -> NodeId {
        self.lay_out_as(name, ty, Role::Part)
    }

    /// A slot for an element of this type.
    pub(super) fn lay_out_slot(&mut self, name: &[String], element: TypeId) -> Slot {
        let flag = self.add_leaf(&extended(name, ".present"), TypeId::BOOLEAN, Role::Flag);
        Slot { flag, element: self.lay_out_as(name, element, Role::Element) }
    }

    fn lay_out_as(&mut self, name: &[String], ty: TypeId, role: Role) -> NodeId {
        let model = self.model;
        let node = match &model.ty(ty).kind {
            TypeKind::Record(fields) => {
                let nodes = fields
                    .iter()
                    .map(|(field, ty)| self.lay_out_as(&extended(name, &format!(".{field}")), *ty, role));
                Node::Record(nodes.collect())
            }
            TypeKind::Array { index, element } => {
                let processes = self.has_process(*index).then(|| {
                    let mut inner = extended(name, "[");
                    inner.push("]".to_owned());
                    self.lay_out_as(&inner, *element, role)
                });
                let listed = self.values(*index).into_iter().map(|value| {
                    let inner = extended(name, &format!("[{}]", self.written(value)));
                    (value, self.lay_out_as(&inner, *element, role))
                });
                Node::Array { processes, listed: listed.collect() }
            }
            TypeKind::Multiset { size, element } => {
                let slots = (0..size.value)
                    .map(|slot| self.lay_out_slot(&extended(name, &format!("{{{slot}}}")), *element));
                Node::Multiset { slots: slots.collect(), element: *element }
            }
            _ => Node::Leaf(self.add_leaf(name, ty, role)),
        };
        self.nodes.push(node);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// How many leaves a type has.
    pub(super) fn parts(&self, ty: TypeId) -> usize {
        self.model.measured(ty, |kind, of| match kind {
            TypeKind::Record(fields) => {
                fields.iter().fold(0, |sum: usize, (_, ty)| sum.saturating_add(of(*ty)))
            }
            TypeKind::Array { index, element } => {
                let count = self.values(*index).len() + usize::from(self.has_process(*index));
                count.saturating_mul(of(*element))
            }
            TypeKind::Multiset { size, element } => {
                (size.value as usize).saturating_mul(of(*element).saturating_add(1))
            }
            _ => 1,
        })
    }

    fn add_leaf(&mut self, name: &[String], ty: TypeId, role: Role) -> LeafId {
        let (values, has_process, bounds) = (self.values(ty), self.has_process(ty), self.bounds(ty));
        self.leaves.push(Leaf {
            name: name.to_vec(),
            ty,
            values,
            bounds,
            has_process,
            symbols: Symbols::Local,
            role,
        });
        LeafId(self.leaves.len() as u32 - 1)
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn leaf(&self, id: LeafId) -> &Leaf {
        &self.leaves[id.0 as usize]
    }

    pub(super) fn global(&self, base: Base) -> NodeId {
        let Base::Global(at) = base else { unreachable!("only variables of the state are asked for") };
        self.globals[at as usize]
    }
}

fn extended(name: &[String], text: &str) -> Vec<String> {
    let mut name = name.to_vec();
    name.last_mut().expect("a name has a first part").push_str(text);
    name
}
