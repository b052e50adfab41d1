//! Solvers that do not end by themselves, and what is left of them: nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use polycube_solver::{Cause, Failure, Limits};

use crate::fake::Fake;
use crate::generous;

/// Answers once, and then hangs. The real work is done by another process.
const HANGS: &str = r#"
    sleep 1000 & echo $! > "$folder/helper"
    echo $$ > "$folder/leader"
    echo unsat
    wait"#;

/// How long it may take at most until a process is noticed to have to end, and has ended: much longer than it does, since
/// the machine may do other things too.
pub const PROMPT: Duration = Duration::from_secs(2);

fn impatient() -> Limits {
    Limits { per_check: Duration::from_millis(200), grace: Duration::from_millis(800), memory: 1 << 30 }
}

/// Nothing is left of the process, and the process that it has started does not run.
fn assert_is_gone(fake: &Fake) {
    // Where processes cannot be seen, there is nothing to check.
    if !cfg!(target_os = "linux") {
        return;
    }
    let leader = fake.process("leader");
    assert!(!Path::new("/proc").join(leader.to_string()).exists(), "{leader} was not waited for");
    // Whoever inherits this one waits for it, sooner or later.
    let helper = Path::new("/proc").join(fake.process("helper").to_string()).join("stat");
    let is_dead =
        |stat: &str| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X']));
    let start = Instant::now();
    while std::fs::read_to_string(&helper).is_ok_and(|stat| !is_dead(&stat)) {
        assert!(start.elapsed() < PROMPT, "the helper is still there");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn stopping_is_prompt_and_thorough() {
    let fake = Fake::new(HANGS);
    let stop = AtomicBool::new(false);
    let (end, took) = thread::scope(|scope| {
        let run =
            scope.spawn(|| fake.solver.run(Path::new("script.smt2"), 3, &generous(), &stop, &mut |_, _| {}));
        fake.process("leader");
        let stopped = Instant::now();
        stop.store(true, Ordering::Relaxed);
        (run.join().expect("nothing panics"), stopped.elapsed())
    });
    assert!(matches!(end, Err(Failure { cause: Cause::Interrupted, .. })), "{end:?}");
    assert!(took < PROMPT, "{took:?}");
    assert_is_gone(&fake);
}

#[test]
fn stopping_before_the_start() {
    let fake = Fake::new(HANGS);
    let stop = AtomicBool::new(true);
    let end = fake.solver.run(Path::new("script.smt2"), 3, &generous(), &stop, &mut |_, _| {});
    assert!(matches!(end, Err(Failure { answered: 0, cause: Cause::Interrupted })), "{end:?}");
    assert!(!fake.file("leader").exists(), "it is not even started");
}

#[test]
fn whoever_gets_the_answers_can_stop() {
    let fake = Fake::new(HANGS);
    let stop = AtomicBool::new(false);
    let end = fake.solver.run(Path::new("script.smt2"), 3, &generous(), &stop, &mut |_, _| {
        stop.store(true, Ordering::Relaxed);
    });
    assert!(matches!(end, Err(Failure { answered: 1, cause: Cause::Interrupted })), "{end:?}");
    assert_is_gone(&fake);
}

#[test]
fn what_was_stopped_has_not_crashed() {
    let fake = Fake::new("echo unsat; exit 1");
    let stop = AtomicBool::new(false);
    let end = fake.solver.run(Path::new("script.smt2"), 1, &generous(), &stop, &mut |_, _| {
        // Somebody who ends all processes ends the solver first.
        thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
    });
    assert!(matches!(end, Err(Failure { answered: 1, cause: Cause::Interrupted })), "{end:?}");
}

#[test]
fn a_solver_that_hangs_is_killed() {
    let fake = Fake::new(HANGS);
    let start = Instant::now();
    let (_, end) = fake.run(3, &impatient());
    assert!(matches!(end, Err(Failure { answered: 1, cause: Cause::TimedOut { .. } })), "{end:?}");
    assert!(start.elapsed() >= impatient().patience());
    assert_is_gone(&fake);
}

#[test]
fn the_clock_starts_again_with_every_answer() {
    let fake = Fake::new("for check in 1 2 3 4; do sleep 0.4; echo unsat; done");
    fake.run(4, &impatient()).1.expect("each answer is in time");
}

#[test]
fn who_gets_the_answers_may_take_time() {
    let fake = Fake::new("echo unsat; sleep 0.1; echo unsat");
    let end =
        fake.solver.run(Path::new("script.smt2"), 2, &impatient(), &AtomicBool::new(false), &mut |_, _| {
            thread::sleep(impatient().patience() * 2);
        });
    end.expect("the solver was in time");
}

#[test]
fn closing_the_output_is_no_way_out() {
    let fake = Fake::new(
        r#"
        echo unsat
        exec >&- 2>&-
        sleep 1000 & echo $! > "$folder/helper"
        echo $$ > "$folder/leader"
        wait"#,
    );
    let (_, end) = fake.run(1, &impatient());
    assert!(matches!(end, Err(Failure { answered: 1, cause: Cause::TimedOut { .. } })), "{end:?}");
    assert_is_gone(&fake);
}

#[test]
fn signals_are_ignored_in_vain() {
    let fake = Fake::new(&format!("trap '' INT TERM HUP PIPE\n{HANGS}"));
    let (_, end) = fake.run(3, &impatient());
    assert!(matches!(end, Err(Failure { answered: 1, cause: Cause::TimedOut { .. } })), "{end:?}");
    assert_is_gone(&fake);
}

#[test]
fn what_is_left_behind_ends_too() {
    let start = Instant::now();
    for streams in ["", ">&- 2>&-"] {
        let fake = Fake::new(&format!(
            r#"sleep 1000 {streams} & echo $! > "$folder/helper"; echo $$ > "$folder/leader"; echo unsat"#
        ));
        fake.run(1, &generous()).1.expect("the solver itself ended well");
        assert_is_gone(&fake);
    }
    assert!(start.elapsed() < Duration::from_secs(20), "nobody waits for what was left behind");
}

#[test]
fn a_panic_leaves_nothing_behind() {
    let fake = Fake::new(HANGS);
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let stop = AtomicBool::new(false);
        fake.solver.run(Path::new("script.smt2"), 3, &generous(), &stop, &mut |_, _| {
            std::panic::resume_unwind(Box::new("on purpose"));
        })
    }));
    assert!(panicked.is_err());
    assert_is_gone(&fake);
}
