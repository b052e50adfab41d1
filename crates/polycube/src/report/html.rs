//! A report as a page for browsers: one file that needs nothing else. It is a view of the JSON of the report,
//! which is in it, together with the text of the model.

use std::env;

use anstream::adapter::strip_str;
use polycube_certificate::{Trace, replay};
use polycube_language::formula::Variable;
use polycube_language::span::{Lines, Span};
use polycube_language::system::{Property, Transition};
use polycube_solver::quoted;
use serde::Serialize;

use super::needs::Graph;
use super::trace::{ClaimInWords, at_the_end, claim, state};
use crate::certificate::manifest::hash;
use crate::model::Model;
use crate::tool;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/page.css");

/// The scripts, in the order in which they are executed: what is shown, and then who shows it.
const SCRIPTS: [&str; 10] = [
    include_str!("html/element.js"),
    include_str!("html/model.js"),
    include_str!("html/state.js"),
    include_str!("html/lanes.js"),
    include_str!("html/run.js"),
    include_str!("html/clauses.js"),
    include_str!("html/graph.js"),
    include_str!("html/proof.js"),
    include_str!("html/induct.js"),
    include_str!("html/page.js"),
];

/// A report, and what its page shows beside it.
pub(crate) struct Page<'p, R> {
    pub(crate) command: &'static str,
    pub(crate) model: &'p Model,
    pub(crate) tone: Tone,
    /// The answer, in a sentence.
    pub(crate) headline: String,
    /// What the reader should know beside the answer; each is a paragraph.
    pub(crate) notes: Vec<String>,
    /// What is printed as JSON.
    pub(crate) report: R,
    /// What is printed for people.
    pub(crate) text: String,
    /// What the formulas of the invariant are needed for.
    pub(crate) graph: Option<Graph>,
    /// The run whose last state is shown also where no script is executed.
    pub(crate) run: Option<&'p Trace>,
}

/// Whether an answer is welcome.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tone {
    Good,
    Bad,
    Open,
    /// Nothing was asked.
    Plain,
}

impl Tone {
    fn name(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Bad => "bad",
            Tone::Open => "open",
            Tone::Plain => "plain",
        }
    }
}

/// All that the scripts know.
#[derive(Serialize)]
struct Data<'d, R> {
    command: &'static str,
    tool: String,
    /// How the program was called, as one would type it.
    called: String,
    file: &'d str,
    model: &'d str,
    sha256: String,
    /// Whether the model is written for Murphi.
    murphi: bool,
    tone: Tone,
    headline: &'d str,
    notes: &'d [String],
    clauses: Vec<Place<'d>>,
    transitions: Vec<Place<'d>>,
    graph: &'d Option<Graph>,
    report: &'d R,
}

/// Where something stands in the model.
#[derive(Serialize)]
struct Place<'d> {
    /// The kind of a clause, or the name of a transition.
    name: &'d str,
    first: usize,
    last: usize,
    parameters: Vec<&'d str>,
    /// What a clause is called, and how it is said that it is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<ClaimInWords<'d>>,
}

impl<'p, R> Page<'p, R> {
    /// The same page for another report.
    pub(crate) fn with<S>(self, report: S) -> Page<'p, S> {
        let Page { command, model, tone, headline, notes, report: _, text, graph, run } = self;
        Page { command, model, tone, headline, notes, report, text, graph, run }
    }
}

impl<'p, R: Serialize> Page<'p, R> {
    pub(crate) fn to_html(&self) -> String {
        let json = serde_json::to_string(&self.data()).expect("a report has string keys only");
        let title = format!("{}: polycube {}", self.model.input.name, self.command);
        let (verdict, rest) = match self.headline.split_once(':') {
            // `Not inductive`, but not the name of a file.
            Some((verdict, rest)) if verdict.split(' ').count() <= 2 => (format!("{verdict}:"), rest.trim()),
            _ => (String::new(), self.headline.as_str()),
        };
        let scripts = SCRIPTS.join("\n");
        fill(
            PAGE,
            &[
                ("title", &escaped(&title)),
                ("tone", self.tone.name()),
                ("verdict", &escaped(&verdict)),
                ("sentence", &escaped(rest)),
                ("file", &escaped(&self.model.input.name)),
                ("command", self.command),
                ("plain", &self.plain()),
                ("style", STYLE),
                ("data", &embedded(&json)),
                ("script", &scripts),
            ],
        )
    }

    fn data(&self) -> Data<'_, R> {
        let system = &self.model.system;
        let lines = Lines::new(&self.model.input.text);
        let clause = |(at, one): (usize, &'p Property)| {
            let place = Place::new(one.kind.keyword(), one.origin.0, &one.parameters, &lines);
            Place { claim: Some(claim(system, at)), ..place }
        };
        let transition = |one: &'p Transition| {
            Place::new(system.transition_in_words(&one.name), one.origin.0, &one.parameters, &lines)
        };
        Data {
            command: self.command,
            tool: tool(),
            called: called(),
            file: &self.model.input.name,
            model: &self.model.input.text,
            sha256: hash(&self.model.input.text),
            murphi: system.words.murphi.is_some(),
            tone: self.tone,
            headline: &self.headline,
            notes: &self.notes,
            clauses: system.properties.iter().enumerate().map(clause).collect(),
            transitions: system.transitions.iter().map(transition).collect(),
            graph: &self.graph,
            report: &self.report,
        }
    }

    /// What is shown where no script is executed.
    fn plain(&self) -> String {
        let section = |title: &str, text: &str| {
            format!("<section><h2>{title}</h2><pre>{}</pre></section>\n", escaped(text))
        };
        let mut text = section("Report", &strip_str(&self.text).to_string());
        if let Some(trace) = self.run
            && let Ok(run) = replay(&self.model.system, trace)
            && let Some(last) = run.states.last()
        {
            let table = state(&self.model.system, trace.processes, last, &[]);
            let what = format!("The {}", at_the_end(trace).trim_start_matches("in the "));
            text += &section(&what, &strip_str(&table).to_string());
        }
        let numbered = self.model.input.text.lines().zip(1..).map(|(line, at)| format!("{at:>4}  {line}\n"));
        text + &section("Model", &numbered.collect::<String>())
    }
}

impl<'d> Place<'d> {
    fn new(name: &'d str, origin: Span, parameters: &'d [Variable], lines: &Lines<'_>) -> Place<'d> {
        let (first, last) = (lines.position(origin.start).line, lines.position(origin.end).line);
        let parameters = parameters.iter().map(|one| one.name.as_str()).collect();
        Place { name, first, last, parameters, claim: None }
    }
}

/// How the program was called: `polycube verify german.cub`.
fn called() -> String {
    let arguments = env::args_os().skip(1).map(|argument| quoted(&argument));
    ["polycube".to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}

/// A text for people, without colours, in one line.
pub(crate) fn one_line(text: &str) -> String {
    strip_str(text).to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text where HTML stands.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// JSON within a `script` element: no text in it can end the element, or begin a comment.
fn embedded(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text += &format!("\\u{:04x}", u32::from(character));
            }
            other => text.push(other),
        }
    }
    text
}

/// The template with a value in place of each `{{name}}`. It is read once: what looks like a name within a
/// value stays.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (name, after) = behind.split_once("}}").expect("a name in the template ends");
        let value = values.iter().find(|(known, _)| *known == name);
        text += before;
        text += value.unwrap_or_else(|| panic!("the template has an unknown name {name}")).1;
        rest = after;
    }
    text + rest
}
