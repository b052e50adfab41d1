//! Renaming.

use polycube_language::check::check;
use polycube_language::diagnostic::Code;
use polycube_testing::generate::{Profile, Random, random_system};
use polycube_testing::{for_seeds, without_names};
use serde_json::{Value, json};

use crate::MODEL;
use crate::editor::{Editor, URI, at, edited, place};

/// The text after renaming what is at a place, or why it cannot be renamed.
fn renamed(editor: &mut Editor, text: &str, place: (u32, u32), name: &str) -> Result<String, String> {
    let mut asked = at(place);
    asked["newName"] = json!(name);
    let edit = editor.ask("textDocument/rename", asked)?;
    Ok(edited(text, &edit["changes"][URI]))
}

#[test]
fn every_use_is_renamed() {
    let mut editor = Editor::with(&json!({ "textDocument": { "rename": { "prepareSupport": true } } }));
    editor.open(MODEL);
    let place_of_use = place(MODEL, "Token = p");
    let prepared = editor.ask_at("textDocument/prepareRename", place_of_use).unwrap();
    assert_eq!(prepared["placeholder"], "Token");
    assert_eq!(editor.ask_at("textDocument/prepareRename", place(MODEL, "requires")).unwrap(), Value::Null);
    assert_eq!(renamed(&mut editor, MODEL, place_of_use, "T").unwrap(), MODEL.replace("Token", "T"));
    let text = renamed(&mut editor, MODEL, place(MODEL, "inside(q)"), "is_there").unwrap();
    assert_eq!(text, MODEL.replace("inside", "is_there"));
    // The parameter of one clause.
    let text = renamed(&mut editor, MODEL, place(MODEL, "p) { Place[p] = Outside }"), "r").unwrap();
    assert_eq!(text, MODEL.replace("init (p) { Place[p]", "init (r) { Place[r]"));
}

#[test]
fn names_that_do_not_fit_are_refused() {
    let mut editor = Editor::start();
    editor.open(MODEL);
    let mut refused = |word: &str, name: &str| {
        renamed(&mut editor, MODEL, place(MODEL, word), name).expect_err("it should be refused")
    };
    assert!(refused("Token", "token").contains("starts with an upper-case letter"));
    assert!(refused("enter", "a b").contains("letters, digits and `_`"));
    assert!(refused("inside", "").contains("starts with a lower-case letter"));
    assert!(refused("inside", "é").contains("starts with a lower-case letter"));
    assert_eq!(refused("inside", "forall"), "`forall` is a word of the language");
    assert_eq!(refused("Token", "Inside"), "`Inside` is already the name of something else: see line 1");
    assert_eq!(refused("Token", "True"), "`True` is already the name of something else");
    assert!(refused("p q) { inside", "q").starts_with("`q` is already the name of something else"));
    assert_eq!(refused("requires", "x"), "there is no name here that the model declares");
}

#[test]
fn a_name_that_another_one_would_catch_is_refused() {
    let text = "array A[proc] : bool
init (p) { not A[p] }
unsafe (p) { A[p] && (forall q. A[p] || not A[q]) }
transition t (p) { A[p] := True }
";
    let mut editor = Editor::start();
    editor.open(text);
    let bound = place(text, "q. A[p]");
    let refused = renamed(&mut editor, text, bound, "p").unwrap_err();
    assert!(refused.contains('p') && refused.contains("line 3"), "{refused}");
    let parameter = place(text, "p) { A[p] && ");
    assert!(renamed(&mut editor, text, parameter, "q").is_err());
    assert!(renamed(&mut editor, text, bound, "r").is_ok());
}

#[test]
fn nothing_is_renamed_where_a_mistake_hides_a_use() {
    let text = MODEL.replace("Token := ?", "Token := Token = p && Token = p");
    let mut editor = Editor::start();
    editor.open(&text);
    let refused = renamed(&mut editor, &text, place(&text, "Token : proc"), "T").unwrap_err();
    assert_eq!(refused, "the `Token` in line 12 stands where the model has a mistake: correct it first");
}

/// Whatever is renamed, to a new name or to one that occurs: it is refused, or the model means the same.
#[test]
fn random_models_mean_the_same_when_something_is_renamed() {
    for_seeds!(60, |seed| {
        let text = random_system(seed, &Profile::ALL).to_source();
        let checked = check(&text);
        let Some(system) = &checked.system else { return };
        let uses = checked.uses.sorted();
        if checked.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::Captured) {
            return;
        }
        let mut editor = Editor::start();
        editor.open(&text);
        let mut random = Random::new(seed);
        let definitions = uses.definitions();
        let mut accepted = 0;
        for _ in 0..10 {
            let definition = random.pick(definitions);
            let offset = definition.name.start as usize;
            let line = text[..offset].matches('\n').count() as u32;
            let column = offset - text[..offset].rfind('\n').map_or(0, |end| end + 1);
            let old = definition.name.text(&text);
            let name = match random.one_in(2) {
                true => format!("{}_new", &old[..1]),
                false => random.pick(definitions).name.text(&text).to_owned(),
            };
            let Ok(renamed) = renamed(&mut editor, &text, (line, column as u32), &name) else { continue };
            accepted += 1;
            let again = check(&renamed).system;
            let again = again.unwrap_or_else(|| panic!("`{old}` to `{name}`:\n{text}"));
            assert_eq!(without_names(system), without_names(&again), "`{old}` to `{name}`:\n{text}");
        }
        assert!(accepted > 0, "{text}");
    });
}
