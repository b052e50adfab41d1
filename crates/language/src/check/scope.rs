//! The names that are visible at one place of a clause or transition.

use rustc_hash::FxHashMap;

use crate::formula::{Formula, Term, Variable, VariableId};
use crate::span::{Origin, Span};
use crate::syntax::Name;
use crate::uses::Binder;

use super::typed::Typed;

/// What a lower-case name stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    Process(VariableId),
    /// A value: bound by `let`, or the argument of a predicate.
    Term(Typed),
    /// A formula, likewise, with the number of its parts.
    Formula(Formula, usize),
    /// Something about which an error was reported, or the parameter of a predicate that is read by itself:
    /// fits everywhere.
    Unknown,
}

impl Binding {
    /// How many parts it has, where it is copied.
    pub fn size(&self) -> usize {
        match self {
            Binding::Process(_) | Binding::Unknown => 0,
            Binding::Term(typed) => typed.size,
            Binding::Formula(_, size) => *size,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Entry<'s> {
    pub name: &'s str,
    pub span: Span,
    /// Decides what is said when it is not used.
    pub binder: Binder,
    pub binding: Binding,
    pub used: bool,
}

/// The visible names, innermost last.
///
/// A predicate is expanded where it is called: its frame lies on top of the caller's, whose names stay
/// visible below it.
#[derive(Debug, Default)]
pub(super) struct Scope<'s> {
    entries: Vec<Entry<'s>>,
    /// The positions of the entries of each name, innermost last.
    positions: FxHashMap<&'s str, Vec<usize>>,
    /// Where the frame of the innermost predicate call starts: names below do not count as shadowed.
    frame: usize,
    /// The process variables among the entries, with the names they have in the system, in order.
    variables: Vec<(VariableId, String)>,
    next_variable: u32,
}

/// A place in the history of a scope to which it can be rolled back.
pub(super) struct Mark {
    entries: usize,
    variables: usize,
    frame: usize,
}

impl<'s> Scope<'s> {
    pub fn mark(&self) -> Mark {
        Mark { entries: self.entries.len(), variables: self.variables.len(), frame: self.frame }
    }

    pub fn start_frame(&mut self) {
        self.frame = self.entries.len();
    }

    /// Forgets what was bound since `mark`, and returns it.
    pub fn leave(&mut self, mark: &Mark) -> Vec<Entry<'s>> {
        self.variables.truncate(mark.variables);
        self.frame = mark.frame;
        let left = self.entries.split_off(mark.entries);
        for entry in &left {
            self.positions.get_mut(entry.name).and_then(Vec::pop).expect("every entry has a position");
        }
        left
    }

    /// Finds the position of a name and counts it as used.
    pub fn look_up(&mut self, name: &str) -> Option<usize> {
        let &at = self.positions.get(name)?.last()?;
        self.entries[at].used = true;
        Some(at)
    }

    pub fn entry(&self, at: usize) -> &Entry<'s> {
        &self.entries[at]
    }

    /// Whether a name comes from outside of the innermost predicate.
    pub fn is_below_frame(&self, at: usize) -> bool {
        at < self.frame
    }

    /// The entry that a new binder of this name would hide: one of the same predicate or clause.
    pub fn hidden_by(&self, name: &str) -> Option<&Entry<'s>> {
        let &at = self.positions.get(name)?.last()?;
        (at >= self.frame).then(|| &self.entries[at])
    }

    /// Counts all process variables as used: a quantifier speaks of the processes other than these.
    pub fn use_all_processes(&mut self) {
        for entry in self.entries.iter_mut().filter(|entry| matches!(entry.binding, Binding::Process(_))) {
            entry.used = true;
        }
    }

    pub fn bind(&mut self, name: Name<'s>, binder: Binder, binding: Binding) {
        self.positions.entry(name.text).or_default().push(self.entries.len());
        self.entries.push(Entry { name: name.text, span: name.span, binder, binding, used: false });
    }

    /// Binds a new process variable. Its name in the system is made different from all that are visible.
    pub fn bind_process(&mut self, name: Name<'s>, binder: Binder) -> Variable {
        let variable = self.anonymous_process(name.text, name.span);
        self.bind(name, binder, Binding::Process(variable.id));
        variable
    }

    /// A new process variable that no text refers to.
    pub fn anonymous_process(&mut self, wish: &str, span: Span) -> Variable {
        let taken = |name: &str| self.variables.iter().any(|(_, taken)| taken == name);
        let mut name = wish.to_owned();
        let mut number = 0;
        while taken(&name) {
            number += 1;
            name = format!("{wish}_{number}");
        }
        let id = VariableId(self.next_variable);
        self.next_variable += 1;
        self.variables.push((id, name.clone()));
        Variable { id, name, origin: Origin(span) }
    }

    /// Gives the variables that `formula` binds new numbers, and names that fit this place: a formula that is
    /// used several times binds different variables each time.
    pub fn rebind(&mut self, formula: &mut Formula) {
        let mark = self.mark();
        if let Formula::Quantified(quantified) = formula {
            let old = quantified.variable.id;
            let new = self.anonymous_process(&quantified.variable.name, quantified.variable.origin.0);
            quantified.body.rename(&mut |variable| if variable == old { new.id } else { variable });
            quantified.variable = new;
        }
        formula.parts_mut().iter_mut().for_each(|part| self.rebind(part));
        self.leave(&mark);
    }

    /// All visible process variables, in increasing order.
    pub fn process_variables(&self) -> Vec<VariableId> {
        self.variables.iter().map(|&(id, _)| id).collect()
    }

    /// The name of a visible process variable that the innermost predicate does not know: neither bound in it
    /// nor among its arguments.
    pub fn variable_unknown_to_frame(&self) -> Option<&str> {
        let known = |id: VariableId| {
            self.entries[self.frame..].iter().any(|entry| match &entry.binding {
                Binding::Process(bound) => *bound == id,
                Binding::Term(typed) => typed.term == Term::Variable(id),
                Binding::Formula(..) | Binding::Unknown => false,
            })
        };
        self.variables.iter().find(|(id, _)| !known(*id)).map(|(_, name)| name.as_str())
    }

    /// Names for this many indices, for advice: process variables that are visible.
    pub fn example_indices(&self, count: usize) -> String {
        let visible = self.variables.iter().map(|(_, name)| name.as_str()).chain(["i", "j", "k", "l"]);
        visible.take(count.min(4)).collect::<Vec<_>>().join(", ")
    }

    pub fn names(&self) -> impl Iterator<Item = &'s str> {
        self.entries.iter().map(|entry| entry.name)
    }
}
