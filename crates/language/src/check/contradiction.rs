//! A cheap test whether formulas contradict each other, for warnings and for `case` without default.
//!
//! It is not a solver: it looks at single variables and single linear expressions, propagates units and
//! splits a little. Its "yes" is always right: every fact it keeps follows from the formulas, and it says yes
//! only when every alternative meets an empty set of values. Its "no" means nothing: quantifiers over all
//! processes are ignored, and it gives up after a while.

use crate::formula::{Access, Comparison, Formula, Linear, Quantifier, Relation, Term, VariableId};
use crate::number::Number;
use crate::system::{System, Type};

/// Whether `conjuncts` certainly have no common model in which `distinct` are different processes. No means
/// no or unknown.
pub(super) fn never_holds<'f>(
    system: &System,
    conjuncts: &[&'f Formula],
    distinct: &'f [VariableId],
) -> bool {
    let size: usize = conjuncts.iter().map(|formula| formula.size()).sum();
    let mut search = Search { system, budget: 2_000 + 20 * size };
    let facts = Facts { distinct, ..Facts::default() };
    let goals = conjuncts.iter().map(|&formula| (formula, true)).collect();
    search.refutes(facts, goals, Vec::new(), 0)
}

/// A formula that holds (true) or does not (false).
type Goal<'f> = (&'f Formula, bool);

/// A choice between conjunctions of goals.
type Choice<'f> = Vec<Vec<Goal<'f>>>;

/// How many excluded values of one linear expression are remembered.
const MAX_EXCLUDED: usize = 64;

/// How many facts of each kind are kept; further ones are forgotten. Formulas are small: a search through a
/// short list is faster than a table.
const MAX_FACTS: usize = 128;

/// How many choices are made at once before giving up.
const MAX_SPLITS: usize = 40;

struct Search<'p> {
    system: &'p System,
    budget: usize,
}

impl Search<'_> {
    /// Whether `facts`, `goals` and `choices` certainly contradict each other.
    fn refutes<'f>(
        &mut self,
        mut facts: Facts<'f>,
        mut goals: Vec<Goal<'f>>,
        mut choices: Vec<Choice<'f>>,
        splits: usize,
    ) -> bool {
        loop {
            while let Some(goal) = goals.pop() {
                if !self.spend(1) {
                    return false;
                }
                if self.take(&mut facts, goal, &mut goals, &mut choices) {
                    return true;
                }
            }
            // Unit propagation: drop alternatives that contradict the facts at once.
            let mut progress = false;
            let mut kept = Vec::with_capacity(choices.len());
            for mut choice in choices {
                if !self.spend(choice.len()) {
                    return false;
                }
                choice.retain(|alternative| !self.contradicts_at_once(&facts, alternative));
                match choice.len() {
                    0 => return true,
                    1 => {
                        goals.extend(choice.remove(0));
                        progress = true;
                    }
                    _ => kept.push(choice),
                }
            }
            choices = kept;
            if !progress {
                break;
            }
        }
        let Some(shortest) = (0..choices.len()).min_by_key(|&at| choices[at].len()) else { return false };
        let choice = choices.swap_remove(shortest);
        splits < MAX_SPLITS
            && choice.into_iter().all(|alternative| {
                self.spend(1 + facts.len() + choices.len())
                    && self.refutes(facts.clone(), alternative, choices.clone(), splits + 1)
            })
    }

    fn spend(&mut self, cost: usize) -> bool {
        self.budget = self.budget.saturating_sub(cost);
        self.budget > 0
    }

    /// Takes a goal apart. True if it contradicts the facts.
    fn take<'f>(
        &self,
        facts: &mut Facts<'f>,
        (formula, holds): Goal<'f>,
        goals: &mut Vec<Goal<'f>>,
        choices: &mut Vec<Choice<'f>>,
    ) -> bool {
        match formula {
            Formula::Constant(value) => return *value != holds,
            Formula::Compare(comparison) => return self.refine(facts, comparison, holds).apply(facts),
            Formula::Not(inner) => goals.push((inner, !holds)),
            Formula::And(parts) if holds => goals.extend(parts.iter().map(|part| (part, true))),
            Formula::Or(parts) if !holds => goals.extend(parts.iter().map(|part| (part, false))),
            Formula::And(parts) | Formula::Or(parts) => {
                choices.push(parts.iter().map(|part| vec![(part, holds)]).collect());
            }
            Formula::Iff(sides) => {
                let [left, right] = &**sides;
                choices.push(vec![vec![(left, true), (right, holds)], vec![(left, false), (right, !holds)]]);
            }
            Formula::IfThenElse(parts) => {
                let [condition, consequence, alternative] = &**parts;
                choices.push(vec![
                    vec![(condition, true), (consequence, holds)],
                    vec![(condition, false), (alternative, holds)],
                ]);
            }
            // Some process: call it by the variable's name, which is used nowhere else. All processes:
            // ignored.
            Formula::Quantified(quantified) if (quantified.quantifier == Quantifier::Exists) == holds => {
                goals.push((&quantified.body, holds));
            }
            Formula::Quantified(_) => {}
        }
        false
    }

    fn contradicts_at_once<'f>(&self, facts: &Facts<'f>, alternative: &[Goal<'f>]) -> bool {
        alternative.iter().any(|&(formula, holds)| match formula {
            Formula::Constant(value) => *value != holds,
            Formula::Compare(comparison) => {
                matches!(self.refine(facts, comparison, holds), Refinement::Contradiction)
            }
            _ => false,
        })
    }

    /// What a comparison adds to the facts.
    fn refine<'f>(&self, facts: &Facts<'f>, comparison: &'f Comparison, holds: bool) -> Refinement<'f> {
        let Comparison { left, relation, right, .. } = comparison;
        let (left, right) = if !holds && relation.is_order() { (right, left) } else { (left, right) };
        let relation = if holds { *relation } else { relation.negated() };
        match (left, right) {
            (Term::Linear(left), Term::Linear(right)) => {
                refine_linear(facts, left, relation, right, comparison.ty)
            }
            (Term::Access(access), Term::Constructor(enumeration, value))
            | (Term::Constructor(enumeration, value), Term::Access(access)) => {
                let count = self.system.enumeration(*enumeration).constructors.len();
                if count > u64::BITS as usize {
                    return refine_pair(facts, left, relation, right);
                }
                let (bit, all) = (1u64 << value, u64::MAX >> (u64::BITS as usize - count));
                let before = facts.domains.get(&access).copied().unwrap_or(all);
                let after = match relation {
                    Relation::Equal => before & bit,
                    Relation::NotEqual => before & !bit,
                    Relation::Less | Relation::LessEqual => return refine_pair(facts, left, relation, right),
                };
                if after == 0 { Refinement::Contradiction } else { Refinement::Domain(access, after) }
            }
            _ => refine_pair(facts, left, relation, right),
        }
    }
}

/// What is known. Every entry follows from the formulas taken so far, from which it borrows its terms.
#[derive(Clone, Default)]
struct Facts<'f> {
    /// The possible values of a symbol or cell: one bit per constructor.
    domains: Known<&'f Access, u64>,
    /// How two terms (the smaller one first) may compare: bits `LESS`, `EQUAL`, `GREATER`.
    pairs: Known<(&'f Term, &'f Term), u8>,
    /// Bounds of linear expressions without constant, whose first coefficient is 1.
    bounds: Known<Vec<(Number, Access)>, Bounds>,
    /// Variables that stand for different processes.
    distinct: &'f [VariableId],
}

/// A short list of facts, one for each key.
#[derive(Clone)]
struct Known<K, V>(Vec<(K, V)>);

impl<K, V> Default for Known<K, V> {
    fn default() -> Self {
        Known(Vec::new())
    }
}

impl<K: PartialEq, V> Known<K, V> {
    fn get(&self, key: &K) -> Option<&V> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// Replaces or adds a fact. Where there are too many, a new one is forgotten: that is sound, for it only
    /// makes a contradiction harder to find.
    fn insert(&mut self, key: K, value: V) {
        match self.0.iter().position(|(known, _)| *known == key) {
            Some(at) => self.0[at].1 = value,
            None if self.0.len() < MAX_FACTS => self.0.push((key, value)),
            None => {}
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;

#[derive(Clone, Default)]
struct Bounds {
    /// The bound, and whether it is excluded itself.
    lower: Option<(Number, bool)>,
    upper: Option<(Number, bool)>,
    excluded: Vec<Number>,
}

enum Refinement<'f> {
    Contradiction,
    Nothing,
    Domain(&'f Access, u64),
    Pair(&'f Term, &'f Term, u8),
    Bounds(Vec<(Number, Access)>, Bounds),
}

impl<'f> Refinement<'f> {
    /// Adds it to the facts. True if it is a contradiction.
    fn apply(self, facts: &mut Facts<'f>) -> bool {
        match self {
            Refinement::Contradiction => return true,
            Refinement::Nothing => {}
            Refinement::Domain(access, mask) => facts.domains.insert(access, mask),
            Refinement::Pair(left, right, mask) => facts.pairs.insert((left, right), mask),
            Refinement::Bounds(terms, bounds) => facts.bounds.insert(terms, bounds),
        }
        false
    }
}

impl Facts<'_> {
    fn len(&self) -> usize {
        self.domains.len() + self.pairs.len() + self.bounds.len()
    }

    /// How two different terms (the smaller one first) may compare, as far as known.
    fn pair(&self, left: &Term, right: &Term) -> u8 {
        let differ = match (left, right) {
            (Term::Variable(left), Term::Variable(right)) => {
                self.distinct.contains(left) && self.distinct.contains(right)
            }
            (Term::Process(_), Term::Process(_)) | (Term::Constructor(..), Term::Constructor(..)) => true,
            _ => false,
        };
        let known = self.pairs.get(&(left, right)).copied().unwrap_or(LESS | EQUAL | GREATER);
        if differ { known & !EQUAL } else { known }
    }

    /// Whether some term that equals `left` is known to differ from `right`.
    fn differ_through_another(&self, left: &Term, right: &Term) -> bool {
        self.pairs.0.iter().filter(|(_, mask)| *mask == EQUAL).any(|&((one, two), _)| {
            let other = match (one == left, two == left) {
                (true, _) => two,
                (_, true) => one,
                _ => return false,
            };
            other != right && self.pair(other.min(right), other.max(right)) & EQUAL == 0
        })
    }
}

fn refine_pair<'f>(facts: &Facts<'f>, left: &'f Term, relation: Relation, right: &'f Term) -> Refinement<'f> {
    if left == right {
        return match relation {
            Relation::Equal | Relation::LessEqual => Refinement::Nothing,
            Relation::NotEqual | Relation::Less => Refinement::Contradiction,
        };
    }
    let swapped = right < left;
    let allowed = match (relation, swapped) {
        (Relation::Equal, _) => EQUAL,
        (Relation::NotEqual, _) => LESS | GREATER,
        (Relation::Less, false) => LESS,
        (Relation::Less, true) => GREATER,
        (Relation::LessEqual, false) => LESS | EQUAL,
        (Relation::LessEqual, true) => GREATER | EQUAL,
    };
    let (left, right) = if swapped { (right, left) } else { (left, right) };
    let mask = facts.pair(left, right) & allowed;
    let have_no_common_value = || match (left, right) {
        (Term::Access(one), Term::Access(two)) => {
            let values = facts.domains.get(&one).zip(facts.domains.get(&two));
            values.is_some_and(|(one, two)| one & two == 0)
        }
        _ => false,
    };
    let contradiction = mask == 0
        || mask == EQUAL
            && (facts.differ_through_another(left, right)
                || facts.differ_through_another(right, left)
                || have_no_common_value());
    if contradiction { Refinement::Contradiction } else { Refinement::Pair(left, right, mask) }
}

fn refine_linear<'f>(
    facts: &Facts<'f>,
    left: &Linear,
    relation: Relation,
    right: &Linear,
    ty: Type,
) -> Refinement<'f> {
    // left - right = terms + constant, so `left relation right` is `terms relation -constant`.
    let Linear { terms, constant } = Linear::sum([left.clone(), right.clone().scaled(&Number::from(-1))]);
    let Some((first, _)) = terms.first() else {
        let holds = match relation {
            Relation::Equal => constant.is_zero(),
            Relation::NotEqual => !constant.is_zero(),
            Relation::Less => constant.is_negative(),
            Relation::LessEqual => constant.is_negative() || constant.is_zero(),
        };
        return if holds { Refinement::Nothing } else { Refinement::Contradiction };
    };
    let first = first.clone();
    let value = (-constant).divided_by(&first);
    let terms: Vec<(Number, Access)> =
        terms.into_iter().map(|(factor, access)| (factor.divided_by(&first), access)).collect();
    let integral = ty == Type::Integer && terms.iter().all(|(factor, _)| factor.is_integer());
    let mut bounds = facts.bounds.get(&terms).cloned().unwrap_or_default();
    // Dividing by a negative number turns the relation around.
    match (relation, first.is_negative()) {
        (Relation::Equal, _) => {
            bounds.raise(value.clone(), false, integral);
            bounds.drop(value, false, integral);
        }
        // Forgetting a fact is sound, and keeps this cheap.
        (Relation::NotEqual, _) if bounds.excluded.len() >= MAX_EXCLUDED => return Refinement::Nothing,
        (Relation::NotEqual, _) => bounds.excluded.push(value),
        (Relation::Less, false) => bounds.drop(value, true, integral),
        (Relation::Less, true) => bounds.raise(value, true, integral),
        (Relation::LessEqual, false) => bounds.drop(value, false, integral),
        (Relation::LessEqual, true) => bounds.raise(value, false, integral),
    }
    bounds.avoid_excluded(integral);
    if bounds.are_empty() { Refinement::Contradiction } else { Refinement::Bounds(terms, bounds) }
}

impl Bounds {
    /// At least `value` (above it, if `strict`). Integers are rounded up.
    fn raise(&mut self, value: Number, strict: bool, integral: bool) {
        let (value, strict) = match (integral, strict) {
            (false, _) => (value, strict),
            (true, true) => (value.floor() + &Number::ONE, false),
            (true, false) => (-((-value).floor()), false),
        };
        let tighter =
            self.lower.as_ref().is_none_or(|(known, _)| *known < value || *known == value && strict);
        if tighter {
            self.lower = Some((value, strict));
        }
    }

    /// At most `value` (below it, if `strict`). Integers are rounded down.
    fn drop(&mut self, value: Number, strict: bool, integral: bool) {
        let mut mirrored =
            Bounds { lower: self.upper.take().map(|(value, strict)| (-value, strict)), ..Bounds::default() };
        mirrored.raise(-value, strict, integral);
        self.upper = mirrored.lower.map(|(value, strict)| (-value, strict));
    }

    /// Bounds that are excluded themselves move on.
    fn avoid_excluded(&mut self, integral: bool) {
        while let Some((value, false)) = &self.lower
            && self.excluded.contains(value)
            && !self.are_empty()
        {
            let value = value.clone();
            self.raise(value, true, integral);
        }
        while let Some((value, false)) = &self.upper
            && self.excluded.contains(value)
            && !self.are_empty()
        {
            let value = value.clone();
            self.drop(value, true, integral);
        }
    }

    fn are_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some((lower, above)), Some((upper, below))) => {
                lower > upper || lower == upper && (*above || *below)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::check;
    use crate::diagnostic::Code;

    /// Whether the guard of a transition over a fixed set of symbols is found contradictory.
    fn contradictory(guard: &str) -> bool {
        let model = format!(
            "type t = P | Q | R\n var X : t\n var Y : t\n var N : int\n var M : int\n var Z : real\n var G : proc\n var B : bool\n \
             array A[proc] : t\n init {{ true }}\n transition s (i j) requires {{ {guard} }} {{ }}\n\
             transition use_all (i) requires {{ X = Y && N = M && Z = 0.0 && G = i && B && A[i] = P }} {{ }}"
        );
        let checked = check(&model);
        assert!(checked.system.is_some(), "{guard}: {:?}", checked.diagnostics);
        checked.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::NeverHolds)
    }

    #[test]
    fn contradictions_are_found() {
        for guard in [
            "false",
            "X = P && X = Q",
            "X <> P && X <> Q && X <> R",
            "i = j",
            "X < X",
            "A[i] = P && not (A[i] = P || A[j] = Q)",
            "N < 0 && N > 5",
            "N > 0 && N < 1",
            "2 * N = 1",
            "N + M <= 3 && 2 * M + 2 * N > 6",
            "Z < 0.5 && Z > 0.5",
            "Z <= 0.5 && Z >= 0.5 && Z <> 0.5",
            "G = i && G = j",
            "exists_other k. k = i",
            "exists k. k <> k",
            "(X = P || Y = P) && X <> P && Y <> P",
            "(X = P <=> Y = P) && X = P && Y = Q",
            "if X = P then false else X = P",
            "(X = P || X = Q) && (X = R || Y = P) && (X = R || Y = Q)",
            "B && not B",
            "1 > 2",
        ] {
            assert!(contradictory(guard), "{guard}");
        }
    }

    #[test]
    fn what_can_hold_is_not_called_contradictory() {
        for guard in [
            "true",
            "X = P && Y = Q",
            "i <> j",
            "i < j",
            "X < Y && Y <> P",
            "N > 0 && N < 2",
            "2 * N = 4",
            "Z > 0.0 && Z < 1.0",
            "G = i && G <> j",
            "exists k. k = i",
            "exists_other k. A[k] = P && A[i] = Q",
            "forall k. A[k] = P && X = Q",
            "(exists k. A[k] = P) && (exists k. A[k] = Q)",
            "X = Y && Y = P",
            "X = P => Y = P",
            "X = P <=> Y = Q",
        ] {
            assert!(!contradictory(guard), "{guard}");
        }
    }
}
