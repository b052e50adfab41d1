//! A certificate that is changed in many ways, and what the program says about each. The solver agrees with everything, so that a
//! change that is not found is certified.

use std::path::PathBuf;

use super::*;

/// A change of a certificate, and what it is called.
pub type Change<'c> = (&'c str, &'c dyn Fn(&Path));

/// A certificate, and copies of it to be changed.
pub struct Bench {
    folder: TempDir,
    pub programs: Programs,
}

impl Bench {
    /// With the certificate of a model.
    pub fn new(model: &str) -> Bench {
        let folder = models();
        write_certificate(folder.path(), model, "good");
        Bench { folder, programs: Programs::agreeing() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A fresh copy.
    pub fn copy(&self) -> PathBuf {
        let copy = self.path().join("c");
        if copy.exists() {
            fs::remove_dir_all(&copy).expect("the copy is removed");
        }
        fs::create_dir(&copy).expect("a folder");
        for (name, bytes) in content(&self.path().join("good")) {
            fs::write(copy.join(name), bytes).expect("a file is written");
        }
        copy
    }

    pub fn check(&self, arguments: &[&str]) -> Output {
        run_with(&self.programs, self.path(), &[&["check-certificate", "c"], arguments].concat())
    }

    /// What is said about a copy that was changed this way: with the same words also as JSON.
    pub fn verdict(&self, change: &dyn Fn(&Path)) -> (i32, String) {
        change(&self.copy());
        let output = self.check(&[]);
        let text = err(&output).to_owned();
        assert_eq!(out(&output), "", "{text}");
        let as_json = self.check(&["--format", "json"]);
        let object = object(&as_json);
        assert_eq!(code(&output), code(&as_json));
        let said = match code(&output) {
            1 => {
                assert_eq!((&object["certified"], &object["directory"]), (&json!(false), &json!("c")));
                &object["changed"]
            }
            _ => &object["error"],
        };
        assert!(text.contains(said.as_str().expect("a message")), "{object}: {text}");
        let version = format!("polycube {}", env!("CARGO_PKG_VERSION"));
        (code(&output), text.trim_end().replace(&version, "polycube VERSION"))
    }

    /// All changes, with what is said about each.
    pub fn verdicts(&self, expected: i32, changes: &[Change<'_>]) -> String {
        let verdict = |(name, change): &Change<'_>| {
            let (code, text) = self.verdict(*change);
            assert_eq!(code, expected, "{name}: {text}");
            format!("{name}\n  {}\n", text.replace('\n', "\n  "))
        };
        changes.iter().map(verdict).collect()
    }
}

/// Changes a manifest.
pub fn edit(directory: &Path, change: impl Fn(&mut Value)) {
    let mut value = manifest(directory);
    change(&mut value);
    fs::write(directory.join("manifest.json"), value.to_string()).expect("a file is written");
}

/// Replaces a part of a file, which it has.
pub fn replace(directory: &Path, file: &str, from: &str, to: &str) {
    let text = fs::read_to_string(directory.join(file)).expect("text");
    assert!(text.contains(from), "{file} has no {from}");
    fs::write(directory.join(file), text.replacen(from, to, 1)).expect("a file is written");
}
