//! Names that Why3 allows, near those of the model, and no two of them the same.

use std::collections::BTreeSet;

/// The words of Why3, some that other versions of it have, and what it defines in every theory.
const RESERVED: &str = "False True Tuple0 abstract absurd alias and any as assert assume at attribute axiom begin bool break by check \
    clone coercion coinductive constant continue diverges do done downto else end ensures epsilon exception exists \
    export false float for forall fun function ghost goal if import in inductive int invariant label lemma let match \
    meta model module mutable not old or partial predicate private pure raise raises range reads real rec ref \
    requires return returns scope so string then theory to true try tuple0 type unit use val variant while with writes";

/// The names that are taken.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// What Why3 reserves, and these.
    pub(crate) fn new(others: &[&str]) -> Names {
        let reserved = RESERVED.split_whitespace().chain(others.iter().copied());
        Names { taken: reserved.map(str::to_owned).collect() }
    }

    /// Takes these names, too.
    pub(crate) fn reserve(&mut self, others: &[&str]) {
        self.taken.extend(others.iter().map(|&name| name.to_owned()));
    }

    /// Takes a name that begins with a small letter: for a type, a function, a predicate, a variable.
    pub(crate) fn small(&mut self, wanted: &str) -> String {
        let name = legal(wanted);
        let is_abbreviation = !name.contains(|letter: char| letter.is_ascii_lowercase());
        let small = if is_abbreviation { name.len() } else { 1 };
        self.free(&(name[..small].to_ascii_lowercase() + &name[small..]))
    }

    /// Takes a name that begins with a capital: for a value of an enumeration.
    pub(crate) fn capital(&mut self, wanted: &str) -> String {
        let name = legal(wanted);
        self.free(&(name[..1].to_ascii_uppercase() + &name[1..]))
    }

    fn free(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        for number in 2.. {
            if self.taken.insert(name.clone()) {
                break;
            }
            name = format!("{wanted}_{number}");
        }
        name
    }
}

/// The name without what Why3 does not allow in one, beginning with a letter.
fn legal(name: &str) -> String {
    let is_legal = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
    let name: String = name.chars().filter(is_legal).collect();
    if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) { name } else { format!("x{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_differ() {
        let mut names = Names::new(&["s"]);
        let wanted = ["Cache", "cache", "ACK", "val", "s", "#1", "a'b", "_", "Cache_2", "cache"];
        let chosen = wanted.map(|name| names.small(name));
        assert_eq!(
            chosen,
            ["cache", "cache_2", "ack", "val_2", "s_2", "x1", "ab", "x_", "cache_2_2", "cache_3"]
        );
        assert_eq!(["Idle", "idle", "#1"].map(|name| names.capital(name)), ["Idle", "Idle_2", "X1"]);
    }
}
