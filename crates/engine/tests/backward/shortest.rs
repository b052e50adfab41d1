//! Runs are as short as small instances allow.

use polycube_engine::backward::{Answer, Options};
use polycube_engine::engine::{Engine, verify};
use polycube_engine::forward::{self, End, Goal, explore};
use polycube_engine::oracle::Plan;
use polycube_testing::models;

/// How many states of an instance are looked at.
const STATES: u64 = 100_000;

/// Models that fail with only one number of processes, and how many steps that takes.
const EXACTLY: [(&str, u32, usize); 3] = [
    ("replicated_write_alone", 1, 2),
    ("unanimous_election_modest", 2, 4),
    ("two_votes_three_leaders", 3, 6),
];

#[test]
fn no_instance_has_a_smaller_or_shorter_run_for_a_clause() {
    let mut looked_at = 0;
    for model in models("unsafe") {
        let name = model.name();
        let system = polycube_language::check(&model.text).system.expect("a correct model");
        let found = verify(&system, Engine::Auto, &Options::default(), Plan::default(), &mut ());
        let found = found.expect("a supported model");
        let Answer::Unsafe(trace) = found.verdict() else { panic!("{name} is unsafe") };
        if let Some((_, processes, steps)) = EXACTLY.iter().find(|(exactly, ..)| *exactly == name) {
            assert_eq!((trace.processes, trace.steps.len()), (*processes, *steps), "{name}");
        }
        let runs = found.answers.iter().enumerate().filter_map(|(property, answer)| match answer {
            Answer::Unsafe(trace) => Some((property, trace)),
            _ => None,
        });
        for (property, trace) in runs {
            for processes in 1..=trace.processes {
                let is_smaller = processes < trace.processes;
                // A run that is much longer is not preferred for having fewer processes.
                let steps = if is_smaller { trace.steps.len() } else { trace.steps.len().saturating_sub(1) };
                let mut options =
                    forward::Options { goal: Goal::Everything, ..forward::Options::new(processes) };
                options.limits.depth = Some(steps);
                options.limits.states = Some(STATES);
                // With `number_procs` there is one number only.
                let Ok(explored) = explore(&system, &options, &mut ()) else { continue };
                looked_at += u32::from(matches!(explored.end, End::Complete | End::Depth));
                let mut violations = explored.violations.iter().filter(|one| one.property == property);
                let shorter = violations.find(|one| is_smaller || one.trace.steps.len() <= steps);
                let shorter = shorter.map(|one| one.trace.steps.len());
                assert_eq!(shorter, None, "{name}, {property}: steps with {processes} processes");
            }
        }
    }
    assert!(looked_at > 50, "{looked_at}");
}

/// They fail with no other number: not with one more or less, as far as all states say.
#[test]
fn some_fail_with_one_number_only() {
    for (name, processes, _) in EXACTLY {
        let models = models("unsafe");
        let model = models.iter().find(|model| model.name() == name).expect("there is such a model");
        let system = polycube_language::check(&model.text).system.expect("a correct model");
        for other in 1..=4 {
            let options = forward::Options { goal: Goal::Everything, ..forward::Options::new(other) };
            let explored = explore(&system, &options, &mut ()).expect("an instance");
            assert_eq!(explored.end, End::Complete, "{name}, {other}");
            assert_eq!(!explored.violations.is_empty(), other == processes, "{name}, {other}");
        }
    }
}
