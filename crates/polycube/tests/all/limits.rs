//! The limits hold, whatever a model says: time, memory, and that nothing goes on after them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use polycube::stop::{Cause, Stop};
use polycube_testing::hostile;
use polycube_testing::measure::{Measured, measure};
use tempfile::TempDir;

/// What may be used beyond the limits: a second, and 100 MB.
const SECOND: f64 = 1.0;
const MEMORY: u64 = 100_000_000;

/// Runs a command on a model, with limits on seconds and millions of bytes; says what it took.
fn run(model: &str, command: &[&str], seconds: f64, memory: u64) -> Measured {
    let folder = TempDir::new().expect("a temporary folder");
    std::fs::write(folder.path().join("model.cub"), model).expect("a file is written");
    let mut arguments: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
    arguments.extend(["--timeout".to_owned(), seconds.to_string()]);
    arguments.extend(["--max-memory".to_owned(), format!("{memory}M")]);
    arguments.extend(["-j".to_owned(), "1".to_owned()]);
    arguments.push(folder.path().join("model.cub").display().to_string());
    let found = measure(env!("CARGO_BIN_EXE_polycube").as_ref(), &arguments, 60.0);
    assert!(matches!(found.code, Some(0..=3)), "{command:?}: {found:?}\n{model}");
    assert!(found.cpu <= seconds + SECOND, "{command:?}: {found:?}\n{model}");
    assert!(found.bytes <= memory * 1_000_000 + MEMORY, "{command:?}: {found:?}\n{model}");
    found
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("x{number}")).collect()
}

/// An equivalence of many variables has exponentially many cases. A state is found all the same.
#[test]
fn equivalences() {
    let variables: String = (0..40).map(|number| format!("var X{number} : bool\n")).collect();
    let all: Vec<String> = (0..40).map(|number| format!("X{number}")).collect();
    let none: Vec<String> = all.iter().map(|name| format!("not {name}")).collect();
    let model = format!(
        "{variables}init {{ {} }}\nunsafe {{ {} }}\ntransition t () {{ X0 := True; }}\n",
        none.join(" && "),
        all.join(" <=> ")
    );
    assert_eq!(run(&model, &["verify"], 20.0, 100).code, Some(1));
    let found = run(&model, &["verify", "--engine", "backward"], 20.0, 100);
    assert_eq!(found.code, Some(3));
    assert!(found.output.starts_with("Unknown: a step has too many cases."), "{}", found.output);
}

/// Conditionals in each other, as conditions and as alternatives, have as many.
#[test]
fn conditionals() {
    for nested in ["(if F then A else B)", "(if A then F else B)", "(if A then B else F)"] {
        let mut formula = "A".to_owned();
        for _ in 0..150 {
            formula = nested.replace('F', &formula);
        }
        let model = format!(
            "var A : bool\nvar B : bool\nvar C : bool\ninit {{ not A && not C }}\nunsafe {{ C }}\n\
             transition t () requires {{ {formula} }} {{ C := True; }}\ntransition u () {{ B := True; }}\n"
        );
        run(&model, &["verify"], 2.0, 100);
        run(&model, &["verify", "--engine", "backward"], 2.0, 100);
    }
}

/// Each index in another one multiplies the cases by the number of processes.
#[test]
fn nested_indices() {
    let nested = |depth: usize| format!("{}q{}", "L[".repeat(depth), "]".repeat(depth));
    for depth in [20, 60] {
        let model = format!(
            "array L[proc] : proc\ninit (p) {{ L[p] = p }}\nunsafe (p q) {{ L[p] = q }}\n\
             transition t (p q) {{ L[p] := {}; }}\n",
            nested(depth)
        );
        assert_eq!(run(&model, &["verify"], 20.0, 100).code, Some(1));
        let found = run(&model, &["explore", "-n", "4"], 2.0, 100);
        assert!(
            found.output.contains("the limit of 100.0 MB of memory was reached (--max-memory)"),
            "{found:?}"
        );
    }
}

/// What `init` says of all choices of many parameters mostly follows from what it says of a few.
#[test]
fn parameters_of_init() {
    let parts: Vec<String> = names(18).iter().map(|name| format!("not S[{name}]")).collect();
    let model = format!(
        "array S[proc] : bool\nvar B : bool\ninit ({}) {{ not B && ({}) }}\nunsafe (p q r) {{ S[p] && S[q] && S[r] && B }}\n\
         transition t (p) requires {{ S[p] }} {{ B := True; }}\n",
        names(18).join(" "),
        parts.join(" || ")
    );
    for engine in ["brab", "backward"] {
        assert_eq!(run(&model, &["verify", "--engine", engine], 20.0, 100).code, Some(0));
    }
}

/// Memory does not grow with the number of symbols times that of transitions.
#[test]
fn many_variables() {
    let variables: String = (0..4000).map(|number| format!("var X{number} : bool\n")).collect();
    let steps: String =
        (0..400).map(|number| format!("transition t{number} () {{ X{number} := True; }}\n")).collect();
    let model = format!("{variables}init {{ not X3999 }}\nunsafe {{ X3999 }}\n{steps}");
    assert_eq!(run(&model, &["verify"], 20.0, 50).code, Some(0));
}

/// Models of all kinds that are made to be large.
#[test]
fn hostile_models() {
    for seed in 0..24 {
        let model = hostile::model(seed);
        let command: &[&str] = if seed % 2 == 0 { &["verify"] } else { &["explore"] };
        run(&model, command, 0.2, 200);
    }
}

/// Work that does not end soon after the flag was set is cut off, and only that.
#[test]
fn what_does_not_end_is_cut_off() {
    let grace = Duration::from_millis(30);
    let stop = Stop::limited(Some(Duration::from_millis(20)), None);
    let (cut_off, reason) = (AtomicBool::new(false), Mutex::new(None));
    let note = |why| {
        *reason.lock().unwrap() = Some(why);
        cut_off.store(true, Ordering::Relaxed);
    };
    let result = stop.guard(grace, note, || {
        while !cut_off.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        7
    });
    assert_eq!((result, *reason.lock().unwrap()), (7, Some(Cause::Timeout)));

    // The flag is set, but the work ends.
    let unexpected = |_| panic!("what ends is not cut off");
    assert_eq!(stop.guard(Duration::from_secs(60), unexpected, || 8), 8);
    // It does not end, but the flag is not set.
    let stop = Stop::limited(None, None);
    let unexpected = |_| panic!("what may go on is not cut off");
    stop.guard(Duration::ZERO, unexpected, || std::thread::sleep(Duration::from_millis(50)));
}

/// The same, without a thread for it.
#[test]
fn what_does_not_end_is_cut_off_alone() {
    let stop = Stop::limited(Some(Duration::from_millis(20)), None);
    let (note, reason) = std::sync::mpsc::channel();
    let cut_off = move |why| note.send(why).expect("somebody waits for it");
    assert_eq!(
        stop.guard_alone(cut_off, || reason.recv_timeout(Duration::from_secs(60))),
        Ok(Cause::Timeout)
    );
    // What has ended is not cut off, nor what ends while it is at work: that waits for it.
    let stop = Stop::limited(Some(Duration::from_millis(20)), None);
    let done = Arc::new(AtomicBool::new(false));
    let slowly = Arc::clone(&done);
    let cut_off = move |_| {
        std::thread::sleep(Duration::from_millis(100));
        slowly.store(true, Ordering::Relaxed);
    };
    stop.guard_alone(cut_off, || {
        while !stop.is_set() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(30));
    });
    assert!(done.load(Ordering::Relaxed));
    let stop = Stop::limited(Some(Duration::from_millis(20)), None);
    assert_eq!(stop.guard_alone(|_| panic!("it has ended"), || 7), 7);
    while !stop.is_set() {
        std::thread::yield_now();
    }
    std::thread::sleep(Duration::from_millis(30));
}

/// A panic is passed on, and nothing waits for ever.
#[test]
fn a_panic_is_not_cut_off() {
    let stop = Stop::limited(None, None);
    let unexpected = |_| panic!("it has ended");
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        stop.guard(Duration::ZERO, unexpected, || std::panic::panic_any("this one"));
    }));
    assert_eq!(result.unwrap_err().downcast_ref::<&str>(), Some(&"this one"));
}

/// The memory of the process is what counts, not only what engines count.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_watched() {
    let stop = Stop::limited(None, Some(0));
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for _ in 0..100 {
        kept.push(vec![1; 4 << 20]);
        std::thread::sleep(Duration::from_millis(10));
        if stop.is_set() {
            break;
        }
    }
    assert_eq!((stop.is_set(), stop.reason()), (true, Cause::Memory), "{} MB", kept.len() * 4);
}
