//! `induct --interactive`: counterexamples and suggestions, one after the other, until the clauses are
//! inductive or the user leaves.

use polycube_certificate::Clause;
use polycube_murphi::Request;

use super::look::{Asked, Look};
use super::{NAMELESS, model_with, report, with_clauses};
use crate::arguments::Format;
use crate::command::output::Target;
use crate::command::prompt::{Next, Prompt};
use crate::command::{Outcome, Refusal, cut_off, stop};
use crate::console::Console;
use crate::model::Model;
use crate::report::counted;
use crate::report::cube::{is_readable, written};
use crate::report::trace::paragraph;

const HELP: &str = "  a, b, c ...     accept that suggestion: it becomes an invariant clause
  reject LETTER   do not suggest that again
  undo            take back the last decision
  next            show the next counterexample
  show            show this one again
  clauses         show all clauses, and what is known of each
  help            show this
  quit            leave; so does the end of the input
The first letter is enough for r, u, n, s, h and q.
";

const COMMANDS: [&str; 7] = ["clauses", "help", "next", "quit", "reject", "show", "undo"];

/// What a line asks for.
enum Command<'l> {
    Accept(usize),
    Reject(usize),
    Undo,
    Next,
    Show,
    Clauses,
    Help,
    Quit,
    Nothing,
    Unknown(&'l str),
}

impl Command<'_> {
    fn read(line: &str) -> Command<'_> {
        let letter = |word: &str| match word.as_bytes() {
            [letter @ b'a'..=b'e'] => Some(usize::from(letter - b'a')),
            _ => None,
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => Command::Nothing,
            ["u" | "undo"] => Command::Undo,
            ["n" | "next"] => Command::Next,
            ["s" | "show"] => Command::Show,
            ["clauses"] => Command::Clauses,
            ["h" | "help" | "?"] => Command::Help,
            ["q" | "quit" | "exit"] => Command::Quit,
            ["r" | "reject", word] => letter(word).map_or(Command::Unknown(line), Command::Reject),
            ["accept", word] | [word] => letter(word).map_or(Command::Unknown(line), Command::Accept),
            _ => Command::Unknown(line),
        }
    }
}

/// What the user has decided about a suggestion.
enum Decision {
    Accepted(Clause),
    Rejected(Clause),
}

fn accepted(decisions: &[Decision]) -> Vec<Clause> {
    let accepted = decisions.iter().filter_map(|decision| match decision {
        Decision::Accepted(clause) => Some(clause.clone()),
        Decision::Rejected(_) => None,
    });
    accepted.collect()
}

fn rejected(decisions: &[Decision]) -> Vec<Clause> {
    let rejected = decisions.iter().filter_map(|decision| match decision {
        Decision::Accepted(_) => None,
        Decision::Rejected(clause) => Some(clause.clone()),
    });
    rejected.collect()
}

/// Talks until the clauses are inductive, or there is nothing more to read.
pub(super) fn run(
    model: &Model,
    asked: &Asked<'_>,
    request: Request<'_>,
    mut target: Option<Target<'_>>,
    console: &mut Console,
) -> Result<Outcome, Refusal> {
    let mut prompt = Prompt::new();
    prompt.complete_with(|words| {
        Next::Words(if words.is_empty() { COMMANDS.map(str::to_owned).to_vec() } else { Vec::new() })
    });
    let mut decisions = Vec::new();
    console.print("Type the letter of a suggestion, or `help`.\n\n");
    loop {
        let present = model_with(model, &accepted(&decisions), request)?;
        let look = look(&present, asked, &rejected(&decisions), console)?;
        console.print(&format!("{}\n", look.headline()));
        if look.counterexamples.is_empty() {
            console.print(&conclusion(&look, &decisions));
            return Ok(look.outcome());
        }
        if !talk(&look, &mut decisions, &mut prompt, console) {
            console.print(&conclusion(&look, &decisions));
            return Ok(look.outcome());
        }
        // Written at once: whatever happens next, what was decided is not lost.
        if let Some(file) = &mut target {
            file.write(with_clauses(model, &accepted(&decisions)).as_bytes())?;
            *file = file.again();
        }
    }
}

fn look<'m>(
    model: &'m Model,
    asked: &Asked<'_>,
    rejected: &[Clause],
    console: &mut Console,
) -> Result<Look<'m>, Refusal> {
    let (stop, apart) = (asked.stop, console.another());
    let cut_off = |reason| {
        let text = report::cut_off(&model.input.name, &stop.describe(), cut_off::code(reason), Format::Human);
        cut_off::end(&text, Format::Human, Outcome::Unknown, apart)
    };
    stop.guard(stop::GRACE, cut_off, || Look::at(model, asked, rejected, console))
}

/// Talks about the counterexamples of a model until a decision changes them. Whether there was one.
fn talk(look: &Look<'_>, decisions: &mut Vec<Decision>, prompt: &mut Prompt, console: &mut Console) -> bool {
    let mut at = 0;
    let mut show = true;
    loop {
        if std::mem::take(&mut show) {
            console.print(&look.show(at).unwrap_or_default());
        }
        let Some(line) = prompt.ask("\n> ", console) else { return false };
        let suggestions = &look.counterexamples[at].suggestions;
        let letters = match suggestions.len() {
            0 => "there is no suggestion here".to_owned(),
            1 => "a is the only suggestion here".to_owned(),
            count => format!("the suggestions here are a to {}", char::from(b'`' + count as u8)),
        };
        match Command::read(line.trim()) {
            Command::Nothing => {}
            Command::Quit => return false,
            Command::Accept(number) => match suggestions.get(number) {
                Some(suggestion) if !is_readable(&look.model.system, &suggestion.clause) => {
                    console.print(&paragraph(&format!("It cannot be claimed in the file: {NAMELESS}.")));
                }
                Some(suggestion) => {
                    decisions.push(Decision::Accepted(suggestion.clause.clone()));
                    console
                        .print(&format!("Accepted. {}\n\n", written(&look.model.system, &suggestion.clause)));
                    return true;
                }
                None => console.print(&paragraph(&format!("No: {letters}."))),
            },
            Command::Reject(number) => match suggestions.get(number) {
                Some(suggestion) => {
                    decisions.push(Decision::Rejected(suggestion.clause.clone()));
                    console.print("It will not be suggested again.\n\n");
                    return true;
                }
                None => console.print(&paragraph(&format!("No: {letters}."))),
            },
            Command::Undo => match decisions.pop() {
                Some(Decision::Accepted(clause) | Decision::Rejected(clause)) => {
                    console.print(&format!("Open again: {}\n\n", written(&look.model.system, &clause)));
                    return true;
                }
                None => console.print("Nothing was decided yet.\n"),
            },
            Command::Next if look.counterexamples.len() == 1 => {
                console.print("This is the only counterexample.\n");
            }
            Command::Next => {
                at = (at + 1) % look.counterexamples.len();
                show = true;
            }
            Command::Show => show = true,
            Command::Clauses => console.print(&look.clauses()),
            Command::Help => console.print(HELP),
            Command::Unknown(line) => {
                console.print(&paragraph(&format!("`{line}` is not a command here; type `help`.")));
            }
        }
    }
}

/// What came out of it.
fn conclusion(look: &Look<'_>, decisions: &[Decision]) -> String {
    let accepted = accepted(decisions);
    if accepted.is_empty() {
        return "Nothing was accepted.\n".to_owned();
    }
    let mut text = format!("{}:\n", counted(accepted.len(), "accepted clause"));
    for clause in &accepted {
        text += &format!("  {}\n", written(&look.model.system, clause));
    }
    text
}
