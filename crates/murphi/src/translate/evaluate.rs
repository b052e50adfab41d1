//! Expressions, from left to right, and no more of them than is needed.

use polycube_language::formula::{Formula, Quantified, Quantifier, Relation, Term, Variable};
use polycube_language::span::{Origin, Span};
use polycube_language::system::Type as SystemType;

use super::place::{Binding, Environment};
use super::range::Member;
use super::value::{Atom, Cases, Constant, Domain, compare, known, merged, truth};
use super::writes::{equal, under};
use super::{Result, Translator, refuse};
use crate::model::{Expr, ExprKind, Operator, Size};

impl Translator<'_> {
    /// The value of an expression of a simple type, which may be undefined.
    pub(super) fn value(&mut self, expr: &Expr, environment: &mut Environment) -> Result<Cases> {
        Ok(match &expr.kind {
            ExprKind::Integer(size) => {
                let number = self.size(size, expr.span)?;
                vec![(Formula::TRUE, number)]
            }
            ExprKind::Constant(ty, at) => {
                known(Constant { domain: Domain::Type(*ty), number: i64::from(*at) })
            }
            ExprKind::Place(place) => match self.spots(place, environment)? {
                Some(spots) => {
                    let mut cases = Vec::new();
                    for (condition, spot) in spots {
                        let super::layout::Node::Leaf(leaf) = *self.node(spot.node) else {
                            return refuse(expr.span, "whole records and arrays can only be assigned");
                        };
                        let read = self.read(leaf, &spot.indices, expr.span)?;
                        cases.extend(
                            read.into_iter()
                                .map(|(inner, atom)| (Formula::and([condition.clone(), inner]), atom)),
                        );
                    }
                    merged(cases)
                }
                None => match environment.get(base_local(place)) {
                    Binding::Value(cases) => cases.clone(),
                    Binding::Place(_) => unreachable!("it is a value"),
                },
            },
            ExprKind::Call(routine, arguments) => self.call(*routine, arguments, environment, expr.span)?,
            ExprKind::Conditional(parts) => {
                let condition = self.condition(&parts[0], environment)?;
                let mut cases = Vec::new();
                for (when, part) in [(condition.clone(), &parts[1]), (Formula::not(condition), &parts[2])] {
                    let inner =
                        self.within(when.clone(), |translator| translator.value(part, environment))?;
                    cases.extend(
                        inner.into_iter().map(|(inner, atom)| (Formula::and([when.clone(), inner]), atom)),
                    );
                }
                merged(cases)
            }
            ExprKind::Negative(inner) => {
                let operand = self.used(inner, environment)?;
                self.computed(&known(Constant::number(0)), &operand, Operator::Subtract, [expr, inner])?
            }
            ExprKind::Binary(
                operator @ (Operator::Add
                | Operator::Subtract
                | Operator::Multiply
                | Operator::Divide
                | Operator::Remainder),
                sides,
            ) => {
                let [left, right] = &**sides;
                let (one, other) = (self.used(left, environment)?, self.used(right, environment)?);
                self.computed(&one, &other, *operator, [left, right])?
            }
            ExprKind::Undefined => vec![(Formula::TRUE, Atom::Undefined)],
            ExprKind::MultisetCount(elements) => self.multiset_count(elements, environment, expr.span)?,
            _ => truth(self.condition(expr, environment)?),
        })
    }

    /// The value of an expression that is used: to be undefined is an error.
    pub(super) fn used(&mut self, expr: &Expr, environment: &mut Environment) -> Result<Cases> {
        let cases = self.value(expr, environment)?;
        self.defined(cases, expr.span)
    }

    fn defined(&mut self, cases: Cases, span: Span) -> Result<Cases> {
        let mut defined = Vec::new();
        for (condition, atom) in cases {
            match &atom {
                Atom::Undefined => {
                    self.mishap(condition, "an undefined value is used", span);
                    continue;
                }
                Atom::Cell(cell) if cell.can_be_undefined => {
                    let coding = self.coding(cell.coding);
                    if let Some(code) = coding.undefined {
                        let is_undefined = coding.is(&cell.term, coding.constructor(code));
                        let when = Formula::and([condition.clone(), under(&self.path, is_undefined)]);
                        self.mishap(when, "an undefined value is used", span);
                    }
                }
                Atom::Last => return self.order_matters(),
                Atom::Cell(_) | Atom::Known(_) | Atom::Number(_) | Atom::Process(_) => {}
            }
            defined.push((condition, atom));
        }
        Ok(defined)
    }

    /// When a quantifier comes to a process: none before it has decided it. Processes of a scalarset have no order: any
    /// of them may come first.
    fn is_reached(&mut self, quantifier: Quantifier, process: &Variable, holds: &Formula) -> Formula {
        if self.least_process().is_none() {
            return Formula::TRUE;
        }
        self.uses_order = true;
        let earlier = self.fresh("k");
        let [one, other] = [&earlier, process].map(|variable| Term::Variable(variable.id));
        let holds = holds.substituted(&|variable| (variable == process.id).then(|| one.clone()));
        let goes_on = if quantifier == Quantifier::Forall { holds } else { Formula::not(holds) };
        let is_before = compare(one, Relation::Less, other, SystemType::Process);
        quantified(Quantifier::Forall, &earlier, Formula::implies(is_before, goes_on))
    }

    /// When a condition holds that is claimed to hold always.
    ///
    /// Where a quantifier of it ends early because the claim is false, the state is bad in any case. So what goes wrong for
    /// later processes may be looked at as well, and the order of processes does not matter.
    pub(super) fn claim(&mut self, expr: &Expr, environment: &mut Environment) -> Result<Formula> {
        self.is_claim = true;
        let holds = self.condition(expr, environment);
        self.is_claim = false;
        holds
    }

    /// When a condition holds.
    pub(super) fn condition(&mut self, expr: &Expr, environment: &mut Environment) -> Result<Formula> {
        // Whether all is false if this is false. So it is for some of its parts.
        let is_claim = std::mem::take(&mut self.is_claim);
        Ok(match &expr.kind {
            ExprKind::Boolean(value) => Formula::Constant(*value),
            ExprKind::Not(inner) => Formula::not(self.condition(inner, environment)?),
            ExprKind::Binary(operator, sides) => {
                let [left, right] = &**sides;
                match operator {
                    Operator::And | Operator::Implies | Operator::Or => {
                        self.is_claim = is_claim && *operator == Operator::And;
                        let one = self.condition(left, environment)?;
                        let goes_on = match operator {
                            Operator::Or => Formula::not(one.clone()),
                            _ => one.clone(),
                        };
                        let other = self.within(goes_on, |translator| {
                            translator.is_claim = is_claim;
                            translator.condition(right, environment)
                        })?;
                        match operator {
                            Operator::And => Formula::and([one, other]),
                            Operator::Or => Formula::or([one, other]),
                            _ => Formula::implies(one, other),
                        }
                    }
                    Operator::Equal | Operator::NotEqual => {
                        let one = self.used(left, environment)?;
                        let other = self.used(right, environment)?;
                        let same = self.same(&one, &other, expr.span)?;
                        if *operator == Operator::Equal { same } else { Formula::not(same) }
                    }
                    Operator::Less => self.ordered(left, right, environment, Relation::Less)?,
                    Operator::LessEqual => self.ordered(left, right, environment, Relation::LessEqual)?,
                    Operator::Greater => {
                        Formula::not(self.ordered(left, right, environment, Relation::LessEqual)?)
                    }
                    Operator::GreaterEqual => {
                        Formula::not(self.ordered(left, right, environment, Relation::Less)?)
                    }
                    _ => unreachable!("arithmetic is no condition"),
                }
            }
            ExprKind::Quantified(quantifier, local, range, body) => {
                let is_claim = is_claim && *quantifier == Quantifier::Forall;
                let mut parts = Vec::new();
                for Member { when, variable, value } in self.ranged(range, environment, expr.span)? {
                    environment.bind(*local, Binding::Value(value));
                    let errors = self.errors.len();
                    let goes_on = match quantifier {
                        Quantifier::Forall => Formula::and(parts.iter().cloned()),
                        Quantifier::Exists => Formula::not(Formula::or(parts.iter().cloned())),
                    };
                    // The elements before it, where they are listed.
                    let goes_on = if variable.is_some() { Formula::TRUE } else { goes_on };
                    let goes_on = Formula::and([when.clone(), goes_on]);
                    let holds = self.without_effect(expr.span, |translator| {
                        translator.within(goes_on, |translator| {
                            translator.is_claim = is_claim;
                            translator.condition(body, environment)
                        })
                    })?;
                    let Some(variable) = variable else {
                        parts.push(match quantifier {
                            Quantifier::Forall => Formula::implies(when, holds),
                            Quantifier::Exists => Formula::and([when, holds]),
                        });
                        continue;
                    };
                    let reached = match self.errors.len() > errors && !is_claim {
                        true => self.is_reached(*quantifier, &variable, &holds),
                        false => Formula::TRUE,
                    };
                    for mishap in &mut self.errors[errors..] {
                        let condition = Formula::and([mishap.condition.clone(), reached.clone()]);
                        mishap.condition = quantified(Quantifier::Exists, &variable, condition);
                    }
                    parts.push(quantified(*quantifier, &variable, holds));
                }
                match quantifier {
                    Quantifier::Forall => Formula::and(parts),
                    Quantifier::Exists => Formula::or(parts),
                }
            }
            ExprKind::IsUndefined(place) => {
                let inner = Expr { kind: ExprKind::Place(place.clone()), ty: place.ty, span: place.span };
                let cases = self.value(&inner, environment)?;
                if cases.iter().any(|(_, atom)| *atom == Atom::Last) {
                    return self.order_matters();
                }
                Formula::or(cases.into_iter().map(|(condition, atom)| match atom {
                    Atom::Undefined => condition,
                    Atom::Cell(cell) if cell.can_be_undefined => {
                        let coding = self.coding(cell.coding);
                        let is_undefined =
                            coding.undefined.map(|code| coding.is(&cell.term, coding.constructor(code)));
                        Formula::and([condition, is_undefined.unwrap_or(Formula::FALSE)])
                    }
                    _ => Formula::FALSE,
                }))
            }
            ExprKind::IsMember(value, ty) => {
                let cases = self.used(value, environment)?;
                let (values, has_process) = (self.values(*ty), self.has_process(*ty));
                Formula::or(cases.into_iter().map(|(condition, atom)| match atom {
                    Atom::Process(_) => Formula::and([condition, Formula::Constant(has_process)]),
                    // The members of a union are no numbers.
                    Atom::Number(_) => Formula::FALSE,
                    atom => {
                        let possible = self.possible(&atom).into_iter();
                        let members =
                            possible.filter(|(_, value)| values.contains(value)).map(|(when, _)| when);
                        Formula::and([condition, Formula::or(members)])
                    }
                }))
            }
            _ => {
                let cases = self.used(expr, environment)?;
                self.is_true(cases)
            }
        })
    }

    /// When a value is `true`.
    pub(super) fn is_true(&self, cases: Cases) -> Formula {
        Formula::or(cases.into_iter().map(|(condition, atom)| {
            let possible = self.possible(&atom).into_iter();
            let is_true = possible.filter(|(_, value)| *value == Constant::TRUE).map(|(when, _)| when);
            Formula::and([condition, Formula::or(is_true)])
        }))
    }

    /// Evaluates something that is evaluated several times: it must not change the state.
    pub(super) fn without_effect<T>(
        &mut self,
        span: Span,
        act: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let (writes, leaves) = (self.log.len(), self.leaves.len());
        let result = act(self)?;
        // Local variables of functions are gone.
        if self.log.drain(writes..).any(|write| (write.leaf.0 as usize) < leaves) {
            return refuse(span, "a function that changes the state is called in a quantifier");
        }
        Ok(result)
    }

    /// Does something where a condition holds.
    pub(super) fn within<T>(
        &mut self,
        condition: Formula,
        act: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = self.path.clone();
        self.path = Formula::and([outer.clone(), under(&outer, condition)]);
        let result = act(self);
        self.path = outer;
        result
    }

    /// When two values are equal.
    pub(super) fn same(&mut self, one: &Cases, other: &Cases, span: Span) -> Result<Formula> {
        let mut parts = Vec::new();
        for (when, left) in one {
            for (and_when, right) in other {
                let both = Formula::and([when.clone(), and_when.clone()]);
                if both != Formula::FALSE {
                    self.spend(both.size(), span)?;
                    let same = self.same_atoms(left, right, span)?;
                    parts.push(Formula::and([both, under(&self.path, same)]));
                }
            }
        }
        Ok(Formula::or(parts))
    }

    fn same_atoms(&mut self, one: &Atom, other: &Atom, span: Span) -> Result<Formula> {
        Ok(match (one, other) {
            (Atom::Process(one), Atom::Process(other)) => equal(one, other, &self.distinct),
            (Atom::Process(process), Atom::Known(value)) | (Atom::Known(value), Atom::Process(process)) => {
                match (value.domain, self.least_process()) {
                    (Domain::Number, Some(least)) if value.number >= least => {
                        self.expect_in_file(value.number, span)?;
                        let literal = self.literal(value.number);
                        equal(process, &literal, &self.distinct)
                    }
                    _ => Formula::FALSE,
                }
            }
            (Atom::Process(_), Atom::Cell(cell)) | (Atom::Cell(cell), Atom::Process(_)) => {
                if cell.range.is_some() {
                    return refuse(span, "a process is compared with a number that the state decides");
                }
                Formula::FALSE
            }
            (Atom::Process(_), Atom::Number(_)) | (Atom::Number(_), Atom::Process(_)) => {
                return refuse(
                    span,
                    "a process is compared with a number that depends on how many there are",
                );
            }
            (Atom::Undefined, _) | (_, Atom::Undefined) => Formula::FALSE,
            (Atom::Number(_), _) | (_, Atom::Number(_)) => self.numbers_related(one, Relation::Equal, other),
            (Atom::Cell(one), Atom::Cell(other)) if one.coding == other.coding => {
                compare(one.term.clone(), Relation::Equal, other.term.clone(), self.coding(one.coding).ty())
            }
            (one, other) => {
                let (left, right) = (self.possible(one), self.possible(other));
                let pairs = left.iter().flat_map(|(when, value)| {
                    let same = right.iter().filter(move |(_, other)| other == value);
                    same.map(move |(and_when, _)| Formula::and([when.clone(), and_when.clone()]))
                });
                Formula::or(pairs.collect::<Vec<_>>())
            }
        })
    }

    fn ordered(
        &mut self,
        left: &Expr,
        right: &Expr,
        environment: &mut Environment,
        relation: Relation,
    ) -> Result<Formula> {
        let (one, other) = (self.used(left, environment)?, self.used(right, environment)?);
        let mut parts = Vec::new();
        for (when, left_atom) in &one {
            for (and_when, right_atom) in &other {
                let both = Formula::and([when.clone(), and_when.clone()]);
                let holds = match (left_atom, right_atom) {
                    (Atom::Process(one), Atom::Process(other)) => {
                        self.uses_order = true;
                        compare(one.clone(), relation, other.clone(), SystemType::Process)
                    }
                    (Atom::Process(_), _) | (_, Atom::Process(_)) => {
                        return refuse(
                            left.span.to(right.span),
                            "a process is compared by its order with a number",
                        );
                    }
                    (Atom::Number(_), _) | (_, Atom::Number(_)) => {
                        self.numbers_related(left_atom, relation, right_atom)
                    }
                    (one, other) => {
                        let (left, right) = (self.possible(one), self.possible(other));
                        let holds = |one: i64, other: i64| match relation {
                            Relation::Less => one < other,
                            _ => one <= other,
                        };
                        let pairs = left.iter().flat_map(|(when, value)| {
                            let fitting =
                                right.iter().filter(move |(_, other)| holds(value.number, other.number));
                            let fitting: Vec<Formula> =
                                fitting.map(|(and_when, _)| and_when.clone()).collect();
                            let all = fitting.len() == right.len();
                            let some = if all { Formula::TRUE } else { Formula::or(fitting) };
                            [Formula::and([when.clone(), some])]
                        });
                        Formula::or(pairs.collect::<Vec<_>>())
                    }
                };
                parts.push(Formula::and([both, holds]));
            }
        }
        Ok(Formula::or(parts))
    }

    fn computed(
        &mut self,
        one: &Cases,
        other: &Cases,
        operator: Operator,
        sides: [&Expr; 2],
    ) -> Result<Cases> {
        let span = sides[0].span.to(sides[1].span);
        let mut cases = Vec::new();
        for (when, left) in one {
            for (and_when, right) in other {
                for (atom, side) in [(left, sides[0]), (right, sides[1])] {
                    if let Atom::Process(_) = atom {
                        let name = self.processes.map_or_else(String::new, |ty| self.model.type_name(ty));
                        let message = format!("values of {name} are processes, which have no successor");
                        return refuse(side.span, message);
                    }
                }
                if let (Atom::Number(_), _) | (_, Atom::Number(_)) = (left, right) {
                    for (inner, atom) in self.computed_numbers([left, right], operator, span)? {
                        cases.push((Formula::and([when.clone(), and_when.clone(), inner]), atom));
                    }
                    continue;
                }
                for (is_left, left) in self.possible(left) {
                    for (is_right, right) in self.possible(right) {
                        let condition =
                            Formula::and([when.clone(), and_when.clone(), is_left.clone(), is_right]);
                        let value = match operator {
                            Operator::Add => left.number.checked_add(right.number),
                            Operator::Subtract => left.number.checked_sub(right.number),
                            Operator::Multiply => left.number.checked_mul(right.number),
                            Operator::Divide => left.number.checked_div(right.number),
                            _ => left.number.checked_rem(right.number),
                        };
                        match value {
                            Some(value) => cases.push((condition, Atom::Known(Constant::number(value)))),
                            None => self.mishap(condition, "a division by 0", span),
                        }
                    }
                }
            }
        }
        Ok(merged(cases))
    }

    /// A number must not depend on how many processes there are.
    pub(super) fn expect_fixed(&self, size: &Size, span: Span) -> Result<()> {
        let dependent = |constants: &std::collections::BTreeSet<_>| {
            constants.intersection(&self.parameters).next().copied()
        };
        match dependent(&size.constants) {
            Some(constant) => {
                let name = &self.model.constants[constant.0 as usize].name;
                refuse(span, format!("`{name}` is the number of processes; its value cannot be used here"))
            }
            None => Ok(()),
        }
    }
}

fn base_local(place: &crate::model::Place) -> crate::model::LocalId {
    match place.base {
        crate::model::Base::Local(local) => local,
        crate::model::Base::Global(_) => unreachable!("variables of the state are places"),
    }
}

/// For all, or for some, processes; nothing is said of them if the formula does not mention them.
pub(super) fn quantified(quantifier: Quantifier, variable: &Variable, body: Formula) -> Formula {
    let mut is_mentioned = false;
    body.for_each_mentioned(&mut |mentioned| is_mentioned |= mentioned == variable.id);
    if !is_mentioned {
        return body;
    }
    let body = Box::new(body);
    Formula::Quantified(Quantified {
        quantifier,
        variable: variable.clone(),
        body,
        origin: Origin::default(),
    })
}
