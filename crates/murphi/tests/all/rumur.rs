//! The interpreter against rumur, on the models for single constructs (of larger ones, rumur chokes on some): as many states and rules fired, or an error in both.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use polycube_murphi::model::Model;
use polycube_testing::generate::Random;
use polycube_testing::{for_seeds, skip_without_tool};

use crate::constructs::{Construct, constructs};
use crate::interpreter::explore;

/// Models with more states say nothing more.
const MOST_STATES: usize = 5000;

#[test]
fn random_constructs_mean_what_rumur_says() {
    let is_installed = |program| Command::new(program).arg("--version").output().is_ok();
    if !["rumur", "cc"].into_iter().all(is_installed) {
        return skip_without_tool("rumur and cc are not both installed");
    }
    let constructs: Vec<Construct> = constructs()
        .into_iter()
        .filter(|construct| !construct.name.ends_with("_refuse") && is_known(&construct.text))
        .collect();
    for_seeds!(6, |seed| {
        let mut random = Random::new(seed);
        let construct = random.pick(&constructs);
        let size = *random.pick(&construct.sizes());
        let text = construct.text_of_size(size);
        compare(seed, &text, &construct.model(size));
    });
}

/// Whether rumur has all that a model uses.
fn is_known(text: &str) -> bool {
    !text.contains("-- not for rumur")
        && !text.contains("union")
        && !text.contains(":= undefined")
        && !text.contains("ismember")
}

fn compare(seed: u64, text: &str, model: &Model) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rumur-{seed}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let expected = explore(model, MOST_STATES);
    // It is an error there to copy an undefined value.
    let is_comparable = match &expected {
        Ok(reached) => !reached.copies_undefined && (reached.is_complete || !reached.errors.is_empty()),
        Err(_) => true,
    };
    if is_comparable {
        let found = counted_by_rumur(text, &folder);
        let numbers =
            expected.ok().filter(|reached| reached.errors.is_empty() && reached.violated.is_empty());
        let numbers = numbers.map(|reached| {
            let fired: u64 = reached.states.values().filter_map(|expanded| expanded.fired).sum();
            (reached.states.len() as u64, fired)
        });
        assert_eq!(numbers, found, "seed {seed}: states and rules fired, here and by rumur\n{text}");
    }
    std::fs::remove_dir_all(&folder).expect("a folder");
}

/// How many states there are, and how often rules fire; nothing if an error is found.
fn counted_by_rumur(text: &str, folder: &Path) -> Option<(u64, u64)> {
    std::fs::write(folder.join("model.m"), text).expect("a file");
    let run = |program: &Path, arguments: &[&str]| -> Output {
        Command::new(program).current_dir(folder).args(arguments).output().expect("the program runs")
    };
    let made = [
        "--symmetry-reduction=off",
        "--deadlock-detection=off",
        "--threads=1",
        "--output=model.c",
        "model.m",
    ];
    let output = run(Path::new("rumur"), &made);
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    // Checkers want wide atomic operations, which not every machine offers without being asked.
    let wide: &[&str] = if cfg!(target_arch = "x86_64") { &["-mcx16"] } else { &[] };
    let compiled = ["-O0", "-std=c11", "-w", "-o", "checker", "model.c", "-lpthread"];
    let output = run(Path::new("cc"), &[wide, &compiled].concat());
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    let output = run(&folder.join("checker"), &[]);
    if !output.status.success() {
        return None;
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let line = said.lines().find(|line| line.contains(" rules fired")).expect("numbers");
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    Some((numbers[0], numbers[1]))
}
