//! Quantifiers that stand inside others, pushed inwards, past what does not mention their variable.
//!
//! `forall q. A[q] && exists r. B[r]` is `(forall q. A[q]) && exists r. B[r]`, since there is always a process. That matters
//! to a search: what is said of two processes at once that are not named, it knows in part only
//! (`symbolic/others.rs`), and most formulas with a quantifier inside another one need not say it. Often nobody meant to:
//! a quantifier reaches as far to the right as it can.
//!
//! A formula none of whose quantifiers gets free of the one around it stays as it is written. (`init` holds for all
//! processes in place of its parameters, so there every quantifier is inside another one.)

use std::borrow::Cow;

use polycube_language::System;
use polycube_language::formula::{Formula, Quantified, Quantifier, VariableId};

/// How much larger a formula may become: what is distributed over something is written several times. What comes after that
/// stays where it is, which is as right, and known in part.
const GROWTH: usize = 1000;

/// The same system, in which quantifiers say no more than they have to.
pub fn narrowed(system: &System) -> Cow<'_, System> {
    if system.init.iter().all(|init| !init.formula.has_quantifier())
        && !system.formulas().any(has_nested_quantifiers)
    {
        return Cow::Borrowed(system);
    }
    let mut system = system.clone();
    let narrow = |formula: &mut Formula, is_inside: bool| {
        let narrowed = Scopes { left: GROWTH, is_inside }.outermost(formula);
        if narrowed.depth() <= Formula::MAX_DEPTH {
            *formula = narrowed;
        }
    };
    system.init.iter_mut().for_each(|init| narrow(&mut init.formula, true));
    system.properties.iter_mut().for_each(|property| narrow(&mut property.formula, false));
    for transition in &mut system.transitions {
        narrow(&mut transition.guard, false);
        let branches = transition.updates.iter_mut().flat_map(|update| &mut update.branches);
        branches.for_each(|branch| narrow(&mut branch.condition, false));
    }
    Cow::Owned(system)
}

fn has_nested_quantifiers(formula: &Formula) -> bool {
    match formula {
        Formula::Quantified(quantified) => quantified.body.has_quantifier(),
        _ => formula.parts().iter().any(has_nested_quantifiers),
    }
}

struct Scopes {
    /// How much larger the formula may become.
    left: usize,
    /// Whether the formula as a whole stands inside a quantifier.
    is_inside: bool,
}

impl Scopes {
    /// A formula, down to its outermost quantifiers.
    fn outermost(&mut self, formula: &Formula) -> Formula {
        match formula {
            Formula::Constant(_) | Formula::Compare(_) => formula.clone(),
            Formula::Not(part) => Formula::not(self.outermost(part)),
            Formula::And(parts) => Formula::and(parts.iter().map(|part| self.outermost(part))),
            Formula::Or(parts) => Formula::or(parts.iter().map(|part| self.outermost(part))),
            Formula::Iff(parts) => Formula::iff(self.outermost(&parts[0]), self.outermost(&parts[1])),
            Formula::IfThenElse(parts) => {
                let [condition, consequence, alternative] = &**parts;
                let (condition, consequence) = (self.outermost(condition), self.outermost(consequence));
                Formula::if_then_else(condition, consequence, self.outermost(alternative))
            }
            Formula::Quantified(quantified) => {
                let body = self.inner(&quantified.body, true);
                match self.is_inside || has_free_quantifier(&body, quantified.variable.id) {
                    true => self.pushed(quantified, quantified.quantifier, body),
                    false => formula.clone(),
                }
            }
        }
    }

    /// That a formula inside a quantifier holds, or that it does not: connectives of two kinds down to quantifiers, each of
    /// which is pushed inwards.
    fn inner(&mut self, formula: &Formula, holds: bool) -> Formula {
        if !formula.has_quantifier() {
            return if holds { formula.clone() } else { Formula::not(formula.clone()) };
        }
        match formula {
            Formula::Constant(_) | Formula::Compare(_) => unreachable!("no quantifier is in them"),
            Formula::Not(part) => self.inner(part, !holds),
            Formula::And(parts) | Formula::Or(parts) => {
                let parts = parts.iter().map(|part| self.inner(part, holds));
                join(matches!(formula, Formula::And(_)) == holds, parts)
            }
            Formula::Iff(parts) if self.may_grow(&parts[..]) => {
                let [left, right] = &**parts;
                let mut either = |left_holds: bool, right_holds: bool| {
                    Formula::or([self.inner(left, left_holds), self.inner(right, right_holds)])
                };
                Formula::and([either(true, !holds), either(false, holds)])
            }
            Formula::IfThenElse(parts) if self.may_grow(&parts[..1]) => {
                let [condition, consequence, alternative] = &**parts;
                let otherwise = Formula::or([self.inner(condition, true), self.inner(alternative, holds)]);
                let then = Formula::or([self.inner(condition, false), self.inner(consequence, holds)]);
                Formula::and([then, otherwise])
            }
            Formula::Iff(_) | Formula::IfThenElse(_) => {
                if holds {
                    formula.clone()
                } else {
                    Formula::not(formula.clone())
                }
            }
            Formula::Quantified(quantified) => {
                let quantifier = match (quantified.quantifier, holds) {
                    (Quantifier::Forall, true) | (Quantifier::Exists, false) => Quantifier::Forall,
                    (Quantifier::Exists, true) | (Quantifier::Forall, false) => Quantifier::Exists,
                };
                let body = self.inner(&quantified.body, holds);
                self.pushed(quantified, quantifier, body)
            }
        }
    }

    /// `forall q. body`, or `exists q. body`.
    fn pushed(&mut self, quantified: &Quantified, quantifier: Quantifier, body: Formula) -> Formula {
        let variable = quantified.variable.id;
        let quantify = |body: Formula| {
            Formula::Quantified(Quantified { quantifier, body: Box::new(body), ..quantified.clone() })
        };
        // There is always a process.
        if !mentions(&body, variable) {
            return body;
        }
        let (is_and, parts) = match body {
            Formula::And(parts) => (true, parts),
            Formula::Or(parts) => (false, parts),
            body => return quantify(body),
        };
        let (mut bound, mut joined): (Vec<Formula>, Vec<Formula>) =
            parts.into_iter().partition(|part| mentions(part, variable));
        let is_all = quantifier == Quantifier::Forall;
        if is_and == is_all {
            // A quantifier distributes over this. What has no quantifier of its own stays together.
            let (nested, plain): (Vec<Formula>, Vec<Formula>) =
                bound.into_iter().partition(Formula::has_quantifier);
            if !plain.is_empty() {
                joined.push(quantify(join(is_and, plain)));
            }
            joined.extend(nested.into_iter().map(|part| self.pushed(quantified, quantifier, part)));
            return join(is_and, joined);
        }
        let has_choices = |part: &Formula| match part {
            Formula::And(_) => is_all && part.has_quantifier(),
            Formula::Or(_) => !is_all && part.has_quantifier(),
            _ => false,
        };
        let choices = bound.iter().position(has_choices);
        joined.push(match choices.filter(|_| self.may_grow(&bound)) {
            Some(at) => {
                let (Formula::And(choices) | Formula::Or(choices)) = bound.remove(at) else {
                    unreachable!("it has choices")
                };
                let with = |choice| join(is_and, bound.iter().cloned().chain([choice]));
                let choices = choices.into_iter().map(with);
                join(is_all, choices.map(|part| self.pushed(quantified, quantifier, part)))
            }
            None => quantify(join(is_and, bound)),
        });
        join(is_and, joined)
    }

    /// Whether these may be written once more.
    fn may_grow(&mut self, formulas: &[Formula]) -> bool {
        let size = formulas.iter().map(Formula::size).sum();
        let left = self.left.checked_sub(size);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

fn join(is_and: bool, parts: impl IntoIterator<Item = Formula>) -> Formula {
    if is_and { Formula::and(parts) } else { Formula::or(parts) }
}

fn mentions(formula: &Formula, variable: VariableId) -> bool {
    let mut found = false;
    formula.for_each_mentioned(&mut |mentioned| found |= mentioned == variable);
    found
}

/// Whether a formula with a quantifier, and without the variable, is a part of the formula.
fn has_free_quantifier(formula: &Formula, variable: VariableId) -> bool {
    match formula {
        Formula::Quantified(_) => !mentions(formula, variable),
        _ => formula.parts().iter().any(|part| has_free_quantifier(part, variable)),
    }
}

#[cfg(test)]
mod tests {
    use polycube_certificate::{Instance, Orders, State, enabled, is_initial, successors, violates};
    use polycube_language::system::Processes;
    use polycube_testing::for_seeds;
    use polycube_testing::generate::{Profile, Random, random_system};

    use super::*;
    use crate::samples::Sample;

    fn model(init: &str, guard: &str) -> System {
        let text = format!(
            "array A[proc] : bool array B[proc] : bool array M[proc, proc] : bool var X : bool
             init (i) {{ {init} }} unsafe (i) {{ A[i] }} transition t (i) requires {{ {guard} }} {{ }}"
        );
        polycube_language::check(&text).system.expect("a model")
    }

    #[test]
    fn what_does_not_mention_the_variable_comes_out() {
        for (guard, narrow) in [
            ("forall q. A[q] && exists r. B[r]", "(exists r. B[r]) && forall q. A[q]"),
            ("forall q. A[q] || exists r. B[r]", "(exists r. B[r]) || forall q. A[q]"),
            ("forall q. forall r. A[q] || B[r]", "(forall r. B[r]) || forall q. A[q]"),
            ("exists q. A[q] && forall r. B[r]", "(forall r. B[r]) && exists q. A[q]"),
            ("forall q. exists r. A[q] && B[r]", "(exists r. B[r]) && forall q. A[q]"),
            ("not (exists q. A[q] && not (exists r. B[r]))", "not ((forall r. not B[r]) && exists q. A[q])"),
            (
                "forall q. q = i || A[q] && exists r. B[r]",
                "(forall q. q = i || A[q]) && ((exists r. B[r]) || forall q. q = i)",
            ),
            (
                "forall q. if A[q] then exists r. B[r] else X",
                "(forall q. A[q] || X) && ((exists r. B[r]) || forall q. not A[q])",
            ),
            (
                "forall q. (A[q] <=> exists r. B[r])",
                "((forall r. not B[r]) || forall q. A[q]) && ((exists r. B[r]) || forall q. not A[q])",
            ),
        ] {
            assert_eq!(narrowed(&model("X", guard)).to_source(), model("X", narrow).to_source());
        }
    }

    #[test]
    fn the_parameters_of_init_are_a_quantifier() {
        let (wide, narrow) =
            ("A[i] || exists r. r <> i && B[r] && X", "A[i] || X && exists r. r <> i && B[r]");
        assert_eq!(narrowed(&model(wide, "X")).to_source(), model(narrow, "X").to_source());
        assert!(matches!(narrowed(&model("A[i]", "exists r. B[r] && X")), Cow::Borrowed(_)));
    }

    #[test]
    fn what_cannot_come_out_is_left_as_it_is() {
        for guard in [
            "forall q. exists r. M[q, r]",
            "forall q. not (A[q] && forall r. not (M[q, r] && X))",
            "forall p <> q. A[p] && B[q]",
            "exists q. if A[q] then forall r. M[q, r] else X",
        ] {
            let system = model("X", guard);
            assert_eq!(*narrowed(&system), system);
        }
    }

    /// What is written several times would be written very often.
    #[test]
    fn formulas_do_not_explode() {
        let choice = |at: usize| format!("(A[q] && M[q, i] && exists r{at}. B[r{at}])");
        let choices: Vec<String> = (0..40).map(choice).collect();
        let system = model("X", &format!("forall q. {}", choices.join(" || ")));
        let size = |system: &System| system.transitions[0].guard.size();
        assert!(size(&narrowed(&system)) <= size(&system) + 3 * GROWTH);
    }

    #[test]
    fn random_systems_mean_the_same() {
        for_seeds!(3_000, |seed| {
            let mut random = Random::new(seed);
            let profile = [Profile::ALL, Profile::FINITE][seed as usize % 2].clone();
            let deep =
                Profile { max_dimensions: 2, max_symbols: 4, max_transitions: 2, max_depth: 4, ..profile };
            let system = random_system(random.number(), &deep);
            let narrow = narrowed(&system);
            let processes = match system.processes {
                Processes::Exactly(count) => count,
                Processes::Any => random.between(1, 3) as u32,
            };
            let Some(sample) = Sample::with(&system, processes, Orders::default()) else { return };
            let instances = [&system, &*narrow]
                .map(|system| Instance::new(system, processes, Orders::default()).expect("a small instance"));
            let same = |left: bool, what: &str, state: &State| {
                assert!(left, "{what} {state:?}\n{}\n{}", system.to_source(), narrow.to_source());
            };
            for _ in 0..5 {
                let state = sample.state(&mut random);
                let [wide, narrow] = &instances;
                let is_initial = |instance| is_initial(instance, &state).is_ok();
                same(is_initial(wide) == is_initial(narrow), "init in", &state);
                for at in 0..system.properties.len() {
                    let violated = |one: &Instance<'_>| violates(one, &one.system().properties[at], &state);
                    same(violated(wide) == violated(narrow), "unsafe in", &state);
                }
                for at in 0..system.transitions.len() {
                    let steps = |one: &Instance<'_>| {
                        let transition = &one.system().transitions[at];
                        let arguments = enabled(one, transition, &state);
                        let after = |arguments: &Vec<u32>| {
                            successors(one, transition, arguments, &state, &|ty| sample.choices(ty))
                        };
                        arguments.iter().map(after).collect::<Vec<_>>()
                    };
                    let is_listed = sample.has_few_steps();
                    same(!is_listed || steps(wide) == steps(narrow), "steps from", &state);
                }
            }
        });
    }
}
