//! `simulate --interactive`: a conversation. One line in, one answer out, until `quit` or the end of the
//! input.

use std::fs::OpenOptions;
use std::io::{self, Write};

use annotate_snippets::renderer::{AnsiColor, Style};
use polycube_certificate::{Cell, State, Value, has_type};
use polycube_language::span::Lines;
use polycube_language::system::Type;

use super::walk::{Destination, Move, Walk};
use super::why::why;
use crate::command::prompt::Prompt;
use crate::console::Console;
use crate::input::describe;
use crate::model::Model;
use crate::random::Random;
use crate::report::json_trace::to_json;
use crate::report::trace::{self, Detail, Entry, call, columns, instance, paragraph, violation};
use crate::report::{counted, json};

/// So many possible steps are listed unless all are asked for.
const MOST_LISTED: usize = 30;

/// So many entries stand below each other before a second column begins.
const FEW: usize = 8;

const HELP: &str = "  NUMBER            take that step
  random [K]        take K steps at random, or one
  undo [K]          take K steps back, or one
  why NAME [#1 ...] say why a transition is not possible, for these processes
                    or for all
  list              show all possible steps
  state             show the state again; * marks what has changed
  trace             show the run so far
  save FILE         write the run so far to a new file, for polycube replay
  restart           start again, in a random initial state
  help              show this
  quit              leave; so does the end of the input
The first letter is enough for r, u, w, l, s, t, h and q.
";

/// Talks until there is nothing more to read.
pub(super) fn run(model: &Model, walk: Walk<'_>, random: Random, console: &mut Console) {
    let prompt = Prompt::new();
    let lines = Lines::new(&model.input.text);
    let mut session =
        Session { model, lines, moves: walk.moves(), walk, random, marked: Vec::new(), prompt, console };
    session.greet();
    while let Some(line) = session.ask("> ").filter(|line| !matches!(line.trim(), "q" | "quit" | "exit")) {
        session.obey(line.trim());
    }
}

struct Session<'m> {
    model: &'m Model,
    lines: Lines<'m>,
    walk: Walk<'m>,
    moves: Vec<Move>,
    /// The cells that the last command changed.
    marked: Vec<Cell>,
    random: Random,
    prompt: Prompt,
    console: &'m mut Console,
}

enum Answer {
    Value(Value),
    Any,
    /// Any value, for this cell and for all that are still to come.
    AnyFromHereOn,
    CallOff,
}

impl Session<'_> {
    fn ask(&mut self, question: &str) -> Option<String> {
        self.prompt.ask(question, self.console)
    }

    fn obey(&mut self, line: &str) {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "r" | "random" => self.repeat(rest, Session::take_at_random),
            "u" | "undo" => self.repeat(rest, Session::undo),
            "w" | "why" => {
                let answer = why(&self.walk, &self.lines, rest);
                self.console.print(&answer);
            }
            "save" if rest.is_empty() => self.say("Where to? For example: save run.json"),
            "save" => self.save(rest),
            _ if !rest.is_empty() => self.say(&format!("`{line}` is not a command; type `help`.")),
            "l" | "list" => self.list(usize::MAX),
            "s" | "state" => self.show(),
            "t" | "trace" => {
                let table = trace::trace(&self.model.system, &self.walk.trace, Detail::default());
                self.console.print(&table);
            }
            "restart" => self.restart(),
            "h" | "help" | "?" => self.console.print(HELP),
            _ => match word.parse() {
                Ok(number) => self.take(number),
                Err(_) => self.say(&format!("`{word}` is not a command; type `help`.")),
            },
        }
    }

    /// Does something that many times, or once.
    fn repeat(&mut self, times: &str, action: impl FnOnce(&mut Self, usize)) {
        match times.parse() {
            Ok(count) => action(self, count),
            Err(_) if times.is_empty() => action(self, 1),
            Err(_) => self.say(&format!("`{times}` is not a number of steps.")),
        }
    }

    fn say(&mut self, text: &str) {
        self.console.print(&paragraph(text));
    }

    fn greet(&mut self) {
        let name = &self.model.input.name;
        let instance = instance(&self.model.system, &self.walk.trace);
        self.console.print(&format!("{name}: {instance}Type the number of a step, or `help`.\n\n"));
        self.show();
    }

    /// The state, what is wrong with it, and what is possible.
    fn show(&mut self) {
        let system = &self.model.system;
        let processes = self.walk.instance.processes();
        let mut text = trace::state(system, processes, &self.walk.state, &self.marked);
        let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
        for (at, one) in self.walk.violations().iter().enumerate() {
            let clause = {
                let (name, state) = (&self.model.input.name, Some(&self.walk.state));
                violation(system, name, &self.lines, one, state, "in this state")
            };
            let blank = if at == 0 { "\n" } else { "" };
            text += &format!("{blank}{red}{clause}{red:#}");
        }
        self.console.print(&format!("{text}\n"));
        self.list(MOST_LISTED);
    }

    /// The possible steps, at most this many.
    fn list(&mut self, most: usize) {
        if self.moves.is_empty() {
            self.console.print("No step is possible here.\n");
            return;
        }
        let digits = self.moves.len().to_string().len();
        let entry = |(at, chosen): (usize, &Move)| Entry {
            label: format!("{:>digits$}", at + 1),
            text: call(&self.walk.transition(chosen).name, &chosen.arguments),
            style: Style::new(),
        };
        let entries: Vec<Entry> = self.moves.iter().enumerate().take(most).map(entry).collect();
        let mut text = format!("possible steps:\n{}", columns(&entries, "  ", FEW));
        if entries.len() < self.moves.len() {
            text += &format!("and {} more: `list` shows all\n", self.moves.len() - entries.len());
        }
        self.console.print(&text);
    }

    fn take(&mut self, number: usize) {
        let Some(chosen) = number.checked_sub(1).and_then(|index| self.moves.get(index)).cloned() else {
            let hint = match self.moves.len() {
                0 => "No step is possible here: try `undo` or `restart`.".to_owned(),
                count => format!("{number} is not in the list, which goes from 1 to {count}."),
            };
            self.console.print(&format!("{hint}\n"));
            return;
        };
        let Some(after) = self.choose(self.walk.destination(&chosen)) else {
            self.console.print("The step is not taken.\n");
            return;
        };
        let before = self.walk.state.clone();
        self.walk.take(&chosen, after);
        self.arrive(&before, self.walk.len() - 1);
    }

    fn take_at_random(&mut self, count: usize) {
        let (before, first) = (self.walk.state.clone(), self.walk.len());
        let taken = (0..count).take_while(|_| self.walk.step_at_random(&mut self.random).is_some()).count();
        if taken < count {
            let only =
                if taken == 0 { "no step".to_owned() } else { format!("only {}", counted(taken, "step")) };
            self.console.print(&format!("There {} {only} to take.\n", if taken > 1 { "are" } else { "is" }));
        }
        if taken > 0 {
            self.arrive(&before, first);
        }
    }

    fn undo(&mut self, count: usize) {
        let before = self.walk.state.clone();
        let undone = (0..count).take_while(|_| self.walk.undo().is_some()).count();
        if undone == 0 {
            self.console.print("This is the start: there is nothing to undo.\n");
            return;
        }
        let left = counted(self.walk.len(), "step");
        self.console.print(&format!("{} undone, {left} left.\n\n", counted(undone, "step")));
        self.arrived(&before);
    }

    fn restart(&mut self) {
        let (processes, bounds) = (self.walk.instance.processes(), self.walk.bounds);
        match Walk::start(self.walk.system(), processes, bounds, &mut self.random) {
            Ok(walk) => {
                self.walk = walk;
                self.marked.clear();
                self.moves = self.walk.moves();
                self.greet();
            }
            Err(no_start) => self.console.print(&format!("{}\n", no_start.reason)),
        }
    }

    /// Shows the steps from the one with this index on, and where they have led.
    fn arrive(&mut self, before: &State, first: usize) {
        let steps = &self.walk.trace.steps[first..];
        let steps = trace::steps(&self.model.system, before, steps, first + 1);
        self.console.print(&format!("{steps}\n"));
        self.arrived(before);
    }

    fn arrived(&mut self, before: &State) {
        self.marked = before.changes_to(&self.walk.state).into_iter().map(|(cell, _)| cell).collect();
        self.moves = self.walk.moves();
        self.show();
    }

    /// Asks for the values of the open cells; none if the step is called off.
    fn choose(&mut self, Destination { mut state, open }: Destination) -> Option<State> {
        let mut asking = true;
        for cell in open {
            let answer = if asking { self.choose_value(&cell) } else { Answer::Any };
            asking &= !matches!(answer, Answer::AnyFromHereOn);
            let value = match answer {
                Answer::Value(value) => value,
                Answer::Any | Answer::AnyFromHereOn => self.walk.any_value(&cell, &mut self.random),
                Answer::CallOff => return None,
            };
            state.set(cell, value);
        }
        Some(state)
    }

    /// Asks for the value of a cell, until there is an answer.
    fn choose_value(&mut self, cell: &Cell) -> Answer {
        let ty = self.walk.system().symbol(cell.symbol).ty;
        let values = self.walk.values(ty);
        let mut question = format!("Which value for {}? Enter takes any", cell.display(self.walk.system()));
        if values.is_empty() {
            let (low, high) = (self.walk.bounds.numbers.start(), self.walk.bounds.numbers.end());
            question += &format!(" number from {low} to {high}.\n");
        } else {
            let entry = |(at, value): (usize, &Value)| Entry {
                label: (at + 1).to_string(),
                text: value.display(self.walk.system()).to_string(),
                style: Style::new(),
            };
            let entries: Vec<Entry> = values.iter().enumerate().map(entry).collect();
            question += &format!(".\n{}", columns(&entries, "  ", FEW));
        }
        self.console.print(&question);
        loop {
            let Some(line) = self.ask("? ") else { return Answer::CallOff };
            match line.trim() {
                "" => return Answer::Any,
                "r" | "random" => return Answer::AnyFromHereOn,
                "c" | "cancel" => return Answer::CallOff,
                text => match self.value(text, ty, &values) {
                    Some(value) => return Answer::Value(value),
                    None => self.say(
                        "Type a value, or nothing for any; `random` for any here and in all further questions \
                         of this step; or `cancel` for not taking the step.",
                    ),
                },
            }
        }
    }

    /// A value as it was typed: its number in the list, or itself.
    fn value(&self, text: &str, ty: Type, values: &[Value]) -> Option<Value> {
        let listed = text.parse().ok().and_then(|number: usize| values.get(number.checked_sub(1)?));
        let typed = || Value::parse(self.walk.system(), ty, text);
        listed.cloned().or_else(typed).filter(|value| has_type(&self.walk.instance, value, ty))
    }

    fn save(&mut self, file: &str) {
        let text = json::print(&to_json(&self.model.system, &self.walk.trace));
        let new = OpenOptions::new().write(true).create_new(true).open(file);
        let answer = match new.and_then(|mut new| new.write_all(text.as_bytes())) {
            Ok(()) => format!("{} saved in {file}.\n", counted(self.walk.len(), "step")),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                format!("`{file}` exists already; it is not overwritten.\n")
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                format!("`{file}` cannot be written: there is no such folder.\n")
            }
            Err(error) => format!("`{file}` cannot be written: {}.\n", describe(&error)),
        };
        self.console.print(&answer);
    }
}
