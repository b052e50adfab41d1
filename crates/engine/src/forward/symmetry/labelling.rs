//! Representatives by labelling: a canonical order of the vertices of the graph of a state, by
//! individualization and refinement (see `mod.rs`).
//!
//! Of nauty's ways to cut the search tree, this has one: branches are left out that an automorphism turns into
//! others, an exchange of two vertices or one that two equal leaves show. No invariants of nodes are compared.

use super::graph::{Graph, Renaming, Vertex};
use crate::forward::hash::mix;

/// Room for what is computed on the way.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    colours: Vec<u64>,
    next: Vec<u64>,
    order: Vec<Vertex>,
    /// The values of each type that some slot holds, as bits.
    used: Vec<u64>,
    renaming: Renaming,
    /// The new names of processes in the best labelling found so far.
    best: Vec<u32>,
}

/// A state with new names, and the vertices in the order of their new names.
#[derive(Clone, Debug)]
struct Labelled<const W: usize> {
    state: [u64; W],
    order: Vec<Vertex>,
}

#[derive(Clone, Debug)]
pub(super) struct Labelling {
    pub(super) graph: Graph,
}

impl Labelling {
    /// The least state among the renamings that the canonical labellings give. Some processes get the names
    /// that they have in it.
    pub(super) fn representative<const W: usize>(
        &self,
        state: &[u64; W],
        processes: &mut [u32],
        scratch: &mut Scratch,
    ) -> [u64; W] {
        scratch.colours.clear();
        self.graph.first_colours(state, &mut scratch.colours, &mut scratch.used);
        self.graph.identity(&mut scratch.renaming);
        let different = self.order(0, scratch);
        let rename = |processes: &mut [u32], names: &[u32]| {
            processes.iter_mut().for_each(|process| *process = names[*process as usize]);
        };
        // If those that look alike can be exchanged without changing anything, it does not matter which of
        // them comes first.
        if different == scratch.order.len() || self.all_alike_are_exchangeable(state, &scratch.order) {
            self.rename_in_order(&scratch.order, &mut scratch.renaming);
            rename(processes, &scratch.renaming.processes);
            return self.graph.renamed(state, &scratch.renaming);
        }
        let mut best = None;
        self.search(state, 0, scratch, &mut best);
        rename(processes, &scratch.best);
        best.expect("every branch ends in a labelling")
    }

    /// Whether the state stays the same whichever of the vertices that look alike exchange their names.
    fn all_alike_are_exchangeable<const W: usize>(&self, state: &[u64; W], order: &[Vertex]) -> bool {
        // Exchanging neighbours in the order generates all other exchanges.
        order
            .windows(2)
            .all(|pair| !pair[0].looks_like(&pair[1]) || self.graph.are_exchangeable(state, pair[0], pair[1]))
    }

    /// Goes through the labellings of the branch whose colours start at `from`; the first of them.
    fn search<const W: usize>(
        &self,
        state: &[u64; W],
        from: usize,
        scratch: &mut Scratch,
        best: &mut Option<[u64; W]>,
    ) -> Labelled<W> {
        let Some(members) = self.first_ambiguity(state, from, scratch) else {
            let labelled = self.labelled(state, scratch);
            if best.is_none_or(|best| labelled.state < best) {
                *best = Some(labelled.state);
                scratch.best.clone_from(&scratch.renaming.processes);
            }
            return labelled;
        };
        // Each of those that look alike is the first in turn, except those that lead to the same states as an
        // earlier one.
        let mut explored: Vec<(Vertex, Labelled<W>)> = Vec::new();
        for (number, &member) in members.iter().enumerate() {
            if members[..number].iter().any(|&earlier| self.graph.are_exchangeable(state, earlier, member)) {
                continue;
            }
            let to = self.single_out(member, from, scratch);
            let is_repetition = !explored.is_empty() && {
                let labelled = self.first_labelling(state, to, scratch);
                let colours = &scratch.colours[from..];
                explored
                    .iter()
                    .any(|(other, first)| self.are_symmetric((*other, first), (member, &labelled), colours))
            };
            scratch.colours.truncate(to);
            if !is_repetition {
                let to = self.single_out(member, from, scratch);
                explored.push((member, self.search(state, to, scratch, best)));
                scratch.colours.truncate(to);
            }
        }
        explored.swap_remove(0).1
    }

    /// Whether two labellings of a state with colours show that two vertices play the same part. Both give
    /// the same state: so the state does not change when one is done and the other undone. If that turns one
    /// vertex into the other and keeps the colours, then singling out one or the other leads to the same
    /// states.
    fn are_symmetric<const W: usize>(
        &self,
        (left, one): (Vertex, &Labelled<W>),
        (right, other): (Vertex, &Labelled<W>),
        colours: &[u64],
    ) -> bool {
        let colour = |vertex: &Vertex| colours[self.graph.first_vertex(vertex.kind) + vertex.number as usize];
        let is =
            |vertex: &Vertex, wanted: Vertex| (vertex.kind, vertex.number) == (wanted.kind, wanted.number);
        one.state == other.state
            && one.order.iter().zip(&other.order).all(|(one, other)| {
                one.kind == other.kind && colour(one) == colour(other) && is(one, left) == is(other, right)
            })
    }

    /// The first labelling of the branch whose colours start at `from`.
    fn first_labelling<const W: usize>(
        &self,
        state: &[u64; W],
        from: usize,
        scratch: &mut Scratch,
    ) -> Labelled<W> {
        let mut at = from;
        while let Some(members) = self.first_ambiguity(state, at, scratch) {
            at = self.single_out(members[0], at, scratch);
        }
        self.labelled(state, scratch)
    }

    /// The state with new names in the order of colours.
    fn labelled<const W: usize>(&self, state: &[u64; W], scratch: &mut Scratch) -> Labelled<W> {
        self.rename_in_order(&scratch.order, &mut scratch.renaming);
        Labelled { state: self.graph.renamed(state, &scratch.renaming), order: scratch.order.clone() }
    }

    /// Refines the colours of the branch that starts at `from`, and orders the vertices by them. The vertices
    /// of the first colour that several have; none if it does not matter how those are ordered that have the
    /// same colour.
    fn first_ambiguity<const W: usize>(
        &self,
        state: &[u64; W],
        from: usize,
        scratch: &mut Scratch,
    ) -> Option<Vec<Vertex>> {
        let mut classes = self.order(from, scratch);
        if classes < scratch.order.len() && self.graph.has_edges() {
            loop {
                scratch.next.clear();
                scratch.next.resize(self.graph.vertices(), 0);
                let colours = &mut scratch.colours[from..from + self.graph.vertices()];
                self.graph.refine(state, colours, &mut scratch.next);
                colours.copy_from_slice(&scratch.next);
                let finer = self.order(from, scratch);
                let stable = finer == scratch.order.len() || finer <= classes;
                classes = finer;
                if stable {
                    break;
                }
            }
        }
        if classes == scratch.order.len() || self.all_alike_are_exchangeable(state, &scratch.order) {
            return None;
        }
        let mut alike = scratch.order.chunk_by(Vertex::looks_like);
        alike.find(|alike| alike.len() > 1).map(<[_]>::to_vec)
    }

    /// A new branch in which a vertex has a colour of its own: where its colours start.
    fn single_out(&self, vertex: Vertex, from: usize, scratch: &mut Scratch) -> usize {
        let to = scratch.colours.len();
        scratch.colours.extend_from_within(from..from + self.graph.vertices());
        scratch.colours[to + self.graph.first_vertex(vertex.kind) + vertex.number as usize] =
            mix(vertex.colour, 7);
        to
    }

    /// Sorts the vertices that may be renamed by kind and colour; how many different ones there are. Values
    /// that no slot holds do not matter: they are left out.
    fn order(&self, from: usize, scratch: &mut Scratch) -> usize {
        let (colours, order) = (&scratch.colours[from..], &mut scratch.order);
        order.clear();
        let process = |&number: &u32| Vertex { kind: 0, colour: colours[number as usize], number };
        order.extend(self.graph.free.iter().map(process));
        sort(&mut order[..]);
        for (kind, (&used, &first)) in (1..).zip(scratch.used.iter().zip(&self.graph.first_values)) {
            let start = order.len();
            let mut left = used;
            while left != 0 {
                let number = left.trailing_zeros();
                left &= left - 1;
                order.push(Vertex { kind, colour: colours[first + number as usize], number });
            }
            sort(&mut order[start..]);
        }
        1 + (1..order.len()).filter(|&at| !order[at].looks_like(&order[at - 1])).count()
    }

    /// New names in the order of colours.
    fn rename_in_order(&self, order: &[Vertex], renaming: &mut Renaming) {
        let (processes, values) = order.split_at(self.graph.free.len());
        for (vertex, &name) in processes.iter().zip(&self.graph.free) {
            renaming.processes[vertex.number as usize] = name;
        }
        let (mut kind, mut name) = (0, 0);
        for vertex in values {
            if vertex.kind != kind {
                (kind, name) = (vertex.kind, 0);
            }
            renaming.values[kind as usize - 1][vertex.number as usize] = name;
            name += 1;
        }
    }
}

/// Sorts vertices. There are few, and they are often sorted already.
fn sort(order: &mut [Vertex]) {
    for at in 1..order.len() {
        let mut hole = at;
        while hole > 0 && order[hole - 1] > order[hole] {
            order.swap(hole - 1, hole);
            hole -= 1;
        }
    }
}
