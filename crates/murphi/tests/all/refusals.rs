//! What is said of models that have no exact counterpart for every number of processes, word for word: to be read by
//! people, in `snapshots`.

use std::fmt::Write as _;

use polycube_language::diagnostic::{Diagnostic, Label};
use polycube_language::span::Lines;
use polycube_murphi::{Request, translated};

/// A scalarset, and variables that start with a value.
const SCALARSET: &str = "const N: 3;
type P: scalarset(N); R: record f, g: boolean end;
var a: array[P] of boolean; x, y: 0..3; r, s: R; owner: P; t: array[0..3] of 0..3;
startstate begin x := 0; y := 0; clear r; clear s; clear t; for i: P do a[i] := false end end;
";

/// The same with a range.
const RANGE: &str = "const N: 3;
type P: 1..N;
var a: array[P] of boolean; x: 0..3; owner: P;
startstate begin x := 0; owner := 1; for i: P do a[i] := false end end;
";

/// What stands behind the declarations, and is refused.
const AFTER_SCALARSET: &[(&str, &str)] = &[
    ("the number by more than one", "var c: 0..N*N; rule begin c := 1 end;"),
    ("a range that may be empty", "var c: 2..N; rule begin c := 1 end;"),
    (
        "a number of processes multiplied",
        "var c: 0..N; startstate begin c := 0 end; rule c * c < N ==> c := 1 end;",
    ),
    ("a number of processes divided", "rule N / 2 = x ==> x := 1 end;"),
    ("a ruleset up to the number", "ruleset k: 0..N do rule begin x := k end end;"),
    ("a loop up to the number", "rule begin for k := 0 to N do x := k end end;"),
    ("the number as the size of an array", "var c: array[1..N] of boolean; rule begin x := 1 end;"),
    (
        "the number as that of another type",
        "type Q: scalarset(N); var q: Q; ruleset k: Q do rule begin q := k end end;",
    ),
    ("the number as a step", "rule begin for k := 0 to 3 by N do x := k end end;"),
    ("a loop that stops counting", "rule begin for i: P do if a[i] & x < 3 then x := x + 1 end end end;"),
    ("a loop that counts up and down", "rule begin for i: P do x := x + (a[i] ? 1 : -1) end end;"),
    (
        "a loop that counts in two places",
        "rule begin for i: P do if a[i] then x := x + 1 else x := x - 1 end end end;",
    ),
    (
        "a loop that counts pairs",
        "rule begin for i: P do for j: P do if a[i] & !a[j] then x := x + 1 end end end end;",
    ),
    (
        "a loop that counts by a question",
        "rule begin for i: P do if exists j: P do a[j] & i != j end then x := x + 1 end end end;",
    ),
    ("a loop that reads what it writes", "rule begin for i: P do a[i] := a[owner] end end;"),
    (
        "the last iteration decides",
        "rule begin for i: P do if a[i] then owner := i end end; a[owner] := true end;",
    ),
    (
        "the last iteration decides, for a local variable",
        "rule var l: P; begin for i: P do if a[i] then l := i end end; x := isundefined(l) ? 1 : 2 end;",
    ),
    (
        "the last iteration decides, for a constant",
        "rule begin for i: P do if a[i] then x := 1 else x := 2 end end; y := x end; invariant y = 0;",
    ),
    (
        "a loop over a union",
        "type U: union { P, enum { Home } }; var u: array[U] of boolean;
rule begin for i: U do if i = Home then x := 1 else x := 2 end end end;",
    ),
    ("a loop that is left", "rule begin for i: P do if a[i] then return end end; x := 1 end;"),
    (
        "a function with an effect beside a variable",
        "function f(): boolean; begin x := 1; return true end; rule begin a[owner] := f() & x = 1 end;",
    ),
    (
        "a function with an effect in a guard",
        "function f(): boolean; begin x := 1; return true end; rule f() ==> y := 1 end;",
    ),
    ("passed by value and changed", "procedure f(v: 0..3); begin x := 2; y := v end; rule begin f(x) end;"),
    ("recursion", "function f(v: 0..3): 0..3; begin return f(v) end; rule begin x := f(x) end;"),
    ("a loop without a bound", "rule begin while x < 3 do y := x end end;"),
    ("too many rounds", "rule begin while true do x := 1 end end;"),
    ("too many iterations", "rule begin for k := 0 to 1000000000000 do x := 1 end end;"),
    ("the least process", "rule begin clear owner end;"),
    ("a name for a value", "rule begin alias z: x + 1 do z := 2 end end;"),
    ("whole values compared", "rule r = s ==> x := 1 end;"),
    ("whole values chosen", "rule begin r := x = 1 ? r : s end;"),
    ("an error in a start state", "startstate begin x := 4 end; rule begin x := 1 end;"),
    ("a multiset", "var net: multiset[4] of R; rule begin multisetadd(r, net) end;"),
    ("many parts", "var big: array[0..99999] of boolean; rule begin big[x] := true end;"),
    (
        "many cases",
        "rule begin
  x := (x + y) % 4; if t[x] = y then t[y] := t[t[x]] end; y := t[t[y]]; x := t[(x + y) % 4];
  x := (x + y) % 4; if t[x] = y then t[y] := t[t[x]] end; y := t[t[y]]; x := t[(x + y) % 4]
end;",
    ),
    ("bit operators", "rule begin x := x << 1 end;"),
    ("fractions", "rule begin x := 1.5 end;"),
    ("real numbers", "var z: real(3, 5); rule begin x := 1 end;"),
    (
        "assumptions and progress",
        "rule begin assume x = 1; x := 1 end; assume x = 1; cover x = 2; liveness x = 1;",
    ),
    ("external functions", "externfun f(k: P): P; rule begin x := 1 end;"),
];

const AFTER_RANGE: &[(&str, &str)] = &[
    ("the next process", "ruleset i: P do rule a[i] ==> owner := i + 1 end end;"),
    ("a process and a number", "ruleset i: P do rule x = i ==> a[i] := true end end;"),
    ("a process less than a number", "ruleset i: P do rule x < i ==> a[i] := true end end;"),
    ("a number as an index", "rule begin a[x] := true end;"),
    ("a number as a process", "rule begin owner := x end;"),
    ("the number as a process", "rule begin owner := N end;"),
    ("a process as a number", "ruleset i: P do rule begin x := i end end;"),
    (
        "a process as another index",
        "var t: array[0..3] of boolean; ruleset i: P do rule begin t[i] := true end end;",
    ),
    ("a number that is no process", "rule begin owner := 0 end;"),
    ("a process that the file does not have", "rule owner != 9 ==> begin owner := 1 end;"),
    ("the same, stored", "rule begin owner := 9 end;"),
];

#[test]
fn refusals() {
    let models = |before, behind: &'static [(&str, &str)]| {
        behind.iter().map(move |(name, behind)| (*name, format!("{before}{behind}\n")))
    };
    let nothing = "type T: enum { A, B }; var t: T; startstate begin t := A end; rule begin t := B end;";
    let no_start = "const N: 3; type P: scalarset(N); var a: array[P] of 0..3; rule begin undefine a end;
ruleset i: P; k := 3 to 1 do startstate begin a[i] := k end end;";
    let all = models(SCALARSET, AFTER_SCALARSET).chain(models(RANGE, AFTER_RANGE)).chain(
        [("no processes", nothing), ("no start state", no_start)].map(|(name, text)| (name, text.to_owned())),
    );
    let mut text = String::new();
    for (name, source) in all {
        let translation = translated(&source, Request::default());
        assert!(translation.system.is_none(), "{name} is not refused");
        let _ = writeln!(text, "# {name}");
        for diagnostic in &translation.diagnostics {
            show(diagnostic, &source, &mut text);
        }
        text.push('\n');
    }
    insta::assert_snapshot!(text);
}

fn show(diagnostic: &Diagnostic, source: &str, text: &mut String) {
    let _ = writeln!(text, "{}", diagnostic.message);
    let lines = Lines::new(source);
    let mut mark = |label: &Label| {
        let at = lines.position(label.span.start);
        let marked = label.span.text(source).replace('\n', " ");
        let said = if label.text.is_empty() { String::new() } else { format!(": {}", label.text) };
        let _ = writeln!(text, "  line {}, `{marked}`{said}", at.line);
    };
    mark(&diagnostic.primary);
    diagnostic.secondary.iter().for_each(&mut mark);
    diagnostic.notes.iter().for_each(|note| _ = writeln!(text, "  note: {note}"));
    diagnostic.help.iter().for_each(|help| _ = writeln!(text, "  help: {help}"));
}
