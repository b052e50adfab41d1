//! Rules to transitions, invariants to properties.
//!
//! The processes of a transition are pairwise distinct, while parameters of a ruleset may have the same value: a
//! rule is one transition for each way in which they can coincide, and for each value of the others.

use polycube_language::formula::{Formula, Term, Variable};
use polycube_language::span::{Origin, Span};
use polycube_language::system::{Branch, Property, PropertyKind, SymbolId, Transition, Update, Value};
use polycube_language::words::Claim;

use super::execute::Activation;
use super::layout::{LeafId, Symbols};
use super::place::{Binding, Environment};
use super::split::MAX_PARTS;
use super::value::{Atom, Cases, Coding, CodingId, cell, cell_of, known};
use super::writes::{Write, under};
use super::{MAX_DEPTH, Result, Translator, refuse, too_many_cases};
use crate::model::{Binder, Frame, Invariant, Range, Rule, TypeKind};

/// One way to choose the parameters of a rule.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    pub environment: Environment,
    /// The processes, all distinct.
    pub parameters: Vec<Variable>,
    /// The other values, as they are written.
    pub values: Vec<String>,
    /// The slots of multisets that `choose` takes, in the order of the binders.
    pub slots: Vec<usize>,
}

impl Translator<'_> {
    pub(super) fn rule(&mut self, rule: &Rule) -> Result<()> {
        for choice in self.choices(&rule.binders, &rule.frame)? {
            let mut parts = MAX_PARTS;
            self.split(rule, &choice, &[], &mut parts)?;
        }
        Ok(())
    }

    /// The transition of a rule with these parameters, where something is known of the state.
    pub(super) fn transition(&mut self, rule: &Rule, mut choice: Choice, known: &Formula) -> Result<()> {
        self.begin(&choice);
        self.path = known.clone();
        let exists = self.bind_others(&rule.binders, &mut choice)?;
        let environment = &mut choice.environment;
        let holds = match &rule.guard {
            Some(guard) => {
                self.within(exists.clone(), |translator| translator.condition(guard, environment))?
            }
            None => Formula::TRUE,
        };
        let guard = Formula::and([known.clone(), under(known, Formula::and([exists, holds]))]);
        self.expect_no_effect(rule.span)?;
        // What goes wrong in the guard does so whether it holds or not.
        if guard == Formula::FALSE {
            self.mishaps(&choice.parameters);
            return Ok(());
        }
        self.path = guard.clone();
        self.declare_locals(&rule.variables, &rule.frame, environment)?;
        self.statements(&rule.body, environment, &mut Activation::new())?;
        self.settle(rule.span)?;
        let updates = self.updates(&guard);
        let conditions = updates.iter().flat_map(|update| &update.branches).map(|branch| &branch.condition);
        if conditions.chain([&guard]).any(|condition| condition.depth() > MAX_DEPTH) {
            return too_many_cases(rule.span, "what this rule does");
        }
        let conditions =
            updates.iter().flat_map(|update| &update.branches).map(|branch| branch.condition.size());
        let mishaps = self.errors.iter().map(|mishap| mishap.condition.size());
        self.spend(conditions.chain(mishaps).sum::<usize>() + guard.size(), rule.span)?;
        self.path = Formula::TRUE;
        self.mishaps(&choice.parameters);
        let named = rule.name.clone().unwrap_or_else(|| "rule".to_owned());
        let name = [std::slice::from_ref(&named), &choice.values].concat().join("_");
        let values = choice.values.join(", ");
        let called = if values.is_empty() { named } else { format!("{named} [{values}]") };
        let name = self.names.transition(&name);
        self.system.words.transitions.insert(name.clone(), called);
        let (parameters, origin) = (choice.parameters, Origin(rule.span));
        self.system.transitions.push(Transition { name, parameters, guard, updates, origin });
        Ok(())
    }

    pub(super) fn invariant(&mut self, invariant: &Invariant) -> Result<()> {
        let named = self.begin_invariant();
        let choices = self.choices_after(named, &invariant.binders, &invariant.frame)?;
        self.expect_few(&choices);
        for mut choice in choices {
            self.begin(&choice);
            let exists = self.bind_others(&invariant.binders, &mut choice)?;
            let holds = self.within(exists.clone(), |translator| {
                translator.claim(&invariant.formula, &mut choice.environment)
            })?;
            let violated = Formula::and([exists, Formula::not(holds)]);
            self.expect_no_effect(invariant.span)?;
            self.mishaps(&choice.parameters);
            let name = invariant.name.as_deref().unwrap_or_default();
            let called =
                if name.is_empty() { "invariant".to_owned() } else { format!("invariant \"{name}\"") };
            self.property(choice.parameters, violated, invariant.span, Claim::Holds(called));
        }
        self.end_invariant();
        Ok(())
    }

    fn property(&mut self, mut parameters: Vec<Variable>, formula: Formula, span: Span, claim: Claim) {
        if formula != Formula::FALSE {
            self.expect_all_named(&mut parameters);
            self.system.words.properties.insert(self.system.properties.len(), claim);
            let (kind, origin) = (PropertyKind::Unsafe, Origin(span));
            self.system.properties.push(Property { kind, parameters, formula, origin });
        }
    }

    /// Conditions do not change the state.
    fn expect_no_effect(&mut self, span: Span) -> Result<()> {
        let is_effect = |write: &Write| self.leaf(write.leaf).symbols != Symbols::Local;
        if self.log.iter().any(is_effect) {
            return refuse(span, "a function that changes the state is called in a condition");
        }
        self.log.clear();
        Ok(())
    }

    /// What goes wrong is a property: that it does not happen.
    fn mishaps(&mut self, parameters: &[Variable]) {
        for mishap in std::mem::take(&mut self.errors) {
            let claim = Claim::Never(format!("error \"{}\"", mishap.what));
            self.property(parameters.to_vec(), mishap.condition, mishap.span, claim);
        }
    }

    /// Forgets what was run before.
    pub(super) fn begin(&mut self, choice: &Choice) {
        self.log.clear();
        self.reads.clear();
        self.errors.clear();
        self.path = Formula::TRUE;
        self.last_process = None;
        self.changes.clear();
        self.copies.clear();
        self.distinct = choice.parameters.iter().map(|parameter| parameter.id).collect();
    }

    /// Aliases and elements around a rule are evaluated in the state in which it is tried. When there are such elements.
    pub(super) fn bind_others(&mut self, binders: &[Binder], choice: &mut Choice) -> Result<Formula> {
        let mut slots = choice.slots.clone().into_iter();
        let environment = &mut choice.environment;
        let mut exists = Formula::TRUE;
        for binder in binders {
            match binder {
                Binder::Each(..) => {}
                Binder::Alias(local, value) => {
                    let binding =
                        self.within(exists.clone(), |translator| translator.aliased(value, environment))?;
                    environment.bind(*local, binding);
                }
                Binder::Choose(local, place) => {
                    let slot = slots.next().expect("a slot was chosen for each");
                    let chosen = self.within(exists.clone(), |translator| {
                        translator.choose(*local, place, slot, environment)
                    })?;
                    exists = Formula::and([exists, chosen]);
                }
            }
        }
        Ok(exists)
    }

    /// Every way to choose parameters.
    pub(super) fn choices(&mut self, binders: &[Binder], frame: &Frame) -> Result<Vec<Choice>> {
        self.choices_after(Choice::default(), binders, frame)
    }

    /// Every way to choose parameters, beside those that are chosen already.
    fn choices_after(&mut self, first: Choice, binders: &[Binder], frame: &Frame) -> Result<Vec<Choice>> {
        self.log.clear();
        let mut choices = vec![first];
        for binder in binders {
            let (local, range) = match binder {
                Binder::Each(local, range) => (local, range),
                Binder::Alias(..) => continue,
                Binder::Choose(_, place) => {
                    let TypeKind::Multiset { size, .. } = &self.model.ty(place.ty).kind else {
                        unreachable!("elements are chosen from a multiset")
                    };
                    let slots = 0..size.value as usize;
                    let with = |(choice, slot): (&Choice, usize)| {
                        let mut chosen = choice.clone();
                        chosen.values.push(slot.to_string());
                        chosen.slots.push(slot);
                        chosen
                    };
                    choices = choices
                        .iter()
                        .flat_map(|choice| slots.clone().map(move |slot| (choice, slot)))
                        .map(with)
                        .collect();
                    continue;
                }
            };
            let name = frame.locals[local.0 as usize].name.clone();
            let mut next = Vec::new();
            for choice in choices {
                let (values, has_process) = match range {
                    Range::Type(ty) => {
                        self.expect_listed(*ty, frame.locals[local.0 as usize].span)?;
                        let values: Vec<Cases> = self.values(*ty).into_iter().map(known).collect();
                        (values, self.has_process(*ty))
                    }
                    Range::Steps { .. } => {
                        let all = self.ranged(
                            range,
                            &mut choice.environment.clone(),
                            frame.locals[local.0 as usize].span,
                        )?;
                        if all.iter().any(|member| member.when != Formula::TRUE) {
                            let message = "the bounds of this range depend on the state";
                            return refuse(frame.locals[local.0 as usize].span, message);
                        }
                        (all.into_iter().map(|member| member.value).collect(), false)
                    }
                };
                for value in values {
                    let mut chosen = choice.clone();
                    if let [(_, Atom::Known(value))] = value[..] {
                        chosen.values.push(self.written(value));
                    }
                    chosen.environment.bind(*local, Binding::Value(value));
                    next.push(chosen);
                }
                if has_process {
                    let new = self.fresh(&name);
                    let all = choice.parameters.iter().map(|parameter| parameter.id).chain([new.id]);
                    for process in all.collect::<Vec<_>>() {
                        let mut chosen = choice.clone();
                        if process == new.id {
                            chosen.parameters.push(new.clone());
                        }
                        let value = vec![(Formula::TRUE, Atom::Process(Term::Variable(process)))];
                        chosen.environment.bind(*local, Binding::Value(value));
                        next.push(chosen);
                    }
                }
            }
            choices = next;
        }
        Ok(choices)
    }

    /// What the body has written, as one update per symbol.
    fn updates(&mut self, guard: &Formula) -> Vec<Update> {
        let mut leaves: Vec<LeafId> = self.log.iter().map(|write| write.leaf).collect();
        leaves.sort_unstable();
        leaves.dedup();
        let mut updates = Vec::new();
        for leaf in leaves {
            match self.leaf(leaf).symbols {
                Symbols::Local | Symbols::Ghost => {}
                Symbols::Finite(symbol, coding) => {
                    let indices = self.indices(leaf);
                    updates.extend(self.update(leaf, symbol, indices, guard, |translator, atom| {
                        translator.codes(atom, coding)
                    }));
                }
                Symbols::Counter(symbol, kind) => {
                    let indices = self.indices(leaf);
                    updates.extend(self.update(leaf, symbol, indices, guard, |translator, atom| {
                        translator.numbers_to_store(atom)
                    }));
                    if let Some((symbol, coding)) = kind {
                        let indices = self.indices(leaf);
                        updates.extend(self.update(leaf, symbol, indices, guard, |translator, atom| {
                            translator.codes(atom, coding)
                        }));
                    }
                }
                Symbols::Process(symbol, kind) => {
                    let indices = self.indices(leaf);
                    // Where it always holds a process, it needs no other. (A constant that nothing needs is a
                    // process unlike the others: fewer states are the same up to renaming.)
                    let nobody = kind.map_or(Value::Any, |_| Value::Term(self.nobody(&indices)));
                    updates.extend(self.update(leaf, symbol, indices, guard, |_, atom| match atom {
                        Atom::Process(term) => vec![(Formula::TRUE, Some(Value::Term(term.clone())))],
                        Atom::Last => vec![(Formula::TRUE, Some(Value::Any))],
                        _ => vec![(Formula::TRUE, Some(nobody.clone()))],
                    }));
                    if let Some((symbol, coding)) = kind {
                        let indices = self.indices(leaf);
                        updates.extend(self.update(leaf, symbol, indices, guard, |translator, atom| {
                            translator.codes(atom, coding)
                        }));
                    }
                }
            }
        }
        updates
    }

    /// The constructors of a value.
    fn codes(&self, atom: &Atom, id: CodingId) -> Vec<(Formula, Option<Value>)> {
        let coding = self.coding(id);
        match atom {
            Atom::Last => vec![(Formula::TRUE, Some(Value::Any))],
            Atom::Cell(cell) if cell.coding == id => {
                vec![(Formula::TRUE, Some(Value::Term(cell.term.clone())))]
            }
            Atom::Cell(cell) => {
                let mut codes: Vec<_> = self
                    .possible(atom)
                    .into_iter()
                    .map(|(when, value)| (when, coding.code(value).map(Value::Term)))
                    .collect();
                let source = self.coding(cell.coding);
                if let (Some(from), Some(to)) = (source.undefined, coding.undefined) {
                    let is_undefined = source.is(&cell.term, source.constructor(from));
                    codes.push((is_undefined, Some(Value::Term(coding.constructor(to)))));
                }
                codes
            }
            Atom::Known(value) => vec![(Formula::TRUE, coding.code(*value).map(Value::Term))],
            Atom::Process(_) | Atom::Number(_) => vec![(Formula::TRUE, special(coding, coding.process))],
            Atom::Undefined => vec![(Formula::TRUE, special(coding, coding.undefined))],
        }
    }

    /// Names for the indices of a leaf.
    pub(super) fn indices(&mut self, leaf: LeafId) -> Vec<Variable> {
        (1..self.leaf(leaf).name.len()).map(|_| self.fresh("k")).collect()
    }

    /// What stands in a cell for processes that holds none. It means nothing, but two states that differ in it
    /// would be two.
    pub(super) fn nobody(&mut self, indices: &[Variable]) -> Term {
        match indices.first() {
            Some(index) => Term::Variable(index.id),
            None => cell(self.nobody_symbol(), &[]),
        }
    }

    fn update(
        &mut self,
        leaf: LeafId,
        symbol: SymbolId,
        indices: Vec<Variable>,
        guard: &Formula,
        code: impl Fn(&Self, &Atom) -> Vec<(Formula, Option<Value>)>,
    ) -> Option<Update> {
        let here: Vec<Term> = indices.iter().map(|index| Term::Variable(index.id)).collect();
        let old = Value::Term(cell_of(&self.system, symbol, &here));
        let mut branches: Vec<Branch> = Vec::new();
        let mut otherwise = old.clone();
        'writes: for write in self.log.iter().rev().filter(|write| write.leaf == leaf) {
            let (condition, value) = write.concerns(&here, &self.distinct);
            for (inner, value) in code(self, &value) {
                let condition = under(guard, Formula::and([condition.clone(), inner]));
                let value = value.unwrap_or_else(|| old.clone());
                if condition == Formula::TRUE {
                    otherwise = value;
                    break 'writes;
                }
                if condition != Formula::FALSE {
                    branches.push(Branch { condition, value, origin: Origin::default() });
                }
            }
        }
        while branches.last().is_some_and(|branch| branch.value == otherwise) {
            branches.pop();
        }
        let is_nothing = branches.is_empty() && otherwise == old;
        let origin = Origin::default();
        (!is_nothing).then_some(Update { symbol, indices, branches, otherwise, origin })
    }
}

/// One of the constructors that are no value.
fn special(coding: &Coding, code: Option<u32>) -> Option<Value> {
    code.map(|code| Value::Term(coding.constructor(code)))
}
