//! Reports as pages: what is in them, that nothing in a model breaks out of them, and what a browser makes of
//! them.

mod browser;

use std::fs;

use polycube_testing::repository;
use serde_json::{Value, json};

use crate::program::{code, err, folder, out, run};

/// A name and comments that would end the script or begin a comment, were they not escaped.
const HOSTILE: &str = "<img src=x onerror=alert(1)> {{data}} & \"'.cub";
const COMMENT: &str =
    "(* </script><script>alert(1)</script><!-- <script> ]]> {{script}} \u{2028}\u{2029} `x` &lt; *)";

fn hostile_model() -> String {
    let text = fs::read_to_string(repository().join("models/unsafe/mutex_no_turn_check.cub"));
    format!("{COMMENT}\n{}\nunsafe (p) {{ Inside[p] && Turn <> p }}\n", text.expect("a model"))
}

/// What the scripts of a page are given.
fn data(page: &str) -> Value {
    let (_, behind) = page.split_once("id=\"data\">").expect("data");
    let (json, _) = behind.split_once("</script>").expect("an end");
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// The JSON of the report is in the page, as it is printed, with the model.
#[test]
fn a_page_has_the_report_in_it() {
    let folder = folder(&[("model.cub", &hostile_model())]);
    let arguments = ["explore", "model.cub", "-n", "2", "--format", "json", "--html", "page.html"];
    let output = run(folder.path(), &arguments, b"");
    assert_eq!(code(&output), 1, "{}", err(&output));
    let mut printed: Value = serde_json::from_str(out(&output)).expect("JSON");
    let page = fs::read_to_string(folder.path().join("page.html")).expect("a page");
    let mut data = data(&page);
    for report in [&mut printed, &mut data["report"]] {
        report["seconds"] = json!(0);
        report["states_per_second"] = json!(0);
    }
    assert_eq!(data["report"], printed);
    assert_eq!(data["model"], json!(hostile_model()));
    assert_eq!(data["called"], "polycube explore model.cub -n 2 --format json --html page.html");
    assert_eq!(data["sha256"].as_str().map(str::len), Some(64));
}

#[test]
fn nothing_breaks_out_of_a_page() {
    let folder = folder(&[(HOSTILE, &hostile_model())]);
    let output = run(folder.path(), &["verify", HOSTILE, "--html", "page.html"], b"");
    assert_eq!(code(&output), 1, "{}", err(&output));
    let page = fs::read_to_string(folder.path().join("page.html")).expect("a page");
    let (before, scripts) = page.split_once("<script type=\"application/json\"").expect("data");
    // What a browser reads before the scripts: no tag of the model's.
    assert!(!before.contains("<script") && !before.contains("<img") && !before.contains("<!--"));
    assert!(before.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    assert_eq!(scripts.matches("<script").count(), 1);
    assert_eq!(scripts.matches("</script").count(), 2);
    assert!(!scripts.contains("<!--") && !scripts.contains(['\u{2028}', '\u{2029}']));
    assert_eq!(data(&page)["model"], json!(hostile_model()));
    assert_eq!(data(&page)["file"], json!(HOSTILE));
    // Nothing is loaded from elsewhere.
    for address in ["http://", "https://", "src=\"", "@import", "url("] {
        let found = page.matches(address).count();
        let own = usize::from(address == "http://") + usize::from(address == "url(");
        assert!(found <= own, "{address} occurs {found} times");
    }
}

/// Without scripts: the verdict, the report, the last state and the model.
#[test]
fn a_page_without_scripts() {
    let folder = folder(&[]);
    let model = repository().join("models/unsafe/mutex_no_turn_check.cub");
    let model = model.to_str().expect("a name");
    let output = run(folder.path(), &["verify", model, "--html", "page.html"], b"");
    assert_eq!(code(&output), 1, "{}", err(&output));
    let page = fs::read_to_string(folder.path().join("page.html")).expect("a page");
    let (before, _) = page.split_once("</noscript>").expect("a part without scripts");
    let (head, plain) = before.split_once("<noscript>").expect("a part without scripts");
    assert!(head.contains("<span class=\"verdict\">Unsafe:</span> a run of 4 steps"), "{head}");
    assert!(plain.contains("steps:") && plain.contains("transition enter (p)"), "{plain}");
    let (_, last) = plain.split_once("<h2>The last state</h2>").expect("the last state");
    assert!(last.contains("Inside  True  True"), "{last}");
    assert!(!plain.contains('\u{1b}'), "{plain}");
}

/// Files are not overwritten, and what is wrong with them is said before the work.
#[test]
fn files_are_not_overwritten() {
    let folder = folder(&[("model.cub", &hostile_model()), ("there", "mine")]);
    let safe = repository().join("models/safe/mutex.cub");
    let safe = safe.to_str().expect("a name");
    for option in ["--html", "--itf", "--mermaid"] {
        let commands: [&[&str]; 3] =
            [&["verify", "model.cub"], &["explore", "model.cub", "-n", "2"], &["simulate", "model.cub"]];
        for command in commands {
            let output = run(folder.path(), &[command, &[option, "there"]].concat(), b"");
            assert_eq!(code(&output), 2, "{command:?} {option}");
            assert!(err(&output).contains("`there` exists already"), "{}", err(&output));
            assert!(out(&output).is_empty(), "the work was begun: {}", out(&output));
            assert_eq!(fs::read_to_string(folder.path().join("there")).expect("a file"), "mine");
            let output = run(folder.path(), &[command, &[option, "no/such/folder"]].concat(), b"");
            assert!(code(&output) == 2 && err(&output).contains("no such folder"), "{}", err(&output));
        }
        let output = run(folder.path(), &["verify", "model.cub", option, "there", "--force"], b"");
        assert_eq!(code(&output), 1, "{}", err(&output));
        assert_ne!(fs::read_to_string(folder.path().join("there")).expect("a file"), "mine");
        fs::write(folder.path().join("there"), "mine").expect("a file is written");
        // A safe model has no run: then there is no file.
        let (name, is_page) = (option.trim_start_matches('-'), option == "--html");
        let output = run(folder.path(), &["verify", safe, option, name], b"");
        assert_eq!((code(&output), folder.path().join(name).exists()), (0, is_page), "{option}");
        let none = format!("There is no run, so {name} was not written.");
        assert_eq!(out(&output).contains(&none), !is_page, "{}", out(&output));
    }
    let output = run(folder.path(), &["verify", "model.cub", "--html", "one", "--itf", "one"], b"");
    assert!(code(&output) == 2 && err(&output).contains("cannot be written twice"), "{}", err(&output));
    let output = run(folder.path(), &["verify", "model.cub", "--force"], b"");
    assert_eq!(code(&output), 2, "--force alone means nothing");
    for command in ["certify", "induct"] {
        let output = run(folder.path(), &[command, safe, "--html", "there"], b"");
        assert!(code(&output) == 2 && err(&output).contains("exists already"), "{}", err(&output));
    }
    let output = run(folder.path(), &["simulate", "model.cub", "-i", "--html", "x"], b"");
    assert_eq!(code(&output), 2, "{}", err(&output));
}
