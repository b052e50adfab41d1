//! Conditions: formulas over the slots of an instance, with quantifiers unrolled and process variables
//! replaced by processes.

use polycube_language::formula::Quantifier;

use super::slot::SlotId;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    Constant(bool),
    /// A statement about one or two slots, or a linear one.
    Atom(Atom),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Iff(Box<[Condition; 2]>),
    /// The second part where the first holds, else the third.
    IfThenElse(Box<[Condition; 3]>),
}

/// What the smallest conditions say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    Is(SlotId, u64),
    /// The slot has one of these codes: a slot with finitely many values.
    In(SlotId, CodeSet),
    Same(SlotId, SlotId),
    /// The code of the first is below that of the second.
    Below(SlotId, SlotId),
    /// `sum relation 0`
    Linear(Linear, Sign),
}

/// How a linear sum compares with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    Zero,
    Negative,
    NotPositive,
}

impl Sign {
    pub fn of(self, total: i128) -> bool {
        match self {
            Sign::Zero => total == 0,
            Sign::Negative => total < 0,
            Sign::NotPositive => total <= 0,
        }
    }
}

/// `(c1 * x1 + ... + cn * xn + c) / divisor`, where `x` is the number of steps (see `NumberFormat`) in a
/// slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Linear {
    pub terms: Vec<(i64, SlotId)>,
    pub constant: i128,
    /// Positive.
    pub divisor: i64,
}

/// A set of codes of a finite domain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CodeSet(Vec<u64>);

impl CodeSet {
    /// The codes below `size` for which the predicate holds.
    pub fn of(size: usize, contains: impl Fn(usize) -> bool) -> CodeSet {
        let mut words = vec![0u64; size.div_ceil(64)];
        for code in (0..size).filter(|&code| contains(code)) {
            words[code / 64] |= 1 << (code % 64);
        }
        CodeSet(words)
    }

    /// The set as words, 64 codes in each.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    pub fn contains(&self, code: u64) -> bool {
        let word = usize::try_from(code / 64).ok().and_then(|word| self.0.get(word));
        word.is_some_and(|word| word >> (code % 64) & 1 == 1)
    }

    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.0.len() as u64 * 64).filter(|&code| self.contains(code))
    }
}

impl Condition {
    pub const TRUE: Condition = Condition::Constant(true);
    pub const FALSE: Condition = Condition::Constant(false);

    /// The slot, with finitely many values, has one of the codes for which the predicate holds.
    pub fn one_of(slot: SlotId, size: usize, contains: impl Fn(usize) -> bool) -> Condition {
        let set = CodeSet::of(size, contains);
        let (count, first) = (set.iter().count(), set.iter().next());
        match (count, first) {
            (0, _) => Condition::FALSE,
            (count, _) if count == size => Condition::TRUE,
            (1, Some(code)) => Condition::Atom(Atom::Is(slot, code)),
            _ => Condition::Atom(Atom::In(slot, set)),
        }
    }

    /// All parts hold. Parts behind one that is false are not asked for.
    pub fn and(parts: impl IntoIterator<Item = Condition>) -> Condition {
        Condition::junction(Quantifier::Forall, parts)
    }

    /// Some part holds. Parts behind one that is true are not asked for.
    pub fn or(parts: impl IntoIterator<Item = Condition>) -> Condition {
        Condition::junction(Quantifier::Exists, parts)
    }

    pub fn junction(quantifier: Quantifier, parts: impl IntoIterator<Item = Condition>) -> Condition {
        let is_conjunction = quantifier == Quantifier::Forall;
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Condition::Constant(value) if value == is_conjunction => {}
                Condition::Constant(value) => return Condition::Constant(value),
                Condition::And(inner) if is_conjunction => flat.extend(inner),
                Condition::Or(inner) if !is_conjunction => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Condition::Constant(is_conjunction),
            1 => flat.remove(0),
            _ if is_conjunction => Condition::And(flat),
            _ => Condition::Or(flat),
        }
    }

    #[must_use]
    pub fn negated(self) -> Condition {
        match self {
            Condition::Constant(value) => Condition::Constant(!value),
            Condition::Not(part) => *part,
            other => Condition::Not(Box::new(other)),
        }
    }

    /// How many parts it has, roughly: what it takes to copy it.
    pub fn parts(&self) -> u64 {
        let is_atom = matches!(self, Condition::Atom(_));
        u64::from(is_atom) + self.operands().iter().map(Condition::parts).sum::<u64>()
    }

    fn operands(&self) -> &[Condition] {
        match self {
            Condition::Constant(_) | Condition::Atom(_) => &[],
            Condition::Not(part) => std::slice::from_ref(part),
            Condition::And(parts) | Condition::Or(parts) => parts,
            Condition::Iff(parts) => &parts[..],
            Condition::IfThenElse(parts) => &parts[..],
        }
    }

    /// The parts of a conjunction; of anything else, itself.
    pub fn conjuncts(self) -> Vec<Condition> {
        match self {
            Condition::And(parts) => parts,
            Condition::Constant(true) => Vec::new(),
            other => vec![other],
        }
    }

    pub fn for_each_slot(&self, visit: &mut dyn FnMut(SlotId)) {
        match self {
            Condition::Atom(Atom::Is(slot, _) | Atom::In(slot, _)) => visit(*slot),
            Condition::Atom(Atom::Same(left, right) | Atom::Below(left, right)) => {
                visit(*left);
                visit(*right);
            }
            Condition::Atom(Atom::Linear(linear, _)) => {
                linear.terms.iter().for_each(|&(_, slot)| visit(slot));
            }
            _ => self.operands().iter().for_each(|part| part.for_each_slot(visit)),
        }
    }

    /// Whether it holds, as far as that is known from the codes of slots. `low` is the number of steps that
    /// code 0 of a slot stands for.
    pub fn evaluate(
        &self,
        code: &dyn Fn(SlotId) -> Option<u64>,
        low: &dyn Fn(SlotId) -> i64,
    ) -> Option<bool> {
        let all = |parts: &[Condition], wanted: bool| {
            let mut unknown = false;
            for part in parts {
                match part.evaluate(code, low) {
                    Some(found) if found != wanted => return Some(!wanted),
                    Some(_) => {}
                    None => unknown = true,
                }
            }
            (!unknown).then_some(wanted)
        };
        match self {
            Condition::Constant(value) => Some(*value),
            Condition::Atom(Atom::Is(slot, wanted)) => Some(code(*slot)? == *wanted),
            Condition::Atom(Atom::In(slot, set)) => Some(set.contains(code(*slot)?)),
            Condition::Atom(Atom::Same(left, right)) => Some(code(*left)? == code(*right)?),
            Condition::Atom(Atom::Below(left, right)) => Some(code(*left)? < code(*right)?),
            Condition::Atom(Atom::Linear(linear, sign)) => {
                let mut total = linear.constant;
                for &(factor, slot) in &linear.terms {
                    total += i128::from(factor) * (i128::from(code(slot)?) + i128::from(low(slot)));
                }
                Some(sign.of(total))
            }
            Condition::Not(part) => Some(!part.evaluate(code, low)?),
            Condition::And(parts) => all(parts, true),
            Condition::Or(parts) => all(parts, false),
            Condition::Iff(parts) => Some(parts[0].evaluate(code, low)? == parts[1].evaluate(code, low)?),
            Condition::IfThenElse(parts) => match parts[0].evaluate(code, low) {
                Some(true) => parts[1].evaluate(code, low),
                Some(false) => parts[2].evaluate(code, low),
                None => {
                    let consequence = parts[1].evaluate(code, low)?;
                    (consequence == parts[2].evaluate(code, low)?).then_some(consequence)
                }
            },
        }
    }
}
