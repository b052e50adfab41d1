//! A process that does not outlive the value that stands for it, and neither do the processes that it starts.
//!
//! On Unix, it leads a process group of its own, which is killed as a whole: a solver may be a script that
//! calls the real one. That also keeps Ctrl-C away from it (Z3 takes it for "give up this check, and go on");
//! whoever handles Ctrl-C ends it. Only where this program itself is killed, a solver goes on, until it
//! writes an answer that nobody reads.

use std::ffi::OsStr;
use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::Receiver;

use crate::output::{self, Line};

/// Sets limits, and becomes the program, so that both are one process. Where a limit cannot be set, there is
/// none. A solver that crashes leaves no file behind.
#[cfg(unix)]
const LIMITED: &str = r#"ulimit -c 0 2>/dev/null; ulimit -v "$1" 2>/dev/null; shift; exec "$@""#;

/// A command whose process can have so much address space.
#[cfg(unix)]
pub(crate) fn limited(program: &OsStr, kibibytes: u64) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", LIMITED, "sh", &kibibytes.to_string()]).arg(program);
    command
}

/// A command; there is no limit that this system knows.
#[cfg(not(unix))]
pub(crate) fn limited(program: &OsStr, _kibibytes: u64) -> Command {
    Command::new(program)
}

/// A running process, or one that has ended and was not yet waited for.
pub(crate) struct Process {
    child: Child,
    /// Since then, its number and that of its group can be those of others.
    is_gone: bool,
}

impl Process {
    /// Starts a process that reads nothing, and whose output is read.
    pub(crate) fn start(command: &mut Command) -> io::Result<(Process, Receiver<Line>)> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = Process { child: command.spawn()?, is_gone: false };
        let lines = output::lines(&mut process.child)?;
        Ok((process, lines))
    }

    /// Whether the process has ended by itself. It is not waited for yet, so that its group keeps its number.
    #[cfg(unix)]
    pub(crate) fn has_ended(&mut self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        // If there is nothing to wait for, it has ended.
        self.is_gone || !matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(None))
    }

    #[cfg(not(unix))]
    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills the process and those that it has started, if they are still there.
    pub(crate) fn kill(&mut self) {
        if self.is_gone {
            return;
        }
        // Nothing is left to do for what has ended already.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.kill();
    }

    /// How the process ended. What it has left behind is killed, and so is itself if it has not ended.
    pub(crate) fn finish(mut self) -> io::Result<ExitStatus> {
        self.kill();
        self.is_gone = true;
        self.child.wait()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_gone {
            self.kill();
            // There is nobody to tell.
            let _ = self.child.wait();
        }
    }
}
