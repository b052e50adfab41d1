//! Searches: lenses, commands, and what becomes of their findings.

use serde_json::{Value, json};

use crate::MODEL;
use crate::editor::{Editor, URI};

fn command(name: &str) -> Value {
    json!({ "command": format!("polycube.{name}"), "arguments": [URI] })
}

const EXECUTE: &str = "workspace/executeCommand";

fn verdicts(told: &[Value]) -> Vec<&str> {
    told.iter().map(|one| one["code"].as_str().unwrap()).collect()
}

#[test]
fn lenses_offer_what_can_be_done() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let asked = json!({ "textDocument": { "uri": URI } });
    let lenses = editor.ask("textDocument/codeLens", asked.clone()).unwrap();
    let offered: Vec<(u64, &str)> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|lens| {
            let line = lens["range"]["start"]["line"].as_u64().unwrap();
            (line, lens["command"]["command"].as_str().unwrap())
        })
        .collect();
    let (verify, explore) = ("polycube.verify", "polycube.explore");
    assert_eq!(offered, [(4, verify), (4, explore), (5, verify), (5, explore)]);
    assert_eq!(lenses[0]["command"]["arguments"], json!([URI]));
    editor.change_silently(&json!([{ "text": "init () { true }" }]));
    let lenses = editor.ask("textDocument/codeLens", asked).unwrap();
    assert_eq!(lenses.as_array().unwrap().len(), 1);
}

#[test]
fn findings_are_told_until_the_text_changes() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let answer = editor.ask(EXECUTE, command("verify")).unwrap();
    let report = "model.cub is what it is";
    assert_eq!(answer, json!({ "verdict": "unsafe", "report": report, "document": null }));
    let told = editor.diagnostics();
    assert_eq!((verdicts(&told), &told[0]["severity"]), (vec!["unsafe"], &json!(1)));
    let answer = editor.ask(EXECUTE, command("explore")).unwrap();
    assert_eq!(answer["verdict"], "safe");
    assert_eq!(verdicts(&editor.diagnostics()), ["safe"]);
    let start = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    assert_eq!(editor.change(&json!([{ "range": start, "text": " " }])), Vec::<Value>::new());
}

#[test]
fn a_run_is_opened_by_an_editor_that_can() {
    let mut editor = Editor::with(&json!({ "window": { "showDocument": { "support": true } } }));
    editor.open(MODEL);
    let answer = editor.ask(EXECUTE, command("verify")).unwrap();
    assert_eq!(answer["document"], "file:///tmp/a%20report.txt");
    assert_eq!(editor.told("window/showDocument")["uri"], "file:///tmp/a%20report.txt");
}

#[test]
fn the_server_answers_during_a_search_which_can_be_cancelled() {
    let mut editor = Editor::with(&json!({ "window": { "workDoneProgress": true } }));
    editor.open(&format!("(* forever *) {MODEL}"));
    let search = editor.send(EXECUTE, command("verify"));
    let token = editor.told("window/workDoneProgress/create")["token"].clone();
    let begin = editor.told("$/progress");
    assert_eq!((&begin["token"], &begin["value"]["title"]), (&token, &json!("verifying")));
    assert_eq!(editor.told("$/progress")["value"]["message"], "still at it");
    assert!(editor.ask_at("textDocument/hover", (1, 5)).unwrap().is_object());
    editor.tell("$/cancelRequest", json!({ "id": search }));
    assert_eq!(editor.answer(search).unwrap_err(), "cancelled");
    loop {
        let progress = editor.told("$/progress");
        if progress["value"]["kind"] == "end" {
            break;
        }
    }
}

#[test]
fn a_search_can_be_cancelled_by_its_progress() {
    let mut editor = Editor::start();
    editor.open(&format!("(* forever *) {MODEL}"));
    let mut asked = command("explore");
    asked["workDoneToken"] = json!("mine");
    let search = editor.send(EXECUTE, asked);
    assert_eq!(editor.told("$/progress")["token"], "mine");
    editor.tell("window/workDoneProgress/cancel", json!({ "token": "other" }));
    editor.tell("window/workDoneProgress/cancel", json!({ "token": "mine" }));
    assert_eq!(editor.answer(search).unwrap_err(), "cancelled");
}

#[test]
fn a_second_search_and_an_edit_end_the_first() {
    let mut editor = Editor::start();
    editor.open(&format!("(* forever *) {MODEL}"));
    let first = editor.send(EXECUTE, command("verify"));
    let second = editor.send(EXECUTE, command("explore"));
    assert_eq!(editor.answer(first).unwrap_err(), "another search has taken its place");
    editor.change_silently(&json!([{ "text": MODEL }]));
    assert_eq!(editor.answer(second).unwrap_err(), "the text was changed, so this was given up");
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    assert_eq!(editor.ask(EXECUTE, command("verify")).unwrap()["verdict"], "unsafe");
    // The editor may leave in the middle of a search.
    editor.change_silently(&json!([{ "text": "(* forever *)" }]));
    editor.send(EXECUTE, command("verify"));
    editor.ask("shutdown", Value::Null).unwrap();
    editor.tell("exit", Value::Null);
    assert_eq!(editor.wait_for_end(), polycube_lsp::Ended::Properly);
}

#[test]
fn what_cannot_be_done_is_said() {
    let mut editor = Editor::start();
    editor.open(&format!("(* impossible *) {MODEL}"));
    assert_eq!(editor.ask(EXECUTE, command("verify")).unwrap_err(), "this is impossible");
    let refused = editor.ask(EXECUTE, command("prove")).unwrap_err();
    assert!(refused.contains("`polycube.verify` and `polycube.explore`"), "{refused}");
    let refused = editor.ask(EXECUTE, json!({ "command": "polycube.verify", "arguments": [] })).unwrap_err();
    assert!(refused.contains("expected the address of a document"), "{refused}");
    let given = json!([{ "uri": URI, "processes": 2 }]);
    assert!(editor.ask(EXECUTE, json!({ "command": "polycube.explore", "arguments": given })).is_err());
}
