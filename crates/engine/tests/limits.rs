//! Explorations that end early, or nearly do, say no more than they know.

use std::sync::atomic::Ordering;

use polycube_engine::compile::{Cut, TooLarge};
use polycube_engine::forward::{End, Goal, Observer, Options, Progress, explore};
use polycube_language::{System, check};

fn system(model: &str) -> System {
    let checked = check(model);
    checked.system.unwrap_or_else(|| panic!("a system: {:?}", checked.diagnostics))
}

/// Set before anything begins: nothing is known, and nothing is claimed.
#[test]
fn interrupted_before_the_beginning() {
    let system = system(
        "array Ready[proc] : bool
        init (p) { Ready[p] = False }
        unsafe (p) { Ready[p] = True }
        transition set (p) { Ready[p] := True; }",
    );
    let options = Options::new(3);
    options.interrupt.store(true, Ordering::Relaxed);
    let found = explore(&system, &options, &mut ()).expect("an instance");
    assert_eq!((found.end, found.states, found.explored_orders), (End::Interrupted, 0, 0));
    assert_eq!(found.never_fired, [0]);
}

/// Interrupts after this many calls.
struct Interrupting<'o> {
    options: &'o Options,
    calls: usize,
}

impl Observer for Interrupting<'_> {
    fn progress(&mut self, _: &Progress) {
        match self.calls.checked_sub(1) {
            None => self.options.interrupt.store(true, Ordering::Relaxed),
            Some(left) => self.calls = left,
        }
    }
}

/// Wherever it is interrupted, in the enumeration of initial states or later, an exploration says so; or it
/// was complete before.
#[test]
fn interrupted_anywhere() {
    let system = system(
        "array Ready[proc] : bool
        array Seen[proc, proc] : bool
        init (p) { Ready[p] = False }
        unsafe (p) { Ready[p] = True && Seen[p, p] = True && Ready[p] = False }
        transition set (p) { Ready[p] := True; }",
    );
    let mut ends = Vec::new();
    for calls in 0..12 {
        let mut options = Options::new(4);
        options.reduction = polycube_engine::forward::Reduction::None;
        let mut observer = Interrupting { options: &options, calls };
        let found = explore(&system, &options, &mut observer).expect("an instance");
        assert_eq!(found.end == End::Complete, !options.interrupt.load(Ordering::Relaxed), "{calls} calls");
        assert!(found.inspected <= found.states);
        ends.push(found.end);
    }
    assert!(ends.contains(&End::Interrupted), "{ends:?}");
}

/// What is cut off in any of several orders is said.
#[test]
fn cuts_of_several_orders() {
    let system = system(
        "number_procs 2
        var X : int
        init { #1 < #2 && X = 0 || #2 < #1 }
        unsafe { X = 100 }
        transition stay (p) requires { X = 0 } { X := 0; }",
    );
    let found = explore(&system, &Options::new(2), &mut ()).expect("an instance");
    assert_eq!((found.orders, found.explored_orders, found.end), (2, 2, End::Complete));
    assert!(matches!(found.cuts[..], [Cut::Start(_)]), "{:?}", found.cuts);
}

/// A run of no step is the shortest of all: the other orders are not looked at.
#[test]
fn the_nearest_of_several_orders() {
    let model = |start: &str| {
        system(&format!(
            "number_procs 2
            var X : bool
            init {{ {start} }}
            unsafe {{ X = True }}
            transition set (p) requires {{ #1 < #2 }} {{ X := True; }}"
        ))
    };
    let found = explore(&model("X = False"), &Options::new(2), &mut ()).expect("an instance");
    assert_eq!(
        (found.end, found.violations[0].trace.steps.len(), found.explored_orders),
        (End::Unsafe, 1, 2)
    );
    let found = explore(&model("#1 < #2 || #2 < #1"), &Options::new(2), &mut ()).expect("an instance");
    assert_eq!(
        (found.end, found.violations[0].trace.steps.len(), found.explored_orders),
        (End::Unsafe, 0, 1)
    );
}

/// As many global pointers as a word has bits.
#[test]
fn many_pointers() {
    for count in [62, 63, 64, 65] {
        let names: Vec<String> = (0..count).map(|at| format!("P{at}")).collect();
        let declarations: String = names.iter().map(|name| format!("var {name} : proc\n")).collect();
        let start = names
            .windows(2)
            .map(|pair| format!("{} = {}", pair[0], pair[1]))
            .collect::<Vec<_>>()
            .join(" && ");
        let system = system(&format!(
            "{declarations}
            init {{ {start} }}
            unsafe (p q) {{ P0 = p && P0 = q }}
            transition move (p) {{ P{} := p; }}",
            count - 1
        ));
        let found = explore(&system, &Options::new(3), &mut ()).expect("an instance");
        assert_eq!((found.states, found.transitions, found.end), (2, 6, End::Complete), "{count} pointers");
    }
}

/// What was found in the same round as an error counts.
#[test]
fn a_bad_state_beside_an_overflow() {
    let system = system(
        "var X : int
        var Bad : bool
        init { X = 1 && Bad = False }
        unsafe { Bad = True }
        transition fail (p) { Bad := True; }
        transition double (p) requires { X < 1000000000000000000 } { X := X + X; }
        transition jump (p) requires { X = 1 } { X := 1000000000000000000; }
        transition leap (p) requires { X = 1000000000000000000 } { X := X + X + X + X + X + X + X + X + X + X; }",
    );
    let mut options = Options::new(1);
    options.goal = Goal::Everything;
    let found = explore(&system, &options, &mut ()).expect("an instance");
    assert!(matches!(found.end, End::Overflow(_)), "{found:?}");
    assert_eq!(found.violations[0].trace.steps.len(), 1);
}

/// More different processes than there are: the transition is impossible, and that is found at once.
#[test]
fn more_parameters_than_processes() {
    let parameters: Vec<String> = (0..25).map(|at| format!("p{at}")).collect();
    let system = system(&format!(
        "array Ready[proc] : bool
        init (p) {{ Ready[p] = False }}
        unsafe (p) {{ Ready[p] = True }}
        transition meet ({}) {{ Ready[p0] := True; }}
        transition wait (p) requires {{ Ready[p] = False }} {{ Ready[p] := False; }}",
        parameters.join(" ")
    ));
    for processes in [3, 16, 24] {
        let found = explore(&system, &Options::new(processes), &mut ()).expect("an instance");
        assert_eq!((found.end, found.states, &found.never_fired[..]), (End::Complete, 1, &[0][..]));
    }
    assert!(matches!(explore(&system, &Options::new(25), &mut ()), Err(TooLarge::Code(_))));
}
