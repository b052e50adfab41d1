//! How long a solver may take, and how much memory.

use std::time::Duration;

/// The least time that a solver gets beyond what was agreed.
const GRACE: Duration = Duration::from_secs(5);

/// The largest number of milliseconds that solvers are told: Z3 keeps them in 32 bits, and very large numbers
/// make cvc5 give up at once.
const MAX_MILLISECONDS: u128 = (u32::MAX - 1) as u128;

/// The largest number of megabytes that Z3 is told, one million of them: it keeps the number in 32 bits, and
/// gives up at once if all of them are set.
const MAX_MEBIBYTES: u64 = 1 << 20;

/// How long a solver may take, and how much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time for each check. The solver knows it, and should give up this check then, and go on with the
    /// next. At least a millisecond.
    pub per_check: Duration,
    /// What the solver may take beyond that, to read what is to be checked, or because it does not look at
    /// the clock. Then it is killed.
    pub grace: Duration,
    /// The memory in bytes: the address space of the process, where the system can limit that (Linux and most
    /// other Unixes, but not macOS), and what Z3 counts itself. Solvers do not even start with less than some
    /// 64 MiB.
    pub memory: u64,
}

impl Limits {
    /// With a grace of a fifth of the time, and at least five seconds.
    pub fn new(per_check: Duration, memory: u64) -> Limits {
        Limits { per_check, grace: GRACE.max(per_check / 5), memory }
    }

    /// How long to wait for an answer before the solver is killed.
    pub fn patience(&self) -> Duration {
        self.per_check.saturating_add(self.grace)
    }

    /// The time for each check as solvers are told. Zero would mean that there is no limit.
    pub(crate) fn milliseconds(&self) -> u128 {
        self.per_check.as_millis().clamp(1, MAX_MILLISECONDS)
    }

    /// The memory as Z3 is told. Zero would mean that there is no limit.
    pub(crate) fn mebibytes(&self) -> u64 {
        (self.memory >> 20).clamp(1, MAX_MEBIBYTES)
    }

    /// The memory as shells are told.
    pub(crate) fn kibibytes(&self) -> u64 {
        (self.memory >> 10).max(1)
    }
}
