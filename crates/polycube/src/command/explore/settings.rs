//! What has to be the same for all processes that share an exploration, and for one that goes on with what another has kept.

use crate::arguments::ExploreArguments;

/// What states depend on, as people write it.
pub(super) fn of_states(arguments: &ExploreArguments) -> Vec<(String, String)> {
    let ExploreArguments { instance, murphi, no_symmetry, .. } = arguments;
    let range = &instance.int_range.0;
    let mut settings = vec![
        ("--int-range".to_owned(), format!("{}..{}", range.start(), range.end())),
        ("--values".to_owned(), instance.values.to_string()),
    ];
    if let Some(processes) = instance.processes {
        settings.push(("-n".to_owned(), processes.to_string()));
    }
    if let Some(parameter) = &murphi.parameter {
        settings.push(("--parameter".to_owned(), parameter.clone()));
    }
    if *no_symmetry {
        settings.push(("--no-symmetry".to_owned(), String::new()));
    }
    settings
}

/// The same, and what decides when the search ends, and what it keeps.
pub(super) fn of(arguments: &ExploreArguments) -> Vec<(String, String)> {
    let mut settings = of_states(arguments);
    let mut add = |name: &str, value: Option<String>| {
        settings.extend(value.map(|value| (name.to_owned(), value)));
    };
    add("--keep-going", arguments.keep_going.then(String::new));
    add("--depth", arguments.depth.map(|depth| depth.to_string()));
    add("--max-states", arguments.max_states.map(|states| states.to_string()));
    // Where it is kept may have another name elsewhere.
    add("--checkpoint", arguments.checkpoint.checkpoint.as_ref().map(|_| String::new()));
    add("--resume", arguments.checkpoint.resume.as_ref().map(|_| String::new()));
    settings
}
