//! Sets of states, and that they are never reached, in the notation of the language.

use polycube_engine::backward::CubeFormula;
use polycube_language::System;
use polycube_language::formula::Formula;

use crate::report::trace::hanging;

/// The formula in pieces that belong in one line each, unless there is room for several: joined by blanks they
/// are the formula.
pub(super) fn pieces(system: &System, cube: &CubeFormula) -> Vec<String> {
    let show = |part: &Formula| system.display_formula(part, &cube.parameters).to_string();
    let parts = match &cube.formula {
        Formula::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let mut pieces = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let operator = if at == 0 { "" } else { "&& " };
        match part {
            Formula::Or(choices) if parts.len() > 1 => {
                let start = pieces.len();
                pieces.extend(choices.iter().map(|choice| format!("|| {}", show(choice))));
                pieces[start].replace_range(..3, &format!("{operator}("));
                pieces.last_mut().expect("a disjunction has parts").push(')');
            }
            _ => pieces.push(format!("{operator}{}", show(part))),
        }
    }
    pieces
}

/// The formula that describes the set.
pub(super) fn formula(system: &System, cube: &CubeFormula) -> String {
    pieces(system, cube).join(" ")
}

/// That the set is never reached: `forall z1, z2 pairwise distinct. not (...)`.
pub(super) fn clause(system: &System, cube: &CubeFormula) -> String {
    clause_pieces(system, cube).join(" ")
}

/// The same in lines of its own.
pub(super) fn clause_in_lines(system: &System, cube: &CubeFormula) -> String {
    hanging(clause_pieces(system, cube))
}

fn clause_pieces(system: &System, cube: &CubeFormula) -> Vec<String> {
    let mut words: Vec<String> = match names(cube).as_slice() {
        [] => Vec::new(),
        [one] => vec!["forall".to_owned(), format!("{one}.")],
        several => {
            let all = format!("forall {} pairwise distinct.", several.join(", "));
            all.split(' ').map(str::to_owned).collect()
        }
    };
    words.push("not".to_owned());
    let start = words.len();
    words.extend(pieces(system, cube));
    words[start].insert(0, '(');
    words.last_mut().expect("a formula has pieces").push(')');
    words
}

/// The processes that the formula speaks about.
pub(super) fn names(cube: &CubeFormula) -> Vec<&str> {
    cube.parameters.iter().map(|parameter| parameter.name.as_str()).collect()
}
