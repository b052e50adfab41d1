//! Which nodes of a large graph are drawn. The others are counted, below the nearest one that is.

use std::collections::BTreeMap;
use std::fmt::Write;

use polycube_engine::backward::{Graph, GraphNode, GraphState};

use super::look::Kind;
use super::{Extent, is_root};

/// A graph with more nodes is folded.
const FEW: usize = 50;

/// So many nodes of a folded graph are drawn.
const READABLE: usize = 100;

/// So many if there are runs, beside them: they are what matters then.
const BESIDE_RUNS: usize = 30;

/// What leads to approximations that stand in no place any more matters least.
const ELSEWHERE: u32 = 10;

pub(super) struct Folded {
    pub(super) is_drawn: Vec<bool>,
    /// What is not drawn below each node that is: how many of each kind. What is below none of them stands
    /// under `None`.
    pub(super) below: BTreeMap<Option<usize>, BTreeMap<&'static str, usize>>,
}

impl Folded {
    /// Draws the runs, the bad states, and of the rest what was expanded, the nearest first; each together
    /// with the way to it.
    pub(super) fn new(graph: &Graph, on_runs: &[bool], extent: Extent, runs: usize) -> Folded {
        let count = graph.nodes.len();
        if extent == Extent::All || count <= FEW {
            return Folded { is_drawn: vec![true; count], below: BTreeMap::new() };
        }
        let most = if runs > 0 { BESIDE_RUNS } else { READABLE };
        let above = above(graph);
        // What is above a node has a smaller number.
        let (mut distance, mut top) = (vec![0; count], Vec::from_iter(0..count));
        for at in 0..count {
            if let Some(above) = above[at] {
                (distance[at], top[at]) = (distance[above] + 1, top[above]);
            }
        }
        let rank = |at: usize| {
            let importance = importance(&graph.nodes[at], on_runs[at])?;
            let leads_to_bad = is_root(&graph.nodes[top[at]]);
            Some((importance + if leads_to_bad { 0 } else { ELSEWHERE }, distance[at], at))
        };
        let mut wanted: Vec<(u32, usize, usize)> = (0..count).filter_map(rank).collect();
        wanted.sort_unstable();
        let mut is_drawn = vec![false; count];
        let mut drawn = 0;
        for (importance, _, at) in wanted {
            let way: Vec<usize> = way(&above, at).take_while(|&at| !is_drawn[at]).collect();
            // Bad states are drawn, and runs however long they are.
            if importance == 0 || drawn + way.len() <= most {
                drawn += way.len();
                way.into_iter().for_each(|at| is_drawn[at] = true);
            }
        }
        let mut below: BTreeMap<Option<usize>, BTreeMap<&'static str, usize>> = BTreeMap::new();
        let mut nearest = vec![None; count];
        for at in 0..count {
            nearest[at] = if is_drawn[at] { Some(at) } else { above[at].and_then(|above| nearest[above]) };
            if !is_drawn[at] {
                *below.entry(nearest[at]).or_default().entry(word(&graph.nodes[at])).or_default() += 1;
            }
        }
        Folded { is_drawn, below }
    }

    /// A text below each node, with what is not drawn.
    pub(super) fn to_dot(&self) -> String {
        let mut text = String::new();
        for (nearest, counts) in &self.below {
            let counts = counts.iter().map(|(what, count)| format!("{count} {what}"));
            let (name, heading) = match nearest {
                Some(at) => (format!("f{at}"), None),
                None => ("rest".to_owned(), Some("elsewhere:".to_owned())),
            };
            let counts = heading.into_iter().chain(counts).collect::<Vec<_>>().join("\\n");
            let _ = writeln!(text, "  {name} [label=\"{counts}\"{}];", Kind::Folded.style());
            if let Some(at) = nearest {
                let _ = writeln!(text, "  n{at} -> {name} [dir=none, style=dotted, color=gray60];");
            }
        }
        text
    }
}

/// The smaller, the more a node matters; none if it is not drawn.
fn importance(node: &GraphNode, is_on_run: bool) -> Option<u32> {
    match Kind::of(node) {
        _ if is_on_run => Some(0),
        _ if is_root(node) => Some(0),
        Kind::Spurious => Some(1),
        Kind::Approximation | Kind::Visited => Some(2),
        _ => None,
    }
}

/// For each node, the one above it, which has a smaller number: that to which a step leads; or, for an
/// approximation, the first in whose place it stands.
fn above(graph: &Graph) -> Vec<Option<usize>> {
    let mut above: Vec<Option<usize>> =
        graph.nodes.iter().enumerate().map(|(at, node)| parent(node).filter(|&parent| parent < at)).collect();
    for (at, node) in graph.nodes.iter().enumerate() {
        if let GraphState::Approximated(larger) = node.state
            && graph.nodes[larger].parent.is_none()
            && at < larger
        {
            above[larger].get_or_insert(at);
        }
    }
    above
}

fn parent(node: &GraphNode) -> Option<usize> {
    node.parent.as_ref().map(|(parent, ..)| *parent)
}

/// A node, the one above it, and so on.
fn way(above: &[Option<usize>], at: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(at), |&at| above[at])
}

/// What is counted.
fn word(node: &GraphNode) -> &'static str {
    match Kind::of(node) {
        Kind::Bad => "sets of bad states",
        Kind::Approximation => "guesses",
        Kind::Refuted => "wrong guesses",
        Kind::Covered => "covered",
        Kind::Queued => "not looked at",
        Kind::Dropped => "not needed any more",
        _ => "expanded",
    }
}
