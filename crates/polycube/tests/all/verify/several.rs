//! Several models at once, and the formats of services that run checks.

use super::*;

/// A model of each kind: safe, unsafe, with a wrong helper, wrong, and not decided.
fn one_of_each() -> TempDir {
    let lock = |helper: &str, guard: &str| {
        format!(
            "type place = Idle | Crit\narray P[proc] : place\nvar Lock : bool\n\
             init (p) {{ P[p] = Idle && Lock = False }}\n\
             unsafe (p q) {{ P[p] = Crit && P[q] = Crit }}\n{helper}\n\
             transition enter (p)\nrequires {{ P[p] = Idle {guard} }}\n{{ P[p] := Crit; Lock := True }}\n\
             transition leave (p)\nrequires {{ P[p] = Crit }}\n{{ P[p] := Idle; Lock := False }}\n"
        )
    };
    let guard = "&& Lock = False";
    folder(&[
        ("safe.cub", &lock("", guard)),
        ("un safe.cub", &lock("", "")),
        ("helper.cub", &lock("invariant (p) { P[p] = Crit && Lock = True }", guard)),
        ("wrong.cub", "var X : int\ninit { X = Y }\nunsafe { X = 1 }\n"),
        ("hard.cub", EVER),
    ])
}

const ALL: [&str; 5] = ["safe.cub", "un safe.cub", "helper.cub", "wrong.cub", "hard.cub"];

fn verify_all(folder: &TempDir, options: &[&str]) -> Output {
    let arguments: Vec<&str> = [&ALL[..], &["--max-nodes", "20"], options].concat();
    verify(folder.path(), &arguments)
}

#[test]
fn a_table() {
    let folder = one_of_each();
    let output = verify_all(&folder, &[]);
    // Times differ.
    let is_no_time = |word: &&str| word.parse::<f64>().is_err() && *word != "s";
    let words = |line: &str| line.split_whitespace().filter(is_no_time).collect::<Vec<_>>().join(" ");
    let text: Vec<String> = out(&output).lines().map(words).collect();
    insta::assert_snapshot!("table", text.join("\n"));
    assert_eq!(code(&output), 2, "a wrong model is worse than an unsafe one");
    for (files, expected) in [
        (["safe.cub", "safe.cub"], 0),
        (["safe.cub", "un safe.cub"], 1),
        (["hard.cub", "un safe.cub"], 1),
        (["hard.cub", "safe.cub"], 3),
        (["safe.cub", "no such file"], 2),
    ] {
        let arguments = [&files[..], &["--max-nodes", "20"]].concat();
        assert_eq!(code(&verify(folder.path(), &arguments)), expected, "{files:?}");
    }
}

/// What is said of each is what is said of it alone.
#[test]
fn a_list() {
    let folder = one_of_each();
    let output = verify_all(&folder, &["--format", "json"]);
    let list: Vec<Value> = serde_json::from_str(out(&output)).expect("a list");
    let steady = |mut report: Value| {
        if let Some(report) = report.as_object_mut() {
            report.retain(|field, _| !["statistics", "recheck", "file"].contains(&field.as_str()));
        }
        report
    };
    for (one, file) in list.iter().zip(ALL) {
        let (_, alone) = report(folder.path(), &[file, "--max-nodes", "20"]);
        assert_eq!(one["file"], file);
        assert_eq!(steady(one.clone()), steady(alone), "{file}");
    }
    assert_eq!(list.len(), ALL.len());
}

#[test]
fn annotations() {
    let folder = one_of_each();
    insta::assert_snapshot!("github", out(&verify_all(&folder, &["--format", "github"])));
}

#[test]
fn sarif() {
    let folder = one_of_each();
    let output = verify_all(&folder, &["--format", "sarif"]);
    insta::assert_snapshot!("sarif", out(&output));
    let log: Value = serde_json::from_str(out(&output)).expect("JSON");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in run["results"].as_array().expect("results") {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{result}");
    }
}

#[test]
fn junit() {
    let folder = one_of_each();
    let output = verify_all(&folder, &["--format", "junit"]);
    let text = out(&output);
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "), "{text}");
    // What is counted is there.
    let count = |what: &str| text.matches(what).count();
    assert_eq!((count("<testsuite "), count("</testsuite>")), (5, 5), "{text}");
    assert_eq!((count("<testcase "), count("<failure "), count("<error ")), (6, 2, 2), "{text}");
    let totals = "<testsuites name=\"polycube\" tests=\"6\" failures=\"2\" errors=\"2\" ";
    assert!(text.contains(totals), "{text}");
}

/// Names of files do not break the formats.
#[test]
fn strange_names() {
    let model = std::fs::read_to_string(repository().join("models/unsafe/mutex_no_turn_check.cub"));
    let name = "a<b>&\"c\" 100%,x:y é.cub";
    let folder = folder(&[(name, &model.expect("a model"))]);
    let run = |format: &str| out(&verify(folder.path(), &[name, "--format", format])).to_owned();
    assert!(run("junit").contains("name=\"a&lt;b&gt;&amp;&quot;c&quot; 100%,x:y é.cub\""));
    assert!(run("sarif").contains("\"uri\": \"a%3Cb%3E%26%22c%22%20100%25%2Cx%3Ay%20%C3%A9.cub\""));
    assert!(run("github").contains("file=a<b>&\"c\" 100%25%2Cx%3Ay é.cub,line="));
}
