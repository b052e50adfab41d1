//! What the formulas of a system say about the processes of a question, without quantifiers.

use polycube_certificate::cases::{depends, plain_witnesses, witnesses};
use polycube_language::System;
use polycube_language::formula::{
    Access, Comparison, Formula, Quantified, Quantifier, Relation, Term, VariableId,
};
use polycube_language::system::{SymbolId, Transition, Type, Value};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::claims::{Claims, Conjunct, PartId};
use crate::ground::{Atom, Formulas, Ground, Operand, Strict, Sum};
use crate::universe::{CellId, Names, PlaceId, Universe, id};
use crate::watch::Watch;

/// How many formulas a question may consist of, and parts of formulas. What would need more is replaced by
/// something unknown.
const MAX_FORMULAS: usize = 1 << 23;

/// How many values a sum may have, depending on where its cells point.
const MAX_CASES: usize = 1 << 10;

/// How deep equivalences (and conditions) with quantifiers may nest. Each level doubles the cases.
const MAX_EQUIVALENCES: u32 = 8;

/// The state that a formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum When {
    Now,
    Next,
}

/// What may be said in place of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reading {
    Implied,
    Implying,
    Exact,
}

impl Reading {
    fn negated(self) -> Reading {
        match self {
            Reading::Implied => Reading::Implying,
            Reading::Implying => Reading::Implied,
            Reading::Exact => Reading::Exact,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Known {
    /// A constructor, or the process of a place.
    Value(u32),
    /// Whatever a cell holds, of finitely many values.
    Cell(CellId),
    /// A number, or a value of an abstract type: these are as many as the rationals, and any finite number of
    /// them may be ordered in any way.
    Sum(Sum),
    Unknown,
}

/// Mostly few, so that they need no memory of their own.
type Places = SmallVec<[PlaceId; 4]>;

/// Values, with conditions of which exactly one holds. Mostly it is one.
type Cases<T> = SmallVec<[(Ground, T); 1]>;

/// What is known if a formula holds, and if it fails.
#[derive(Clone, Copy)]
struct Either {
    holds: Ground,
    fails: Ground,
}

/// The processes and formulas of a question.
pub(crate) struct Meaning<'s> {
    pub(crate) system: &'s System,
    pub(crate) universe: Universe,
    pub(crate) formulas: Formulas,
    /// The step to the next state.
    step: Option<(&'s Transition, Names)>,
    /// Whether quantified parts of its conditions hold.
    decided: Vec<(&'s Quantified, Ground)>,
    /// Whether what is looked at is such a condition: the same words mean something else in a clause.
    is_condition: bool,
    /// The variables of the formula that is looked at for which there is a place: if there is such a process,
    /// its own.
    witnesses: Vec<VariableId>,
    /// The variables of quantifiers around what is looked at that speak of all processes, or of one that has no place. What
    /// depends on them has no witness: each process would need its own. (In the other case of an equivalence, there may
    /// be one.)
    open: Vec<VariableId>,
    /// How many equivalences are around what is looked at.
    equivalences: u32,
    /// The cells that hold what `?` stands for: by symbol, branch and places.
    any: FxHashMap<(SymbolId, usize, Places), CellId>,
    any_types: Vec<Type>,
    /// What parts of claims mean, of these places. A part that is partly unknown has one meaning all the
    /// same: it is true or not, and so is what is unknown of it.
    parts: FxHashMap<(PartId, Places, When, Reading), Ground>,
    pub(crate) claims: &'s Claims,
    pub(crate) watch: &'s Watch<'s>,
}

impl<'s> Meaning<'s> {
    pub(crate) fn new(
        system: &'s System,
        claims: &'s Claims,
        universe: Universe,
        watch: &'s Watch<'s>,
    ) -> Meaning<'s> {
        Meaning {
            system,
            universe,
            formulas: Formulas::new(),
            step: None,
            decided: Vec::new(),
            is_condition: false,
            witnesses: Vec::new(),
            open: Vec::new(),
            equivalences: 0,
            any: FxHashMap::default(),
            any_types: Vec::new(),
            parts: FxHashMap::default(),
            claims,
            watch,
        }
    }

    /// From now on, the next state is the one after this step. What these parts of its conditions say may be assumed, if
    /// the universe has a place for each of them: for the process that decides it.
    ///
    /// Sound: whether a part holds is an unknown with one meaning for all cells. If it holds, then what follows from it
    /// does; if not, then what follows from its negation. One of the two is the case.
    pub(crate) fn set_step(
        &mut self,
        transition: &'s Transition,
        names: Names,
        deciding: &[&'s Quantified],
    ) -> Vec<Ground> {
        let mut assumed = Vec::new();
        if !self.universe.complete {
            for &one in deciding {
                let whole = Formula::Quantified(one.clone());
                self.witnesses = vec![one.variable.id];
                let Either { holds, fails } = self.either(&whole, &names, When::Now, Reading::Implied);
                self.witnesses.clear();
                let is_so = self.formulas.unknown();
                assumed.push(self.formulas.implies(is_so, holds));
                assumed.push(self.formulas.implies(is_so.not(), fails));
                self.decided.push((one, is_so));
            }
        }
        self.step = Some((transition, names));
        assumed
    }

    pub(crate) fn ty(&self, cell: CellId) -> Type {
        match cell.checked_sub(self.universe.cells) {
            Some(any) => self.any_types[any as usize],
            None => self.system.symbol(self.universe.symbol(cell)).ty,
        }
    }

    /// The cell that holds what `?` of a branch stands for, if it was spoken of.
    pub(crate) fn any_cell(&self, symbol: SymbolId, branch: usize, places: &[PlaceId]) -> Option<CellId> {
        self.any.get(&(symbol, branch, Places::from_slice(places))).copied()
    }

    /// How many values a cell may have, if these are finitely many. Of processes, the last stands for all
    /// that are none of the places.
    pub(crate) fn values(&self, cell: CellId) -> Option<u32> {
        match self.ty(cell) {
            Type::Process => Some(self.universe.len() + u32::from(!self.universe.complete)),
            ty @ Type::Enumeration(_) => Some(self.named(ty)),
            Type::Integer | Type::Real | Type::Abstract(_) => None,
        }
    }

    /// How many places or constructors of an enumeration there are.
    pub(crate) fn named(&self, ty: Type) -> u32 {
        match ty {
            Type::Enumeration(ty) => id(self.system.enumeration(ty).constructors.len()),
            _ => self.universe.len(),
        }
    }

    pub(crate) fn is(&mut self, cell: CellId, value: u32) -> Ground {
        match (self.values(cell), value) {
            (Some(1), _) => Ground::TRUE,
            (Some(2), 0) => self.formulas.atom(Atom::Is(cell, 1)).not(),
            _ => self.formulas.atom(Atom::Is(cell, value)),
        }
    }

    pub(crate) fn exists(&mut self, place: PlaceId) -> Ground {
        if place < self.universe.certain {
            return Ground::TRUE;
        }
        match self.universe.holder(place) {
            Some(cell) => self.is(cell, place),
            None => self.formulas.atom(Atom::Exists(place)),
        }
    }

    /// What follows from a formula of the system about the state now, for whose witnesses the universe has
    /// places.
    pub(crate) fn implied(&mut self, formula: &Formula, names: &Names) -> Ground {
        self.witnesses = witnesses(formula, true).iter().map(|variable| variable.id).collect();
        let implied = self.formula(formula, names, When::Now, Reading::Implied);
        // Clauses number their variables by themselves: these witnesses must not apply to them.
        self.witnesses.clear();
        implied
    }

    /// What the conjuncts of a claim say of these places. `Implied` follows from them; they follow from
    /// `Implying`.
    pub(crate) fn claim(
        &mut self,
        claim: usize,
        places: &[PlaceId],
        when: When,
        reading: Reading,
    ) -> Vec<Ground> {
        let conjuncts = &self.claims.claims[claim].conjuncts;
        // A clause of the invariant says of the state now that some processes exist: these have places of
        // their own.
        let is_promising =
            (when, reading) == (When::Now, Reading::Implying) && self.universe.has_promised(claim, places);
        let part = |conjunct: &Conjunct| {
            let places: Places = conjunct.arguments.iter().map(|&argument| places[argument]).collect();
            match is_promising && self.claims.parts[conjunct.part].has_quantifier {
                true => self.promising(conjunct.part, &places),
                false => self.part(conjunct.part, places, when, reading),
            }
        };
        conjuncts.iter().map(part).collect()
    }

    /// What a part of a clause follows from, now, where the universe has places for the processes that make
    /// it false.
    fn promising(&mut self, part: PartId, places: &[PlaceId]) -> Ground {
        let formula = &self.claims.parts[part].formula;
        self.witnesses = plain_witnesses(formula, false).iter().map(|variable| variable.id).collect();
        let implying = self.formula(formula, &Names::numbered(places), When::Now, Reading::Implying);
        self.witnesses.clear();
        implying
    }

    fn part(&mut self, part: PartId, places: Places, when: When, reading: Reading) -> Ground {
        let said = &self.claims.parts[part];
        let reading = if said.has_quantifier { reading } else { Reading::Exact };
        // What the step does not change is what it was before.
        let is_changed = |(transition, _): &(&Transition, Names)| {
            transition.updates.iter().any(|update| said.symbols.contains(&update.symbol))
        };
        let is_same =
            when == When::Next && !said.has_quantifier && !self.step.as_ref().is_some_and(is_changed);
        let when = if is_same { When::Now } else { when };
        let key = (part, places, when, reading);
        if let Some(&known) = self.parts.get(&key) {
            return known;
        }
        let meaning = self.formula(&said.formula, &Names::numbered(&key.1), when, reading);
        self.parts.insert(key, meaning);
        meaning
    }

    fn formula(&mut self, formula: &Formula, names: &Names, when: When, reading: Reading) -> Ground {
        match formula {
            Formula::Constant(value) => Ground::constant(*value),
            Formula::Compare(comparison) => self.comparison(comparison, names, when),
            Formula::Not(part) => self.formula(part, names, when, reading.negated()).not(),
            Formula::And(parts) => {
                let parts = self.parts(parts, names, when, reading);
                self.formulas.and(parts)
            }
            Formula::Or(parts) => {
                let parts = self.parts(parts, names, when, reading);
                self.formulas.or(parts)
            }
            // Either both hold or both fail, and neither does one hold where the other fails: of these, what
            // is implied is read off the cases that there are, what implies off those that there are not.
            Formula::Iff(sides) => {
                let [left, right] =
                    [&sides[0], &sides[1]].map(|side| self.either(side, names, when, reading));
                match reading {
                    Reading::Exact => self.formulas.iff(left.holds, right.holds),
                    Reading::Implied => self.one_of_two(left, right),
                    Reading::Implying => {
                        let right = Either { holds: right.fails, fails: right.holds };
                        self.one_of_two(left, right).not()
                    }
                }
            }
            Formula::IfThenElse(parts) => {
                let condition = self.either(&parts[0], names, when, reading);
                let [yes, no] = [&parts[1], &parts[2]].map(|part| self.formula(part, names, when, reading));
                match reading {
                    Reading::Exact => self.formulas.if_then_else(condition.holds, yes, no),
                    Reading::Implied => self.one_of_two(condition, Either { holds: yes, fails: no }),
                    Reading::Implying => {
                        let failing = Either { holds: yes.not(), fails: no.not() };
                        self.one_of_two(condition, failing).not()
                    }
                }
            }
            Formula::Quantified(quantified) => self.quantified(quantified, names, when, reading),
        }
    }

    fn parts(&mut self, parts: &[Formula], names: &Names, when: When, reading: Reading) -> Vec<Ground> {
        parts.iter().map(|part| self.formula(part, names, when, reading)).collect()
    }

    /// What follows from a formula, and what from its negation, for a reading that is not exact.
    fn either(&mut self, formula: &Formula, names: &Names, when: When, reading: Reading) -> Either {
        if reading == Reading::Exact || !formula.has_quantifier() {
            let exact = self.formula(formula, names, when, Reading::Exact);
            return Either { holds: exact, fails: exact.not() };
        }
        if self.is_enough() || self.equivalences == MAX_EQUIVALENCES {
            let [holds, fails] = [self.formulas.unknown(), self.formulas.unknown()];
            return Either { holds, fails };
        }
        self.equivalences += 1;
        let holds = self.formula(formula, names, when, Reading::Implied);
        let fails = self.formula(formula, names, when, Reading::Implying).not();
        self.equivalences -= 1;
        Either { holds, fails }
    }

    /// Both hold or both fail.
    fn one_of_two(&mut self, left: Either, right: Either) -> Ground {
        let hold = self.formulas.and([left.holds, right.holds]);
        let fail = self.formulas.and([left.fails, right.fails]);
        self.formulas.or([hold, fail])
    }

    /// Of all processes, only those are known that have a place.
    fn quantified(&mut self, quantified: &Quantified, names: &Names, when: When, reading: Reading) -> Ground {
        let Quantified { quantifier, variable, body, .. } = quantified;
        if reading == Reading::Exact && !self.universe.complete {
            let known = self.decided.iter().find(|(one, _)| self.is_condition && *one == quantified);
            return known.map(|(_, is_so)| *is_so).unwrap_or_else(|| self.formulas.unknown());
        }
        let needs_one = matches!(
            (quantifier, reading),
            (Quantifier::Exists, Reading::Implied) | (Quantifier::Forall, Reading::Implying)
        );
        // If one of the places makes it true (or false), then it is. If another process does, that may be the
        // one that has a place for this purpose; if there is none, nothing is known.
        let has_place =
            needs_one && self.witnesses.contains(&variable.id) && !depends(quantified, &self.open);
        if !has_place {
            self.open.push(variable.id);
        }
        let mut parts = Vec::new();
        for place in 0..self.universe.len() {
            if self.is_enough() {
                parts = vec![self.formulas.unknown()];
                break;
            }
            let exists = self.exists(place);
            let body = self.formula(body, &names.with(variable.id, place), when, reading);
            parts.push(match quantifier {
                Quantifier::Forall => self.formulas.implies(exists, body),
                Quantifier::Exists => self.formulas.and([exists, body]),
            });
        }
        if !has_place {
            self.open.pop();
        }
        if needs_one && !self.universe.complete && !has_place {
            let unknown = self.formulas.unknown();
            parts.push(unknown);
        }
        match quantifier {
            Quantifier::Forall => self.formulas.and(parts),
            Quantifier::Exists => self.formulas.or(parts),
        }
    }

    /// Whether the question has become too large, or the caller has cancelled. Whatever is said may then be
    /// replaced by something unknown: less can be proved.
    fn is_enough(&self) -> bool {
        self.formulas.size() > MAX_FORMULAS || self.watch.has_ended()
    }

    fn comparison(&mut self, comparison: &Comparison, names: &Names, when: When) -> Ground {
        let Comparison { left, relation, right, ty, .. } = comparison;
        let left = self.term(left, names, when);
        let right = self.term(right, names, when);
        // Mostly there is one case.
        if let ([(Ground::TRUE, left)], [(Ground::TRUE, right)]) = (&left[..], &right[..]) {
            return self.compared(left, *relation, right, *ty);
        }
        let mut parts = Vec::new();
        for (first, left) in &left {
            if self.is_enough() {
                return self.formulas.unknown();
            }
            for (second, right) in &right {
                let holds = self.compared(left, *relation, right, *ty);
                parts.push(self.formulas.and([*first, *second, holds]));
            }
        }
        self.formulas.or(parts)
    }

    fn compared(&mut self, left: &Known, relation: Relation, right: &Known, ty: Type) -> Ground {
        match relation {
            Relation::Equal => self.equal(left, right),
            Relation::NotEqual => self.equal(left, right).not(),
            Relation::Less => self.less(left, right, ty),
            // The orders are total.
            Relation::LessEqual => self.less(right, left, ty).not(),
        }
    }

    fn equal(&mut self, left: &Known, right: &Known) -> Ground {
        match (left, right) {
            (Known::Unknown, _) | (_, Known::Unknown) => self.formulas.unknown(),
            (Known::Sum(left), Known::Sum(right)) => {
                let below = self.formulas.at_most_zero(&left.minus(right), Strict::No);
                let above = self.formulas.at_most_zero(&right.minus(left), Strict::No);
                self.formulas.and([below, above])
            }
            (Known::Cell(left), Known::Cell(right)) if left == right => Ground::TRUE,
            (Known::Cell(left), Known::Cell(right)) => {
                let far = self.far(*left);
                let values = self.values(*left).expect("such a cell has finitely many values");
                let mut parts = Vec::new();
                for value in 0..values {
                    let both = [self.is(*left, value), self.is(*right, value)];
                    let is_same = if far == Some(value) {
                        let (first, second) = (left.min(right), left.max(right));
                        self.formulas.atom(Atom::Same(Operand::Cell(*first), Operand::Cell(*second)))
                    } else {
                        Ground::TRUE
                    };
                    parts.push(self.formulas.and([both[0], both[1], is_same]));
                }
                self.formulas.or(parts)
            }
            (Known::Cell(cell), Known::Value(value)) | (Known::Value(value), Known::Cell(cell)) => {
                self.is(*cell, *value)
            }
            (Known::Value(left), Known::Value(right)) => Ground::constant(left == right),
            (Known::Sum(_), _) | (_, Known::Sum(_)) => unreachable!("values of one type are compared"),
        }
    }

    fn less(&mut self, left: &Known, right: &Known, ty: Type) -> Ground {
        if let (Known::Sum(left), Known::Sum(right)) = (left, right) {
            return self.formulas.at_most_zero(&left.minus(right), Strict::Yes);
        }
        if let (Known::Cell(left), Known::Cell(right)) = (left, right)
            && left == right
        {
            return Ground::FALSE;
        }
        let operand = |known: &Known, place: Option<PlaceId>| match (known, place) {
            (_, Some(place)) => Some(Operand::Role(place)),
            (Known::Cell(cell), None) => Some(Operand::Cell(*cell)),
            _ => None,
        };
        let mut parts = Vec::new();
        for (first, one) in self.split(left) {
            for (second, two) in self.split(right) {
                let holds = match (one, two) {
                    (Some(one), Some(two)) => self.before(ty, one, two),
                    _ => match operand(left, one).zip(operand(right, two)) {
                        Some((one, two)) => self.formulas.atom(Atom::Below(one, two)),
                        None => self.formulas.unknown(),
                    },
                };
                parts.push(self.formulas.and([first, second, holds]));
            }
        }
        self.formulas.or(parts)
    }

    /// The first value comes before the second.
    fn before(&mut self, ty: Type, left: u32, right: u32) -> Ground {
        if left == right {
            return Ground::FALSE;
        }
        let atom = self.formulas.atom(Atom::Before(ty, left.min(right), left.max(right)));
        if left < right { atom } else { atom.not() }
    }

    /// The one value of a cell that stands for many.
    pub(crate) fn far(&self, cell: CellId) -> Option<u32> {
        (self.ty(cell) == Type::Process && !self.universe.complete).then(|| self.universe.len())
    }

    /// The constructors or places that a value may be; none where it is something else.
    fn split(&mut self, value: &Known) -> Cases<Option<u32>> {
        match value {
            Known::Value(value) => smallvec![(Ground::TRUE, Some(*value))],
            Known::Cell(cell) => {
                let far = self.far(*cell);
                let values = self.values(*cell).expect("such a cell has finitely many values");
                (0..values)
                    .map(|value| (self.is(*cell, value), Some(value).filter(|_| far != Some(value))))
                    .collect()
            }
            Known::Unknown | Known::Sum(_) => smallvec![(Ground::TRUE, None)],
        }
    }

    fn term(&mut self, term: &Term, names: &Names, when: When) -> Cases<Known> {
        match term {
            Term::Variable(variable) => {
                let place = names.get(*variable).expect("every variable has a place");
                smallvec![(Ground::TRUE, Known::Value(place))]
            }
            Term::Process(number) => smallvec![(Ground::TRUE, Known::Value(self.universe.place_of(*number)))],
            Term::Constructor(_, index) => smallvec![(Ground::TRUE, Known::Value(*index))],
            Term::Access(access) => self.access(access, names, when),
            Term::Linear(linear) => {
                let mut cases = smallvec![(Ground::TRUE, Known::Sum(Sum::constant(linear.constant.clone())))];
                for (factor, access) in &linear.terms {
                    let values = self.access(access, names, when);
                    let mut next = Cases::new();
                    for (condition, sum) in &cases {
                        let total = |value: &Known| match (sum, value) {
                            (Known::Sum(sum), Known::Sum(value)) => Known::Sum(sum.plus(factor, value)),
                            _ => Known::Unknown,
                        };
                        let totals = values.iter().map(|(case, value)| (*case, total(value)));
                        next.extend(self.formulas.under(*condition, totals));
                    }
                    if next.len() > MAX_CASES || self.is_enough() {
                        return smallvec![(Ground::TRUE, Known::Unknown)];
                    }
                    cases = next;
                }
                cases
            }
        }
    }

    fn access(&mut self, access: &Access, names: &Names, when: When) -> Cases<Known> {
        // Mostly there is one case.
        let place = |index: &Term| match index {
            Term::Variable(variable) => names.get(*variable),
            _ => None,
        };
        if let Some(places) = access.indices.iter().map(place).collect::<Option<Places>>() {
            return self.value(access.symbol, &places, when);
        }
        let mut cases: Cases<Option<Places>> = smallvec![(Ground::TRUE, Some(Places::new()))];
        for index in &access.indices {
            if self.is_enough() {
                return smallvec![(Ground::TRUE, Known::Unknown)];
            }
            let mut places = Cases::new();
            for (condition, value) in self.term(index, names, when) {
                let cases = self.split(&value);
                places.extend(self.formulas.under(condition, cases));
            }
            // Cells that point to cells that point to cells have no more values for that.
            let places = self.merged(places);
            let mut next = Cases::new();
            for (condition, indices) in &cases {
                let extended =
                    |place: PlaceId| Some(indices.as_ref()?.iter().copied().chain([place]).collect());
                let extended = places.iter().map(|(case, place)| (*case, place.and_then(extended)));
                next.extend(self.formulas.under(*condition, extended));
            }
            next.retain(|(condition, _)| *condition != Ground::FALSE);
            cases = next;
        }
        let mut values = Cases::new();
        for (condition, places) in cases {
            let cases = match places {
                None => smallvec![(Ground::TRUE, Known::Unknown)],
                Some(places) => self.value(access.symbol, &places, when),
            };
            values.extend(self.formulas.under(condition, cases));
        }
        values
    }

    /// The same cases, with one condition for each place.
    fn merged(&mut self, cases: Cases<Option<PlaceId>>) -> Cases<Option<PlaceId>> {
        let mut merged: Vec<(Vec<Ground>, Option<PlaceId>)> = Vec::new();
        for (condition, place) in cases {
            match merged.iter_mut().find(|(_, other)| *other == place) {
                Some((conditions, _)) => conditions.push(condition),
                None => merged.push((vec![condition], place)),
            }
        }
        let merged = merged.into_iter();
        merged.map(|(conditions, place)| (self.formulas.or(conditions), place)).collect()
    }

    /// What a cell of a symbol holds.
    fn value(&mut self, symbol: SymbolId, places: &[PlaceId], when: When) -> Cases<Known> {
        let cell = self.universe.cell(symbol, places);
        let ty = self.system.symbol(symbol).ty;
        let step = self.step.as_ref().filter(|_| when == When::Next);
        let update = step.and_then(|(transition, names)| {
            let update = transition.updates.iter().find(|update| update.symbol == symbol)?;
            Some((update, names.clone()))
        });
        let Some((update, mut names)) = update else { return smallvec![(Ground::TRUE, held(cell, ty))] };
        for (index, &place) in update.indices.iter().zip(places) {
            names = names.with(index.id, place);
        }
        let mut cases = Cases::new();
        let mut remaining = Ground::TRUE;
        let branches = update.branches.iter().map(|branch| (Some(&branch.condition), &branch.value));
        for (at, (condition, value)) in branches.chain([(None, &update.otherwise)]).enumerate() {
            let applies = match condition {
                Some(condition) => {
                    self.is_condition = true;
                    let applies = self.formula(condition, &names, When::Now, Reading::Exact);
                    self.is_condition = false;
                    applies
                }
                None => Ground::TRUE,
            };
            let condition = self.formulas.and([remaining, applies]);
            remaining = self.formulas.and([remaining, applies.not()]);
            if condition == Ground::FALSE {
                continue;
            }
            match value {
                Value::Any => {
                    let next = self.universe.cells + id(self.any_types.len());
                    let cell = *self.any.entry((symbol, at, Places::from_slice(places))).or_insert(next);
                    if cell == next {
                        self.any_types.push(ty);
                    }
                    cases.push((condition, held(cell, ty)));
                }
                Value::Term(term) => {
                    let values = self.term(term, &names, When::Now);
                    cases.extend(self.formulas.under(condition, values));
                }
            }
        }
        cases
    }
}

/// Whatever a cell holds.
fn held(cell: CellId, ty: Type) -> Known {
    match ty {
        Type::Process | Type::Enumeration(_) => Known::Cell(cell),
        Type::Integer | Type::Real | Type::Abstract(_) => Known::Sum(Sum::cell(cell)),
    }
}
