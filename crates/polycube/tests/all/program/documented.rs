//! What docs/json.md says, to be compared with what the program prints.

use polycube_testing::repository;
use serde_json::Value;

/// A table of fields: names and types.
pub type Fields = Vec<(String, String)>;

/// The section about a command.
pub fn section(command: &str) -> String {
    let text = std::fs::read_to_string(repository().join("docs/json.md")).expect("the documentation");
    let start = format!("{command}\n");
    text.split("\n## ").find(|section| section.starts_with(&start)).expect("a section").to_owned()
}

/// The first table behind a heading of a section.
pub fn table(section: &str, heading: &str) -> Fields {
    let table = section.split(heading).nth(1).expect("a table").split("\n\n").nth(1).expect("its rows");
    let rows = table.lines().skip(2).map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let fields = rows.flat_map(|row| {
        let names: Vec<String> =
            row[1].split(", ").map(|name| name.trim_matches(['`', '"']).to_owned()).collect();
        names.into_iter().map(move |name| (name, row[2].to_owned()))
    });
    fields.collect()
}

/// Every field that is documented is there, of the type that is documented, and no other.
pub fn check(object: &Value, table: &Fields) {
    let object = object.as_object().expect("an object");
    for (name, ty) in table {
        let Some(value) = object.get(name) else {
            assert!(ty.contains("absent"), "{name} is missing");
            continue;
        };
        let is = match ty.split([' ', ',']).next().expect("a type") {
            "string" => value.is_string(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" | "[trace](#traces)" | "[statistics](#statistics)" => value.is_object(),
            other => panic!("what is {other}?"),
        };
        assert!(is, "{name} is {value}, not {ty}");
    }
    for name in object.keys() {
        assert!(table.iter().any(|(known, _)| known == name), "{name} is not documented");
    }
}
