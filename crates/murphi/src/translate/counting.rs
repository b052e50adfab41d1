//! Loops over the processes that count: `for n: Node do if Sharer[n] then Count := Count + 1 end end`.
//!
//! An iteration reads what the one before has written. What a loop like this leaves is known all the same, if the
//! iterations do nothing with the number but add to it, each the same in the same situation: before the loop, plus the
//! number added in each situation times the number of processes that are in it, `#{p | F}`.
//!
//! The body is run with a symbol in place of the number. That is exact:
//!
//! - In the end the number is the symbol plus a known number, in each of several situations F. So an iteration adds just
//!   that, whatever was added before.
//! - The symbol occurs nowhere else: not in a condition, nor in what is written elsewhere. So no iteration does anything
//!   else that depends on what the others have added, and F says the same of each process before the loop and in its
//!   iteration: what the loop writes besides is looked at as in any other loop.
//! - All that is stored in between is at least what was there before, or at most. So some value in between is out of range
//!   if and only if the last one is: the numbers before it are between the first and the last.
//! - One statement of the loop adds. Of several, the order of the iterations would say at which of them the number leaves
//!   its range.

use polycube_language::count::Count;
use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::formula::{Comparison, Formula, Linear, Relation, Term, Variable, VariableId};
use polycube_language::number::Number;
use polycube_language::span::{Origin, Span};
use polycube_language::system::{SymbolId, Type as SystemType};

use super::counter::{linear, number_in};
use super::layout::{LeafId, Node, Symbols};
use super::place::{Environment, Spot};
use super::value::{Atom, Cases, compare, merged};
use super::writes::{Write, equal, mentions, under};
use super::{Refused, Result, Translator, refuse};
use crate::model::{
    Base, Expr, ExprKind, LocalId, Operator, Place, Selector, Statement, StatementKind, TypeKind,
};

/// A number that a loop may add to.
pub(super) struct Counted {
    leaf: LeafId,
    indices: Vec<Term>,
    /// What it is before the loop.
    before: Vec<(Formula, Linear)>,
    /// What stands for it.
    marker: SymbolId,
    /// How many steps were noted before.
    steps: usize,
    span: Span,
}

/// What a loop adds, in which situations.
pub(super) struct Added {
    counted: Counted,
    situations: Vec<(Formula, i64)>,
}

/// A loop that adds in two places.
fn refuse_twice<T>(first: Span, second: Span) -> Result<T> {
    let message = "this loop adds to the same number in two places: at which of them it leaves its range depends on the order";
    let diagnostic = Diagnostic::error(Code::Unsupported, second, message).label("added here");
    Err(Refused(Box::new(diagnostic.also(first, "and here"))))
}

impl Translator<'_> {
    /// Whether a number is one that a loop around it adds to, and is stored where it belongs.
    pub(super) fn is_added_to(&self, leaf: LeafId, number: &Linear) -> bool {
        let is_in = |symbol: SymbolId| number.terms.iter().any(|(_, access)| access.symbol == symbol);
        self.added_to.iter().any(|(known, marker)| *known == leaf && is_in(*marker))
    }

    /// Notes whether a number that is added to gets larger or smaller here.
    pub(super) fn note_step(
        &mut self,
        (leaf, indices): (LeafId, &[Term]),
        condition: &Formula,
        number: &Linear,
        span: Span,
    ) -> Result<()> {
        for (when, before) in self.read(leaf, indices, span)? {
            if under(condition, when) == Formula::FALSE {
                continue;
            }
            let directions: &[bool] = match before {
                Atom::Number(before) => {
                    let step = Linear::sum([number.clone(), before.scaled(&-Number::ONE)]);
                    match step.as_constant() {
                        Some(step) if step.is_zero() => &[],
                        Some(step) if step.is_negative() => &[false],
                        Some(_) => &[true],
                        None => &[false, true],
                    }
                }
                _ => &[false, true],
            };
            self.steps.extend(directions.iter().map(|is_up| (leaf, *is_up)));
        }
        Ok(())
    }

    /// Puts symbols in place of the numbers that a loop may add to.
    pub(super) fn begin_counting(
        &mut self,
        body: &[Statement],
        process: LocalId,
        environment: &mut Environment,
    ) -> Result<Vec<Counted>> {
        let mut found: Vec<Counted> = Vec::new();
        let mut bound = vec![process];
        let mut sums: Vec<(&Place, Span)> = Vec::new();
        sums_in(body, &mut bound, &mut sums);
        for (place, span) in sums {
            let is_range = matches!(self.model.ty(place.ty).kind, TypeKind::Range(..));
            let is_new = matches!(place.base, Base::Local(local) if bound.contains(&local));
            if !is_range
                || is_new
                || self.is_process(place.ty)
                || place.selectors.iter().any(|one| is_within(one, &bound))
            {
                continue;
            }
            let Some(spots) = self.spots(place, environment)? else { continue };
            let [(Formula::TRUE, Spot { node, indices })] = &spots[..] else { continue };
            let (Node::Leaf(leaf), indices) = (self.node(*node).clone(), indices.clone()) else { continue };
            if self.leaf(leaf).symbols == Symbols::Ghost {
                continue;
            }
            if let Some(other) = found.iter().find(|other| other.leaf == leaf) {
                if other.span == span {
                    continue;
                }
                return refuse_twice(other.span, span);
            }
            let cases = self.read(leaf, &indices, span)?;
            let is_number = |(_, atom): &(Formula, Atom)| match atom {
                Atom::Known(_) | Atom::Number(_) => true,
                Atom::Cell(cell) => !cell.can_be_undefined,
                Atom::Process(_) | Atom::Undefined | Atom::Last => false,
            };
            if !cases.iter().all(is_number) {
                continue;
            }
            let before = cases.iter().flat_map(|(when, atom)| {
                let numbers = self.as_numbers(atom).into_iter();
                numbers.map(|(is, number)| (Formula::and([when.clone(), is]), number)).collect::<Vec<_>>()
            });
            let before = before.collect();
            let marker = self.marker();
            found.push(Counted { leaf, indices, before, marker, steps: self.steps.len(), span });
        }
        for Counted { leaf, indices, marker, span, .. } in &found {
            self.added_to.push((*leaf, *marker));
            self.log.push(Write {
                leaf: *leaf,
                bound: Vec::new(),
                condition: self.path.clone(),
                indices: indices.clone(),
                value: Atom::Number(number_in(*marker, &[])),
                span: *span,
            });
        }
        Ok(found)
    }

    /// What the iteration for any process has added. What it has written besides is left in the list.
    pub(super) fn end_counting(
        &mut self,
        all: Vec<Counted>,
        (writes, errors, reads): (usize, usize, usize),
    ) -> Result<Vec<Added>> {
        let mut added = Vec::new();
        let count = all.len();
        // The symbols themselves come first.
        let mut made: Vec<Write> = self.log[writes + count..].to_vec();
        for counted in all {
            let Counted { leaf, indices, marker, steps, span, .. } = &counted;
            let is_marked = |number: &Linear| number.terms.iter().any(|(_, access)| access.symbol == *marker);
            let is_own = |write: &Write| write.leaf == *leaf;
            let is_used = |write: &Write| matches!(&write.value, Atom::Number(number) if is_marked(number));
            let leaks = |formula: &Formula| {
                let mut found = false;
                formula.for_each_access(&mut |access| found |= access.symbol == *marker);
                found
            };
            let is_read =
                made.iter().any(|write| leaks(&write.condition) || !is_own(write) && is_used(write))
                    || self.errors[errors..].iter().any(|mishap| leaks(&mishap.condition));
            if !is_read && !made.iter().any(is_used) {
                // Nothing is added: whatever is written does not depend on what was there.
                continue;
            }
            let cases = self.read(*leaf, indices, *span)?;
            let is_known = |write: &Write| write.indices == *indices && write.bound.is_empty();
            let is_apart = made.iter().filter(|write| is_own(write)).all(is_known);
            let situations = cases.iter().map(|(when, atom)| {
                let Atom::Number(number) = atom else { return None };
                let by = Linear::sum([number.clone(), number_in(*marker, &[]).scaled(&-Number::ONE)]);
                let by = Atom::Number(by).plain();
                match by {
                    Atom::Known(by) if !leaks(when) => Some((when.clone(), by.number)),
                    _ => None,
                }
            });
            let situations: Option<Vec<(Formula, i64)>> = situations.collect();
            let situations = situations.filter(|_| !is_read && is_apart);
            let Some(mut situations) = situations else {
                let place = self.leaf(*leaf).name.join("i");
                let message = format!(
                    "the iterations of this loop depend on their order: `{place}` is read and written"
                );
                let is_inside = |read: &&super::writes::Read| {
                    read.leaf == *leaf && read.since.is_some_and(|since| since >= writes)
                };
                let read = self.reads[reads..].iter().find(is_inside).map_or(*span, |read| read.span);
                let diagnostic = Diagnostic::error(Code::Unsupported, read, message).label("read here");
                return Err(Refused(Box::new(diagnostic.also(*span, "written here"))));
            };
            situations.retain(|(_, by)| *by != 0);
            let goes = |is_up: bool| self.steps[*steps..].contains(&(*leaf, is_up));
            if goes(true) && goes(false) {
                return refuse(
                    *span,
                    "this loop counts up and down: what it reaches in between depends on its order",
                );
            }
            made.retain(|write| !is_own(write));
            added.push(Added { counted, situations });
        }
        self.log.truncate(writes);
        self.log.extend(made);
        let still = self.added_to.len() - count;
        self.added_to.truncate(still);
        Ok(added)
    }

    /// Stores what a loop over all processes has added.
    pub(super) fn add_up(&mut self, added: Added, process: &Variable) -> Result<()> {
        let Added { counted: Counted { leaf, indices, before, span, .. }, situations } = added;
        let mut sums = before;
        for (when, by) in situations {
            let counts = self.number_of(process, &when, span)?;
            let by = Number::from(by);
            let mut longer = Vec::new();
            for (condition, sum) in &sums {
                for (and_when, count) in &counts {
                    let both = Formula::and([condition.clone(), and_when.clone()]);
                    if both != Formula::FALSE {
                        longer.push((both, Linear::sum([sum.clone(), count.clone().scaled(&by)])));
                    }
                }
            }
            sums = longer;
        }
        let cases: Cases =
            sums.into_iter().map(|(when, number)| (when, Atom::Number(number).plain())).collect();
        self.store(leaf, &indices, merged(cases), span)
    }

    /// How many processes there are for which a condition holds, by cases.
    ///
    /// What it says of no process in particular is a case of its own. Where it asks whether the process is some other
    /// one, `p = q`, the others are counted as if it were not, and q is counted apart: `#{p | F}` is
    /// `#{p | F'}`, 1 more if F but not F' holds for q, and 1 less if F' but not F does, since F and F'
    /// agree on all others.
    fn number_of(
        &mut self,
        process: &Variable,
        condition: &Formula,
        span: Span,
    ) -> Result<Vec<(Formula, Linear)>> {
        match *condition {
            Formula::TRUE => return Ok(vec![(Formula::TRUE, self.number_of_processes())]),
            Formula::FALSE => return Ok(vec![(Formula::TRUE, linear(0))]),
            _ => {}
        }
        let about = |formula: &Formula| {
            let mut found = false;
            formula.for_each_mentioned(&mut |variable| found |= variable == process.id);
            found
        };
        let conjuncts = match condition {
            Formula::And(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        let (own, common): (Vec<Formula>, Vec<Formula>) = conjuncts.into_iter().partition(about);
        if !common.is_empty() {
            let common = Formula::and(common);
            let mut cases = vec![(Formula::not(common.clone()), linear(0))];
            for (when, number) in self.number_of(process, &Formula::and(own), span)? {
                cases.push((Formula::and([common.clone(), when]), number));
            }
            cases.retain(|(when, _)| *when != Formula::FALSE);
            return Ok(cases);
        }
        let condition = &Formula::and(own);
        let mut other = None;
        condition.for_each_comparison(&mut |comparison| {
            other = other.take().or_else(|| compared_with(comparison, process.id).cloned());
        });
        // A quantifier may bind it.
        if let (Some(other), false) = (other, condition.has_quantifier()) {
            let replaced = condition.try_replace(&mut |comparison| {
                Some(match compared_with(comparison, process.id) {
                    Some(one) if *one == other => {
                        Formula::Constant(comparison.relation == Relation::NotEqual)
                    }
                    _ => Formula::Compare(comparison.clone()),
                })
            });
            let replaced = replaced.expect("each comparison is replaced");
            let with = self.said_of(condition, process.id, &other);
            let without = self.said_of(&replaced, process.id, &other);
            let mut cases = Vec::new();
            for (when, number) in self.number_of(process, &replaced, span)? {
                let gained = Formula::and([with.clone(), Formula::not(without.clone())]);
                let lost = Formula::and([without.clone(), Formula::not(with.clone())]);
                let same = Formula::iff(with.clone(), without.clone());
                for (and_when, by) in [(gained, 1), (lost, -1), (same, 0)] {
                    let both = Formula::and([when.clone(), and_when]);
                    if both != Formula::FALSE {
                        cases.push((both, Linear::sum([number.clone(), linear(by)])));
                    }
                }
            }
            return Ok(cases);
        }
        let mut others: Vec<VariableId> = Vec::new();
        let mut has_count = false;
        condition.for_each_mentioned(&mut |variable| {
            if variable != process.id && !others.contains(&variable) {
                others.push(variable);
            }
        });
        condition.for_each_access(&mut |access| has_count |= self.count_of(access.symbol).is_some());
        if condition.has_quantifier() || has_count || others.len() > Count::MAX_INDICES {
            return refuse(span, "this loop counts processes, by a condition that is too complicated");
        }
        let count = Count::new(condition, &others, process, Origin(span));
        let indices: Vec<Term> = others.into_iter().map(Term::Variable).collect();
        Ok(vec![(Formula::TRUE, number_in(self.count_symbol(count), &indices))])
    }

    /// A condition on one process, said of another one.
    fn said_of(&self, condition: &Formula, process: VariableId, other: &Term) -> Formula {
        let said = condition.substituted(&|variable| (variable == process).then(|| other.clone()));
        let simplified = said.try_replace(&mut |Comparison { left, relation, right, ty, .. }| {
            Some(match (ty, relation) {
                (SystemType::Process, Relation::Equal) => equal(left, right, &self.distinct),
                (SystemType::Process, Relation::NotEqual) => Formula::not(equal(left, right, &self.distinct)),
                _ => compare(left.clone(), *relation, right.clone(), *ty),
            })
        });
        simplified.expect("each comparison is replaced")
    }
}

/// What a process is compared with, for equality.
fn compared_with(comparison: &Comparison, process: VariableId) -> Option<&Term> {
    let Comparison { left, relation, right, ty, .. } = comparison;
    if *ty != SystemType::Process || relation.is_order() {
        return None;
    }
    let other = match (left, right) {
        (Term::Variable(one), other) | (other, Term::Variable(one)) if *one == process => other,
        _ => return None,
    };
    (!mentions(other, process)).then_some(other)
}

/// The numbers that are assigned a sum of themselves and something; and all names that are bound meanwhile.
fn sums_in<'b>(body: &'b [Statement], bound: &mut Vec<LocalId>, found: &mut Vec<(&'b Place, Span)>) {
    for statement in body {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                if let ExprKind::Binary(Operator::Add | Operator::Subtract, sides) = &value.kind
                    && sides.iter().any(|side| is_like(side, target))
                {
                    found.push((target, statement.span));
                }
            }
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| sums_in(body, bound, found));
                sums_in(otherwise, bound, found);
            }
            StatementKind::Switch(_, cases, otherwise) => {
                cases.iter().for_each(|(_, body)| sums_in(body, bound, found));
                sums_in(otherwise, bound, found);
            }
            StatementKind::For(local, _, body) | StatementKind::Alias(local, _, body) => {
                bound.push(*local);
                sums_in(body, bound, found);
            }
            StatementKind::While(_, body) => sums_in(body, bound, found),
            _ => {}
        }
    }
}

/// Whether it may be the value of this place: what comes of it decides.
fn is_like(value: &Expr, place: &Place) -> bool {
    match &value.kind {
        ExprKind::Place(other) => other.base == place.base && other.selectors.len() == place.selectors.len(),
        _ => false,
    }
}

/// Whether a part of a place is chosen by a name that is bound in the loop, or by anything more than a name.
fn is_within(selector: &Selector, bound: &[LocalId]) -> bool {
    match selector {
        Selector::Field(_) => false,
        Selector::Index(index) => match &index.kind {
            ExprKind::Integer(_) | ExprKind::Boolean(_) | ExprKind::Constant(..) => false,
            ExprKind::Place(place) => {
                !place.selectors.is_empty()
                    || matches!(place.base, Base::Local(local) if bound.contains(&local))
            }
            _ => true,
        },
    }
}
