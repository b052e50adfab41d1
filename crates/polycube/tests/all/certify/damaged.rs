//! Certificates with random damage: whatever is wrong is found and named, and never is the program itself to blame.

use std::path::PathBuf;

use super::*;

/// How many certificates are damaged in each way.
const COUNT: usize = 100;

/// Numbers that look random, and are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        // Xorshift, by Marsaglia.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn choose<'c, T>(&mut self, choice: &'c [T]) -> &'c T {
        &choice[self.below(choice.len())]
    }
}

struct Bench {
    folder: TempDir,
    programs: Programs,
    good: BTreeMap<String, Vec<u8>>,
}

impl Bench {
    fn new(model: &str) -> Bench {
        let folder = models();
        write_certificate(folder.path(), model, "c");
        let good = content(&folder.path().join("c"));
        // Whatever gets as far as the solver is not found.
        Bench { folder, programs: Programs::none().with("z3", "exit 1"), good }
    }

    /// Checks the certificate with another file in place of one of its own.
    fn check(&self, name: &str, bytes: &[u8]) {
        let file: PathBuf = self.folder.path().join("c").join(name);
        fs::write(&file, bytes).expect("a file is written");
        let output = run_with(&self.programs, self.folder.path(), &["check-certificate", "c"]);
        fs::write(&file, &self.good[name]).expect("a file is written");
        let (code, text) = (code(&output), err(&output));
        let shown = String::from_utf8_lossy(bytes);
        if self.means_the_same(name, bytes) {
            assert_eq!((code, text), (3, ""), "{name} is another text, and means the same:\n{shown}");
            return;
        }
        assert!(code == 1 || code == 2, "exit code {code}: {text}\n{name} is:\n{shown}");
        assert_eq!(out(&output), "");
        let is_named = |name: &String| text.contains(&format!("`{name}`"));
        assert!(self.good.keys().any(is_named), "{text}\n{name} is:\n{shown}");
    }

    /// The layout of a manifest is no matter, and neither is its origin.
    fn means_the_same(&self, name: &str, bytes: &[u8]) -> bool {
        if self.good[name] == bytes {
            return true;
        }
        let meaning = |bytes: &[u8]| -> Option<Value> {
            let mut value: Value = serde_json::from_slice(bytes).ok()?;
            let origin = value.get_mut("origin")?;
            let words = ["tool", "file", "engine", "search"];
            let is_origin = origin.as_object().is_some_and(|origin| {
                origin.len() == words.len()
                    && words.iter().all(|word| origin.get(*word).is_some_and(Value::is_string))
            });
            *origin = Value::Bool(is_origin);
            Some(value)
        };
        name == "manifest.json"
            && meaning(bytes).is_some_and(|found| meaning(&self.good[name]) == Some(found))
    }
}

#[test]
fn bytes() {
    let mut random = Random(1);
    for model in ["mutex.cub", "peterson_two.cub"] {
        let bench = Bench::new(model);
        let names: Vec<&String> = bench.good.keys().collect();
        for _ in 0..COUNT {
            // The manifest has the most to say.
            let name = if random.below(2) == 0 { "manifest.json" } else { random.choose(&names) };
            let mut bytes = bench.good[name].clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                let end = (at + 1 + random.below(8)).min(bytes.len());
                match random.below(4) {
                    0 => bytes[at] ^= 1 << random.below(8),
                    1 => drop(bytes.drain(at..end)),
                    2 => {
                        let again = bytes[at..end].to_vec();
                        bytes.splice(at..at, again);
                    }
                    _ => {
                        let other = random.below(bytes.len());
                        bytes.swap(at, other);
                    }
                }
            }
            bench.check(name, &bytes);
        }
    }
}

/// The leaves of a value.
fn leaves<'v>(value: &'v mut Value, found: &mut Vec<&'v mut Value>) {
    match value {
        Value::Array(parts) => parts.iter_mut().for_each(|part| leaves(part, found)),
        Value::Object(parts) => parts.values_mut().for_each(|part| leaves(part, found)),
        leaf => found.push(leaf),
    }
}

/// Manifests that can be read, and say something else.
#[test]
fn words() {
    let strange = [
        json!(null),
        json!(0),
        json!(u64::MAX),
        json!(-1),
        json!(1e300),
        json!(""),
        json!("1 p1 p1"),
        json!("2 o18446744073709551615 #1"),
        json!("1 Turn Turn"),
        json!("z1"),
        json!("True"),
        json!("forall z. Turn = z"),
        json!("\u{0}"),
        json!([]),
        json!({}),
        json!(["1 o1 o2"]),
    ];
    let mut random = Random(2);
    for model in ["mutex.cub", "peterson_two.cub"] {
        let bench = Bench::new(model);
        let good: Value = serde_json::from_slice(&bench.good["manifest.json"]).expect("a manifest is JSON");
        for _ in 0..COUNT {
            let mut value = good.clone();
            let mut places = Vec::new();
            leaves(&mut value, &mut places);
            let all: Vec<Value> = places.iter().map(|place| (*place).clone()).collect();
            let at = random.below(places.len());
            let new = if random.below(2) == 0 { random.choose(&strange) } else { random.choose(&all) };
            *places[at] = new.clone();
            bench.check("manifest.json", value.to_string().as_bytes());
        }
    }
}
