//! Formulas and terms of a system, unrolled for an instance: every quantifier becomes a conjunction or
//! disjunction over the processes, every variable a process, and every index that depends on the state
//! (`A[Turn]`) a case for each process.

use std::sync::atomic::{AtomicBool, Ordering};

use polycube_language::System;
use polycube_language::count::Count;
use polycube_language::formula::{self, Access, Comparison, Formula, Relation, Term, VariableId};
use polycube_language::number::Number;
use polycube_language::span::Origin;
use polycube_language::system::{Init, Property, SymbolId, Transition, Type, Update, Value};

use super::condition::{Atom, Condition, Linear, Sign};
use super::domain::{Domain, NumberFormat, Precision, gcd};
use super::order::Orders;
use super::slot::{SlotId, Slots, tuples};

pub struct Unroller<'i> {
    system: &'i System,
    slots: &'i Slots,
    precision: &'i Precision,
    orders: &'i Orders,
    /// How many more atoms may be made; beyond that, what is returned means nothing, see
    /// [`Unroller::exhausted`].
    budget: u64,
    /// Set by the caller, it ends the budget.
    interrupt: &'i AtomicBool,
    unrepresentable: Option<Number>,
}

/// An `init` clause with this many parameters is not written out for all choices of processes, if it need not
/// be.
const MANY_PARAMETERS: usize = 3;

/// How many conditions may decide what a count is in the beginning: their number is written out.
const MANY_COUNTED: usize = 12;

/// What becomes of a slot: the value of the first case whose condition holds; the last condition is `true`.
pub type Cases<T> = Vec<(Condition, T)>;

/// A new value of a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Code(u64),
    /// The code of that slot, before the step.
    Slot(SlotId),
    /// This many steps, computed before the step.
    Linear(Linear),
    Any,
}

/// The slots that a transition may change, with their new values.
pub type Updates = Vec<(SlotId, Cases<Source>)>;

/// A value of a finite type: known, or held by a slot.
#[derive(Clone, Copy)]
enum Finite {
    Value(u32),
    Slot(SlotId),
}

impl<'i> Unroller<'i> {
    pub const MAX_ATOMS: u64 = 20_000_000;

    /// The flag is asked after this many: a power of two.
    const INTERVAL: u64 = 1 << 12;

    pub fn new(
        system: &'i System,
        slots: &'i Slots,
        precision: &'i Precision,
        orders: &'i Orders,
        parts: Option<u64>,
        interrupt: &'i AtomicBool,
    ) -> Self {
        let budget = parts.map_or(Unroller::MAX_ATOMS, |parts| parts.min(Unroller::MAX_ATOMS));
        Unroller { system, slots, precision, orders, budget, interrupt, unrepresentable: None }
    }

    /// Whether the instance has become too large. What was unrolled since is not to be used.
    pub fn exhausted(&self) -> bool {
        self.budget == 0
    }

    /// A number of the model that cannot be computed with, if there is one. What was unrolled since is not to
    /// be used.
    pub fn unrepresentable(&self) -> Option<&Number> {
        self.unrepresentable.as_ref()
    }

    /// What holds initially according to a clause.
    pub fn init(&mut self, init: &Init) -> Condition {
        let processes = self.slots.processes();
        let mut parts = Vec::new();
        if init.parameters.len() >= MANY_PARAMETERS {
            let conjuncts = match &init.formula {
                Formula::And(parts) => parts,
                formula => std::slice::from_ref(formula),
            };
            for conjunct in conjuncts {
                // There is a process for each of the parameters that it does not mention.
                let parameters = mentioned(conjunct, &init.parameters);
                let mut environment = Environment { processes: Vec::new() };
                self.new_instances(conjunct, &parameters, &mut environment, &mut parts);
            }
            return Condition::and(parts);
        }
        for tuple in tuples(processes, init.parameters.len()) {
            if self.exhausted() {
                break;
            }
            let mut environment = Environment::new(&init.parameters, &tuple);
            parts.push(self.formula(&init.formula, &mut environment));
        }
        Condition::and(parts)
    }

    /// That a count holds what it counts, unless a clause says what it is.
    pub fn count(&mut self, symbol: SymbolId, count: &Count) -> Condition {
        if count.is_known_initially {
            return Condition::TRUE;
        }
        let processes = self.slots.processes();
        let mut parts = Vec::new();
        for tuple in tuples(processes, count.indices.len()) {
            let mut environment = Environment::new(&count.indices, &tuple);
            let (mut certain, mut open) = (Vec::new(), Vec::new());
            for process in 0..processes {
                environment.bind(count.variable.id, process);
                match self.formula(&count.formula, &mut environment) {
                    Condition::Constant(true) => certain.push(process),
                    Condition::Constant(false) => {}
                    condition => open.push((condition, process)),
                }
            }
            if open.len() > MANY_COUNTED {
                self.budget = 0;
            }
            if self.exhausted() {
                return Condition::TRUE;
            }
            parts.push(self.count_is((symbol, count), &mut environment, &mut certain, &open));
        }
        Condition::and(parts)
    }

    /// That a count is what some processes add up to, and those of others whose condition holds.
    fn count_is(
        &mut self,
        counted: (SymbolId, &Count),
        environment: &mut Environment,
        certain: &mut Vec<u32>,
        conditions: &[(Condition, u32)],
    ) -> Condition {
        let Some(((first, process), rest)) = conditions.split_first() else {
            // Each process has a name of its own in the sum.
            let (symbol, count) = counted;
            let own = |at: usize| {
                let number = u32::try_from(at).expect("there are few processes");
                VariableId(count.variable.id.0 + 1 + number)
            };
            let indices: Vec<Term> = count.indices.iter().map(|index| Term::Variable(index.id)).collect();
            let worth = certain.iter().enumerate().map(|(at, &process)| {
                environment.bind(own(at), process);
                count.worth(&indices, &Term::Variable(own(at)))
            });
            let right = formula::Linear::sum(worth.collect::<Vec<_>>()).into();
            let left = formula::Linear::access(Access { symbol, indices: indices.clone() }).into();
            let (relation, ty, origin) = (Relation::Equal, Type::Integer, Origin::default());
            return self
                .formula(&Formula::Compare(Comparison { left, relation, right, ty, origin }), environment);
        };
        let same = self.count_is(counted, environment, certain, rest);
        certain.push(*process);
        let more = self.count_is(counted, environment, certain, rest);
        certain.pop();
        Condition::IfThenElse(Box::new([first.clone(), more, same]))
    }

    /// A conjunct for all choices of the parameters that have no process yet, without those that say nothing
    /// new: `not A[p] || not A[q] || ..` is known as soon as `not A[p]` is.
    fn new_instances(
        &mut self,
        conjunct: &Formula,
        parameters: &[VariableId],
        environment: &mut Environment,
        parts: &mut Vec<Condition>,
    ) {
        let Some((&first, rest)) = parameters.split_first() else {
            self.spend(1);
            let condition = match self.formula(conjunct, environment) {
                // With the same process for several parameters, several parts are the same.
                Condition::Or(mut parts) => {
                    parts.dedup();
                    Condition::or(parts)
                }
                condition => condition,
            };
            if condition != Condition::TRUE {
                parts.push(condition);
            }
            return;
        };
        for process in 0..self.slots.processes() {
            environment.bind(first, process);
            rest.iter().for_each(|&variable| environment.bind(variable, UNBOUND));
            if !self.exhausted() && !self.is_known(conjunct, environment, parts) {
                self.new_instances(conjunct, rest, environment, parts);
            }
        }
    }

    /// Whether a formula follows from what is known, whatever the variables stand for that are not bound. A
    /// "no" means nothing.
    fn is_known(&mut self, formula: &Formula, environment: &mut Environment, known: &[Condition]) -> bool {
        match formula {
            Formula::Constant(value) => *value,
            Formula::And(parts) => parts.iter().all(|part| self.is_known(part, environment, known)),
            Formula::Or(parts) => parts.iter().any(|part| self.is_known(part, environment, known)),
            Formula::Iff(_) | Formula::IfThenElse(_) | Formula::Quantified(_) => false,
            Formula::Compare(_) | Formula::Not(_) => {
                let is_bound = !formula.has_quantifier() && {
                    let mut is_bound = true;
                    for_each_variable(formula, &mut |variable| is_bound &= environment.is_bound(variable));
                    is_bound
                };
                self.spend(known.len() as u64 / 64);
                is_bound
                    && match self.formula(formula, environment) {
                        Condition::Constant(value) => value,
                        condition => known.contains(&condition),
                    }
            }
        }
    }

    /// When a property's states are reached, with these processes for its parameters.
    pub fn property(&mut self, property: &Property, processes: &[u32]) -> Condition {
        let mut environment = Environment::new(&property.parameters, processes);
        self.formula(&property.formula, &mut environment)
    }

    /// When a transition is possible, with these processes for its parameters, and what it does then.
    pub fn transition(&mut self, transition: &Transition, arguments: &[u32]) -> (Condition, Updates) {
        let mut environment = Environment::new(&transition.parameters, arguments);
        let guard = self.formula(&transition.guard, &mut environment);
        let mut updates = Vec::new();
        if guard != Condition::FALSE {
            for update in &transition.updates {
                self.update(update, &mut environment, &mut updates);
            }
        }
        (guard, updates)
    }

    fn update(&mut self, update: &Update, environment: &mut Environment, updates: &mut Updates) {
        for tuple in tuples(self.slots.processes(), update.indices.len()) {
            if self.exhausted() {
                return;
            }
            for (variable, &process) in update.indices.iter().zip(&tuple) {
                environment.bind(variable.id, process);
            }
            let slot = self.slots.slot(update.symbol, &tuple);
            let mut cases = Vec::new();
            let branches = update.branches.iter().map(|branch| (Some(&branch.condition), &branch.value));
            for (condition, value) in branches.chain([(None, &update.otherwise)]) {
                let condition =
                    condition.map_or(Condition::TRUE, |condition| self.formula(condition, environment));
                if condition == Condition::FALSE {
                    continue;
                }
                let last = condition == Condition::TRUE;
                for (inner, source) in self.source(value, slot, environment) {
                    self.spend(condition.parts());
                    if self.exhausted() {
                        return;
                    }
                    cases.push((Condition::and([condition.clone(), inner]), source));
                }
                if last {
                    break;
                }
            }
            if !matches!(&cases[..], [(_, Source::Slot(same))] if *same == slot) {
                updates.push((slot, cases));
            }
        }
    }

    /// The cases of a new value; exactly one of them holds, and the last condition is not spelt out.
    fn source(&mut self, value: &Value, slot: SlotId, environment: &Environment) -> Cases<Source> {
        let symbol = self.slots.symbol(slot);
        let term = match value {
            Value::Any => return vec![(Condition::TRUE, Source::Any)],
            Value::Term(term) => term,
        };
        let ty = self.system.symbol(symbol).ty;
        let mut cases: Cases<Source> = if let Term::Linear(linear) = term {
            let format = self.precision.format(ty);
            let cases = self.linear(linear, format, environment);
            cases.into_iter().map(|(condition, linear)| (condition, numeric_source(linear, format))).collect()
        } else {
            let domain = self.slots.domain(slot);
            let source = |finite| match finite {
                Finite::Slot(slot) => Source::Slot(slot),
                Finite::Value(value) => {
                    Source::Code(domain.code(value).expect("what is written is in the domain"))
                }
            };
            let cases = self.finite(term, environment);
            cases.into_iter().map(|(condition, finite)| (condition, source(finite))).collect()
        };
        if let Some((condition, _)) = cases.last_mut() {
            *condition = Condition::TRUE;
        }
        cases
    }

    fn formula(&mut self, formula: &Formula, environment: &mut Environment) -> Condition {
        if self.exhausted() {
            return Condition::FALSE;
        }
        match formula {
            Formula::Constant(value) => Condition::Constant(*value),
            Formula::Compare(comparison) => self.comparison(comparison, environment),
            Formula::Not(part) => self.formula(part, environment).negated(),
            Formula::And(parts) => Condition::and(parts.iter().map(|part| self.formula(part, environment))),
            Formula::Or(parts) => Condition::or(parts.iter().map(|part| self.formula(part, environment))),
            Formula::Iff(parts) => {
                let [left, right] = &**parts;
                match (self.formula(left, environment), self.formula(right, environment)) {
                    (Condition::Constant(true), other) | (other, Condition::Constant(true)) => other,
                    (Condition::Constant(false), other) | (other, Condition::Constant(false)) => {
                        other.negated()
                    }
                    (left, right) => Condition::Iff(Box::new([left, right])),
                }
            }
            Formula::IfThenElse(parts) => {
                let [condition, consequence, alternative] = &**parts;
                match self.formula(condition, environment) {
                    Condition::Constant(true) => self.formula(consequence, environment),
                    Condition::Constant(false) => self.formula(alternative, environment),
                    condition => Condition::IfThenElse(Box::new([
                        condition,
                        self.formula(consequence, environment),
                        self.formula(alternative, environment),
                    ])),
                }
            }
            Formula::Quantified(quantified) => {
                let instances = (0..self.slots.processes()).map(|process| {
                    environment.bind(quantified.variable.id, process);
                    self.formula(&quantified.body, environment)
                });
                Condition::junction(quantified.quantifier, instances)
            }
        }
    }

    fn comparison(&mut self, comparison: &Comparison, environment: &Environment) -> Condition {
        if let (Term::Linear(left), Term::Linear(right)) = (&comparison.left, &comparison.right) {
            return self.numeric_comparison(left, comparison.relation, right, comparison.ty, environment);
        }
        let left = self.finite(&comparison.left, environment);
        let right = self.finite(&comparison.right, environment);
        let mut parts = Vec::new();
        for (left_case, left) in &left {
            for (right_case, right) in &right {
                self.spend(left_case.parts() + right_case.parts() + 1);
                if self.exhausted() {
                    return Condition::FALSE;
                }
                let atom = self.finite_comparison(*left, comparison.relation, *right, comparison.ty);
                parts.push(Condition::and([left_case.clone(), right_case.clone(), atom]));
            }
        }
        Condition::or(parts)
    }

    fn finite_comparison(&self, left: Finite, relation: Relation, right: Finite, ty: Type) -> Condition {
        match relation {
            Relation::NotEqual => self.finite_comparison(left, Relation::Equal, right, ty).negated(),
            Relation::LessEqual => self.finite_comparison(right, Relation::Less, left, ty).negated(),
            Relation::Equal => match (left, right) {
                (Finite::Value(left), Finite::Value(right)) => Condition::Constant(left == right),
                (Finite::Slot(slot), Finite::Value(value)) | (Finite::Value(value), Finite::Slot(slot)) => {
                    self.value_is(slot, &|other| other == value)
                }
                (Finite::Slot(left), Finite::Slot(right)) if left == right => Condition::TRUE,
                (Finite::Slot(left), Finite::Slot(right)) => {
                    Condition::Atom(Atom::Same(left.min(right), left.max(right)))
                }
            },
            Relation::Less => {
                let less = |left: u32, right: u32| self.orders.less(ty, left, right);
                match (left, right) {
                    (Finite::Value(left), Finite::Value(right)) => Condition::Constant(less(left, right)),
                    (Finite::Slot(slot), Finite::Value(value)) => {
                        self.value_is(slot, &|other| less(other, value))
                    }
                    (Finite::Value(value), Finite::Slot(slot)) => {
                        self.value_is(slot, &|other| less(value, other))
                    }
                    (Finite::Slot(left), Finite::Slot(right)) if left == right => Condition::FALSE,
                    // The codes of compared symbols stand for the same values, in their natural order.
                    (Finite::Slot(left), Finite::Slot(right)) if self.orders.ranking(ty).is_none() => {
                        Condition::Atom(Atom::Below(left, right))
                    }
                    (Finite::Slot(left), Finite::Slot(right)) => {
                        Condition::or(self.values(left).iter().map(|&value| {
                            let equal = self.value_is(left, &|other| other == value);
                            Condition::and([equal, self.value_is(right, &|other| less(value, other))])
                        }))
                    }
                }
            }
        }
    }

    /// The values that a slot of a finite type can hold.
    fn values(&self, slot: SlotId) -> &'i [u32] {
        match self.slots.domain(slot) {
            Domain::Finite(values) => values,
            Domain::Numbers(_) => unreachable!("the checker does not mix numbers with other types"),
        }
    }

    fn value_is(&self, slot: SlotId, wanted: &dyn Fn(u32) -> bool) -> Condition {
        let values = self.values(slot);
        Condition::one_of(slot, values.len(), |code| wanted(values[code]))
    }

    /// What a term of a finite type stands for; exactly one of the cases holds.
    fn finite(&mut self, term: &Term, environment: &Environment) -> Cases<Finite> {
        let value = match term {
            Term::Variable(variable) => Finite::Value(environment.process(*variable)),
            Term::Process(number) => Finite::Value(number - 1),
            Term::Constructor(_, value) => Finite::Value(*value),
            Term::Access(access) => {
                let cases = self.access(access, environment);
                return cases.into_iter().map(|(case, slot)| (case, Finite::Slot(slot))).collect();
            }
            Term::Linear(_) => unreachable!("the checker does not mix numbers with other types"),
        };
        vec![(Condition::TRUE, value)]
    }

    /// The slots that an access can mean; exactly one of the cases holds.
    fn access(&mut self, access: &Access, environment: &Environment) -> Cases<SlotId> {
        let mut cases: Cases<Vec<u32>> = vec![(Condition::TRUE, Vec::new())];
        for index in &access.indices {
            let places = self.finite(index, environment);
            let mut longer = Vec::new();
            'cases: for (outer, tuple) in cases {
                for (inner, place) in &places {
                    let copies = match place {
                        Finite::Value(_) => 1,
                        Finite::Slot(_) => self.slots.processes(),
                    };
                    self.spend((outer.parts() + inner.parts() + 1) * u64::from(copies));
                    if self.exhausted() {
                        break 'cases;
                    }
                    let mut extend = |condition: Condition, process: u32| {
                        let condition = Condition::and([outer.clone(), inner.clone(), condition]);
                        let mut tuple = tuple.clone();
                        tuple.push(process);
                        longer.push((condition, tuple));
                    };
                    match place {
                        Finite::Value(process) => extend(Condition::TRUE, *process),
                        Finite::Slot(slot) => {
                            for process in 0..self.slots.processes() {
                                extend(self.value_is(*slot, &|value| value == process), process);
                            }
                        }
                    }
                }
            }
            cases = longer;
        }
        cases
            .into_iter()
            .map(|(condition, tuple)| (condition, self.slots.slot(access.symbol, &tuple)))
            .collect()
    }

    fn numeric_comparison(
        &mut self,
        left: &formula::Linear,
        relation: Relation,
        right: &formula::Linear,
        ty: Type,
        environment: &Environment,
    ) -> Condition {
        if relation == Relation::NotEqual {
            return self.numeric_comparison(left, Relation::Equal, right, ty, environment).negated();
        }
        let difference = formula::Linear::sum([left.clone(), right.clone().scaled(&Number::from(-1))]);
        let format = self.precision.format(ty);
        let sign = match relation {
            Relation::Less => Sign::Negative,
            Relation::LessEqual => Sign::NotPositive,
            Relation::Equal | Relation::NotEqual => Sign::Zero,
        };
        let cases = self.linear(&difference, format, environment);
        let atom = |linear| numeric_atom(linear, sign, format);
        Condition::or(cases.into_iter().map(|(case, linear)| Condition::and([case, atom(linear)])))
    }

    /// A linear term in steps of the format, scaled up to integer coefficients; exactly one of the cases
    /// holds.
    fn linear(
        &mut self,
        linear: &formula::Linear,
        format: NumberFormat,
        environment: &Environment,
    ) -> Cases<Linear> {
        let Some((coefficients, constant, divisor)) = integer_coefficients(linear, format) else {
            let numbers = linear.terms.iter().map(|(coefficient, _)| coefficient).chain([&linear.constant]);
            self.unrepresentable = numbers.max_by_key(|number| number.abs()).cloned();
            return vec![(Condition::TRUE, Linear { terms: Vec::new(), constant: 0, divisor: 1 })];
        };
        let mut cases = vec![(Condition::TRUE, Linear { terms: Vec::new(), constant, divisor })];
        for (coefficient, (_, access)) in coefficients.into_iter().zip(&linear.terms) {
            let slots = self.access(access, environment);
            let mut longer = Vec::new();
            'cases: for (outer, sum) in cases {
                for (inner, slot) in &slots {
                    self.spend(outer.parts() + inner.parts() + sum.terms.len() as u64 + 1);
                    if self.exhausted() {
                        break 'cases;
                    }
                    let mut sum = sum.clone();
                    match sum.terms.iter_mut().find(|(_, other)| other == slot) {
                        // Several terms may mean the same cell.
                        Some((existing, _)) => match small_coefficient(*existing + coefficient) {
                            Some(sum) => *existing = sum,
                            None => self.unrepresentable = Some(Number::from(*existing + coefficient)),
                        },
                        None => sum.terms.push((coefficient, *slot)),
                    }
                    longer.push((Condition::and([outer.clone(), inner.clone()]), sum));
                }
            }
            cases = longer;
        }
        for (_, sum) in &mut cases {
            sum.terms.retain(|&(coefficient, _)| coefficient != 0);
        }
        cases
    }

    fn spend(&mut self, atoms: u64) {
        let before = self.budget;
        self.budget = before.saturating_sub(atoms);
        let is_due = (before ^ self.budget) >= Unroller::INTERVAL;
        if is_due && self.interrupt.load(Ordering::Relaxed) {
            self.budget = 0;
        }
    }
}

/// Calls `visit` with every variable of a formula.
fn for_each_variable(formula: &Formula, visit: &mut dyn FnMut(VariableId)) {
    let mut look = |term: &Term| {
        if let Term::Variable(variable) = term {
            visit(*variable);
        }
    };
    formula.for_each_comparison(&mut |comparison| {
        comparison.left.for_each_part(&mut look);
        comparison.right.for_each_part(&mut look);
    });
}

/// Those parameters that a formula mentions.
fn mentioned(formula: &Formula, parameters: &[formula::Variable]) -> Vec<VariableId> {
    let mut found = Vec::new();
    for_each_variable(formula, &mut |variable| {
        if !found.contains(&variable) && parameters.iter().any(|parameter| parameter.id == variable) {
            found.push(variable);
        }
    });
    found
}

/// Coefficients, constant and divisor of a linear term whose slots are counted in steps of the format.
fn integer_coefficients(linear: &formula::Linear, format: NumberFormat) -> Option<(Vec<i64>, i128, i64)> {
    let (numerator, denominator) = linear.constant.to_ratio()?;
    let scaled = numerator.checked_mul(i128::from(format.scale))?;
    let mut ratios = vec![(scaled, denominator)];
    for (coefficient, _) in &linear.terms {
        ratios.push(coefficient.to_ratio()?);
    }
    let mut divisor = 1i64;
    for &(numerator, denominator) in &ratios {
        let denominator = i64::try_from(denominator / i128::from(gcd_wide(numerator, denominator)?)).ok()?;
        divisor = divisor.checked_mul(denominator / gcd(divisor, denominator))?;
    }
    let mut integers = Vec::with_capacity(ratios.len());
    for (numerator, denominator) in ratios {
        let product = numerator.checked_mul(i128::from(divisor))?;
        let integer = product / denominator;
        // Far from the end of 128 bits, so that no sum of these with codes overflows.
        integers.push(if integer.unsigned_abs() < 1 << 100 { integer } else { return None });
    }
    let constant = integers.remove(0);
    let coefficients = integers.into_iter().map(|integer| small_coefficient(i64::try_from(integer).ok()?));
    Some((coefficients.collect::<Option<Vec<i64>>>()?, constant, divisor))
}

/// A coefficient, if it is small. Coefficients below 2^46, codes below 2^62 and at most 2^16 slots: sums stay
/// below 2^126.
fn small_coefficient(coefficient: i64) -> Option<i64> {
    (coefficient.unsigned_abs() < 1 << 46).then_some(coefficient)
}

/// The greatest common divisor of a number and a positive one, if it is not huge.
fn gcd_wide(number: i128, positive: i128) -> Option<i64> {
    let (mut left, mut right) = (positive, number.checked_abs()? % positive);
    while right != 0 {
        (left, right) = (right, left % right);
    }
    i64::try_from(left).ok()
}

fn numeric_source(linear: Linear, format: NumberFormat) -> Source {
    match &linear.terms[..] {
        [] if linear.constant % i128::from(linear.divisor) == 0 => {
            match format.code(linear.constant / i128::from(linear.divisor)) {
                Some(code) => Source::Code(code),
                None => Source::Linear(linear),
            }
        }
        [(coefficient, slot)] if *coefficient == linear.divisor && linear.constant == 0 => {
            Source::Slot(*slot)
        }
        _ => Source::Linear(linear),
    }
}

/// `linear sign 0`, for a linear sum whose divisor does not matter.
fn numeric_atom(linear: Linear, sign: Sign, format: NumberFormat) -> Condition {
    match (&linear.terms[..], sign) {
        ([], _) => Condition::Constant(sign.of(linear.constant)),
        (&[(coefficient, slot)], Sign::Zero) => {
            let coefficient = i128::from(coefficient);
            let code = (linear.constant % coefficient == 0).then(|| -linear.constant / coefficient);
            match code.and_then(|steps| format.code(steps)) {
                Some(code) => Condition::Atom(Atom::Is(slot, code)),
                // No stored number is equal: it would be between two steps, or out of reach.
                None => Condition::FALSE,
            }
        }
        (&[(1, left), (-1, right)] | &[(-1, right), (1, left)], _) if linear.constant == 0 => match sign {
            Sign::Zero => Condition::Atom(Atom::Same(left.min(right), left.max(right))),
            Sign::Negative => Condition::Atom(Atom::Below(left, right)),
            Sign::NotPositive => Condition::Atom(Atom::Below(right, left)).negated(),
        },
        _ => Condition::Atom(Atom::Linear(linear, sign)),
    }
}

/// The process of an unbound variable.
const UNBOUND: u32 = u32::MAX;

/// Which process each variable stands for.
struct Environment {
    processes: Vec<u32>,
}

impl Environment {
    fn new(parameters: &[formula::Variable], processes: &[u32]) -> Self {
        let mut environment = Environment { processes: Vec::new() };
        for (parameter, &process) in parameters.iter().zip(processes) {
            environment.bind(parameter.id, process);
        }
        environment
    }

    fn bind(&mut self, variable: VariableId, process: u32) {
        let at = variable.0 as usize;
        if self.processes.len() <= at {
            self.processes.resize(at + 1, UNBOUND);
        }
        self.processes[at] = process;
    }

    fn is_bound(&self, variable: VariableId) -> bool {
        self.processes.get(variable.0 as usize).is_some_and(|&process| process != UNBOUND)
    }

    fn process(&self, variable: VariableId) -> u32 {
        self.processes[variable.0 as usize]
    }
}
