//! Which engine verifies a system, and how several share the work.

use polycube_language::System;

use crate::backward::verifier::{Verifier, verify_with, vocabulary};
use crate::backward::{Answer, Limits, Observer, Options, Others, Reason, Verification};
use crate::brab::guide::Guide;
use crate::brab::instances::{Instances, Plan};
use crate::cube::Unsupported;

/// How a system is verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Without and with approximations, in turns: whichever ends first gives the answer.
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

/// Verifies all properties of a system. The plan is for the instances that approximations are tested with.
pub fn verify(
    system: &System,
    engine: Engine,
    options: &Options,
    plan: Plan,
    observer: &mut dyn Observer,
) -> Result<Verification, Unsupported> {
    let guide = || -> Option<Box<dyn Guide + '_>> {
        let interrupt = options.interrupt.clone();
        Some(Box::new(Instances::new(system, plan, options.threads, options.limits.bytes, interrupt)))
    };
    let options = &match engine {
        Engine::Backward => options.clone(),
        Engine::Brab => Options { others: Others::Try, ..options.clone() },
        Engine::Auto => {
            // Both searches are in memory at the same time.
            let bytes = options.limits.bytes.map(|bytes| bytes / 2);
            Options { others: Others::Try, limits: Limits { bytes, ..options.limits }, ..options.clone() }
        }
    };
    match engine {
        Engine::Backward => verify_with(system, options, None, observer),
        Engine::Brab => verify_with(system, options, guide(), observer),
        Engine::Auto => {
            let vocabulary = vocabulary(system)?;
            let plain = Verifier::new(&vocabulary, options, None);
            let guided = Verifier::new(&vocabulary, options, guide());
            Ok(in_turns(plain, guided, observer))
        }
    }
}

/// Lets two searches go on in turns, each with all threads, until one of them has an answer. What they do in a turn is
/// measured by work, not by time: so the answer does not depend on the machine.
///
/// One that had to give up leaves it to the other.
fn in_turns<'o, 'v, 's>(
    plain: Verifier<'o, 'v, 's>,
    guided: Verifier<'o, 'v, 's>,
    observer: &mut dyn Observer,
) -> Verification {
    // Approximations are worth a try: mostly they are what a person would call the invariants.
    let mut verifiers = vec![(guided, SHARE), (plain, 1)];
    let mut work = FIRST_WORK;
    loop {
        for at in 0..verifiers.len() {
            let (verifier, share) = &mut verifiers[at];
            if let Some(found) = verifier.turn(work.saturating_mul(*share), observer) {
                verifiers.remove(at);
                if verifiers.is_empty() || !gave_up(&found) {
                    return found;
                }
                break;
            }
        }
        work = work.saturating_mul(2);
    }
}

/// Whether something was left out for which another search may have the time.
fn gave_up(verification: &Verification) -> bool {
    let by_limit = |answer: &Answer| match answer {
        Answer::Safe | Answer::Unsafe(_) | Answer::Trusted => false,
        Answer::Unknown(reason) => match reason {
            Reason::Nodes | Reason::Depth | Reason::Memory | Reason::Processes | Reason::Cases => true,
            Reason::Interrupted | Reason::Violated | Reason::Crashing(_) | Reason::Unconfirmed(_) => false,
        },
    };
    let violated = |answer: &Answer| matches!(answer, Answer::Unsafe(_));
    verification.answers.iter().any(by_limit) && !verification.answers.iter().any(violated)
}
