//! Conversations on a terminal: lines are edited, completed and remembered. The program `script` provides the terminal.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::*;

/// What is written where a line is asked for.
const PROMPT: &str = "\x1b[?2004h";

/// What is on the terminal when each prompt has got its keys; nothing where there is no `script`.
fn typed(folder: &Path, state: &str, keys: &[&str]) -> Option<String> {
    let is_there =
        Command::new("script").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there {
        polycube_testing::skip_without_tool("the program `script` is not installed");
        return None;
    }
    let program = env!("CARGO_BIN_EXE_polycube");
    let command = format!("'{program}' simulate door.cub --interactive --color never");
    let mut child = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .env("TERM", "xterm")
        .env("XDG_STATE_HOME", state)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let screen = talk(&mut child, keys);
    let status = child.wait().expect("it ends");
    let screen = screen.unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(status.code(), Some(0), "{screen}");
    Some(screen)
}

/// Gives each prompt its keys, to the end.
fn talk(child: &mut Child, keys: &[&str]) -> Result<String, String> {
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = child.stdout.take().expect("a pipe");
    let (mut screen, mut asked) = (String::new(), 0);
    let mut bytes = [0; 4096];
    loop {
        match output.read(&mut bytes).expect("it can be read") {
            0 if asked == keys.len() => return Ok(screen),
            0 => return Err(format!("it ends too early: {screen}")),
            count => screen += &String::from_utf8_lossy(&bytes[..count]),
        }
        if screen.matches(PROMPT).count() > asked {
            let keys = keys.get(asked).ok_or_else(|| format!("it goes on: {screen}"))?;
            input.write_all(keys.as_bytes()).expect("it reads");
            asked += 1;
        }
    }
}

#[test]
fn lines_are_completed_and_remembered() {
    let folder = folder(&[("door.cub", DOOR)]);
    let state = folder.path().join("state");
    std::fs::create_dir(&state).expect("a folder");
    let state = state.to_str().expect("text");
    // `en`, completed; a step back by its first letters; the command before that, again.
    let keys = ["en\t#2\r", "und\t\r", "\x1b[A\x1b[A\r", "save r\r", "load \t\t\x15load r\t\r", "quit\r"];
    let Some(screen) = typed(folder.path(), state, &keys) else { return };
    assert_eq!(screen.matches("1  enter(#2)  Inside[#2]: False -> True").count(), 2, "{screen}");
    assert!(screen.contains("1 step undone, 0 steps left."), "{screen}");
    assert!(screen.contains("1 step loaded."), "{screen}");
    let history = std::fs::read_to_string(format!("{state}/polycube/history")).expect("a history");
    let commands: Vec<&str> = history.lines().skip(1).map(str::trim_end).collect();
    assert_eq!(commands, ["enter #2", "undo", "enter #2", "save r", "load r", "quit"]);
    // It is there the next time.
    let again = typed(folder.path(), state, &["\x1b[A\x1b[A\x1b[A\x1b[A\r", "q\r"]).expect("a terminal");
    assert!(again.contains("1  enter(#2)  Inside[#2]: False -> True"), "{again}");
}

/// Several lines that are pasted are several commands.
#[test]
fn lines_are_pasted() {
    let folder = folder(&[("door.cub", DOOR)]);
    let keys = ["\x1b[200~enter 3\nenter 2\nquit\n\x1b[201~\r"];
    let Some(screen) = typed(folder.path(), "/no/such/folder", &keys) else { return };
    assert!(screen.contains("1  enter(#3)") && screen.contains("2  enter(#2)"), "{screen}");
}

/// A line that is given up is no command; and nothing is remembered where there is no place for it.
#[test]
fn lines_are_given_up() {
    let folder = folder(&[("door.cub", DOOR)]);
    let state = folder.path().join("state").to_str().expect("text").to_owned();
    let keys = ["enter #1\x03", "enter #2\r", "\x04"];
    let Some(screen) = typed(folder.path(), &state, &keys) else { return };
    assert!(screen.contains("1  enter(#2)") && !screen.contains("1  enter(#1)  Inside"), "{screen}");
    assert!(!folder.path().join("state").exists(), "no folder is made for the history");
}
