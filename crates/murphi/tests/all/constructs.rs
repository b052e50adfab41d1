//! Small models, each for one construct or a way in which constructs meet: translated once, and explored at sizes 1 to 3;
//! and translated at each of these sizes.
//!
//! A name that ends with `_bug` says that there is an error or a violated invariant at some size, `_refuse` that there is
//! no translation for every number of processes. A line `-- sizes: 2, 3` is for models that name more processes than the smaller sizes have.

use std::path::PathBuf;

use polycube_language::System;
use polycube_language::system::SymbolKind;
use polycube_murphi::check::check;
use polycube_murphi::model::{Model, TypeId};
use polycube_murphi::parameter::candidates;
use polycube_murphi::translate::{translate, translate_at_its_sizes};

use crate::comparison::Comparison;
use crate::interpreter::explore;

/// Larger explorations end after the layer in which this number is passed.
const MOST_STATES: usize = 400;

/// The constant that says how many processes there are.
pub const SIZE: &str = "N";

/// One of the models.
pub struct Construct {
    pub name: String,
    pub text: String,
}

pub fn constructs() -> Vec<Construct> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/all/constructs");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    paths.sort();
    assert!(paths.len() > 100, "{} models", paths.len());
    let construct = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a text");
        assert!(text.contains(&sized(3)), "{} says {SIZE} in another way", path.display());
        Construct { name: path.file_stem().expect("a name").to_string_lossy().into_owned(), text }
    };
    paths.into_iter().map(construct).collect()
}

/// How a model says its size.
fn sized(size: i64) -> String {
    format!("{SIZE}: {size};")
}

impl Construct {
    pub fn sizes(&self) -> Vec<i64> {
        let line = self.text.lines().find_map(|line| line.strip_prefix("-- sizes: "));
        let sizes = line.unwrap_or("1, 2, 3").split(", ");
        sizes.map(|size| size.parse().expect("a size")).collect()
    }

    /// The text with another size.
    pub fn text_of_size(&self, size: i64) -> String {
        self.text.replace(&sized(3), &sized(size))
    }

    pub fn model(&self, size: i64) -> Model {
        let checked = check(&self.text, &[(SIZE, size)]);
        let said: Vec<&String> = checked.diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
        checked.model.unwrap_or_else(|| panic!("{}: {said:?}", self.name))
    }

    /// What it is translated to, at the size of the file.
    fn translated(&self) -> Option<(TypeId, System)> {
        let model = check(&self.text, &[]).model.unwrap_or_else(|| panic!("{} is no model", self.name));
        let processes = *candidates(&model).first().expect("there is a type for processes");
        Some((processes, translate(&model, processes).ok()?))
    }

    /// What is wrong with its translations.
    fn mistake(&self) -> Option<String> {
        let is_refused = self.name.ends_with("_refuse");
        let for_all = self.translated();
        if for_all.is_some() == is_refused {
            return Some(format!("it is {}refused", if is_refused { "not " } else { "" }));
        }
        let mut has_bug = false;
        for size in self.sizes() {
            let model = self.model(size);
            let at_its_sizes = translate_at_its_sizes(&model).ok();
            let systems = for_all.iter().map(|(processes, system)| (Some(*processes), system));
            for (processes, system) in systems.chain(at_its_sizes.iter().map(|system| (None, system))) {
                let reached = match explore(&model, MOST_STATES) {
                    Ok(reached) => reached,
                    Err(span) => return Some(format!("an error in a start state at {span:?}")),
                };
                if let Err(what) = (Comparison { model: &model, system, processes }).compare(&reached) {
                    return Some(format!("at size {size} of {processes:?}, {what}\n{}", system.to_source()));
                }
                has_bug |= !reached.errors.is_empty() || !reached.violated.is_empty();
            }
        }
        (!is_refused && has_bug != self.name.ends_with("_bug"))
            .then(|| format!("something goes wrong: {has_bug}"))
    }
}

#[test]
fn constructs_are_translated_exactly() {
    let mistakes = constructs().into_iter().filter_map(|construct| {
        let mistake = construct.mistake()?;
        Some(format!("{}: {mistake}", construct.name))
    });
    let mistakes: Vec<String> = mistakes.collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn processes_that_only_invariants_name_are_no_constants() {
    let constants = |name: &str| {
        let construct =
            constructs().into_iter().find(|construct| construct.name == name).expect("it is there");
        let (_, system) = construct.translated().expect("it is not refused");
        let all = system.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Constant).count();
        (all, system.properties.iter().map(|property| property.parameters.len()).min())
    };
    assert_eq!(constants("literal_claimed"), (0, Some(2)));
    // A rule speaks of the third one, and the order of all counts.
    assert_eq!(constants("literal_index"), (3, Some(0)));
    assert_eq!(constants("literal_order"), (1, Some(0)));
}
