//! `simulate --interactive`: a conversation. One line in, one answer out, until `quit` or the end of the
//! input.

use std::path::Path;

use annotate_snippets::renderer::{AnsiColor, Style};
use polycube_certificate::{Cell, State};
use polycube_language::span::Lines;

use super::go_on;
use super::request::Request;
use super::walk::{Move, Walk};
use super::why::why;
use crate::command::output::Target;
use crate::command::prompt::Prompt;
use crate::console::Console;
use crate::model::Model;
use crate::random::Random;
use crate::report::json_trace::to_json;
use crate::report::trace::{self, Detail, Entry, call, columns, instance, paragraph, violation};
use crate::report::{counted, json};

/// So many possible steps are listed unless all are asked for.
const MOST_LISTED: usize = 30;

/// So many entries stand below each other before a second column begins.
pub(super) const FEW: usize = 8;

const HELP: &str = "  NUMBER            take that step
  NAME [#1 ...]     take the step of this transition, with these processes
  random [K]        take K steps at random, or one
  undo [K]          take K steps back, or one
  redo [K]          take K steps again that were undone, or one
  goto N            go to behind step N, back or forth; 0 is the start
  why NAME [#1 ...] say why a transition is not possible, for these processes
                    or for all
  list              show all possible steps
  state             show the state again; * marks what has changed
  trace             show the run so far
  save FILE         write the run so far to a new file, for polycube replay
  load FILE         go on from a run that was saved, or that verify, explore or
                    simulate printed with --format json
  restart           start again, in a random initial state
  help              show this
  quit              leave; so does the end of the input
The first letter is enough for r, u, w, l, s, t, h and q. A transition that is
called like a command is taken with: step NAME.
";

/// Talks until there is nothing more to read.
pub(super) fn run(model: &Model, walk: Walk<'_>, random: Random, console: &mut Console) {
    let prompt = Prompt::new();
    let lines = Lines::new(&model.input.text);
    let mut session =
        Session { model, lines, moves: walk.moves(), walk, random, marked: Vec::new(), prompt, console };
    session.greet();
    while let Some(line) = session.ask().filter(|line| !matches!(line.trim(), "q" | "quit" | "exit")) {
        session.obey(line.trim());
    }
}

pub(super) struct Session<'m> {
    model: &'m Model,
    lines: Lines<'m>,
    pub(super) walk: Walk<'m>,
    pub(super) moves: Vec<Move>,
    /// The cells that the last command changed.
    marked: Vec<Cell>,
    pub(super) random: Random,
    pub(super) prompt: Prompt,
    pub(super) console: &'m mut Console,
}

impl Session<'_> {
    fn ask(&mut self) -> Option<String> {
        self.offer_commands();
        self.prompt.ask("> ", self.console)
    }

    fn obey(&mut self, line: &str) {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "" => {}
            "r" | "random" => self.repeat(rest, Session::take_at_random),
            "u" | "undo" => self.repeat(rest, Session::undo),
            "redo" => self.repeat(rest, Session::redo),
            "goto" => match rest.parse() {
                Ok(step) => self.go_to(step),
                Err(_) if rest.is_empty() => self.say("Where to? For example: goto 0"),
                Err(_) => self.say(&format!("`{rest}` is not the number of a step.")),
            },
            "step" if rest.is_empty() => self.say("Which one? For example: step enter #1"),
            "step" => self.take_by_name(rest),
            "w" | "why" => {
                let answer = why(&self.walk, &self.lines, rest);
                self.console.print(&answer);
            }
            "save" if rest.is_empty() => self.say("Where to? For example: save run.json"),
            "save" => self.save(rest),
            "load" if rest.is_empty() => self.say("What? For example: load run.json"),
            "load" if rest == "-" => self.say("Commands are read from standard input: name a file."),
            "load" => self.load(rest),
            _ if !rest.is_empty() && self.names_transition(line) => self.take_by_name(line),
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
                Err(_) if self.names_transition(word) => self.take_by_name(word),
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

    pub(super) fn say(&mut self, text: &str) {
        self.console.print(&paragraph(text));
    }

    fn greet(&mut self) {
        let name = &self.model.input.name;
        let instance = instance(&self.model.system, &self.walk.trace);
        let steps = match (self.walk.len(), self.walk.undone()) {
            (0, 0) => String::new(),
            (count, 0) => format!("{} loaded.\n", counted(count, "step")),
            (count, more) => format!("Behind step {count} of {}: `redo` goes on.\n", count + more),
        };
        self.console.print(&format!("{name}: {instance}{steps}Type the number of a step, or `help`.\n\n"));
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
        let listed = most.min(self.moves.len());
        let mut text = format!("possible steps:\n{}", self.numbered(0..listed));
        if listed < self.moves.len() {
            text += &format!("and {} more: `list` shows all\n", self.moves.len() - listed);
        }
        self.console.print(&text);
    }

    /// These of the possible steps, with their numbers.
    fn numbered(&self, which: impl IntoIterator<Item = usize>) -> String {
        let digits = self.moves.len().to_string().len();
        let entry = |at: usize| Entry {
            label: format!("{:>digits$}", at + 1),
            text: self.call(&self.moves[at]),
            style: Style::new(),
        };
        columns(&which.into_iter().map(entry).collect::<Vec<_>>(), "  ", FEW)
    }

    fn call(&self, chosen: &Move) -> String {
        call(self.walk.system(), &self.walk.transition(chosen).name, &chosen.arguments)
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

    /// Whether a line begins with the name of a transition.
    fn names_transition(&self, line: &str) -> bool {
        let system = self.walk.system();
        let named = Request::name(system, line);
        system.transitions.iter().any(|one| Some(system.transition_in_words(&one.name)) == named)
    }

    /// Takes the possible step that fits, if there is one and no other.
    fn take_by_name(&mut self, request: &str) {
        let Request { name, arguments } = match Request::parse(self.walk.system(), request) {
            Ok(Some(request)) => request,
            Ok(None) => return self.say("Which one? For example: step enter #1"),
            Err(wrong) => return self.console.print(&wrong),
        };
        let fits = |chosen: &Move| {
            self.walk.system().transition_in_words(&self.walk.transition(chosen).name) == name
                && (arguments.is_empty() || arguments == chosen.arguments)
        };
        let fitting: Vec<usize> = (0..self.moves.len()).filter(|&at| fits(&self.moves[at])).collect();
        match *fitting.as_slice() {
            [only] => self.take(only + 1),
            [] => {
                let answer = why(&self.walk, &self.lines, request);
                self.console.print(&answer);
            }
            _ => {
                let steps = self.numbered(fitting);
                self.console.print(&format!("Which one?\n{steps}"));
            }
        }
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

    fn redo(&mut self, count: usize) {
        let (before, first) = (self.walk.state.clone(), self.walk.len());
        if (0..count).take_while(|_| self.walk.redo().is_some()).count() == 0 {
            self.console.print("There is nothing to take again.\n");
            return;
        }
        self.arrive(&before, first);
    }

    fn go_to(&mut self, step: usize) {
        let (here, last) = (self.walk.len(), self.walk.len() + self.walk.undone());
        if step > last {
            let steps = counted(last, "step");
            self.console.print(&format!("There is no step {step}: the run has {steps}.\n"));
        } else if step < here {
            self.undo(here - step);
        } else if step > here {
            self.redo(step - here);
        } else {
            self.show();
        }
    }

    /// Goes on from the end of a run.
    fn load(&mut self, file: &str) {
        match go_on(self.walk.system(), Path::new(file), None, self.walk.bounds) {
            Ok(walk) => {
                self.walk = walk;
                self.marked.clear();
                self.moves = self.walk.moves();
                let instance = instance(&self.model.system, &self.walk.trace);
                let steps = counted(self.walk.len(), "step");
                self.console.print(&format!("{file}: {instance}{steps} loaded.\n\n"));
                self.show();
            }
            Err(refusal) => self.console.print(&paragraph(&refusal.in_words())),
        }
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

    fn save(&mut self, file: &str) {
        let text = json::print(&to_json(&self.model.system, &self.walk.trace));
        let path = Path::new(file);
        let written = Target::prepare(path, false).and_then(|target| target.write(text.as_bytes()));
        let answer = match written {
            Ok(()) => format!("{} saved in {file}.\n", counted(self.walk.len(), "step")),
            Err(impossible) => format!("{}.\n", impossible.reason),
        };
        self.console.print(&answer);
    }
}
