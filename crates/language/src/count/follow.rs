//! What transitions do to counts.
//!
//! After a step, `#{p | F : t}` is the sum of t over all processes p for which F holds then. For a process that the
//! step does not name, F holds afterwards where some formula W holds before, and t is then what a term u is
//! before: W and u are the same for all these. So the new value is `#{p | W : u}`, and for each process z that the
//! step names, t(z) more if F holds for it afterwards, and u(z) less if W holds for it before. Mostly W is F, and u
//! is t.

use super::equivalence::{merged, shortened};
use super::situation::Situation;
use super::{Count, symbol_id};
use crate::formula::{Access, Comparison, Formula, Linear, Relation, Term, Variable, VariableId, ids};
use crate::number::Number;
use crate::span::Origin;
use crate::system::{Branch, Init, Processes, System, Transition, Update, Value};

/// How many conditions may decide what a count becomes.
const MAX_CONDITIONS: usize = 6;

/// How many parts a formula has that is counted, at most.
const MAX_SIZE: usize = 100;

/// How many cases a term has after a step, at most.
const MAX_CASES: usize = 64;

/// A count, and a transition that does something to it that is too complicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfollowed {
    /// Where the count is written.
    pub origin: Origin,
    /// The number of the transition; none if there are too many counts.
    pub transition: Option<usize>,
}

/// Adds updates of all counts, and what they are in the beginning; and more counts where that takes some.
pub(super) fn follow(system: &mut System) -> Result<(), Unfollowed> {
    let mut at = 0;
    while at < system.counts.len() {
        let origin = system.counts[at].origin;
        if system.counts.len() > Count::MOST {
            return Err(Unfollowed { origin, transition: None });
        }
        for number in 0..system.transitions.len() {
            let update = update(system, at, number);
            let update = update.ok_or(Unfollowed { origin, transition: Some(number) })?;
            system.transitions[number].updates.extend(update);
        }
        if let Some(init) = initially(system, at) {
            system.counts[at].is_known_initially = true;
            system.init.push(init);
        }
        at += 1;
    }
    Ok(())
}

/// The update of a count, if it changes; nothing if it cannot be followed.
fn update(system: &mut System, at: usize, transition: usize) -> Option<Option<Update>> {
    let (count, symbol) = (system.counts[at].clone(), symbol_id(system.declared() + at));
    let step = system.transitions[transition].clone();
    if !is_touched(system, &count, &step) {
        return Some(None);
    }
    let parameters = ids(&step.parameters);
    let free = free_variable(&step);
    let indices: Vec<Variable> = (count.indices.iter().zip(free..))
        .map(|(index, id)| Variable { id: VariableId(id), ..index.clone() })
        .collect();
    let own = Access { symbol, indices: variables(&ids(&indices)) };
    let mut branches = Vec::new();
    let add = |branches: &mut Vec<Branch>, condition: Formula, value: Linear| {
        let value = Value::Term(value.into());
        branches.push(Branch { condition, value, origin: Origin::default() });
    };
    let otherwise = match &indices[..] {
        [] => {
            let cases = new_values(system, &count, &step, &[], &parameters)?;
            let (last, first) = cases.split_last().expect("there is a case at least");
            first.iter().for_each(|(when, value)| add(&mut branches, when.clone(), value.clone()));
            last.1.clone()
        }
        [index] => {
            // The index may be one of the processes that the step names.
            for &parameter in &parameters {
                let (left, right) = (Term::Variable(index.id), Term::Variable(parameter));
                let same = Formula::compare_processes(left, Relation::Equal, right, Origin::default());
                for (when, value) in new_values(system, &count, &step, &[parameter], &parameters)? {
                    add(&mut branches, Formula::and([same.clone(), when]), value);
                }
            }
            let named: Vec<VariableId> = parameters.iter().copied().chain([index.id]).collect();
            let cases = new_values(system, &count, &step, &[index.id], &named)?;
            let (last, first) = cases.split_last().expect("there is a case at least");
            first.iter().for_each(|(when, value)| add(&mut branches, when.clone(), value.clone()));
            last.1.clone()
        }
        _ => return None,
    };
    let stays =
        |value: &Value| matches!(value, Value::Term(Term::Linear(one)) if one.as_access() == Some(&own));
    let update = Update {
        symbol,
        indices,
        branches,
        otherwise: Value::Term(otherwise.into()),
        origin: Origin::default(),
    };
    let is_needed = !update.values().all(stays);
    Some(is_needed.then_some(update))
}

/// Whether the step updates something that the count speaks of.
fn is_touched(system: &System, count: &Count, step: &Transition) -> bool {
    let declared = system.declared();
    let mut is_touched = false;
    let mut look = |access: &Access| {
        debug_assert!((access.symbol.0 as usize) < declared, "no count mentions another one");
        is_touched |= step.updates.iter().any(|update| update.symbol == access.symbol);
    };
    count.formula.for_each_access(&mut look);
    count.summand.terms.iter().for_each(|(_, access)| look(access));
    is_touched
}

/// What a count is after a step, by cases: what decides, and the value. The last case is what is left. Of the
/// `named` processes, which are different, the count speaks of those in place of its indices.
fn new_values(
    system: &mut System,
    count: &Count,
    step: &Transition,
    indices: &[VariableId],
    named: &[VariableId],
) -> Option<Vec<(Formula, Linear)>> {
    let cases = new_values_where(system, count, step, (indices, named), &[])?;
    Some(merged(system, cases))
}

/// The same where some comparisons hold.
fn new_values_where(
    system: &mut System,
    count: &Count,
    step: &Transition,
    (indices, named): (&[VariableId], &[VariableId]),
    assumed: &[Comparison],
) -> Option<Vec<(Formula, Linear)>> {
    let other = VariableId(free_variable(step) + 1);
    let index_terms = variables(indices);
    let after =
        |process: VariableId| before_step(step, &count.holds_for(&index_terms, &Term::Variable(process)));
    let worth =
        |process: VariableId| cases_of(step, &count.worth(&index_terms, &Term::Variable(process)).into());
    let known = |distinct: Vec<VariableId>| {
        let mut situation = Situation::of_distinct(distinct);
        situation.assume(system, &step.guard);
        assumed.iter().for_each(|one| situation.assume(system, &Formula::Compare(one.clone())));
        situation
    };
    let here = known(named.to_vec());
    // What holds for a process that is not named.
    let apart = known(named.iter().copied().chain([other]).collect());
    let others = shortened(system, apart.simplified(&after(other)?));
    if others.size() > MAX_SIZE {
        return None;
    }
    // What is the same for all of them is told apart first.
    if let Some(open) = same_for_all(&others, other) {
        if assumed.len() == MAX_CONDITIONS {
            return None;
        }
        let mut cases = Vec::new();
        for one in [open.clone(), open.negated()] {
            let assumed = [assumed, std::slice::from_ref(&one)].concat();
            for (when, value) in new_values_where(system, count, step, (indices, named), &assumed)? {
                cases.push((Formula::and([Formula::Compare(one.clone()), when]), value));
            }
        }
        return Some(cases);
    }
    let mut summands = worth(other)?;
    summands.retain(|(when, _)| apart.simplified(when) != Formula::FALSE);
    let summand = match &summands[..] {
        [(_, Term::Linear(summand))] => (**summand).clone(),
        _ if others == Formula::FALSE => Linear::constant(Number::ZERO),
        _ => return None,
    };
    let total = match &others {
        Formula::Constant(false) => Linear::constant(Number::ZERO),
        Formula::Constant(true) if summand.as_constant().is_some() => {
            system.number_of_processes().scaled(&summand.constant)
        }
        others => {
            let mut mentioned = free_variables(others);
            let compared = Formula::compare_integers(summand.clone(), Relation::Equal, summand.clone());
            mentioned.extend(free_variables(&compared));
            let mut has_count = false;
            let mut look = |access: &Access| has_count |= system.count(access.symbol).is_some();
            others.for_each_access(&mut look);
            summand.terms.iter().for_each(|(_, access)| look(access));
            let is_foreign = |variable: &VariableId| *variable != other && !indices.contains(variable);
            if has_count || mentioned.iter().any(is_foreign) {
                return None;
            }
            let counted = Variable { id: other, ..count.variable.clone() };
            let spoken: Vec<VariableId> =
                indices.iter().copied().filter(|index| mentioned.contains(index)).collect();
            // Where each adds the same: all, but those for which something simpler holds, namely the contrary.
            let simpler = shortened(system, Formula::not(others.clone()));
            let mut total = |of: &Formula| {
                let total = Count::sum(of, &summand, &spoken, &counted, count.origin);
                Linear::access(Access { symbol: system.intern(total), indices: variables(&spoken) })
            };
            match summand.as_constant() {
                Some(each) if simpler.size() < others.size() => {
                    let but = total(&simpler).scaled(&Number::from(-1));
                    Linear::sum([system.number_of_processes().scaled(each), but])
                }
                _ => total(others),
            }
        }
    };
    let mut sum = vec![total];
    let mut conditions: Vec<(Formula, Linear)> = Vec::new();
    for &process in named {
        let said_of = |variable: VariableId| (variable == other).then_some(Term::Variable(process));
        let mut parts =
            vec![(others.substituted(&said_of), summand.substituted(&said_of).scaled(&Number::from(-1)))];
        for (when, value) in worth(process)? {
            let Term::Linear(value) = value else { unreachable!("numeric terms are linear") };
            parts.push((Formula::and([after(process)?, when]), *value));
        }
        for (formula, worth) in parts {
            let (formula, worth) = match here.simplified(&formula) {
                Formula::Constant(false) => continue,
                Formula::Constant(true) => {
                    sum.push(worth);
                    continue;
                }
                // What holds unless F does adds as much as always, less what F would add.
                Formula::Not(inner) => {
                    sum.push(worth.clone());
                    (*inner, worth.scaled(&Number::from(-1)))
                }
                Formula::Compare(one) if one.relation == Relation::NotEqual => {
                    sum.push(worth.clone());
                    (Formula::Compare(one.negated()), worth.scaled(&Number::from(-1)))
                }
                formula => (formula, worth),
            };
            match conditions.iter_mut().find(|(known, _)| *known == formula) {
                Some((_, known)) => *known = Linear::sum([known.clone(), worth]),
                None => conditions.push((formula, worth)),
            }
        }
    }
    conditions.retain(|(_, worth)| worth.as_constant().is_none_or(|number| !number.is_zero()));
    if conditions.len() > MAX_CONDITIONS {
        return None;
    }
    let total = Linear::sum(sum);
    let mut cases = Vec::new();
    for choice in (0..1usize << conditions.len()).rev() {
        let chosen = |at: usize| choice >> at & 1 == 1;
        let parts = conditions.iter().enumerate().map(|(at, (formula, _))| match chosen(at) {
            true => formula.clone(),
            false => Formula::not(formula.clone()),
        });
        let when = here.simplified(&Formula::and(parts));
        let more = (0..conditions.len()).filter(|&at| chosen(at)).map(|at| conditions[at].1.clone());
        let value = Linear::sum([total.clone()].into_iter().chain(more));
        // The last case, in which no condition holds, is what is left.
        if when != Formula::FALSE || choice == 0 {
            cases.push((when, value));
        }
    }
    Some(cases)
}

/// A comparison in a formula that is not about a process.
fn same_for_all(formula: &Formula, process: VariableId) -> Option<Comparison> {
    let mut found = None;
    formula.for_each_comparison(&mut |comparison| {
        if found.is_none() && !free_variables(&Formula::Compare(comparison.clone())).contains(&process) {
            found = Some(comparison.clone());
        }
    });
    found
}

/// A formula of the state before a step that holds where the given one holds after it; none where that
/// depends on what a `?` chooses, or is too complicated.
fn before_step(step: &Transition, formula: &Formula) -> Option<Formula> {
    let before = formula.try_replace(&mut |comparison| {
        let mut cases = Vec::new();
        for (when, left) in cases_of(step, &comparison.left)? {
            for (and, right) in cases_of(step, &comparison.right)? {
                let compared =
                    Formula::Compare(Comparison { left: left.clone(), right, ..comparison.clone() });
                cases.push(Formula::and([when.clone(), and, compared]));
            }
        }
        (cases.len() <= MAX_CASES).then(|| Formula::or(cases))
    });
    before.filter(|before| before.size() <= MAX_CASES * MAX_SIZE)
}

/// What a term is after a step, in terms of the state before: cases of which exactly one holds.
fn cases_of(step: &Transition, term: &Term) -> Option<Vec<(Formula, Term)>> {
    match term {
        Term::Variable(_) | Term::Process(_) | Term::Constructor(..) => {
            Some(vec![(Formula::TRUE, term.clone())])
        }
        Term::Access(access) => cases_of_access(step, access, false),
        Term::Linear(linear) => {
            let mut cases = vec![(Formula::TRUE, Linear::constant(linear.constant.clone()))];
            for (factor, access) in &linear.terms {
                let mut more = Vec::new();
                for (and, value) in cases_of_access(step, access, true)? {
                    let Term::Linear(value) = value else { unreachable!("numeric terms are linear") };
                    for (when, sum) in &cases {
                        let sum = Linear::sum([sum.clone(), (*value).clone().scaled(factor)]);
                        more.push((Formula::and([when.clone(), and.clone()]), sum));
                    }
                }
                if more.len() > MAX_CASES {
                    return None;
                }
                cases = more;
            }
            Some(cases.into_iter().map(|(when, sum)| (when, sum.into())).collect())
        }
    }
}

fn cases_of_access(step: &Transition, access: &Access, is_number: bool) -> Option<Vec<(Formula, Term)>> {
    let mut indices = vec![(Formula::TRUE, Vec::new())];
    for index in &access.indices {
        let mut more = Vec::new();
        for (and, term) in cases_of(step, index)? {
            for (when, terms) in &indices {
                let mut terms = terms.clone();
                terms.push(term.clone());
                more.push((Formula::and([when.clone(), and.clone()]), terms));
            }
        }
        if more.len() > MAX_CASES {
            return None;
        }
        indices = more;
    }
    let update = step.updates.iter().find(|update| update.symbol == access.symbol);
    let mut cases = Vec::new();
    for (when, indices) in indices {
        let Some(update) = update else {
            let access = Access { symbol: access.symbol, indices };
            let term = if is_number { Linear::access(access).into() } else { Term::Access(access) };
            cases.push((when, term));
            continue;
        };
        let at = |variable: VariableId| {
            let position = update.indices.iter().position(|index| index.id == variable)?;
            Some(indices[position].clone())
        };
        let mut rest = when;
        for branch in &update.branches {
            // A quantifier would bind its variable once for each case.
            if branch.condition.has_quantifier() {
                return None;
            }
            let Value::Term(value) = &branch.value else { return None };
            let condition = branch.condition.substituted(&at);
            cases.push((Formula::and([rest.clone(), condition.clone()]), value.substituted(&at)));
            rest = Formula::and([rest, Formula::not(condition)]);
        }
        let Value::Term(value) = &update.otherwise else { return None };
        cases.push((rest, value.substituted(&at)));
    }
    (cases.len() <= MAX_CASES).then_some(cases)
}

/// What a count is in the beginning, if `init` says the same of all processes.
fn initially(system: &mut System, at: usize) -> Option<Init> {
    let count = system.counts[at].clone();
    let process = count.variable.id;
    let indices = ids(&count.indices);
    // The index may be the process itself, or another one.
    // What each of them adds.
    let mut each: Option<Number> = None;
    for index in [None].into_iter().chain(indices.iter().map(|&index| Some(index))) {
        let process = index.unwrap_or(process);
        let mut spoken: Vec<VariableId> = indices.iter().copied().chain([process]).collect();
        spoken.dedup();
        let mut here = Situation::of_distinct(spoken.clone());
        for init in system.written_init() {
            // Each parameter stands for all of them.
            let choices = spoken.len().checked_pow(u32::try_from(init.parameters.len()).ok()?)?;
            for choice in 0..choices.min(MAX_CASES) {
                let stands_for = |variable: VariableId| {
                    let at = init.parameters.iter().position(|parameter| parameter.id == variable)?;
                    let digit = choice / spoken.len().pow(u32::try_from(at).ok()?) % spoken.len();
                    Some(Term::Variable(spoken[digit]))
                };
                let conjuncts = init.formula.conjuncts().iter().filter(|one| !one.has_quantifier());
                let said = Formula::and(conjuncts.map(|conjunct| conjunct.substituted(&stands_for)));
                here.assume(system, &said);
            }
        }
        let (indices, process) = (variables(&indices), Term::Variable(process));
        let Formula::Constant(holds) = here.simplified(&count.holds_for(&indices, &process)) else {
            return None;
        };
        let worth = if holds { here.value(&count.worth(&indices, &process))? } else { Number::ZERO };
        if each.as_ref().is_some_and(|each| *each != worth) {
            return None;
        }
        each = Some(worth);
    }
    let each = each?;
    // All processes: this count is that number.
    if count.formula == Formula::TRUE && count.is_number() && system.processes == Processes::Any {
        return None;
    }
    let value = match each.is_zero() {
        true => Linear::constant(Number::ZERO),
        false => system.number_of_processes().scaled(&each),
    };
    let symbol = symbol_id(system.declared() + at);
    let own = Linear::access(Access { symbol, indices: variables(&indices) });
    // It may count all processes, in other words.
    if own == value {
        return None;
    }
    let formula = Formula::compare_integers(own, Relation::Equal, value);
    Some(Init { parameters: count.indices, formula, origin: Origin::default() })
}

fn variables(indices: &[VariableId]) -> Vec<Term> {
    indices.iter().map(|&index| Term::Variable(index)).collect()
}

fn free_variables(formula: &Formula) -> Vec<VariableId> {
    let mut found = Vec::new();
    formula.for_each_mentioned(&mut |variable| found.push(variable));
    found
}

/// A number from which on no variable of a transition is numbered.
fn free_variable(step: &Transition) -> u32 {
    let mut next = 0;
    let mut note = |variable: VariableId| {
        next = next.max(variable.0 + 1);
        variable
    };
    step.parameters.iter().for_each(|parameter| _ = note(parameter.id));
    step.guard.clone().rename(&mut note);
    step.updates.iter().for_each(|update| update.clone().rename(&mut note));
    next
}
