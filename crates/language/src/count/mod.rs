//! Numbers of processes, `#{p | F}`, and sums over processes, `#{p | F : t}`.
//!
//! A count is a symbol whose value is said by the state: how many processes satisfy a formula, or the sum of a term
//! over these processes. So that nothing
//! else has to know what that means, each transition updates it as it updates variables: `follow.rs` finds out
//! how, from what the transition does to the processes that it names and to all others. A count that cannot be
//! followed through some transition is refused.
//!
//! What is known of a count besides is that it is right: it is at least the number of processes that one can
//! name and that satisfy the formula, and if it is more, there is another one.

mod equivalence;
mod follow;
mod situation;

use crate::formula::{Access, Comparison, Formula, Linear, Term, Variable, VariableId};
use crate::number::Number;
use crate::span::Origin;
use crate::system::{Init, Processes, Symbol, SymbolId, SymbolKind, System, Type, Value};

pub use follow::Unfollowed;
pub use situation::Situation;

use equivalence::are_equivalent;

/// `#{p | F}`: how many processes in place of the variable satisfy the formula; or `#{p | F : t}`: the sum of the term
/// over all that do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    /// The other processes that the formula speaks of: the indices of its symbol. Numbered from 0.
    pub indices: Vec<Variable>,
    /// The formula, which has no quantifiers, and mentions no count.
    pub formula: Formula,
    /// The term that is summed up; 1 where processes are counted. It mentions no count either.
    pub summand: Linear,
    /// What stands for the processes that are counted. Its number is the next one.
    pub variable: Variable,
    /// Whether the last `init` clauses say what it is in the beginning.
    pub is_known_initially: bool,
    /// Where it is written first.
    pub origin: Origin,
}

impl Count {
    /// How many other processes a count may speak of.
    pub const MAX_INDICES: usize = 1;

    /// How many counts a system may have.
    pub const MOST: usize = 64;

    /// How many processes satisfy a formula, of which these are the free variables, the one that is counted
    /// last.
    pub fn new(formula: &Formula, others: &[VariableId], counted: &Variable, origin: Origin) -> Count {
        Count::sum(formula, &Linear::constant(Number::ONE), others, counted, origin)
    }

    /// The sum of a term over the processes that satisfy a formula, likewise.
    pub fn sum(
        formula: &Formula,
        summand: &Linear,
        others: &[VariableId],
        counted: &Variable,
        origin: Origin,
    ) -> Count {
        let all = others.iter().chain([&counted.id]);
        let number = |old: VariableId| {
            let at = all.clone().position(|&variable| variable == old)?;
            Some(Term::Variable(variable_id(at)))
        };
        let index = |at: usize| Variable {
            id: variable_id(at),
            name: format!("i{}", at + 1),
            origin: Origin::default(),
        };
        let variable =
            Variable { id: variable_id(others.len()), name: counted.name.clone(), origin: counted.origin };
        Count {
            indices: (0..others.len()).map(index).collect(),
            formula: formula.substituted(&number),
            summand: summand.substituted(&number),
            variable,
            is_known_initially: false,
            origin,
        }
    }

    /// The formula, said of a process, and of others in place of the indices.
    pub fn holds_for(&self, indices: &[Term], process: &Term) -> Formula {
        self.formula.substituted(&instance(indices, process))
    }

    /// What a process adds, if the formula holds for it.
    pub fn worth(&self, indices: &[Term], process: &Term) -> Linear {
        self.summand.substituted(&instance(indices, process))
    }

    /// Whether it is a number of processes, and not another sum.
    pub fn is_number(&self) -> bool {
        self.summand.as_constant() == Some(&Number::ONE)
    }

    /// Whether no process that satisfies the formula adds less than nothing, as far as the formula says so.
    pub fn is_never_negative(&self) -> bool {
        let is_said = |part: &Formula| match part {
            Formula::Compare(Comparison {
                left: Term::Linear(left),
                relation,
                right: Term::Linear(right),
                ..
            }) => relation.is_order() && left.as_constant() == Some(&Number::ZERO) && **right == self.summand,
            _ => false,
        };
        match self.summand.as_constant() {
            Some(number) => !number.is_negative(),
            None => self.formula.conjuncts().iter().any(is_said),
        }
    }
}

/// Terms for the indices of a count, and for the process that is counted.
fn instance<'t>(indices: &'t [Term], process: &'t Term) -> impl Fn(VariableId) -> Option<Term> + 't {
    move |variable| indices.iter().chain([process]).nth(variable.0 as usize).cloned()
}

fn variable_id(at: usize) -> VariableId {
    VariableId(u32::try_from(at).expect("there are few variables"))
}

impl System {
    /// How many symbols are no counts: they come first.
    pub fn declared(&self) -> usize {
        self.symbols.len() - self.counts.len()
    }

    /// What a symbol counts, if it is a count.
    pub fn count(&self, symbol: SymbolId) -> Option<&Count> {
        (symbol.0 as usize).checked_sub(self.declared()).map(|at| &self.counts[at])
    }

    /// The counts with their symbols.
    pub fn counts(&self) -> impl Iterator<Item = (SymbolId, &Count)> {
        (self.declared()..).map(symbol_id).zip(&self.counts)
    }

    /// The symbol that counts the same processes, as far as that is clear.
    pub fn symbol_of(&self, count: &Count) -> Option<SymbolId> {
        let is_like = |other: &Count| {
            (count.indices.len(), &count.summand) == (other.indices.len(), &other.summand)
                && are_equivalent(self, &count.formula, &other.formula)
        };
        self.counts().find(|(_, other)| is_like(other)).map(|(symbol, _)| symbol)
    }

    /// The `init` clauses of the model, without those that say what counts are.
    pub fn written_init(&self) -> &[Init] {
        let derived = self.counts.iter().filter(|count| count.is_known_initially).count();
        &self.init[..self.init.len() - derived]
    }

    /// The symbol of a count, which is a new one unless there is one like it.
    pub(crate) fn intern(&mut self, count: Count) -> SymbolId {
        if let Some(symbol) = self.symbol_of(&count) {
            return symbol;
        }
        let symbol = symbol_id(self.symbols.len());
        let kind = match count.indices.len() {
            0 => SymbolKind::Variable,
            dimensions => SymbolKind::Array { dimensions },
        };
        self.symbols.push(Symbol { name: String::new(), kind, ty: Type::Integer, origin: count.origin });
        self.counts.push(Count { is_known_initially: false, ..count });
        symbol
    }

    /// The system with more counts, and those that are needed to follow them.
    ///
    /// # Errors
    ///
    /// If one of them cannot be followed.
    pub fn with_counts(&self, more: impl IntoIterator<Item = Count>) -> Result<System, Unfollowed> {
        let mut system = self.clone();
        system.strip_counts();
        let wanted = more.into_iter().map(|count| system.intern(count)).collect();
        system.follow_counts(wanted)?;
        Ok(system)
    }

    /// Adds counts to a system that mentions them by symbols which it does not have yet.
    ///
    /// # Errors
    ///
    /// If one of them cannot be followed. The system is of no use then, but for the names of its parts.
    pub fn introduce_counts(&mut self, counts: &[(SymbolId, Count)]) -> Result<(), Unfollowed> {
        let interned: Vec<(SymbolId, SymbolId)> =
            counts.iter().map(|(symbol, count)| (*symbol, self.intern(count.clone()))).collect();
        self.renumber_symbols(&|symbol| {
            interned.iter().find(|(wanted, _)| *wanted == symbol).map_or(symbol, |(_, own)| *own)
        });
        self.follow_counts(Vec::new())
    }

    /// Leaves out what is said of counts, but not the counts.
    fn strip_counts(&mut self) {
        let declared = self.declared();
        self.init.truncate(self.written_init().len());
        self.counts.iter_mut().for_each(|count| count.is_known_initially = false);
        for transition in &mut self.transitions {
            transition.updates.retain(|update| (update.symbol.0 as usize) < declared);
        }
    }

    /// Adds what transitions do to counts, and what they are in the beginning: of those that are wanted, those
    /// that the system mentions, and those that are needed for that. In an order that depends on nothing else.
    pub(crate) fn follow_counts(&mut self, mut wanted: Vec<SymbolId>) -> Result<(), Unfollowed> {
        let declared = self.declared();
        let mut mentioned = |access: &Access| wanted.push(access.symbol);
        self.for_each_term(&mut |term| term.for_each_access(&mut mentioned));
        wanted.retain(|symbol| symbol.0 as usize >= declared);
        self.keep_counts(&wanted);
        follow::follow(self)?;
        let all: Vec<SymbolId> = self.counts().map(|(symbol, _)| symbol).collect();
        self.keep_counts(&all);
        for at in 0..self.counts.len() {
            self.symbols[declared + at].name = self.count_name(&self.counts[at]);
        }
        Ok(())
    }

    /// Keeps these counts, in order of what they count, and gives their symbols new numbers.
    fn keep_counts(&mut self, wanted: &[SymbolId]) {
        let declared = self.declared();
        let mut kept: Vec<usize> =
            (0..self.counts.len()).filter(|at| wanted.contains(&symbol_id(declared + at))).collect();
        kept.sort_by(|&left, &right| self.counts[left].cmp(&self.counts[right]));
        let number = |symbol: SymbolId| match (symbol.0 as usize).checked_sub(declared) {
            None => symbol,
            Some(at) => symbol_id(declared + kept.iter().position(|&other| other == at).expect("it is kept")),
        };
        self.renumber_symbols(&number);
        // What is known in the beginning is said in the order of the counts.
        self.counts = kept.iter().map(|&at| self.counts[at].clone()).collect();
        let symbols: Vec<Symbol> = kept.iter().map(|&at| self.symbols[declared + at].clone()).collect();
        self.symbols.truncate(declared);
        self.symbols.extend(symbols);
        let written = self.written_init().len();
        self.init[written..].sort_by(|left, right| left.formula.cmp(&right.formula));
        for transition in &mut self.transitions {
            // Those of the model keep their order, and come first.
            transition.updates.sort_by_key(|update| (update.symbol.0 as usize).max(declared));
        }
    }

    /// Gives symbols other numbers, wherever the system mentions them.
    fn renumber_symbols(&mut self, number: &dyn Fn(SymbolId) -> SymbolId) {
        let init = self.init.iter_mut().map(|init| &mut init.formula);
        let properties = self.properties.iter_mut().map(|property| &mut property.formula);
        init.chain(properties).for_each(|formula| formula.renumber_symbols(number));
        for transition in &mut self.transitions {
            transition.guard.renumber_symbols(number);
            for update in &mut transition.updates {
                update.symbol = number(update.symbol);
                for branch in &mut update.branches {
                    branch.condition.renumber_symbols(number);
                    branch.value.renumber_symbols(number);
                }
                update.otherwise.renumber_symbols(number);
            }
        }
    }

    /// The number of all processes, as a term, for whoever adds counts.
    fn number_of_processes(&mut self) -> Linear {
        match self.processes {
            Processes::Exactly(count) => Linear::constant(Number::from(i64::from(count))),
            Processes::Any => {
                let variable =
                    Variable { id: variable_id(0), name: "p".to_owned(), origin: Origin::default() };
                let count = Count::new(&Formula::TRUE, &[], &variable, Origin::default());
                Linear::access(Access { symbol: self.intern(count), indices: Vec::new() })
            }
        }
    }
}

fn symbol_id(at: usize) -> SymbolId {
    SymbolId(u32::try_from(at).expect("symbols are counted in 32 bits"))
}

impl Formula {
    fn renumber_symbols(&mut self, number: &dyn Fn(SymbolId) -> SymbolId) {
        if let Formula::Compare(comparison) = self {
            comparison.left.renumber_symbols(number);
            comparison.right.renumber_symbols(number);
        }
        self.parts_mut().iter_mut().for_each(|part| part.renumber_symbols(number));
    }
}

impl Value {
    fn renumber_symbols(&mut self, number: &dyn Fn(SymbolId) -> SymbolId) {
        if let Value::Term(term) = self {
            term.renumber_symbols(number);
        }
    }
}

impl Term {
    fn renumber_symbols(&mut self, number: &dyn Fn(SymbolId) -> SymbolId) {
        fn of_access(access: &mut Access, number: &dyn Fn(SymbolId) -> SymbolId) {
            access.symbol = number(access.symbol);
            access.indices.iter_mut().for_each(|index| index.renumber_symbols(number));
        }
        match self {
            Term::Variable(_) | Term::Process(_) | Term::Constructor(..) => {}
            Term::Access(access) => of_access(access, number),
            Term::Linear(linear) => {
                linear.terms.iter_mut().for_each(|(_, access)| of_access(access, number));
                linear.normalize();
            }
        }
    }
}
