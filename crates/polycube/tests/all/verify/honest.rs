//! What is said of models whose answer may not be the one that was meant.

use super::*;

const LOCK: &str = "type place = Idle | Want | Crit
array P[proc] : place
var Lock : bool
init (p) { P[p] = Idle && Lock = False }
unsafe (p q) { P[p] = Crit && P[q] = Crit }
transition ask (p)
requires { P[p] = Idle }
{ P[p] := Want }
transition enter (p)
requires { P[p] = Want && Lock = False }
{ P[p] := Crit; Lock := True }
transition leave (p)
requires { P[p] = Crit }
{ P[p] := Idle; Lock := False }
";

/// Both what is printed and what is remarked.
fn everything(model: &str, options: &[&str]) -> String {
    let folder = folder(&[("model.cub", model)]);
    let arguments: Vec<&str> = std::iter::once("model.cub").chain(options.iter().copied()).collect();
    let remarks = err(&verify(folder.path(), &arguments)).to_owned();
    format!("{remarks}{}", answer(folder.path(), &arguments))
}

/// Nobody can ever enter.
#[test]
fn vacuous() {
    let model = LOCK.replace("Lock = False }\nunsafe", "Lock = True }\nunsafe");
    insta::assert_snapshot!("vacuous", everything(&model, &[]));
    let folder = folder(&[("model.cub", &model), ("lock.cub", LOCK)]);
    assert_eq!(code(&verify(folder.path(), &["model.cub", "--deny-warnings"])), 2);
    assert_eq!(code(&verify(folder.path(), &["lock.cub", "--deny-warnings"])), 0);
    let (_, found) = report(folder.path(), &["model.cub"]);
    let warnings = found["warnings"].as_array().expect("warnings");
    let codes: Vec<&Value> = warnings.iter().map(|warning| &warning["code"]).collect();
    assert_eq!(codes, ["never-possible", "never-possible", "never-true"]);
}

/// There is no state to start from.
#[test]
fn nowhere() {
    let model = LOCK.replace("init (p) {", "init (p q) { (Lock = True || P[q] = Want) &&");
    let text = everything(&model, &[]);
    let headline = "Safe: nothing is reachable, since no state of 2 and 3 processes is initial.";
    assert!(text.contains(headline) && !text.contains("1. false"), "{text}");
    assert!(text.contains("no state is initial"), "{text}");
}

/// The search ends with an answer to one clause and without one to the other, which needs more than cubes say of `init`.
#[test]
fn one_is_safe_and_nothing_waits() {
    let model = "type location = L0 | L1
const C : location
array A[proc, proc] : bool
init (p q) { C = L1 && not A[p, q] }
init (p) { exists q. q <> p && A[p, q] }
unsafe (p q) { C = L0 }
unsafe { C = L1 }
transition t () { }
";
    let text = everything(model, &[]);
    assert!(text.contains("line 6  unsafe clause  never holds"), "{text}");
    assert!(text.contains("line 7  unsafe clause  is not known"), "{text}");
    assert!(text.contains("no state of 2, 3, 4, 5 and 6 processes is initial."), "{text}");
}

/// A line of `init` was forgotten: what it would say was chosen.
#[test]
fn forgotten_init() {
    let model = LOCK.replace(" && Lock = False }\nunsafe", " }\nunsafe");
    let model = model.replace("{ P[p] := Crit; Lock := True }", "{ P[p] := Crit }");
    let text = everything(&model, &[]);
    assert!(text.contains("  * chosen: `init` does not say\n"), "{text}");
    insta::assert_snapshot!("forgotten_init", text);
}

/// An `invariant` that does not hold is no bug of the protocol.
#[test]
fn wrong_helper() {
    let model = format!("{LOCK}invariant (p) {{ P[p] = Want && Lock = False }}\n");
    insta::assert_snapshot!("wrong_helper", everything(&model, &[]));
    let folder = folder(&[("model.cub", &model)]);
    let (code, found) = report(folder.path(), &["model.cub"]);
    assert_eq!((code, &found["verdict"]), (1, &json!("wrong_invariant")));
    let properties = found["properties"].as_array().expect("a list");
    let verdicts: Vec<&Value> = properties.iter().map(|one| &one["verdict"]).collect();
    assert_eq!(verdicts, ["safe", "unsafe"]);
    let initial = format!("{LOCK}invariant {{ Lock = False }}\n");
    let text = everything(&initial, &[]).replace('\n', " ");
    assert!(text.contains("if it is meant as an assumption about the beginning, say it in `init`"), "{text}");
}

/// Every state is shown if that is wanted; and what repeats in a long run is not shown unless it is.
#[test]
fn states_and_repetitions() {
    let model = LOCK.replace("P[p] = Want && Lock = False", "P[p] = Want");
    insta::assert_snapshot!("states", everything(&model, &["--states"]));
    let counter = "var X : int\ninit { X = 0 }\nunsafe { X = 100 }\ntransition up ()\n{ X := X + 1 }\n";
    let text = everything(counter, &[]);
    let steps = [
        "    1  up()  X: 0 -> 1\n",
        "  ...  steps 2 to 99: the same, 98 times more\n",
        "  100  up()  X: 99 -> 100\n",
    ];
    assert!(text.contains(&steps.concat()), "{text}");
    assert_eq!(everything(counter, &["--states"]).matches("\nstep ").count(), 100);
}

/// A line every few seconds, where that is asked for; and not a word where it is not.
#[test]
fn progress_in_lines() {
    let folder = small_models();
    let quiet = verify(folder.path(), &["ever.cub", "--timeout", "1", "--progress", "none"]);
    assert_eq!(err(&quiet), "");
    let plain = verify(folder.path(), &["ever.cub", "--timeout", "6.5", "--progress", "plain"]);
    // It may be exploring at that moment.
    let line = err(&plain).strip_suffix('\n').and_then(|line| line.split_once(" nodes/s"));
    let is_complete = |(_, rest): (&str, &str)| rest.is_empty() || rest.starts_with(", exploring: ");
    assert!(err(&plain).starts_with("5 s: ") && line.is_some_and(is_complete), "{}", err(&plain));
}
