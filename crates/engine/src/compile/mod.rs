//! Instances: a system with a fixed number of processes, compiled for exploration.
//!
//! ```text
//! System, n ─values, domain─> domains ─slot─> slots ─layout─> fields of a packed state
//! formulas ──unroll─> conditions over slots ─program, rule─> masked tests and code over packed states
//! init ─────unroll─> conditions ─initial─> the initial states, one by one
//! ```
//!
//! Unbounded types are bounded here ([`Bounds`]), and what that cuts off is said ([`Cut`]).
//! Numbers are exact: one that cannot be stored is an `Unfit`, never something else.

mod condition;
pub mod domain;
pub(crate) mod filter;
pub(crate) mod independence;
mod initial;
pub mod layout;
pub(crate) mod order;
pub(crate) mod program;
pub(crate) mod rule;
pub mod slot;
mod unroll;
mod values;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use polycube_language::System;
use polycube_language::number::Number;
use polycube_language::system::{Processes, SymbolId, Type, Update, Value};

pub(crate) use initial::{Initial, MAX_ATTEMPTS, Next};

use condition::Condition;
use domain::{Bounds, Domain, Precision};
use filter::Filter;
use independence::Independence;
use layout::Layout;
use order::{Distinctions, Orders};
use program::{Assembler, Program};
use rule::{Check, Rule};
use slot::{Slots, injective_tuples};
use unroll::Unroller;

/// A system with a fixed number of processes, compiled.
#[derive(Clone, Debug)]
pub struct Instance<'s> {
    pub(crate) system: &'s System,
    pub(crate) slots: Slots,
    pub(crate) layout: Layout,
    pub(crate) orders: Orders,
    pub(crate) program: Program,
    /// Which rules can be possible in a state.
    pub(crate) rule_filter: Filter,
    /// The rules about which the filter decides: the set of those whose guard is nothing more, in words of
    /// 64.
    pub(crate) unguarded: Vec<u64>,
    /// The transitions, in the order of the system, each with its choices of processes in lexicographic
    /// order.
    pub(crate) rules: Vec<Rule>,
    /// Which rules do not concern each other; none if there are too many.
    pub(crate) independence: Option<Independence>,
    /// Which properties can hold in a state.
    pub(crate) property_filter: Filter,
    /// The states that must not be reached, for each choice of processes: the index of the property, and when
    /// they are reached.
    pub(crate) properties: Vec<(usize, Check)>,
    /// What the bounds cut off, apart from the initial states: see [`Initial::cuts`].
    pub(crate) cuts: Vec<Cut>,
    /// The conjuncts of `init`.
    init: Vec<Condition>,
}

/// A part of the system that the bounds make smaller than it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The initial values of a number are not fixed by `init`: only some are tried.
    Start(SymbolId),
    /// A transition gives a number an arbitrary value: only some are tried.
    Choice(SymbolId),
    /// An abstract type has infinitely many values, of which only some are used.
    Values(Type),
}

/// Why a system cannot be explored with this many processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// There is at least one process.
    NoProcess,
    /// More processes than are supported.
    Processes(u32),
    /// The model fixes another number of processes.
    NotTheNumber { fixed: u32, asked: u32 },
    /// So many cells.
    Slots(u64),
    /// So many bits for one state.
    Bits(u64),
    /// The unrolled transition, property or initial condition with this name is too large.
    Code(String),
    /// So many choices of orders.
    Orders(u64),
    /// A number of the model is too large, or has too many digits behind the point.
    Number(Number),
    /// Cancelled by the caller.
    Interrupted,
}

impl TooLarge {
    /// The most processes that are supported.
    pub const MAX_PROCESSES: u32 = 64;
}

/// The most rules of an instance.
const MAX_RULES: u64 = 1 << 20;

impl<'s> Instance<'s> {
    /// Compiles a system for one choice of its orders, if that takes no more than so many parts of formulas.
    /// What [`Instance::prepare`] refuses is not compiled. Gives up when `interrupt` is set.
    pub(crate) fn new(
        system: &'s System,
        processes: u32,
        bounds: &Bounds,
        precision: &Precision,
        orders: Orders,
        parts: Option<u64>,
        interrupt: &AtomicBool,
    ) -> Result<Instance<'s>, TooLarge> {
        let domains = Domain::of_symbols(system, processes, bounds, precision);
        let slots = Slots::new(system, processes, domains).map_err(TooLarge::Slots)?;
        let bits = slots.iter().map(|slot| u64::from(slots.domain(slot).bits())).sum();
        if bits > Layout::MAX_WORDS as u64 * 64 {
            return Err(TooLarge::Bits(bits));
        }
        let layout = Layout::new(system, &slots);
        if layout.words > Layout::MAX_WORDS {
            return Err(TooLarge::Bits(bits));
        }

        let mut unroller = Unroller::new(system, &slots, precision, &orders, parts, interrupt);
        let free_codes = free_codes(system, &slots.domains, bounds);
        let mut assembler = Assembler::new(&slots, &layout, &free_codes);
        let affordable = |unroller: &Unroller<'_>, name: &str| match unroller.unrepresentable() {
            _ if interrupt.load(Ordering::Relaxed) => Err(TooLarge::Interrupted),
            _ if unroller.exhausted() => Err(TooLarge::Code(name.to_owned())),
            Some(number) => Err(TooLarge::Number(number.clone())),
            None => Ok(()),
        };

        let mut init = Vec::new();
        for clause in &system.init {
            let condition = unroller.init(clause);
            affordable(&unroller, "init")?;
            init.extend(condition.conjuncts());
        }
        for (symbol, count) in system.counts() {
            let condition = unroller.count(symbol, count);
            affordable(&unroller, "init")?;
            init.extend(condition.conjuncts());
        }
        let (mut guards, mut transitions) = (Vec::new(), Vec::new());
        for (transition, at) in system.transitions.iter().zip(0..) {
            let name = format!("transition {}", transition.name);
            count_tuples(processes, transition.parameters.len())
                .ok_or_else(|| TooLarge::Code(name.clone()))?;
            for arguments in injective_tuples(processes, transition.parameters.len()) {
                let (guard, updates) = unroller.transition(transition, &arguments);
                affordable(&unroller, &name)?;
                if guard != Condition::FALSE {
                    guards.push(guard.conjuncts());
                    transitions.push((at, arguments, updates));
                }
            }
            if transitions.len() as u64 > MAX_RULES {
                return Err(TooLarge::Code(name));
            }
        }
        let updates = transitions.iter().map(|(_, _, updates)| updates);
        let independence = Independence::new(guards.iter().zip(updates), slots.len());
        let rule_filter = Filter::new(&layout, &slots, &mut guards, interrupt);
        let rules = guards.into_iter().zip(transitions).map(|(guard, (transition, arguments, updates))| {
            affordable(&unroller, "")?;
            Ok(Rule::new(transition, arguments, guard, updates, &layout, &mut assembler))
        });
        let rules = rules.collect::<Result<Vec<Rule>, TooLarge>>()?;
        let mut unguarded = vec![0; rule_filter.words()];
        for (number, rule) in rules.iter().enumerate() {
            unguarded[number / 64] |= u64::from(rule.guard.is_trivial()) << (number % 64);
        }

        let (mut conditions, mut places) = (Vec::new(), Vec::new());
        for (at, property) in system.properties.iter().enumerate() {
            count_tuples(processes, property.parameters.len())
                .ok_or_else(|| TooLarge::Code("unsafe".to_owned()))?;
            for tuple in injective_tuples(processes, property.parameters.len()) {
                let condition = unroller.property(property, &tuple);
                affordable(&unroller, "unsafe")?;
                if condition != Condition::FALSE {
                    conditions.push(condition.conjuncts());
                    places.push(at);
                }
            }
        }
        let property_filter = Filter::new(&layout, &slots, &mut conditions, interrupt);
        let checks = conditions.into_iter().map(|conjuncts| Check::new(conjuncts, &mut assembler));
        let properties = places.into_iter().zip(checks).collect();
        affordable(&unroller, "")?;

        let program = assembler.finish();
        Ok(Instance {
            system,
            slots,
            layout,
            orders,
            program,
            rule_filter,
            unguarded,
            rules,
            independence,
            property_filter,
            properties,
            cuts: cuts(system),
            init,
        })
    }

    /// What to know about a system before it is compiled: how its numbers are stored at first, and all
    /// choices of its orders.
    pub(crate) fn prepare(
        system: &System,
        processes: u32,
        bounds: &Bounds,
    ) -> Result<(Precision, Vec<Orders>), TooLarge> {
        match system.processes {
            _ if processes == 0 => return Err(TooLarge::NoProcess),
            Processes::Exactly(fixed) if fixed != processes => {
                return Err(TooLarge::NotTheNumber { fixed, asked: processes });
            }
            _ if processes > TooLarge::MAX_PROCESSES => return Err(TooLarge::Processes(processes)),
            _ => {}
        }
        let orders =
            Orders::choices(system, &Distinctions::of(system), processes).map_err(TooLarge::Orders)?;
        let mut numbers = vec![Number::from(*bounds.numbers.start()), Number::from(*bounds.numbers.end())];
        initial::for_each_number(system, &mut |number| numbers.push(number.clone()));
        let precision = Precision::for_numbers(&numbers).ok_or_else(|| {
            TooLarge::Number(numbers.into_iter().max_by_key(Number::size).expect("there are two at least"))
        })?;
        Ok((precision, orders))
    }
}

/// How many tuples of this many different processes there are, if that is not too many.
fn count_tuples(processes: u32, length: usize) -> Option<u64> {
    // Beyond the first that is left out, there may be more factors than a number holds.
    let length = u32::try_from(length).ok().filter(|&length| length <= processes);
    let Some(length) = length else { return Some(0) };
    let factors = (processes - length + 1..=processes).map(u64::from);
    factors.into_iter().try_fold(1, u64::checked_mul).filter(|&count| count <= MAX_RULES)
}

/// The codes that `?` gives, by symbol.
fn free_codes(system: &System, domains: &[Domain], bounds: &Bounds) -> Vec<Arc<[u64]>> {
    let mut codes: Vec<Arc<[u64]>> = vec![Arc::default(); domains.len()];
    for update in system.updates() {
        let at = update.symbol.0 as usize;
        if chooses(update) && codes[at].is_empty() {
            codes[at] = match &domains[at] {
                Domain::Finite(values) => (0..values.len() as u64).collect(),
                Domain::Numbers(format) => initial::range_codes(*format, bounds).collect(),
            };
        }
    }
    codes
}

fn cuts(system: &System) -> Vec<Cut> {
    let chosen = system.updates().filter(|update| chooses(update)).map(|update| update.symbol);
    let chosen = chosen.filter(|symbol| system.symbol(*symbol).ty.is_numeric()).map(Cut::Choice);
    let types = system.symbols.iter().map(|symbol| symbol.ty);
    let types = types.filter(|ty| matches!(ty, Type::Abstract(_))).map(Cut::Values);
    let mut cuts = Vec::new();
    for cut in chosen.chain(types) {
        if !cuts.contains(&cut) {
            cuts.push(cut);
        }
    }
    cuts
}

/// Whether some cell may become anything.
fn chooses(update: &Update) -> bool {
    update.values().any(|value| *value == Value::Any)
}

impl std::error::Error for TooLarge {}

impl fmt::Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::NoProcess => write!(out, "there is at least one process"),
            TooLarge::Processes(asked) => {
                let most = TooLarge::MAX_PROCESSES;
                write!(out, "{asked} processes are too many: at most {most} are supported")
            }
            TooLarge::NotTheNumber { fixed, asked } => {
                write!(out, "the model has exactly {fixed} processes (`number_procs {fixed}`), not {asked}")
            }
            TooLarge::Slots(count) => {
                write!(out, "a state would have {count} cells; at most {} are supported", Slots::MAX)
            }
            TooLarge::Bits(bits) => {
                let most = Layout::MAX_WORDS * 64;
                write!(out, "a state would take {bits} bits; at most {most} are supported")
            }
            TooLarge::Code(name) => {
                write!(out, "{name} becomes too large when it is written out for every choice of processes")
            }
            TooLarge::Orders(count) => {
                let most = Orders::MAX_CHOICES;
                write!(
                    out,
                    "the values compared by `<` can be ordered in {count} ways; at most {most} are explored"
                )
            }
            TooLarge::Interrupted => write!(out, "interrupted while the model was being compiled"),
            TooLarge::Number(number) => {
                write!(out, "the number {number} is too large, or has too many digits behind the point")
            }
        }
    }
}
