//! Numbers that grow with the number of processes: `AckCount: 0..NodeCount`.
//!
//! For every number N of processes, such a variable has other values. It becomes an `int`, and the number of processes
//! itself is `#{p | true}`. That is exact:
//!
//! - A size that is computed from the same constant as N, and grows by the same with each process, is `a * N + b` for
//!   two known numbers. If it grows otherwise, it is refused.
//! - What is stored outside of the bounds of a variable is an error of the language, and so a property. As long as no
//!   error has happened, the `int` is between the bounds, and is the number that the variable holds. So what follows from
//!   the bounds alone need not be asked in any state.
//! - Sums, differences and comparisons mean the same for an `int`. There is no product of two unknown numbers, nor a
//!   quotient: these are refused. So is everything that would list the values: an array, a loop, a ruleset.
//! - Beside a number from a fixed range, each value of that range is a case.

use polycube_language::count::{Count, Unfollowed};
use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::formula::{Access, Formula, Linear, Relation, Term};
use polycube_language::number::Number;
use polycube_language::span::{Origin, Span};
use polycube_language::system::{SymbolId, System, Value};

use super::layout::{LeafId, Symbols};
use super::value::{Atom, Cases, Constant, Domain};
use super::writes::under;
use super::{Refused, Result, Translator, refuse};
use crate::model::{Operator, Size, TypeId, TypeKind};

/// The symbol of the first count, until all symbols are known; others have the numbers behind it.
const FIRST_COUNT: u32 = 1 << 30;

/// What stands for the number that the iterations of a loop add to.
const FIRST_MARKER: u32 = 1 << 31;

/// A known number.
pub(super) fn linear(value: i64) -> Linear {
    Linear::constant(Number::from(value))
}

/// The number in a cell.
pub(super) fn number_in(symbol: SymbolId, indices: &[Term]) -> Linear {
    Linear::access(Access { symbol, indices: indices.to_vec() })
}

fn difference(one: &Linear, other: &Linear) -> Linear {
    Linear::sum([one.clone(), other.clone().scaled(&Number::from(-1))])
}

/// A number that fits into the integers of a file, as every number of a file does.
fn integer(number: &Number) -> Option<i64> {
    let (above, below) = number.to_ratio()?;
    (below == 1).then(|| i64::try_from(above).ok())?
}

impl Atom {
    /// A number that turns out to be known.
    pub fn plain(self) -> Atom {
        match &self {
            Atom::Number(number) => match number.as_constant().and_then(integer) {
                Some(known) => Atom::Known(Constant::number(known)),
                None => self,
            },
            _ => self,
        }
    }
}

impl Translator<'_> {
    /// The bounds of a range that depend on the number of processes, if it is one, and they can be said.
    pub(super) fn bounds(&mut self, ty: TypeId) -> Option<[Linear; 2]> {
        let TypeKind::Range(low, high) = &self.model.ty(ty).kind else { return None };
        let is_fixed = |size: &Size| size.constants.is_disjoint(&self.parameters);
        if self.is_process(ty) || is_fixed(low) && is_fixed(high) {
            return None;
        }
        let [low, high] = [self.size_as_number(low)?, self.size_as_number(high)?];
        // A range without values is a mistake of the file: it must have one, however many processes there are.
        let is_ever_empty = self.least_of(&difference(&high, &low)).is_none_or(|least| least < 0);
        (!is_ever_empty).then_some([low, high])
    }

    /// What has an end that depends on the number of processes is not listed.
    pub(super) fn expect_listed(&mut self, ty: TypeId, span: Span) -> Result<()> {
        let model = self.model;
        match &model.ty(ty).kind {
            TypeKind::Range(low, high) if !self.is_process(ty) => {
                self.expect_fixed(low, span)?;
                self.expect_fixed(high, span)
            }
            _ => Ok(()),
        }
    }

    /// The value of a constant expression.
    pub(super) fn size(&mut self, size: &Size, span: Span) -> Result<Atom> {
        if size.constants.is_disjoint(&self.parameters) {
            return Ok(Atom::Known(Constant::number(size.value)));
        }
        match self.size_as_number(size) {
            Some(number) => Ok(Atom::Number(number).plain()),
            None => self.expect_fixed(size, span).map(|()| unreachable!("it depends on a parameter")),
        }
    }

    /// `a * N + b`, if the size is that for every number N of processes.
    fn size_as_number(&mut self, size: &Size) -> Option<Linear> {
        let (count, growth) = match &self.model.ty(self.processes?).kind {
            TypeKind::Scalarset(count) => (count.value, count.growth.clone()?),
            // Where it begins is known: it says which number the first process is.
            TypeKind::Range(low, high) if low.constants.is_empty() => {
                (high.value - low.value + 1, high.growth.clone()?)
            }
            _ => return None,
        };
        let own = size.growth.as_ref()?;
        let by = |growth: &std::collections::BTreeMap<_, i64>, constant| {
            growth.get(constant).copied().unwrap_or_default()
        };
        let leading = self.parameters.iter().find(|constant| by(&growth, constant) != 0)?;
        let factor = by(own, leading).checked_div(by(&growth, leading))?;
        let is_alike = |constant| Some(by(own, constant)) == factor.checked_mul(by(&growth, constant));
        if !self.parameters.iter().all(is_alike) {
            return None;
        }
        let rest = size.value.checked_sub(factor.checked_mul(count)?)?;
        let all = self.number_of_processes().scaled(&Number::from(factor));
        Some(Linear::sum([all, linear(rest)]))
    }

    /// How many processes there are.
    pub(super) fn number_of_processes(&mut self) -> Linear {
        let process = self.fresh("p");
        let count = Count::new(&Formula::TRUE, &[], &process, Origin::default());
        number_in(self.count_symbol(count), &[])
    }

    /// The symbol of a count.
    pub(super) fn count_symbol(&mut self, count: Count) -> SymbolId {
        let is_same = |known: &Count| {
            (known.indices.len(), &known.formula, &known.summand)
                == (count.indices.len(), &count.formula, &count.summand)
        };
        let at = self.counts.iter().position(is_same).unwrap_or_else(|| {
            self.counts.push(count);
            self.counts.len() - 1
        });
        SymbolId(FIRST_COUNT + at as u32)
    }

    /// What a symbol counts.
    pub(super) fn count_of(&self, symbol: SymbolId) -> Option<&Count> {
        self.counts.get(symbol.0.checked_sub(FIRST_COUNT)? as usize)
    }

    /// A symbol that is none of the state.
    pub(super) fn marker(&mut self) -> SymbolId {
        self.markers += 1;
        SymbolId(FIRST_MARKER + self.markers)
    }

    /// Gives the counts that are mentioned symbols behind all others, and says what transitions do to them.
    pub(super) fn introduce_counts(&self, system: &mut System) -> Result<()> {
        let symbols = (FIRST_COUNT..).map(SymbolId);
        let counts: Vec<(SymbolId, Count)> = symbols.zip(self.counts.iter().cloned()).collect();
        let Err(Unfollowed { origin, transition }) = system.introduce_counts(&counts) else { return Ok(()) };
        let message = match transition {
            Some(_) => "how the number of these processes changes cannot be followed",
            None => "more numbers of processes are needed than can be followed",
        };
        let mut diagnostic = Diagnostic::error(Code::Unsupported, origin.0, message);
        if let Some(transition) = transition.map(|at| &system.transitions[at]) {
            let name = system.transition_in_words(&transition.name);
            let message = format!("`{name}` changes it in a way that is too complicated");
            diagnostic = diagnostic.also(transition.origin.0, message);
        }
        Err(Refused(Box::new(diagnostic)))
    }

    /// The numbers that an atom can be, and when it is that.
    pub(super) fn as_numbers(&self, atom: &Atom) -> Vec<(Formula, Linear)> {
        match atom {
            Atom::Number(number) => vec![(Formula::TRUE, number.clone())],
            atom => {
                let possible = self.possible(atom).into_iter();
                possible.map(|(when, value)| (when, linear(value.number))).collect()
            }
        }
    }

    /// When two numbers are related so.
    pub(super) fn numbers_related(&self, one: &Atom, relation: Relation, other: &Atom) -> Formula {
        let (left, right) = (self.as_numbers(one), self.as_numbers(other));
        let pairs = left.iter().flat_map(|(when, one)| {
            right.iter().map(move |(and_when, other)| {
                Formula::and([when.clone(), and_when.clone(), self.related(one, relation, other)])
            })
        });
        Formula::or(pairs.collect::<Vec<_>>())
    }

    /// The result of an operator.
    pub(super) fn computed_numbers(
        &self,
        [one, other]: [&Atom; 2],
        operator: Operator,
        span: Span,
    ) -> Result<Cases> {
        let mut cases = Vec::new();
        for (when, left) in self.as_numbers(one) {
            for (and_when, right) in self.as_numbers(other) {
                let number = match (operator, left.as_constant(), right.as_constant()) {
                    (Operator::Add, ..) => Linear::sum([left.clone(), right]),
                    (Operator::Subtract, ..) => difference(&left, &right),
                    (Operator::Multiply, Some(factor), _) => right.scaled(factor),
                    (Operator::Multiply, _, Some(factor)) => left.clone().scaled(factor),
                    (Operator::Multiply, ..) => {
                        return refuse(
                            span,
                            "two numbers that grow with the number of processes are multiplied",
                        );
                    }
                    _ => return refuse(span, "a number that grows with the number of processes is divided"),
                };
                cases.push((Formula::and([when.clone(), and_when]), Atom::Number(number).plain()));
            }
        }
        Ok(cases)
    }

    /// When a number is one of these, which follow each other; and when it is none of them.
    pub(super) fn within_list(
        &self,
        number: &Linear,
        values: &[Constant],
    ) -> (Vec<(Formula, Constant)>, Formula) {
        let numbers: Vec<Constant> =
            values.iter().copied().filter(|value| value.domain == Domain::Number).collect();
        let (Some(first), Some(last)) = (numbers.first(), numbers.last()) else {
            return (Vec::new(), Formula::TRUE);
        };
        let outside = Formula::or([
            self.related(number, Relation::Less, &linear(first.number)),
            self.related(&linear(last.number), Relation::Less, number),
        ]);
        let is = |value: &Constant| {
            let is_value = self.related(number, Relation::Equal, &linear(value.number));
            (under(&self.path, is_value), *value)
        };
        let cases = numbers.iter().map(is).filter(|(when, _)| *when != Formula::FALSE).collect();
        (cases, under(&self.path, outside))
    }

    /// Stores a value in a leaf that has bounds.
    pub(super) fn store_number(
        &mut self,
        leaf: LeafId,
        indices: &[Term],
        cases: Cases,
        span: Span,
    ) -> Result<()> {
        let [low, high] = self.leaf(leaf).bounds.clone().expect("it has bounds");
        let mut fitting = Vec::new();
        for (condition, atom) in cases {
            match atom {
                Atom::Undefined => fitting.push((condition, atom)),
                Atom::Last => {
                    let reason = self.last.values().next().cloned();
                    if let Some(reason) = reason {
                        self.last.entry(leaf).or_insert(reason);
                    }
                    fitting.push((condition, atom));
                }
                Atom::Process(_) => return refuse(span, "a process is stored in a variable of another type"),
                Atom::Number(number) if self.is_added_to(leaf, &number) => {
                    self.note_step((leaf, indices), &condition, &number, span)?;
                    fitting.push((condition, Atom::Number(number)));
                }
                Atom::Known(_) | Atom::Cell(_) | Atom::Number(_) => {
                    if let Atom::Cell(cell) = &atom
                        && cell.can_be_undefined
                        && let Some(code) = self.coding(cell.coding).undefined
                    {
                        let coding = self.coding(cell.coding);
                        let is_undefined = coding.is(&cell.term, coding.constructor(code));
                        fitting.push((Formula::and([condition.clone(), is_undefined]), Atom::Undefined));
                    }
                    for (when, number) in self.as_numbers(&atom) {
                        let outside = Formula::or([
                            self.related(&number, Relation::Less, &low),
                            self.related(&high, Relation::Less, &number),
                        ]);
                        let outside =
                            Formula::and([condition.clone(), when.clone(), under(&self.path, outside)]);
                        self.mishap(outside, "a value is out of range", span);
                        fitting.push((Formula::and([condition.clone(), when]), Atom::Number(number)));
                    }
                }
            }
        }
        self.write(leaf, indices, fitting, span);
        Ok(())
    }

    /// What an `int` becomes. Where it holds nothing it is 0: two states that differ in it would be two.
    pub(super) fn numbers_to_store(&self, atom: &Atom) -> Vec<(Formula, Option<Value>)> {
        let value = |number: Linear| Some(Value::Term(number.into()));
        match atom {
            Atom::Last => vec![(Formula::TRUE, Some(Value::Any))],
            Atom::Undefined | Atom::Process(_) => vec![(Formula::TRUE, value(linear(0)))],
            atom => self.as_numbers(atom).into_iter().map(|(when, number)| (when, value(number))).collect(),
        }
    }

    /// When two numbers are related so, as far as that depends on the state.
    pub(super) fn related(&self, left: &Linear, relation: Relation, right: &Linear) -> Formula {
        let less = difference(left, right);
        let (least, greatest) = (self.least_of(&less), self.greatest_of(&less));
        let is_above = |bound: i128| least.is_some_and(|least| least >= bound);
        let is_below = |bound: i128| greatest.is_some_and(|greatest| greatest <= bound);
        let known = match relation {
            Relation::Equal | Relation::NotEqual => {
                let is_equal = is_above(0) && is_below(0);
                let differs = is_above(1) || is_below(-1);
                (is_equal || differs).then_some(is_equal == (relation == Relation::Equal))
            }
            Relation::LessEqual if is_below(0) => Some(true),
            Relation::LessEqual => is_above(1).then_some(false),
            Relation::Less if is_below(-1) => Some(true),
            Relation::Less => is_above(0).then_some(false),
        };
        match known {
            Some(known) => Formula::Constant(known),
            None => arranged(less, relation),
        }
    }

    /// A number that this one is never below, as far as the bounds of variables say so.
    fn least_of(&self, number: &Linear) -> Option<i128> {
        let of = |number: &Number| number.to_ratio().map(|(above, _)| above);
        let (mut constant, mut growth) = (of(&number.constant)?, 0i128);
        for (coefficient, access) in &number.terms {
            let factor = of(coefficient)?;
            // The least value of what is multiplied by a positive number, the greatest of the others.
            let bound = self.bound(access.symbol, factor > 0)?;
            constant = constant.checked_add(factor.checked_mul(bound.0)?)?;
            growth = growth.checked_add(factor.checked_mul(bound.1)?)?;
        }
        // There is at least one process.
        (growth >= 0).then(|| constant.checked_add(growth))?
    }

    fn greatest_of(&self, number: &Linear) -> Option<i128> {
        self.least_of(&number.clone().scaled(&Number::from(-1))).and_then(i128::checked_neg)
    }

    /// The least or greatest value of a symbol: `b + a * N`.
    fn bound(&self, symbol: SymbolId, is_least: bool) -> Option<(i128, i128)> {
        if let Some(count) = self.count_of(symbol) {
            let is_all = count.formula == Formula::TRUE && count.is_number();
            return match is_least {
                true if is_all => Some((0, 1)),
                true if count.is_number() => Some((0, 0)),
                false if count.is_number() => Some((0, 1)),
                _ => None,
            };
        }
        let holds =
            |leaf: &&super::layout::Leaf| matches!(leaf.symbols, Symbols::Counter(own, _) if own == symbol);
        let [low, high] = self.leaves.iter().find(holds)?.bounds.as_ref()?;
        let bound = if is_least { low } else { high };
        let of = |number: &Number| number.to_ratio().map(|(above, _)| above);
        let growth = match &bound.terms[..] {
            [] => 0,
            [(factor, _)] => of(factor)?,
            _ => return None,
        };
        Some((of(&bound.constant)?, growth))
    }
}

/// A comparison of a number with 0, with what is added on the left and what is subtracted on the right.
fn arranged(number: Linear, relation: Relation) -> Formula {
    let is_reversed =
        !relation.is_order() && number.terms.first().is_some_and(|(factor, _)| factor.is_negative());
    let number = if is_reversed { number.scaled(&Number::from(-1)) } else { number };
    let (left, right): (Vec<_>, Vec<_>) =
        number.terms.into_iter().partition(|(factor, _)| !factor.is_negative());
    let right = right.into_iter().map(|(factor, access)| (-factor, access)).collect();
    let (left_constant, right_constant) = match left.is_empty() {
        true => (number.constant, Number::ZERO),
        false => (Number::ZERO, -number.constant),
    };
    let left = Linear { terms: left, constant: left_constant };
    Formula::compare_integers(left, relation, Linear { terms: right, constant: right_constant })
}
