//! The program as its users meet it: files, standard input, exit codes, output.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use polycube_testing::repository;
use tempfile::TempDir;

const GOOD: &str = "var X : int\n\ninit { X = 0 }\n\nunsafe { X = 1 }\n";
const UNFORMATTED: &str = "var X : int // the only one\ninit{X=0}unsafe { X = 1 }\n";
const WRONG: &str = "var X : int\ninit { Y = 0 }\nunsafe { X = 1 }\n";

fn polycube(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polycube"));
    command.current_dir(folder).args(arguments).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    polycube(folder, arguments).output().expect("the program runs")
}

fn run_with_input(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = polycube(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("the program reads");
    child.wait_with_output().expect("the program ends")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("the program exits by itself")
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).expect("text")
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).expect("text")
}

/// A folder with files in it.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file is written");
    }
    folder
}

#[test]
fn check_reports_each_file() {
    let folder = folder(&[("good.cub", GOOD), ("wrong.cub", WRONG)]);
    let output = run(folder.path(), &["check", "good.cub"]);
    assert_eq!((code(&output), err(&output)), (0, ""));
    assert_eq!(out(&output), "good.cub: ok, 1 variable, 1 unsafe clause\n");
    let output = run(folder.path(), &["check", "wrong.cub", "good.cub"]);
    assert_eq!(code(&output), 2);
    assert!(
        err(&output).contains("error[unknown-name]: unknown name `Y`\n --> wrong.cub:2:8"),
        "{}",
        err(&output)
    );
    assert!(out(&output).contains("good.cub: ok"), "one wrong file does not stop the others");
    assert_eq!(out(&run(folder.path(), &["check", "--quiet", "good.cub"])), "");
}

#[test]
fn check_reads_standard_input() {
    let folder = folder(&[]);
    let output = run_with_input(folder.path(), &["check", "-"], WRONG.as_bytes());
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("--> <stdin>:2:8"), "{}", err(&output));
}

#[test]
fn files_that_cannot_be_read() {
    let folder = folder(&[("two-words.cub", GOOD)]);
    fs::write(folder.path().join("latin1.cub"), b"(* caf\xE9 *)\nvar X : int\n").expect("a file is written");
    let cases = [
        ("missing.cub", "`missing.cub` cannot be read: there is no such file"),
        (".", "`.` cannot be read: it is a directory"),
        ("two_words.cub", "help: did you mean ./two-words.cub?"),
        ("latin1.cub", "the byte 0xE9 has no meaning here"),
    ];
    for (name, expected) in cases {
        for command in ["check", "fmt"] {
            let output = run(folder.path(), &[command, name]);
            assert_eq!(code(&output), 2, "{command} {name}");
            assert!(err(&output).contains(expected), "{command} {name}: {}", err(&output));
        }
    }
    let output = run(folder.path(), &["check", "--format", "json", "missing.cub"]);
    assert_eq!((code(&output), err(&output)), (2, ""));
    let report: serde_json::Value = serde_json::from_str(out(&output)).expect("JSON");
    assert_eq!(report["files"][0]["diagnostics"][0]["code"], "unreadable");
}

#[cfg(unix)]
#[test]
fn unreadable_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[("secret.cub", GOOD)]);
    let path = folder.path().join("secret.cub");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions are set");
    // Root may read it all the same; but not even root can read the memory of a process from its start.
    let (name, expected) = if fs::read(&path).is_err() {
        ("secret.cub", "`secret.cub` cannot be read: permission denied")
    } else if Path::new("/proc/self/mem").exists() {
        ("/proc/self/mem", "`/proc/self/mem` cannot be read: ")
    } else {
        return;
    };
    let output = run(folder.path(), &["check", name]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains(expected), "{}", err(&output));
}

#[test]
fn wrong_command_lines() {
    let folder = folder(&[]);
    for arguments in [
        &["check"][..],
        &["chekc", "x"],
        &["check", "--format", "xml", "x"],
        &["fmt", "--frobnicate", "x"],
        &[],
    ] {
        assert_eq!(code(&run(folder.path(), arguments)), 2, "{arguments:?}");
    }
    assert_eq!(code(&run(folder.path(), &["--help"])), 0);
    let version = run(folder.path(), &["--version"]);
    assert_eq!((code(&version), out(&version)), (0, concat!("polycube ", env!("CARGO_PKG_VERSION"), "\n")));
}

#[test]
fn colours_only_on_demand() {
    let folder = folder(&[("wrong.cub", WRONG)]);
    let plain = run(folder.path(), &["check", "wrong.cub"]);
    assert!(!err(&plain).contains('\x1b'), "a pipe gets no colours");
    let coloured = run(folder.path(), &["check", "wrong.cub", "--color", "always"]);
    assert!(err(&coloured).contains('\x1b'));
    let forced = |no_color: bool| {
        let mut command = polycube(folder.path(), &["check", "wrong.cub"]);
        command.env("CLICOLOR_FORCE", "1");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        err(&command.output().expect("the program runs")).contains('\x1b')
    };
    assert_eq!((forced(false), forced(true)), (true, false), "NO_COLOR is respected");
    let never = run(folder.path(), &["check", "wrong.cub", "--color", "never"]);
    assert!(!err(&never).contains('\x1b'));
}

#[test]
fn json_says_the_same() {
    let folder = folder(&[("wrong.cub", WRONG), ("good.cub", GOOD)]);
    let output = run(folder.path(), &["check", "--format", "json", "wrong.cub", "good.cub"]);
    assert_eq!((code(&output), err(&output)), (2, ""));
    insta::assert_snapshot!("json", out(&output));
}

#[test]
fn fmt_changes_only_what_it_must() {
    let folder =
        folder(&[("good.cub", GOOD), ("other.cub", UNFORMATTED), ("broken.cub", "var X : int\ninit {")]);
    let modified =
        |name: &str| fs::metadata(folder.path().join(name)).and_then(|data| data.modified()).expect("a time");
    let before = modified("good.cub");
    let check = run(folder.path(), &["fmt", "--check", "good.cub", "other.cub"]);
    assert_eq!((code(&check), out(&check)), (1, "would format other.cub\n"));
    assert_eq!(
        fs::read_to_string(folder.path().join("other.cub")).unwrap(),
        UNFORMATTED,
        "--check changes nothing"
    );
    let output = run(folder.path(), &["fmt", "good.cub", "other.cub", "broken.cub"]);
    assert_eq!((code(&output), out(&output)), (2, "formatted other.cub\n"));
    assert!(err(&output).contains("broken.cub is not formatted"), "{}", err(&output));
    assert_eq!(modified("good.cub"), before, "what is formatted already is not written");
    assert_eq!(fs::read_to_string(folder.path().join("broken.cub")).unwrap(), "var X : int\ninit {");
    let formatted = fs::read_to_string(folder.path().join("other.cub")).unwrap();
    assert_eq!(formatted, "var X : int // the only one\n\ninit { X = 0 }\nunsafe { X = 1 }\n");
    assert_eq!(code(&run(folder.path(), &["fmt", "--check", "other.cub"])), 0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no temporary files are left");
}

#[test]
fn fmt_filters_standard_input() {
    let folder = folder(&[]);
    let output = run_with_input(folder.path(), &["fmt", "-"], b"var X : int\r\ninit{X=0}\r\n");
    assert_eq!((code(&output), out(&output)), (0, "var X : int\n\ninit { X = 0 }\n"));
    let check = run_with_input(folder.path(), &["fmt", "--check", "-"], b"init{true}");
    assert_eq!((code(&check), out(&check)), (1, "would format <stdin>\n"));
}

#[cfg(unix)]
#[test]
fn fmt_respects_links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder(&[("model.cub", UNFORMATTED), ("locked.cub", UNFORMATTED)]);
    let (model, link) = (folder.path().join("model.cub"), folder.path().join("link.cub"));
    symlink("model.cub", &link).expect("a link");
    fs::set_permissions(&model, fs::Permissions::from_mode(0o640)).expect("permissions are set");
    assert_eq!(code(&run(folder.path(), &["fmt", "link.cub"])), 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "a link stays a link");
    assert_eq!(fs::metadata(&model).unwrap().permissions().mode() & 0o777, 0o640, "permissions stay");
    assert_ne!(fs::read_to_string(&model).unwrap(), UNFORMATTED);
    fs::set_permissions(folder.path().join("locked.cub"), fs::Permissions::from_mode(0o444))
        .expect("permissions are set");
    let output = run(folder.path(), &["fmt", "locked.cub"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("`locked.cub` cannot be written: it is read-only"), "{}", err(&output));
    assert_eq!(fs::read_to_string(folder.path().join("locked.cub")).unwrap(), UNFORMATTED);
}

/// `polycube check ... | head`: the reader goes away, and nobody complains.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    let wrong = format!("{WRONG}{}", "unsafe { Z = 1 }\n".repeat(2000));
    let folder = folder(&[("wrong.cub", &wrong)]);
    let program = env!("CARGO_BIN_EXE_polycube");
    let script =
        format!("'{program}' check --format json wrong.cub | head -n 1; echo \"codes ${{PIPESTATUS[*]}}\"");
    let output =
        Command::new("bash").current_dir(folder.path()).args(["-c", &script]).output().expect("bash runs");
    assert_eq!(out(&output), "{\ncodes 2 0\n");
    assert_eq!(err(&output), "");
}

#[test]
fn completions_and_manual_come_from_the_same_definition() {
    let folder = folder(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(folder.path(), &["completions", shell]);
        assert_eq!(code(&output), 0);
        assert!(out(&output).contains("deny-warnings"), "{shell}");
    }
    let manual = run(folder.path(), &["man"]);
    assert!(out(&manual).contains(".TH polycube 1"), "{}", out(&manual));
    let page = run(folder.path(), &["man", "fmt"]);
    assert!(out(&page).contains("canonical layout"), "{}", out(&page));
    let wrong = run(folder.path(), &["man", "frobnicate"]);
    assert_eq!(code(&wrong), 2);
    assert!(err(&wrong).contains("check, fmt"), "{}", err(&wrong));
}

/// What the documentation of the command line and of the JSON output shows is what the program prints.
#[cfg(unix)]
#[test]
fn the_documentation_shows_real_output() {
    let read = |file: &str| fs::read_to_string(repository().join(file)).expect("the documentation");
    /// The first fenced block behind `words`.
    fn block<'t>(text: &'t str, words: &str) -> &'t str {
        let behind = &text[text.find(words).unwrap_or_else(|| panic!("{words}"))..];
        let start = behind
            .find("```")
            .and_then(|fence| Some(fence + behind[fence..].find('\n')? + 1))
            .expect("a fence");
        let end = start + behind[start..].find("```").expect("the end of the block");
        &behind[start..end]
    }
    let (json, commands) = (read("docs/json.md"), read("docs/command-line.md"));
    let files = [
        ("lock.cub", block(&json, "The file `lock.cub`")),
        ("fine.cub", block(&json, "The file `fine.cub`")),
    ];
    let folder = folder(&files);
    let output = run(folder.path(), &["check", "--format", "json", "lock.cub", "fine.cub", "lok.cub"]);
    assert_eq!(out(&output), block(&json, "The output of `polycube check --format json"));
    let script = format!("'{}' check lock.cub fine.cub 2>&1", env!("CARGO_BIN_EXE_polycube"));
    let output =
        Command::new("sh").current_dir(folder.path()).args(["-c", &script]).output().expect("a shell");
    let shown = &commands[commands.find("$ polycube check lock.cub fine.cub\n").expect("the example")..];
    let shown =
        &shown[shown.find('\n').expect("a line") + 1..shown.find("```").expect("the end of the block")];
    assert_eq!(out(&output), shown);
}
