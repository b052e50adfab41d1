//! SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format).

use std::collections::BTreeMap;
use std::fmt::Write;

use polycube_language::diagnostic::Code;
use serde_json::{Value, json};

use super::{Finding, RULES, findings};
use crate::command::verify::many::Answered;
use crate::report::json::print;

pub(in crate::command::verify) fn sarif(answered: &[Answered]) -> String {
    let all: Vec<Finding<'_>> = answered.iter().flat_map(findings).collect();
    let used: BTreeMap<&str, String> =
        all.iter().map(|one| (one.rule.as_str(), describe(&one.rule))).collect();
    let rules: Vec<Value> =
        used.iter().map(|(id, text)| json!({ "id": id, "shortDescription": { "text": text } })).collect();
    let results: Vec<Value> = all.iter().map(result).collect();
    print(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "polycube",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    }))
}

fn result(finding: &Finding<'_>) -> Value {
    let mut location = json!({ "artifactLocation": { "uri": uri(finding.file) } });
    if let Some((line, column)) = finding.place {
        location["region"] = json!({ "startLine": line, "startColumn": column });
    }
    json!({
        "ruleId": finding.rule,
        "level": finding.level.word(),
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": location }],
    })
}

/// What a class is.
fn describe(rule: &str) -> String {
    let own = RULES.iter().find(|(id, _)| *id == rule).map(|(_, text)| (*text).to_owned());
    let is_known = Code::ALL.iter().any(|code| code.name() == rule);
    own.unwrap_or_else(|| if is_known { format!("See docs/diagnostics.md, {rule}") } else { rule.to_owned() })
}

/// A path as a reference of a URI: relative unless the path is absolute.
fn uri(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    if path.starts_with('/') { format!("file://{text}") } else { text }
}
