//! Processes that the file calls by numbers: `Home := 1`, `Cache[2].State`.
//!
//! Each is a constant of the system. But where only invariants call processes by numbers, and the order of processes does
//! not matter, they are parameters of the properties. That is exact: rules and start states then treat all processes
//! alike, so with each reachable state every renaming of it is reachable. Some reachable state violates what is said of
//! the first and the second process if and only if some reachable state violates it of two distinct processes. And it
//! makes searches shorter: states that are renamings of each other are one again.
//!
//! A file that names the third process has at least three. So every property then has as many parameters as processes are
//! named, whether it speaks of them or not.

use polycube_language::formula::{Term, Variable};

use super::Translator;
use super::rule::Choice;
use super::value::cell;

/// With more numbers than this, constants say it shorter.
const MAX_NUMBERS: i64 = 6;

/// As many ways to choose the parameters of an invariant beside them, some of which may be the same.
const MAX_CHOICES: usize = 64;

/// What is known of processes that are called by numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Named {
    /// They are constants.
    #[default]
    Constants,
    /// Up to this number, they are parameters of properties: only invariants speak of them.
    Parameters(i64),
    /// They are constants, whatever is found out.
    AlwaysConstants,
}

impl Translator<'_> {
    /// What they should be, after all was translated. Never again what they were before, so some time this ends.
    pub(super) fn named(&self) -> Named {
        let number = self.claimed.filter(|_| !self.is_named_elsewhere && !self.uses_order);
        let room = self.least_process().and_then(|least| least.checked_add(MAX_NUMBERS));
        match (self.known.named, number) {
            (Named::Constants, Some(number)) if room.is_some_and(|room| number < room) => {
                Named::Parameters(number)
            }
            (Named::Parameters(most), None) if self.claimed.is_none() => Named::Parameters(most),
            (Named::Parameters(most), Some(number)) if number <= most => Named::Parameters(most),
            (Named::Parameters(_), _) => Named::AlwaysConstants,
            (known, _) => known,
        }
    }

    /// The process that the file calls by a number.
    pub(super) fn literal(&mut self, number: i64) -> Term {
        if self.is_invariant {
            self.claimed = self.claimed.max(Some(number));
        } else {
            self.is_named_elsewhere = true;
        }
        if let Some(variable) = self.standing.get(&number) {
            return Term::Variable(*variable);
        }
        self.literal_constant(number)
    }

    /// The constant for it.
    pub(super) fn literal_constant(&mut self, number: i64) -> Term {
        if !self.literals.contains_key(&number) {
            let id = self.process_constant(&format!("Process_{number}").replace('-', "minus_"));
            self.system.words.cells.insert(id, vec![number.to_string()]);
            self.literals.insert(number, id);
        }
        cell(self.literals[&number], &[])
    }

    /// An invariant comes next. The parameters that stand for processes that are called by numbers.
    pub(super) fn begin_invariant(&mut self) -> Choice {
        self.is_invariant = true;
        let parameters = self.named_parameters();
        self.standing = parameters.iter().map(|(number, variable)| (*number, variable.id)).collect();
        Choice {
            parameters: parameters.into_iter().map(|(_, variable)| variable).collect(),
            ..Choice::default()
        }
    }

    /// It may be too long to say with parameters.
    pub(super) fn expect_few(&mut self, choices: &[Choice]) {
        self.is_named_elsewhere |= choices.len() > MAX_CHOICES;
    }

    /// No other one follows at once.
    pub(super) fn end_invariant(&mut self) {
        self.is_invariant = false;
        self.standing.clear();
    }

    fn named_parameters(&mut self) -> Vec<(i64, Variable)> {
        let (Named::Parameters(most), Some(least)) = (self.known.named, self.least_process()) else {
            return Vec::new();
        };
        (least..=most).map(|number| (number, self.fresh(&format!("p{number}")))).collect()
    }

    /// There are as many processes as are named.
    pub(super) fn expect_all_named(&mut self, parameters: &mut Vec<Variable>) {
        let missing: Vec<Variable> = self
            .named_parameters()
            .into_iter()
            .skip(parameters.len())
            .map(|(_, variable)| variable)
            .collect();
        parameters.extend(missing);
    }
}
