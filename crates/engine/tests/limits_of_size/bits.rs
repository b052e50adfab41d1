//! States of all widths around those of words, up to the widest, and beyond.

use std::fmt::Write;

use polycube_engine::compile::TooLarge;
use polycube_engine::compile::layout::Layout;
use polycube_engine::forward::{Goal, Options, Reduction, explore};
use polycube_language::{System, check};

/// So many flags, each of which some transition may set; but the steps that are possible only set the last three, one after
/// the other.
fn flags(count: usize) -> System {
    let mut model = String::new();
    let mut line = |text: String| writeln!(model, "{text}").expect("a text can be written");
    (0..count).for_each(|at| line(format!("var F{at} : bool")));
    let unset: Vec<String> = (0..count).map(|at| format!("F{at} = False")).collect();
    line(format!("init () {{ {} }}", unset.join(" && ")));
    line(format!("unsafe () {{ F{} = True }}", count - 1));
    let first = count.saturating_sub(3);
    for at in 0..count {
        // The first of the three can be set always, each of the others after the one before it.
        let guard = match at {
            _ if at == first => String::new(),
            _ if at > first => format!("requires {{ F{} = True }}", at - 1),
            _ => format!("requires {{ F{at} = True }}"),
        };
        line(format!("transition set{at} () {guard} {{ F{at} := True }}"));
    }
    let checked = check(&model);
    checked.system.unwrap_or_else(|| panic!("a system: {:?}", checked.diagnostics))
}

#[test]
fn every_width_is_exact_or_refused() {
    let most = Layout::MAX_WORDS * 64;
    let words = [64, 128, 192, 256, 512, 1024, 2048, most];
    for count in [1, 2].into_iter().chain(words.into_iter().flat_map(|bits| bits - 1..bits + 2)) {
        for reduction in [Reduction::None, Reduction::Symmetry] {
            let options = Options { reduction, goal: Goal::Everything, ..Options::new(1) };
            let found = explore(&flags(count), &options, &mut ());
            if count > most {
                assert_eq!(found.err(), Some(TooLarge::Bits(count as u64)));
                continue;
            }
            let found = found.expect("an instance");
            let steps = count.min(3);
            assert_eq!((found.states, found.state_bits), (steps as u64 + 1, count as u64), "{count} bits");
            let runs: Vec<usize> = found.violations.iter().map(|one| one.trace.steps.len()).collect();
            assert_eq!(runs, [steps], "{count} bits");
        }
    }
}
