//! [`Model`] to [`System`]: every encoding is exact, and what has none is refused.
//!
//! One type of the file becomes the processes; all others keep the sizes of the file. If no type does, the whole is
//! one instance: every array is as many symbols as it has cells, and every loop its iterations, one after the other. A
//! body is run symbolically into a list of conditional writes, which becomes one simultaneous update per symbol.

mod counter;
mod counting;
mod effects;
mod evaluate;
mod execute;
mod finish;
mod ghosts;
mod layout;
mod loops;
mod multiset;
mod named;
mod names;
mod place;
mod question;
mod range;
mod rule;
pub(crate) mod skeleton;
mod split;
mod start;
pub(crate) mod value;
mod writes;

use std::collections::{BTreeMap, BTreeSet};

use polycube_language::System;
use polycube_language::count::Count;
use polycube_language::diagnostic::{Code, Diagnostic, Diagnostics};
use polycube_language::formula::{Formula, Variable, VariableId};
use polycube_language::span::{Origin, Span};
use polycube_language::system::{
    Enumeration, EnumerationId, Symbol, SymbolId, SymbolKind, Type as SystemType,
};
use polycube_language::words::{Guarded, Murphi};

use crate::model::{ConstantId, Model, TypeId, TypeKind};
use crate::sizes;
use layout::{Leaf, LeafId, Node, NodeId, Symbols};
use multiset::Changes;
use named::Named;
use names::Names;
use value::{Coding, CodingId, Constant, Domain};
use writes::{Read, Write};

/// How many parts the variables of a model may have.
const MAX_LEAVES: usize = 20_000;

/// How many parts the conditions may have that are looked at by a translation that should be easy.
const EASY_EFFORT: usize = 500_000;

/// How many parts the formulas of a system may have that should be explored easily.
const EASY_SIZE: usize = 100_000;

/// A formula of a system may nest this deep.
const MAX_DEPTH: usize = Formula::MAX_DEPTH;

/// The system that a model means, with the values of one type as its processes.
///
/// # Errors
///
/// What has no exact counterpart is refused, with its place.
pub fn translate(model: &Model, processes: TypeId) -> Result<System, Diagnostics> {
    translated(model, Some(processes), usize::MAX)
}

/// The system that a model means at the sizes of the file. It has one process, which nothing speaks of.
///
/// # Errors
///
/// What has no exact counterpart is refused, with its place.
pub fn translate_at_its_sizes(model: &Model) -> Result<System, Diagnostics> {
    translated(model, None, usize::MAX)
}

/// The same, if that is easily done and the result easily explored: multisets are sorted, and formulas are short.
pub(crate) fn translate_easily(model: &Model) -> Result<System, Diagnostics> {
    let system = translated(model, None, EASY_EFFORT)?;
    let sizes = system.formulas().map(Formula::size);
    if sizes.sum::<usize>() > EASY_SIZE {
        let message = "the rules have too many cases";
        return Err(Diagnostics::from_one(Diagnostic::error(Code::TooLarge, Span::default(), message)));
    }
    Ok(system)
}

fn translated(model: &Model, processes: Option<TypeId>, effort: usize) -> Result<System, Diagnostics> {
    let mut known = Known::default();
    let mut spent = 0;
    loop {
        let mut translator = Translator::new(model, processes, &known);
        (translator.effort, translator.spent) = (effort, spent);
        let system = translator.run().map_err(|Refused(diagnostic)| Diagnostics::from_one(*diagnostic))?;
        // What is copied from a leaf that can be undefined can be undefined, and what depends on one that is left
        // out is left out: until nothing is added.
        let named = translator.named();
        spent = translator.spent;
        let (found, last) = (translator.found, translator.last);
        let is_all = found.undefinable.is_subset(&known.undefinable) && found.ghosts.is_subset(&known.ghosts);
        if is_all && named == known.named {
            return Ok(system);
        }
        known.named = named;
        known.undefinable.extend(found.undefinable);
        known.ghosts.extend(found.ghosts);
        known.reasons.extend(last.into_values());
    }
}

/// What is known of the leaves of the state, by their numbers.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Those that can be undefined.
    undefinable: BTreeSet<u32>,
    /// Those that are left out, because nothing that matters depends on them.
    ghosts: BTreeSet<u32>,
    /// Why some of these are hard to follow: their last value depends on an order.
    reasons: Vec<Diagnostic>,
    /// What processes are that are called by numbers.
    named: Named,
}

/// Something that has no exact counterpart.
struct Refused(Box<Diagnostic>);

type Result<T, E = Refused> = std::result::Result<T, E>;

fn refuse<T>(span: Span, message: impl Into<String>) -> Result<T> {
    Err(Refused(Box::new(Diagnostic::error(Code::Unsupported, span, message))))
}

/// Something whose conditions would be too large.
fn too_many_cases<T>(span: Span, what: &str) -> Result<T> {
    let message = format!("{what} has too many cases");
    Err(Refused(Box::new(Diagnostic::error(Code::TooLarge, span, message))))
}

struct Translator<'m> {
    model: &'m Model,
    /// The type whose values are the processes; none at the sizes of the file.
    processes: Option<TypeId>,
    /// The constants that say how many there are.
    parameters: BTreeSet<ConstantId>,
    known: &'m Known,
    /// What was found out meanwhile.
    found: Known,
    nodes: Vec<Node>,
    leaves: Vec<Leaf>,
    /// The node of each variable of the state.
    globals: Vec<NodeId>,
    codings: Vec<Coding>,
    coded: BTreeMap<(Domain, bool), CodingId>,
    kinds: BTreeMap<(TypeId, bool), CodingId>,
    names: Names,
    system: System,
    /// Constants of the system for processes that the file names by numbers.
    literals: BTreeMap<i64, SymbolId>,
    /// The largest number by which an invariant calls a process.
    claimed: Option<i64>,
    /// Whether something else calls a process by a number.
    is_named_elsewhere: bool,
    /// Whether an invariant is being translated, and its parameters that stand for such processes.
    is_invariant: bool,
    standing: BTreeMap<i64, VariableId>,
    /// Numbers of processes: their symbols have numbers that no other symbol has until the end.
    counts: Vec<Count>,
    /// What stands for the numbers that the loops around the present place add to.
    added_to: Vec<(LeafId, SymbolId)>,
    /// In which directions iterations have changed such numbers: whether upwards.
    steps: Vec<(LeafId, bool)>,
    /// How many such symbols there were.
    markers: u32,
    /// Whether processes are compared by their order.
    uses_order: bool,
    /// A constant for variables that hold no process.
    nobody: Option<SymbolId>,
    /// What the body that is being run has written so far.
    log: Vec<Write>,
    /// When the present place of the body is reached.
    path: Formula,
    /// What goes wrong, and when.
    errors: Vec<Mishap>,
    /// What the loops around the present place have read.
    reads: Vec<Read>,
    /// The leaves that the order of iterations decides about, and where that is.
    last: BTreeMap<LeafId, Diagnostic>,
    /// The parameters of the transition: pairwise distinct processes.
    distinct: Vec<VariableId>,
    /// The process with which the loops of a start state end.
    last_process: Option<Variable>,
    /// Whether nothing has a value yet: a start state is being run.
    is_start: bool,
    variables: u32,
    /// How many routines are being run.
    calls: usize,
    /// Whether the condition that comes next is a claim, or all of one but for what is known to hold.
    is_claim: bool,
    /// How many parts the conditions of one value may have.
    room: usize,
    /// How large the conditions were under which something was read, all together.
    work: usize,
    /// How many parts the conditions had that were looked at, and how many there may be.
    spent: usize,
    effort: usize,
    /// Leaves that were passed by value, and their copies, in the order of the calls.
    copies: Vec<(LeafId, LeafId)>,
    /// What the body that is being run has done to multisets.
    changes: BTreeMap<NodeId, Changes>,
}

/// An error of the language, which is a property that must not be violated.
#[derive(Clone, Debug)]
struct Mishap {
    condition: Formula,
    what: String,
    span: Span,
}

impl<'m> Translator<'m> {
    fn new(model: &'m Model, processes: Option<TypeId>, known: &'m Known) -> Translator<'m> {
        let parameters = match processes.map(|ty| &model.ty(ty).kind) {
            Some(TypeKind::Range(low, high)) => low.constants.union(&high.constants).copied().collect(),
            Some(TypeKind::Scalarset(size)) => size.constants.clone(),
            _ => BTreeSet::new(),
        };
        let mut system = System::default();
        let name = processes.map_or_else(String::new, |ty| sizes::name(model, ty).replace('`', ""));
        system.words.murphi =
            Some(Murphi { processes: name, is_whole: known.ghosts.is_empty(), ..Murphi::default() });
        let truths = [(Enumeration::FALSE, "false"), (Enumeration::TRUE, "true")];
        let truths = truths.map(|(value, word)| ((EnumerationId::BOOL, value), word.to_owned()));
        system.words.constructors.extend(truths);
        Translator {
            model,
            processes,
            parameters,
            known,
            found: Known::default(),
            nodes: Vec::new(),
            leaves: Vec::new(),
            globals: Vec::new(),
            codings: Vec::new(),
            coded: BTreeMap::new(),
            kinds: BTreeMap::new(),
            names: Names::default(),
            system,
            literals: BTreeMap::new(),
            claimed: None,
            is_named_elsewhere: false,
            is_invariant: false,
            standing: BTreeMap::new(),
            counts: Vec::new(),
            added_to: Vec::new(),
            steps: Vec::new(),
            markers: 0,
            uses_order: false,
            nobody: None,
            log: Vec::new(),
            path: Formula::TRUE,
            errors: Vec::new(),
            reads: Vec::new(),
            last: BTreeMap::new(),
            distinct: Vec::new(),
            last_process: None,
            is_start: false,
            variables: 0,
            calls: 0,
            is_claim: false,
            room: writes::MAX_SIZE,
            work: 0,
            spent: 0,
            effort: usize::MAX,
            copies: Vec::new(),
            changes: BTreeMap::new(),
        }
    }

    fn run(&mut self) -> Result<System> {
        self.expect_fixed_types()?;
        effects::expect_order(self.model)?;
        self.declare()?;
        self.start()?;
        for rule in &self.model.rules {
            self.rule(rule)?;
        }
        for invariant in &self.model.invariants {
            self.invariant(invariant)?;
        }
        self.finish()
    }

    /// The size of no other type depends on the number of processes.
    fn expect_fixed_types(&mut self) -> Result<()> {
        let model = self.model;
        for (at, ty) in (0..).zip(&model.types) {
            let sizes = match &ty.kind {
                TypeKind::Range(low, high) => vec![low, high],
                TypeKind::Scalarset(size) | TypeKind::Multiset { size, .. } => vec![size],
                _ => Vec::new(),
            };
            let is_counter = matches!(ty.kind, TypeKind::Range(..)) && self.bounds(TypeId(at)).is_some();
            if !self.is_process(TypeId(at)) && !is_counter {
                sizes.into_iter().try_for_each(|size| self.expect_fixed(size, ty.span))?;
            }
            if let TypeKind::Array { index, .. } = ty.kind {
                self.expect_listed(index, ty.span)?;
            }
        }
        Ok(())
    }

    /// The symbols of all variables of the state.
    fn declare(&mut self) -> Result<()> {
        for variable in &self.model.globals {
            if self.processes.is_some() && self.model.has_multiset(variable.ty) {
                return refuse(variable.span, format!("`{}` is a multiset, or has one", variable.name));
            }
            let parts = self.leaves.len().saturating_add(self.parts(variable.ty));
            if parts > MAX_LEAVES {
                let message = format!("the variables have more than {MAX_LEAVES} parts");
                return refuse(variable.span, message);
            }
            let node = self.lay_out(std::slice::from_ref(&variable.name), variable.ty);
            self.globals.push(node);
        }
        for at in 0..self.leaves.len() {
            let leaf = self.leaves[at].clone();
            if self.known.ghosts.contains(&(at as u32)) {
                self.leaves[at].symbols = Symbols::Ghost;
                continue;
            }
            let can_be_undefined = self.known.undefinable.contains(&(at as u32));
            let name = self.names.symbol(&leaf.name);
            let dimensions = leaf.name.len() - 1;
            self.leaves[at].symbols = if leaf.bounds.is_some() {
                let number = self.symbol(name.clone(), dimensions, SystemType::Integer);
                let kind = can_be_undefined.then(|| {
                    let coding = self.kinds(&leaf, true);
                    let name = self.names.symbol(&[format!("{name}_is")]);
                    (self.symbol(name, dimensions, self.coding(coding).ty()), coding)
                });
                self.spell(number, &leaf);
                if let Some((by, coding)) = kind {
                    self.spell(by, &leaf);
                    self.spell_undefined(by, coding, true);
                    let counts = self.coding(coding).process.expect("it can be a number");
                    self.system.words.guarded.insert(number, Guarded { by, counts });
                }
                Symbols::Counter(number, kind)
            } else if leaf.has_process {
                let process = self.symbol(name.clone(), dimensions, SystemType::Process);
                let needs_kind = can_be_undefined || !leaf.values.is_empty();
                let kind = needs_kind.then(|| {
                    let coding = self.kinds(&leaf, can_be_undefined);
                    let name = self.names.symbol(&[format!("{name}_is")]);
                    (self.symbol(name, dimensions, self.coding(coding).ty()), coding)
                });
                self.spell(process, &leaf);
                if let Some((by, coding)) = kind {
                    self.spell(by, &leaf);
                    self.spell_undefined(by, coding, can_be_undefined);
                    let counts = self.coding(coding).process.expect("it can be a process");
                    self.system.words.guarded.insert(process, Guarded { by, counts });
                }
                Symbols::Process(process, kind)
            } else {
                let coding = self.coding_of(&leaf, can_be_undefined);
                let symbol = self.symbol(name, dimensions, self.coding(coding).ty());
                self.spell(symbol, &leaf);
                self.spell_undefined(symbol, coding, can_be_undefined);
                Symbols::Finite(symbol, coding)
            };
        }
        Ok(())
    }

    fn symbol(&mut self, name: String, dimensions: usize, ty: SystemType) -> SymbolId {
        let kind = if dimensions == 0 { SymbolKind::Variable } else { SymbolKind::Array { dimensions } };
        let id = SymbolId(self.system.symbols.len() as u32);
        self.system.symbols.push(Symbol { name, kind, ty, origin: Origin::default() });
        id
    }

    /// A symbol is called as the file calls it.
    fn spell(&mut self, symbol: SymbolId, leaf: &Leaf) {
        self.system.words.cells.insert(symbol, leaf.name.clone());
        let is_in = |element: Constant| {
            let index = format!("[{}]", self.written(element));
            leaf.name.iter().any(|piece| piece.contains(&index))
        };
        let scalarsets = (0..)
            .map(TypeId)
            .zip(&self.model.types)
            .filter(|(id, ty)| matches!(ty.kind, TypeKind::Scalarset(_)) && !self.is_process(*id));
        let is_nameless = scalarsets.flat_map(|(id, _)| self.values(id)).any(is_in);
        if let (Some(murphi), true) = (&mut self.system.words.murphi, is_nameless) {
            murphi.nameless_cells.insert(symbol);
        }
    }

    /// How a symbol says that its leaf is undefined, if it can be: others of the same coding may be.
    fn spell_undefined(&mut self, symbol: SymbolId, coding: CodingId, can_be_undefined: bool) {
        let undefined = self.coding(coding).undefined.filter(|_| can_be_undefined);
        if let (Some(murphi), Some(undefined)) = (&mut self.system.words.murphi, undefined) {
            murphi.undefined.insert(symbol, undefined);
        }
    }

    fn coding(&self, id: CodingId) -> &Coding {
        &self.codings[id.0 as usize]
    }

    fn add_coding(&mut self, name: &str, values: Vec<Constant>, special: [bool; 2]) -> CodingId {
        let (mut constructors, mut words) = (Vec::new(), Vec::new());
        for value in &values {
            let written = self.written(*value);
            constructors.push(self.names.constructor(&written));
            words.push(written);
        }
        let [mut process, mut undefined] = [None, None];
        for (place, is_wanted, name, word) in [
            (&mut process, special[0], "Is_process", "defined"),
            (&mut undefined, special[1], "Undefined", "undefined"),
        ] {
            if is_wanted {
                *place = Some(constructors.len() as u32);
                constructors.push(self.names.constructor(name));
                words.push(word.to_owned());
            }
        }
        let enumeration = EnumerationId(self.system.enumerations.len() as u32);
        let is_nameless = |value: &Constant| match value.domain {
            Domain::Type(ty) => matches!(self.model.ty(ty).kind, TypeKind::Scalarset(_)),
            Domain::Boolean | Domain::Number | Domain::Slot(_) => false,
        };
        let nameless = (0..).zip(&values).filter(|(_, value)| is_nameless(value));
        if let Some(murphi) = &mut self.system.words.murphi {
            murphi.nameless.extend(nameless.map(|(index, _)| (enumeration, index)));
        }
        let words = (0..).zip(words).map(|(index, word)| ((enumeration, index), word));
        self.system.words.constructors.extend(words);
        let name = self.names.ty(name);
        self.system.enumerations.push(Enumeration { name, constructors, origin: Origin::default() });
        self.codings.push(Coding { enumeration, values, undefined, process });
        CodingId(self.codings.len() as u32 - 1)
    }

    /// What says that a leaf for processes holds none.
    fn kinds(&mut self, leaf: &Leaf, can_be_undefined: bool) -> CodingId {
        if let Some(id) = self.kinds.get(&(leaf.ty, can_be_undefined)) {
            return *id;
        }
        let name = self.model.ty(leaf.ty).name.clone().unwrap_or_else(|| "kind".to_owned());
        let id = self.add_coding(&format!("{name}_kind"), leaf.values.clone(), [true, can_be_undefined]);
        self.kinds.insert((leaf.ty, can_be_undefined), id);
        id
    }

    /// Leaves of the same type share a coding, so that they can be compared and copied. So do all numbers.
    fn coding_of(&mut self, leaf: &Leaf, can_be_undefined: bool) -> CodingId {
        let domain = leaf.domain();
        if domain == Domain::Boolean && !can_be_undefined {
            if let Some(id) = self.coded.get(&(domain, false)) {
                return *id;
            }
            let values = vec![Constant::FALSE, Constant::TRUE];
            let coding = Coding { enumeration: EnumerationId::BOOL, values, undefined: None, process: None };
            self.codings.push(coding);
            let id = CodingId(self.codings.len() as u32 - 1);
            self.coded.insert((domain, false), id);
            return id;
        }
        // Of the others, one undefined leaf is a reason for all.
        let is_boolean = domain == Domain::Boolean;
        if let Some(id) = self.coded.get(&(domain, is_boolean)) {
            return *id;
        }
        let is_same = |other: &Leaf| !other.has_process && other.domain() == domain;
        let same: Vec<u32> =
            (0..).zip(&self.leaves).filter(|(_, other)| is_same(other)).map(|(at, _)| at).collect();
        let undefined = same.iter().any(|at| self.known.undefinable.contains(at));
        let values: BTreeSet<Constant> =
            same.iter().flat_map(|at| self.leaves[*at as usize].values.clone()).collect();
        let name = match domain {
            Domain::Number => "number".to_owned(),
            Domain::Boolean => "truth".to_owned(),
            Domain::Slot(_) => unreachable!("no variable holds the index of an element"),
            Domain::Type(_) => self.model.ty(leaf.ty).name.clone().unwrap_or_else(|| "kind".to_owned()),
        };
        let id = self.add_coding(&name, values.into_iter().collect(), [false, undefined]);
        self.coded.insert((domain, is_boolean), id);
        id
    }

    /// Whether values of this type are processes.
    fn is_process(&self, ty: TypeId) -> bool {
        let Some(processes) = self.processes else { return false };
        let [one, other] = [ty, processes].map(|ty| &self.model.ty(ty).kind);
        let is_alike = matches!((one, other), (TypeKind::Range(_, high), TypeKind::Range(..)) if one == other && !high.constants.is_empty());
        ty == processes || is_alike
    }

    /// The least number that is a process, if processes are numbers: then they have an order.
    fn least_process(&self) -> Option<i64> {
        match &self.model.ty(self.processes?).kind {
            TypeKind::Range(low, _) => Some(low.value),
            _ => None,
        }
    }

    /// Whether values of this type can be processes.
    fn has_process(&self, ty: TypeId) -> bool {
        match &self.model.ty(ty).kind {
            TypeKind::Union(members) => members.iter().any(|member| self.is_process(*member)),
            _ => self.is_process(ty),
        }
    }

    /// The values of a simple type, but for processes.
    fn values(&self, ty: TypeId) -> Vec<Constant> {
        if self.is_process(ty) {
            return Vec::new();
        }
        let domain = Domain::Type(ty);
        match &self.model.ty(ty).kind {
            TypeKind::Boolean => vec![Constant::FALSE, Constant::TRUE],
            TypeKind::Range(low, high) => (low.value..=high.value).map(Constant::number).collect(),
            TypeKind::Enumeration(names) => {
                (0..names.len() as i64).map(|number| Constant { domain, number }).collect()
            }
            TypeKind::Scalarset(size) => (1..=size.value).map(|number| Constant { domain, number }).collect(),
            TypeKind::Union(members) => members.iter().flat_map(|member| self.values(*member)).collect(),
            _ => Vec::new(),
        }
    }

    /// A value as Murphi writes it.
    fn written(&self, value: Constant) -> String {
        match value.domain {
            Domain::Boolean => if value == Constant::TRUE { "true" } else { "false" }.to_owned(),
            Domain::Number | Domain::Slot(_) => value.number.to_string(),
            Domain::Type(ty) => match &self.model.ty(ty).kind {
                TypeKind::Enumeration(names) => names[value.number as usize].clone(),
                _ => format!("{}_{}", self.model.ty(ty).name.as_deref().unwrap_or("element"), value.number),
            },
        }
    }

    fn fresh(&mut self, name: &str) -> Variable {
        let id = VariableId(self.variables);
        self.variables += 1;
        Variable { id, name: name.to_owned(), origin: Origin::default() }
    }

    /// A process for variables that hold none.
    fn nobody_symbol(&mut self) -> SymbolId {
        let id = self.nobody.unwrap_or_else(|| self.process_constant("Nobody"));
        self.system.words.hidden.insert(id);
        self.nobody = Some(id);
        id
    }

    fn process_constant(&mut self, name: &str) -> SymbolId {
        let name = self.names.symbol(&[name.to_owned()]);
        let (kind, ty, origin) = (SymbolKind::Constant, SystemType::Process, Origin::default());
        self.system.symbols.push(Symbol { name, kind, ty, origin });
        SymbolId(self.system.symbols.len() as u32 - 1)
    }

    /// Looks at conditions with so many parts.
    fn spend(&mut self, parts: usize, span: Span) -> Result<()> {
        self.spent = self.spent.saturating_add(parts + 1);
        if self.spent > self.effort { too_many_cases(span, "this model") } else { Ok(()) }
    }

    /// Whether it should be easy to explore the result.
    fn should_be_easy(&self) -> bool {
        self.effort < usize::MAX
    }

    fn mishap(&mut self, condition: Formula, what: impl Into<String>, span: Span) {
        let condition = Formula::and([self.path.clone(), condition]);
        if condition != Formula::FALSE {
            self.errors.push(Mishap { condition, what: what.into(), span });
        }
    }
}
