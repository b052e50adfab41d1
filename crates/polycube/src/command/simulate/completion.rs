//! What may be typed next, in a conversation on a terminal.

use polycube_certificate::Value;
use polycube_language::system::Transition;

use super::session::Session;
use super::walk::Move;
use crate::command::prompt::Next;

const COMMANDS: [&str; 14] = [
    "goto", "help", "list", "load", "quit", "random", "redo", "restart", "save", "state", "step", "trace",
    "undo", "why",
];

/// What the possible steps are called: a transition, and its processes.
struct Step {
    name: String,
    arguments: Vec<String>,
}

impl Session<'_> {
    /// Commands and possible steps; transitions behind `why`; files behind `load` and `save`.
    pub(super) fn offer_commands(&mut self) {
        let process = |number: u32| format!("#{number}");
        let system = self.walk.system();
        let step = |chosen: &Move| Step {
            name: system.transition_in_words(&self.walk.transition(chosen).name).to_owned(),
            arguments: chosen.arguments.iter().copied().map(process).collect(),
        };
        let steps: Vec<Step> = self.moves.iter().map(step).collect();
        let transition =
            |one: &Transition| (system.transition_in_words(&one.name).to_owned(), one.parameters.len());
        let transitions: Vec<(String, usize)> = system.transitions.iter().map(transition).collect();
        let processes: Vec<String> = (1..=self.walk.instance.processes()).map(process).collect();
        self.prompt.complete_with(move |words| match *words {
            [] => {
                let commands = COMMANDS.iter().map(|&command| command.to_owned());
                Next::Words(commands.chain(steps.iter().map(|step| step.name.clone())).collect())
            }
            ["load" | "save", ..] => Next::File,
            ["why" | "w"] => Next::Words(transitions.iter().map(|(name, _)| name.clone()).collect()),
            ["why" | "w", name, ref typed @ ..] => {
                let is_open = |(known, count): &(String, usize)| known == name && typed.len() < *count;
                let open = transitions.iter().any(is_open);
                let others = processes.iter().filter(|process| !typed.contains(&process.as_str()));
                Next::Words(others.filter(|_| open).cloned().collect())
            }
            ref typed => following(&steps, typed.strip_prefix(&["step"]).unwrap_or(typed)),
        });
    }

    /// The values that a question lists.
    pub(super) fn offer_values(&mut self, values: &[Value]) {
        let system = self.walk.system();
        let mut words: Vec<String> = values.iter().map(|value| value.in_words(system)).collect();
        words.extend(["random", "cancel"].map(str::to_owned));
        self.prompt.complete_with(move |typed| {
            Next::Words(if typed.is_empty() { words.clone() } else { Vec::new() })
        });
    }
}

/// What may follow these words, so that a possible step is named.
fn following(steps: &[Step], typed: &[&str]) -> Next {
    let next = |step: &Step| {
        let words: Vec<&String> = std::iter::once(&step.name).chain(&step.arguments).collect();
        let fits = typed.iter().zip(&words).all(|(typed, word)| typed == word);
        words.get(typed.len()).filter(|_| fits).map(|word| (*word).clone())
    };
    Next::Words(steps.iter().filter_map(next).collect())
}
