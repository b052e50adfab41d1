//! The end of a command whose search does not end by itself: see [`Stop::guard`](super::stop::Stop::guard).

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::Outcome;
use super::stop::Cause;
use crate::arguments::Format;
use crate::console::Console;
use crate::report::json::print;
use crate::report::number::{bytes, seconds};
use crate::report::trace::paragraph;

/// What a report says about a search that was cut off.
pub(super) const CUT_OFF: &str = "The search was in the middle of a step that takes long, and was cut off there: what it had \
    found until then is not reported.";

/// Why a search has to end, for people.
pub(super) fn describe(reason: Cause, timeout: Option<Duration>, limit: Option<usize>) -> String {
    match (reason, timeout, limit) {
        (Cause::Timeout, Some(timeout), _) => {
            format!("the time of {} was up (--timeout)", seconds(timeout.as_secs_f64()))
        }
        (Cause::Memory, _, Some(limit)) => {
            format!("the limit of {} of memory was reached (--max-memory)", bytes(limit as u64))
        }
        (Cause::Peer, ..) => "another process was lost".to_owned(),
        _ => "the search was interrupted".to_owned(),
    }
}

/// The word for it, as in docs/json.md.
pub(super) fn code(reason: Cause) -> &'static str {
    match reason {
        Cause::Timeout => "timeout",
        Cause::Memory => "memory",
        Cause::User => "interrupted",
        Cause::Peer => "lost",
    }
}

/// What it says if it is the second check of the invariant that was.
pub(super) const RECHECK_CUT_OFF: &str = "The second check of the invariant was in the middle of an obligation that takes long, and was cut off there.";

pub(super) fn end(text: &str, format: Format, outcome: Outcome, mut console: Console) -> ! {
    console.progress("");
    console.report(text, format);
    std::process::exit(outcome.code().into())
}

/// The end while the model is being read: nothing is known.
pub(super) fn end_reading(file: &Path, (reason, why): (Cause, &str), format: Format, console: Console) -> ! {
    let text = match format {
        Format::Human => paragraph(&format!("Unknown: {why} while the model was being read.")),
        Format::Json => print(&Unread {
            file: file.display().to_string(),
            verdict: "unknown",
            reason: code(reason),
            complete: false,
            end: code(reason),
            cut_off: true,
        }),
    };
    end(&text, format, Outcome::Unknown, console)
}

/// What `verify` and `explore` have to say about a model that was not read to its end.
#[derive(Serialize)]
struct Unread {
    file: String,
    verdict: &'static str,
    reason: &'static str,
    complete: bool,
    end: &'static str,
    cut_off: bool,
}
