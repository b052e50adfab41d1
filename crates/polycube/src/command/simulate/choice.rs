//! What a user says where a transition leaves values open.

use annotate_snippets::renderer::Style;
use polycube_certificate::{Cell, State, Value, has_type};
use polycube_language::system::Type;

use super::session::{FEW, Session};
use super::walk::Destination;
use crate::command::prompt::Line;
use crate::report::trace::{Entry, columns};

enum Answer {
    Value(Value),
    Any,
    /// Any value, for this cell and for all that are still to come.
    AnyFromHereOn,
    CallOff,
}

impl Session<'_> {
    /// Asks for the values of the open cells; none if the step is called off.
    pub(super) fn choose(&mut self, Destination { mut state, open }: Destination) -> Option<State> {
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
        let mut question = format!("Which value for {}? Enter takes any", cell.in_words(self.walk.system()));
        if values.is_empty() {
            let (low, high) = (self.walk.bounds.numbers.start(), self.walk.bounds.numbers.end());
            question += &format!(" number from {low} to {high}.\n");
        } else {
            let entry = |(at, value): (usize, &Value)| Entry {
                label: (at + 1).to_string(),
                text: value.in_words(self.walk.system()),
                style: Style::new(),
            };
            let entries: Vec<Entry> = values.iter().enumerate().map(entry).collect();
            question += &format!(".\n{}", columns(&entries, "  ", FEW));
        }
        self.console.print(&question);
        self.offer_values(&values);
        loop {
            let Line::Typed(line) = self.prompt.ask_line("? ", self.console) else { return Answer::CallOff };
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
        let typed = || Value::from_words(self.walk.system(), ty, text);
        listed.cloned().or_else(typed).filter(|value| has_type(&self.walk.instance, value, ty))
    }
}
