//! Start states: `init`.
//!
//! Before a start state runs, everything is undefined. What it leaves is a formula; the initial states are those
//! of one start state or another, for some choice of its parameters.

use polycube_language::formula::{Formula, Quantifier, Relation, Term, Variable};
use polycube_language::span::Origin;
use polycube_language::system::{Init, Type as SystemType};

use super::counter::{linear, number_in};
use super::evaluate::quantified;
use super::execute::Activation;
use super::layout::{LeafId, Symbols};
use super::value::{Atom, cell, compare};
use super::{Result, Translator, refuse};

/// What a start state leaves, for some choice of its parameters.
struct StartState {
    /// Distinct processes.
    parameters: Vec<Variable>,
    /// The process with which its loops end.
    last: Option<Variable>,
    /// What it says of each leaf.
    says: Vec<Formula>,
}

impl StartState {
    /// Whether what it says of a leaf depends on what is chosen.
    fn chooses(&self, leaf: usize) -> bool {
        let mut found = false;
        self.says[leaf].for_each_mentioned(&mut |variable| {
            found |= self.parameters.iter().chain(&self.last).any(|parameter| parameter.id == variable);
        });
        found
    }
}

impl Translator<'_> {
    pub(super) fn start(&mut self) -> Result<()> {
        self.is_start = true;
        let mut all: Vec<StartState> = Vec::new();
        let leaves = self.leaves.len() as u32;
        let indices: Vec<Vec<Variable>> = (0..leaves)
            .map(|leaf| {
                let dimensions = self.leaves[leaf as usize].name.len() - 1;
                (0..dimensions).map(|_| self.fresh("k")).collect()
            })
            .collect();
        for rule in &self.model.starts {
            for mut choice in self.choices(&rule.binders, &rule.frame)? {
                self.begin(&choice);
                if self.bind_others(&rule.binders, &mut choice)? == Formula::FALSE {
                    continue;
                }
                let environment = &mut choice.environment;
                self.declare_locals(&rule.variables, &rule.frame, environment)?;
                self.statements(&rule.body, environment, &mut Activation::new())?;
                self.settle(rule.span)?;
                if let Some(mishap) = self.errors.first() {
                    return refuse(mishap.span, format!("in a start state: {}", mishap.what));
                }
                let mut says = Vec::new();
                for leaf in 0..leaves {
                    says.push(self.initially(LeafId(leaf), &indices[leaf as usize], rule.span)?);
                }
                all.push(StartState {
                    parameters: choice.parameters.clone(),
                    last: self.last_process.take(),
                    says,
                });
            }
        }
        self.is_start = false;
        let span = self.model.starts.first().map(|start| start.span).unwrap_or_default();
        if all.is_empty() {
            return refuse(span, "there is no start state: what is around it has no values");
        }
        let mut clauses: Vec<Init> = Vec::new();
        // What all say alike is a clause of its own.
        let common: Vec<bool> = (0..leaves as usize)
            .map(|at| all.iter().all(|start| start.says[at] == all[0].says[at] && !start.chooses(at)))
            .collect();
        for (at, formula) in all[0].says.iter().enumerate().filter(|(at, _)| common[*at]) {
            if *formula != Formula::TRUE {
                let (parameters, formula) = (indices[at].clone(), formula.clone());
                clauses.push(Init { parameters, formula, origin: Origin(span) });
            }
        }
        let has_order = self.least_process().is_some();
        let choices: Vec<(StartState, Option<Variable>)> = all
            .into_iter()
            .map(|start| {
                let other = (has_order && start.last.is_some()).then(|| self.fresh("k"));
                (start, other)
            })
            .collect();
        // The processes that the file calls by numbers have their places in the order of which one is the greatest.
        self.uses_order |= choices.iter().any(|(start, other)| start.last.is_some() && other.is_some());
        let choices = choices.into_iter().map(|(StartState { parameters, last, says }, other)| {
            let own = says.into_iter().zip(&indices).zip(&common).filter(|(_, is_common)| !**is_common);
            let own = own.map(|((formula, indices), _)| {
                indices
                    .iter()
                    .rev()
                    .fold(formula, |formula, index| quantified(Quantifier::Forall, index, formula))
            });
            let distinct = parameters.iter().enumerate().flat_map(|(at, one)| {
                let differs = |other: &Variable| {
                    let [one, other] = [one, other].map(|variable| Term::Variable(variable.id));
                    compare(one, Relation::NotEqual, other, SystemType::Process)
                };
                parameters[..at].iter().map(differs).collect::<Vec<_>>()
            });
            let greatest = last.iter().zip(&other).map(|(last, other)| {
                let [other_term, last] = [other, last].map(|variable| Term::Variable(variable.id));
                let least = compare(other_term, Relation::LessEqual, last, SystemType::Process);
                quantified(Quantifier::Forall, other, least)
            });
            let whole = Formula::and(distinct.chain(greatest).chain(own).collect::<Vec<_>>());
            let parameters: Vec<Variable> = parameters.into_iter().chain(last).collect();
            chosen(&parameters, whole)
        });
        let mut choices: Vec<Formula> = choices.collect();
        choices.dedup();
        let rest = Formula::or(choices);
        if rest != Formula::TRUE || clauses.is_empty() {
            clauses.push(Init { parameters: Vec::new(), formula: rest, origin: Origin(span) });
        }
        self.system.init = clauses;
        Ok(())
    }

    /// What a cell of a leaf is after a start state.
    fn initially(
        &mut self,
        leaf: LeafId,
        indices: &[Variable],
        span: polycube_language::span::Span,
    ) -> Result<Formula> {
        if self.leaf(leaf).symbols == Symbols::Ghost {
            return Ok(Formula::TRUE);
        }
        let here: Vec<Term> = indices.iter().map(|index| Term::Variable(index.id)).collect();
        let cases = self.read(leaf, &here, span)?;
        if cases.iter().any(|(_, atom)| self.can_be_undefined(atom)) {
            self.found.undefinable.insert(leaf.0);
        }
        let symbols = self.leaf(leaf).symbols;
        let mut parts = Vec::new();
        for (condition, atom) in cases {
            let is = match (symbols, &atom) {
                (Symbols::Finite(symbol, coding), atom) => {
                    let (coding, term) = (self.coding(coding), cell(symbol, &here));
                    let code = match atom {
                        Atom::Known(value) => coding.code(*value),
                        Atom::Undefined => coding.undefined.map(|code| coding.constructor(code)),
                        _ => None,
                    };
                    // In the first round it is not known yet what can be undefined.
                    code.map_or(Formula::TRUE, |code| coding.is(&term, code))
                }
                (Symbols::Counter(symbol, kind), atom) => {
                    let is_kind = kind.map_or(Formula::TRUE, |(kind, coding)| {
                        let (coding, term) = (self.coding(coding), cell(kind, &here));
                        let is_number = matches!(atom, Atom::Known(_) | Atom::Number(_));
                        let code = if is_number { coding.process } else { coding.undefined };
                        code.map_or(Formula::TRUE, |code| coding.is(&term, coding.constructor(code)))
                    });
                    let number = match atom {
                        Atom::Known(value) => linear(value.number),
                        Atom::Number(number) => number.clone(),
                        _ => linear(0),
                    };
                    let is_number =
                        Formula::compare_integers(number_in(symbol, &here), Relation::Equal, number);
                    Formula::and([is_kind, is_number])
                }
                (Symbols::Process(symbol, kind), atom) => {
                    let is_kind = kind.map_or(Formula::TRUE, |(kind, coding)| {
                        let (coding, term) = (self.coding(coding), cell(kind, &here));
                        let code = match atom {
                            Atom::Process(_) => coding.process.map(|code| coding.constructor(code)),
                            Atom::Known(value) => coding.code(*value),
                            _ => coding.undefined.map(|code| coding.constructor(code)),
                        };
                        code.map_or(Formula::TRUE, |code| coding.is(&term, code))
                    });
                    let process = match atom {
                        Atom::Process(process) => process.clone(),
                        _ => self.nobody(indices),
                    };
                    let is_process =
                        compare(cell(symbol, &here), Relation::Equal, process, SystemType::Process);
                    Formula::and([is_kind, is_process])
                }
                (Symbols::Local | Symbols::Ghost, _) => unreachable!("leaves of the state have symbols"),
            };
            parts.push(Formula::implies(condition, is));
        }
        Ok(Formula::and(parts))
    }
}

/// For some processes. Where a part says that a cell is the process, the cell stands for it.
fn chosen(parameters: &[Variable], formula: Formula) -> Formula {
    let Some((last, rest)) = parameters.split_last() else { return formula };
    let parts = match &formula {
        Formula::And(parts) => &parts[..],
        other => std::slice::from_ref(other),
    };
    let cell = parts.iter().find_map(|part| match part {
        Formula::Compare(comparison) if comparison.relation == Relation::Equal => {
            match (&comparison.left, &comparison.right) {
                (Term::Access(access), Term::Variable(variable))
                    if *variable == last.id && access.indices.is_empty() =>
                {
                    Some(comparison.left.clone())
                }
                _ => None,
            }
        }
        _ => None,
    });
    let formula = match cell {
        Some(cell) => {
            let replaced = formula.substituted(&|variable| (variable == last.id).then(|| cell.clone()));
            // `X = X` says nothing.
            replaced
                .try_replace(&mut |comparison| {
                    let is_trivial =
                        comparison.left == comparison.right && comparison.relation == Relation::Equal;
                    Some(if is_trivial { Formula::TRUE } else { Formula::Compare(comparison.clone()) })
                })
                .expect("each comparison is replaced")
        }
        None => quantified(Quantifier::Exists, last, formula),
    };
    chosen(rest, formula)
}
