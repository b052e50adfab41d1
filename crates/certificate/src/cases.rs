//! Which processes a question about an obligation has to speak of, so that no case is left out.

use std::collections::BTreeSet;

use polycube_language::formula::{Formula, Quantified, Quantifier, Variable, VariableId};
use polycube_language::system::{Processes, Transition};

use crate::tuples::distinct_tuples;

/// The variables of the existential quantifiers that [depend](depends) on no universal one around them, in the order of
/// the formula, or of its negation unless `holds`. (Under a negation, the two change places.) Each may be
/// replaced by a fresh constant: if its part of the formula holds, the constant is such a process; if not, it
/// is any process. A part of an equivalence, and a condition, may hold or fail: every quantifier in it is
/// existential in one of the two cases, and is to be replaced there only.
pub fn witnesses(formula: &Formula, holds: bool) -> Vec<&Variable> {
    let mut found = Vec::new();
    collect_witnesses(formula, Some(holds), true, &mut Vec::new(), &mut found);
    found
}

/// Those that are no part of an equivalence or a condition: they may be replaced wherever they stand.
pub fn plain_witnesses(formula: &Formula, holds: bool) -> Vec<&Variable> {
    let mut found = Vec::new();
    collect_witnesses(formula, Some(holds), false, &mut Vec::new(), &mut found);
    found
}

/// Whether the process of which a quantifier says that it exists is another one for other processes in place of these
/// variables. If not, one will do: `forall q. A[q] && exists r. B[r]` speaks of one `r`.
pub fn depends(quantified: &Quantified, variables: &[VariableId]) -> bool {
    let mut found = false;
    quantified.body.for_each_mentioned(&mut |mentioned| found |= variables.contains(&mentioned));
    found
}

/// Adds the variables of all quantifiers in a formula that depend on these, or on one that does.
pub fn add_dependent(formula: &Formula, variables: &mut Vec<VariableId>) {
    if let Formula::Quantified(quantified) = formula
        && depends(quantified, variables)
    {
        variables.push(quantified.variable.id);
    }
    formula.parts().iter().for_each(|part| add_dependent(part, variables));
}

/// How many quantifiers of updates are decided by a process of their own, at most.
const MAX_DECIDING: usize = 4;

/// Quantified parts of the conditions of updates that are the same for all cells: whether one holds is decided by a
/// process that has a name then. What depends on the cell that changes has no such process for all cells.
pub fn deciding(transition: &Transition) -> Vec<&Quantified> {
    let mut quantified = Vec::new();
    for update in &transition.updates {
        update.branches.iter().for_each(|branch| outermost(&branch.condition, &mut quantified));
    }
    let is_closed = |one: &&Quantified| {
        let mut free = BTreeSet::new();
        one.body.for_each_mentioned(&mut |variable| _ = free.insert(variable));
        let mut bound = BTreeSet::from([one.variable.id]);
        collect_bound(&one.body, &mut bound);
        bound.extend(transition.parameters.iter().map(|parameter| parameter.id));
        free.is_subset(&bound)
    };
    let mut closed: Vec<&Quantified> = Vec::new();
    for one in quantified.into_iter().filter(is_closed) {
        if !closed.contains(&one) {
            closed.push(one);
        }
    }
    closed.truncate(MAX_DECIDING);
    closed
}

/// The quantifiers of a formula that stand in no other.
fn outermost<'f>(said: &'f Formula, found: &mut Vec<&'f Quantified>) {
    match said {
        Formula::Quantified(one) => found.push(one),
        other => other.parts().iter().for_each(|part| outermost(part, found)),
    }
}

fn collect_bound(formula: &Formula, bound: &mut BTreeSet<VariableId>) {
    if let Formula::Quantified(one) = formula {
        bound.insert(one.variable.id);
    }
    formula.parts().iter().for_each(|part| collect_bound(part, bound));
}

/// Those of a formula that holds, or fails, or may do either. The variables that are `open` stand for any process.
fn collect_witnesses<'f>(
    formula: &'f Formula,
    holds: Option<bool>,
    may_be_either: bool,
    open: &mut Vec<VariableId>,
    found: &mut Vec<&'f Variable>,
) {
    let mut collect =
        |part: &'f Formula, holds: Option<bool>| collect_witnesses(part, holds, may_be_either, open, found);
    match formula {
        _ if holds.is_none() && !may_be_either => {}
        Formula::Constant(_) | Formula::Compare(_) => {}
        Formula::Not(part) => collect(part, holds.map(|holds| !holds)),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| collect(part, holds)),
        Formula::Iff(parts) => parts.iter().for_each(|part| collect(part, None)),
        Formula::IfThenElse(parts) => {
            collect(&parts[0], None);
            parts[1..].iter().for_each(|part| collect(part, holds));
        }
        Formula::Quantified(quantified) => {
            let Quantified { quantifier, variable, body, .. } = quantified;
            let exists = *quantifier == Quantifier::Exists;
            if holds.is_none_or(|holds| holds == exists) && !depends(quantified, open) {
                found.push(variable);
                collect_witnesses(body, Some(exists), may_be_either, open, found);
            } else {
                open.push(variable.id);
                collect_witnesses(body, holds, may_be_either, open, found);
                open.pop();
            }
        }
    }
}

/// The ways in which the parameters of a clause can stand for different processes: some of them for *named*
/// processes (the parameters of a transition), the rest for exactly `others` further ones. Processes are
/// numbered: 0 to `named - 1` are the named ones, then come the others. Which of the others stands for which
/// parameter does not matter, so they are taken in order. If the number of processes is fixed, all of them
/// have a number, and may stand for any parameter.
pub fn arrangements(
    processes: Processes,
    parameters: usize,
    named: u32,
    others: u32,
) -> Box<dyn Iterator<Item = Vec<u32>>> {
    match processes {
        Processes::Any => Box::new(Arrangements::new(parameters, named, others)),
        Processes::Exactly(count) => {
            let tuples = distinct_tuples(count, parameters);
            Box::new(tuples.map(|tuple| tuple.iter().map(|process| process - 1).collect()))
        }
    }
}

/// The arrangements for any number of processes, in lexicographic order. There may be very many of them: they
/// are made one after the other.
struct Arrangements {
    parameters: usize,
    named: u32,
    others: u32,
    next: Option<Vec<u32>>,
}

impl Arrangements {
    fn new(parameters: usize, named: u32, others: u32) -> Arrangements {
        let mut all = Arrangements { parameters, named, others, next: None };
        all.next = all.completed(Vec::new());
        all
    }

    /// The first arrangement that begins with these processes.
    fn completed(&self, mut tuple: Vec<u32>) -> Option<Vec<u32>> {
        while tuple.len() < self.parameters {
            tuple.push(self.choice(&tuple, 0)?);
        }
        Some(tuple)
    }

    /// The first process, from `from` on, that may come next in a tuple that can still be completed.
    fn choice(&self, tuple: &[u32], from: u32) -> Option<u32> {
        let mut others = self.named..self.named + self.others;
        let used = tuple.iter().filter(|process| others.contains(process)).count();
        // The parameters that remain are the others that remain, and different named ones.
        let other = others.nth(used);
        let (left, missing) = (self.parameters - tuple.len(), self.others as usize - used);
        let fits = missing <= left && left - missing <= self.named as usize - (tuple.len() - used);
        let named = (from..self.named).find(|process| left > missing && !tuple.contains(process));
        named.or(other.filter(|&other| other >= from)).filter(|_| fits)
    }
}

impl Iterator for Arrangements {
    type Item = Vec<u32>;

    fn next(&mut self) -> Option<Vec<u32>> {
        let current = self.next.take()?;
        let mut tuple = current.clone();
        while let Some(last) = tuple.pop() {
            if let Some(process) = self.choice(&tuple, last + 1) {
                tuple.push(process);
                self.next = self.completed(tuple);
                break;
            }
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_witness_will_do_for_all_processes_that_it_does_not_depend_on() {
        let names = |formula: &str| {
            let model =
                format!("array A[proc, proc] : bool init (p) {{ A[p, p] }} unsafe () {{ {formula} }}");
            let system = polycube_language::check(&model).system.expect("a model");
            let found = witnesses(&system.properties[0].formula, true);
            found.iter().map(|variable| variable.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names("forall a. A[a, a] && exists b. A[b, b]"), ["b"]);
        assert_eq!(names("forall a. exists b. A[a, b] && exists c. A[c, c]"), ["c"]);
        assert_eq!(names("forall a. exists b. A[b, b] && exists c. A[b, c]"), ["b", "c"]);
        assert!(names("forall a. exists b. A[a, b] && exists c. A[b, c]").is_empty());
        assert_eq!(names("exists a. forall b. exists c. A[a, c]"), ["a", "c"]);
        assert_eq!(names("forall a. A[a, a] <=> exists b. A[b, b]"), ["b"]);
    }

    /// `(forall a. exists b. ...) <=> not (exists c. forall d. ...)`: with `a`, if the left side fails, goes a
    /// process of which no `b` is known; with `c`, if the right side fails, one of which all `d` are.
    #[test]
    fn sides_of_an_equivalence_hold_or_fail() {
        let system = polycube_language::check(
            "array A[proc, proc] : bool\n\
             init (p q) { A[p, q] = False }\n\
             unsafe () { (forall a. exists b. A[a, b] = True) <=> not (exists c. forall d. A[c, d] = False) }",
        );
        let system = system.system.expect("a model");
        let names = |holds| {
            let found = witnesses(&system.properties[0].formula, holds);
            found.iter().map(|variable| variable.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(true), ["a", "c"]);
        assert_eq!(names(false), ["a", "c"]);
    }

    #[test]
    fn arrangements_of_parameters() {
        let arrangements =
            |parameters, named, others| Arrangements::new(parameters, named, others).collect::<Vec<_>>();
        assert_eq!(arrangements(0, 2, 0), [[0; 0]]);
        assert_eq!(arrangements(1, 2, 0), [[0], [1]]);
        assert_eq!(arrangements(1, 2, 1), [[2]]);
        assert_eq!(arrangements(2, 2, 0), [[0, 1], [1, 0]]);
        assert_eq!(arrangements(2, 2, 1), [[0, 2], [1, 2], [2, 0], [2, 1]]);
        assert_eq!(arrangements(2, 2, 2), [[2, 3]]);
        assert!(arrangements(2, 1, 0).is_empty());
        // Every way to identify 3 parameters with 2 others: 1 + 6 + 6 in all.
        assert_eq!((0..=3).map(|others| arrangements(3, 2, others).len()).sum::<usize>(), 13);
    }

    /// All tuples of different processes, with the others in order and without gaps.
    #[test]
    fn arrangements_are_all_tuples_that_fit() {
        for (parameters, named, others) in
            [(3, 2, 1), (3, 3, 2), (4, 2, 3), (4, 3, 2), (2, 0, 2), (2, 0, 3), (3, 4, 0)]
        {
            let fits = |tuple: &Vec<u32>| {
                let beyond: Vec<u32> = tuple.iter().copied().filter(|&process| process >= named).collect();
                beyond == (named..named + others).collect::<Vec<_>>()
            };
            let all = arrangements(Processes::Exactly(named + others), parameters, named, others);
            let expected: Vec<Vec<u32>> = all.filter(fits).collect();
            assert_eq!(Arrangements::new(parameters, named, others).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn the_first_of_very_many_arrangements_takes_no_time() {
        assert_eq!(Arrangements::new(40, 40, 20).take(1000).count(), 1000);
    }
}
