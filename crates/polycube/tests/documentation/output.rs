//! What the pages show is what the program prints, apart from what differs from machine to machine.

use std::path::Path;
use std::process::Command;

use polycube_testing::repository;
use tempfile::TempDir;

use crate::pages::{Page, page};
use crate::program::{folder, out, run_program};

/// Runs every command that a page shows, and compares. Says how many there are. Commands that speak of our models run in
/// the repository, others where `place` says.
fn shows_real_output<'f>(page: &Page, place: impl Fn(&str) -> &'f Path) -> usize {
    let program = env!("CARGO_BIN_EXE_polycube");
    let mut count = 0;
    for block in page.blocks().iter().filter(|block| block.language == "console") {
        let (command, expected) = block.text.split_once('\n').expect("a command");
        let starts = ["$ polycube ", "$ cargo run --release -- "];
        let Some(arguments) = starts.iter().find_map(|start| command.strip_prefix(start)) else { continue };
        count += 1;
        if arguments.starts_with("certify") && !solvers_are_installed() {
            continue;
        }
        let root = repository();
        let place = if arguments.contains("models/") { &root } else { place(arguments) };
        let output = run_program("sh", place, &["-c", &format!("'{program}' {arguments} 2>&1")], b"");
        let [printed, expected] = [out(&output), expected].map(without_measurements);
        assert_eq!(printed, expected, "{}: {command}", block.place);
    }
    count
}

#[test]
fn the_readme() {
    let page = page("README.md");
    let model = page.blocks().into_iter().find(|block| block.language == "cub").expect("a model").text;
    let right = folder(&[("token.cub", &model)]);
    let wrong = folder(&[("token.cub", &model.replace("Place[q] = Inside }", "Place[q] = Insid }"))]);
    let place = |arguments: &str| if arguments == "check token.cub" { wrong.path() } else { right.path() };
    assert_eq!(shows_real_output(&page, place), 6);
}

/// Pages on which every model has the name of a file.
#[test]
fn chapters_with_files() {
    for (path, count) in [("docs/idioms.md", 1), ("docs/unknown.md", 6)] {
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
    folder(&files)
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
        let is_version =
            |word: &str| word.matches('.').count() == 2 && word.starts_with(|c: char| c.is_ascii_digit());
        line.split(' ').filter(|word| !word.is_empty() && !is_version(word)).collect::<Vec<_>>().join(" ")
    };
    lines.map(words).collect::<Vec<_>>().join("\n")
}
