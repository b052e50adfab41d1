//! The protocol, and clients that do not keep to it.

use std::sync::Arc;

use lsp_server::{Message, Notification, Request};
use polycube_lsp::{Connection, Ended, serve};
use polycube_testing::for_seeds;
use polycube_testing::generate::Random;
use serde_json::{Value, json};

use crate::MODEL;
use crate::editor::{Editor, Lying, URI, at};

#[test]
fn a_client_leaves() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    assert_eq!(editor.ask("shutdown", Value::Null).unwrap(), Value::Null);
    let refused = editor.ask_at("textDocument/hover", (0, 0)).unwrap_err();
    assert_eq!(refused, "the server was asked to shut down");
    editor.tell("exit", Value::Null);
    assert_eq!(editor.wait_for_end(), Ended::Properly);
}

#[test]
fn a_client_disappears() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    assert_eq!(editor.disappear(), Ended::Suddenly);
    let mut editor = Editor::start();
    editor.tell("exit", Value::Null);
    assert_eq!(editor.wait_for_end(), Ended::Suddenly);
}

#[test]
fn what_is_not_known_is_refused_or_ignored() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let refused = editor.ask("textDocument/semanticTokens/full", json!({})).unwrap_err();
    assert_eq!(refused, "there is no method `textDocument/semanticTokens/full`");
    editor.tell("textDocument/didSomething", json!({ "uri": 7 }));
    editor.tell("textDocument/didChange", json!({ "uri": 7 }));
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": "file:///other", "version": 1 }, "contentChanges": [] }),
    );
    assert!(editor.ask("textDocument/hover", json!({ "position": "here" })).is_err());
    let mut elsewhere = at((0, 0));
    elsewhere["textDocument"]["uri"] = json!("file:///other.cub");
    let refused = editor.ask("textDocument/hover", elsewhere).unwrap_err();
    assert_eq!(refused, "the document `file:///other.cub` is not open");
    // The server still works.
    assert!(editor.ask_at("textDocument/hover", (1, 5)).unwrap().is_object());
}

#[test]
fn places_that_do_not_exist_are_no_harm() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    for place in [(0, 1_000), (1_000, 0), (u32::MAX, u32::MAX)] {
        for method in ["hover", "definition", "documentHighlight", "completion", "prepareRename"] {
            editor.ask_at(&format!("textDocument/{method}"), place).unwrap();
        }
    }
    let nowhere = json!({ "start": { "line": 99, "character": 7 }, "end": { "line": 3, "character": 0 } });
    editor.change(&json!([{ "range": nowhere, "text": "(* the end *)" }]));
    let told = editor.change(&json!([{ "range": nowhere, "text": "var X : int" }]));
    assert_eq!(told[0]["code"], "unused");
    let negative = json!({ "start": { "line": -1, "character": 0 }, "end": { "line": 0, "character": 0 } });
    editor.change_silently(&json!([{ "range": negative, "text": "?" }]));
    assert!(editor.ask_at("textDocument/hover", (1, 5)).unwrap().is_object());
}

#[test]
fn a_closed_document_is_forgotten() {
    let mut editor = Editor::start();
    editor.open("rubbish");
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    let told = editor.told("textDocument/publishDiagnostics");
    assert_eq!(told["diagnostics"], json!([]));
    assert!(editor.ask_at("textDocument/hover", (0, 0)).is_err());
}

#[test]
fn a_huge_text_is_not_checked() {
    let mut editor = Editor::start();
    let told = editor.open(&"var X : int\n".repeat(2_000_000));
    assert_eq!(told.len(), 1);
    assert!(told[0]["message"].as_str().unwrap().contains("too large"));
    assert_eq!(editor.ask_at("textDocument/hover", (0, 4)).unwrap(), Value::Null);
    let search = json!({ "command": "polycube.verify", "arguments": [URI] });
    assert!(editor.ask("workspace/executeCommand", search).unwrap_err().contains("too large"));
    assert_eq!(editor.change(&json!([{ "text": MODEL }])), Vec::<Value>::new());
}

/// A hundred edits that have arrived before anything was checked: only the last text is.
#[test]
fn old_texts_are_not_checked() {
    let (ours, theirs) = Connection::memory();
    let send = |method: &str, params: Value| {
        let told = Notification { method: method.to_owned(), params };
        ours.sender.send(Message::Notification(told)).unwrap();
    };
    let greeting = json!({ "capabilities": {} });
    let greeting = Request { id: 1.into(), method: "initialize".to_owned(), params: greeting };
    ours.sender.send(Message::Request(greeting)).unwrap();
    send("initialized", json!({}));
    let document = json!({ "uri": URI, "languageId": "", "version": 0, "text": MODEL });
    send("textDocument/didOpen", json!({ "textDocument": document }));
    let start = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    for version in 1..=100 {
        let document = json!({ "uri": URI, "version": version });
        let changes = json!([{ "range": start, "text": " " }]);
        send("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }
    let server = std::thread::spawn(move || serve(&theirs, Arc::new(Lying), "0"));
    let told = ours.receiver.iter().find_map(|message| match message {
        Message::Notification(told) if told.method == "textDocument/publishDiagnostics" => Some(told.params),
        _ => None,
    });
    assert_eq!(told.unwrap()["version"], 100);
    drop(ours);
    assert_eq!(server.join().unwrap(), Ended::Suddenly);
}

/// After any edits, the server has the text that the editor has.
#[test]
fn random_edits_are_followed() {
    for_seeds!(40, |seed| {
        let mut random = Random::new(seed);
        let mut editor = Editor::start();
        let mut text: Vec<u16> = MODEL.encode_utf16().collect();
        editor.open(MODEL);
        for _ in 0..20 {
            let end = random.below(text.len() + 1);
            let start = end.saturating_sub(random.below(12));
            // An editor does not cut characters in two.
            let cuts = |at: usize| text.get(at).is_some_and(|unit| (0xDC00..0xE000).contains(unit));
            // Nor line ends.
            let splits = |at: usize| at > 0 && text.get(at - 1) == Some(&13) && text.get(at) == Some(&10);
            if cuts(start) || cuts(end) || splits(start) || splits(end) {
                continue;
            }
            let pieces = ["", "X", "(* é𝄞 *)", "\n", "\r\n", "&& ", "}", "unsafe (p) { ", "𝄞", "var "];
            let piece = *random.pick(&pieces);
            let range = json!({ "start": position(&text, start), "end": position(&text, end) });
            text.splice(start..end, piece.encode_utf16());
            editor.change_silently(&json!([{ "range": range, "text": piece }]));
        }
        // One more, so that there is something to be told.
        editor.change_silently(&json!([]));
        let told = editor.diagnostics();
        let whole = String::from_utf16(&text).unwrap();
        assert_eq!(told, editor.open(&whole), "{whole}");
    });
}

fn position(text: &[u16], offset: usize) -> Value {
    let before = &text[..offset];
    let ends = |at: &usize| before[*at] == 10 || before[*at] == 13 && text.get(at + 1) != Some(&10);
    let ends: Vec<usize> = (0..offset).filter(ends).collect();
    let start = ends.last().map_or(0, |end| end + 1);
    json!({ "line": ends.len(), "character": offset - start })
}
