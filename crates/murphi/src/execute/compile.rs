//! [`Model`] to [`Program`]: names become places in memory.

mod expressions;
mod statements;

use std::sync::atomic::AtomicBool;

use polycube_language::diagnostic::{Code, Diagnostic};
use polycube_language::span::Span;

use super::domain::{Domain, written};
use super::machine::{MAX_LISTED, Machine};
use super::program::{Binder, Bound, Formal, Instance, Program, Range, Routine, Rule, Slots, Variable};
use crate::model::{self, Frame, LocalId, Model, TypeId, TypeKind};

/// How many leaves a variable may have.
const MAX_WIDTH: usize = 20_000;

/// How many choices of parameters rules may have, all together.
const MAX_INSTANCES: usize = 500_000;

type Result<T, E = Box<Diagnostic>> = std::result::Result<T, E>;

fn refuse<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Box::new(Diagnostic::error(Code::Unsupported, span, message)))
}

/// A program that does what a model says.
pub(super) fn compile(model: &Model) -> Result<Program> {
    let mut compiler = Compiler::new(model)?;
    let mut program = Program {
        leaves: Vec::new(),
        multisets: Vec::new(),
        routines: Vec::new(),
        rules: Vec::new(),
        starts: Vec::new(),
        invariants: Vec::new(),
        texts: Vec::new(),
    };
    for (variable, &start) in model.globals.iter().zip(&compiler.globals) {
        compiler.collect_leaves(variable.ty, &mut program.leaves);
        compiler.collect_multisets(variable.ty, start, &mut program.multisets);
    }
    for routine in &model.routines {
        program.routines.push(compiler.routine(routine)?);
    }
    let mut room = MAX_INSTANCES;
    for rule in &model.rules {
        let rule = compiler.rule(rule, &program, &mut room)?;
        program.rules.push(rule);
    }
    for start in &model.starts {
        let start = compiler.rule(start, &program, &mut room)?;
        program.starts.push(start);
    }
    for invariant in &model.invariants {
        let invariant = compiler.invariant(invariant, &program, &mut room)?;
        program.invariants.push(invariant);
    }
    program.texts = compiler.texts;
    Ok(program)
}

/// The values of a parameter, while outer ones have theirs.
fn listed(
    machine: &mut Machine<'_>,
    range: &Range,
    outer: &Instance,
    bound: &model::Local,
) -> Result<Vec<i64>> {
    match machine.listed(range, &outer.frame) {
        Err(_) => refuse(bound.span, "the bounds of this range depend on the state"),
        Ok(values) if values.len() == MAX_LISTED => {
            refuse(bound.span, format!("`{}` has too many values", bound.name))
        }
        Ok(values) => Ok(values),
    }
}

struct Compiler<'m> {
    model: &'m Model,
    /// How many leaves each type has.
    widths: Vec<usize>,
    /// Where each variable of the state begins.
    globals: Vec<usize>,
    texts: Vec<String>,
    /// What the function returns that is being compiled.
    result: Option<TypeId>,
    /// The types of the names that are bound in the present rule or routine.
    names: Vec<TypeId>,
    /// How deep the present part is inside others, and how deep any was.
    depth: usize,
    deepest: usize,
}

impl<'m> Compiler<'m> {
    fn new(model: &'m Model) -> Result<Compiler<'m>> {
        let mut widths: Vec<usize> = Vec::new();
        for ty in &model.types {
            // A type is declared after those of its parts.
            let of = |id: TypeId| widths[id.0 as usize];
            let width = match &ty.kind {
                TypeKind::Record(fields) => {
                    fields.iter().fold(0, |sum: usize, (_, ty)| sum.saturating_add(of(*ty)))
                }
                TypeKind::Array { index, element } => {
                    let Some(domain) = Domain::of(model, *index) else {
                        return refuse(ty.span, "the indices of this array cannot be listed");
                    };
                    (domain.count() as usize).saturating_mul(of(*element))
                }
                TypeKind::Multiset { size, element } => {
                    (size.value.max(0) as usize).saturating_mul(of(*element).saturating_add(1))
                }
                _ => 1,
            };
            widths.push(width);
        }
        let mut globals = Vec::new();
        let mut start = 0;
        for variable in &model.globals {
            globals.push(start);
            let width = widths[variable.ty.0 as usize];
            if width > MAX_WIDTH || start + width > MAX_WIDTH {
                let message = format!("the variables have more than {MAX_WIDTH} parts");
                return Err(Box::new(Diagnostic::error(Code::TooLarge, variable.span, message)));
            }
            start += width;
        }
        let (texts, result) = (Vec::new(), None);
        Ok(Compiler { model, widths, globals, texts, result, names: Vec::new(), depth: 0, deepest: 0 })
    }

    fn width(&self, ty: TypeId) -> usize {
        self.widths[ty.0 as usize]
    }

    fn is_simple(&self, ty: TypeId) -> bool {
        let kind = &self.model.ty(ty).kind;
        !matches!(kind, TypeKind::Record(_) | TypeKind::Array { .. } | TypeKind::Multiset { .. })
    }

    /// What a leaf of this type can hold. No variable holds numbers without bounds, or an index of an element.
    fn domain(&self, ty: TypeId) -> Domain {
        Domain::of(self.model, ty).unwrap_or_default()
    }

    fn collect_leaves(&self, ty: TypeId, found: &mut Vec<Domain>) {
        match &self.model.ty(ty).kind {
            TypeKind::Record(fields) => fields.iter().for_each(|(_, ty)| self.collect_leaves(*ty, found)),
            TypeKind::Array { index, element } => {
                (0..self.domain(*index).count()).for_each(|_| self.collect_leaves(*element, found));
            }
            TypeKind::Multiset { size, element } => {
                for _ in 0..size.value {
                    found.push(self.domain(TypeId::BOOLEAN));
                    self.collect_leaves(*element, found);
                }
            }
            _ => found.push(self.domain(ty)),
        }
    }

    fn collect_multisets(&self, ty: TypeId, start: usize, found: &mut Vec<Slots>) {
        if !self.model.has_multiset(ty) {
            return;
        }
        match &self.model.ty(ty).kind {
            TypeKind::Record(fields) => {
                let mut at = start;
                for (_, ty) in fields {
                    self.collect_multisets(*ty, at, found);
                    at += self.width(*ty);
                }
            }
            TypeKind::Array { element, .. } => {
                let width = self.width(*element).max(1);
                let starts = (start..start + self.width(ty)).step_by(width);
                starts.for_each(|at| self.collect_multisets(*element, at, found));
            }
            TypeKind::Multiset { size, element } => {
                let (count, width) = (size.value as usize, self.width(*element) + 1);
                (0..count).for_each(|slot| self.collect_multisets(*element, start + slot * width + 1, found));
                found.push(Slots { start, count, width });
            }
            _ => {}
        }
    }

    // Rules.

    fn routine(&mut self, routine: &model::Routine) -> Result<Routine> {
        let mut formals = Vec::new();
        for formal in &routine.formals {
            let ty = routine.frame.locals[formal.local.0 as usize].ty;
            formals.push(match formal.is_reference {
                true => Formal::Reference,
                false => Formal::Value(self.target(ty, None, routine.span)?),
            });
        }
        self.begin(&routine.frame);
        self.result = routine.result;
        let body = self.statements(&routine.body)?;
        self.result = None;
        Ok(Routine {
            formals,
            names: routine.frame.locals.len(),
            variables: self.variables(&routine.variables, &routine.frame)?,
            body,
            returns: routine.result.is_some(),
            nesting: self.deepest + 8,
        })
    }

    fn begin(&mut self, frame: &Frame) {
        self.names = frame.locals.iter().map(|local| local.ty).collect();
        (self.depth, self.deepest) = (0, 0);
    }

    fn variables(&self, variables: &[LocalId], frame: &Frame) -> Result<Vec<Variable>> {
        let one = |local: &LocalId| {
            let name = &frame.locals[local.0 as usize];
            match self.width(name.ty) {
                width if width > MAX_WIDTH => {
                    refuse(name.span, format!("`{}` has too many parts", name.name))
                }
                width => Ok(Variable { local: local.0 as usize, width }),
            }
        };
        variables.iter().map(one).collect()
    }

    fn rule(&mut self, rule: &model::Rule, program: &Program, room: &mut usize) -> Result<Rule> {
        self.begin(&rule.frame);
        Ok(Rule {
            name: rule.name.clone(),
            span: rule.span,
            instances: self.instances(&rule.binders, &rule.frame, program, room)?,
            binders: self.binders(&rule.binders)?,
            guard: rule.guard.as_ref().map(|guard| self.expression(guard)).transpose()?,
            variables: self.variables(&rule.variables, &rule.frame)?,
            body: self.statements(&rule.body)?,
        })
    }

    fn invariant(
        &mut self,
        invariant: &model::Invariant,
        program: &Program,
        room: &mut usize,
    ) -> Result<Rule> {
        self.begin(&invariant.frame);
        Ok(Rule {
            name: invariant.name.clone(),
            span: invariant.span,
            instances: self.instances(&invariant.binders, &invariant.frame, program, room)?,
            binders: self.binders(&invariant.binders)?,
            guard: Some(self.expression(&invariant.formula)?),
            variables: Vec::new(),
            body: Vec::new(),
        })
    }

    fn binders(&mut self, binders: &[model::Binder]) -> Result<Vec<Binder>> {
        let mut found = Vec::new();
        for binder in binders {
            match binder {
                model::Binder::Each(..) => {}
                model::Binder::Alias(local, value) => {
                    found.push(Binder::Alias(local.0 as usize, self.aliased(value)?));
                }
                model::Binder::Choose(local, place) => {
                    found.push(Binder::Choose(local.0 as usize, self.multiset(place)?));
                }
            }
        }
        Ok(found)
    }

    /// Every choice of the parameters, in order.
    fn instances(
        &mut self,
        binders: &[model::Binder],
        frame: &Frame,
        program: &Program,
        room: &mut usize,
    ) -> Result<Vec<Instance>> {
        let interrupt = AtomicBool::new(false);
        let mut machine = Machine::new(program, &interrupt);
        let mut all = vec![Instance { frame: vec![Bound::Nothing; frame.locals.len()], values: Vec::new() }];
        for binder in binders {
            let local = match binder {
                model::Binder::Alias(..) => continue,
                model::Binder::Choose(local, _) | model::Binder::Each(local, _) => *local,
            };
            let bound = &frame.locals[local.0 as usize];
            let range = match binder {
                model::Binder::Each(_, range) => Some(self.range(range)?),
                _ => None,
            };
            let mut next = Vec::new();
            for instance in &all {
                let values = match &range {
                    Some(range) => listed(&mut machine, range, instance, bound)?,
                    None => (0..self.slots(bound.ty)).collect(),
                };
                for value in values {
                    let word = match range {
                        Some(_) => written(self.model, bound.ty, value),
                        None => value.to_string(),
                    };
                    let mut chosen = instance.clone();
                    chosen.frame[local.0 as usize] = Bound::Value(value);
                    chosen.values.push(word);
                    next.push(chosen);
                }
                if next.len() > *room {
                    let span = bound.span;
                    let message = format!("rules have more than {MAX_INSTANCES} choices of parameters");
                    return Err(Box::new(Diagnostic::error(Code::TooLarge, span, message)));
                }
            }
            all = next;
        }
        *room -= all.len().min(*room);
        Ok(all)
    }

    /// How many slots the multiset has that an index is of.
    fn slots(&self, index: TypeId) -> i64 {
        let TypeKind::Slot(multiset) = self.model.ty(index).kind else { unreachable!("it is an index") };
        match &self.model.ty(multiset).kind {
            TypeKind::Multiset { size, .. } => size.value,
            _ => unreachable!("elements are chosen from a multiset"),
        }
    }
}
