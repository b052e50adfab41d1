//! How soon an editor is told what is wrong after a keystroke: `cargo build --release`, then `cargo run --release -p
//! polycube-benchmarks --bin keystroke`.
//!
//! Starts `polycube lsp` as an editor does, opens a model, and types and deletes a word at places all over it:
//! from the edit that is sent to the diagnostics that arrive. Measures our largest model, and the published FLASH
//! model where it is present. The CPU time is that of the server, for one keystroke: it does not depend on what else
//! the machine does.

#![allow(clippy::print_stdout)] // a benchmark is a program that prints a table

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use polycube_testing::measure::cpu_at_end;
use polycube_testing::{Model, models, repository, shared};
use serde_json::{Value, json};

const KEYSTROKES: usize = 400;

fn main() {
    println!("{:<22} {:>7} {:>7} {:>10} {:>8}", "model", "kB", "CPU ms", "median ms", "99 % ms");
    let own = models("safe").into_iter().filter(|model| model.name() == "flash_data");
    let published =
        shared("corpus/cub").unwrap_or_default().into_iter().filter(|model| model.name() == "flash");
    own.chain(published).for_each(|model| measure(&model));
}

fn measure(model: &Model) {
    let mut editor = Editor::start();
    let document = json!({ "uri": "file:///model.cub", "languageId": "", "version": 0, "text": model.text });
    editor.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    editor.wait_for("textDocument/publishDiagnostics");
    let lines = model.text.lines().count();
    let mut times: Vec<Duration> = (0..KEYSTROKES)
        .map(|number| {
            // First a letter, then it is deleted.
            let line = number / 2 * 7 % lines;
            let (end, text) = if number % 2 == 0 { (0, "x") } else { (1, "") };
            let position = |character: usize| json!({ "line": line, "character": character });
            let change = json!({ "range": { "start": position(0), "end": position(end) }, "text": text });
            let document = json!({ "uri": "file:///model.cub", "version": number + 1 });
            let start = Instant::now();
            let changes = json!({ "textDocument": document, "contentChanges": [change] });
            editor.tell("textDocument/didChange", &changes);
            editor.wait_for("textDocument/publishDiagnostics");
            start.elapsed()
        })
        .collect();
    times.sort();
    let milliseconds = |at: usize| times[at].as_secs_f64() * 1e3;
    println!(
        "{:<22} {:>7.1} {:>7.2} {:>10.2} {:>8.2}",
        model.name(),
        model.text.len() as f64 / 1e3,
        editor.end() * 1e3 / KEYSTROKES as f64,
        milliseconds(KEYSTROKES / 2),
        milliseconds(KEYSTROKES * 99 / 100),
    );
}

struct Editor {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Editor {
    fn start() -> Editor {
        let target = std::env::var_os("CARGO_TARGET_DIR").map(std::path::PathBuf::from);
        let program = target.unwrap_or_else(|| repository().join("target")).join("release/polycube");
        let mut server = Command::new(&program)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}; build it first", program.display()));
        let input = server.stdin.take().expect("a pipe");
        let output = BufReader::new(server.stdout.take().expect("a pipe"));
        let mut editor = Editor { server, input, output };
        let greeting = json!({ "capabilities": {} });
        editor.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting }));
        editor.read();
        editor.tell("initialized", &json!({}));
        editor
    }

    /// Leaves; returns the seconds of CPU time that the server took.
    fn end(&mut self) -> f64 {
        self.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "shutdown" }));
        self.read();
        self.send(&json!({ "jsonrpc": "2.0", "method": "exit" }));
        cpu_at_end(&self.server)
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server listens");
        self.input.flush().expect("the server listens");
    }

    fn wait_for(&mut self, method: &str) {
        while self.read()["method"] != method {}
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the server answers");
            if let Some(number) = line.strip_prefix("Content-Length: ") {
                length = number.trim().parse().expect("a number");
            } else if line.trim().is_empty() {
                break;
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("the server answers");
        serde_json::from_slice(&text).expect("the server speaks JSON")
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
