//! Models with too many cases to be translated: they are executed as they are written.

use super::{counted_by_rumur, has_rumur, report};
use crate::program::{code, err, folder, out, run};

const SUM: &str = "const N: 3;
    var a: array [1..N] of 0..5;
    function sum(): 0..40; var s: 0..40; begin s := 0; for i: 1..N do s := s + a[i]; end; return s; end;
    startstate begin for i: 1..N do a[i] := 0; end; end;
    ruleset i: 1..N do rule \"add\" a[i] < 5 ==> begin a[i] := a[i] + 1; end; end;
    invariant \"small\" sum() < 40;";

const SORT: &str = "const N: 4;
    type Place: 0..N - 1; Value: 0..N - 1;
    var a: array [Place] of Value; rounds: 0..N;
    procedure exchange(var x: Value; var y: Value); var z: Value; begin z := x; x := y; y := z; end;
    ruleset v: Value do
      startstate begin for p: Place do a[p] := (p * v + v) % N; end; rounds := 0; end;
    end;
    rule \"pass\" rounds < N ==> begin
      for p := 0 to N - 2 do if a[p] > a[p + 1] then exchange(a[p], a[p + 1]); end; end;
      rounds := rounds + 1;
    end;
    rule \"disturb\" rounds = 0 ==> begin exchange(a[0], a[N - 1]); end;
    invariant \"sorted in the end\" rounds = N -> forall p: 0..N - 2 do a[p] <= a[p + 1] end;";

const BAG: &str = "var net: multiset [2] of 0..30; x, y: boolean;
    startstate begin undefine net; x := false; y := false; end;
    rule \"a\" !x ==> begin multisetadd(0, net); x := true; end;
    rule \"b\" !y ==> begin multisetadd(1, net); y := true; end;
    invariant multisetcount(i: net, true) <= 2;";

/// Runs a command on a text: the exit code, and what is said.
fn said(arguments: &[&str], text: &str) -> (i32, String) {
    let files = folder(&[("model.m", text)]);
    let output = run(files.path(), &[arguments, &["model.m"]].concat(), b"");
    // Lines are broken wherever there is room.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    (code(&output), words(&format!("{} {}", out(&output), err(&output))))
}

#[test]
fn what_was_refused_is_explored() {
    let (exit, text) = said(&["explore"], SUM);
    assert_eq!(exit, 0, "{text}");
    for part in [
        "states 216 without symmetry transitions 540 depth 15",
        "note: this was executed as it is written, state by state, and not translated: ",
        "has too many cases (line 3).",
        "No bad state is reachable at the sizes of the file.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (exit, text) = said(&["explore"], &SUM.replace("sum() < 40", "sum() < 4"));
    assert_eq!(exit, 1, "{text}");
    for part in [
        "steps: 1 add [1] a[1]: 0 -> 1 2 add [1] a[1]: 1 -> 2",
        "The invariant \"small\" at model.m:6 is violated in the last state: a[1] = 4 & a[2] = 0 & a[3] = 0",
        "The search ended at the nearest (--keep-going goes on).",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn numbers_of_states_and_steps() {
    let place = folder(&[("sum.m", SUM), ("sort.m", SORT), ("bag.m", BAG)]);
    let counted = |name: &str| {
        let (exit, found) = report(&["explore"], &place.path().join(name));
        assert_eq!((exit, &found["complete"]), (0, &true.into()), "{name}: {found}");
        assert_eq!(found["symmetry"], false, "{name}");
        (found["states"].as_u64(), found["transitions"].as_u64(), found["executed"].is_string())
    };
    assert_eq!(counted("sum.m"), (Some(216), Some(540), true));
    assert_eq!(counted("bag.m"), (Some(4), Some(4), true));
    if has_rumur() {
        for name in ["sum.m", "sort.m"] {
            let (states, rules, _) = counted(name);
            let (expected, fired) = counted_by_rumur(&place.path().join(name), &folder(&[]));
            assert_eq!((states, rules), (Some(expected), Some(fired)), "{name}");
        }
    }
}

#[test]
fn limits_and_what_is_not_possible() {
    let (exit, text) = said(&["explore", "--max-states", "50"], SUM);
    assert_eq!(exit, 3, "{text}");
    assert!(text.contains("the limit of 50 states was reached (--max-states)"), "{text}");
    let (exit, text) = said(&["explore", "--depth", "2"], SUM);
    assert_eq!(exit, 3, "{text}");
    assert!(text.contains("the search ended 2 steps from the start (--depth)"), "{text}");
    let (exit, text) = said(&["explore", "-n", "2"], SUM);
    assert_eq!(exit, 2, "{text}");
    assert!(text.contains("has no number of processes"), "{text}");
    let large = SUM.replace("N: 3", "N: 6").replace("0..40", "0..80");
    for arguments in [&["explore", "--checkpoint", "kept"][..], &["explore", "--local", "2"], &["simulate"]] {
        let (exit, text) = said(arguments, &large);
        assert_eq!(exit, 2, "{arguments:?}: {text}");
        let help = "`polycube explore` can execute it, in one process and without checkpoints";
        assert!(text.contains(help), "{arguments:?}: {text}");
    }
    let endless = SUM.replace("N: 3", "N: 8").replace("0..40", "0..80").replace("< 40", "< 80");
    let (exit, text) = said(&["explore", "--timeout", "2"], &endless);
    assert_eq!(exit, 3, "{text}");
    assert!(text.contains("the time of 2.0 s was up (--timeout)"), "{text}");
}

#[test]
fn errors_in_start_states_are_mistakes() {
    let (exit, text) = said(&["explore"], &SUM.replace("a[i] := 0;", "a[i] := 6;"));
    assert_eq!(exit, 2, "{text}");
    assert!(text.contains("start state"), "{text}");
}
