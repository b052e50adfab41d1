//! Reading a trace in the Informal Trace Format. Nothing is believed of the text: what it says of states and
//! steps becomes a trace, and whether that is a run is for the judge to say.

use polycube_certificate::{
    Cell, Instance, Misfit, Orders, State, Step, Trace, Value, cells, check_step, counted, enabled, meant,
};
use polycube_language::System;
use polycube_language::suggest::nearest;
use polycube_language::system::{Processes, SymbolId, SymbolKind, Transition, Type};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value as Json};

use super::place::{cells_of, text_of};
use super::{MAP, META, TUPLE};
use crate::input::Impossible;
use crate::report::json_trace::{another_model, called, cells_in_words, name_of_step, orders_of, quoted};

/// A trace, so far as its steps can be named.
pub(crate) struct Named {
    pub(crate) trace: Trace,
    /// The first step, from 1, that no transition explains; the trace ends before it.
    pub(crate) unexplained: Option<usize>,
}

#[derive(Deserialize)]
struct Outline {
    vars: Option<IgnoredAny>,
    states: Option<IgnoredAny>,
}

/// Whether a text is in this format, at first sight.
pub(crate) fn is_itf(text: &str) -> bool {
    let text = text.trim_start_matches('\u{FEFF}');
    let outline = || serde_json::from_str::<Outline>(text);
    text.trim_start().starts_with('{')
        && outline().is_ok_and(|outline| outline.vars.is_some() && outline.states.is_some())
}

#[derive(Deserialize)]
struct TraceText {
    #[serde(rename = "#meta", default)]
    meta: Map<String, Json>,
    states: Vec<Map<String, Json>>,
}

/// Reads a trace of this system. A step whose transition or processes are not named is any that leads from
/// one state to the next: the first, in the order of the system.
pub(crate) fn from_itf(system: &System, text: &str) -> Result<Named, Impossible> {
    let TraceText { meta, states } = serde_json::from_str(text.trim_start_matches('\u{FEFF}'))
        .map_err(|error| Impossible::new(format!("its trace is malformed: {error}")))?;
    let Some(first) = states.first() else {
        return Err(Impossible::new("its trace has no states: there is no run to replay"));
    };
    let processes = number_of_processes(system, &meta, first)?;
    let orders = match meta.get("order") {
        Some(words) => orders_of(system, words)?,
        None => Orders::default(),
    };
    let instance =
        Instance::new(system, processes, orders.clone()).map_err(|none| Impossible::new(none.to_string()))?;
    let reader = Reader { system, instance, first };
    let mut before = reader.state(first, 0)?;
    let mut trace = Trace { processes, orders, initial: before.clone(), steps: Vec::new() };
    for (at, words) in states.iter().enumerate().skip(1) {
        let after = reader.state(words, at)?;
        let Some(step) = reader.step(words, at, &before, &after)? else {
            return Ok(Named { trace, unexplained: Some(at) });
        };
        trace.steps.push(step);
        before = after;
    }
    Ok(Named { trace, unexplained: None })
}

/// What the trace says, or the system; or as many as the keys of arrays name.
fn number_of_processes(
    system: &System,
    meta: &Map<String, Json>,
    first: &Map<String, Json>,
) -> Result<u32, Impossible> {
    if let Some(said) = meta.get("processes") {
        let count = said.as_u64().and_then(|count| u32::try_from(count).ok());
        let wrong = || Impossible::new(format!("`{said}` is not a number of processes"));
        return count.ok_or_else(wrong);
    }
    if let Processes::Exactly(count) = system.processes {
        return Ok(count);
    }
    let maps = first.values().filter_map(|value| value.get(MAP)?.as_array()).flatten();
    let keys = maps.filter_map(|pair| pair.get(0)).flat_map(key_parts);
    let named = keys.filter_map(|key| process(system, &key)).max();
    named.ok_or_else(|| {
        let help = "say it with \"processes\" in the object \"#meta\"";
        Impossible::new("it does not say how many processes there are").or(help)
    })
}

struct Reader<'s> {
    system: &'s System,
    instance: Instance<'s>,
    /// The first state, where constants have their values.
    first: &'s Map<String, Json>,
}

impl Reader<'_> {
    fn state(&self, words: &Map<String, Json>, at: usize) -> Result<State, Impossible> {
        if !self.system.words.cells.is_empty() {
            return self.state_in_words(words, at);
        }
        self.only_known_names(words, at)?;
        let mut state = State::default();
        for (symbol, id) in self.system.symbols[..self.system.declared()].iter().zip((0..).map(SymbolId)) {
            let constant = || self.first.get(&symbol.name).filter(|_| symbol.kind == SymbolKind::Constant);
            let Some(words) = words.get(&symbol.name).or_else(constant) else {
                return Err(Impossible::new(format!("in state {at}, `{}` has no value", symbol.name)));
            };
            let wrong =
                |what: &str| Err(Impossible::new(format!("in state {at}, `{}`: {what}", symbol.name)));
            if symbol.dimensions() == 0 {
                match value(self.system, symbol.ty, words) {
                    Some(value) => state.set(Cell { symbol: id, indices: Vec::new() }, value),
                    None => {
                        let ty = self.system.type_name(symbol.ty);
                        return wrong(&format!("{} is not a value of type `{ty}`", shortened(words)));
                    }
                };
                continue;
            }
            let Some(pairs) = words.get(MAP).and_then(Json::as_array) else {
                return wrong("an array is a map, {\"#map\": [[\"#1\", ...], ...]}");
            };
            for pair in pairs {
                let Some((cell, value)) = self.pair(id, pair) else {
                    return wrong(&format!("{} is not a key and a value", shortened(pair)));
                };
                if state.set(cell, value).is_some() {
                    return wrong(&format!("{} is not the only value of its key", shortened(pair)));
                }
            }
        }
        self.whole(state, at)
    }

    /// The same where the variables are those of a file in another language, and may have parts.
    fn state_in_words(&self, words: &Map<String, Json>, at: usize) -> Result<State, Impossible> {
        let is_constant = |cell: &Cell| self.system.symbol(cell.symbol).kind == SymbolKind::Constant;
        let mut state = State::unspoken(self.system);
        for (name, structure) in words.iter().filter(|(name, _)| !is_foreign(name)) {
            for (name, held) in cells_of(name, structure) {
                let Some(cell) = Cell::from_words(self.system, &name) else {
                    let all = cells_in_words(self.system, self.instance.processes());
                    let reason = format!("in state {at}, the model has no cell {}", quoted(&name));
                    return Err(another_model(&reason, &name, all.iter().map(String::as_str)));
                };
                let said = text_of(held).and_then(|text| meant(self.system, &cell, &text));
                let Some(said) = said else {
                    let held = shortened(held);
                    return Err(Impossible::new(format!(
                        "in state {at}, `{name}`: {held} is not one of its values"
                    )));
                };
                state.extend(said);
            }
        }
        for (name, structure) in self.first {
            // Constants need their values in the first state only.
            let cell = Cell::from_words(self.system, name).filter(is_constant);
            let missing = cell.filter(|cell| state.get(cell).is_none());
            let said =
                missing.zip(text_of(structure)).and_then(|(cell, text)| meant(self.system, &cell, &text));
            state.extend(said.into_iter().flatten());
        }
        self.whole(state, at)
    }

    /// What a map says of a cell.
    fn pair(&self, symbol: SymbolId, pair: &Json) -> Option<(Cell, Value)> {
        let [key, held] = pair.as_array()?.as_slice() else { return None };
        let declared = self.system.symbol(symbol);
        let indices =
            key_parts(key).iter().map(|part| process(self.system, part)).collect::<Option<Vec<_>>>()?;
        let cell = Cell { symbol, indices };
        (cell.indices.len() == declared.dimensions())
            .then(|| Some((cell, value(self.system, declared.ty, held)?)))?
    }

    fn whole(&self, state: State, at: usize) -> Result<State, Impossible> {
        let count = self.instance.processes();
        let missing = cells(self.system, count)
            .find(|cell| self.system.count(cell.symbol).is_none() && state.get(cell).is_none());
        if let Some(cell) = missing {
            return Err(Impossible::new(format!(
                "in state {at}, `{}` has no value",
                cell.in_words(self.system)
            )));
        }
        counted(&self.instance, state).map_err(|misfit: Misfit| {
            Impossible::new(format!("in state {at}, {misfit}, of {count} processes"))
        })
    }

    fn only_known_names(&self, words: &Map<String, Json>, at: usize) -> Result<(), Impossible> {
        let names = || self.system.symbols.iter().map(|symbol| symbol.name.as_str());
        match words.keys().find(|name| !is_foreign(name) && !names().any(|known| known == name.as_str())) {
            None => Ok(()),
            Some(name) => Err(another_model(
                &format!("in state {at}, the model has no variable `{name}`"),
                name,
                names(),
            )),
        }
    }

    /// The step that leads to a state: the one that it names, or the first that does.
    fn step(
        &self,
        words: &Map<String, Json>,
        at: usize,
        before: &State,
        after: &State,
    ) -> Result<Option<Step>, Impossible> {
        let meta = words.get(META);
        let named = meta.and_then(|meta| meta.get("transition")).and_then(Json::as_str);
        let arguments = meta.and_then(|meta| meta.get("arguments")).and_then(Json::as_array);
        let changes = before.changes_to(after);
        let changes =
            changes.into_iter().filter(|(cell, _)| self.system.count(cell.symbol).is_none()).collect();
        let read = |word: &Json| {
            let wrong = || {
                Impossible::new(format!("in state {at}: {} is not a process, such as `#1`", shortened(word)))
            };
            process(self.system, word).ok_or_else(wrong)
        };
        if let Some((name, words)) = named.zip(arguments) {
            let arguments = words.iter().map(read).collect::<Result<Vec<u32>, Impossible>>()?;
            let meant = called(self.system, name, arguments.len());
            let transition = name_of_step(&self.instance, &meant, (before, after), &arguments);
            let transition = transition.unwrap_or_else(|| name.to_owned());
            return Ok(Some(Step { transition, arguments, changes }));
        }
        let word = |transition: &'_ Transition| self.system.transition_in_words(&transition.name).to_owned();
        if let Some(name) = named {
            let names: Vec<String> = self.system.transitions.iter().map(word).collect();
            if !names.iter().any(|known| known == name) {
                let reason = format!("in state {at}: the model has no transition `{name}`");
                let help = nearest(name, names.iter().map(String::as_str));
                let help = help.map(|near| format!("did you mean `{near}`?"));
                return Err(Impossible { reason, help });
            }
        }
        let transitions = self.system.transitions.iter();
        let mut fitting =
            transitions.filter(|known| named.is_none_or(|name| name == word(known))).filter_map(|known| {
                let leads = |arguments: &Vec<u32>| {
                    check_step(&self.instance, before, known, arguments, after).is_ok()
                };
                let arguments = enabled(&self.instance, known, before).into_iter().find(leads)?;
                Some((known.name.clone(), arguments))
            });
        Ok(fitting.next().map(|(transition, arguments)| Step { transition, arguments, changes }))
    }
}

/// Whether it is no variable. Tools add fields of their own: `#meta`, `mbt::actionTaken`.
fn is_foreign(name: &str) -> bool {
    name.starts_with('#') || name.contains("::")
}

/// The parts of a key: those of a tuple, or itself.
fn key_parts(key: &Json) -> Vec<Json> {
    key.get(TUPLE).and_then(Json::as_array).cloned().unwrap_or_else(|| vec![key.clone()])
}

/// A process, as `"#1"` or as its number.
fn process(system: &System, words: &Json) -> Option<u32> {
    match value(system, Type::Process, words)? {
        Value::Process(process) => Some(process),
        _ => None,
    }
}

fn value(system: &System, ty: Type, words: &Json) -> Option<Value> {
    let text = match words {
        Json::Bool(true) if ty == Type::BOOL => "True".to_owned(),
        Json::Bool(false) if ty == Type::BOOL => "False".to_owned(),
        Json::Bool(_) => return None,
        _ => text_of(words)?,
    };
    let text = if ty == Type::Process && !text.starts_with('#') { format!("#{text}") } else { text };
    Value::parse(system, ty, &text)
}

/// JSON in a message.
fn shortened(words: &Json) -> String {
    quoted(&words.to_string())
}
