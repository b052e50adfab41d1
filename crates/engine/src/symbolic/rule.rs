//! Transitions, prepared for the computation of [preimages](super::preimage).

use polycube_language::System;
use polycube_language::formula::{Access, Formula, Quantifier, Relation, Term, VariableId};
use polycube_language::system::{SymbolId, Transition, Update, Value};

/// A transition with what is asked about it again and again.
#[derive(Debug)]
pub struct Rule<'s> {
    pub transition: &'s Transition,
    pub index: usize,
    /// Its updates, sorted by their symbols. (A place for each symbol would take memory for all pairs of
    /// transitions and symbols, nearly all of it for nothing.)
    updates: Vec<Change<'s>>,
    /// How many processes beyond the named ones its guard can speak of: an upper bound.
    pub guard_sites: usize,
    pub universal: bool,
}

#[derive(Debug)]
pub struct Change<'s> {
    pub update: &'s Update,
    pub reach: Reach,
    pub chooses: bool,
    /// How many processes beyond the named ones it can speak of: an upper bound.
    pub sites: usize,
}

/// Which cells an update can change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    Everywhere,
    /// Those at these parameters of the transition (their positions), one list for each case.
    At(Vec<Vec<usize>>),
}

impl<'s> Rule<'s> {
    pub fn all(system: &'s System) -> Vec<Rule<'s>> {
        let rules = system.transitions.iter().enumerate();
        rules.map(|(index, transition)| Rule::new(index, transition)).collect()
    }

    fn new(index: usize, transition: &'s Transition) -> Rule<'s> {
        let mut updates = Vec::with_capacity(transition.updates.len());
        for update in &transition.updates {
            let reach = reach(transition, update);
            let chooses = update.values().any(|value| *value == Value::Any);
            let conditions = total(update.branches.iter().map(|branch| sites(&branch.condition)));
            let values = total(update.values().map(|value| match value {
                Value::Term(term) => term_sites(term, &mut |index| matches!(index, Term::Access(_))),
                Value::Any => 0,
            }));
            // A condition may be needed both ways.
            let sites = total([conditions, conditions, values]);
            updates.push(Change { update, reach, chooses, sites });
        }
        updates.sort_by_key(|change| change.update.symbol);
        let conditions = transition.updates.iter().flat_map(|update| &update.branches);
        let universal = has_universal(&transition.guard)
            || conditions.into_iter().any(|branch| universal(&branch.condition) != (false, false));
        Rule { transition, index, updates, guard_sites: sites(&transition.guard), universal }
    }

    pub fn change(&self, symbol: SymbolId) -> Option<&Change<'s>> {
        let place = self.updates.binary_search_by_key(&symbol, |change| change.update.symbol).ok()?;
        Some(&self.updates[place])
    }

    /// Whether it may change one of these cells, with these arguments.
    pub fn changes_some(&self, cells: &[(SymbolId, &[u8])], arguments: &[u8]) -> bool {
        cells.iter().any(|(symbol, indices)| self.changes(*symbol, indices, arguments))
    }

    /// Whether it may change the cell of a symbol at these processes, with these arguments.
    pub fn changes(&self, symbol: SymbolId, indices: &[u8], arguments: &[u8]) -> bool {
        match self.change(symbol).map(|change| &change.reach) {
            None => false,
            Some(Reach::Everywhere) => true,
            Some(Reach::At(places)) => places.iter().any(|place| {
                place.iter().zip(indices).all(|(&parameter, index)| arguments[parameter] == *index)
            }),
        }
    }
}

/// An update `A[k] := case | k = i && ... : e | _ : A[k]` changes the cell at `i` only.
fn reach(transition: &Transition, update: &Update) -> Reach {
    let unchanged = match &update.otherwise {
        Value::Term(term) => term.as_access().is_some_and(|access| {
            access.symbol == update.symbol
                && access.indices.iter().cloned().eq(update.indices.iter().map(|own| Term::Variable(own.id)))
        }),
        Value::Any => false,
    };
    if !unchanged || update.indices.is_empty() {
        return Reach::Everywhere;
    }
    let places: Option<Vec<Vec<usize>>> = update
        .branches
        .iter()
        .map(|branch| {
            let place = |index: VariableId| parameter_equal_to(transition, index, &branch.condition);
            update.indices.iter().map(|index| place(index.id)).collect()
        })
        .collect();
    places.map_or(Reach::Everywhere, Reach::At)
}

/// The parameter that an index equals wherever a condition holds: its position.
fn parameter_equal_to(transition: &Transition, index: VariableId, condition: &Formula) -> Option<usize> {
    match condition {
        Formula::And(parts) => parts.iter().find_map(|part| parameter_equal_to(transition, index, part)),
        Formula::Compare(comparison) if comparison.relation == Relation::Equal => {
            let other = match (&comparison.left, &comparison.right) {
                (Term::Variable(left), Term::Variable(right)) if *left == index => right,
                (Term::Variable(left), Term::Variable(right)) if *right == index => left,
                _ => return None,
            };
            transition.parameters.iter().position(|parameter| parameter.id == *other)
        }
        _ => None,
    }
}

/// How many processes a formula can speak of besides those that its free variables stand for, at most: one
/// for each quantifier, and for each index that is no variable. An index without indices of its own is the same
/// process wherever it occurs: the formula is about one state. It grows exponentially with how deep a
/// formula is nested: what is too large to be counted stays so. (With an upper bound that is none, cases
/// would be missing.)
pub fn sites(formula: &Formula) -> usize {
    total([pointers(formula).len(), other_sites(formula)])
}

/// The process-valued variables, without indices, that are indices in a formula: each once, in the order in which
/// they occur.
pub fn pointers(formula: &Formula) -> Vec<SymbolId> {
    let mut found = Vec::new();
    formula.for_each_access(&mut |access| {
        for index in &access.indices {
            if let Some(symbol) = pointer(index)
                && !found.contains(&symbol)
            {
                found.push(symbol);
            }
        }
    });
    found
}

fn pointer(index: &Term) -> Option<SymbolId> {
    match index {
        Term::Access(access) if access.indices.is_empty() => Some(access.symbol),
        _ => None,
    }
}

/// The same, but for [`pointers`].
fn other_sites(formula: &Formula) -> usize {
    match formula {
        Formula::Constant(_) => 0,
        Formula::Compare(comparison) => {
            let but_pointers = |term| {
                term_sites(term, &mut |index| matches!(index, Term::Access(_)) && pointer(index).is_none())
            };
            but_pointers(&comparison.left) + but_pointers(&comparison.right)
        }
        Formula::Not(part) => other_sites(part),
        Formula::And(parts) | Formula::Or(parts) => total(parts.iter().map(other_sites)),
        // Both parts occur both ways, and so does a condition. Each is looked at once: nesting may be deep.
        Formula::Iff(parts) => total(parts.iter().map(other_sites)).saturating_mul(2),
        Formula::IfThenElse(parts) => {
            total([other_sites(&parts[0]).saturating_mul(2), other_sites(&parts[1]), other_sites(&parts[2])])
        }
        Formula::Quantified(quantified) => total([1, other_sites(&quantified.body)]),
    }
}

fn total(counts: impl IntoIterator<Item = usize>) -> usize {
    counts.into_iter().fold(0, usize::saturating_add)
}

/// How many indices in a term are processes of which the caller says that they count.
fn term_sites(term: &Term, counts: &mut dyn FnMut(&Term) -> bool) -> usize {
    let mut indices = |access: &Access| access.indices.iter().filter(|index| counts(index)).count();
    let mut count = 0;
    term.for_each_part(&mut |part| {
        count += match part {
            Term::Access(access) => indices(access),
            Term::Linear(linear) => linear.terms.iter().map(|(_, access)| indices(access)).sum(),
            _ => 0,
        };
    });
    count
}

/// Whether a formula, taken as it stands, has a universal quantifier.
pub fn has_universal(formula: &Formula) -> bool {
    universal(formula).0
}

/// Whether a formula has a universal quantifier, taken so, and taken negated. Both at once: a part of an
/// equivalence occurs both ways, and asking twice at each of many levels would have no end.
fn universal(formula: &Formula) -> (bool, bool) {
    let either = |(so, negated): (bool, bool)| (so || negated, so || negated);
    let any = |parts: &[Formula]| {
        parts.iter().map(universal).fold((false, false), |one, other| (one.0 || other.0, one.1 || other.1))
    };
    match formula {
        Formula::Constant(_) | Formula::Compare(_) => (false, false),
        Formula::Not(part) => {
            let (so, negated) = universal(part);
            (negated, so)
        }
        Formula::And(parts) | Formula::Or(parts) => any(parts),
        Formula::Iff(parts) => either(any(&parts[..])),
        Formula::IfThenElse(parts) => {
            let (test, branches) = (either(universal(&parts[0])), any(&parts[1..]));
            (test.0 || branches.0, test.1 || branches.1)
        }
        Formula::Quantified(quantified) => {
            let (so, negated) = universal(&quantified.body);
            let is_universal = quantified.quantifier == Quantifier::Forall;
            (so || is_universal, negated || !is_universal)
        }
    }
}
