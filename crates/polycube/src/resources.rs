//! What a search may use: memory and processors.

use crate::arguments::{ResourceArguments, Size};

impl ResourceArguments {
    /// How many threads work: by default as many as there are processors.
    pub(crate) fn threads(&self) -> usize {
        self.threads.map_or_else(processors, |threads| threads as usize)
    }

    /// How many bytes of memory may be used, where that can be known.
    pub(crate) fn bytes(&self) -> Option<usize> {
        self.max_memory.map(|size| size.0).or_else(affordable)
    }
}

impl ResourceArguments {
    /// The same for one of several processes on this machine: each has its share of what nobody has said.
    pub(crate) fn shared_by(&self, processes: usize) -> ResourceArguments {
        let threads = || u32::try_from((processors() / processes).max(1)).ok();
        ResourceArguments {
            max_memory: self.max_memory.or_else(|| affordable().map(|bytes| Size(bytes / processes))),
            timeout: self.timeout,
            threads: self.threads.or_else(threads),
        }
    }
}

/// How many processors there are.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Nine tenths of the memory that is free now, where that can be known: the default limit, so that the system
/// does not have to kill the program.
pub(crate) fn affordable() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes / 10 * 9 * 1024)
}
