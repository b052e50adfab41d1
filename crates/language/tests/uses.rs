//! The table of uses: every name refers to what the checker takes it for.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use polycube_language::check::{Checked, check};
use polycube_language::diagnostic::{Code, Diagnostics};
use polycube_language::span::Span;
use polycube_language::system::SymbolKind;
use polycube_language::token::{TokenKind, tokenize};
use polycube_language::uses::{Binder, DefinitionKind, Role, Uses};
use polycube_testing::{Model, models, without_names};

/// Every thing gets a name of its own, wherever the table says that a word refers to it. If the table were
/// wrong anywhere, the model would mean something else, or nothing.
#[test]
fn a_model_means_the_same_when_everything_is_renamed() {
    let mut definitions = 0;
    for Model { path, text: source } in correct_models() {
        let Checked { system, uses, diagnostics } = check(&source);
        let uses = uses.sorted();
        // What a predicate takes from its callers has several names then.
        if diagnostics.iter().any(|diagnostic| diagnostic.code == Code::Captured) {
            continue;
        }
        let renamed = rename_everything(&source, &uses);
        let again = check(&renamed);
        let Some(system_again) = again.system else {
            panic!("{}: {:?}\n{renamed}", path.display(), again.diagnostics)
        };
        assert_eq!(without_names(&system.unwrap()), without_names(&system_again), "{}", path.display());
        assert_eq!(uses.all().len(), again.uses.sorted().all().len(), "{}", path.display());
        definitions += uses.definitions().len();
    }
    assert!(definitions > 1_000, "only {definitions} definitions");
}

#[test]
fn every_name_of_a_correct_model_is_resolved() {
    for Model { path, text: source } in correct_models() {
        let uses = check(&source).uses.sorted();
        for token in tokenize(&source, &mut Diagnostics::default()).tokens {
            let text = token.span.text(&source);
            let predefined = ["proc", "bool", "mbool", "int", "real", "True", "False"].contains(&text);
            if matches!(token.kind, TokenKind::Lower | TokenKind::Upper) && !predefined {
                assert!(uses.is_resolved(token.span), "{}: `{text}`", path.display());
            }
        }
    }
}

#[test]
fn names_are_resolved_in_a_model_with_mistakes() {
    let source = "type t = A | B  var X : t  var Y : nothing
        init () { X = A }
        transition go (p) requires { X = Zork && X = B } { X := A; Z := B }";
    let Checked { uses, system, .. } = check(source);
    let uses = uses.sorted();
    assert!(system.is_none());
    let (_, x) = uses.at(source.find("X = Zork").unwrap() as u32).unwrap();
    assert_eq!(x.kind, DefinitionKind::Symbol(SymbolKind::Variable));
    let roles: Vec<Role> = uses.of(x).map(|one| one.role).collect();
    assert_eq!(roles, [Role::Declares, Role::Reads, Role::Reads, Role::Reads, Role::Updates]);
    assert_eq!(uses.type_of(x).map(|ty| ty.name.text(source)), Some("t"));
    let ty = uses.type_of(x).unwrap();
    let constructors: Vec<&str> = uses.constructors(ty).map(|one| one.name.text(source)).collect();
    assert_eq!(constructors, ["A", "B"]);
    assert!(uses.at(source.find("Zork").unwrap() as u32).is_none());
}

#[test]
fn a_name_that_a_predicate_takes_from_its_callers_refers_to_theirs() {
    let source = "array A[proc] : bool
        predicate f() { A[p] }
        init (p) { not A[p] } unsafe (p) { f() } unsafe (p q) { f() && A[q] }
        transition t (q) { A[q] := True }";
    let uses = check(source).uses.sorted();
    let word = source.find("p] }").unwrap() as u32;
    let definitions: Vec<Span> = uses
        .inside(Span::new(word, word + 1))
        .iter()
        .map(|one| uses.definition(one.definition).unwrap().name)
        .collect();
    assert_eq!(definitions.len(), 2);
    let (_, first) = uses.at(word).unwrap();
    assert_eq!(first.kind, DefinitionKind::Local(Binder::PropertyParameter));
}

#[test]
fn local_names_are_visible_where_they_are_bound() {
    let source = "array A[proc] : bool init (p) { not A[p] }
        unsafe (p) { A[p] && (exists q. A[q]) && A[p] }
        transition t (r) { let x = A[r] in A[k] := case | k = r && x = True : False | _ : A[k] }";
    let uses = check(source).uses.sorted();
    let visible = |place: &str| -> Vec<&str> {
        let at = source.find(place).unwrap() as u32;
        let local = uses.visible_at(at).filter(|one| one.scope.is_some());
        local.map(|one| one.name.text(source)).collect()
    };
    assert_eq!(visible("A[q]"), ["p", "q"]);
    assert_eq!(visible(") && A[p]"), ["p", "q"]);
    assert_eq!(visible("&& A[p] }"), ["p"]);
    assert_eq!(visible("k = r"), ["r", "x", "k"]);
    assert_eq!(visible("A[r] in"), ["r"]);
}

fn correct_models() -> impl Iterator<Item = Model> {
    models("safe").into_iter().chain(models("unsafe"))
}

fn rename_everything(source: &str, uses: &Uses) -> String {
    let names: BTreeMap<Span, String> = uses
        .definitions()
        .iter()
        .enumerate()
        .map(|(number, definition)| {
            let first = definition.name.text(source).chars().next().unwrap();
            (definition.name, format!("{first}_{number}"))
        })
        .collect();
    let mut renamed = String::new();
    let mut end = 0;
    for one in uses.all() {
        assert!(one.span.start >= end, "two meanings of one word");
        write!(renamed, "{}{}", Span::new(end, one.span.start).text(source), names[&one.definition]).unwrap();
        end = one.span.end;
    }
    renamed + &source[end as usize..]
}
