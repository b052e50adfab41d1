//! What a body has written: a list of conditional writes, the latest last.
//!
//! Conditions, indices and values are over the state before the step. A read looks through the list from its
//! end.

use polycube_language::formula::{Formula, Relation, Term, VariableId};
use polycube_language::span::Span;
use polycube_language::system::Type as SystemType;

use super::counter::number_in;
use super::layout::{LeafId, Role, Symbols};
use super::value::{Atom, Cases, CellAtom, Constant, cell, compare, merged};
use super::{Result, Translator, too_many_cases};

/// How many parts the conditions of one value may have.
pub(super) const MAX_SIZE: usize = 20_000;

/// And those under which anything is read, all together. One of 25 published models needs more, at the sizes of its file.
const MAX_WORK: usize = 2_000_000;

/// For all processes in place of `bound`: where the condition holds, the cell gets the value. Each of these
/// variables is an index of the cell.
#[derive(Clone, Debug)]
pub(super) struct Write {
    pub leaf: LeafId,
    pub bound: Vec<VariableId>,
    pub condition: Formula,
    pub indices: Vec<Term>,
    pub value: Atom,
    pub span: Span,
}

/// A cell that was read.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub leaf: LeafId,
    pub indices: Vec<Term>,
    /// The place of the first write that decides about its value, if writes alone do.
    pub since: Option<usize>,
    /// How many writes there were before.
    pub at: usize,
    pub span: Span,
}

impl Write {
    /// When it concerns a cell, and the value that it gives to it.
    pub fn concerns(&self, indices: &[Term], distinct: &[VariableId]) -> (Formula, Atom) {
        let stands_for = |variable: VariableId| {
            let at = self.indices.iter().position(|index| *index == Term::Variable(variable))?;
            self.bound.contains(&variable).then(|| indices[at].clone())
        };
        let same = self
            .indices
            .iter()
            .zip(indices)
            .map(|(one, other)| equal(&one.substituted(&stands_for), other, distinct));
        let condition = Formula::and(same.chain([self.condition.substituted(&stands_for)]));
        (condition, self.value.substituted(&stands_for))
    }
}

impl Atom {
    pub fn substituted(&self, term: &dyn Fn(VariableId) -> Option<Term>) -> Atom {
        match self {
            Atom::Known(_) | Atom::Undefined | Atom::Last => self.clone(),
            Atom::Cell(cell) => Atom::Cell(CellAtom { term: cell.term.substituted(term), ..cell.clone() }),
            Atom::Number(number) => Atom::Number(number.substituted(term)),
            Atom::Process(inner) => Atom::Process(inner.substituted(term)),
        }
    }

    /// Whether it is about this process.
    pub fn mentions(&self, variable: VariableId) -> bool {
        match self {
            Atom::Known(_) | Atom::Undefined | Atom::Last => false,
            Atom::Cell(CellAtom { term, .. }) | Atom::Process(term) => mentions(term, variable),
            Atom::Number(number) => number
                .terms
                .iter()
                .any(|(_, access)| access.indices.iter().any(|index| mentions(index, variable))),
        }
    }
}

pub(super) fn mentions(term: &Term, variable: VariableId) -> bool {
    let mut found = false;
    term.for_each_part(&mut |part| found |= *part == Term::Variable(variable));
    found
}

/// Two processes are the same one. Distinct parameters are not.
pub(super) fn equal(one: &Term, other: &Term, distinct: &[VariableId]) -> Formula {
    if let (Term::Variable(one), Term::Variable(other)) = (one, other)
        && one != other
        && distinct.contains(one)
        && distinct.contains(other)
    {
        return Formula::FALSE;
    }
    compare(one.clone(), Relation::Equal, other.clone(), SystemType::Process)
}

/// What is left of a formula where another one holds.
pub(super) fn under(path: &Formula, formula: Formula) -> Formula {
    let facts = conjuncts(path);
    if facts.is_empty() {
        return formula;
    }
    assume(facts, formula)
}

fn conjuncts(formula: &Formula) -> &[Formula] {
    match formula {
        Formula::Constant(true) => &[],
        Formula::And(parts) => parts,
        other => std::slice::from_ref(other),
    }
}

fn assume(facts: &[Formula], formula: Formula) -> Formula {
    if facts.contains(&formula) {
        return Formula::TRUE;
    }
    if facts.contains(&Formula::not(formula.clone())) || facts.iter().any(|fact| excludes(fact, &formula)) {
        return Formula::FALSE;
    }
    match formula {
        Formula::And(parts) => Formula::and(parts.into_iter().map(|part| assume(facts, part))),
        Formula::Or(parts) => Formula::or(parts.into_iter().map(|part| assume(facts, part))),
        Formula::Not(part) => Formula::not(assume(facts, *part)),
        other => other,
    }
}

/// Whether a cell has one value, or one of several, and so not another one; or a number is one, and so not another.
fn excludes(fact: &Formula, formula: &Formula) -> bool {
    if let Formula::Or(parts) = fact {
        return parts.iter().all(|part| excludes(part, formula));
    }
    let (Formula::Compare(fact), Formula::Compare(other)) = (fact, formula) else { return false };
    fact.relation == Relation::Equal
        && other.relation == Relation::Equal
        && fact.left == other.left
        && match (&fact.right, &other.right) {
            (Term::Constructor(_, one), Term::Constructor(_, other)) => one != other,
            (Term::Linear(one), Term::Linear(other)) => {
                one.as_constant().zip(other.as_constant()).is_some_and(|(one, other)| one != other)
            }
            _ => false,
        }
}

impl Translator<'_> {
    /// What a cell holds now.
    pub(super) fn read(&mut self, leaf: LeafId, indices: &[Term], span: Span) -> Result<Cases> {
        let mut since = None;
        let mut cases: Cases = Vec::new();
        let mut rest = Formula::TRUE;
        for (at, write) in self.log.iter().enumerate().rev().filter(|(_, write)| write.leaf == leaf) {
            let (condition, value) = write.concerns(indices, &self.distinct);
            let condition = under(&self.path, under(&rest, condition));
            if condition == Formula::FALSE {
                continue;
            }
            cases.push((Formula::and([rest.clone(), condition.clone()]), value));
            rest = Formula::and([rest, Formula::not(condition)]);
            if rest == Formula::FALSE {
                since = Some(at);
                break;
            }
        }
        self.reads.push(Read { leaf, indices: indices.to_vec(), since, at: self.log.len(), span });
        if rest != Formula::FALSE {
            for (condition, atom) in self.before(leaf, indices) {
                cases.push((Formula::and([rest.clone(), under(&self.path, condition)]), atom));
            }
        }
        let cases = merged(cases.into_iter().map(|(when, atom)| (when, atom.plain())).collect());
        // What is written under these conditions is read under longer ones.
        let size = cases.iter().map(|(condition, _)| condition.size()).sum::<usize>();
        self.work += size;
        self.spend(size, span)?;
        if size > self.room || self.work > MAX_WORK {
            return too_many_cases(span, "what this can be");
        }
        Ok(cases)
    }

    /// What a cell held before the step.
    fn before(&self, leaf: LeafId, indices: &[Term]) -> Cases {
        let range = self.leaf(leaf).range();
        match self.leaf(leaf).symbols {
            Symbols::Ghost => vec![(Formula::TRUE, Atom::Last)],
            symbols if self.is_start || symbols == Symbols::Local => {
                let value = match self.leaf(leaf).role {
                    Role::Part | Role::Element => Atom::Undefined,
                    Role::Flag => Atom::Known(Constant::FALSE),
                };
                vec![(Formula::TRUE, value)]
            }
            Symbols::Local => unreachable!("local variables are treated above"),
            Symbols::Finite(symbol, coding) => {
                let can_be_undefined = self.known.undefinable.contains(&leaf.0);
                let term = cell(symbol, indices);
                vec![(Formula::TRUE, Atom::Cell(CellAtom { term, coding, range, can_be_undefined }))]
            }
            Symbols::Counter(symbol, None) => vec![(Formula::TRUE, Atom::Number(number_in(symbol, indices)))],
            Symbols::Counter(symbol, Some((kind, id))) => {
                let (coding, term) = (self.coding(id), cell(kind, indices));
                let number = coding.process.map(|code| (code, Atom::Number(number_in(symbol, indices))));
                let undefined = coding.undefined.map(|code| (code, Atom::Undefined));
                let all = number.into_iter().chain(undefined);
                all.map(|(code, atom)| (coding.is(&term, coding.constructor(code)), atom)).collect()
            }
            Symbols::Process(symbol, None) => vec![(Formula::TRUE, Atom::Process(cell(symbol, indices)))],
            Symbols::Process(symbol, Some((kind, id))) => {
                let (coding, term) = (self.coding(id), cell(kind, indices));
                let process = coding.process.map(|code| (code, Atom::Process(cell(symbol, indices))));
                let undefined = coding.undefined.map(|code| (code, Atom::Undefined));
                let known = (0..).zip(&coding.values).map(|(code, value)| (code, Atom::Known(*value)));
                let all = process.into_iter().chain(known).chain(undefined);
                all.map(|(code, atom)| (coding.is(&term, coding.constructor(code)), atom)).collect()
            }
        }
    }

    /// Whether nothing may be there.
    pub(super) fn can_be_undefined(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Undefined => true,
            Atom::Cell(cell) => cell.can_be_undefined,
            Atom::Known(_) | Atom::Number(_) | Atom::Process(_) | Atom::Last => false,
        }
    }

    /// A value is written. In a start state it may be written again: what counts is what is there in the end.
    pub(super) fn may_be(&mut self, leaf: LeafId, value: &Atom) {
        if !self.is_start && self.can_be_undefined(value) {
            self.found.undefinable.insert(leaf.0);
        }
    }

    /// Writes a value by cases, in which it fits.
    pub(super) fn write(&mut self, leaf: LeafId, indices: &[Term], mut cases: Cases, span: Span) {
        if self.leaf(leaf).symbols == Symbols::Ghost {
            return;
        }
        // The cases exclude each other, and leave nothing out but what is an error. So one of them, the one with
        // the longest condition, may be written wherever this place is reached, before the others are.
        if let Some(longest) = (0..cases.len()).max_by_key(|at| (cases[*at].0.size(), std::cmp::Reverse(*at)))
        {
            let (_, value) = cases.remove(longest);
            let is_old = !self.is_start && !self.log.iter().any(|write| write.leaf == leaf);
            if !(is_old && self.before(leaf, indices) == [(Formula::TRUE, value.clone())]) {
                cases.insert(0, (Formula::TRUE, value));
            }
        }
        for (condition, value) in cases {
            let condition = Formula::and([self.path.clone(), condition]);
            if condition == Formula::FALSE {
                continue;
            }
            self.may_be(leaf, &value);
            self.log.push(Write {
                leaf,
                bound: Vec::new(),
                condition,
                indices: indices.to_vec(),
                value,
                span,
            });
        }
    }
}
