//! What a model does at the sizes of its file, said as plainly as possible (reference, sections 3 and 4).
//!
//! A state is a list of leaves. Statements are executed one after the other. Nothing is shared with the
//! translation but the checked model.

use std::collections::{BTreeMap, BTreeSet};

use polycube_language::formula::Quantifier;
use polycube_language::span::Span;
use polycube_murphi::model::{
    Base, Binder, Elements, Expr, ExprKind, Frame, LocalId, Model, Operator, Place, Range, RoutineId, Rule,
    Selector, Statement, StatementKind, TypeId, TypeKind,
};

/// A value, or nothing. Numbers and Booleans are themselves. Elements of scalarsets and enumerations say of which type
/// they are, so that a union is no special case.
pub type Leaf = Option<i64>;

/// A value for every leaf of every global variable.
pub type State = Vec<Leaf>;

/// What keeps the values of different types apart.
const TYPE: i64 = 1 << 32;

/// CMurphi gives up a `while` after this many rounds.
const MAX_ROUNDS: usize = 1000;

/// What can be reached, layer by layer.
#[derive(Debug, Default)]
pub struct Reached {
    pub states: BTreeMap<State, Expanded>,
    /// How many layers were looked at, after that of the start states.
    pub depth: usize,
    /// Whether there are no other states.
    pub is_complete: bool,
    /// Where errors happen, all in the last layer.
    pub errors: BTreeSet<Span>,
    /// The invariants that are violated.
    pub violated: BTreeSet<Span>,
    /// The invariants in which an error happens.
    pub failing: BTreeSet<Span>,
    /// Whether an undefined value was copied: tools disagree about that.
    pub copies_undefined: bool,
}

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expanded {
    pub depth: usize,
    /// How many rules are possible; nothing in the last layer.
    pub fired: Option<u64>,
}

/// Explores a model until an error happens, or there are more than this many states. The layer in which that is so is
/// looked at to its end.
///
/// # Errors
///
/// An error in a start state, with its place.
pub fn explore(model: &Model, most: usize) -> Result<Reached, Span> {
    let mut reached = Reached::default();
    let mut layer: BTreeSet<State> = BTreeSet::new();
    for start in &model.starts {
        let undefined = vec![None; leaves_of_all(model).len()];
        for (_, machine) in runs(model, start, &undefined) {
            layer.insert(machine?.state());
        }
    }
    loop {
        let mut next = BTreeSet::new();
        let mut fired = BTreeMap::new();
        for state in &layer {
            inspect(model, state, &mut reached);
            let mut count = 0;
            for rule in &model.rules {
                for (is_possible, after) in runs(model, rule, state) {
                    count += u64::from(is_possible);
                    match after {
                        Ok(machine) => {
                            reached.copies_undefined |= machine.copies_undefined;
                            if is_possible {
                                next.insert(machine.state());
                            }
                        }
                        Err(span) => _ = reached.errors.insert(span),
                    }
                }
            }
            fired.insert(state.clone(), count);
        }
        let depth = reached.depth;
        reached.states.extend(layer.into_iter().map(|state| (state, Expanded { depth, fired: None })));
        if !reached.errors.is_empty() || reached.states.len() > most {
            return Ok(reached);
        }
        for (state, count) in fired {
            reached.states.insert(state, Expanded { depth, fired: Some(count) });
        }
        layer = next.into_iter().filter(|state| !reached.states.contains_key(state)).collect();
        if layer.is_empty() {
            reached.is_complete = true;
            return Ok(reached);
        }
        reached.depth += 1;
    }
}

/// Checks the invariants.
fn inspect(model: &Model, state: &State, reached: &mut Reached) {
    for invariant in &model.invariants {
        for chosen in choices(model, &invariant.binders, &invariant.frame) {
            let mut machine = Machine::new(model, state);
            let mut frame = chosen.clone();
            let holds = machine
                .others(&invariant.binders, &mut frame)
                .and_then(|_| machine.condition(&invariant.formula, &mut frame));
            match holds {
                Ok(true) => {}
                Ok(false) => _ = reached.violated.insert(invariant.span),
                Err(span) => {
                    reached.errors.insert(span);
                    reached.failing.insert(invariant.span);
                }
            }
            reached.copies_undefined |= machine.copies_undefined;
        }
    }
}

/// Runs a rule in a state, for all values of its parameters: whether it is possible, and what is then.
fn runs<'m>(model: &'m Model, rule: &Rule, state: &State) -> Vec<(bool, Result<Machine<'m>, Span>)> {
    let mut all = Vec::new();
    for mut frame in choices(model, &rule.binders, &rule.frame) {
        let mut machine = Machine::new(model, state);
        let exists = machine.others(&rule.binders, &mut frame);
        if exists == Ok(false) {
            continue;
        }
        let guard = exists.and_then(|_| match &rule.guard {
            Some(guard) => machine.condition(guard, &mut frame),
            None => Ok(true),
        });
        match guard {
            Err(span) => all.push((false, Err(span))),
            Ok(false) => all.push((false, Ok(machine))),
            Ok(true) => {
                machine.declare(&rule.variables, &rule.frame, &mut frame);
                let done = machine.statements(&rule.body, &mut frame);
                all.push((true, done.map(|_| machine)));
            }
        }
    }
    all
}

/// All values of the parameters of a rule.
fn choices(model: &Model, binders: &[Binder], frame: &Frame) -> Vec<Bindings> {
    let mut all = vec![vec![None; frame.locals.len()]];
    for binder in binders {
        let local = match binder {
            Binder::Alias(..) => continue,
            Binder::Each(local, _) | Binder::Choose(local, _) => local,
        };
        let mut next = Vec::new();
        for mut bindings in all {
            let values = match binder {
                Binder::Each(_, range) => {
                    let mut machine = Machine::new(model, &vec![None; leaves_of_all(model).len()]);
                    // They may depend on outer ones, but not on the state.
                    machine.ranged(range, &mut bindings).expect("the bounds of rulesets are known")
                }
                Binder::Choose(_, place) => {
                    let TypeKind::Multiset { size, .. } = &model.ty(place.ty).kind else {
                        panic!("it is a multiset")
                    };
                    (0..size.value).collect()
                }
                Binder::Alias(..) => continue,
            };
            for value in values {
                let mut bindings: Bindings = bindings.clone();
                bindings[local.0 as usize] = Some(Binding::Value(Some(value)));
                next.push(bindings);
            }
        }
        all = next;
    }
    all
}

fn steps(from: i64, to: i64, by: i64) -> Vec<i64> {
    let mut all = Vec::new();
    let mut next = from;
    while if by > 0 { next <= to } else { next >= to } {
        all.push(next);
        next += by;
    }
    all
}

/// The values of a simple type, in order.
pub fn values(model: &Model, ty: TypeId) -> Vec<i64> {
    match &model.ty(ty).kind {
        TypeKind::Boolean => vec![0, 1],
        TypeKind::Range(low, high) => (low.value..=high.value).collect(),
        TypeKind::Enumeration(names) => (0..names.len() as i64).map(|at| element(ty, at)).collect(),
        TypeKind::Scalarset(size) => (1..=size.value).map(|at| element(ty, at)).collect(),
        TypeKind::Union(members) => members.iter().flat_map(|member| values(model, *member)).collect(),
        other => panic!("{other:?} has no values that can be listed"),
    }
}

/// An element of an enumeration or scalarset.
fn element(ty: TypeId, at: i64) -> i64 {
    (i64::from(ty.0) + 1) * TYPE + at
}

/// The types of the leaves of a type.
pub fn leaves(model: &Model, ty: TypeId) -> Vec<TypeId> {
    match &model.ty(ty).kind {
        TypeKind::Record(fields) => fields.iter().flat_map(|(_, ty)| leaves(model, *ty)).collect(),
        TypeKind::Array { index, element } => {
            let one = leaves(model, *element);
            values(model, *index).iter().flat_map(|_| one.clone()).collect()
        }
        // A slot has a flag, which says whether there is an element.
        TypeKind::Multiset { size, element } => {
            let slot = [vec![TypeId::BOOLEAN], leaves(model, *element)].concat();
            (0..size.value).flat_map(|_| slot.clone()).collect()
        }
        _ => vec![ty],
    }
}

fn leaves_of_all(model: &Model) -> Vec<TypeId> {
    model.globals.iter().flat_map(|variable| leaves(model, variable.ty)).collect()
}

/// The elements of a multiset in order, and behind them free slots.
fn sort(leaves: &mut [Leaf], width: usize) {
    let is_taken = |slot: &&[Leaf]| slot[0] == Some(1);
    let mut elements: Vec<Vec<Leaf>> = leaves.chunks(width).filter(is_taken).map(<[Leaf]>::to_vec).collect();
    elements.sort();
    let free: Vec<Leaf> = std::iter::once(Some(0)).chain(std::iter::repeat_n(None, width - 1)).collect();
    elements.resize(leaves.len() / width, free);
    leaves.copy_from_slice(&elements.concat());
}

/// What a bound name stands for.
#[derive(Clone, Debug)]
enum Binding {
    Value(Leaf),
    /// The place of the first leaf, and the type.
    Place(usize, TypeId),
}

type Bindings = Vec<Option<Binding>>;

/// What a statement leads to.
#[derive(PartialEq, Eq)]
enum Flow {
    Next,
    /// The value, and where it is returned.
    Returned(Vec<Leaf>, Span),
}

/// A rule that is being run.
struct Machine<'m> {
    model: &'m Model,
    /// The state, and behind it the local variables.
    memory: Vec<Leaf>,
    globals: Vec<usize>,
    size: usize,
    copies_undefined: bool,
}

/// An error has a place.
type Outcome<T> = Result<T, Span>;

impl<'m> Machine<'m> {
    fn new(model: &'m Model, state: &State) -> Machine<'m> {
        let mut globals = Vec::new();
        let mut at = 0;
        for variable in &model.globals {
            globals.push(at);
            at += leaves(model, variable.ty).len();
        }
        Machine { model, memory: state.clone(), globals, size: at, copies_undefined: false }
    }

    fn state(&self) -> State {
        let mut state = self.memory[..self.size].to_vec();
        for (at, variable) in self.globals.iter().zip(&self.model.globals) {
            if let TypeKind::Multiset { element, .. } = self.model.ty(variable.ty).kind {
                let length = leaves(self.model, variable.ty).len();
                let width = leaves(self.model, element).len() + 1;
                sort(&mut state[*at..at + length], width);
            }
        }
        state
    }

    /// Binds what is around a rule. Whether there is an element to be chosen, and no equal one before it.
    fn others(&mut self, binders: &[Binder], frame: &mut Bindings) -> Outcome<bool> {
        for binder in binders {
            match binder {
                Binder::Each(..) => {}
                Binder::Alias(local, value) => {
                    frame[local.0 as usize] = Some(self.aliased(value, frame)?);
                }
                Binder::Choose(local, place) => {
                    let Some(Binding::Value(Some(chosen))) = frame[local.0 as usize] else {
                        panic!("a slot was chosen")
                    };
                    let slots = self.slots(place, frame)?;
                    let (flag, width) = slots[chosen as usize];
                    let element = |flag: usize| &self.memory[flag + 1..flag + width];
                    let is_same = |(other, _): &(usize, usize)| element(*other) == element(flag);
                    if self.memory[flag] != Some(1) || slots[..chosen as usize].iter().any(is_same) {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// The places of the flags of a multiset, and how many leaves a slot has.
    fn slots(&mut self, place: &Place, frame: &mut Bindings) -> Outcome<Vec<(usize, usize)>> {
        let TypeKind::Multiset { size, element } = &self.model.ty(place.ty).kind else {
            panic!("it is a multiset")
        };
        let (at, width) = (self.place(place, frame)?, leaves(self.model, *element).len() + 1);
        Ok((0..size.value as usize).map(|slot| (at + slot * width, width)).collect())
    }

    /// Whether there is an element in a slot for which the condition holds.
    fn satisfies(
        &mut self,
        elements: &Elements,
        (slot, flag): (usize, usize),
        frame: &mut Bindings,
    ) -> Outcome<bool> {
        frame[elements.index.0 as usize] = Some(Binding::Value(Some(slot as i64)));
        Ok(self.memory[flag] == Some(1) && self.condition(&elements.condition, frame)?)
    }

    /// Local variables start undefined.
    fn declare(&mut self, variables: &[LocalId], names: &Frame, frame: &mut Bindings) {
        for local in variables {
            let ty = names.locals[local.0 as usize].ty;
            frame[local.0 as usize] = Some(Binding::Place(self.allocate(ty), ty));
        }
    }

    fn allocate(&mut self, ty: TypeId) -> usize {
        let place = self.memory.len();
        self.memory.extend(leaves(self.model, ty).iter().map(|_| None));
        place
    }

    fn statements(&mut self, statements: &[Statement], frame: &mut Bindings) -> Outcome<Flow> {
        for statement in statements {
            let flow = self.statement(statement, frame)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement, frame: &mut Bindings) -> Outcome<Flow> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                let place = self.place(target, frame)?;
                let value = self.value(value, frame)?;
                self.store(place, target.ty, &value, span)?;
            }
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    if self.condition(condition, frame)? {
                        return self.statements(body, frame);
                    }
                }
                return self.statements(otherwise, frame);
            }
            StatementKind::Switch(value, cases, otherwise) => {
                let switched = self.used(value, frame)?;
                for (values, body) in cases {
                    for value in values {
                        if self.used(value, frame)? == switched {
                            return self.statements(body, frame);
                        }
                    }
                }
                return self.statements(otherwise, frame);
            }
            StatementKind::For(local, range, body) => {
                for value in self.ranged(range, frame)? {
                    frame[local.0 as usize] = Some(Binding::Value(Some(value)));
                    let flow = self.statements(body, frame)?;
                    if flow != Flow::Next {
                        return Ok(flow);
                    }
                }
            }
            StatementKind::While(condition, body) => {
                let mut rounds = 0;
                while self.condition(condition, frame)? {
                    rounds += 1;
                    if rounds > MAX_ROUNDS {
                        return Err(span);
                    }
                    let flow = self.statements(body, frame)?;
                    if flow != Flow::Next {
                        return Ok(flow);
                    }
                }
            }
            StatementKind::Alias(local, value, body) => {
                frame[local.0 as usize] = Some(self.aliased(value, frame)?);
                return self.statements(body, frame);
            }
            StatementKind::Call(routine, arguments) => {
                self.call(*routine, arguments, frame, span)?;
            }
            StatementKind::Return(None) => return Ok(Flow::Returned(Vec::new(), span)),
            StatementKind::Return(Some(value)) => {
                return Ok(Flow::Returned(self.value(value, frame)?, span));
            }
            StatementKind::Undefine(place) => {
                let at = self.place(place, frame)?;
                let count = leaves(self.model, place.ty).len();
                self.memory[at..at + count].fill(None);
            }
            StatementKind::Clear(place) => {
                let at = self.place(place, frame)?;
                for (offset, ty) in leaves(self.model, place.ty).into_iter().enumerate() {
                    self.memory[at + offset] = values(self.model, ty).first().copied();
                }
            }
            StatementKind::Error(_) => return Err(span),
            StatementKind::Assert(condition, _) => {
                if !self.condition(condition, frame)? {
                    return Err(span);
                }
            }
            // A variable is shown whether it has a value or not.
            StatementKind::Put(value) => drop(self.value(value, frame)?),
            StatementKind::MultisetAdd(place, value) => {
                let value = self.value(value, frame)?;
                let slots = self.slots(place, frame)?;
                let free = slots.iter().find(|(flag, _)| self.memory[*flag] != Some(1));
                let TypeKind::Multiset { element, .. } = self.model.ty(place.ty).kind else {
                    panic!("it is a multiset")
                };
                let (flag, _) = *free.ok_or(span)?;
                self.store(flag + 1, element, &value, span)?;
                self.memory[flag] = Some(1);
            }
            StatementKind::MultisetRemove(place, index) => {
                let slot = self.used(index, frame)?;
                let (flag, width) = self.slots(place, frame)?[slot as usize];
                if self.memory[flag] != Some(1) {
                    return Err(span);
                }
                self.memory[flag..flag + width].fill(None);
            }
            StatementKind::MultisetRemovePred(elements) => {
                for (slot, (flag, width)) in self.slots(&elements.multiset, frame)?.into_iter().enumerate() {
                    if self.satisfies(elements, (slot, flag), frame)? {
                        self.memory[flag..flag + width].fill(None);
                    }
                }
            }
        }
        Ok(Flow::Next)
    }

    /// Stores a value, leaf by leaf. What is undefined stays so.
    fn store(&mut self, place: usize, ty: TypeId, value: &[Leaf], span: Span) -> Outcome<()> {
        let types = leaves(self.model, ty);
        assert_eq!(types.len(), value.len(), "a value of the type of its target");
        for (offset, (ty, leaf)) in types.iter().zip(value).enumerate() {
            if let Some(value) = leaf
                && !values(self.model, *ty).contains(value)
            {
                return Err(span);
            }
            self.copies_undefined |= leaf.is_none() && types.len() == 1;
            self.memory[place + offset] = *leaf;
        }
        Ok(())
    }

    fn aliased(&mut self, value: &Expr, frame: &mut Bindings) -> Outcome<Binding> {
        if let ExprKind::Place(place) = &value.kind
            && !self.is_value(place, frame)
        {
            return Ok(Binding::Place(self.place(place, frame)?, place.ty));
        }
        Ok(Binding::Value(self.value(value, frame)?[0]))
    }

    /// Whether it is a name that stands for a value.
    fn is_value(&self, place: &Place, frame: &Bindings) -> bool {
        match place.base {
            Base::Local(local) => matches!(frame[local.0 as usize], Some(Binding::Value(_))),
            Base::Global(_) => false,
        }
    }

    /// The place of the first leaf.
    fn place(&mut self, place: &Place, frame: &mut Bindings) -> Outcome<usize> {
        let (mut at, mut ty) = match place.base {
            Base::Global(global) => (self.globals[global as usize], self.model.globals[global as usize].ty),
            Base::Local(local) => match frame[local.0 as usize] {
                Some(Binding::Place(at, ty)) => (at, ty),
                _ => panic!("a name that stands for a value has no place"),
            },
        };
        for selector in &place.selectors {
            match (selector, &self.model.ty(ty).kind) {
                (Selector::Field(field), TypeKind::Record(fields)) => {
                    at += fields[..*field].iter().map(|(_, ty)| leaves(self.model, *ty).len()).sum::<usize>();
                    ty = fields[*field].1;
                }
                (Selector::Index(index), TypeKind::Array { index: index_type, element }) => {
                    let value = self.used(index, frame)?;
                    let position = values(self.model, *index_type).iter().position(|known| *known == value);
                    at += position.ok_or(index.span)? * leaves(self.model, *element).len();
                    ty = *element;
                }
                (Selector::Index(index), TypeKind::Multiset { element, .. }) => {
                    let slot = self.used(index, frame)?;
                    at += slot as usize * (leaves(self.model, *element).len() + 1) + 1;
                    ty = *element;
                }
                (selector, kind) => panic!("{selector:?} of {kind:?}"),
            }
        }
        Ok(at)
    }

    /// The leaves of a value, which may be undefined.
    fn value(&mut self, expr: &Expr, frame: &mut Bindings) -> Outcome<Vec<Leaf>> {
        Ok(match &expr.kind {
            ExprKind::Integer(size) => vec![Some(size.value)],
            ExprKind::Boolean(value) => vec![Some(i64::from(*value))],
            ExprKind::Constant(ty, at) => vec![Some(element(*ty, i64::from(*at)))],
            ExprKind::Place(place) => self.content(place, frame)?,
            ExprKind::Call(routine, arguments) => self.call(*routine, arguments, frame, expr.span)?,
            ExprKind::Not(inner) => vec![Some(i64::from(!self.condition(inner, frame)?))],
            ExprKind::Negative(inner) => vec![Some(-self.used(inner, frame)?)],
            ExprKind::Binary(operator, sides) => {
                let [left, right] = &**sides;
                vec![Some(self.binary(*operator, left, right, frame)?)]
            }
            ExprKind::Conditional(parts) => {
                let [condition, one, other] = &**parts;
                let chosen = if self.condition(condition, frame)? { one } else { other };
                self.value(chosen, frame)?
            }
            ExprKind::Quantified(quantifier, local, range, body) => {
                // The value at which it stops.
                let stop = *quantifier == Quantifier::Exists;
                for value in self.ranged(range, frame)? {
                    frame[local.0 as usize] = Some(Binding::Value(Some(value)));
                    if self.condition(body, frame)? == stop {
                        return Ok(vec![Some(i64::from(stop))]);
                    }
                }
                vec![Some(i64::from(!stop))]
            }
            ExprKind::IsUndefined(place) => {
                vec![Some(i64::from(self.content(place, frame)?[0].is_none()))]
            }
            ExprKind::IsMember(value, ty) => {
                let value = self.used(value, frame)?;
                vec![Some(i64::from(values(self.model, *ty).contains(&value)))]
            }
            ExprKind::Undefined => vec![None],
            ExprKind::MultisetCount(elements) => {
                let mut count = 0;
                for (slot, (flag, _)) in self.slots(&elements.multiset, frame)?.into_iter().enumerate() {
                    count += i64::from(self.satisfies(elements, (slot, flag), frame)?);
                }
                vec![Some(count)]
            }
            ExprKind::Error => panic!("checked models have none"),
        })
    }

    fn content(&mut self, place: &Place, frame: &mut Bindings) -> Outcome<Vec<Leaf>> {
        if let Base::Local(local) = place.base
            && let Some(Binding::Value(value)) = frame[local.0 as usize]
        {
            return Ok(vec![value]);
        }
        let at = self.place(place, frame)?;
        let count = leaves(self.model, place.ty).len();
        Ok(self.memory[at..at + count].to_vec())
    }

    fn binary(
        &mut self,
        operator: Operator,
        left: &Expr,
        right: &Expr,
        frame: &mut Bindings,
    ) -> Outcome<i64> {
        let one = self.used(left, frame)?;
        match operator {
            Operator::And if one == 0 => return Ok(0),
            Operator::Or if one == 1 => return Ok(1),
            Operator::Implies if one == 0 => return Ok(1),
            _ => {}
        }
        let other = self.used(right, frame)?;
        let span = left.span.to(right.span);
        Ok(match operator {
            Operator::And | Operator::Or | Operator::Implies => other,
            Operator::Equal => i64::from(one == other),
            Operator::NotEqual => i64::from(one != other),
            Operator::Less => i64::from(one < other),
            Operator::LessEqual => i64::from(one <= other),
            Operator::Greater => i64::from(one > other),
            Operator::GreaterEqual => i64::from(one >= other),
            Operator::Add => one + other,
            Operator::Subtract => one - other,
            Operator::Multiply => one * other,
            Operator::Divide => one.checked_div(other).ok_or(span)?,
            Operator::Remainder => one.checked_rem(other).ok_or(span)?,
        })
    }

    /// A value of a simple type. To be undefined is an error.
    fn used(&mut self, expr: &Expr, frame: &mut Bindings) -> Outcome<i64> {
        self.value(expr, frame)?[0].ok_or(expr.span)
    }

    fn condition(&mut self, expr: &Expr, frame: &mut Bindings) -> Outcome<bool> {
        Ok(self.used(expr, frame)? == 1)
    }

    fn ranged(&mut self, range: &Range, frame: &mut Bindings) -> Outcome<Vec<i64>> {
        Ok(match range {
            Range::Type(ty) => values(self.model, *ty),
            Range::Steps { from, to, by } => {
                let (from, to) = (self.used(from, frame)?, self.used(to, frame)?);
                steps(from, to, by.value)
            }
        })
    }

    fn call(
        &mut self,
        id: RoutineId,
        arguments: &[Expr],
        frame: &mut Bindings,
        span: Span,
    ) -> Outcome<Vec<Leaf>> {
        let model = self.model;
        let routine = model.routine(id);
        let before = self.memory.len();
        let mut inner = vec![None; routine.frame.locals.len()];
        for (formal, argument) in routine.formals.iter().zip(arguments) {
            let ty = routine.frame.locals[formal.local.0 as usize].ty;
            inner[formal.local.0 as usize] = Some(if formal.is_reference {
                self.aliased(argument, frame)?
            } else {
                let value = self.value(argument, frame)?;
                let place = self.allocate(ty);
                self.store(place, ty, &value, argument.span)?;
                Binding::Place(place, ty)
            });
        }
        self.declare(&routine.variables, &routine.frame, &mut inner);
        let flow = self.statements(&routine.body, &mut inner)?;
        self.memory.truncate(before);
        match (routine.result, flow) {
            (None, _) => Ok(Vec::new()),
            (Some(_), Flow::Next) => Err(span),
            (Some(ty), Flow::Returned(value, span)) => {
                let place = self.allocate(ty);
                self.store(place, ty, &value, span)?;
                self.memory.truncate(before);
                Ok(value)
            }
        }
    }
}
