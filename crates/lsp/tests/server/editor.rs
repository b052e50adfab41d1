//! An editor, for tests: it speaks with a server in another thread, and keeps what it is told.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lsp_server::{Message, Notification, Request, RequestId, Response};
use polycube_language::span::Span;
use polycube_lsp::{Connection, Ended, Finding, Findings, Host, Task, Verdict, Work, serve};
use serde_json::{Value, json};

pub const URI: &str = "file:///tmp/model.cub";

/// How long the editor waits for something before it gives up.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Editor {
    connection: Connection,
    server: JoinHandle<Ended>,
    version: i32,
    sent: i32,
    /// Everything that was told and not looked at.
    told: Vec<Message>,
}

/// Searches for ever in a text with `forever` in it; finds every other model unsafe.
pub struct Lying;

impl Host for Lying {
    fn run(
        &self,
        work: Work,
        stop: &Arc<AtomicBool>,
        progress: &mut (dyn FnMut(String) + Send),
    ) -> Result<Findings, String> {
        if work.text.contains("impossible") {
            return Err("this is impossible".to_owned());
        }
        while work.text.contains("forever") && !stop.load(Ordering::Relaxed) {
            progress("still at it".to_owned());
            std::thread::sleep(Duration::from_millis(5));
        }
        let verdict = if work.task == Task::Verify { Verdict::Unsafe } else { Verdict::Safe };
        let list = vec![Finding { place: Span::new(0, 3), verdict, message: "found".to_owned() }];
        Ok(Findings { list, report: format!("{} is what it is", work.name) })
    }

    fn write_report(&self, _: &str) -> Option<PathBuf> {
        Some(PathBuf::from("/tmp/a report.txt"))
    }
}

impl Editor {
    pub fn start() -> Editor {
        Editor::with(&json!({}))
    }

    /// An editor with some capabilities.
    pub fn with(capabilities: &Value) -> Editor {
        Editor::greeted(capabilities).0
    }

    /// The same, and what the server answers.
    pub fn greeted(capabilities: &Value) -> (Editor, Value) {
        let (ours, theirs) = Connection::memory();
        let server = std::thread::spawn(move || serve(&theirs, Arc::new(Lying), "0"));
        let mut editor = Editor { connection: ours, server, version: 0, sent: 0, told: Vec::new() };
        let answer = editor.ask("initialize", json!({ "capabilities": capabilities })).unwrap();
        editor.tell("initialized", json!({}));
        (editor, answer)
    }

    /// Opens a document, and returns what is said about it.
    pub fn open(&mut self, text: &str) -> Vec<Value> {
        self.version += 1;
        let document = json!({ "uri": URI, "languageId": "cubicle", "version": self.version, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.diagnostics()
    }

    /// Edits the document, and returns what is said about it.
    pub fn change(&mut self, changes: &Value) -> Vec<Value> {
        self.change_silently(changes);
        self.diagnostics()
    }

    pub fn change_silently(&mut self, changes: &Value) {
        self.version += 1;
        let document = json!({ "uri": URI, "version": self.version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// What is said about the last version of the document.
    pub fn diagnostics(&mut self) -> Vec<Value> {
        loop {
            let params = self.told("textDocument/publishDiagnostics");
            if params["version"] == json!(self.version) {
                return params["diagnostics"].as_array().unwrap().clone();
            }
        }
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        let _ = self.connection.sender.send(Message::Notification(notification));
    }

    /// Sends a request; returns its number.
    pub fn send(&mut self, method: &str, params: Value) -> i32 {
        self.sent += 1;
        let request = Request { id: self.sent.into(), method: method.to_owned(), params };
        self.connection.sender.send(Message::Request(request)).unwrap();
        self.sent
    }

    pub fn answer(&mut self, id: i32) -> Result<Value, String> {
        let id = RequestId::from(id);
        let found = self.wait(|message| matches!(message, Message::Response(answer) if answer.id == id));
        let Message::Response(answer) = found else { unreachable!() };
        result(&answer)
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// Asks about a place of the document.
    pub fn ask_at(&mut self, method: &str, place: (u32, u32)) -> Result<Value, String> {
        self.ask(method, at(place))
    }

    /// The parameters of a notification or request of the server.
    pub fn told(&mut self, method: &str) -> Value {
        let found = self.wait(|message| match message {
            Message::Notification(told) => told.method == method,
            Message::Request(asked) => asked.method == method,
            Message::Response(_) => false,
        });
        match found {
            Message::Notification(told) => told.params,
            Message::Request(asked) => asked.params,
            Message::Response(_) => unreachable!(),
        }
    }

    fn wait(&mut self, is_wanted: impl Fn(&Message) -> bool) -> Message {
        let start = Instant::now();
        loop {
            if let Some(at) = self.told.iter().position(&is_wanted) {
                return self.told.remove(at);
            }
            let left = PATIENCE.saturating_sub(start.elapsed());
            self.told.push(self.connection.receiver.recv_timeout(left).expect("the server says something"));
        }
    }

    /// Leaves without a word.
    pub fn disappear(self) -> Ended {
        drop(self.connection);
        self.server.join().unwrap()
    }

    /// Waits until the server has ended.
    pub fn wait_for_end(self) -> Ended {
        self.server.join().unwrap()
    }
}

pub fn at((line, character): (u32, u32)) -> Value {
    let position = json!({ "line": line, "character": character });
    json!({ "textDocument": { "uri": URI }, "position": position })
}

/// The place of a text, in bytes: the models of the tests are ASCII.
pub fn place(text: &str, word: &str) -> (u32, u32) {
    let offset = text.find(word).unwrap_or_else(|| panic!("`{word}` is in the text"));
    let line = text[..offset].matches('\n').count();
    let column = offset - text[..offset].rfind('\n').map_or(0, |end| end + 1);
    (line as u32, column as u32)
}

/// A text after edits which do not overlap, in any order.
pub fn edited(text: &str, edits: &Value) -> String {
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let offset = |position: &Value| {
        let number = |name: &str| position[name].as_u64().unwrap() as usize;
        lines[number("line")] + number("character")
    };
    let mut edits: Vec<(usize, usize, String)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let new = edit["newText"].as_str().unwrap().to_owned();
            (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]), new)
        })
        .collect();
    edits.sort();
    let mut text = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, &new);
    }
    text
}

fn result(answer: &Response) -> Result<Value, String> {
    let answer = serde_json::to_value(answer).unwrap();
    match answer["error"]["message"].as_str() {
        Some(message) => Err(message.to_owned()),
        None => Ok(answer["result"].clone()),
    }
}
