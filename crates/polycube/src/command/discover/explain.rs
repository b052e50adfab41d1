//! Why each formula is there, as a graph: the properties on top, and arrows down to what each needs, with the
//! transitions because of which it needs that.

use std::fmt::Write;

use polycube_language::span::Lines;

use super::Discovered;
use crate::arguments::{Format, GraphFormat};
use crate::command::drawing::{escaped, label};
use crate::report::html::{Page, Tone, one_line};
use crate::report::needs::Graph;
use crate::report::trace::abridged;

/// The graph in the words of Graphviz, or as a page.
pub(super) fn to_text(discovered: &Discovered<'_>, format: GraphFormat) -> String {
    match format {
        GraphFormat::Dot | GraphFormat::Svg => to_dot(&discovered.model.input.name, &discovered.graph()),
        GraphFormat::Html => page(discovered),
    }
}

impl Discovered<'_> {
    fn graph(&self) -> Graph {
        Graph::new(self.system(), &Lines::new(&self.model.input.text), self.formulas)
    }
}

fn to_dot(title: &str, graph: &Graph) -> String {
    let mut text = String::from("digraph invariant {\n");
    let title = escaped(title);
    let _ = writeln!(text, "  graph [label=\"{title}\", labelloc=t, fontname=\"Helvetica\", ranksep=0.4];");
    text += "  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=10];\n";
    text += "  edge [fontname=\"Helvetica\", fontsize=9];\n\n";
    for (at, node) in graph.nodes.iter().enumerate() {
        let (shape, colon) = if node.line.is_some() { (", shape=octagon", ":") } else { ("", ".") };
        let name = format!("{}{colon}", node.name);
        let head = [Some(name), node.premise.clone()].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let mut lines = vec![escaped(&head)];
        for (number, conclusion) in node.conclusions.iter().enumerate() {
            let sign = match (number, node.premise.is_some()) {
                (0, true) => "=> ",
                (0, false) => "",
                _ => "and ",
            };
            let words = format!("{sign}{conclusion}");
            lines.push(label(words.split(' ').map(str::to_owned)));
        }
        let _ = writeln!(text, "  n{at} [label=\"{}\"{shape}];", lines.join("\\n"));
    }
    text.push('\n');
    for arrow in &graph.arrows {
        let because = label(abridged(&arrow.transitions).split(' ').map(str::to_owned));
        let _ = writeln!(text, "  n{} -> n{} [label=\"{because}\"];", arrow.user, arrow.needed);
    }
    text.push_str("}\n");
    text
}

fn page(discovered: &Discovered<'_>) -> String {
    let page = Page {
        command: "discover",
        model: discovered.model,
        tone: Tone::Good,
        headline: one_line(&discovered.answer),
        notes: Vec::new(),
        report: discovered.to_json(),
        text: discovered.print(Format::Human),
        graph: Some(discovered.graph()),
        run: None,
    };
    page.to_html()
}
