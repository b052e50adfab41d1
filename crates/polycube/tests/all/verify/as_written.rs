//! Clauses that are an inductive invariant as they are: models of which sets of states with a few named processes cannot say
//! enough.

use super::*;

/// A token that travels in letters, from anybody to anybody: it is somewhere.
const LETTERS: &str = "\
array Token[proc] : bool
array Letter[proc, proc] : bool
init (p q) { Letter[p, q] = False }
init { exists p. Token[p] }
unsafe { forall p. forall q. (not Token[p] && not Letter[p, q]) }
transition send (p q) requires { Token[p] } { Token[p] := False; Letter[p, q] := True }
transition receive (p q) requires { Letter[p, q] } { Letter[p, q] := False; Token[q] := True }
";

/// Whoever bids less than somebody else gives up; who bids most does not.
const BIDS: &str = "\
const Most : int
array Bid[proc] : int
array Gone[proc] : bool
init (p) { not Gone[p] && Bid[p] <= Most }
init { exists p. Bid[p] = Most }
unsafe { forall p. Gone[p] }
invariant { forall p. Bid[p] < Most || Gone[p] }
invariant (p) { Most < Bid[p] }
transition give_up (p q) requires { Bid[p] < Bid[q] } { Gone[p] := True }
";

#[test]
fn nothing_is_searched() {
    let folder = folder(&[("letters.cub", LETTERS), ("bids.cub", BIDS)]);
    for (file, obligations) in [("letters.cub", 4), ("bids.cub", 9)] {
        let output = verify(folder.path(), &[file]);
        assert_eq!(code(&output), 0, "{}", out(&output));
        let text = out(&output).replace('\n', " ");
        let said = "The clauses of the model are that invariant: there was nothing to search for.";
        let proved = format!("Proved {obligations} of {obligations} obligations, by the routine");
        assert!(text.contains(said) && text.contains(&proved), "{text}");
        let output = verify(folder.path(), &[file, "--format", "json"]);
        let report: Value = serde_json::from_str(out(&output)).expect("a report");
        assert_eq!(report["verdict"], "safe");
        assert_eq!(report["statistics"]["nodes"], 0);
        assert_eq!(report["recheck"]["proved"], obligations);
    }
}

/// Somebody may burn a letter, so the clause is not inductive; and whoever chooses an engine gets it.
#[test]
fn what_is_not_inductive_is_searched() {
    let burn = "transition burn (p q) requires { Letter[p, q] } { Letter[p, q] := False }";
    let folder = folder(&[("burnt.cub", &format!("{LETTERS}{burn}")), ("letters.cub", LETTERS)]);
    let output = verify(folder.path(), &["burnt.cub"]);
    assert_eq!(code(&output), 1, "{}", out(&output));
    assert!(out(&output).starts_with("Unsafe: a run of 2 steps with 2 processes"), "{}", out(&output));
    let output = verify(folder.path(), &["letters.cub", "--engine", "brab", "--max-nodes", "20"]);
    assert_eq!(code(&output), 3, "{}", out(&output));
}
