//! A solver on a script: the answers as they arrive, and the end, one way or the other.

use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use crate::answer::{Answer, Said, error_message};
use crate::failure::{Cause, Failure};
use crate::limits::Limits;
use crate::output::{Line, Stream, Tail, printable};
use crate::process::Process;
use crate::solver::Solver;

/// How long it may take until the wish for an end is noticed.
const POLL: Duration = Duration::from_millis(10);

/// How often a process that has closed its output is asked whether it has ended. It is just about to.
const ENDING: Duration = Duration::from_millis(1);

/// Of the time for a check, the part after which giving up means that the time was up: the clocks of the
/// solver and ours do not start at the same moment.
const TIMED_OUT: f64 = 0.9;

/// What shells return if a program cannot be started.
const NOT_EXECUTABLE: i32 = 126;
const NOT_FOUND: i32 = 127;

impl Solver {
    /// Runs the solver on a script with that many `(check-sat)` commands, and reports each answer with its
    /// number, from zero, as it arrives. The rest of the script should write nothing: no models, no
    /// `success`.
    ///
    /// A check that takes too long has the answer [`Answer::TimedOut`], if the solver gives up by itself; the
    /// others are still answered. The process is ended when `stop` is set, within some hundredths of a
    /// second.
    ///
    /// # Errors
    ///
    /// If there is not exactly one answer for each check, if the solver writes anything else, or if it does
    /// not end the way it should. Then *no* answer counts: solvers go on after errors, with what they have
    /// understood.
    pub fn run(
        &self,
        script: &Path,
        checks: usize,
        limits: &Limits,
        stop: &AtomicBool,
        on_answer: &mut dyn FnMut(usize, Answer),
    ) -> Result<(), Failure> {
        let mut dialogue = Dialogue {
            checks,
            limits,
            stop,
            on_answer,
            answered: 0,
            last_answer: Instant::now(),
            last_heard: Instant::now(),
            complaints: Tail::default(),
            error: None,
            is_out_of_memory: false,
        };
        let cause = match dialogue.run(self, script) {
            Ok(()) => return Ok(()),
            // Whoever stops everything may have stopped the solver too; what looks like a crash is none.
            Err(_) if stop.load(Ordering::Relaxed) => Cause::Interrupted,
            Err(cause) => cause,
        };
        Err(Failure { answered: dialogue.answered, cause })
    }
}

/// What was asked, and what was said up to now.
struct Dialogue<'a> {
    checks: usize,
    limits: &'a Limits,
    stop: &'a AtomicBool,
    on_answer: &'a mut dyn FnMut(usize, Answer),
    answered: usize,
    /// When the solver wrote its last answer.
    last_answer: Instant,
    /// When that answer was dealt with. The time in between is not the fault of the solver.
    last_heard: Instant,
    /// What it wrote to its standard error. Warnings are no failure.
    complaints: Tail,
    /// What it wrote there that looks like an error; that is a failure.
    error: Option<String>,
    is_out_of_memory: bool,
}

impl Dialogue<'_> {
    fn run(&mut self, solver: &Solver, script: &Path) -> Result<(), Cause> {
        self.go_on()?;
        let (mut process, lines) =
            Process::start(&mut solver.command(script, self.limits)).map_err(Cause::CannotRun)?;
        loop {
            match lines.recv_timeout(POLL) {
                Ok(line) => self.listen(&line)?,
                // What it has started, and has left behind, cannot speak for it.
                Err(RecvTimeoutError::Timeout) if process.has_ended() => process.kill(),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.go_on()?;
        }
        while !process.has_ended() {
            self.go_on()?;
            thread::sleep(ENDING);
        }
        let status = process.finish().map_err(Cause::CannotRun)?;
        self.judge(status)
    }

    /// Whether there is any reason not to go on.
    fn go_on(&self) -> Result<(), Cause> {
        let patience = self.limits.patience();
        if self.stop.load(Ordering::Relaxed) {
            Err(Cause::Interrupted)
        } else if self.last_heard.elapsed() > patience {
            Err(Cause::TimedOut(patience))
        } else {
            Ok(())
        }
    }

    fn listen(&mut self, line: &Line) -> Result<(), Cause> {
        if line.stream == Stream::Error {
            self.is_out_of_memory |= is_about_memory(&line.bytes);
            self.error = self.error.take().or_else(|| error_message(&line.bytes));
            self.complaints.push(&line.bytes);
            return Ok(());
        }
        match Said::read(&line.bytes) {
            Said::Answer(_) if self.answered == self.checks => {
                Err(Cause::TooManyAnswers { expected: self.checks })
            }
            Said::Answer(answer) => {
                self.answer(answer, line.arrived);
                Ok(())
            }
            Said::Error(_) if is_about_memory(&line.bytes) => Err(Cause::OutOfMemory),
            Said::Error(message) => Err(Cause::Error(message)),
            Said::Rubbish => Err(Cause::Rubbish(printable(&line.bytes))),
        }
    }

    fn answer(&mut self, answer: Answer, arrived: Instant) {
        let time = arrived.saturating_duration_since(self.last_answer);
        let is_late = time >= self.limits.per_check.mul_f64(TIMED_OUT);
        let answer = if answer == Answer::Unknown && is_late { Answer::TimedOut } else { answer };
        (self.on_answer)(self.answered, answer);
        self.answered += 1;
        self.last_answer = arrived;
        self.last_heard = Instant::now();
    }

    /// The verdict over a process that has ended by itself. Only an exit code of zero is a good end: both
    /// solvers have it whatever their answers are, and neither has it after an error.
    fn judge(&self, status: ExitStatus) -> Result<(), Cause> {
        let is_good = status.success() && self.error.is_none();
        let is_not_started = self.answered == 0 && matches!(status.code(), Some(NOT_EXECUTABLE | NOT_FOUND));
        if is_good && self.answered == self.checks {
            Ok(())
        } else if is_good {
            Err(Cause::TooFewAnswers { expected: self.checks })
        } else if self.is_out_of_memory {
            Err(Cause::OutOfMemory)
        } else if let Some(message) = &self.error {
            Err(Cause::Error(message.clone()))
        } else if is_not_started {
            Err(Cause::CannotRun(io::Error::other(self.complaints.text())))
        } else {
            Err(Cause::Crashed { status, stderr: self.complaints.text() })
        }
    }
}

/// Whether a solver says that it ran out of memory. There are as many ways to say it as places where it is
/// noticed.
fn is_about_memory(line: &[u8]) -> bool {
    let line = String::from_utf8_lossy(line);
    ["out of memory", "bad_alloc", "OutOfMemory"].iter().any(|words| line.contains(words))
}
