//! How much memory there is.

/// Nine tenths of the memory that is free now, where that can be known: the default limit, so that the system
/// does not have to kill the program.
pub(crate) fn affordable() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes / 10 * 9 * 1024)
}
