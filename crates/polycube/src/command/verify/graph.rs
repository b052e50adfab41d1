//! The graph of a search as a text for Graphviz, in the manner of figure 3 of the BRAB paper.
//!
//! The bad states are on top, as octagons; what leads from initial states to them is red. Below each set of
//! states are those from which a step leads into it; the arrow points in the direction of the step. What was
//! not expanded because other sets cover it is grey, and dotted arrows lead to these. Approximations are
//! boxes; dashed arrows lead to them from the sets in whose place they stand. Of a large graph, what matters
//! most is drawn, and the rest is counted.

mod chain;
mod fold;
mod look;

use std::fmt::Write;

use polycube_engine::backward::{Graph, GraphNode, GraphState, GraphTarget};

use self::fold::Folded;
use self::look::{Kind, RUN, legend};
use super::report::Report;
use crate::command::drawing::{self, escaped};
use crate::report::cube;
use crate::report::trace::{called_with, kind_of_clause};
use crate::verified::BadRun;

/// How much of a graph is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// What people can read.
    Readable,
    All,
}

/// A text for Graphviz.
pub(super) struct Drawn {
    pub(super) text: String,
    /// How many sets of states it shows.
    pub(super) nodes: usize,
}

pub(super) fn to_dot(report: &Report<'_>, graph: &Graph, extent: Extent) -> Drawn {
    let mut text = String::from("digraph search {\n");
    let title = escaped(&report.verified.model.input.name);
    let _ = writeln!(text, "  graph [label=\"{title}\", labelloc=t, fontname=\"Helvetica\", ranksep=0.4];");
    text += "  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=10];\n";
    text += "  edge [fontname=\"Helvetica\", fontsize=10];\n\n";
    let runs = report.verified.runs();
    let bad = on_runs(graph);
    let folded = Folded::new(graph, &bad, extent, runs.len());
    let drawn = || graph.nodes.iter().enumerate().filter(|(at, _)| folded.is_drawn[*at]);
    let mut kinds = Vec::new();
    for (at, node) in drawn() {
        let is_reached = bad[at] || runs.iter().any(|run| is_root_of(node, run));
        let kind = if is_reached { Kind::Run } else { Kind::of(node) };
        kinds.extend([kind, if is_root(node) { Kind::Bad } else { Kind::of(node) }]);
        let (label, style) = (label(report, node), kind.style());
        let _ = writeln!(text, "  n{at} [label=\"{label}\"{}{style}];", shape(node));
    }
    text.push('\n');
    for (at, node) in drawn() {
        text += &edges(report, at, node, if bad[at] { RUN } else { "" }, &folded);
    }
    text += &folded.to_dot();
    kinds.extend((!folded.below.is_empty()).then_some(Kind::Folded));
    for (number, run) in runs.iter().enumerate() {
        let roots = || drawn().filter(|(_, node)| is_root_of(node, run)).map(|(at, _)| at);
        // A run that the search has found is in its graph.
        if !roots().any(|root| bad[root]) {
            text += &chain::to_dot(report, run, number, roots().next());
            kinds.push(Kind::State);
        }
    }
    text += &legend(&kinds, report.verified.is_safe());
    text.push_str("}\n");
    Drawn { text, nodes: drawn().count() }
}

/// For each node, whether a run leads through it: from initial states to bad ones.
fn on_runs(graph: &Graph) -> Vec<bool> {
    let mut on_runs = vec![false; graph.nodes.len()];
    let initial = |at: &usize| graph.nodes[*at].state == GraphState::Initial;
    for start in (0..graph.nodes.len()).filter(initial) {
        let mut next = Some(start);
        while let Some(at) = next.filter(|&at| !std::mem::replace(&mut on_runs[at], true)) {
            next = graph.nodes[at].parent.as_ref().map(|(parent, ..)| *parent);
        }
    }
    on_runs
}

/// Whether these are the bad states of a property.
fn is_root(node: &GraphNode) -> bool {
    node.parent.is_none() && matches!(node.target, GraphTarget::Property(_))
}

fn is_root_of(node: &GraphNode, run: &BadRun) -> bool {
    node.parent.is_none() && node.target == GraphTarget::Property(run.violation.property)
}

fn shape(node: &GraphNode) -> &'static str {
    match (node.parent.is_none(), node.target, &node.state) {
        (true, GraphTarget::Property(_), _) => ", shape=octagon",
        (true, GraphTarget::Approximation, _) => ", margin=\"0.2,0.1\"",
        (false, _, GraphState::Initial | GraphState::Spurious) => ", peripheries=2",
        (false, ..) => "",
    }
}

/// What stands in a node: what it is, and the set of states.
fn label(report: &Report<'_>, node: &GraphNode) -> String {
    let what = match node.target {
        _ if node.parent.is_some() => None,
        GraphTarget::Property(index) => {
            let property = &report.system().properties[index];
            Some(format!("{}, line {}:", kind_of_clause(report.system(), index), report.line(property)))
        }
        GraphTarget::Approximation => Some("approximation:".to_owned()),
    };
    let note = Kind::of(node).note();
    let note = (!note.is_empty()).then(|| note.to_owned());
    // What it is and what is noted stand in lines of their own.
    let parts =
        [what.as_deref().map(escaped), Some(drawing::label(cube::pieces(report.system(), &node.cube)))];
    let parts = parts.into_iter().chain([note.as_deref().map(escaped)]).flatten();
    parts.collect::<Vec<_>>().join("\\n")
}

/// The step from a node to its parent, and what covers it.
fn edges(report: &Report<'_>, at: usize, node: &GraphNode, style: &str, folded: &Folded) -> String {
    let mut text = String::new();
    if let Some((parent, transition, arguments)) = &node.parent {
        let arguments: Vec<String> = arguments.iter().map(|argument| name(node, *argument)).collect();
        let call = escaped(&called_with(report.system(), transition, &arguments));
        // From the parent to the node, so that the parent stands above; the arrow points the other way.
        let _ = writeln!(text, "  n{parent} -> n{at} [dir=back, label=\" {call}\"{style}];");
    }
    if let GraphState::Approximated(larger) = &node.state
        && folded.is_drawn[*larger]
    {
        let _ = writeln!(text, "  n{at} -> n{larger} [style=dashed, arrowhead=open];");
    }
    let others = match &node.state {
        GraphState::Covered(others) => others.as_slice(),
        GraphState::Deleted(other) => std::slice::from_ref(other),
        _ => &[],
    };
    for other in others.iter().filter(|other| folded.is_drawn[**other]) {
        let _ = writeln!(
            text,
            "  n{at} -> n{other} [style=dotted, color=gray60, constraint=false, arrowhead=open];"
        );
    }
    text
}

/// An argument of a step as the set calls it. With a fixed number of processes, a set has no parameters: it
/// speaks of all of them by their numbers.
fn name(node: &GraphNode, argument: Option<usize>) -> String {
    match argument.map(|index| (index, node.cube.parameters.get(index))) {
        None => "_".to_owned(),
        Some((_, Some(parameter))) => parameter.name.clone(),
        Some((index, None)) => format!("#{}", index + 1),
    }
}
