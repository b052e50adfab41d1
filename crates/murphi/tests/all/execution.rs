//! What is executed against the interpreter: the same states, steps and errors; and small models with known numbers.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use polycube_certificate::{Cell, Orders, State, Step, Trace, Value, replay};
use polycube_language::span::Span;
use polycube_murphi::check::check;
use polycube_murphi::execute::{End, Executable, Findings, Goal, Limits, Options, Run};
use polycube_murphi::model::Model;
use polycube_testing::for_seeds;

use crate::constructs::constructs;
use crate::{generate, interpreter};

const MOST_STATES: usize = 400;

fn model(text: &str) -> Model {
    let checked = check(text, &[]);
    let said: Vec<&String> = checked.diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
    checked.model.unwrap_or_else(|| panic!("{said:?}\n{text}"))
}

/// Compares what is executed with what the interpreter says. Nothing if it is refused.
fn compare(model: &Model) -> Result<Option<Findings>, String> {
    let Ok(executable) = Executable::new(model) else { return Ok(None) };
    let never = AtomicBool::new(false);
    let options = |limits, goal| Options { goal, limits, interrupt: &never };
    let expected = match interpreter::explore(model, MOST_STATES) {
        Ok(expected) => expected,
        Err(span) => {
            return match executable.explore(&options(Limits::default(), Goal::FirstBad), &mut |_| {}) {
                Err(diagnostic) if diagnostic.primary.span == span => Ok(None),
                other => Err(format!("an error in a start state at {span:?}, not {other:?}")),
            };
        }
    };
    let depth = (!expected.is_complete).then_some(expected.depth);
    let limits = Limits { depth, ..Limits::default() };
    let mut states = BTreeSet::new();
    let found = executable
        .explore_states(&options(limits, Goal::Everything), &mut |_| {}, &mut |state| {
            states.insert(state.to_vec());
        })
        .map_err(|diagnostic| format!("{diagnostic:?}"))?;
    let all: BTreeSet<Vec<Option<i64>>> = expected.states.keys().cloned().collect();
    if states != all || found.states != all.len() as u64 {
        let (missing, more) = (all.difference(&states).next(), states.difference(&all).next());
        return Err(format!("states {}, not {}: {missing:?}, {more:?}", found.states, all.len()));
    }
    let fired: u64 = expected.states.values().filter_map(|expanded| expanded.fired).sum();
    if (found.transitions, found.depth) != (fired, expected.depth) {
        return Err(format!("{} steps, not {fired}; depth {}", found.transitions, found.depth));
    }
    let violated: BTreeSet<Span> =
        found.violations.iter().map(|one| found.system.properties[one.property].origin.0).collect();
    let wrong: BTreeSet<Span> = expected.violated.union(&expected.errors).copied().collect();
    if violated != wrong {
        return Err(format!("wrong is {violated:?}, not {wrong:?}"));
    }
    check_runs(&found)?;
    Ok(Some(found))
}

/// The judge accepts every run, and finds that it ends in a state that is as bad as is said.
fn check_runs(found: &Findings) -> Result<(), String> {
    for violation in &found.violations {
        let run = replay(&found.system, &trace(&violation.run)).map_err(|rejected| rejected.to_string())?;
        if !run.violations.iter().any(|one| one.property == violation.property) {
            return Err("a run does not end in a bad state".to_owned());
        }
    }
    let mut deadlock = found.deadlock.iter().map(|run| replay(&found.system, &trace(run)));
    deadlock.try_for_each(|run| run.map(|_| ()).map_err(|rejected| rejected.to_string()))
}

fn trace(run: &Run) -> Trace {
    let held = |(symbol, enumeration, constructor)| {
        (Cell { symbol, indices: Vec::new() }, Value::Constructor(enumeration, constructor))
    };
    let step = |(name, changes): &(String, Vec<_>)| Step {
        transition: name.clone(),
        arguments: Vec::new(),
        changes: changes.iter().copied().map(held).collect(),
    };
    Trace {
        processes: 1,
        orders: Orders::default(),
        initial: run.initial.iter().copied().map(held).collect::<State>(),
        steps: run.steps.iter().map(step).collect(),
    }
}

#[test]
fn constructs_are_executed_exactly() {
    let mut executed = 0;
    for construct in constructs() {
        for size in construct.sizes() {
            match compare(&construct.model(size)) {
                Ok(found) => executed += usize::from(found.is_some()),
                Err(what) => panic!("{}, size {size}: {what}", construct.name),
            }
        }
    }
    assert!(executed > 400, "{executed}");
}

#[test]
fn random_models_are_executed_exactly() {
    let (executed, bad) = (AtomicU64::new(0), AtomicU64::new(0));
    let tried = for_seeds!(400, |seed| {
        let text = generate::model(seed);
        match compare(&model(&text)) {
            Ok(None) => {}
            Ok(Some(found)) => {
                executed.fetch_add(1, Ordering::Relaxed);
                bad.fetch_add(u64::from(!found.violations.is_empty()), Ordering::Relaxed);
            }
            Err(what) => panic!("seed {seed}: {what}\n{text}"),
        }
    });
    let Some(tried) = tried else { return };
    let [executed, bad] = [executed, bad].map(|counter| counter.load(Ordering::Relaxed));
    assert!(executed > tried * 8 / 10, "{executed} of {tried}");
    assert!(bad > tried / 20, "{bad} of {tried}");
}

fn explored(text: &str) -> Findings {
    let executable = Executable::new(&model(text)).unwrap_or_else(|refused| panic!("{}", refused.message));
    let never = AtomicBool::new(false);
    let options = Options { goal: Goal::FirstBad, limits: Limits::default(), interrupt: &never };
    let found = executable.explore(&options, &mut |_| {}).expect("start states without errors");
    check_runs(&found).expect("runs are runs");
    found
}

/// States, rules fired, and whether nothing bad was found.
fn counted(text: &str) -> (u64, u64, bool) {
    let found = explored(text);
    (found.states, found.transitions, found.end == End::Complete)
}

/// The numbers are those of rumur, without symmetry.
#[test]
fn sums_are_executed() {
    let sum = "const N: 3;
        var a: array [1..N] of 0..5;
        function sum(): 0..40; var s: 0..40; begin s := 0; for i: 1..N do s := s + a[i]; end; return s; end;
        startstate begin for i: 1..N do a[i] := 0; end; end;
        ruleset i: 1..N do rule a[i] < 5 ==> begin a[i] := a[i] + 1; end; end;
        invariant sum() < 40;";
    assert_eq!(counted(sum), (216, 540, true));
    let found = explored(&sum.replace("sum() < 40", "sum() < 9"));
    assert_eq!((found.end, found.violations.len()), (End::Bad, 1));
    assert_eq!(found.violations[0].run.steps.len(), 9);
}

/// The numbers are those of rumur, without symmetry.
#[test]
fn sorts_and_queues_are_executed() {
    let sort = r#"const N: 4;
        type Place: 0..N - 1; Value: 0..N - 1;
        var a: array [Place] of Value; rounds: 0..N;
        procedure exchange(var x: Value; var y: Value); var z: Value; begin z := x; x := y; y := z; end;
        ruleset v: Value do
          startstate begin for p: Place do a[p] := (p * v + v) % N; end; rounds := 0; end;
        end;
        rule "pass" rounds < N
        ==>
        begin
          for p := 0 to N - 2 do if a[p] > a[p + 1] then exchange(a[p], a[p + 1]); end; end;
          rounds := rounds + 1;
        end;
        rule "disturb" rounds = 0 ==> begin exchange(a[0], a[N - 1]); end;
        invariant "sorted in the end" rounds = N -> forall p: 0..N - 2 do a[p] <= a[p + 1] end;"#;
    assert_eq!(counted(sort), (24, 28, true));
    let queue = r#"const Room: 3;
        type Message: record kind: enum {Ask, Answer}; number: 0..2; end;
        var queue: array [0..Room - 1] of Message; length: 0..Room; sent: 0..2; last: 0..2;
        procedure send(m: Message); begin
          assert length < Room "there is room";
          queue[length] := m; length := length + 1;
        end;
        function first(): Message; var m: Message; begin
          m := queue[0];
          length := length - 1;
          for k := 0 to Room - 2 do if k < length then queue[k] := queue[k + 1]; end; end;
          undefine queue[length];
          return m;
        end;
        startstate begin undefine queue; length := 0; sent := 0; last := 0; end;
        rule "ask" length < Room ==>
          var m: Message; begin m.kind := Ask; m.number := sent; send(m); sent := (sent + 1) % 3; end;
        rule "take" length > 0 ==>
          var m: Message; begin
            m := first();
            last := m.number;
            if m.kind = Ask then m.kind := Answer; send(m); end;
          end;
        invariant "defined" forall k: 0..Room - 1 do k < length -> !isundefined(queue[k].kind) end;"#;
    assert_eq!(counted(queue), (70, 102, true));
    let full = explored(&queue.replace("rule \"ask\" length < Room", "rule \"ask\" true"));
    assert_eq!(full.end, End::Bad);
    assert_eq!(full.violations[0].run.steps.len(), 3);
}

#[test]
fn elements_of_multisets_have_no_order() {
    let net = |size, kinds| {
        format!(
            "var net: multiset [{size}] of 0..30; sent: array [0..{kinds}] of boolean;
            startstate begin undefine net; for k: 0..{kinds} do sent[k] := false; end; end;
            ruleset k: 0..{kinds} do
              rule \"send\" !sent[k] ==> begin multisetadd(k, net); sent[k] := true; end;
            end;
            invariant multisetcount(i: net, true) <= {size};"
        )
    };
    assert_eq!(counted(&net(2, 1)), (4, 4, true));
    assert_eq!(counted(&net(8, 7)), (256, 1024, true));
    let full = explored(&net(2, 2));
    assert_eq!(full.end, End::Bad);
    let property = &full.system.properties[full.violations[0].property];
    assert!(
        full.system.words.properties.values().any(|claim| claim.name() == "error \"a multiset is full\"")
    );
    assert_ne!(property.origin.0, Span::default());
}

#[test]
fn limits_end_an_exploration() {
    let text = "var x: 0..1000; startstate begin x := 0; end; rule x < 1000 ==> begin x := x + 1; end;";
    let executable = Executable::new(&model(text)).expect("it can be executed");
    let explore = |limits, is_cancelled| {
        let interrupt = AtomicBool::new(is_cancelled);
        let options = Options { goal: Goal::FirstBad, limits, interrupt: &interrupt };
        let found = executable.explore(&options, &mut |_| {}).expect("no error in the start state");
        (found.end, found.states, found.inspected, found.depth)
    };
    let none = Limits::default();
    assert_eq!(explore(none, false), (End::Complete, 1001, 1001, 1000));
    assert_eq!(explore(Limits { depth: Some(7), ..none }, false), (End::Depth, 8, 8, 7));
    assert_eq!(explore(Limits { states: Some(10), ..none }, false), (End::States, 10, 10, 9));
    assert_eq!(explore(Limits { bytes: Some(1), ..none }, false).0, End::Memory);
    assert_eq!(explore(none, true), (End::Interrupted, 1, 0, 0));
}

#[test]
fn what_does_not_end_is_an_error() {
    let endless =
        "var x: boolean; startstate begin x := false; end; rule begin while !x do x := x; end; end;";
    assert_eq!(explored(endless).end, End::Bad);
    let deep = "var x: boolean; procedure p(n: 0..9); begin if !x then p(n); end; end;
        startstate begin x := false; end; rule begin p(3); end;";
    assert_eq!(explored(deep).end, End::Bad);
}
