//! Large models take time in proportion to their length.

use std::fmt::Write as _;
use std::time::Duration;

use polycube_murphi::{Request, translated};
use polycube_testing::processor_time;

/// A megabyte of rules.
fn rules() -> String {
    let mut text = "const N: 3; type P: scalarset(N); C: enum { red, green, blue };\n".to_owned();
    let mut start = String::new();
    for at in 0..400 {
        let _ = writeln!(text, "var v{at}: array[P] of C; w{at}: 0..3;");
        let _ = writeln!(start, "for i: P do v{at}[i] := red end; w{at} := 0;");
    }
    let _ = writeln!(text, "startstate {start} end;");
    for at in 0.. {
        let (one, other) = (at % 400, (at * 7 + 1) % 400);
        let _ = writeln!(
            text,
            "ruleset i: P do rule \"step {at}\" v{one}[i] = red & w{other} < 3 & forall j: P do v{other}[j] != blue end ==>
             v{one}[i] := green; w{other} := w{other} + 1; if v{other}[i] = green then v{other}[i] := red end end end;"
        );
        if text.len() > 1 << 20 {
            return text;
        }
    }
    text
}

/// As much of declarations and calls.
fn declarations() -> String {
    let mut text = "const N: 3; type P: scalarset(N); var a: array[P] of boolean;\n".to_owned();
    let (mut start, mut rules) = ("for i: P do a[i] := false end;".to_owned(), String::new());
    for at in 0..6000 {
        let _ = writeln!(text, "const K{at}: {at}; type T{at}: 0..3; var x{at}: T{at};");
        let _ = writeln!(text, "procedure p{at}(i: P); begin if a[i] then x{at} := 1 end end;");
        let _ = writeln!(start, "x{at} := 0;");
        let _ = writeln!(rules, "ruleset i: P do rule !a[i] ==> p{at}(i); a[i] := true end end;");
    }
    format!("{text} startstate {start} end; {rules}")
}

/// Nothing but mistakes.
fn unknown_names() -> String {
    let mut text = String::new();
    for at in 0..5000 {
        let _ = writeln!(text, "var known{at}: boolean;");
    }
    for at in 0..20_000 {
        let _ = writeln!(text, "rule begin unknown{at} := other{at}.field end;");
    }
    text
}

/// Records of records, of which the last has more parts than could be counted one by one.
fn nested() -> String {
    let mut text = "const N: 3; type P: scalarset(N); R0: record a: array[P] of boolean; end;\n".to_owned();
    for at in 1..100 {
        let _ = writeln!(text, "R{at}: record a: R{}; b: R{}; end;", at - 1, at - 1);
    }
    format!("{text} var v: R99; startstate undefine v end; rule begin clear v end;")
}

#[test]
fn a_megabyte_is_read_in_seconds() {
    for text in [rules(), declarations(), unknown_names(), nested()] {
        let Some(start) = processor_time() else { return };
        translated(&text, Request::default());
        let taken = processor_time().map_or(Duration::ZERO, |now| now.saturating_sub(start));
        assert!(taken < Duration::from_secs(8), "{taken:?} for {}", &text[..60]);
    }
}
