//! Why each formula is there, as a graph: the properties on top, and arrows down to what each needs, with the
//! transitions because of which it needs that.

use std::fmt::Write;

use polycube_engine::backward::CubeFormula;
use polycube_language::span::Lines;

use super::Discovered;
use crate::arguments::GraphFormat;
use crate::command::drawing::{escaped, label};
use crate::report::cube::Clause;
use crate::report::lean::Shown;
use crate::report::trace::abridged;

/// A page with more formulas than this shows their premises only, until one asks for more.
const FEW: usize = 8;

/// The graph.
struct Graph {
    title: String,
    nodes: Vec<Node>,
    /// Who needs whom, by number, and because of which transitions.
    arrows: Vec<(usize, usize, Vec<String>)>,
}

struct Node {
    name: String,
    /// What it says; the premise, if there is one, and what follows.
    premise: Option<String>,
    conclusions: Vec<String>,
    is_property: bool,
}

/// The graph in the words of Graphviz, or as a page.
pub(super) fn to_text(discovered: &Discovered<'_>, format: GraphFormat) -> String {
    let graph = Graph::new(discovered);
    match format {
        GraphFormat::Dot | GraphFormat::Svg => graph.to_dot(),
        GraphFormat::Html => graph.to_html(),
    }
}

impl Graph {
    fn new(discovered: &Discovered<'_>) -> Graph {
        let system = discovered.system();
        let lines = Lines::new(&discovered.model.input.text);
        let line = |at: usize| lines.position(system.properties[at].origin.0.start).line;
        let property = |at: usize| {
            let property = &system.properties[at];
            let cube =
                CubeFormula { parameters: property.parameters.clone(), formula: property.formula.clone() };
            Node {
                name: format!("{} clause, line {}", property.kind.keyword(), line(at)),
                premise: None,
                conclusions: vec![Clause::new(system, &cube).to_text()],
                is_property: true,
            }
        };
        let count = system.properties.len();
        let mut nodes: Vec<Node> = (0..count).map(property).collect();
        let mut arrows = Vec::new();
        for (at, formula) in discovered.formulas.iter().enumerate() {
            let Shown { range, premise, conclusions } = Shown::new(system, formula);
            let head: Vec<String> = range.into_iter().chain(premise).collect();
            let premise = (!head.is_empty()).then(|| head.join(" "));
            nodes.push(Node { name: (at + 1).to_string(), premise, conclusions, is_property: false });
            let needed = discovered.needed(formula);
            let properties = (0..count).filter(|&property| needed.properties.contains(&line(property)));
            arrows.extend(properties.map(|property| (property, count + at, Vec::new())));
            let users = needed.formulas.into_iter();
            arrows.extend(users.map(|(user, transitions)| (count + user - 1, count + at, transitions)));
        }
        Graph { title: discovered.model.input.name.clone(), nodes, arrows }
    }

    fn to_dot(&self) -> String {
        let mut text = String::from("digraph invariant {\n");
        let title = escaped(&self.title);
        let _ =
            writeln!(text, "  graph [label=\"{title}\", labelloc=t, fontname=\"Helvetica\", ranksep=0.4];");
        text += "  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=10];\n";
        text += "  edge [fontname=\"Helvetica\", fontsize=9];\n\n";
        for (at, node) in self.nodes.iter().enumerate() {
            let shape = if node.is_property { ", shape=octagon" } else { "" };
            let name = if node.is_property { format!("{}:", node.name) } else { format!("{}.", node.name) };
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
        for (user, needed, transitions) in &self.arrows {
            let because = label(abridged(transitions).split(' ').map(str::to_owned));
            let _ = writeln!(text, "  n{user} -> n{needed} [label=\"{because}\"];");
        }
        text.push_str("}\n");
        text
    }

    /// How many arrows lead from the properties to each node, at least.
    fn depths(&self) -> Vec<usize> {
        let mut depths: Vec<Option<usize>> =
            self.nodes.iter().map(|node| node.is_property.then_some(0)).collect();
        for depth in 0..self.nodes.len() {
            for (user, needed, _) in &self.arrows {
                if depths[*user] == Some(depth) && depths[*needed].is_none() {
                    depths[*needed] = Some(depth + 1);
                }
            }
        }
        depths.into_iter().map(|depth| depth.unwrap_or(1)).collect()
    }

    /// A page that needs nothing else. Without a script it is a list with links; with it, arrows are drawn.
    fn to_html(&self) -> String {
        let depths = self.depths();
        let formulas = self.nodes.iter().filter(|node| !node.is_property).count();
        let open = if formulas > FEW { "" } else { " open" };
        let mut rows = String::new();
        for depth in 0..=depths.iter().copied().max().unwrap_or(0) {
            rows += "<div class=\"row\">\n";
            for (at, node) in self.nodes.iter().enumerate().filter(|(at, _)| depths[*at] == depth) {
                rows += &self.card(at, node, if node.is_property { " open" } else { open });
            }
            rows += "</div>\n";
        }
        let arrows: Vec<String> =
            self.arrows.iter().map(|(user, needed, _)| format!("[{user},{needed}]")).collect();
        PAGE.replace("{title}", &page_text(&self.title))
            .replace("{arrows}", &format!("[{}]", arrows.join(",")))
            .replace("{rows}", &rows)
    }

    fn card(&self, at: usize, node: &Node, open: &str) -> String {
        let kind = if node.is_property { "property" } else { "formula" };
        let (head, first) = match &node.premise {
            Some(premise) => (premise.as_str(), "=&gt; "),
            None => ("", ""),
        };
        let mut text = format!(
            "<details class=\"{kind}\" id=\"n{at}\"{open}>\n<summary><b>{}</b> <code>{}</code></summary>\n",
            page_text(&node.name),
            page_text(head)
        );
        for (number, conclusion) in node.conclusions.iter().enumerate() {
            let sign = if number == 0 { first } else { "and " };
            let _ = writeln!(text, "<div><code>{sign}{}</code></div>", page_text(conclusion));
        }
        let needs: Vec<String> = (self.arrows.iter())
            .filter(|(user, ..)| *user == at)
            .map(|(_, needed, transitions)| {
                let because = if transitions.is_empty() {
                    String::new()
                } else {
                    format!(" because of {}", page_text(&transitions.join(", ")))
                };
                format!(
                    "<li><a href=\"#n{needed}\">{}</a>{because}</li>",
                    page_text(&self.nodes[*needed].name)
                )
            })
            .collect();
        if !needs.is_empty() {
            let _ = writeln!(text, "<div class=\"needs\">needs<ul>{}</ul></div>", needs.join(""));
        }
        text + "</details>\n"
    }
}

fn page_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const PAGE: &str = include_str!("explain.html");
