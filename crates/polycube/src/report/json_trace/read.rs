//! Reading a trace: finding it in a text, and giving its words the meaning that they have in a model.
//!
//! Nothing is believed of the text. What is no trace of this model at all is refused here, with words that
//! help; whether the trace is a run is for the judge to say.

use std::fmt::{self, Display, Formatter};

use polycube_certificate::{
    Cell, Instance, Misfit, Orders, State, Step, Trace, Value, cells, counted, meant,
};
use polycube_language::System;
use polycube_language::suggest::nearest;
use polycube_language::system::{EnumerationId, SymbolId, SymbolKind, Type};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;

use super::called::{called, name_of_step};
use super::{Fields, StepText, TraceText};
use crate::input::Impossible;
use crate::report::trace::processes;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Itself,
    Simulation,
    Verification,
    /// The violation with this index in the report of an exploration; those before it have no trace.
    Violation(usize),
    Deadlock,
}

impl Display for Source {
    /// As a path into the text.
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Source::Itself => Ok(()),
            Source::Simulation | Source::Verification => write!(out, "trace"),
            Source::Violation(index) => write!(out, "violations[{index}].trace"),
            Source::Deadlock => write!(out, "deadlock.trace"),
        }
    }
}

/// Reads a trace of this system: a text that is one, or a report of `verify`, `explore` or `simulate` that
/// has one.
pub(crate) fn from_json(system: &System, text: &str) -> Result<(Trace, Source), Impossible> {
    let (words, source) = find(text)?;
    let trace = Reader { system, processes: words.processes }.trace(&words)?;
    Ok((trace, source))
}

/// What a text has, so far as it decides where its trace is.
#[derive(Deserialize)]
struct Outline {
    verdict: Option<IgnoredAny>,
    trace: Option<IgnoredAny>,
    initial: Option<IgnoredAny>,
    violations: Option<IgnoredAny>,
    deadlock: Option<Holder>,
}

/// Something that may have a trace: in some reports, `deadlock` is a Boolean.
#[derive(Deserialize)]
#[serde(untagged)]
enum Holder {
    Full {
        #[serde(rename = "trace")]
        _trace: IgnoredAny,
    },
    Empty(IgnoredAny),
}

#[derive(Deserialize)]
struct Single {
    trace: TraceText,
}

#[derive(Deserialize)]
struct Violations {
    violations: Vec<Shown>,
}

#[derive(Deserialize)]
struct Deadlock {
    deadlock: Shown,
}

#[derive(Deserialize)]
struct Shown {
    trace: Option<TraceText>,
}

/// The trace of a text. The text is read twice, the first time to see where the trace is: so everything else
/// in it is skipped, however large it is.
fn find(text: &str) -> Result<(TraceText, Source), Impossible> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(no_trace("there is nothing in it"));
    }
    if !text.trim_start().starts_with('{') {
        read::<IgnoredAny>(text)?;
        return Err(no_trace("it is JSON, but not an object"));
    }
    let outline: Outline = read(text)?;
    if outline.trace.is_some() {
        let source = if outline.verdict.is_some() { Source::Verification } else { Source::Simulation };
        return Ok((read::<Single>(text)?.trace, source));
    }
    if outline.initial.is_some() {
        return Ok((read(text)?, Source::Itself));
    }
    if outline.violations.is_some() {
        for (at, shown) in read::<Violations>(text)?.violations.into_iter().enumerate() {
            if let Some(trace) = shown.trace {
                return Ok((trace, Source::Violation(at)));
            }
        }
    }
    if let Some(Holder::Full { .. }) = outline.deadlock
        && let Some(trace) = read::<Deadlock>(text)?.deadlock.trace
    {
        return Ok((trace, Source::Deadlock));
    }
    Err(if outline.violations.is_some() || outline.verdict.is_some() {
        Impossible::new("it is a report without a trace: there is no run to replay")
    } else {
        no_trace("it is JSON, but has no trace")
    })
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, Impossible> {
    serde_json::from_str(text).map_err(|error| match error.classify() {
        Category::Data => no_trace(&format!("its trace is malformed: {error}")),
        Category::Syntax | Category::Eof | Category::Io => no_trace(&format!("it is not JSON: {error}")),
    })
}

fn no_trace(reason: &str) -> Impossible {
    let help = "a trace is what `polycube verify`, `explore` or `simulate` prints with `--format json`, or an object \
                with \"processes\", \"initial\" and \"steps\"";
    Impossible::new(reason).or(help)
}

/// The orders of a trace, as another format writes them: see [`TraceText`].
pub(crate) fn orders_of(system: &System, words: &serde_json::Value) -> Result<Orders, Impossible> {
    let words =
        Fields::deserialize(words).map_err(|error| no_trace(&format!("its order is malformed: {error}")))?;
    Reader { system, processes: 0 }.orders(&words)
}

struct Reader<'s> {
    system: &'s System,
    processes: u32,
}

impl Reader<'_> {
    fn trace(&self, words: &TraceText) -> Result<Trace, Impossible> {
        let orders = self.orders(&words.order)?;
        let instance = Instance::new(self.system, self.processes, orders.clone())
            .map_err(|none| Impossible::new(none.to_string()))?;
        let initial = self.state(&words.initial, &instance)?;
        let mut before = initial.clone();
        let mut steps = Vec::new();
        for (at, words) in words.steps.iter().enumerate() {
            let step = self.step(words, at + 1, &instance, &mut before)?;
            steps.push(step);
        }
        Ok(Trace { processes: self.processes, orders, initial, steps })
    }

    fn orders(&self, words: &Fields<Vec<String>>) -> Result<Orders, Impossible> {
        let mut orders = Orders::default();
        for (name, values) in &words.0 {
            let at = "in the order";
            if name == "proc" {
                let order = values.iter().map(|value| self.process(value, at));
                orders.processes = Some(order.collect::<Result<Vec<u32>, Impossible>>()?);
                continue;
            }
            let names = self.system.enumerations.iter().map(|enumeration| enumeration.name.as_str());
            let Some(index) = names.clone().position(|known| known == name) else {
                return Err(another_model(&format!("the model has no type {}", quoted(name)), name, names));
            };
            let ty = Type::Enumeration(EnumerationId(index as u32));
            let constructor = |value: &String| match self.value(value, ty, at)? {
                Value::Constructor(_, index) => Ok(index),
                other => panic!("a value of an enumeration is a constructor, not {other:?}"),
            };
            let order = values.iter().map(constructor).collect::<Result<Vec<u32>, Impossible>>()?;
            orders.enumerations.insert(EnumerationId(index as u32), order);
        }
        Ok(orders)
    }

    fn state(&self, words: &Fields<String>, instance: &Instance<'_>) -> Result<State, Impossible> {
        let mut state = State::unspoken(self.system);
        for (name, value) in &words.0 {
            for (cell, value) in self.cells_and_values(name, value, "in the initial state")? {
                if state.set(cell, value).is_some() {
                    return Err(Impossible::new(format!("in the initial state, `{name}` has two values")));
                }
            }
        }
        counted(instance, state).map_err(|misfit| match misfit {
            Misfit::NoValue(cell) => Impossible::new(format!("in the initial state, `{cell}` has no value")),
            misfit => {
                Impossible::new(format!("in the initial state, {misfit} with {}", processes(self.processes)))
            }
        })
    }

    /// A step from a state on, which becomes the state behind it.
    fn step(
        &self,
        words: &StepText,
        number: usize,
        instance: &Instance<'_>,
        state: &mut State,
    ) -> Result<Step, Impossible> {
        let at = format!("in step {number}");
        let arguments = words.arguments.iter().map(|argument| self.process(argument, &at));
        let arguments = arguments.collect::<Result<Vec<u32>, Impossible>>()?;
        let changes = words.changes.0.iter().map(|(cell, value)| self.cells_and_values(cell, value, &at));
        let changes = changes.collect::<Result<Vec<Vec<(Cell, Value)>>, Impossible>>()?.concat();
        let before = state.clone();
        for (cell, value) in &changes {
            state.set(cell.clone(), value.clone());
        }
        let meant = called(self.system, &words.transition, arguments.len());
        let name = name_of_step(instance, &meant, (&before, state), &arguments);
        let transition = name.unwrap_or_else(|| words.transition.clone());
        Ok(Step { transition, arguments, changes })
    }

    /// A cell and what it holds; what says that the value counts besides.
    fn cells_and_values(&self, cell: &str, value: &str, at: &str) -> Result<Vec<(Cell, Value)>, Impossible> {
        let cell = self.cell(cell, at)?;
        meant(self.system, &cell, value).ok_or_else(|| {
            Impossible::new(format!(
                "{at}, `{}`: {} is not a value of type `{}`",
                name_in_words(self.system, cell.symbol),
                quoted(value),
                self.system.type_name(self.system.symbol(cell.symbol).ty)
            ))
        })
    }

    fn cell(&self, text: &str, at: &str) -> Result<Cell, Impossible> {
        if let Some(cell) = Cell::from_words(self.system, text) {
            return Ok(cell);
        }
        if !self.system.words.cells.is_empty() {
            let all = cells_in_words(self.system, self.processes);
            let reason = format!("{at}, the model has no cell {}", quoted(text));
            return Err(another_model(&reason, text, all.iter().map(String::as_str)));
        }
        let name = text.split('[').next().unwrap_or(text);
        let names = self.system.symbols.iter().map(|symbol| symbol.name.as_str());
        match self.system.symbols.iter().find(|symbol| symbol.name == name) {
            None => {
                let what = if text.contains('[') { "array" } else { "variable" };
                Err(another_model(&format!("{at}, the model has no {what} {}", quoted(name)), name, names))
            }
            Some(symbol) => Err(Impossible::new(match symbol.kind {
                SymbolKind::Constant | SymbolKind::Variable => {
                    format!("{at}, {} should be `{name}`, which is not an array", quoted(text))
                }
                SymbolKind::Array { dimensions } => {
                    let indices =
                        if dimensions == 1 { "one process" } else { &format!("{dimensions} processes") };
                    format!(
                        "{at}, {} should name a cell of the array `{name}`, with {indices} as `#1` in its brackets",
                        quoted(text)
                    )
                }
            })),
        }
    }

    fn value(&self, text: &str, ty: Type, at: &str) -> Result<Value, Impossible> {
        Value::parse(self.system, ty, text).ok_or_else(|| {
            Impossible::new(format!(
                "{at}: {} is not a value of type `{}`",
                quoted(text),
                self.system.type_name(ty)
            ))
        })
    }

    fn process(&self, text: &str, at: &str) -> Result<u32, Impossible> {
        match Value::parse(self.system, Type::Process, text) {
            Some(Value::Process(process)) => Ok(process),
            _ => Err(Impossible::new(format!("{at}: {} is not a process, such as `#1`", quoted(text)))),
        }
    }
}

/// All cells that are spoken of.
pub(crate) fn cells_in_words(system: &System, processes: u32) -> Vec<String> {
    let is_spoken_of = |cell: &Cell| cell.spoken_of(system).as_ref() == Some(cell);
    cells(system, processes).filter(is_spoken_of).map(|cell| cell.in_words(system)).collect()
}

/// A variable or array as people call it.
fn name_in_words(system: &System, symbol: SymbolId) -> String {
    match system.words.cells.get(&symbol) {
        Some(pieces) => pieces.join("_"),
        None => system.symbol(symbol).name.clone(),
    }
}

pub(crate) fn another_model<'n>(
    reason: &str,
    name: &str,
    known: impl Iterator<Item = &'n str>,
) -> Impossible {
    let help = nearest(name, known).map(|near| format!("did you mean `{near}`?"));
    Impossible { reason: format!("this looks like a trace of another model: {reason}"), help }
}

/// A text in a message, cut where it is long.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    let shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() { format!("`{shown}...`") } else { format!("`{shown}`") }
}
