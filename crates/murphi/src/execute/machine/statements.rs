//! Statements, one after the other, and calls.

use polycube_language::span::Span;

use super::{Flow, MAX_NESTING, MAX_ROUNDS, Machine, Outcome, What, fail};
use crate::execute::domain::UNDEFINED;
use crate::execute::program::{
    Act, Added, Aliased, Argument, Bound, Call, Elements, Formal, Multiset, Statement, Target, Whole,
};

impl Machine<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement]) -> Outcome<Flow> {
        for statement in statements {
            if self.statement(statement)? == Flow::Returned {
                return Ok(Flow::Returned);
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn statement(&mut self, statement: &Statement) -> Outcome<Flow> {
        let span = statement.span;
        match &statement.kind {
            Act::Assign(target, domain, value) => {
                let at = self.place(target)?;
                let value = self.value(value)?;
                if value != UNDEFINED && domain.position(value).is_none() {
                    return fail(What::OutOfRange, span);
                }
                self.write(at, value);
            }
            Act::Copy(to, target, whole) => {
                let at = self.place(to)?;
                self.copy(whole, target, at, span)?;
            }
            Act::If(branches, otherwise) => {
                for (condition, body) in branches {
                    if self.condition(condition)? {
                        return self.statements(body);
                    }
                }
                return self.statements(otherwise);
            }
            Act::Switch(value, cases, otherwise) => {
                let switched = self.used(value)?;
                for (values, body) in cases {
                    for value in values {
                        if self.used(value)? == switched {
                            return self.statements(body);
                        }
                    }
                }
                return self.statements(otherwise);
            }
            Act::For(local, range, body) => {
                let mut values = self.values(range)?;
                while let Some(value) = values.next(range) {
                    self.look()?;
                    self.bind(*local, value);
                    if self.statements(body)? == Flow::Returned {
                        return Ok(Flow::Returned);
                    }
                }
            }
            Act::While(condition, body) => {
                let mut rounds = 0;
                while self.condition(condition)? {
                    self.look()?;
                    rounds += 1;
                    if rounds > MAX_ROUNDS {
                        return fail(What::Endless, span);
                    }
                    if self.statements(body)? == Flow::Returned {
                        return Ok(Flow::Returned);
                    }
                }
            }
            Act::Alias(local, aliased, body) => {
                let bound = self.aliased(aliased)?;
                self.names[self.base + local] = bound;
                return self.statements(body);
            }
            Act::Call(call) => self.call(call)?,
            Act::Return => return Ok(Flow::Returned),
            Act::ReturnValue(domain, value) => {
                let value = self.value(value)?;
                if value != UNDEFINED && domain.position(value).is_none() {
                    return fail(What::OutOfRange, span);
                }
                self.result = value;
                return Ok(Flow::Returned);
            }
            Act::ReturnWhole(target, whole) => {
                let at = self.allocate(target.width)?;
                self.copy(whole, target, at, span)?;
                self.results = self.memory[at..at + target.width].to_vec();
                return Ok(Flow::Returned);
            }
            Act::Undefine(place, width) => {
                let at = self.place(place)?;
                (at..at + width).for_each(|leaf| self.write(leaf, UNDEFINED));
            }
            Act::Clear(place, least) => {
                let at = self.place(place)?;
                (at..).zip(least).for_each(|(leaf, value)| self.write(leaf, *value));
            }
            Act::Error(text) => return fail(What::Said(*text), span),
            Act::Assert(condition, text) => {
                if !self.condition(condition)? {
                    return fail(What::Said(*text), span);
                }
            }
            Act::Evaluate(value) => _ = self.value(value)?,
            Act::EvaluateWhole(whole, width) => self.whole(whole, *width)?,
            Act::Add(multiset, target, added) => self.add(multiset, target, added, span)?,
            Act::Remove(multiset, index) => {
                let slot = self.used(index)? as usize;
                let flag = self.place(&multiset.place)? + slot * multiset.width;
                if self.load(flag) != 1 {
                    return fail(What::Gone, span);
                }
                (flag..flag + multiset.width).for_each(|leaf| self.write(leaf, UNDEFINED));
            }
            Act::RemoveAll(elements) => {
                let Multiset { place, count, width } = &elements.multiset;
                let start = self.place(place)?;
                for slot in 0..*count {
                    let flag = start + slot * width;
                    if self.satisfies(elements, slot, flag)? {
                        (flag..flag + width).for_each(|leaf| self.write(leaf, UNDEFINED));
                    }
                }
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn add(
        &mut self,
        multiset: &Multiset,
        target: &Target,
        added: &Added,
        span: Span,
    ) -> Outcome<()> {
        let value = match added {
            Added::Value(value) => self.value(value)?,
            Added::Whole(_) => UNDEFINED,
        };
        let start = self.place(&multiset.place)?;
        for slot in 0..multiset.count {
            let flag = start + slot * multiset.width;
            if self.load(flag) == 1 {
                continue;
            }
            match added {
                Added::Value(_) => {
                    let domains = target.domains.as_ref().expect("a simple value is checked");
                    if value != UNDEFINED && domains[0].position(value).is_none() {
                        return fail(What::OutOfRange, span);
                    }
                    self.write(flag + 1, value);
                }
                Added::Whole(whole) => self.copy(whole, target, flag + 1, span)?,
            }
            self.write(flag, 1);
            return Ok(());
        }
        fail(What::Full, span)
    }

    /// Whether there is an element in a slot for which the condition holds.
    pub(super) fn satisfies(&mut self, elements: &Elements, slot: usize, flag: usize) -> Outcome<bool> {
        self.look()?;
        self.bind(elements.local, slot as i64);
        Ok(self.load(flag) == 1 && self.condition(&elements.condition)?)
    }

    /// Copies a record or an array. What is undefined stays so.
    pub(super) fn copy(&mut self, whole: &Whole, target: &Target, to: usize, span: Span) -> Outcome<()> {
        self.whole(whole, target.width)?;
        let values = std::mem::take(&mut self.results);
        let mut copied = Ok(());
        for (at, &value) in values.iter().enumerate() {
            if let Some(domains) = &target.domains
                && value != UNDEFINED
                && domains[at].position(value).is_none()
            {
                copied = fail(What::OutOfRange, span);
                break;
            }
            self.write(to + at, value);
        }
        self.results = values;
        copied
    }

    /// The leaves of a record or an array, as results.
    pub(super) fn whole(&mut self, whole: &Whole, width: usize) -> Outcome<()> {
        match whole {
            Whole::Place(place) => {
                let at = self.place(place)?;
                if let Some(reads) = &mut self.reads {
                    reads.extend((at..at + width).filter(|leaf| *leaf < self.size));
                }
                self.results.clear();
                self.results.extend_from_slice(&self.memory[at..at + width]);
            }
            Whole::Call(call) => self.call(call)?,
            Whole::Conditional(condition, parts) => {
                let part = if self.condition(condition)? { &parts[0] } else { &parts[1] };
                self.whole(part, width)?;
            }
            Whole::Undefined => {
                self.results.clear();
                self.results.resize(width, UNDEFINED);
            }
        }
        Ok(())
    }

    pub(super) fn aliased(&mut self, aliased: &Aliased) -> Outcome<Bound> {
        Ok(match aliased {
            Aliased::Name(local) => self.bound(*local),
            Aliased::Place(place) => Bound::Place(self.place(place)?),
            Aliased::Value(value) => Bound::Value(self.value(value)?),
            Aliased::Whole(whole, width) => {
                self.whole(whole, *width)?;
                let at = self.allocate(*width)?;
                self.memory[at..].copy_from_slice(&self.results);
                Bound::Place(at)
            }
        })
    }

    /// Calls a routine. What it returns is the result.
    pub(super) fn call(&mut self, call: &Call) -> Outcome<()> {
        self.look()?;
        let routine = &self.program.routines[call.routine.0 as usize];
        let before = self.nesting;
        self.nesting += routine.nesting;
        if self.nesting > MAX_NESTING {
            return fail(What::TooDeep, call.span);
        }
        let (names, memory) = (self.names.len(), self.memory.len());
        for (formal, argument) in routine.formals.iter().zip(&call.arguments) {
            let bound = match (formal, argument) {
                (Formal::Reference, Argument::Reference(aliased)) => self.aliased(aliased)?,
                (Formal::Value(target), Argument::Value(value)) => {
                    let (span, value) = (value.span, self.value(value)?);
                    let domains = target.domains.as_ref().expect("a simple value is checked");
                    if value != UNDEFINED && domains[0].position(value).is_none() {
                        return fail(What::OutOfRange, span);
                    }
                    let at = self.allocate(1)?;
                    self.memory[at] = value;
                    Bound::Place(at)
                }
                (Formal::Value(target), Argument::Whole(whole, span)) => {
                    let at = self.allocate(target.width)?;
                    self.copy(whole, target, at, *span)?;
                    Bound::Place(at)
                }
                _ => unreachable!("arguments are compiled for their parameters"),
            };
            self.names.push(bound);
        }
        self.names.resize(names + routine.names, Bound::Nothing);
        let caller = std::mem::replace(&mut self.base, names);
        self.declare(&routine.variables)?;
        let flow = self.statements(&routine.body)?;
        self.base = caller;
        self.names.truncate(names);
        self.memory.truncate(memory);
        self.nesting = before;
        if flow == Flow::Next && routine.returns {
            return fail(What::NoReturn, call.span);
        }
        Ok(())
    }
}
