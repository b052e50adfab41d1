//! What the nodes of a graph look like, and the legend that says so.

use std::fmt::Write;

use polycube_engine::backward::{GraphNode, GraphState, GraphTarget};

/// What runs to bad states look like.
pub(super) const RUN: &str = ", color=red3, penwidth=2";

/// What a node is, in the order of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Bad,
    Run,
    Initial,
    State,
    Visited,
    Approximation,
    Refuted,
    Covered,
    Queued,
    Dropped,
    Spurious,
    Folded,
}

impl Kind {
    /// What a node is through which no run leads.
    pub(super) fn of(node: &GraphNode) -> Kind {
        let is_root = node.parent.is_none();
        match (&node.state, node.target) {
            (GraphState::Initial, _) => Kind::Initial,
            (GraphState::Spurious, _) => Kind::Spurious,
            (GraphState::Refuted, _) => Kind::Refuted,
            (GraphState::Visited, GraphTarget::Approximation) if is_root => Kind::Approximation,
            (GraphState::Visited, GraphTarget::Property(_)) if is_root => Kind::Bad,
            (GraphState::Visited, _) => Kind::Visited,
            (GraphState::Queued, _) => Kind::Queued,
            (GraphState::Covered(_) | GraphState::Deleted(_) | GraphState::Approximated(_), _) => {
                Kind::Covered
            }
            (GraphState::Dropped, _) => Kind::Dropped,
        }
    }

    pub(super) fn style(self) -> &'static str {
        match self {
            Kind::Bad | Kind::Visited | Kind::Initial => "",
            Kind::Run => RUN,
            Kind::State => ", style=filled, fillcolor=mistyrose, color=red3",
            Kind::Spurious => ", color=darkorange",
            // Approximations are boxes.
            Kind::Approximation => ", style=bold",
            Kind::Refuted => ", style=\"bold,dashed\", color=darkorange",
            Kind::Queued => ", style=\"rounded,dashed\"",
            Kind::Covered => ", color=gray60, fontcolor=gray40",
            Kind::Dropped => ", style=\"rounded,dashed\", color=gray60, fontcolor=gray40",
            Kind::Folded => ", shape=plaintext, fontcolor=gray40",
        }
    }

    /// What is noted in a node.
    pub(super) fn note(self) -> &'static str {
        match self {
            Kind::Initial => "(some of these states are initial)",
            Kind::Spurious => "(some seem to be initial, but no run was found)",
            Kind::Refuted => "(refuted)",
            _ => "",
        }
    }

    fn meaning(self, is_safe: bool) -> &'static str {
        match self {
            Kind::Bad => "octagon: bad states",
            Kind::Run => "red: leads from initial to bad states",
            Kind::Initial => "some of these states are initial",
            Kind::State => "a state of a run that was found forwards",
            Kind::Visited if is_safe => "never reached: part of the invariant",
            Kind::Visited => "leads to what is above it",
            Kind::Approximation => "an approximation: dashed arrows lead to it",
            Kind::Refuted => "an approximation that was wrong",
            Kind::Covered => "covered by what dotted or dashed arrows lead to",
            Kind::Queued => "was not looked at",
            Kind::Dropped => "was not needed any more",
            Kind::Spurious => "seems to have initial states",
            Kind::Folded => "numbers: what is not drawn there",
        }
    }

    /// What the frame around its meaning looks like in the legend, in the words of HTML-like labels.
    fn frame(self) -> &'static str {
        match self {
            Kind::Bad | Kind::Folded => r#"BORDER="0" CELLBORDER="0""#,
            Kind::Run => r#"BORDER="2" COLOR="red3" STYLE="rounded" CELLBORDER="0""#,
            Kind::Initial => r#"BORDER="1" CELLBORDER="1" CELLSPACING="2" STYLE="rounded""#,
            Kind::State => r#"BORDER="1" COLOR="red3" BGCOLOR="mistyrose" CELLBORDER="0""#,
            Kind::Visited => r#"BORDER="1" STYLE="rounded" CELLBORDER="0""#,
            Kind::Approximation => r#"BORDER="2" CELLBORDER="0""#,
            Kind::Refuted => r#"BORDER="2" COLOR="darkorange" STYLE="dashed" CELLBORDER="0""#,
            Kind::Covered => r#"BORDER="1" COLOR="gray60" STYLE="rounded" CELLBORDER="0""#,
            Kind::Queued => r#"BORDER="1" STYLE="rounded,dashed" CELLBORDER="0""#,
            Kind::Dropped => r#"BORDER="1" COLOR="gray60" STYLE="rounded,dashed" CELLBORDER="0""#,
            Kind::Spurious => {
                r#"BORDER="1" CELLBORDER="1" CELLSPACING="2" COLOR="darkorange" STYLE="rounded""#
            }
        }
    }
}

/// A table with what each kind of node means that there is.
pub(super) fn legend(kinds: &[Kind], is_safe: bool) -> String {
    let mut kinds = kinds.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    let mut text = String::from("\n  legend [shape=plaintext, fontname=\"Helvetica\", label=<\n");
    text += "    <TABLE BORDER=\"1\" COLOR=\"gray60\" CELLBORDER=\"0\" CELLSPACING=\"2\">\n";
    for kind in kinds {
        let (frame, meaning) = (kind.frame(), kind.meaning(is_safe));
        let _ = writeln!(text, "    <TR><TD><TABLE {frame}><TR><TD>{meaning}</TD></TR></TABLE></TD></TR>");
    }
    text += "    </TABLE>>];\n";
    text
}
