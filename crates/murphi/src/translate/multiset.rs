//! Multisets, at the sizes of the file: slots for elements, each with a flag that says whether one is there.
//!
//! Before and after a step, the elements are in the first slots. They are sorted, as in CMurphi, if that takes few words;
//! else they are in the order in which they were added, and a bag of n different elements is up to n! states. Nothing else
//! depends on their order, since no index can be kept.
//!
//! Within a step, an element that is removed leaves a gap, and one that is added has a slot of its own: so indices and
//! aliases stay where they are. At the end, gaps are closed and what was added is moved to its place. What means an
//! element that was removed means something undefined until then; CMurphi may have put another element there.

use std::collections::BTreeSet;

use polycube_language::formula::{Formula, Relation};
use polycube_language::span::Span;

use super::layout::{LeafId, Node, NodeId, Role, Symbols};
use super::place::{Binding, Environment, Spot, Spots};
use super::value::{Atom, Cases, Constant, Domain, compare, known, merged};
use super::writes::under;
use super::{Result, Translator, refuse, too_many_cases};
use crate::model::{Elements, Expr, ExprKind, LocalId, Place, TypeId};

/// Elements are sorted if no more than this many pairs of values are compared for it.
const MAX_COMPARED: usize = 1000;

/// A slot of a multiset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub flag: LeafId,
    pub element: NodeId,
}

/// What the body that is being run has done to a multiset.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// The slots from which elements were removed. In the others, each element is behind another one, or in the first.
    gaps: BTreeSet<usize>,
    /// Local variables with what was added.
    added: Vec<Slot>,
}

/// What is added.
enum Added {
    Value(Cases),
    /// A record or an array, which is copied.
    From(Spots),
}

impl Translator<'_> {
    /// The slots that are kept.
    fn kept(&self, multiset: NodeId) -> Vec<Slot> {
        match self.node(multiset) {
            Node::Multiset { slots, .. } => slots.clone(),
            node => unreachable!("multisets have slots: {node:?}"),
        }
    }

    /// All slots: those that are kept, and those of what was added.
    pub(super) fn slots(&self, multiset: NodeId) -> Vec<Slot> {
        let added = self.changes.get(&multiset).map_or(&[][..], |changes| &changes.added);
        [&self.kept(multiset), added].concat()
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

    fn are_taken(&mut self, slots: &[Slot], span: Span) -> Result<Vec<Formula>> {
        slots.iter().map(|slot| self.is_taken(*slot, span)).collect()
    }

    /// Copies a slot, whether there is an element in it or not.
    fn move_to(&mut self, to: Slot, from: Slot, span: Span) -> Result<()> {
        let flag = self.read(from.flag, &[], span)?;
        self.store(to.flag, &[], flag, span)?;
        let [from, to] = [from, to].map(|slot| Spot { node: slot.element, indices: Vec::new() });
        self.copy(&from, &to, span)
    }

    /// Takes the element out of a slot.
    fn empty(&mut self, slot: Slot, span: Span) -> Result<()> {
        let spot = Spot { node: slot.element, indices: Vec::new() };
        self.fill(vec![(Formula::TRUE, spot)], span, &mut |_, _| Ok(Atom::Undefined))?;
        self.store(slot.flag, &[], known(Constant::FALSE), span)
    }

    /// How many elements there are: for each number, when it is that.
    fn sizes(&mut self, multiset: NodeId, span: Span) -> Result<Vec<Formula>> {
        let Changes { gaps, added } = self.changes.get(&multiset).cloned().unwrap_or_default();
        let (gaps, others): (Vec<_>, Vec<_>) =
            self.kept(multiset).into_iter().enumerate().partition(|(at, _)| gaps.contains(at));
        let slots = |slots: Vec<(usize, Slot)>| slots.into_iter().map(|(_, slot)| slot).collect::<Vec<_>>();
        let others = self.are_taken(&slots(others), span)?;
        let single = self.are_taken(&[slots(gaps), added].concat(), span)?;
        let (others, single) = (in_front(&others), counted(&single, self.room, span)?);
        let mut sizes = vec![Vec::new(); others.len() + single.len() - 1];
        for (one, when) in others.iter().enumerate() {
            for (other, and_when) in single.iter().enumerate() {
                sizes[one + other].push(Formula::and([when.clone(), and_when.clone()]));
            }
        }
        Ok(sizes.into_iter().map(Formula::or).collect())
    }

    /// `multisetadd(value, multiset)`
    pub(super) fn multiset_add(
        &mut self,
        place: &Place,
        value: &Expr,
        environment: &mut Environment,
        span: Span,
    ) -> Result<()> {
        let from = match &value.kind {
            ExprKind::Place(place) => self.spots(place, environment)?,
            _ => None,
        };
        let is_leaf = |(_, spot): &(Formula, Spot)| matches!(self.node(spot.node), Node::Leaf(_));
        let added = match from {
            Some(from) if !from.iter().all(is_leaf) => Added::From(from),
            _ => Added::Value(self.value(value, environment)?),
        };
        for (condition, spot) in self.multisets(place, environment)? {
            self.within(condition, |translator| translator.add(spot.node, &added, span))?;
        }
        Ok(())
    }

    fn add(&mut self, multiset: NodeId, added: &Added, span: Span) -> Result<()> {
        let Node::Multiset { slots, element } = self.node(multiset) else { unreachable!("it is a multiset") };
        let (room, element) = (slots.len(), *element);
        if self.path == Formula::FALSE {
            return Ok(());
        }
        let full = self.sizes(multiset, span)?.split_off(room);
        self.mishap(Formula::or(full), "a multiset is full", span);
        let slot = self.free_slot(multiset, element, span)?;
        self.store(slot.flag, &[], known(Constant::TRUE), span)?;
        let to = Spot { node: slot.element, indices: Vec::new() };
        match (added, self.node(slot.element)) {
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

    /// A slot for what is added to a multiset: one that is free wherever this place is reached, or a new one.
    fn free_slot(&mut self, multiset: NodeId, element: TypeId, span: Span) -> Result<Slot> {
        for slot in self.changes.get(&multiset).cloned().unwrap_or_default().added {
            if self.is_taken(slot, span)? == Formula::FALSE {
                return Ok(slot);
            }
        }
        Ok(self.new_slot(multiset, element))
    }

    fn new_slot(&mut self, multiset: NodeId, element: TypeId) -> Slot {
        let slot = self.lay_out_slot(&["added".to_owned()], element);
        self.changes.entry(multiset).or_default().added.push(slot);
        slot
    }

    /// One multiset becomes another one.
    pub(super) fn copy_multiset(&mut self, from: NodeId, to: NodeId, span: Span) -> Result<()> {
        if from == to {
            return Ok(());
        }
        let Node::Multiset { element, .. } = *self.node(to) else { unreachable!("it is a multiset") };
        for slot in self.changes.get(&to).cloned().unwrap_or_default().added {
            self.empty(slot, span)?;
        }
        for (one, other) in self.kept(from).into_iter().zip(self.kept(to)) {
            self.move_to(other, one, span)?;
        }
        if let Some(changes) = self.changes.get(&from).cloned() {
            self.changes.entry(to).or_default().gaps.extend(changes.gaps);
            for slot in changes.added {
                let copied = self.new_slot(to, element);
                self.move_to(copied, slot, span)?;
            }
        }
        Ok(())
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
                let at = self.slot_of(spot.node, atom, index.span)?;
                let slot = self.slots(spot.node)[at];
                let here = Formula::and([outer.clone(), inner.clone()]);
                self.within(here, |translator| {
                    let is_gone = Formula::not(translator.is_taken(slot, span)?);
                    translator.mishap(is_gone, "an element is removed that is not there", span);
                    translator.remove(spot.node, at, span)
                })?;
            }
        }
        Ok(())
    }

    fn remove(&mut self, multiset: NodeId, at: usize, span: Span) -> Result<()> {
        if self.path == Formula::FALSE {
            return Ok(());
        }
        if at < self.kept(multiset).len() {
            self.changes.entry(multiset).or_default().gaps.insert(at);
        }
        self.empty(self.slots(multiset)[at], span)
    }

    /// The slot that an index of an element means.
    pub(super) fn slot_of(&self, multiset: NodeId, index: &Atom, span: Span) -> Result<usize> {
        match index {
            Atom::Known(Constant { domain: Domain::Slot(of), number }) if *of == multiset => {
                Ok(*number as usize)
            }
            _ => refuse(span, "this index belongs to an element of another multiset"),
        }
    }

    /// When there is an element in a slot for which the condition holds.
    fn satisfies(
        &mut self,
        elements: &Elements,
        (multiset, at): (NodeId, usize),
        environment: &mut Environment,
    ) -> Result<Formula> {
        let span = elements.condition.span;
        let is_taken = self.is_taken(self.slots(multiset)[at], span)?;
        let index = Constant { domain: Domain::Slot(multiset), number: at as i64 };
        environment.bind(elements.index, Binding::Value(known(index)));
        let holds = self.within(is_taken.clone(), |translator| {
            translator
                .without_effect(span, |translator| translator.condition(&elements.condition, environment))
        })?;
        Ok(Formula::and([is_taken, holds]))
    }

    /// `multisetremovepred(i : multiset, condition)`
    pub(super) fn multiset_remove_all(
        &mut self,
        elements: &Elements,
        environment: &mut Environment,
        span: Span,
    ) -> Result<()> {
        for (condition, spot) in self.multisets(&elements.multiset, environment)? {
            self.within(condition, |translator| {
                let slots = translator.slots(spot.node);
                for at in 0..slots.len() {
                    // One read is that of the flag.
                    let reads = translator.reads.len() + 1;
                    let holds = translator.satisfies(elements, (spot.node, at), environment)?;
                    let is_flag = |leaf: LeafId| slots.iter().any(|slot| slot.flag == leaf);
                    if translator.reads[reads..].iter().any(|read| is_flag(read.leaf)) {
                        return refuse(span, "which elements are removed depends on which one is first");
                    }
                    translator.within(holds, |translator| translator.remove(spot.node, at, span))?;
                }
                Ok(())
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
            let counts = self.within(condition.clone(), |translator| {
                let slots = translator.slots(spot.node);
                let mut holding = Vec::new();
                for at in 0..slots.len() {
                    holding.push(translator.satisfies(elements, (spot.node, at), environment)?);
                }
                match translator.are_taken(&slots, span)? == holding {
                    true => translator.sizes(spot.node, span),
                    false => counted(&holding, translator.room, span),
                }
            })?;
            cases.extend((0..).zip(counts).map(|(number, count)| {
                (Formula::and([condition.clone(), count]), Atom::Known(Constant::number(number)))
            }));
        }
        Ok(merged(cases))
    }

    /// Binds the index that `choose` takes. When there is such an element, and none before it that is equal.
    pub(super) fn choose(
        &mut self,
        local: LocalId,
        place: &Place,
        at: usize,
        environment: &mut Environment,
    ) -> Result<Formula> {
        let (mut cases, mut chosen) = (Vec::new(), Vec::new());
        for (condition, spot) in self.multisets(place, environment)? {
            let slots = self.kept(spot.node);
            let mut parts = vec![condition.clone(), self.is_taken(slots[at], place.span)?];
            for before in &slots[..at] {
                let equal = self.are_equal(before.element, slots[at].element, place.span)?;
                parts.push(Formula::not(equal));
            }
            chosen.push(Formula::and(parts));
            let index = Constant { domain: Domain::Slot(spot.node), number: at as i64 };
            cases.push((condition, Atom::Known(index)));
        }
        environment.bind(local, Binding::Value(cases));
        Ok(Formula::or(chosen))
    }

    /// The values of two elements, part by part.
    #[allow(clippy::type_complexity)] // pairs of cases
    fn pairs(&mut self, one: NodeId, other: NodeId, span: Span) -> Result<Vec<Vec<(Formula, [Atom; 2])>>> {
        let [one, other] = [one, other].map(|node| self.leaves_below(&Spot { node, indices: Vec::new() }));
        let mut all = Vec::new();
        for ((one, ..), (other, ..)) in one.into_iter().zip(other) {
            let (left, right) = (self.read(one, &[], span)?, self.read(other, &[], span)?);
            let both = left.iter().flat_map(|(when, left)| {
                let with = |(and_when, right): &(Formula, Atom)| {
                    (Formula::and([when.clone(), and_when.clone()]), [left.clone(), right.clone()])
                };
                right.iter().map(with).collect::<Vec<_>>()
            });
            all.push(both.collect());
        }
        Ok(all)
    }

    /// When two elements are equal, in their undefined parts as well.
    fn are_equal(&mut self, one: NodeId, other: NodeId, span: Span) -> Result<Formula> {
        let parts = self.pairs(one, other, span)?.into_iter().map(|pairs| {
            let same =
                pairs.into_iter().map(|(when, atoms)| Formula::and([when, self.compared(&atoms)[1].clone()]));
            Formula::or(same.collect::<Vec<_>>())
        });
        Ok(Formula::and(parts.collect::<Vec<_>>()))
    }

    /// When one element comes before another one, or is equal to it: their parts are compared one by one, and what is
    /// undefined comes first.
    fn is_at_most(&mut self, one: NodeId, other: NodeId, span: Span) -> Result<Formula> {
        let mut result = Formula::TRUE;
        for pairs in self.pairs(one, other, span)?.into_iter().rev() {
            let [mut less, mut same] = [Vec::new(), Vec::new()];
            for (when, atoms) in pairs {
                let [is_less, is_same] = self.compared(&atoms);
                less.push(Formula::and([when.clone(), is_less]));
                same.push(Formula::and([when, is_same]));
            }
            let rest = Formula::and([Formula::or(same), result]);
            result = under(&self.path, Formula::or([Formula::or(less), rest]));
        }
        Ok(result)
    }

    /// When one value comes before another one, and when they are the same.
    fn compared(&self, [one, other]: &[Atom; 2]) -> [Formula; 2] {
        let (left, right) = (self.listed(one), self.listed(other));
        let [mut less, mut same] = [Vec::new(), Vec::new()];
        for (when, value) in &left {
            let greater = right.iter().filter(|(_, other)| value < other).map(|(when, _)| when.clone());
            less.push(Formula::and([when.clone(), Formula::or(greater.collect::<Vec<_>>())]));
            let equal = right.iter().filter(|(_, other)| value == other).map(|(when, _)| when.clone());
            same.push(Formula::and([when.clone(), Formula::or(equal.collect::<Vec<_>>())]));
        }
        let same = match (one, other) {
            (Atom::Cell(one), Atom::Cell(other)) if one.coding == other.coding => {
                compare(one.term.clone(), Relation::Equal, other.term.clone(), self.coding(one.coding).ty())
            }
            _ => Formula::or(same),
        };
        [Formula::or(less), same]
    }

    /// All that a value can be, and when it is that; it may be nothing.
    fn listed(&self, atom: &Atom) -> Vec<(Formula, Option<Constant>)> {
        let values = self.possible(atom).into_iter().map(|(when, value)| (when, Some(value)));
        let undefined = match atom {
            Atom::Undefined => Some(Formula::TRUE),
            Atom::Cell(cell) => {
                let coding = self.coding(cell.coding);
                coding.undefined.map(|code| coding.is(&cell.term, coding.constructor(code)))
            }
            _ => None,
        };
        undefined.map(|when| (when, None)).into_iter().chain(values).collect()
    }

    /// Whether few words are enough to sort a multiset.
    fn is_sorted(&mut self, multiset: NodeId) -> bool {
        let slots = self.kept(multiset);
        let Some(first) = slots.first() else { return false };
        let leaves = self.leaves_below(&Spot { node: first.element, indices: Vec::new() });
        let pairs = leaves.iter().map(|(leaf, ..)| (self.leaf(*leaf).values.len() + 1).pow(2));
        slots.len().saturating_mul(pairs.sum()) <= MAX_COMPARED
    }

    /// At the end of a body: multisets of the state have their elements in the first slots, in their order.
    pub(super) fn settle(&mut self, span: Span) -> Result<()> {
        for (multiset, Changes { gaps, added }) in std::mem::take(&mut self.changes) {
            let slots = self.kept(multiset);
            if slots.iter().all(|slot| self.leaf(slot.flag).symbols == Symbols::Local) {
                continue;
            }
            self.close_gaps(&slots, &gaps, span)?;
            let is_sorted = self.is_sorted(multiset);
            if self.should_be_easy() && !is_sorted {
                return too_many_cases(span, "the order of the elements of this multiset");
            }
            for new in added {
                let is_new = self.is_taken(new, span)?;
                self.within(is_new, |translator| translator.insert(&slots, new, is_sorted, span))?;
            }
        }
        Ok(())
    }

    /// Moves elements into the gaps before them. From the last gap to the first: behind each of them there is no other.
    fn close_gaps(&mut self, slots: &[Slot], gaps: &BTreeSet<usize>, span: Span) -> Result<()> {
        for gap in gaps.iter().rev() {
            for pair in slots[*gap..].windows(2) {
                let is_gap = Formula::not(self.is_taken(pair[0], span)?);
                self.within(is_gap, |translator| {
                    // Where no element comes behind, there is nothing to move.
                    if translator.path == Formula::FALSE
                        || translator.is_taken(pair[1], span)? == Formula::FALSE
                    {
                        return Ok(());
                    }
                    translator.move_to(pair[0], pair[1], span)?;
                    translator.empty(pair[1], span)
                })?;
            }
        }
        Ok(())
    }

    /// Moves an element to its place: behind those that are not greater, or behind all.
    fn insert(&mut self, slots: &[Slot], new: Slot, is_sorted: bool, span: Span) -> Result<()> {
        if self.path == Formula::FALSE {
            return Ok(());
        }
        let mut stays = Vec::new();
        for slot in slots {
            let is_taken = self.is_taken(*slot, span)?;
            let is_before = match is_sorted {
                true => self.within(is_taken.clone(), |translator| {
                    translator.is_at_most(slot.element, new.element, span)
                })?,
                false => Formula::TRUE,
            };
            stays.push(Formula::and([is_taken, is_before]));
        }
        for at in (0..slots.len()).rev() {
            let moves = Formula::not(stays[at].clone());
            let comes_behind = if at == 0 { Formula::TRUE } else { stays[at - 1].clone() };
            let is_place = Formula::and([moves.clone(), comes_behind.clone()]);
            self.within(is_place, |translator| match translator.path {
                Formula::FALSE => Ok(()),
                _ => translator.move_to(slots[at], new, span),
            })?;
            if at > 0 && is_sorted {
                let is_behind = Formula::and([moves, Formula::not(comes_behind)]);
                self.within(is_behind, |translator| match translator.path {
                    Formula::FALSE => Ok(()),
                    _ => translator.move_to(slots[at], slots[at - 1], span),
                })?;
            }
        }
        Ok(())
    }

    /// Elements are added and removed, but not changed: else they would not be sorted.
    pub(super) fn expect_no_element(&mut self, spots: &Spots, span: Span) -> Result<()> {
        for (_, spot) in spots {
            let leaves = self.leaves_below(spot);
            let has = |role: Role| leaves.iter().any(|(leaf, ..)| self.leaf(*leaf).role == role);
            // With its flags, it is the whole multiset.
            if has(Role::Element) && !has(Role::Flag) {
                return refuse(span, "an element of a multiset is changed where it is");
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
fn counted(holding: &[Formula], room: usize, span: Span) -> Result<Vec<Formula>> {
    let mut counts = vec![Formula::TRUE];
    for holds in holding {
        let not = Formula::not(holds.clone());
        let stay = counts.iter().map(|count| Formula::and([count.clone(), not.clone()]));
        let stay = stay.chain([Formula::FALSE]);
        let more = counts.iter().map(|count| Formula::and([count.clone(), holds.clone()]));
        let more = std::iter::once(Formula::FALSE).chain(more);
        counts = stay.zip(more).map(|(stay, more)| Formula::or([stay, more])).collect();
        if counts.iter().map(Formula::size).sum::<usize>() > room {
            return too_many_cases(span, "this number");
        }
    }
    Ok(counts)
}
