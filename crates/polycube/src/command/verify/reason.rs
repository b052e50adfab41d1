//! Why something is not known: the word for it, a sentence, and what to try.

use std::time::Duration;

use polycube_engine::backward::{Limits, Reason, Weakening};

use crate::command::{cut_off, stop};
use crate::report::number::counted;

/// What is said about a reason.
pub(super) struct Told {
    /// The word for it, as in docs/json.md.
    pub(super) code: &'static str,
    /// With the option that sets the limit.
    pub(super) sentence: String,
    /// What to try, and what else helps to understand the reason.
    pub(super) advice: &'static str,
}

const LIMITED: &str = "What to try: a higher limit, or another order (--search).";
const OUT_OF_TIME: &str = "What to try: more time, or another order (--search).";
const INTERRUPTED: &str = "What is said here was known when the search was interrupted.";
const VIOLATED: &str = "What to try: fix that clause; or --engine backward, which decides each clause.";
const LARGE: &str = "What to try: an `invariant` clause about few processes that describes states which are never \
    reached.";
const WEAKENED_GUARD: &str = "A guard says something about all processes that cannot be said of each of them by itself: \
    about two of them at once, for example. So it was only checked in part. What to try: a guard that says it of one \
    process at a time.";
const WEAKENED_CLAUSE: &str = "The clause says something about all processes that cannot be said of each of them by \
    itself: about two of them at once, for example. So it was only checked in part. What to try: a clause that says it \
    of one process at a time.";
const WEAKENED_VALUES: &str = "The values of constants, or values that steps choose, were only kept in part from one \
    step to the next, so the steps may not be possible one after the other.";
const UNCONFIRMED: &str = "The steps are possible one after the other, but with a few processes no initial state was \
    found for them. What to try: `polycube explore` with more processes (-n).";

/// `stopped_by`: who interrupted the search, if anybody did.
pub(super) fn tell(
    reason: &Reason,
    stopped_by: stop::Cause,
    limits: &Limits,
    timeout: Option<Duration>,
) -> Told {
    let (code, sentence, advice) = match reason {
        Reason::Nodes => {
            let limit = counted(limits.nodes.unwrap_or(0), "node");
            ("nodes", format!("the limit of {limit} was reached (--max-nodes)"), LIMITED)
        }
        Reason::Depth => {
            let limit = counted(limits.depth.unwrap_or(0) as u64, "step");
            ("depth", format!("the search ended {limit} before the bad states (--max-depth)"), LIMITED)
        }
        Reason::Memory => ("memory", cut_off::describe(stop::Cause::Memory, None, limits.bytes), LIMITED),
        Reason::Interrupted => {
            let advice = match stopped_by {
                stop::Cause::User | stop::Cause::Peer => INTERRUPTED,
                stop::Cause::Timeout => OUT_OF_TIME,
                stop::Cause::Memory => LIMITED,
            };
            (cut_off::code(stopped_by), cut_off::describe(stopped_by, timeout, limits.bytes), advice)
        }
        Reason::Violated => ("violated", reason.to_string(), VIOLATED),
        Reason::Processes => ("processes", reason.to_string(), LARGE),
        Reason::Cases => ("cases", reason.to_string(), LARGE),
        Reason::Weakened(_, weakening) => {
            let advice = match weakening {
                Weakening::Guard => WEAKENED_GUARD,
                Weakening::Property => WEAKENED_CLAUSE,
                Weakening::Values => WEAKENED_VALUES,
            };
            ("weakened", reason.to_string(), advice)
        }
        Reason::Unconfirmed(_) => ("unconfirmed", reason.to_string(), UNCONFIRMED),
    };
    Told { code, sentence, advice }
}
