//! The server, as an editor sees it.

mod editor;
mod names;
mod protocol;
mod searches;

use serde_json::{Value, json};

use editor::{Editor, URI, at, edited, place};

/// Two of everything, and not in canonical layout.
pub const MODEL: &str = "type place = Outside | Inside
var Token : proc
array Place[proc] : place
predicate inside(p) { Place[p] = Inside }
init (p) { Place[p] = Outside }
unsafe (p q) { inside(p) && inside(q) }
transition enter (p)
requires { Place[p] = Outside && Token = p }
{ Place[p] := Inside; }
transition leave (p)
requires { Place[p] = Inside }
{ Place[p] := Outside; Token := ?; }
";

#[test]
fn mistakes_are_told_with_their_places() {
    let mut editor = Editor::start();
    assert_eq!(editor.open(MODEL), Vec::<Value>::new());
    let wrong = MODEL.replace("Token : proc", "Token : porc").replace("Inside\nvar", "Inside | Inside\nvar");
    let told = editor.change(&json!([{ "text": wrong }]));
    let codes: Vec<&str> = told.iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["duplicate-name", "unknown-name"]);
    assert_eq!(told[0]["relatedInformation"][0]["message"], "first declared here");
    assert_eq!(told[0]["relatedInformation"][0]["location"]["range"]["start"]["character"], 23);
    let message = told[1]["message"].as_str().unwrap();
    assert_eq!(message, "unknown type `porc`\nnot declared\nhelp: did you mean `proc`?");
    assert_eq!(told[1]["range"]["start"], json!({ "line": 1, "character": 12 }));
    assert_eq!(told[1]["severity"], 1);
    // A syntax error.
    let told = editor.change(&json!([{ "text": MODEL.replace("unsafe (p q) {", "unsafe (p q) { &&") }]));
    assert_eq!(told[0]["code"], "syntax");
    // And all is well again.
    assert_eq!(editor.change(&json!([{ "text": MODEL }])), Vec::<Value>::new());
}

#[test]
fn columns_are_counted_as_was_agreed() {
    let text = "(* é𝄞 *) var X : porc\n";
    let (mut editor, answer) = Editor::greeted(&json!({}));
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(editor.open(text)[0]["range"]["start"]["character"], 18);
    let (mut editor, answer) =
        Editor::greeted(&json!({ "general": { "positionEncodings": ["utf-32", "utf-8", "utf-16"] } }));
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(editor.open(text)[0]["range"]["start"]["character"], 21);
}

#[test]
fn the_layout_is_made_canonical() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let asked = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = editor.ask("textDocument/formatting", asked.clone()).unwrap();
    let formatted = edited(MODEL, &edits);
    assert_eq!(formatted, polycube_language::format(MODEL).unwrap());
    assert_ne!(formatted, MODEL);
    editor.change(&json!([{ "text": formatted }]));
    assert_eq!(editor.ask("textDocument/formatting", asked.clone()).unwrap(), json!([]));
    // A syntax error.
    editor.change(&json!([{ "text": MODEL.replace("Token = p }", "Token = }") }]));
    assert_eq!(editor.ask("textDocument/formatting", asked).unwrap(), Value::Null);
}

#[test]
fn what_is_declared_is_listed() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let asked = json!({ "textDocument": { "uri": URI } });
    let symbols = editor.ask("textDocument/documentSymbol", asked).unwrap();
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect();
    let expected = ["place", "Token", "Place", "inside", "init (p)", "unsafe (p q)", "enter", "leave"];
    assert_eq!(names, expected);
    assert_eq!(symbols[0]["children"][1]["name"], "Inside");
    assert_eq!(symbols[2]["detail"], "place");
}

#[test]
fn what_the_checker_suggests_is_a_fix() {
    let mut editor = Editor::start();
    let wrong = MODEL.replace("Token = p", "Tokn = p");
    let told = editor.open(&wrong);
    let range = told[0]["range"].clone();
    let asked = json!({ "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] } });
    let fixes = editor.ask("textDocument/codeAction", asked).unwrap();
    assert_eq!(fixes[0]["title"], "write `Token`");
    assert_eq!(edited(&wrong, &fixes[0]["edit"]["changes"][URI]), MODEL);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
    let asked = json!({ "textDocument": { "uri": URI }, "range": range, "context": { "diagnostics": [] } });
    assert_eq!(editor.ask("textDocument/codeAction", asked).unwrap(), json!([]));
}

#[test]
fn what_fits_is_offered() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let mut offered = |before: &str, after: &str| -> Vec<String> {
        let text = MODEL.replace("array Place", &format!("{before}{after}\narray Place"));
        editor.change_silently(&json!([{ "text": text }]));
        let (line, start) = place(&text, &format!("{before}{after}\narray Place"));
        let lines = before.matches('\n').count() as u32;
        let column = before.rfind('\n').map_or(start as usize + before.len(), |end| before.len() - end - 1);
        let items = editor.ask_at("textDocument/completion", (line + lines, column as u32)).unwrap();
        let mut items: Vec<(String, String)> = items
            .as_array()
            .unwrap()
            .iter()
            .map(|item| {
                let text = |name: &str| item[name].as_str().unwrap().to_owned();
                (text("sortText"), text("label"))
            })
            .collect();
        items.sort();
        items.into_iter().map(|(_, label)| label).collect()
    };
    assert_eq!(offered("var X : ", ""), ["place", "bool", "int", "proc", "real"]);
    assert_eq!(offered("var X : p", ""), ["place", "bool", "int", "proc", "real"]);
    assert!(offered("", "").contains(&"transition".to_owned()));
    assert_eq!(offered("transition t (x) ", ""), ["requires"]);
    // Complete, and not to be read: the parameters are known in any case.
    for after in [" }", ""] {
        let offered = offered("unsafe (x y) {\n  Place[x] = ", after);
        assert_eq!(offered[..2], ["Inside", "Outside"]);
        for name in ["x", "y", "Token", "forall", "True"] {
            assert!(offered.iter().any(|label| label == name), "{name}");
        }
        assert!(!offered.iter().any(|label| label == "enter" || label == "place"));
    }
    assert_eq!(offered("(* var X : ", " *)"), Vec::<String>::new());
    assert_eq!(offered("type t = ", "A"), Vec::<String>::new());
}

#[test]
fn a_name_is_explained() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let mut hover = |word: &str| {
        let answer = editor.ask_at("textDocument/hover", place(MODEL, word)).unwrap();
        answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(
        hover("Place[p] = Outside }"),
        "```cub\narray Place[proc] : place\n```\narray: a value of type `place` for each process\n\n\
         Changed by `enter` (line 9), `leave` (line 12)."
    );
    assert_eq!(hover("Inside\nvar"), "```cub\ntype place = Outside | Inside\n```\nvalue of the type `place`");
    assert!(hover("Token : proc").ends_with("variable of type `proc`\n\nChanged by `leave` (line 12)."));
    assert!(
        hover("p)\nrequires { Place[p] = Out").contains("parameter of the transition `enter`: any process")
    );
    assert!(hover("p) { Place").contains("parameter of the predicate `inside`"));
    assert_eq!(hover("requires"), "");
}

#[test]
fn names_lead_to_their_declarations_and_uses() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let found = editor.ask_at("textDocument/definition", place(MODEL, "inside(q)")).unwrap();
    assert_eq!(found[0]["range"]["start"], json!({ "line": 3, "character": 10 }));
    let mut asked = at(place(MODEL, "Token = p"));
    asked["context"] = json!({ "includeDeclaration": true });
    let found = editor.ask("textDocument/references", asked.clone()).unwrap();
    let lines: Vec<u64> =
        found.as_array().unwrap().iter().map(|one| one["range"]["start"]["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 7, 11]);
    asked["context"] = json!({ "includeDeclaration": false });
    assert_eq!(editor.ask("textDocument/references", asked).unwrap().as_array().unwrap().len(), 2);
    let found = editor.ask_at("textDocument/documentHighlight", place(MODEL, "Token = p")).unwrap();
    let kinds: Vec<u64> = found.as_array().unwrap().iter().map(|one| one["kind"].as_u64().unwrap()).collect();
    assert_eq!(kinds, [2, 2, 3]);
    assert_eq!(editor.ask_at("textDocument/definition", place(MODEL, "proc]")).unwrap(), Value::Null);
}
