//! Explores all reachable states of an instance, for every order that the system leaves open.

use polycube_language::System;

use super::agree::Halt;
use super::exploration::{End, Exploration, Observer, Options};
use super::explorer::Explorer;
use super::journal::{Fault, Journal};
use super::peers::{Alone, Lost, Peers};
use super::stage::Stage;
use super::word::{Reader, Writer};
use crate::compile::domain::Precision;
use crate::compile::order::Orders;
use crate::compile::program::Unfit;
use crate::compile::{Instance, TooLarge};

/// Explores an instance.
pub fn explore(
    system: &System,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Exploration, TooLarge> {
    explore_states(system, options, observer, &mut |_, _| {})
}

/// Explores an instance, and calls `visit` with every packed state at the end, in a fixed order, together
/// with the compiled instance that it is a state of: one for each choice of orders.
pub fn explore_states(
    system: &System,
    options: &Options,
    observer: &mut dyn Observer,
    visit: &mut dyn FnMut(&Instance<'_>, &[u64]),
) -> Result<Exploration, TooLarge> {
    let mut alone = Alone;
    explore_orders(system, options, observer, visit, &mut Company { peers: &mut alone, journal: None })
}

/// Explores an instance together with other processes, which make the same call; or keeps what it finds, and goes on with
/// what is kept. All processes have the same result.
pub fn explore_together(
    system: &System,
    options: &Options,
    observer: &mut dyn Observer,
    company: &mut Company<'_>,
) -> Result<Exploration, TooLarge> {
    explore_orders(system, options, observer, &mut |_, _| {}, company)
}

/// Who else takes part in an exploration.
pub struct Company<'c> {
    pub peers: &'c mut dyn Peers,
    /// Where what is found is kept, if it is. Either all processes keep theirs, or none does.
    pub journal: Option<&'c mut dyn Journal>,
}

fn explore_orders(
    system: &System,
    options: &Options,
    observer: &mut dyn Observer,
    visit: &mut dyn FnMut(&Instance<'_>, &[u64]),
    company: &mut Company<'_>,
) -> Result<Exploration, TooLarge> {
    let (mut precision, choices) = Instance::prepare(system, options.processes, &options.bounds)?;
    let mut total: Option<Exploration> = None;
    let count = choices.len();
    let mut options = options.clone();
    let mut all_is_known = false;
    for orders in choices.iter().enumerate() {
        let mut one = explore_order(system, &options, orders, &mut precision, observer, visit, company)?;
        options.limits.states = options.limits.states.map(|limit| limit.saturating_sub(one.states));
        one.orders = count;
        if let Some(steps) = one.steps_to(&options.goal, system) {
            // Of the other orders, only shorter runs are of interest.
            options.limits.depth = Some(steps.saturating_sub(1));
            all_is_known = steps == 0;
        }
        let total = match &mut total {
            None => total.insert(one),
            Some(total) => {
                total.merge(one);
                total
            }
        };
        if all_is_known || !matches!(total.end, End::Complete | End::Sampled | End::Unsafe | End::Depth) {
            break;
        }
    }
    Ok(total.expect("there is one order at least"))
}

/// Explores an instance with one choice of orders, stage after stage: widens numbers until they fit.
fn explore_order(
    system: &System,
    options: &Options,
    (order, orders): (usize, &Orders),
    precision: &mut Precision,
    observer: &mut dyn Observer,
    visit: &mut dyn FnMut(&Instance<'_>, &[u64]),
    company: &mut Company<'_>,
) -> Result<Exploration, TooLarge> {
    let compile = |precision: &Precision| {
        let (processes, bounds) = (options.processes, &options.bounds);
        let parts = options.limits.parts;
        Instance::new(system, processes, bounds, precision, orders.clone(), parts, &options.interrupt)
    };
    let nothing = |halt: &Halt| Ok(Exploration { end: halt.end(), ..Exploration::nothing(system) });
    let mut stage = match kept_stage(system, order, company) {
        Ok(stage) => stage,
        Err(halt) => return nothing(&halt),
    };
    let mut narrower = None;
    for unfit in &stage.widened {
        // It was wider already when it was kept.
        if let Some(wider) = precision.widened(system.symbol(unfit.symbol).ty, unfit.why) {
            narrower = Some(std::mem::replace(precision, wider));
        }
    }
    loop {
        let compiled = compile(precision);
        let is_interrupted = matches!(compiled, Err(TooLarge::Interrupted));
        let instance = match compiled {
            Ok(instance) => Some(instance),
            Err(TooLarge::Interrupted) => None,
            Err(too_large) => match narrower.take() {
                None => return Err(too_large),
                // Wider numbers do not fit into a state: once more with those before, to report what there
                // is.
                Some(before) => {
                    *precision = before;
                    stage.reports = true;
                    stage.widened.pop();
                    continue;
                }
            },
        };
        let layers = match begin_stage(order, &stage, is_interrupted, company) {
            Ok(layers) => layers,
            Err(halt) => return nothing(&halt),
        };
        let instance = instance.expect("nobody was interrupted");
        let overflow = if stage.reports { Overflow::Report } else { Overflow::Return };
        let limits = options.limits.with_program(instance.program.size());
        let options = &Options { limits, ..options.clone() };
        let explored = explore_instance(&instance, options, observer, visit, (overflow, layers), company);
        let unfit = match explored {
            Ok(exploration) => return Ok(exploration),
            Err(unfit) => unfit,
        };
        match precision.widened(system.symbol(unfit.symbol).ty, unfit.why) {
            Some(wider) => {
                stage.widened.push(unfit);
                narrower = Some(std::mem::replace(precision, wider));
            }
            // Nothing is wider: once more, to report what there is.
            None => stage.reports = true,
        }
    }
}

/// The stage of an order with which to begin: the last one that any process has kept.
fn kept_stage(system: &System, order: usize, company: &mut Company<'_>) -> Result<Stage, Halt> {
    let Some(journal) = &company.journal else { return Ok(Stage::default()) };
    let kept = journal.stage(order).unwrap_or_else(|| Stage::default().to_word());
    let kept = company.peers.gather(&kept)?;
    let stages = kept.iter().map(|word| Stage::from_word(word, system));
    let wrong = || Fault("its stage is none of this model".to_owned());
    let stages: Vec<Stage> = stages.collect::<Option<_>>().ok_or_else(wrong)?;
    Ok(stages.into_iter().max_by_key(Stage::rank).unwrap_or_default())
}

/// All processes begin a stage: how many of its layers all of them have kept.
fn begin_stage(
    order: usize,
    stage: &Stage,
    is_interrupted: bool,
    company: &mut Company<'_>,
) -> Result<usize, Halt> {
    let opened = match &mut company.journal {
        Some(journal) if !is_interrupted => journal.open(order, &stage.to_word()),
        _ => Ok(0),
    };
    let mut word = Writer::default();
    word.flag(is_interrupted);
    word.flag(opened.is_err());
    match &opened {
        Ok(layers) => word.length(*layers),
        Err(Fault(text)) => word.text(text),
    }
    let mut least = usize::MAX;
    for word in company.peers.gather(&word.0)? {
        let mut word = Reader(&word);
        if word.flag().ok_or(Lost)? {
            return Err(Halt::Limit(End::Interrupted));
        }
        if word.flag().ok_or(Lost)? {
            return Err(Fault(word.text().ok_or(Lost)?).into());
        }
        least = least.min(word.length().ok_or(Lost)?);
    }
    Ok(least)
}

/// What to do when a number cannot be stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// Give up, so that numbers can be widened.
    Return,
    /// End, with what was found.
    Report,
}

fn explore_instance(
    instance: &Instance<'_>,
    options: &Options,
    observer: &mut dyn Observer,
    visit: &mut dyn FnMut(&Instance<'_>, &[u64]),
    (overflow, layers): (Overflow, usize),
    company: &mut Company<'_>,
) -> Result<Exploration, Unfit> {
    macro_rules! by_words {
        ($($words:literal),*) => {
            match instance.layout.words {
                $(words if words <= $words => {
                    Explorer::<$words>::new(instance, options, company).run(observer, visit, overflow, layers)
                })*
                words => unreachable!("a state has at most 64 words, not {words}"),
            }
        };
    }
    // Each is a program of its own. Without optimisation, fewer of them are as good, and built in a third of
    // the time.
    #[cfg(debug_assertions)]
    return by_words!(1, 4, 64);
    #[cfg(not(debug_assertions))]
    by_words!(1, 2, 4, 8, 64)
}
