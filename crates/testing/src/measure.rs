//! What a run of a program takes: time and memory.

use std::fs::read_to_string;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a run took.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The exit code; none if it was killed.
    pub code: Option<i32>,
    /// Seconds from its beginning to its end.
    pub seconds: f64,
    /// Seconds of the processors, of all its threads.
    pub cpu: f64,
    /// The most bytes of memory that it took at any time.
    pub bytes: u64,
    /// What it printed.
    pub output: String,
}

/// How often a process is looked at.
const INTERVAL: Duration = Duration::from_millis(2);

/// Clock ticks of a second, in which the system counts the time of processes.
const TICKS: f64 = 100.0;

/// Runs a program to its end; after this many seconds of CPU time it is killed. Where the system does not say what a process
/// takes, time and memory are 0.
///
/// # Panics
///
/// If the program cannot be started.
pub fn measure(program: &Path, arguments: &[String], most: f64) -> Measured {
    let output = tempfile::NamedTempFile::new().expect("a file for what is printed");
    let into = || Stdio::from(output.reopen().expect("a file that can be opened again"));
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(into())
        .stderr(into())
        .spawn()
        .expect("the program is there");
    let folder = format!("/proc/{}", child.id());
    let (mut cpu, mut bytes) = (0.0, 0u64);
    // What has ended is still there until somebody waits for it, with the time that it took.
    while let Some(stat) = stat(&folder) {
        cpu = stat.cpu;
        bytes = bytes.max(peak(&folder).unwrap_or(0));
        if stat.has_ended {
            break;
        }
        if cpu > most {
            let _ = child.kill();
        }
        std::thread::sleep(INTERVAL);
    }
    let status = child.wait().expect("the program ends");
    let printed = std::fs::read(output.path()).unwrap_or_default();
    Measured {
        code: status.code(),
        seconds: start.elapsed().as_secs_f64(),
        cpu,
        bytes,
        output: String::from_utf8_lossy(&printed).into_owned(),
    }
}

/// Waits until a child has ended, for which nobody has waited yet: the seconds of CPU time that it took. 0 where the system
/// does not say.
pub fn cpu_at_end(child: &Child) -> f64 {
    let folder = format!("/proc/{}", child.id());
    let mut cpu = 0.0;
    while let Some(stat) = stat(&folder) {
        cpu = stat.cpu;
        if stat.has_ended {
            break;
        }
        std::thread::sleep(INTERVAL);
    }
    cpu
}

struct Stat {
    has_ended: bool,
    cpu: f64,
}

/// What the system says about a process.
fn stat(folder: &str) -> Option<Stat> {
    let text = read_to_string(format!("{folder}/stat")).ok()?;
    // The name, which may have blanks in it, stands in parentheses.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok());
    Some(Stat { has_ended: fields.first() == Some(&"Z"), cpu: (ticks(11)? + ticks(12)?) / TICKS })
}

/// The most bytes that a process has taken until now.
fn peak(folder: &str) -> Option<u64> {
    let text = read_to_string(format!("{folder}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
