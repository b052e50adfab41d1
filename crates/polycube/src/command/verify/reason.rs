//! Why something is not known: the word for it, a sentence, and what to try.

use std::time::Duration;

use polycube_engine::backward::{Limits, Reason};

use crate::command::{cut_off, stop};
use crate::report::number::counted;

/// The word for a reason, as in docs/json.md. `stopped_by`: who interrupted the search, if anybody did.
pub(super) fn code(reason: &Reason, stopped_by: stop::Cause) -> &'static str {
    match reason {
        Reason::Nodes => "nodes",
        Reason::Depth => "depth",
        Reason::Memory => "memory",
        Reason::Interrupted => cut_off::code(stopped_by),
        Reason::Violated => "violated",
        Reason::Processes => "processes",
        Reason::Cases => "cases",
        Reason::Crashing(_) => "crashing",
        Reason::Unconfirmed(_) => "unconfirmed",
    }
}

/// The reason in a sentence, with the option that sets the limit.
pub(super) fn describe(
    reason: &Reason,
    stopped_by: stop::Cause,
    limits: &Limits,
    timeout: Option<Duration>,
) -> String {
    match reason {
        Reason::Nodes => {
            let limit = counted(limits.nodes.unwrap_or(0), "node");
            format!("the limit of {limit} was reached (--max-nodes)")
        }
        Reason::Depth => {
            let limit = counted(limits.depth.unwrap_or(0) as u64, "step");
            format!("the search ended {limit} before the bad states (--max-depth)")
        }
        Reason::Memory => cut_off::describe(stop::Cause::Memory, None, limits.bytes),
        Reason::Interrupted => cut_off::describe(stopped_by, timeout, limits.bytes),
        Reason::Violated
        | Reason::Processes
        | Reason::Cases
        | Reason::Crashing(_)
        | Reason::Unconfirmed(_) => reason.to_string(),
    }
}

/// What to try, and what else helps to understand the reason.
pub(super) fn advice(reason: &Reason) -> &'static str {
    match reason {
        Reason::Nodes | Reason::Depth | Reason::Memory | Reason::Interrupted => {
            "What to try: a higher limit; another order (--search); an `invariant` clause that describes states which \
             are never reached; or `polycube explore`, which looks at one number of processes at a time."
        }
        Reason::Violated => {
            "What to try: mend what is violated; or --engine backward, which decides each clause."
        }
        Reason::Processes | Reason::Cases => {
            "What to try: an `invariant` clause about few processes that describes states which are never reached; or \
             `polycube explore`, which looks at one number of processes at a time."
        }
        Reason::Crashing(_) => {
            "A guard that says something about all processes was only checked for those that the search names, as if \
             others could crash at any time. Whether a bad state is reachable without that is not known. What to try: \
             `polycube explore`, which looks at one number of processes at a time, without crashes; or an `invariant` \
             clause that describes states which are never reached."
        }
        Reason::Unconfirmed(_) => {
            "The steps are possible one after the other, but with a few processes no initial state was found for them. \
             What to try: `polycube explore` with more processes (-n); or an `invariant` clause that describes states \
             which are never reached."
        }
    }
}
