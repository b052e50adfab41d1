//! The graph of a search as a text for Graphviz, in the manner of figure 3 of the BRAB paper.
//!
//! The bad states are on top, as octagons; what leads from initial states to them is red. Below each set of
//! states are those from which a step leads into it; the arrow points in the direction of the step. What was
//! not expanded because other sets cover it is grey, and dotted arrows lead to these. Approximations are
//! boxes; dashed arrows lead to them from the sets in whose place they stand.

use std::fmt::Write;

use polycube_engine::backward::{Graph, GraphNode, GraphState, GraphTarget};

use super::report::Report;
use crate::command::drawing::{self, escaped};
use crate::report::cube;

/// What runs to bad states look like.
const RUN: &str = ", color=red3, penwidth=2";

pub(super) fn to_dot(report: &Report<'_>, graph: &Graph) -> String {
    let mut text = String::from("digraph search {\n");
    let title = escaped(&report.verified.model.input.name);
    let _ = writeln!(text, "  graph [label=\"{title}\", labelloc=t, fontname=\"Helvetica\", ranksep=0.4];");
    text += "  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=10];\n";
    text += "  edge [fontname=\"Helvetica\", fontsize=10];\n\n";
    let bad = on_runs(graph);
    for (at, node) in graph.nodes.iter().enumerate() {
        let style = if bad[at] { RUN } else { look(node).0 };
        let shape = match (node.parent.is_none(), node.target, &node.state) {
            (true, GraphTarget::Property(_), _) => ", shape=octagon",
            (true, GraphTarget::Approximation, _) => ", margin=\"0.2,0.1\"",
            (false, _, GraphState::Initial | GraphState::Spurious) => ", peripheries=2",
            (false, ..) => "",
        };
        let _ = writeln!(text, "  n{at} [label=\"{}\"{shape}{style}];", label(report, node));
    }
    text.push('\n');
    for (at, node) in graph.nodes.iter().enumerate() {
        text += &edges(at, node, if bad[at] { RUN } else { "" });
    }
    text.push_str("}\n");
    text
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

/// What stands in a node: what it is, and the set of states.
fn label(report: &Report<'_>, node: &GraphNode) -> String {
    let what = match node.target {
        _ if node.parent.is_some() => None,
        GraphTarget::Property(index) => {
            let property = &report.system().properties[index];
            Some(format!("{} clause, line {}:", property.kind.keyword(), report.line(property)))
        }
        GraphTarget::Approximation => Some("approximation:".to_owned()),
    };
    let (_, note) = look(node);
    let note = (!note.is_empty()).then(|| note.to_owned());
    // What it is and what is noted stand in lines of their own.
    let parts =
        [what.as_deref().map(escaped), Some(drawing::label(cube::pieces(report.system(), &node.cube)))];
    let parts = parts.into_iter().chain([note.as_deref().map(escaped)]).flatten();
    parts.collect::<Vec<_>>().join("\\n")
}

/// What a node looks like through which no run leads, and what is noted in it.
fn look(node: &GraphNode) -> (&'static str, &'static str) {
    let is_root = node.parent.is_none();
    match node.state {
        GraphState::Initial => ("", "(some of these states are initial)"),
        GraphState::Spurious => (", color=darkorange", "(some seem to be initial, but no run was found)"),
        // Approximations are boxes.
        GraphState::Refuted => (", style=\"bold,dashed\", color=darkorange", "(refuted)"),
        GraphState::Visited if is_root && node.target == GraphTarget::Approximation => (", style=bold", ""),
        GraphState::Visited => ("", ""),
        GraphState::Queued => (", style=\"rounded,dashed\"", ""),
        GraphState::Covered(_) | GraphState::Deleted(_) | GraphState::Approximated(_) => {
            (", color=gray60, fontcolor=gray40", "")
        }
        GraphState::Dropped => (", style=\"rounded,dashed\", color=gray60, fontcolor=gray40", ""),
    }
}

/// The step from a node to its parent, and what covers it.
fn edges(at: usize, node: &GraphNode, style: &str) -> String {
    let mut text = String::new();
    if let Some((parent, transition, arguments)) = &node.parent {
        let arguments: Vec<String> = arguments.iter().map(|argument| name(node, *argument)).collect();
        let call = escaped(&format!("{transition}({})", arguments.join(", ")));
        // From the parent to the node, so that the parent stands above; the arrow points the other way.
        let _ = writeln!(text, "  n{parent} -> n{at} [dir=back, label=\" {call}\"{style}];");
    }
    if let GraphState::Approximated(larger) = &node.state {
        let _ = writeln!(text, "  n{at} -> n{larger} [style=dashed, arrowhead=open];");
    }
    let others = match &node.state {
        GraphState::Covered(others) => others.as_slice(),
        GraphState::Deleted(other) => std::slice::from_ref(other),
        _ => &[],
    };
    for other in others {
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
