//! Formulas about states, as Murphi writes them: `forall p: NODE do Cache[p] = E -> !Shr[p] end`.
//!
//! To read an undefined value is an error in Murphi, so what can be undefined is asked for first. Then a text says of
//! every state what the formula says of it, but for processes that are stored where nothing is: the system keeps one
//! process there, of which Murphi knows nothing. What such a cell is compared with counts only where it is defined.

use std::collections::BTreeSet;

use polycube_language::System;
use polycube_language::count::Count;
use polycube_language::formula::{
    Access, Comparison, Formula, Linear, Quantified, Quantifier, Relation, Term, Variable, VariableId,
};
use polycube_language::number::Number;
use polycube_language::system::{Enumeration, EnumerationId, Type};
use polycube_language::words::Murphi;
use polycube_lean::Values;

/// A text, and what has to be put into parentheses where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expression {
    pub text: String,
    binding: Binding,
    /// Whether Murphi can read it: elements of scalarsets have no names there.
    pub is_readable: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Not,
    Relation,
    Alone,
}

impl Expression {
    fn new(text: impl Into<String>, binding: Binding) -> Expression {
        Expression { text: text.into(), binding, is_readable: true }
    }

    fn within(&self, binding: Binding) -> String {
        if self.binding < binding { format!("({})", self.text) } else { self.text.clone() }
    }

    fn not(self) -> Expression {
        Expression { text: format!("!{}", self.within(Binding::Alone)), binding: Binding::Not, ..self }
    }

    fn joined(parts: Vec<Expression>, binding: Binding) -> Expression {
        let (sign, nothing) = if binding == Binding::And { (" & ", "true") } else { (" | ", "false") };
        let parts = match <[Expression; 1]>::try_from(parts) {
            Ok([only]) => return only,
            Err(parts) => parts,
        };
        let is_readable = parts.iter().all(|part| part.is_readable);
        let texts: Vec<String> = parts.iter().map(|part| part.within(binding)).collect();
        if texts.is_empty() {
            return Expression::new(nothing, Binding::Alone);
        }
        Expression { text: texts.join(sign), binding, is_readable }
    }

    /// Drops what a conjunction among the parts begins with: that a cell is defined, where it is said what it holds.
    pub fn drop_implied(parts: &mut Vec<Expression>) {
        let conjunctions = parts.iter().filter(|part| part.binding == Binding::And);
        let texts: Vec<String> = conjunctions.map(|part| part.text.clone()).collect();
        parts.retain(|part| !texts.iter().any(|text| text.starts_with(&format!("{} & ", part.text))));
    }

    /// As one of several parts that all hold.
    pub fn as_part(&self) -> String {
        self.within(Binding::And)
    }

    pub fn all(parts: Vec<Expression>) -> Expression {
        Expression::joined(parts, Binding::And)
    }

    pub fn any(parts: Vec<Expression>) -> Expression {
        Expression::joined(parts, Binding::Or)
    }

    /// What follows where others hold: `a & b -> c`.
    pub fn follows_from(self, premises: Vec<Expression>) -> Expression {
        if premises.is_empty() {
            return self;
        }
        let premise = Expression::all(premises);
        Expression {
            text: format!("{} -> {}", premise.text, self.text),
            binding: Binding::Or,
            is_readable: premise.is_readable && self.is_readable,
        }
    }

    /// The same for all processes.
    pub fn for_all(self, variables: &[Variable], murphi: &Murphi) -> Expression {
        variables.iter().rev().fold(self, |inner, variable| inner.quantified("forall", variable, murphi))
    }

    fn quantified(self, keyword: &str, variable: &Variable, murphi: &Murphi) -> Expression {
        let text = format!("{keyword} {}: {} do {} end", variable.name, murphi.processes, self.text);
        Expression { text, binding: Binding::Alone, ..self }
    }
}

/// That processes differ from each other and from those that are known.
pub(crate) fn differ(new: &[Variable], known: &[Variable]) -> Vec<Expression> {
    let mut before: Vec<&Variable> = known.iter().collect();
    let mut parts = Vec::new();
    for variable in new {
        let differs = |other: &&Variable| {
            Expression::new(format!("{} != {}", variable.name, other.name), Binding::Relation)
        };
        parts.extend(before.iter().map(differs));
        before.push(variable);
    }
    parts
}

/// Writes formulas of a system that came from Murphi.
pub(crate) struct Writer<'w> {
    pub system: &'w System,
    pub murphi: &'w Murphi,
}

impl Writer<'_> {
    /// The same variables, with names that nothing in the file has.
    pub fn renamed(&self, variables: &[Variable]) -> Vec<Variable> {
        let words = &self.system.words;
        let cells = words.cells.values().flatten().flat_map(|text| text.split(['.', '[', ']', ' ']));
        let taken: BTreeSet<&str> = cells.chain(words.constructors.values().map(String::as_str)).collect();
        let rename = |variable: &Variable| {
            let mut name = variable.name.clone();
            while taken.contains(name.as_str()) || name == self.murphi.processes {
                name.push('_');
            }
            Variable { name, ..variable.clone() }
        };
        variables.iter().map(rename).collect()
    }

    /// A formula over these variables.
    pub fn formula(&self, formula: &Formula, variables: &[Variable]) -> Expression {
        if let Some(values) = Values::of(self.system, formula) {
            return self.values(&values, variables);
        }
        let parts = |parts: &[Formula]| parts.iter().map(|part| self.formula(part, variables)).collect();
        match formula {
            Formula::Constant(value) => Expression::new(value.to_string(), Binding::Alone),
            Formula::Compare(comparison) => self.comparison(comparison, variables),
            Formula::Not(inner) => self.negated(inner, variables),
            Formula::And(all) => Expression::all(parts(all)),
            Formula::Or(some) => Expression::any(parts(some)),
            Formula::Iff(both) => {
                let [one, other] = &**both;
                let same = |left: Formula, right: Formula| Formula::and([left, right]);
                let either = Formula::or([
                    same(one.clone(), other.clone()),
                    same(Formula::not(one.clone()), Formula::not(other.clone())),
                ]);
                self.formula(&either, variables)
            }
            Formula::IfThenElse(three) => {
                let [condition, then, otherwise] = &**three;
                let either = Formula::or([
                    Formula::and([condition.clone(), then.clone()]),
                    Formula::and([Formula::not(condition.clone()), otherwise.clone()]),
                ]);
                self.formula(&either, variables)
            }
            Formula::Quantified(Quantified { quantifier, variable, body, .. }) => {
                let keyword = if *quantifier == Quantifier::Forall { "forall" } else { "exists" };
                let inner = [variables, std::slice::from_ref(variable)].concat();
                self.formula(body, &inner).quantified(keyword, variable, self.murphi)
            }
        }
    }

    fn negated(&self, inner: &Formula, variables: &[Variable]) -> Expression {
        if let Some(values) = Values::of(self.system, inner) {
            return self.values(&values.complement(self.system), variables);
        }
        let not = |parts: &[Formula]| -> Vec<Expression> {
            parts.iter().map(|part| self.formula(&Formula::not(part.clone()), variables)).collect()
        };
        match inner {
            Formula::And(parts) => Expression::any(not(parts)),
            Formula::Or(parts) => Expression::all(not(parts)),
            Formula::Quantified(Quantified { quantifier, variable, body, .. }) => {
                let keyword = if *quantifier == Quantifier::Forall { "exists" } else { "forall" };
                let within = [variables, std::slice::from_ref(variable)].concat();
                let body = Formula::not((**body).clone());
                self.formula(&body, &within).quantified(keyword, variable, self.murphi)
            }
            other => self.formula(other, variables).not(),
        }
    }

    /// That a cell of a finite type has one of some values, and is defined if it has to be.
    fn values(&self, values: &Values, variables: &[Variable]) -> Expression {
        let Values { access, ty, values } = values;
        let cell = self.access(access, variables);
        let is_named = cell.is_readable;
        let undefined = self.murphi.undefined.get(&access.symbol);
        let kinds = self.system.words.guarded.values().find(|guarded| guarded.by == access.symbol);
        let alone = |text| Expression { is_readable: is_named, ..Expression::new(text, Binding::Alone) };
        let is_undefined = alone(format!("isundefined({})", cell.text));
        let all = self.system.enumeration(*ty).constructors.len();
        let constructors = 0..all as u32;
        // A constructor for undefined values of other cells means nothing here.
        let is_value = |value: &u32| self.system.constructor_in_words(*ty, *value) != "undefined";
        let (wanted, others): (Vec<u32>, Vec<u32>) =
            constructors.filter(is_value).partition(|value| values.contains(value));
        let is = |value: &u32| -> Expression {
            let name = self.system.constructor_in_words(*ty, *value);
            let is_readable = is_named && !self.murphi.nameless.contains(&(*ty, *value));
            match kinds {
                Some(guarded) if guarded.counts == *value => {
                    alone(format!("ismember({}, {})", cell.text, self.murphi.processes))
                }
                _ if self.is_boolean(*ty) => {
                    let is_true = name.eq_ignore_ascii_case("true");
                    if is_true { cell.clone() } else { cell.clone().not() }
                }
                _ => Expression {
                    is_readable,
                    ..Expression::new(format!("{} = {name}", cell.text), Binding::Relation)
                },
            }
        };
        let is_not = |value: &u32| {
            let Expression { text, is_readable, binding } = is(value);
            match binding {
                Binding::Relation => Expression { text: text.replace(" = ", " != "), is_readable, binding },
                Binding::Not => {
                    Expression { text: text[1..].to_owned(), is_readable, binding: Binding::Alone }
                }
                _ => Expression { text, is_readable, binding }.not(),
            }
        };
        let among = match (wanted.len(), others.len()) {
            (_, 0) => None,
            (some, rest) if some <= rest => Some(Expression::any(wanted.iter().map(is).collect())),
            _ => Some(Expression::all(others.iter().map(is_not).collect())),
        };
        match (undefined, among) {
            // That it is defined is worth saying, if that is all.
            (None, None) if values.len() < all => is_undefined.not(),
            (None, among) => among.unwrap_or_else(|| Expression::all(Vec::new())),
            (Some(undefined), None) if values.contains(undefined) => Expression::all(Vec::new()),
            (Some(undefined), Some(_)) if values.contains(undefined) && wanted.is_empty() => is_undefined,
            (Some(undefined), Some(among)) if values.contains(undefined) => {
                Expression::any(vec![is_undefined, among])
            }
            (Some(_), None) => is_undefined.not(),
            (Some(_), Some(among)) => Expression::all(vec![is_undefined.not(), among]),
        }
    }

    fn is_boolean(&self, ty: EnumerationId) -> bool {
        ty == EnumerationId::BOOL || {
            let enumeration: &Enumeration = self.system.enumeration(ty);
            let words = (0..enumeration.constructors.len() as u32)
                .map(|value| self.system.constructor_in_words(ty, value));
            words.filter(|word| *word != "undefined").eq(["false", "true"])
        }
    }

    /// Two cells, or a cell and a process.
    fn comparison(&self, comparison: &Comparison, variables: &[Variable]) -> Expression {
        let Comparison { left, relation, right, ty, .. } = comparison;
        let sides = [left, right];
        let undefined: Vec<Expression> =
            sides.iter().filter_map(|term| self.undefined(term, variables)).collect();
        let [one, other] = sides.map(|term| self.term(term, variables));
        let sign = match relation {
            Relation::Equal => "=",
            Relation::NotEqual => "!=",
            Relation::Less => "<",
            Relation::LessEqual => "<=",
        };
        let compared = Expression {
            is_readable: one.is_readable && other.is_readable,
            ..Expression::new(format!("{} {sign} {}", one.text, other.text), Binding::Relation)
        };
        let defined = undefined.iter().cloned().map(Expression::not);
        match (&undefined[..], relation, ty) {
            ([], ..) => compared,
            (_, Relation::NotEqual, Type::Process) => {
                Expression::any(undefined.iter().cloned().chain([compared]).collect())
            }
            ([one, other], Relation::Equal, Type::Enumeration(_)) => Expression::any(vec![
                Expression::all(vec![one.clone(), other.clone()]),
                Expression::all(defined.chain([compared]).collect()),
            ]),
            (_, Relation::NotEqual, _) => {
                let same = Comparison { relation: Relation::Equal, ..comparison.clone() };
                self.comparison(&same, variables).not()
            }
            _ => Expression::all(defined.chain([compared]).collect()),
        }
    }

    /// That a term is undefined, if it can be.
    fn undefined(&self, term: &Term, variables: &[Variable]) -> Option<Expression> {
        let Term::Access(access) = term else { return None };
        let by = self.system.words.guarded.get(&access.symbol).map_or(access.symbol, |guarded| guarded.by);
        self.murphi.undefined.get(&by)?;
        let cell = self.access(access, variables);
        Some(Expression { text: format!("isundefined({})", cell.text), binding: Binding::Alone, ..cell })
    }

    fn access(&self, access: &Access, variables: &[Variable]) -> Expression {
        if let Some(count) = self.system.count(access.symbol) {
            return self.count(count, &access.indices, variables);
        }
        let indices: Vec<Expression> =
            access.indices.iter().map(|index| self.term(index, variables)).collect();
        let is_readable = !self.system.words.hidden.contains(&access.symbol)
            && !self.murphi.nameless_cells.contains(&access.symbol)
            && indices.iter().all(|index| index.is_readable);
        let indices: Vec<String> = indices.into_iter().map(|index| index.text).collect();
        Expression {
            is_readable,
            ..Expression::new(self.system.cell_in_words(access.symbol, &indices), Binding::Alone)
        }
    }

    fn term(&self, term: &Term, variables: &[Variable]) -> Expression {
        match term {
            Term::Access(access) => self.access(access, variables),
            Term::Variable(id) => {
                let variable = variables.iter().rev().find(|variable| variable.id == *id);
                Expression::new(variable.map_or("?", |variable| variable.name.as_str()), Binding::Alone)
            }
            Term::Constructor(ty, value) => Expression {
                is_readable: !self.murphi.nameless.contains(&(*ty, *value)),
                ..Expression::new(self.system.constructor_in_words(*ty, *value), Binding::Alone)
            },
            // A file has no numbers of any size, and no processes but those it names.
            Term::Process(number) => {
                Expression { is_readable: false, ..Expression::new(format!("#{number}"), Binding::Alone) }
            }
            Term::Linear(linear) => self.sum(linear, variables),
        }
    }

    /// `Acks + 2 * Copies - 1`
    fn sum(&self, sum: &Linear, variables: &[Variable]) -> Expression {
        let (mut text, mut is_readable) = (String::new(), true);
        let mut add = |is_negative: bool, term: String| {
            text += match (text.is_empty(), is_negative) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += &term;
        };
        for (factor, access) in &sum.terms {
            let cell = self.access(access, variables);
            // The system has a number where Murphi has none.
            let by = self.system.words.guarded.get(&access.symbol).map(|guarded| guarded.by);
            let can_be_undefined = by.is_some_and(|by| self.murphi.undefined.contains_key(&by));
            is_readable &= cell.is_readable && !can_be_undefined;
            let times =
                if factor.abs() == Number::ONE { String::new() } else { format!("{} * ", factor.abs()) };
            add(factor.is_negative(), times + &cell.text);
        }
        if !sum.constant.is_zero() || sum.terms.is_empty() {
            add(sum.constant.is_negative(), sum.constant.abs().to_string());
        }
        Expression { is_readable, ..Expression::new(text, Binding::Relation) }
    }

    /// A number of processes. Murphi has no word for it, but for that of all of them.
    fn count(&self, count: &Count, indices: &[Term], variables: &[Variable]) -> Expression {
        let unreadable =
            |text: String| Expression { is_readable: false, ..Expression::new(text, Binding::Alone) };
        let counted = self.renamed(std::slice::from_ref(&count.variable));
        let counted = Variable { id: VariableId(u32::MAX), ..counted[0].clone() };
        let process = Term::Variable(counted.id);
        let inner = [variables, std::slice::from_ref(&counted)].concat();
        let formula = self.formula(&count.holds_for(indices, &process), &inner);
        let worth = count.worth(indices, &process);
        let summand = match count.is_number() {
            true => String::new(),
            false => format!(": {}", self.sum(&worth, &inner).text),
        };
        unreadable(format!("#{{{}: {} | {}{summand}}}", counted.name, self.murphi.processes, formula.text))
    }
}
