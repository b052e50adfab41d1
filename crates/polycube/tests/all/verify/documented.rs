//! What the documentation says: the JSON, and the examples.

use super::*;
use crate::program::documented::{check, section, table};

/// Every field that is documented is there, and no other.
#[test]
fn json_is_as_documented() {
    let section = section("verify");
    let documented = |heading: &str| table(&section, heading);
    let (fields, property) = (documented("prints one object:"), documented("### Property"));
    let (invariant, statistics) = (documented("### Invariant"), documented("### Statistics"));
    let reasons: Vec<String> = documented("### Reasons").into_iter().map(|(name, _)| name).collect();
    assert!(fields.len() == 19 && property.len() == 12 && invariant.len() == 5 && statistics.len() == 20);
    let folder = small_models();
    let cases: [&[&str]; 6] = [
        &["door.cub"],
        &["pair.cub", "-j3"],
        &["watch.cub"],
        &["counter.cub", "--trust-invariants"],
        &["door.cub", "--max-nodes", "0"],
        &["both.cub", "--max-nodes", "30"],
    ];
    for arguments in cases {
        let (_, report) = report(folder.path(), arguments);
        check(&report, &fields);
        check(&report["statistics"], &statistics);
        for one in report["properties"].as_array().expect("an array") {
            check(one, &property);
            if let Some(run) = one.get("symbolic_run") {
                assert_eq!(run["steps"].as_array().map(Vec::len), Some(1));
                assert_eq!(run["states"].as_array().map(Vec::len), Some(2));
            }
        }
        report["invariants"].as_array().expect("an array").iter().for_each(|one| check(one, &invariant));
        if let Some(reason) = report.get("reason") {
            assert!(reasons.iter().any(|known| reason == known), "{reason}");
        }
    }
}

/// The default of `--search` is the one of the engine, and the documentation knows it.
#[test]
fn the_default_order() {
    let help = verify(&repository(), &["--help"]);
    let (_, found) = report(&repository(), &["models/safe/mutex.cub"]);
    let default = found["search"].as_str().expect("text");
    assert!(out(&help).contains(&format!("[default: {default}]")), "{}", out(&help));
    let text = std::fs::read_to_string(repository().join("docs/command-line.md")).expect("the documentation");
    assert!(text.contains(&format!("`few-literals` | `{default}` |")), "docs/command-line.md");
}

/// What the documentation shows is what the program prints, apart from the numbers of the search.
#[test]
fn the_documentation_shows_real_output() {
    let read = |file: &str| {
        std::fs::read_to_string(repository().join("docs").join(file)).expect("the documentation")
    };
    let block = |text: &str, start: &str| -> String {
        let model = text.split(start).nth(1).and_then(|block| block.split("```").next());
        model.expect("a model").to_owned()
    };
    let (tutorial, commands) = (read("tutorial.md"), read("command-line.md"));
    let lock = block(&tutorial, "```cub\n");
    let broken = lock.replace(" && not Locked }", " }");
    let folder = folder(&[
        ("lock.cub", &lock),
        ("broken.cub", &broken),
        ("watch.cub", &block(&commands, "<!-- watch.cub -->\n```cub,unknown\n")),
    ]);
    for (text, count) in [(tutorial, 6), (commands, 4)] {
        let blocks: Vec<&str> =
            text.split("```").filter(|block| block.contains("\n$ polycube verify ")).collect();
        assert_eq!(blocks.len(), count);
        for block in blocks {
            let (command, shown) =
                block[block.find("$ ").expect("a command")..].split_once('\n').expect("its output");
            let arguments: Vec<&str> = command.split(' ').skip(2).collect();
            let root = repository();
            let place = if command.contains("models/") { root.as_path() } else { folder.path() };
            assert_eq!(steady(out(&run(place, &arguments, b""))), steady(shown), "{command}");
        }
    }
    let json = read("json.md");
    let (arguments, shown) = json
        .split_once("The output of `polycube verify ")
        .and_then(|(_, example)| example.split_once("`:\n\n```json\n"))
        .expect("an example");
    let arguments: Vec<&str> = std::iter::once("verify").chain(arguments.split(' ')).collect();
    let shown = shown.split("```").next().expect("its end");
    let [shown, printed] = [shown, out(&run(&repository(), &arguments, b""))]
        .map(|text| steady_report(serde_json::from_str(text).expect("JSON")));
    let keys = |value: &Value| {
        value["statistics"].as_object().expect("an object").keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(keys(&shown), keys(&printed));
    let without = |mut value: Value| {
        value.as_object_mut().expect("an object").remove("statistics");
        value
    };
    assert_eq!(without(shown), without(printed));
}
