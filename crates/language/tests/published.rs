//! Which published models and which of Cubicle's known defects are accepted, and what is said of the others.

use polycube_language::check;
use polycube_language::diagnostic::{Code, Severity};
use polycube_testing::shared;

/// What is expected of a file.
enum Expected {
    /// No error; these warnings.
    Accepted(&'static [Code]),
    /// These errors: code, and what the message says.
    Rejected(&'static [(Code, &'static str)]),
}

use Expected::{Accepted, Rejected};

/// Every model of the corpus is accepted; these have warnings.
const CORPUS_WARNINGS: &[(&str, &[Code])] = &[
    ("chandra_toueg", &[Code::Unused]),
    ("german.ctc", &[Code::Unused]),
    ("german.ctc_function", &[Code::Unused]),
    ("german_data", &[Code::Unused]),
    ("peterson_two_proc", &[Code::Unused]),
    ("ricart_agrawala", &[Code::Unused]),
    ("szymanski_boleslaw_bool_at", &[Code::Unused]),
];

const QUIRKS: &[(&str, Expected)] = &[
    ("q01_univ_guard_stale_names", Accepted(&[])),
    ("q01b_same_alpha_renamed", Accepted(&[])),
    ("q02_subtype_disjunctive_init", Accepted(&[])),
    ("q03_subtype_partial_array_init", Accepted(&[])),
    ("q04_number_procs_skips_transition", Accepted(&[])),
    ("q05_proc_constant_renamed_safe", Accepted(&[])),
    ("q05b_proc_constant_renamed_unsafe", Accepted(&[])),
    ("q06_subsumption_by_more_processes", Accepted(&[])),
    ("q07_variable_as_coefficient", Accepted(&[])),
    ("q07b_variable_subtracted", Accepted(&[])),
    ("q08_trusted_invariant", Accepted(&[])),
    ("q09_init_disj_no_params", Accepted(&[])),
    ("q10_init_disj_correlation", Accepted(&[])),
    ("q11_constant_elimination", Accepted(&[])),
    ("q12_crash_failure_model", Accepted(&[])),
    ("q13_real_bug_called_spurious", Accepted(&[])),
    ("q14_not_ite", Accepted(&[])),
    (
        "q15_case_without_default",
        Rejected(&[(Code::CaseNotExhaustive, "this `case` does not seem to cover everything")]),
    ),
    ("q16_trace_process_names", Accepted(&[])),
    ("q17_candidate_is_other_unsafe", Accepted(&[])),
    ("q18_two_universal_guards", Accepted(&[])),
    ("q19_exists_in_guard", Accepted(&[])),
    ("q20_quantifier_below_connective", Accepted(&[])),
    ("q21_let_unusable", Accepted(&[])),
    ("q22_forward_init_numeral", Accepted(&[])),
    ("q23_int_real_mix", Rejected(&[(Code::MixedNumbers, "`int` and `real` do not mix")])),
    ("q24_undeclared_subtrahend", Rejected(&[(Code::UnknownName, "unknown name `Zork`")])),
    ("q25_big_coefficient", Accepted(&[])),
    ("q26_nondet_and_assign", Rejected(&[(Code::DuplicateUpdate, "`X` is updated twice")])),
    (
        "q27_assign_constructor",
        Rejected(&[
            (Code::NotAssignable, "`P` is a value of type `t` and cannot be updated"),
            (Code::NotAssignable, "`C` is a constant and cannot be updated"),
        ]),
    ),
    ("q28_certificate_nondet", Accepted(&[])),
    ("q29_certificate_capture", Accepted(&[])),
    ("q30_certificate_reverify", Accepted(&[])),
    ("q31_unused_parameter_dropped", Accepted(&[Code::Unused])),
    ("q32_enumerative_variable_equality_in_init", Accepted(&[])),
    ("q33_duplicate_update_index", Rejected(&[(Code::UpdateIndex, "the index `k` is used twice")])),
];

/// The codes and messages of one severity.
fn found(text: &str, severity: Severity) -> Vec<(Code, String)> {
    let checked = check(text);
    let of_severity = checked.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity);
    of_severity.map(|diagnostic| (diagnostic.code, diagnostic.message.clone())).collect()
}

fn codes(found: &[(Code, String)]) -> Vec<Code> {
    found.iter().map(|&(code, _)| code).collect()
}

#[test]
fn corpus() {
    let Some(models) = shared("corpus/cub") else { return };
    assert_eq!(models.len(), 49);
    for model in &models {
        let expected = CORPUS_WARNINGS
            .iter()
            .find(|(name, _)| *name == model.name())
            .map_or(&[][..], |(_, codes)| codes);
        assert_eq!(found(&model.text, Severity::Error), [], "{}", model.name());
        assert_eq!(codes(&found(&model.text, Severity::Warning)), expected, "{}", model.name());
    }
}

#[test]
fn quirks() {
    let Some(models) = shared("reference/quirks") else { return };
    assert_eq!(models.len(), QUIRKS.len());
    for (model, (name, expected)) in models.iter().zip(QUIRKS) {
        assert_eq!(model.name(), *name);
        let errors = found(&model.text, Severity::Error);
        match expected {
            Accepted(warnings) => {
                assert_eq!(errors, [], "{name}");
                assert_eq!(codes(&found(&model.text, Severity::Warning)), *warnings, "{name}");
            }
            Rejected(expected) => {
                let expected: Vec<_> =
                    expected.iter().map(|&(code, message)| (code, message.to_owned())).collect();
                assert_eq!(errors, expected, "{name}");
            }
        }
    }
}

/// The verdicts that the table of the quirks expects agree with this one.
#[test]
fn quirks_with_a_verdict_are_accepted() {
    let Some(models) = shared("reference/quirks") else { return };
    let folder = models[0].path.parent().expect("models lie in a folder");
    let table = std::fs::read_to_string(folder.join("expected.tsv")).expect("the table of expected verdicts");
    for line in table.lines() {
        let (name, verdict) = line.split_once('\t').expect("two columns");
        let (_, expected) =
            QUIRKS.iter().find(|(quirk, _)| *quirk == name).expect("each quirk is in the table");
        assert_eq!(verdict == "error", matches!(expected, Rejected(_)), "{name}");
    }
}
