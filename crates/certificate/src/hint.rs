//! Hints: from which instances of the clauses of an invariant an obligation follows.
//!
//! Nothing depends on hints but time. What they say follows from the invariant, so a solver that is given
//! only these instances can prove less, never more.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use polycube_language::System;
use polycube_language::system::{SymbolId, Type};

use crate::fact::facts;
use crate::invariant::{Invariant, Obligation};

/// The hints of all obligations. For an obligation that has none, not even an empty list, all clauses are
/// said of all processes that the question speaks of.
pub type Hints = BTreeMap<Obligation, Vec<Hint>>;

/// How deep roles may be nested: no hint that we write is deeper.
const MAX_NESTING: usize = 100;

/// A process that a question speaks of, by the part that it has in it. With a fixed number of processes, a
/// question speaks of all of them by their numbers, and `Parameter` and `Other` are of no use: they mean the
/// first processes, and those after them. That is sound, as every role is: a clause may be said of any
/// process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The process `#k` of a system with a fixed number of them, k from 1.
    Number(u32),
    /// The process that stands for a parameter of the transition or property, from 0.
    Parameter(usize),
    /// A further process, from 0: different from the parameters, and from the others of its kind.
    Other(usize),
    /// A process of which a formula says that it exists: see [`witnesses`](crate::cases::witnesses). After
    /// those come the processes that a `?` of the transition stands for.
    Witness(usize),
    /// The process that a cell holds.
    At(SymbolId, Vec<Role>),
    /// A process of which a clause says, of these processes, that it exists: see
    /// [`Clause::promised`](crate::invariant::Clause::promised).
    Promised(Promise, Vec<Role>),
}

/// The number of a clause, and the number of the process among those of which it says that they exist; both
/// from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Promise {
    /// The number of the clause.
    pub clause: usize,
    /// The number of the process.
    pub number: usize,
}

/// A clause of an invariant, said of processes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hint {
    /// The number of the clause, or of a [fact](crate::fact): these come after the clauses.
    pub clause: usize,
    /// A process for each of its parameters.
    pub roles: Vec<Role>,
}

impl Hint {
    /// The numbers of all clauses that it mentions: the one that it says, and those that say that a process
    /// exists.
    pub fn clauses(&self) -> BTreeSet<usize> {
        fn add(role: &Role, clauses: &mut BTreeSet<usize>) {
            match role {
                Role::Number(_) | Role::Parameter(_) | Role::Other(_) | Role::Witness(_) => {}
                Role::At(_, roles) => roles.iter().for_each(|role| add(role, clauses)),
                Role::Promised(promise, roles) => {
                    clauses.insert(promise.clause);
                    roles.iter().for_each(|role| add(role, clauses));
                }
            }
        }
        let mut clauses = BTreeSet::from([self.clause]);
        self.roles.iter().for_each(|role| add(role, &mut clauses));
        clauses
    }
}

impl Role {
    /// The role as text: `#1`, `p1`, `o1`, `w1` (numbers from 1), `Home`, `Next[p1]`, `c3.1[p1]` (the first
    /// that clause 3 promises). Symbols begin with a capital letter, so these are never mistaken for each
    /// other.
    pub fn display(&self, system: &System) -> impl Display {
        fmt::from_fn(move |out| match self {
            Role::Number(number) => write!(out, "#{number}"),
            Role::Parameter(at) => write!(out, "p{}", at + 1),
            Role::Other(at) => write!(out, "o{}", at + 1),
            Role::Witness(at) => write!(out, "w{}", at + 1),
            Role::At(symbol, indices) => {
                write!(out, "{}{}", system.symbol(*symbol).name, Role::list(system, indices))
            }
            Role::Promised(Promise { clause, number }, roles) => {
                write!(out, "c{}.{}{}", clause + 1, number + 1, Role::list(system, roles))
            }
        })
    }

    /// Roles in brackets, if there are any.
    fn list(system: &System, roles: &[Role]) -> String {
        let roles: Vec<String> = roles.iter().map(|role| role.display(system).to_string()).collect();
        if roles.is_empty() { String::new() } else { format!("[{}]", roles.join(",")) }
    }

    /// Reads what [`Role::display`] writes.
    pub fn parse(system: &System, text: &str) -> Option<Role> {
        Role::parse_nested(system, text, 0)
    }

    fn parse_nested(system: &System, text: &str, depth: usize) -> Option<Role> {
        if depth > MAX_NESTING {
            return None;
        }
        let number = |digits: &str| digits.parse::<usize>().ok().filter(|&number| number > 0);
        Some(match text.split_at_checked(1)? {
            ("#", digits) => Role::Number(number(digits)?.try_into().ok()?),
            ("p", digits) => Role::Parameter(number(digits)? - 1),
            ("o", digits) => Role::Other(number(digits)? - 1),
            ("w", digits) => Role::Witness(number(digits)? - 1),
            (first, _) => {
                let (name, indices) = match text.strip_suffix(']') {
                    None => (text, Vec::new()),
                    Some(rest) => {
                        let (name, indices) = rest.split_once('[')?;
                        let indices = outer_parts(indices).into_iter();
                        let indices = indices.map(|index| Role::parse_nested(system, index, depth + 1));
                        (name, indices.collect::<Option<Vec<Role>>>()?)
                    }
                };
                if first == "c" {
                    let (clause, of_clause) = name[1..].split_once('.')?;
                    let promise = Promise { clause: number(clause)? - 1, number: number(of_clause)? - 1 };
                    return Some(Role::Promised(promise, indices));
                }
                let at = system.symbols.iter().position(|symbol| symbol.name == name)?;
                let symbol = &system.symbols[at];
                let fits = symbol.ty == Type::Process && symbol.dimensions() == indices.len();
                fits.then_some(Role::At(SymbolId(u32::try_from(at).ok()?), indices))?
            }
        })
    }
}

/// The parts of a text between the commas that stand in no bracket.
fn outer_parts(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let is_outer_comma = |character: char| {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    };
    text.split(is_outer_comma).collect()
}

impl Hint {
    /// The hint as text: the number of the clause from 1, and the roles: `3 p1 o1`.
    pub fn display(&self, system: &System) -> impl Display {
        let roles = self.roles.iter().map(|role| format!(" {}", role.display(system)));
        format!("{}{}", self.clause + 1, roles.collect::<String>())
    }

    /// Reads what [`Hint::display`] writes, for an invariant. After its clauses come the
    /// [facts](crate::fact).
    pub fn parse(system: &System, invariant: &Invariant, text: &str) -> Option<Hint> {
        let mut words = text.split(' ');
        let clause = words.next()?.parse::<usize>().ok()?.checked_sub(1)?;
        let roles: Vec<Role> = words.map(|word| Role::parse(system, word)).collect::<Option<_>>()?;
        let parameters = match clause.checked_sub(invariant.clauses.len()) {
            None => invariant.clauses[clause].parameters.len(),
            Some(at) => facts(system).get(at)?.parameters.len(),
        };
        (parameters == roles.len()).then_some(Hint { clause, roles })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_read_as_they_are_written() {
        let long = "L".repeat(2_000);
        let text =
            format!("array M[proc, proc] : proc\nvar T : proc\nvar {long} : proc\ninit () {{ T = T }}");
        let system = polycube_language::check(&text).system.expect("a model");
        for text in [
            "#3",
            "p1",
            "o2",
            "w1",
            "T",
            "M[p1,T]",
            "M[p2,M[p2,p2]]",
            "M[M[p1,o1],M[T,M[w1,p1]]]",
            "c3.1",
            "c1.2[p1,c2.1[T]]",
            &long,
        ] {
            let role = Role::parse(&system, text).expect(text);
            assert_eq!(role.display(&system).to_string(), text);
        }
        for text in [
            "",
            "p0",
            "q1",
            "M",
            "M[p1]",
            "M[p1,",
            "M[p1,p1]]",
            "T[p1]",
            "M[,]",
            "c1",
            "c0.1",
            "c1.[p1]",
            "c1.1[",
            &"M[p1,".repeat(5_000),
        ] {
            assert_eq!(Role::parse(&system, text), None, "{text}");
        }
    }
}
