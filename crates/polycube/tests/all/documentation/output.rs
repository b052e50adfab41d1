//! What the pages show is what the program prints, apart from what differs from machine to machine.

use std::path::Path;
use std::process::Command;

use polycube_testing::repository;
use tempfile::TempDir;

use super::pages::{Page, page};
use crate::program::{folder, out, run_program};

/// Runs every command that a page shows, one after the other, and compares. Says how many there are. `place` says where a
/// command runs.
fn shows_real_output<'f>(page: &Page, place: impl Fn(&str) -> &'f Path) -> usize {
    let program = env!("CARGO_BIN_EXE_polycube");
    let mut count = 0;
    for block in page.blocks().iter().filter(|block| block.language == "console") {
        let (command, expected) = block.text.split_once('\n').expect("a command");
        let starts = ["$ polycube ", "$ cargo run --release -- "];
        let Some(arguments) = starts.iter().find_map(|start| command.strip_prefix(start)) else { continue };
        count += 1;
        let needs_solvers = arguments.starts_with("certify") || arguments.starts_with("check-certificate");
        if needs_solvers && !solvers_are_installed() {
            continue;
        }
        let place = place(arguments);
        let script = format!("'{program}' {}", arguments.replace("| polycube ", &format!("| '{program}' ")));
        let output = run_program("sh", place, &["-c", &format!("({script}) 2>&1")], b"");
        let [printed, expected] = [out(&output), expected].map(without_measurements);
        assert_eq!(printed, expected, "{}: {command}", block.place);
    }
    count
}

#[test]
fn the_readme() {
    let page = page("README.md");
    let model = page.blocks().into_iter().find(|block| block.language == "cub").expect("a model").text;
    let right = beside_models(&[("token.cub", &model)]);
    let wrong = beside_models(&[("token.cub", &model.replace("Place[q] = Inside }", "Place[q] = Insid }"))]);
    let place = |arguments: &str| if arguments == "check token.cub" { wrong.path() } else { right.path() };
    assert_eq!(shows_real_output(&page, place), 6);
}

/// Pages on which every model that a command speaks of is one of ours, or has the name of a file.
#[test]
fn other_pages() {
    let pages = [
        ("docs/idioms.md", 1),
        ("docs/unknown.md", 6),
        ("docs/certificates.md", 1),
        ("docs/command-line.md", 12),
        ("docs/murphi.md", 5),
    ];
    for (path, count) in pages {
        let page = page(path);
        let files = files(&page);
        assert_eq!(shows_real_output(&page, |_| files.path()), count, "{path}");
    }
}

/// A folder with the files of a page. `new.cub = old.cub` is another one with the block behind it.
fn files(page: &Page) -> TempDir {
    let mut files: Vec<(&str, String)> = Vec::new();
    let blocks = page.blocks();
    for block in &blocks {
        match block.file.map(|name| name.split_once(" = ").ok_or(name)) {
            Some(Ok((name, other))) => {
                let (_, text) = files.iter().find(|(name, _)| *name == other).expect("a file of this page");
                files.push((name, format!("{text}\n{}", block.text)));
            }
            Some(Err(name)) => files.push((name, block.text.clone())),
            None => {}
        }
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    beside_models(&files)
}

/// A folder with files in it, and with our models, as in a clone of the repository.
fn beside_models(files: &[(&str, &str)]) -> TempDir {
    let folder = folder(files);
    let link = std::os::unix::fs::symlink(repository().join("models"), folder.path().join("models"));
    link.expect("a link");
    folder
}

/// Whether z3 and cvc5 are there.
///
/// # Panics
///
/// If not, but the environment says that they have to be.
fn solvers_are_installed() -> bool {
    let is_installed = |solver: &str| Command::new(solver).arg("--version").output().is_ok();
    let all = is_installed("z3") && is_installed("cvc5");
    if !all {
        polycube_testing::skip_without_solver("z3 and cvc5 are not both installed");
    }
    all
}

/// Without times, memory and versions of solvers, which differ from run to run and from machine to machine, without the
/// blanks that depend on how long they are, and without the numbers of `verify`, which change with every improvement of
/// its search.
fn without_measurements(text: &str) -> String {
    let is_time = |line: &str| line.strip_suffix(" s").is_some_and(|time| time.parse::<f64>().is_ok());
    let measured = |line: &str| line.starts_with("  time ") || line.starts_with("  memory ") || is_time(line);
    let paragraphs = text.split("\n\n").filter(|paragraph| !paragraph.contains(" covered, depth "));
    let lines = paragraphs.flat_map(str::lines).filter(|line| !measured(line));
    let words = |line: &str| -> String {
        let line = match line.split_once(" obligations  ") {
            Some((before, _)) if line.contains(" proves ") => before,
            _ => line,
        };
        // Times have one point, versions of solvers have two.
        let is_measured = |word: &str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
        line.split(' ').filter(|word| !word.is_empty() && !is_measured(word)).collect::<Vec<_>>().join(" ")
    };
    lines.map(words).collect::<Vec<_>>().join("\n")
}
