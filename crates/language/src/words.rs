//! How people speak of a system: other names for its parts, where it was written in another language.
//!
//! A symbol `Chan2_Cmd` with one index may stand for `Chan2[p].Cmd` of a file, and two symbols for one variable that is
//! undefined at times. Whatever is printed to be read back keeps the names of the system.

use std::collections::{BTreeMap, BTreeSet};

use crate::system::{EnumerationId, SymbolId, System};

/// Other names for the parts of a system. Those that have none keep theirs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// The text before, between and after the indices of a symbol: `Chan2[` and `].Cmd`.
    pub cells: BTreeMap<SymbolId, Vec<String>>,
    /// Constructors of enumerations.
    pub constructors: BTreeMap<(EnumerationId, u32), String>,
    /// Transitions, by their names.
    pub transitions: BTreeMap<String, String>,
    /// Properties, by their place among all.
    pub properties: BTreeMap<usize, Claim>,
    /// Symbols whose value counts only where another one says so.
    pub guarded: BTreeMap<SymbolId, Guarded>,
    /// Symbols that are not spoken of.
    pub hidden: BTreeSet<SymbolId>,
    /// Constants that are processes which a file calls by a number, and which of them, from 1.
    pub numbered: BTreeMap<SymbolId, u32>,
    /// What the only instance is called, if its processes are not spoken of: `the sizes of the file`.
    pub instance: Option<String>,
    /// What it takes to write formulas as Murphi does, if that is the language.
    pub murphi: Option<Murphi>,
}

/// What it takes to write formulas as Murphi does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Murphi {
    /// The type whose values are the processes.
    pub processes: String,
    /// There are at least so many: the file calls the last of them by its number.
    pub least: u32,
    /// Symbols that can be undefined, and the constructor that says so.
    pub undefined: BTreeMap<SymbolId, u32>,
    /// Constructors that the file has no name for: elements of scalarsets.
    pub nameless: BTreeSet<(EnumerationId, u32)>,
    /// Symbols that stand for cells at such elements.
    pub nameless_cells: BTreeSet<SymbolId>,
    /// Whether no variable of the file is left out: what changes nothing here changes nothing there.
    pub is_whole: bool,
}

/// What a property is called, and what is claimed of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It holds in all states.
    Holds(String),
    /// It never happens.
    Never(String),
}

impl Claim {
    /// What it is called.
    pub fn name(&self) -> &str {
        let (Claim::Holds(name) | Claim::Never(name)) = self;
        name
    }
}

/// What says whether the value of a symbol counts: a symbol with as many dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guarded {
    /// It is hidden: what it says is said in place of the value.
    pub by: SymbolId,
    /// The constructor that it has where the value counts.
    pub counts: u32,
}

impl System {
    /// A cell as people call it: `Turn`, `Cache[#1]`, `Chan2[#1].Cmd`.
    pub fn cell_in_words(&self, symbol: SymbolId, indices: &[String]) -> String {
        match self.words.cells.get(&symbol) {
            Some(pieces) => {
                let mut text = String::new();
                for (at, piece) in pieces.iter().enumerate() {
                    text += piece;
                    text += indices.get(at).map_or("", String::as_str);
                }
                text
            }
            None if indices.is_empty() => self.symbol(symbol).name.clone(),
            None => format!("{}[{}]", self.symbol(symbol).name, indices.join(",")),
        }
    }

    /// A value as people call it.
    pub fn constructor_in_words(&self, enumeration: EnumerationId, index: u32) -> &str {
        match self.words.constructors.get(&(enumeration, index)) {
            Some(word) => word,
            None => &self.enumeration(enumeration).constructors[index as usize],
        }
    }

    /// A transition as people call it.
    pub fn transition_in_words<'s>(&'s self, name: &'s str) -> &'s str {
        self.words.transitions.get(name).map_or(name, String::as_str)
    }

    /// Of some transitions, one for each thing that people call so: where several transitions are one rule of a file, and
    /// not all of them are among these, the rule is not.
    pub fn whole_rules(&self, transitions: &[usize]) -> Vec<usize> {
        let rule = |at: usize| {
            let transition = &self.transitions[at];
            (transition.origin.0.start, self.transition_in_words(&transition.name))
        };
        let others = (0..self.transitions.len()).filter(|at| !transitions.contains(at));
        let mut seen: BTreeSet<(u32, &str)> = others.map(rule).collect();
        transitions.iter().copied().filter(|&at| seen.insert(rule(at))).collect()
    }
}
