//! Hints: from which instances of the clauses of an invariant an obligation follows.
//!
//! Nothing depends on hints but time. What they say follows from the invariant, so a solver that is given only these
//! instances can prove less, never more.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use polycube_language::System;
use polycube_language::system::{SymbolId, Type};

use crate::invariant::{Invariant, Obligation};

/// The hints of all obligations. For an obligation that is not mentioned, all clauses are said of all processes that the
/// question speaks of.
pub type Hints = BTreeMap<Obligation, Vec<Hint>>;

/// A process that a question speaks of, by the part that it has in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The process `#k` of a system with a fixed number of them, k from 1.
    Number(u32),
    /// The process that stands for a parameter of the transition or property, from 0.
    Parameter(usize),
    /// A further process, from 0: different from the parameters, and from the others of its kind.
    Other(usize),
    /// The process of which a formula says that it exists: see [`witnesses`](crate::cases::witnesses).
    Witness(usize),
    /// The process that a cell holds.
    At(SymbolId, Vec<Role>),
}

/// A clause of an invariant, said of processes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hint {
    /// The number of the clause.
    pub clause: usize,
    /// A process for each of its parameters.
    pub roles: Vec<Role>,
}

impl Role {
    /// The role as text: `#1`, `p1`, `o1`, `w1` (numbers from 1), `Home`, `Next[p1]`. Symbols begin with a capital letter, so
    /// these are never mistaken for each other.
    pub fn display<'d>(&'d self, system: &'d System) -> impl Display + 'd {
        Shown { role: self, system }
    }

    /// Reads what [`Role::display`] writes.
    pub fn parse(system: &System, text: &str) -> Option<Role> {
        // No hint that we write is longer, and it bounds the nesting.
        if text.len() > 1000 {
            return None;
        }
        let number = |digits: &str| digits.parse::<usize>().ok().filter(|&number| number > 0);
        Some(match text.split_at_checked(1)? {
            ("#", digits) => Role::Number(number(digits)?.try_into().ok()?),
            ("p", digits) => Role::Parameter(number(digits)? - 1),
            ("o", digits) => Role::Other(number(digits)? - 1),
            ("w", digits) => Role::Witness(number(digits)? - 1),
            _ => {
                let (name, indices) = match text.strip_suffix(']') {
                    None => (text, Vec::new()),
                    Some(rest) => {
                        let (name, indices) = rest.split_once('[')?;
                        // No cell that indexes another one has a role of its own.
                        let indices = indices.split(',').map(|index| Role::parse(system, index));
                        (name, indices.collect::<Option<Vec<Role>>>()?)
                    }
                };
                let at = system.symbols.iter().position(|symbol| symbol.name == name)?;
                let symbol = &system.symbols[at];
                let fits = symbol.ty == Type::Process && symbol.dimensions() == indices.len();
                fits.then_some(Role::At(SymbolId(u32::try_from(at).ok()?), indices))?
            }
        })
    }
}

struct Shown<'d> {
    role: &'d Role,
    system: &'d System,
}

impl Display for Shown<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.role {
            Role::Number(number) => write!(out, "#{number}"),
            Role::Parameter(at) => write!(out, "p{}", at + 1),
            Role::Other(at) => write!(out, "o{}", at + 1),
            Role::Witness(at) => write!(out, "w{}", at + 1),
            Role::At(symbol, indices) => {
                out.write_str(&self.system.symbol(*symbol).name)?;
                if indices.is_empty() {
                    return Ok(());
                }
                let indices: Vec<String> =
                    indices.iter().map(|index| index.display(self.system).to_string()).collect();
                write!(out, "[{}]", indices.join(","))
            }
        }
    }
}

impl Hint {
    /// The hint as text: the number of the clause from 1, and the roles: `3 p1 o1`.
    pub fn display<'d>(&'d self, system: &'d System) -> impl Display + 'd {
        let roles = self.roles.iter().map(|role| format!(" {}", role.display(system)));
        format!("{}{}", self.clause + 1, roles.collect::<String>())
    }

    /// Reads what [`Hint::display`] writes, for an invariant.
    pub fn parse(system: &System, invariant: &Invariant, text: &str) -> Option<Hint> {
        let mut words = text.split(' ');
        let clause = words.next()?.parse::<usize>().ok()?.checked_sub(1)?;
        let roles: Vec<Role> = words.map(|word| Role::parse(system, word)).collect::<Option<_>>()?;
        let fits = invariant.clauses.get(clause)?.parameters.len() == roles.len();
        fits.then_some(Hint { clause, roles })
    }
}
