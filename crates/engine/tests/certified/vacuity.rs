//! What scripts assume does not contradict itself: `unsat` is an answer about what they ask.

use polycube_certificate::hint::Hints;
use polycube_certificate::smtlib::Script;
use polycube_solver::{Answer, Kind};

use crate::ask::{answers, installed};
use crate::{Subject, induction, on_all_cores};

/// Models in which each transition is possible in some state of the invariant, whatever else there is.
const MODELS: [&str; 5] = ["german", "germanish", "mutex", "szymanski_atomic", "two_phase_commit"];

/// Every question, without what it asks: the assumptions about initial states, and about steps from states of the
/// invariant.
#[test]
fn assumptions_can_hold() {
    let Some(z3) = installed(Kind::Z3) else { return };
    let subjects = Subject::models(&|name| MODELS.contains(&name));
    on_all_cores(&subjects, &|Subject { name, system, invariant }| {
        let hints = induction(system, invariant).hints();
        for hints in [hints, Hints::new()] {
            for script in crate::scripts(system, invariant, &hints) {
                // The question of a property is its formula.
                if script.name.starts_with("property") {
                    continue;
                }
                let script = without_goals(&script);
                let answers = answers(&z3, std::slice::from_ref(&script));
                assert!(!answers.is_empty());
                let all = answers.iter().all(|answer| *answer == Answer::Satisfiable);
                assert!(all, "{name}, {}: {answers:?}\n{}", script.title, script.text);
            }
        }
    });
}

/// The script without the assertion before each question.
fn without_goals(script: &Script) -> Script {
    let mut lines: Vec<&str> = Vec::new();
    for line in script.text.lines() {
        if line == "(check-sat)" {
            let goal = lines.pop().expect("a question has a goal");
            assert!(goal.starts_with("(assert "), "{goal}");
        }
        lines.push(line);
    }
    Script { text: lines.join("\n"), ..script.clone() }
}
