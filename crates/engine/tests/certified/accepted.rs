//! Invariants of models are accepted by everybody: all of them by the judge, and some of them, others each
//! time, by outside solvers.

use polycube_certificate::hint::Hints;
use polycube_induction::{Effort, Induction, Wanted};
use polycube_solver::Kind;
use polycube_testing::generate::Random;
use polycube_testing::{Model, for_seeds, models, shared, shared_text};

use crate::ask::{all_solvers, installed, unproved, unproved_in};
use crate::{Subject, induction, not_proved, on_all_cores};

/// Models that take too many nodes.
const LEFT_OUT: [&str; 1] = ["chandra_toueg_omission"];

/// Published models that are not decided, or not certified, within seconds.
const LONG_PUBLISHED: [&str; 7] = [
    "chandra_toueg",
    "distrib_lamport",
    "flash",
    "flash_buggy",
    "flash_nodata",
    "ricart_abdulla_int1",
    "ricart_agrawala",
];

/// With fewer clauses than this, solvers do not need hints.
const FEW: usize = 20;

/// How many models are shown to outside solvers each time.
const SHOWN: u64 = 12;
const SHOWN_LEAN: u64 = 6;

#[test]
fn invariants_of_models_are_proved() {
    let subjects = Subject::models(&|name| !LEFT_OUT.contains(&name));
    on_all_cores(&subjects, &|subject| drop(proved(subject)));
}

#[test]
fn invariants_of_published_models_are_proved() {
    let Some(models) = published() else { return };
    let proved = on_all_cores(&models, &|model| Subject::of(model).map(|subject| proved(&subject)));
    let count = proved.iter().flatten().count();
    assert!(count >= 39, "only {count} are safe");
}

#[test]
fn invariants_of_quirks_are_proved() {
    let Some(models) = shared("reference/quirks") else { return };
    let expected = shared_text("reference/quirks/expected.tsv").expect("the answers lie beside the models");
    let is_safe = |model: &Model| expected.lines().any(|line| line == format!("{}\tsafe", model.name()));
    let safe: Vec<Model> = models.into_iter().filter(is_safe).collect();
    let proved = on_all_cores(&safe, &|model| {
        let subject = Subject::of(model).unwrap_or_else(|| panic!("{} is safe", model.name()));
        drop(proved(&subject));
    });
    assert!(proved.len() > 10, "only {} are safe", proved.len());
}

/// Where a quantifier stands in an equivalence or a condition, it says that a process exists in one case, and
/// something of all processes in the other.
#[test]
fn properties_with_quantifiers_in_equivalences_are_proved() {
    let text = "
        array Busy[proc] : bool
        var Any : bool
        init (p) { Busy[p] = False && Any = False }
        unsafe () { not (Any = True <=> exists p. Busy[p] = True) }
        unsafe () { (Any = True <=> exists p. Busy[p] = True) <=> (forall q. Busy[q] = False <=> Any = True) }
        unsafe () { if (forall q. Busy[q] = False) then Any = True else Any = False }
        transition start (p) requires { Any = False } { Busy[p] := True; Any := True; }
        transition stop (p)
          requires { Busy[p] = True && forall q. q = p || (if Any = True then Busy[q] = False else True) }
        { Busy[p] := False; Any := False; }";
    let model = Model { path: "equivalences".into(), text: text.to_owned() };
    is_accepted(&Subject::of(&model).expect("it is safe"));
}

/// A quantifier inside another one that has nothing to do with it: `exists` belongs to `forall`, since a quantifier reaches
/// as far as it can. A process alone may decide without a reason, which no clause about one process says.
#[test]
fn quantifiers_inside_others_are_proved() {
    let text = "
        type decision = None | Stay | Leave
        array Tired[proc] : bool
        array Asked[proc, proc] : bool
        array Decision[proc] : decision
        init (p q) { not Asked[p, q] && Decision[p] = None }
        unsafe (p q) { Decision[p] = Stay && Decision[q] = Leave }
        unsafe (p q) { Decision[p] = Leave && forall r. not Tired[r] }
        transition ask (p q) { Asked[p, q] := True; }
        transition stay (p)
          requires { Decision[p] = None && not Tired[p] && forall_other q. Asked[p, q] && not Tired[q] }
        { Decision[p] := Stay; }
        transition leave (p)
          requires { Decision[p] = None && forall_other q. Asked[p, q] && exists r. Tired[r] }
        { Decision[p] := Leave; }";
    let model = Model { path: "nested".into(), text: text.to_owned() };
    is_accepted(&Subject::of(&model).expect("it is safe"));
}

/// A quantifier in the condition of an update, whose witness no parameter and no clause names.
#[test]
fn updates_with_quantifiers_in_conditions_are_proved() {
    let text = "
        array Busy[proc] : bool
        var Idle : bool
        init (p) { Busy[p] = False && Idle = True }
        unsafe () { not (Idle = True <=> forall p. Busy[p] = False) }
        transition start (p) requires { Busy[p] = False } { Busy[p] := True; Idle := False; }
        transition stop (p)
          requires { Busy[p] = True }
        { Busy[p] := False; Idle := case | exists q. q <> p && Busy[q] = True : False | _ : True; }
        transition halt (p)
          requires { Busy[p] = True }
        { Busy[p] := False; Idle := case | forall q. q = p || Busy[q] = False : True | _ : False; }";
    let model = Model { path: "conditions".into(), text: text.to_owned() };
    let Subject { system, invariant, .. } = Subject::of(&model).expect("it is safe");
    let induction = induction(&system, &invariant);
    assert!(induction.is_proved(), "{:?}", not_proved(&induction));
    let hints = induction.hints();
    for solver in all_solvers() {
        let unproved = unproved(&solver, &system, &invariant, &hints);
        assert!(unproved.is_empty(), "{solver}: {unproved:?}");
    }
}

/// The others are shown to them by other commits.
#[test]
fn invariants_of_random_models_are_accepted() {
    let mut all = models("safe");
    all.retain(|model| !LEFT_OUT.contains(&model.name()));
    all.extend(published().unwrap_or_default());
    all.extend(shared("reference/quirks").unwrap_or_default());
    for_seeds!(SHOWN, |seed| {
        let model = Random::new(seed).pick(&all).clone();
        if polycube_language::check(&model.text).system.is_some()
            && let Some(subject) = Subject::of(&model)
        {
            is_accepted(&subject);
        }
    });
}

/// So are lean ones.
#[test]
fn lean_invariants_of_random_models_are_accepted() {
    let mut all = models("safe");
    all.retain(|model| !LEFT_OUT.contains(&model.name()));
    all.extend(published().unwrap_or_default());
    for_seeds!(SHOWN_LEAN, |seed| {
        let model = Random::new(seed).pick(&all).clone();
        if let Some(mut subject) = Subject::of(&model) {
            let effort = Effort { goes_on: &|| true, threads: 1, wanted: Wanted::Hints };
            let lean = polycube_lean::shrink(&subject.system, &subject.invariant, &effort);
            subject.invariant = lean.expect("the invariant is proved");
            is_accepted(&subject);
        }
    });
}

fn published() -> Option<Vec<Model>> {
    let mut models = shared("corpus/cub")?;
    models.retain(|model| !LONG_PUBLISHED.contains(&model.name()));
    Some(models)
}

/// The judge proves all obligations by itself.
fn proved(subject: &Subject) -> Induction {
    let Subject { name, system, invariant } = subject;
    let induction = induction(system, invariant);
    assert!(induction.is_proved(), "{name}: {:?}", not_proved(&induction));
    induction
}

/// All solvers prove them too: from what the judge has used, and small invariants as they are.
fn is_accepted(subject: &Subject) {
    let Subject { name, system, invariant } = subject;
    let hints = proved(subject).hints();
    for solver in Kind::ALL.into_iter().filter_map(installed) {
        let unproved_with = |hints| unproved_in(&solver, &crate::scripts(system, invariant, hints));
        let unproved = unproved_with(&hints);
        assert!(unproved.is_empty(), "{name} by {solver}: {unproved:?}");
        if invariant.clauses.len() < FEW {
            let unproved = unproved_with(&Hints::new());
            assert!(unproved.is_empty(), "{name} by {solver}, without hints: {unproved:?}");
        }
    }
}
