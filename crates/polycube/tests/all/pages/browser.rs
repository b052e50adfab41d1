//! Pages in a browser: they load without a word of complaint, show what they should, and can be walked through.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use polycube_testing::{repository, skip_without_tool};
use serde_json::{Value, json};

use super::{COMMENT, HOSTILE, hostile_model};
use crate::program::{code, err, folder, run};

/// How long a browser may take: much longer than it does.
const TIME: Duration = Duration::from_secs(60);

/// Lets a browser look at pages, and gives what it has found; nothing where there is none.
fn browse(folder: &Path, pages: &[(&str, &str)]) -> Option<Value> {
    let pages: Vec<Value> = pages.iter().map(|(name, hash)| json!({ "name": name, "hash": hash })).collect();
    let driver = include_str!("driver.html").replace("PAGES", &json!(pages).to_string());
    fs::write(folder.join("driver.html"), driver).expect("a file is written");
    let output = chromium(folder)?;
    let (said, dom) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    let complaints: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    let (_, behind) =
        dom.split_once("<pre id=\"results\">").unwrap_or_else(|| panic!("no page: {dom}\n{said}"));
    let (results, _) = behind.split_once("</pre>").expect("an end");
    let results = results.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Some(serde_json::from_str(&results).unwrap_or_else(|error| panic!("{error}: {results}\n{said}")))
}

fn chromium(folder: &Path) -> Option<Output> {
    let address = format!("file://{}/driver.html", folder.display());
    for program in ["chromium", "chromium-browser", "google-chrome"] {
        let mut command = Command::new("timeout");
        command.arg(TIME.as_secs().to_string()).arg(program);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
        command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
        command.args([
            "--disable-dev-shm-usage",
            "--allow-file-access-from-files",
            "--enable-logging=stderr",
        ]);
        command.args(["--virtual-time-budget=20000", "--dump-dom"]);
        command.arg(format!("--user-data-dir={}", folder.join("profile").display())).arg(&address);
        let output =
            command.output().ok().filter(|output| ![Some(126), Some(127)].contains(&output.status.code()));
        if output.is_some() {
            return output;
        }
    }
    skip_without_tool("there is no browser, so pages are not looked at (apt-get install chromium)");
    None
}

/// Makes the pages of all commands, with how each command should end.
fn make_pages(folder: &Path) -> Vec<(&'static str, &'static str)> {
    let root = repository();
    let model = |name: &str| root.join("models").join(name).display().to_string();
    let (german, mutex) = (model("safe/german.cub"), model("unsafe/mutex_no_turn_check.cub"));
    let murphi = model("murphi/unsafe/records_flag_not_set.m");
    let pages: [(&str, &str, i32, &[&str]); 11] = [
        ("unsafe.html", "#step=2", 1, &["verify", HOSTILE]),
        ("runs.html", "", 1, &["verify", "runs.cub"]),
        ("safe.html", "", 0, &["verify", &german]),
        ("unknown.html", "", 3, &["verify", &german, "--max-nodes", "3"]),
        ("explore.html", "#run=2&step=1", 1, &["explore", HOSTILE, "-n", "2", "--keep-going"]),
        ("simulate.html", "#step=200", 0, &["simulate", &german, "-n", "64", "--steps", "300"]),
        ("induct.html", "", 3, &["induct", &german]),
        ("certify.html", "", 0, &["certify", &mutex_safe(&root), "certificate"]),
        ("replay.html", "#nonsense=1&step=x", 1, &["replay", "wrong.json", &mutex]),
        ("discover.html", "#formula-2", 0, &["discover", &german]),
        ("murphi.html", "#step=2", 1, &["verify", &murphi]),
    ];
    let mut made = Vec::new();
    for (page, hash, expected, command) in pages {
        let option = if command[0] == "discover" { "--explain" } else { "--html" };
        let output = run(folder, &[command, &[option, page]].concat(), b"");
        if page == "certify.html" && code(&output) == 2 {
            polycube_testing::skip_without_solver(
                "there is no solver, so the page of `certify` is not looked at",
            );
            continue;
        }
        assert_eq!(code(&output), expected, "{page}: {}", err(&output));
        made.push((page, hash));
    }
    made
}

/// Three processes reach a bad state by three steps, and one by four.
const TWO_RUNS: &str = "
type place = First | Second | Third | Fourth | Fifth
array At[proc] : place
init (p) { At[p] = First }
unsafe (p q r) { At[p] = Second && At[q] = Second && At[r] = Second }
unsafe (p) { At[p] = Fifth }
transition one (p) requires { At[p] = First } { At[p] := Second }
transition two (p) requires { At[p] = Second } { At[p] := Third }
transition three (p) requires { At[p] = Third } { At[p] := Fourth }
transition four (p) requires { At[p] = Fourth } { At[p] := Fifth }
";

fn mutex_safe(root: &Path) -> String {
    root.join("models/safe/mutex.cub").display().to_string()
}

#[test]
fn in_a_browser() {
    let wrong = json!({
        "processes": 2,
        "initial": { "Turn": "#1", "Asks[#1]": "False", "Asks[#2]": "False", "Inside[#1]": "False", "Inside[#2]": "False" },
        "steps": [
            { "transition": "ask", "arguments": ["#1"], "changes": { "Asks[#1]": "True" } },
            { "transition": "enter", "arguments": ["#2"], "changes": { "Inside[#2]": "True" } },
        ],
    });
    let files = [(HOSTILE, &*hostile_model()), ("wrong.json", &*wrong.to_string()), ("runs.cub", TWO_RUNS)];
    let folder = folder(&files);
    let pages = make_pages(folder.path());
    let Some(found) = browse(folder.path(), &pages) else { return };
    for (page, _) in &pages {
        for size in ["wide", "narrow"] {
            let seen = &found[page][size];
            assert_eq!(seen["ready"], "yes", "{page}: {seen}");
            assert_eq!((&seen["images"], &seen["unnamed"]), (&json!(0), &json!(0)), "{page}: {seen}");
            assert!(
                seen["overflow"].as_i64().is_some_and(|over| over <= 0),
                "{page}, {size}: {}",
                seen["overflow"]
            );
        }
    }
    let seen = |page: &str, what: &str| found[page]["wide"][what].clone();
    assert!(
        seen("unsafe.html", "headline").as_str().is_some_and(|text| text.starts_with("Unsafe: a run of"))
    );
    assert_eq!(seen("runs.html", "count"), "step 4 of 4", "the run that the headline is about");
    // The model is shown to the letter, and its hostile comment is a text.
    assert_eq!(seen("unsafe.html", "model").as_str().map(|text| text.starts_with(COMMENT)), Some(true));
    assert_eq!(seen("unsafe.html", "runs").as_array().map(Vec::len), Some(2));
    assert_eq!(seen("unsafe.html", "current"), 2, "the address names the step");
    assert_eq!(seen("unsafe.html", "changed").as_array().map(Vec::len), Some(1));
    assert_eq!(seen("unsafe.html", "marked"), json!(["L17", "L40"]));
    assert_eq!(seen("unsafe.html", "now"), json!(["L26", "L27", "L28", "L29", "L30"]));
    assert_eq!(seen("murphi.html", "current"), 2);
    assert_eq!(seen("explore.html", "current"), 1);
    assert_eq!(seen("simulate.html", "count"), "step 200 of 300");
    assert_eq!(seen("simulate.html", "steps"), 301);
    assert_eq!(
        seen("safe.html", "sections"),
        json!(["clauses", "invariant", "model", "statistics", "reproduce"])
    );
    assert_eq!(seen("safe.html", "marked"), json!(["L51"]));
    assert_eq!((seen("safe.html", "formulas"), seen("discover.html", "formulas")), (json!(5), json!(5)));
    assert!(seen("safe.html", "arrows").as_u64().is_some_and(|arrows| arrows > 5));
    assert!(seen("discover.html", "arrows").as_u64().is_some_and(|arrows| arrows > 5));
    assert_eq!(seen("induct.html", "counterexamples"), 2);
    assert_eq!(seen("replay.html", "count"), "initially, of 1 step", "the part that is possible");
    if pages.iter().any(|(page, _)| *page == "certify.html") {
        assert!(seen("certify.html", "solvers").as_u64().is_some_and(|solvers| solvers > 0));
    }
    let walk = &found["simulate.html"]["walk"];
    let said = |count: &str, step: u32| json!(format!("{count} #step={step}"));
    assert_eq!(walk["slide"], said("step 1 of 300", 1));
    assert_eq!(walk["back"], said("initially, of 300 steps", 0));
    assert_eq!(walk["forth"], said("step 1 of 300", 1));
    assert_eq!(walk["right"], said("step 2 of 300", 2));
    assert_eq!(walk["left"], said("step 1 of 300", 1));
    assert_eq!(walk["step"], said("step 2 of 300", 2));
    assert_eq!(walk["end"], said("step 300 of 300", 300));
    assert_eq!((&walk["atStart"], &walk["atEnd"]), (&json!(true), &json!(true)));
}
