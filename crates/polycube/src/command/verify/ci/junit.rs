//! JUnit's XML: a suite for each model, and in it a test for each clause.

use std::fmt::Write;

use super::{Level, findings, properties, what, what_is_wrong};
use crate::command::verify::many::Answered;

/// A test, and what is wrong if it does not pass.
struct Case {
    name: String,
    /// What element says so, the class, and a sentence.
    wrong: Option<(&'static str, String, String)>,
}

pub(in crate::command::verify) fn junit(answered: &[Answered]) -> String {
    let suites: Vec<(&Answered, Vec<Case>)> = answered.iter().map(|one| (one, cases(one))).collect();
    let count = |element: &str| {
        let all = suites.iter().flat_map(|(_, cases)| cases);
        all.filter(|case| case.wrong.as_ref().is_some_and(|(own, ..)| *own == element)).count()
    };
    let tests: usize = suites.iter().map(|(_, cases)| cases.len()).sum();
    let seconds: f64 = answered.iter().map(|one| one.took.as_secs_f64()).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"polycube\" tests=\"{tests}\" failures=\"{}\" errors=\"{}\" time=\"{seconds:.3}\">",
        count("failure"),
        count("error"),
    );
    for (one, cases) in &suites {
        suite(&mut text, one, cases);
    }
    text + "</testsuites>\n"
}

fn suite(text: &mut String, one: &Answered, cases: &[Case]) {
    let count = |element: &str| {
        cases.iter().filter(|case| case.wrong.as_ref().is_some_and(|(own, ..)| *own == element)).count()
    };
    let (file, time) = (escaped(&one.file), one.took.as_secs_f64());
    let _ = writeln!(
        text,
        "  <testsuite name=\"{file}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\" time=\"{time:.3}\">",
        cases.len(),
        count("failure"),
        count("error"),
    );
    for Case { name, wrong } in cases {
        let name = escaped(name);
        // The clauses of a model are decided together.
        let _ = write!(
            text,
            "    <testcase classname=\"{file}\" name=\"{name}\" time=\"{:.3}\"",
            time / cases.len() as f64
        );
        let _ = match wrong {
            None => writeln!(text, "/>"),
            Some((element, class, message)) => writeln!(
                text,
                ">\n      <{element} type=\"{}\" message=\"{}\"/>\n    </testcase>",
                escaped(class),
                escaped(message)
            ),
        };
    }
    let _ = writeln!(text, "  </testsuite>");
}

/// A test for each clause; one for the model where it could not be verified.
fn cases(one: &Answered) -> Vec<Case> {
    let clauses: Vec<Case> = properties(one)
        .map(|property| {
            let wrong = what_is_wrong(property).map(|(rule, message)| {
                let element = if rule == "unknown" { "error" } else { "failure" };
                (element, rule.to_owned(), message)
            });
            Case { name: format!("{} in line {}", what(property), property["line"]), wrong }
        })
        .collect();
    if !clauses.is_empty() {
        return clauses;
    }
    let error = findings(one).into_iter().find(|finding| finding.level == Level::Error);
    let wrong = error.map_or_else(
        || ("error", "unknown".to_owned(), one.remark()),
        |finding| ("error", finding.rule, finding.message),
    );
    vec![Case { name: "the model".to_owned(), wrong: Some(wrong) }]
}

/// A text within quotes. Characters that XML cannot have are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{FFFE}' | '\u{FFFF}' => {}
            control if control < ' ' => {}
            other => escaped.push(other),
        }
    }
    escaped
}
