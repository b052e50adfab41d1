//! What the documentation says: the JSON, which `replay` takes, and the examples.

use super::*;
use crate::program::documented::{check, section, table};

/// Every field that is documented is there, and no other.
#[test]
fn json_is_as_documented() {
    let section = section("explore");
    let documented = |heading: &str| table(&section, heading);
    let (fields, violation) = (documented("prints one object:"), documented("### Violation"));
    let (bound, part) = (documented("### Bound\n"), documented("### Part"));
    let ends: Vec<String> = documented("### Ends").into_iter().map(|(name, _)| name).collect();
    assert!(
        fields.len() > 20 && violation.len() == 7 && bound.len() == 6 && ends.len() == 12 && part.len() == 5
    );
    let folder = models();
    for (model, options) in [
        ("door.cub", "--keep-going"),
        ("lift.cub", "--depth=1"),
        ("any.cub", "-n2"),
        ("never.cub", "-j3"),
        ("door.cub", "--local=2"),
    ] {
        let (_, report) = report(folder.path(), &[model, options]);
        check(&report, &fields);
        assert!(ends.contains(&report["end"].as_str().expect("text").to_owned()), "{report}");
        let violations = report["violations"].as_array().expect("an array");
        violations.iter().for_each(|one| check(one, &violation));
        let bounds = report["bounds"].as_array().expect("an array");
        bounds.iter().for_each(|one| check(one, &bound));
        let parts = report.get("parts").and_then(Value::as_array);
        assert_eq!(parts.is_some(), options == "--local=2");
        parts.into_iter().flatten().for_each(|one| check(one, &part));
        let never = report["never_fired"].as_array().expect("an array");
        assert!(never.iter().all(Value::is_string), "{report}");
    }
}

#[test]
fn a_run_is_a_run() {
    for (model, folder) in [("door.cub", models()), ("orders.cub", models())] {
        let explored = explore(folder.path(), &[model, "--format", "json"]);
        assert_eq!(code(&explored), 1);
        let replayed = run(folder.path(), &["replay", "-", model, "--format", "json"], &explored.stdout);
        let replayed: Value = serde_json::from_str(out(&replayed)).expect("JSON");
        assert_eq!(replayed["source"], "violations[0].trace");
        assert_eq!(replayed["violations"][0]["kind"], "unsafe", "{replayed}");
    }
}

/// Random systems have everything that the language has.
#[test]
fn random_systems() {
    let violated = AtomicU64::new(0);
    let tried = for_seeds!(60, |seed| {
        let model = random_system(seed, &Profile::ALL).to_source();
        let folder = folder(&[("model.cub", &model)]);
        let limits = [
            "model.cub",
            "-n2",
            "--max-states",
            "2000",
            "--depth",
            "20",
            "--timeout",
            "5",
            "--keep-going",
            "--deadlock",
            "error",
        ];
        let (code, report) = report(folder.path(), &limits);
        assert_eq!(code == 2, report["error"].is_string(), "{model}\n{report}");
        if code == 1 {
            let replayed = run(folder.path(), &["replay", "-", "model.cub"], report.to_string().as_bytes());
            assert_eq!(program::code(&replayed), 0, "{model}\n{}", err(&replayed));
            violated.fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(tried.is_none_or(|tried| violated.into_inner() > tried / 8));
}

/// What the documentation shows is what the program prints, apart from times and sizes.
#[cfg(unix)]
#[test]
fn the_documentation_shows_real_output() {
    let read = |file: &str| {
        std::fs::read_to_string(repository().join("docs").join(file)).expect("the documentation")
    };
    let tutorial = read("tutorial.md");
    let lock =
        tutorial.split("```cub\n").nth(1).and_then(|block| block.split("```").next()).expect("a model");
    let broken = lock.replace(" && not Locked }", " }");
    assert_eq!(broken.len() + " && not Locked".len(), lock.len());
    let folder = folder(&[("lock.cub", lock), ("broken.cub", &broken)]);
    for (text, place, count) in
        [(tutorial.clone(), folder.path(), 2), (read("command-line.md"), &repository(), 2)]
    {
        let blocks: Vec<&str> =
            text.split("```").filter(|block| block.contains("\n$ polycube explore ")).collect();
        assert_eq!(blocks.len(), count);
        for block in blocks {
            let (command, shown) =
                block[block.find("$ ").expect("a command")..].split_once('\n').expect("its output");
            let arguments: Vec<&str> = command.split(' ').skip(2).collect();
            assert_eq!(steady(out(&run(place, &arguments, b""))), steady(shown), "{command}");
        }
    }
    let json = read("json.md");
    for example in json.split("The output of `polycube explore ").skip(1) {
        let (arguments, shown) = example.split_once("`:\n\n```json\n").expect("a block");
        let arguments: Vec<&str> = std::iter::once("explore").chain(arguments.split(' ')).collect();
        let shown = shown.split("```").next().expect("its end");
        let [mut shown, mut printed] = [shown, out(&run(&repository(), &arguments, b""))]
            .map(|text| serde_json::from_str::<Value>(text).expect("JSON"));
        for name in VARYING {
            for report in [&mut shown, &mut printed] {
                report.as_object_mut().expect("an object").remove(name);
            }
        }
        assert_eq!(printed, shown, "{arguments:?}");
    }
}
