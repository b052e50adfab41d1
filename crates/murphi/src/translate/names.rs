//! Names for the symbols of a system: those of the file, as far as the language allows.

use std::collections::{BTreeMap, BTreeSet};

/// All names that are in use.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    used: BTreeSet<String>,
    /// For a name that was wanted several times, the first number that may be free.
    numbers: BTreeMap<String, u64>,
}

impl Names {
    /// A name for a leaf: `Sta.Dir.Pending` becomes `Sta_Dir_Pending`.
    pub fn symbol(&mut self, parts: &[String]) -> String {
        self.fresh(&upper(&parts.join("")))
    }

    pub fn constructor(&mut self, name: &str) -> String {
        let is_number = name.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        let name = if is_number { format!("N{}", name.replace('-', "minus_")) } else { name.to_owned() };
        self.fresh(&upper(&name))
    }

    pub fn ty(&mut self, name: &str) -> String {
        self.fresh(&lower(name))
    }

    pub fn transition(&mut self, name: &str) -> String {
        self.fresh(&lower(name))
    }

    fn fresh(&mut self, wanted: &str) -> String {
        let is_free = |name: &str| !self.used.contains(name) && !is_reserved(name);
        let name = if is_free(wanted) {
            wanted.to_owned()
        } else {
            let first = self.numbers.get(wanted).copied().unwrap_or(2);
            let mut numbered = (first..).map(|number| (number, format!("{wanted}_{number}")));
            let (number, name) = numbered.find(|(_, name)| is_free(name)).expect("there are enough numbers");
            self.numbers.insert(wanted.to_owned(), number + 1);
            name
        };
        self.used.insert(name.clone());
        name
    }
}

/// Letters, digits and single underscores.
fn plain(name: &str) -> String {
    let mut plain = String::new();
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            plain.push(letter);
        } else if !plain.ends_with('_') && !plain.is_empty() {
            plain.push('_');
        }
    }
    plain.trim_end_matches('_').to_owned()
}

fn upper(name: &str) -> String {
    let plain = plain(name);
    match plain.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => first.to_ascii_uppercase().to_string() + &plain[1..],
        _ => format!("X_{plain}"),
    }
}

fn lower(name: &str) -> String {
    let plain = plain(name);
    match plain.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => first.to_ascii_lowercase().to_string() + &plain[1..],
        _ => format!("x_{plain}"),
    }
}

/// Words that mean something else to the language, and names that it has declared.
fn is_reserved(name: &str) -> bool {
    let mut diagnostics = polycube_language::diagnostic::Diagnostics::default();
    let tokens = polycube_language::token::tokenize(name, &mut diagnostics);
    let predefined = ["True", "False", "bool", "int", "real", "proc"];
    predefined.contains(&name) || tokens.tokens.first().is_some_and(|token| token.kind.is_keyword())
}
