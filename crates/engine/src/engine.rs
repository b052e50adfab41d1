//! Which engine verifies a system, and how several share the work.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use polycube_language::System;

use crate::backward::{
    Answer, Errand, Limits, Observer, Options, Progress, Reason, Rest, Verification, Verifier, verify_with,
    vocabulary,
};
use crate::counting::{Counting, counting_less, has_integers};
use crate::cube::Unsupported;
use crate::narrow::narrowed;
use crate::oracle::{Guide, Instances, Plan};
use crate::shorter::shorten;
use crate::whole::Whole;

/// How a system is verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Without and with approximations, in turns: whichever ends first gives the answer. If that takes long, whole instances are
    /// explored beside them.
    #[default]
    Auto,
    /// Backward reachability without approximations.
    Backward,
    /// Backward reachability with approximations.
    Brab,
}

/// How much work is done without approximations in the first turn. Each further one goes on to twice as much.
const FIRST_WORK: u64 = 2_000;

/// How many times as much work is done with approximations.
const SHARE: u64 = 2;

/// In turns with so much work, whole instances are explored as well. (That is after some seconds.)
const LONG_WORK: u64 = 128_000;

/// With how many states, for the work of one search: a third of the time goes there, if it has use for it.
const STATES_PER_WORK: u64 = 20;

/// How many states are looked at before an answer is that nothing is known.
const LAST_STATES: u64 = 400_000;

/// How many cubes are expanded before anything is counted.
const FIRST_NODES: u64 = 80;

/// How many steps they may be away from a bad state: where numbers have to be counted, searches get deep first.
const FIRST_DEPTH: usize = 10;

/// Verifies all properties of a system. The plan is for the instances that approximations are tested with.
pub fn verify(
    system: &System,
    engine: Engine,
    options: &Options,
    plan: Plan,
    observer: &mut dyn Observer,
) -> Result<Verification, Unsupported> {
    if engine == Engine::Auto
        && let Some(mut found) = without_counting(&narrowed(system), options, plan, observer)?
    {
        shorten(system, &mut found, options);
        return Ok(found);
    }
    let counting = Counting::of(system, &options.interrupt);
    let Counting { system: extended, relations } = &counting;
    let (original, narrow) = (system, narrowed(extended));
    let system: &System = &narrow;
    let guide = || -> Option<Box<dyn Guide + '_>> {
        let interrupt = options.interrupt.clone();
        Some(Box::new(Instances::new(system, plan, options.limits.bytes, interrupt)))
    };
    let trying = Options { rest: Rest::Try, ..options.clone() };
    let mut found = match engine {
        Engine::Backward => verify_with(system, options, None, relations, observer)?,
        Engine::Brab => verify_with(system, &trying, guide(), relations, observer)?,
        Engine::Auto => {
            // Both searches are in memory at the same time.
            let limits = Limits { bytes: options.limits.bytes.map(|bytes| bytes / 2), ..options.limits };
            let options = &Options { limits, ..trying };
            let vocabulary = vocabulary(system)?.until(&options.interrupt);
            let plain = Verifier::new(&vocabulary, options, None, relations);
            let guided = Verifier::new(&vocabulary, options, guide(), relations);
            let mut whole = Whole::new(system, plan, Arc::clone(&options.interrupt));
            let mut found = in_turns(system, plain, guided, &mut whole, options, observer);
            last_look(system, &mut found, &mut whole, options, observer);
            found.instances.extend(whole.instances());
            found
        }
    };
    if let Cow::Owned(system) = counting.system {
        for answer in &mut found.answers {
            if let Answer::Unsafe(trace) = answer {
                *trace = counting_less(trace, &system, original);
            }
        }
        found.counting = Some(system);
    }
    shorten(original, &mut found, options);
    Ok(found)
}

/// What a first turn finds that does not know how many processes there are in which situation: to find out what
/// numbers have to do with that takes longer than most models with integers need. It is the same search with
/// less known, so its answers are as good as any. None if it has not decided everything, or if there are no
/// integers, since nothing is gained then.
fn without_counting(
    system: &System,
    options: &Options,
    plan: Plan,
    observer: &mut dyn Observer,
) -> Result<Option<Verification>, Unsupported> {
    if !system.counts.is_empty() || !has_integers(system) {
        return Ok(None);
    }
    let nodes = Some(options.limits.nodes.map_or(FIRST_NODES, |most| most.min(FIRST_NODES)));
    let depth = Some(options.limits.depth.map_or(FIRST_DEPTH, |most| most.min(FIRST_DEPTH)));
    let limits = Limits { nodes, depth, ..options.limits };
    let options = &Options { rest: Rest::Try, limits, ..options.clone() };
    let vocabulary = vocabulary(system)?.until(&options.interrupt);
    let guide = Instances::new(system, plan, options.limits.bytes, options.interrupt.clone());
    let mut guided = Verifier::new(&vocabulary, options, Some(Box::new(guide)), &[]);
    let found = guided.turn(FIRST_WORK * SHARE, 1, None, observer);
    Ok(found.filter(|found| is_decided(system, found)))
}

/// Lets two searches go on in turns until one of them has an answer. What they do in a turn is measured by
/// work, not by time: so the answer does not depend on the machine.
///
/// One that had to give up leaves it to the other.
fn in_turns<'o, 'v, 's>(
    system: &System,
    plain: Verifier<'o, 'v, 's>,
    guided: Verifier<'o, 'v, 's>,
    whole: &mut Whole<'s>,
    options: &Options,
    observer: &mut dyn Observer,
) -> Verification {
    // Approximations are worth a try: mostly they are what a person would call the invariants.
    let mut searches = vec![(guided, SHARE), (plain, 1)];
    let mut work = FIRST_WORK;
    loop {
        // Easy systems are done before another thread would have begun.
        let threads = if work == FIRST_WORK { 1 } else { options.threads };
        let ended = match &mut searches[..] {
            [first, second] if threads > 1 => race(system, first, second, work, threads, observer).into(),
            searches => one_by_one(system, searches, work, threads, observer),
        };
        if ended.iter().flatten().any(|found| !gave_up(system, found)) {
            return ended.into_iter().flatten().min_by_key(open_answers).expect("one has ended");
        }
        let mut is_over = ended.iter().map(Option::is_some);
        searches.retain(|_| !is_over.next().expect("an entry for each search"));
        if searches.is_empty() {
            return ended.into_iter().flatten().rev().min_by_key(open_answers).expect("all have ended");
        }
        if work >= LONG_WORK {
            let taken: usize = searches.iter().map(|(search, _)| search.bytes()).sum();
            let bytes = options.limits.bytes.map(|most| (2 * most).saturating_sub(taken));
            let progress = searches[0].0.progress();
            let states = work.saturating_mul(STATES_PER_WORK);
            let violations = whole.explore(states, bytes, options.threads, progress, observer);
            searches.iter_mut().for_each(|(search, _)| search.are_violated(violations));
        }
        work = work.saturating_mul(2);
    }
}

/// Before the answer is that nothing is known of what the model is about, some instances are explored: their bugs may not
/// be within the samples that a search has looked at.
fn last_look(
    system: &System,
    found: &mut Verification,
    whole: &mut Whole<'_>,
    options: &Options,
    observer: &mut dyn Observer,
) {
    let mut answers = found.answers.iter().enumerate();
    let is_final = |(at, answer): (usize, &Answer)| {
        system.is_main(at) && matches!(answer, Answer::Unsafe(_) | Answer::Unknown(Reason::Interrupted))
    };
    if open_answers(found) == 0 || answers.any(is_final) {
        return;
    }
    let progress = Progress {
        statistics: found.statistics,
        queue: found.statistics.queue,
        exploring: None,
        diverging: None,
        open: open_answers(found),
        properties: found.answers.len(),
    };
    for violation in whole.explore(LAST_STATES, options.limits.bytes, options.threads, progress, observer) {
        let answer = &mut found.answers[violation.property];
        if matches!(answer, Answer::Unknown(_)) {
            *answer = Answer::Unsafe(violation.trace.clone());
        }
    }
}

/// A search, with how many times as much work it may do.
type Share<'o, 'v, 's> = (Verifier<'o, 'v, 's>, u64);

/// A turn of each search, one after the other until one has an answer. The outcomes of those that have ended.
fn one_by_one(
    system: &System,
    searches: &mut [Share<'_, '_, '_>],
    work: u64,
    threads: usize,
    observer: &mut dyn Observer,
) -> Vec<Option<Verification>> {
    let mut ended = Vec::new();
    for (search, share) in searches {
        let is_decided = matches!(ended.last(), Some(Some(found)) if is_decided(system, found));
        let mut turn = || search.turn(work.saturating_mul(*share), threads, None, observer);
        ended.push(if is_decided { None } else { turn() });
    }
    ended
}

/// Passes on how far a search has come, as long as it may: so that one of two is watched at a time.
struct Relay<'r, 'o> {
    observer: &'r Mutex<&'o mut dyn Observer>,
    is_watched: &'r AtomicBool,
}

impl Observer for Relay<'_, '_> {
    fn progress(&mut self, progress: &Progress) {
        if self.is_watched.load(Ordering::Relaxed) {
            self.observer.lock().expect("no thread panicked").progress(progress);
        }
    }
}

/// The same, but at the same time: one of the threads takes the turn of the second search, and then helps the
/// first. If the first has an answer, then what the second would find does not count, as if it had not begun.
/// When the turn of the first has ended, the second is watched.
fn race(
    system: &System,
    first: &mut Share<'_, '_, '_>,
    second: &mut Share<'_, '_, '_>,
    work: u64,
    threads: usize,
    observer: &mut dyn Observer,
) -> [Option<Verification>; 2] {
    let (abandoned, share) = (second.0.abandoned(), second.1);
    let (second, other) = (Mutex::new(second), Mutex::new(None));
    let (observer, first_works, second_alone) =
        (Mutex::new(observer), AtomicBool::new(true), AtomicBool::new(false));
    let run = || {
        let mut second = second.lock().expect("no thread panicked");
        let mut watched = Relay { observer: &observer, is_watched: &second_alone };
        let found = second.0.turn(work.saturating_mul(share), 1, None, &mut watched);
        *other.lock().expect("no thread panicked") = found;
    };
    let ended = |found: Option<&Verification>| {
        let is_decided = found.is_some_and(|found| is_decided(system, found));
        abandoned.store(is_decided, Ordering::Relaxed);
        second_alone.store(!is_decided, Ordering::Relaxed);
    };
    let errand = Errand { run: &run, ended: &ended };
    let mut watched = Relay { observer: &observer, is_watched: &first_works };
    let found = first.0.turn(work.saturating_mul(first.1), threads, Some(errand), &mut watched);
    let is_decided = found.as_ref().is_some_and(|found| is_decided(system, found));
    let other = other.into_inner().expect("no thread panicked");
    [found, other.filter(|_| !is_decided)]
}

/// How many properties are not decided.
fn open_answers(verification: &Verification) -> usize {
    verification.answers.iter().filter(|answer| matches!(answer, Answer::Unknown(_))).count()
}

/// Whether nothing that another search has found is of interest.
fn is_decided(system: &System, verification: &Verification) -> bool {
    let is_interrupted = |answer: &Answer| matches!(answer, Answer::Unknown(Reason::Interrupted));
    !gave_up(system, verification) && !verification.answers.iter().any(is_interrupted)
}

/// Whether something was left out for which another search may have the time.
fn gave_up(system: &System, verification: &Verification) -> bool {
    let by_limit = |answer: &Answer| match answer {
        Answer::Safe | Answer::Unsafe(_) | Answer::Trusted => false,
        Answer::Unknown(reason) => match reason {
            Reason::Nodes | Reason::Depth | Reason::Memory | Reason::Processes | Reason::Cases => true,
            Reason::Interrupted | Reason::Violated | Reason::Weakened(..) | Reason::Unconfirmed(_) => false,
        },
    };
    let mut answers = verification.answers.iter().enumerate();
    let has_bug = answers.any(|(at, answer)| matches!(answer, Answer::Unsafe(_)) && system.is_main(at));
    verification.answers.iter().any(by_limit) && !has_bug
}
