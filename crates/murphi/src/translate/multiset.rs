//! Multisets, at the sizes of the file: slots for elements, each with a flag that says whether one is there.
//!
//! Before and after a step, the elements are in the first slots, in the order in which they were added: a bag of n
//! different elements is up to n! states. Nothing depends on that order, since no index can be kept. So the states are
//! more than those of CMurphi, which sorts the elements, but not what happens in them; and `choose` takes one of several
//! equal elements.
//!
//! Within a step, an element that is removed leaves a gap, so that other indices and aliases stay where they are. Gaps
//! are closed at the end. What is added may fill a gap: then what meant the removed element must not be used any more.

use std::collections::BTreeSet;

use polycube_language::formula::{Formula, Relation};
use polycube_language::span::Span;

use super::layout::{LeafId, Node, NodeId};
use super::place::{Binding, Environment, Spot, Spots};
use super::value::{Atom, Cases, Constant, Domain, compare, known};
use super::writes::{MAX_SIZE, under};
use super::{Result, Translator, refuse};
use crate::model::{Elements, Expr, ExprKind, LocalId, Place};

/// A slot of a multiset.
#[derive(Clone, Copy, Debug)]
struct Slot {
    flag: LeafId,
    element: NodeId,
}

/// What is added.
enum Added {
    Value(Cases),
    /// A record or an array, which is copied.
    From(Spots),
}

impl Translator<'_> {
    fn slots(&self, multiset: NodeId) -> Vec<Slot> {
        match self.node(multiset) {
            Node::Multiset { flags, slots } => {
                let all = flags.iter().zip(slots);
                all.map(|(&flag, &element)| Slot { flag, element }).collect()
            }
            node => unreachable!("multisets have slots: {node:?}"),
        }
    }

    /// Where a multiset is.
    fn multisets(&mut self, place: &Place, environment: &mut Environment) -> Result<Spots> {
        match self.spots(place, environment)? {
            Some(spots) => Ok(spots),
            None => refuse(place.span, "this name stands for a value, not for a multiset"),
        }
    }

    /// When there is an element in a slot.
    fn is_taken(&mut self, slot: Slot, span: Span) -> Result<Formula> {
        let cases = self.read(slot.flag, &[], span)?;
        Ok(under(&self.path, self.is_true(cases)))
    }

    fn set_flag(&mut self, slot: Slot, value: Constant, span: Span) -> Result<()> {
        self.store(slot.flag, &[], known(value), span)
    }

    /// Takes the element out of a slot.
    fn empty(&mut self, slot: Slot, span: Span) -> Result<()> {
        let spot = Spot { node: slot.element, indices: Vec::new() };
        self.fill(vec![(Formula::TRUE, spot)], span, &mut |_, _| Ok(Atom::Undefined))?;
        self.set_flag(slot, Constant::FALSE, span)
    }

    /// `multisetadd(value, multiset)`
    pub(super) fn multiset_add(
        &mut self,
        place: &Place,
        value: &Expr,
        environment: &mut Environment,
        span: Span,
    ) -> Result<()> {
        let is_whole = |spots: &Spots, translator: &Self| {
            spots.iter().any(|(_, spot)| !matches!(translator.node(spot.node), Node::Leaf(_)))
        };
        let from = match &value.kind {
            ExprKind::Place(place) => self.spots(place, environment)?.filter(|spots| is_whole(spots, self)),
            _ => None,
        };
        let added = match from {
            Some(from) => Added::From(from),
            None => Added::Value(self.value(value, environment)?),
        };
        for (condition, spot) in self.multisets(place, environment)? {
            self.within(condition, |translator| translator.add(spot.node, &added, span))?;
        }
        Ok(())
    }

    /// Into the first free slot.
    fn add(&mut self, multiset: NodeId, added: &Added, span: Span) -> Result<()> {
        let slots = self.slots(multiset);
        let gaps = self.gaps.get(&multiset).cloned().unwrap_or_default();
        let mut is_full = Formula::TRUE;
        let mut free = Vec::new();
        for &slot in &slots {
            let is_taken = self.is_taken(slot, span)?;
            free.push(Formula::and([is_full.clone(), Formula::not(is_taken.clone())]));
            // Without gaps, a slot that is taken is behind others that are.
            is_full = if gaps.is_empty() { is_taken } else { Formula::and([is_full, is_taken]) };
        }
        self.mishap(is_full, "a multiset is full", span);
        for gap in gaps {
            let below = self.nodes_below(slots[gap].element);
            self.reused.extend(below);
        }
        for (slot, is_free) in slots.into_iter().zip(free) {
            self.within(is_free, |translator| {
                if translator.path == Formula::FALSE {
                    return Ok(());
                }
                translator.put(slot.element, added, span)?;
                translator.set_flag(slot, Constant::TRUE, span)
            })?;
        }
        Ok(())
    }

    fn put(&mut self, element: NodeId, added: &Added, span: Span) -> Result<()> {
        let to = Spot { node: element, indices: Vec::new() };
        match (added, self.node(element)) {
            (Added::Value(cases), Node::Leaf(leaf)) => self.store(*leaf, &[], cases.clone(), span),
            (Added::Value(_), _) => {
                refuse(span, "whole records and arrays can only be copied from variables")
            }
            (Added::From(from), _) => {
                for (condition, spot) in from {
                    self.within(condition.clone(), |translator| translator.copy(spot, &to, span))?;
                }
                Ok(())
            }
        }
    }

    /// `multisetremove(index, multiset)`
    pub(super) fn multiset_remove(
        &mut self,
        place: &Place,
        index: &Expr,
        environment: &mut Environment,
        span: Span,
    ) -> Result<()> {
        let indices = self.used(index, environment)?;
        for (outer, spot) in self.multisets(place, environment)? {
            for (inner, atom) in &indices {
                let slot = self.slot_of(spot.node, atom, index.span)?;
                let here = Formula::and([outer.clone(), inner.clone()]);
                self.within(here, |translator| {
                    let slots = translator.slots(spot.node);
                    if translator.path == Formula::FALSE {
                        return Ok(());
                    }
                    let is_gone = Formula::not(translator.is_taken(slots[slot], span)?);
                    translator.mishap(is_gone, "an element is removed that is not there", span);
                    translator.remove(spot.node, slot, span)
                })?;
            }
        }
        Ok(())
    }

    fn remove(&mut self, multiset: NodeId, slot: usize, span: Span) -> Result<()> {
        self.gaps.entry(multiset).or_default().insert(slot);
        self.empty(self.slots(multiset)[slot], span)
    }

    /// The slot that an index of an element means.
    pub(super) fn slot_of(&self, multiset: NodeId, index: &Atom, span: Span) -> Result<usize> {
        let slot = match index {
            Atom::Known(Constant { domain: Domain::Slot(of), number }) if *of == multiset => *number as usize,
            _ => return refuse(span, "this index belongs to an element of another multiset"),
        };
        let element = self.slots(multiset)[slot].element;
        if self.reused.contains(&element) && !self.visited.contains(&element) {
            return refuse(span, "this element may have been removed, and its place may hold another one");
        }
        Ok(slot)
    }

    /// For each slot, when there is an element in it for which the condition holds.
    fn satisfying(
        &mut self,
        elements: &Elements,
        multiset: NodeId,
        environment: &mut Environment,
        act: &mut dyn FnMut(&mut Self, usize, Formula) -> Result<()>,
    ) -> Result<()> {
        let span = elements.multiset.span;
        for (at, slot) in self.slots(multiset).into_iter().enumerate() {
            let is_taken = self.is_taken(slot, span)?;
            let index = Constant { domain: Domain::Slot(multiset), number: at as i64 };
            environment.bind(elements.index, Binding::Value(known(index)));
            self.visited.push(slot.element);
            let holds = self.within(is_taken.clone(), |translator| {
                translator
                    .without_effect(span, |translator| translator.condition(&elements.condition, environment))
            });
            self.visited.pop();
            act(self, at, Formula::and([is_taken, holds?]))?;
        }
        Ok(())
    }

    /// `multisetremovepred(i : multiset, condition)`
    pub(super) fn multiset_remove_all(
        &mut self,
        elements: &Elements,
        environment: &mut Environment,
        span: Span,
    ) -> Result<()> {
        for (condition, spot) in self.multisets(&elements.multiset, environment)? {
            let flags: BTreeSet<LeafId> = self.slots(spot.node).into_iter().map(|slot| slot.flag).collect();
            let mut reads = self.reads.len() + 1;
            let mut act = |translator: &mut Self, slot: usize, holds: Formula| {
                // The first read is the one of the flag.
                let counted = translator.reads[reads..].iter().any(|read| flags.contains(&read.leaf));
                if counted {
                    return refuse(span, "which elements are removed depends on the order of the elements");
                }
                translator.within(holds, |translator| match translator.path {
                    Formula::FALSE => Ok(()),
                    _ => translator.remove(spot.node, slot, span),
                })?;
                reads = translator.reads.len() + 1;
                Ok(())
            };
            self.within(condition, |translator| {
                translator.satisfying(elements, spot.node, environment, &mut act)
            })?;
        }
        Ok(())
    }

    /// `multisetcount(i : multiset, condition)`
    pub(super) fn multiset_count(
        &mut self,
        elements: &Elements,
        environment: &mut Environment,
        span: Span,
    ) -> Result<Cases> {
        let mut cases = Vec::new();
        for (condition, spot) in self.multisets(&elements.multiset, environment)? {
            let mut holding: Vec<Formula> = Vec::new();
            let are_all = self.within(condition.clone(), |translator| {
                translator.satisfying(elements, spot.node, environment, &mut |_, _, holds| {
                    holding.push(holds);
                    Ok(())
                })?;
                translator.are_all(&spot, &holding, span)
            })?;
            let counts = if are_all { in_front(&holding) } else { counted(&holding, span)? };
            cases.extend((0..).zip(counts).map(|(number, count)| {
                (Formula::and([condition.clone(), count]), Atom::Known(Constant::number(number)))
            }));
        }
        Ok(super::value::merged(cases))
    }

    /// Whether these are all elements, and without gaps.
    fn are_all(&mut self, spot: &Spot, holding: &[Formula], span: Span) -> Result<bool> {
        if self.gaps.contains_key(&spot.node) {
            return Ok(false);
        }
        for (slot, holds) in self.slots(spot.node).into_iter().zip(holding) {
            if self.is_taken(slot, span)? != *holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Binds the index that `choose` takes. When there is such an element, and none before it that is equal.
    pub(super) fn choose(
        &mut self,
        local: LocalId,
        place: &Place,
        slot: usize,
        environment: &mut Environment,
    ) -> Result<Formula> {
        let (mut cases, mut chosen) = (Vec::new(), Vec::new());
        for (condition, spot) in self.multisets(place, environment)? {
            let slots = self.slots(spot.node);
            let mut parts = vec![condition.clone(), self.is_taken(slots[slot], place.span)?];
            for before in &slots[..slot] {
                let equal = self.are_equal(before.element, slots[slot].element, place.span)?;
                parts.push(Formula::not(equal));
            }
            chosen.push(Formula::and(parts));
            let index = Constant { domain: Domain::Slot(spot.node), number: slot as i64 };
            cases.push((condition, Atom::Known(index)));
        }
        environment.bind(local, Binding::Value(cases));
        Ok(Formula::or(chosen))
    }

    /// When two elements are equal, in their undefined parts as well.
    fn are_equal(&mut self, one: NodeId, other: NodeId, span: Span) -> Result<Formula> {
        let [one, other] = [one, other].map(|node| self.leaves_below(&Spot { node, indices: Vec::new() }));
        let mut parts = Vec::new();
        for ((one, ..), (other, ..)) in one.into_iter().zip(other) {
            let (left, right) = (self.read(one, &[], span)?, self.read(other, &[], span)?);
            let mut same = Vec::new();
            for (when, left) in &left {
                for (and_when, right) in &right {
                    same.push(Formula::and([when.clone(), and_when.clone(), self.are_same(left, right)]));
                }
            }
            parts.push(Formula::or(same));
        }
        Ok(Formula::and(parts))
    }

    fn are_same(&self, one: &Atom, other: &Atom) -> Formula {
        match (one, other) {
            (Atom::Cell(one), Atom::Cell(other)) if one.coding == other.coding => {
                compare(one.term.clone(), Relation::Equal, other.term.clone(), self.coding(one.coding).ty())
            }
            // Where the codings differ, only one of them can be undefined.
            (one, other) => {
                let right = self.possible(other);
                let pairs = self.possible(one).into_iter().flat_map(|(when, value)| {
                    let same = right.iter().filter(move |(_, other)| *other == value);
                    same.map(move |(and_when, _)| Formula::and([when.clone(), and_when.clone()]))
                });
                Formula::or(pairs.collect::<Vec<_>>())
            }
        }
    }

    /// Moves elements into the gaps before them. From the last gap to the first: behind each of them there is no other.
    pub(super) fn close_gaps(&mut self, span: Span) -> Result<()> {
        for (multiset, gaps) in std::mem::take(&mut self.gaps) {
            let slots = self.slots(multiset);
            for gap in gaps.into_iter().rev() {
                for pair in slots[gap..].windows(2) {
                    let is_gap = Formula::not(self.is_taken(pair[0], span)?);
                    self.within(is_gap, |translator| {
                        if translator.path == Formula::FALSE
                            || translator.is_taken(pair[1], span)? == Formula::FALSE
                        {
                            return Ok(());
                        }
                        let [to, from] =
                            [pair[0], pair[1]].map(|slot| Spot { node: slot.element, indices: Vec::new() });
                        translator.copy(&from, &to, span)?;
                        let flag = translator.read(pair[1].flag, &[], span)?;
                        translator.store(pair[0].flag, &[], flag, span)?;
                        translator.empty(pair[1], span)
                    })?;
                }
            }
        }
        Ok(())
    }
}

/// When the first n of some conditions hold, for each n, if each holds where the next one does.
fn in_front(holding: &[Formula]) -> Vec<Formula> {
    let before = std::iter::once(Formula::TRUE).chain(holding.iter().cloned());
    let behind = holding.iter().cloned().chain([Formula::FALSE]);
    before.zip(behind).map(|(before, behind)| Formula::and([before, Formula::not(behind)])).collect()
}

/// When n of some conditions hold, for each n.
fn counted(holding: &[Formula], span: Span) -> Result<Vec<Formula>> {
    let mut counts = vec![Formula::TRUE];
    for holds in holding {
        let not = Formula::not(holds.clone());
        let stay =
            counts.iter().map(|count| Formula::and([count.clone(), not.clone()])).chain([Formula::FALSE]);
        let more = counts.iter().map(|count| Formula::and([count.clone(), holds.clone()]));
        let more = std::iter::once(Formula::FALSE).chain(more);
        counts = stay.zip(more).map(|(stay, more)| Formula::or([stay, more])).collect();
        if counts.iter().map(Formula::size).sum::<usize>() > MAX_SIZE {
            return refuse(span, "this number has too many cases");
        }
    }
    Ok(counts)
}
