//! Clauses with a premise in common, as one formula.

use std::collections::{BTreeMap, BTreeSet};

use polycube_certificate::{Clause, Invariant, Obligation};
use polycube_engine::backward::Witnesses;
use polycube_induction::{Effort, Induction};
use polycube_language::System;
use polycube_language::formula::{Formula, Variable, VariableId};
use polycube_language::span::Origin;

use crate::literal::{anonymous, bound_apart, literals, numbered, variables};
use crate::proof::{Proof, about};
use crate::shrink::shrink_a_bit;
use crate::values::Values;

/// Why a formula is there: what it is needed for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// It excludes states of this property.
    Property(usize),
    /// Steps of this transition preserve the formula with this number because of it.
    Formula {
        /// The number of the formula.
        formula: usize,
        /// The number of the transition.
        transition: usize,
    },
}

/// What follows from a premise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conclusion {
    /// Processes that the premise does not speak of: it follows for all of them, if they differ from each
    /// other and from those of the premise.
    pub others: Vec<Variable>,
    /// What follows: at least one of these.
    pub holds: Vec<Formula>,
}

/// A premise, and all that follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeanFormula {
    /// The processes of the premise, which differ.
    pub parameters: Vec<Variable>,
    /// The premise; nothing if the conclusions hold in any case.
    pub premise: Option<Formula>,
    /// What follows.
    pub conclusions: Vec<Conclusion>,
    /// What it is needed for, properties first.
    pub needed_for: Vec<Needs>,
}

impl LeanFormula {
    /// The clauses that it stands for, one for each conclusion.
    pub fn clauses(&self) -> Vec<Clause> {
        let clause = |conclusion: &Conclusion| {
            let fails = conclusion.holds.iter().cloned().map(Formula::not);
            let never = Formula::and(self.premise.iter().cloned().chain(fails));
            Clause { parameters: [&self.parameters[..], &conclusion.others].concat(), never }
        };
        self.conclusions.iter().map(clause).collect()
    }

    /// How many literals it has.
    pub fn literals(&self) -> usize {
        let conclusions = self.conclusions.iter().map(|conclusion| conclusion.holds.len());
        usize::from(self.premise.is_some()) + conclusions.sum::<usize>()
    }
}

/// An invariant as formulas.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// The formulas, in an order in which each needs only later ones, as far as they do not need each other.
    pub formulas: Vec<LeanFormula>,
}

impl Formulas {
    /// The formulas of an invariant; nothing if it is not proved with this effort.
    pub fn of(system: &System, invariant: &Invariant, effort: &Effort<'_>) -> Option<Formulas> {
        let (invariant, needs) = Proof::new(system, invariant.clone(), effort)?.into_parts();
        let groups = folded(system, groups(&invariant.clauses));
        let mut group_of = vec![0; invariant.clauses.len()];
        for (number, group) in groups.iter().enumerate() {
            group.clauses.iter().for_each(|&clause| group_of[clause] = number);
        }
        // What each group is needed for, as numbers of groups.
        let mut needed_for: Vec<BTreeSet<Needs>> = vec![BTreeSet::new(); groups.len()];
        for (obligation, clauses) in &needs {
            let user = match (*obligation, about(*obligation)) {
                (Obligation::Excludes { property }, _) => Needs::Property(property),
                (Obligation::Preserved { transition, .. }, Some(clause)) => {
                    Needs::Formula { formula: group_of[clause], transition }
                }
                _ => continue,
            };
            for &clause in clauses {
                let group = group_of[clause];
                if !matches!(user, Needs::Formula { formula, .. } if formula == group) {
                    needed_for[group].insert(user.clone());
                }
            }
        }
        let order = order(&needed_for);
        let place: BTreeMap<usize, usize> =
            order.iter().enumerate().map(|(place, &group)| (group, place)).collect();
        let names = names_for(system, &invariant);
        let formulas = order.iter().map(|&group| {
            let needed_for = needed_for[group].iter().map(|needs| match needs {
                Needs::Property(property) => Needs::Property(*property),
                Needs::Formula { formula, transition } => {
                    Needs::Formula { formula: place[formula], transition: *transition }
                }
            });
            let needed_for: BTreeSet<Needs> = needed_for.collect();
            let mut formula = groups[group].formula(system, &invariant.clauses, &names);
            formula.needed_for = needed_for.into_iter().collect();
            formula
        });
        Some(Formulas { formulas: formulas.collect() })
    }

    /// The formulas of clauses of which it is not said what each is needed for.
    pub fn grouped(system: &System, invariant: &Invariant) -> Formulas {
        let names = names_for(system, invariant);
        let groups = folded(system, groups(&invariant.clauses));
        let formulas = groups.iter().map(|group| group.formula(system, &invariant.clauses, &names));
        Formulas { formulas: formulas.collect() }
    }

    /// The formulas of an invariant that is proved, with hints, and made smaller as long as few obligations are
    /// proved again. Nothing if the proof is not complete. What `witnesses` contradict is not tried.
    pub fn of_proof(
        system: &System,
        invariant: &Invariant,
        induction: Induction,
        questions: usize,
        witnesses: &Witnesses<'_>,
        effort: &Effort<'_>,
    ) -> Option<Formulas> {
        let smaller = shrink_a_bit(system, invariant, induction, questions, witnesses, effort)?;
        Some(Formulas::grouped(system, &smaller))
    }

    /// How many literals all formulas have.
    pub fn literals(&self) -> usize {
        self.formulas.iter().map(LeanFormula::literals).sum()
    }
}

/// Clauses with a premise in common.
struct Group {
    /// A literal, with variables that are numbered in the order of its text.
    premise: Option<Formula>,
    clauses: Vec<usize>,
}

/// Groups for all clauses, as few as a greedy choice finds: again and again the premise that most of the
/// remaining clauses have. Clauses of one literal have no premise.
fn groups(clauses: &[Clause]) -> Vec<Group> {
    let mut left: BTreeSet<usize> = (0..clauses.len()).collect();
    let mut groups = Vec::new();
    let bare: Vec<usize> =
        left.iter().copied().filter(|&clause| literals(&clauses[clause]).len() == 1).collect();
    if !bare.is_empty() {
        left.retain(|clause| !bare.contains(clause));
        groups.push(Group { premise: None, clauses: bare });
    }
    while !left.is_empty() {
        // A list, not a map: formulas have no order. There are few of them.
        let mut found: Vec<(Formula, Vec<usize>)> = Vec::new();
        for &clause in &left {
            for literal in literals(&clauses[clause]) {
                if literal.has_quantifier() {
                    continue;
                }
                let literal = anonymous(literal);
                match found.iter_mut().find(|(known, _)| *known == literal) {
                    Some((_, with)) if with.last() == Some(&clause) => {}
                    Some((_, with)) => with.push(clause),
                    None => found.push((literal, vec![clause])),
                }
            }
        }
        // Of equally frequent ones, the first.
        let best = found.into_iter().rev().max_by_key(|(_, with)| with.len());
        let (premise, with) = match best {
            Some((premise, with)) => (Some(premise), with),
            None => (None, left.iter().copied().collect()),
        };
        left.retain(|clause| !with.contains(clause));
        groups.push(Group { premise, clauses: with });
    }
    groups
}

/// The groups without those of a single clause whose premise is a special case of another one: it says the
/// same under that one, with a conclusion that the special case does not hold, or that. (Of several clauses
/// that would be hard to read.)
fn folded(system: &System, mut groups: Vec<Group>) -> Vec<Group> {
    let mut at = 0;
    while at < groups.len() {
        let special = groups[at].premise.clone().filter(|_| groups[at].clauses.len() == 1);
        let wider = special.and_then(|special| {
            groups.iter().position(|group| {
                group
                    .premise
                    .as_ref()
                    .is_some_and(|premise| *premise != special && covers(system, premise, &special))
            })
        });
        match wider {
            Some(wider) => {
                let clauses = std::mem::take(&mut groups[at].clauses);
                groups[wider].clauses.extend(clauses);
                groups.remove(at);
            }
            None => at += 1,
        }
    }
    groups
}

/// Whether two literals are about the same cell, and the first one allows all values that the second one
/// does.
fn covers(system: &System, premise: &Formula, special: &Formula) -> bool {
    let (Some(wide), Some(narrow)) = (Values::of(system, premise), Values::of(system, special)) else {
        return false;
    };
    wide.access == narrow.access && narrow.values.is_subset(&wide.values)
}

/// An order in which each needs only later ones, as far as there is one: those that need each other stand
/// together. Among these, and among those that do not concern each other, those first that properties need,
/// then what these need, and so on.
fn order(needed_for: &[BTreeSet<Needs>]) -> Vec<usize> {
    let users = |group: usize| {
        needed_for[group].iter().filter_map(|needs| match needs {
            Needs::Property(_) => None,
            Needs::Formula { formula, .. } => Some(*formula),
        })
    };
    let near = nearest_first(needed_for);
    // For each group, all that need it, directly or not.
    let mut above: Vec<BTreeSet<usize>> = (0..needed_for.len()).map(|group| users(group).collect()).collect();
    loop {
        let wider = above.iter().map(|set| set.iter().flat_map(|user| &above[*user]).chain(set).copied());
        let wider: Vec<BTreeSet<usize>> = wider.map(Iterator::collect).collect();
        if wider == above {
            break;
        }
        above = wider;
    }
    let mut order: Vec<usize> = Vec::new();
    while order.len() < needed_for.len() {
        // What needs it is there already, or is needed by it.
        let is_next = |group: &usize| {
            !order.contains(group)
                && above[*group].iter().all(|user| order.contains(user) || above[*user].contains(group))
        };
        let next = *near.iter().find(|group| is_next(group)).expect("the needs of what is left have a top");
        let together =
            |group: &usize| *group == next || above[*group].contains(&next) && above[next].contains(group);
        order.extend(near.iter().copied().filter(together));
    }
    order
}

/// Those that properties need, then what these need, and so on.
fn nearest_first(needed_for: &[BTreeSet<Needs>]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < needed_for.len() {
        let is_next = |group: &usize| {
            needed_for[*group].iter().any(|needs| match needs {
                Needs::Property(_) => true,
                Needs::Formula { formula, .. } => order.contains(formula),
            })
        };
        let rest = (0..needed_for.len()).filter(|group| !order.contains(group));
        let mut next: Vec<usize> = rest.clone().filter(is_next).collect();
        if next.is_empty() {
            next = rest.collect();
        }
        order.extend(next);
    }
    order
}

/// Names for so many processes at least: those of the parameters of properties, and then others.
pub(crate) fn names(system: &System, count: usize) -> Vec<String> {
    let own = system.properties.iter().max_by_key(|property| property.parameters.len());
    let own =
        own.into_iter().flat_map(|property| &property.parameters).map(|parameter| parameter.name.clone());
    let mut names: Vec<String> = own.collect();
    let others = ('p'..='z').map(String::from).chain((1..).map(|number| format!("z{number}")));
    for name in others {
        if names.len() >= count {
            break;
        }
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Names for the processes of each clause, and one more: for a process that is bound.
fn names_for(system: &System, invariant: &Invariant) -> Vec<String> {
    let most = invariant.clauses.iter().map(|clause| clause.parameters.len()).max().unwrap_or(0);
    names(system, most + 1)
}

impl Group {
    fn formula(&self, system: &System, clauses: &[Clause], names: &[String]) -> LeanFormula {
        let variable =
            |at: usize| Variable { id: numbered(at), name: names[at].clone(), origin: Origin::default() };
        let most = self.clauses.iter().map(|&clause| clauses[clause].parameters.len()).max().unwrap_or(0);
        let of_premise = match &self.premise {
            Some(premise) => variables(premise).len(),
            // Without a premise, all speak of the same processes.
            None => 0,
        };
        let conclusions = self.clauses.iter().map(|&clause| {
            let clause = &clauses[clause];
            let all = literals(clause);
            let find = |is: &dyn Fn(&Formula, &Formula) -> bool| {
                let premise = self.premise.as_ref()?;
                all.iter().position(|literal| !literal.has_quantifier() && is(premise, &anonymous(literal)))
            };
            let premise = find(&|premise, literal| premise == literal);
            // A special case of it remains to be said.
            let start = premise.or_else(|| find(&|premise, literal| covers(system, premise, literal)));
            let first = start.map_or_else(Vec::new, |at| variables(&all[at]));
            let rest =
                clause.parameters.iter().map(|parameter| parameter.id).filter(|id| !first.contains(id));
            let order: Vec<VariableId> = first.iter().copied().chain(rest).collect();
            let holds = all.iter().enumerate().filter(|(at, _)| Some(*at) != premise).map(|(_, literal)| {
                let mut literal = literal.clone();
                bound_apart(&mut literal);
                literal.rename(&mut |id| order.iter().position(|known| *known == id).map_or(id, numbered));
                if let Formula::Quantified(quantified) = &mut literal {
                    quantified.variable.name.clone_from(&names[order.len()]);
                }
                Formula::not(literal)
            });
            let others = (of_premise..order.len()).map(variable).collect();
            Conclusion { others, holds: holds.collect() }
        });
        debug_assert!(most <= names.len(), "there are names for all parameters");
        LeanFormula {
            parameters: (0..of_premise).map(variable).collect(),
            premise: self.premise.clone(),
            conclusions: conclusions.collect(),
            needed_for: Vec::new(),
        }
    }
}
