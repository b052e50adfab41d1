//! Editors, where they are installed, and the language server.

use std::fs;
use std::io::BufReader;
use std::process::{Child, Command, Stdio};

use lsp_server::{Message, Notification, Request};
use polycube_testing::{models, repository, skip_without_tool};
use serde_json::{Value, json};

const MODEL: &str = "type place = Outside | Inside
(* é𝄞 *) var Token : porc
array Place[proc] : place
init (p) { Place[p] = Outside }
unsafe (p q) { Place[p] = Inside && Place[q] = Inside }
transition enter (p) requires { Place[p] = Outside && Token = p } { Place[p] := Inside }
transition leave (p) requires { Place[p] = Inside } { Place[p] := Outside; (* 𝄞 *) Token := ? }
";

const SAID: &str = "file type cubicle
line 2 column 26 unknown type `porc`
no mistake
renamed 3 uses
formatted
Safe: no bad state is reachable, whatever the number of processes.
Safe: no bad state is reachable, whatever the number of processes.
";

#[test]
fn neovim_shows_mistakes_renames_formats_and_verifies() {
    if Command::new("nvim").arg("--version").output().is_err() {
        return skip_without_tool("Neovim (nvim) is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("token.cub");
    fs::write(&model, MODEL).unwrap();
    let editors = repository().join("editors");
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "--cmd"])
        .arg(format!("set runtimepath^={}", editors.join("vim").display()))
        .arg("-c")
        .arg(format!("luafile {}", editors.join("test/neovim.lua").display()))
        .env("POLYCUBE", env!("CARGO_BIN_EXE_polycube"))
        .env("MODEL", &model)
        .env("XDG_STATE_HOME", folder.path())
        .env("XDG_CACHE_HOME", folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let complained = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, SAID, "{complained}");
    let right = MODEL.replace("porc", "proc").replace("Token", "Baton");
    assert_eq!(fs::read_to_string(&model).unwrap(), polycube::language::format(&right).unwrap());
}

/// The program as a server, and an editor that has greeted it.
fn start() -> Child {
    let mut server = Command::new(env!("CARGO_BIN_EXE_polycube"))
        .args(["lsp", "--stdio"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let shows = json!({ "window": { "showDocument": { "support": true } } });
    assert!(ask(&mut server, 1, "initialize", json!({ "capabilities": shows }))["capabilities"].is_object());
    tell(&mut server, "initialized", json!({}));
    server
}

fn tell(server: &mut Child, method: &str, params: Value) {
    let notification = Notification { method: method.to_owned(), params };
    Message::from(notification).write(server.stdin.as_mut().unwrap()).unwrap();
}

/// The answer to a request; other messages are skipped.
fn ask(server: &mut Child, id: i32, method: &str, params: Value) -> Value {
    let request = Request { id: id.into(), method: method.to_owned(), params };
    Message::from(request).write(server.stdin.as_mut().unwrap()).unwrap();
    // One byte at a time: what is behind the answer stays.
    let mut output = BufReader::with_capacity(1, server.stdout.as_mut().unwrap());
    loop {
        let message = Message::read(&mut output).unwrap().expect("an answer");
        let message = serde_json::to_value(message).unwrap();
        if message["id"] == json!(id) {
            return message["result"].clone();
        }
    }
}

#[test]
fn searches_find_what_the_command_line_finds() {
    let model = models("unsafe").into_iter().find(|model| model.name() == "mutex_no_turn_check").unwrap();
    let mut server = start();
    let uri = "file:///models/mutex_no_turn_check.cub";
    let document = json!({ "uri": uri, "languageId": "cubicle", "version": 1, "text": model.text });
    tell(&mut server, "textDocument/didOpen", json!({ "textDocument": document }));
    let mut written = Vec::new();
    for (id, command, given) in
        [(2, "polycube.verify", json!(uri)), (3, "polycube.explore", json!({ "uri": uri, "processes": 2 }))]
    {
        let params = json!({ "command": command, "arguments": [given] });
        let answer = ask(&mut server, id, "workspace/executeCommand", params);
        assert_eq!(answer["verdict"], "unsafe");
        let report = answer["report"].as_str().unwrap();
        assert!(report.starts_with("2 processes\n\ninitially:\n"), "{report}");
        let clause = "The unsafe clause at mutex_no_turn_check.cub:16 holds in the last state, for\np = #";
        assert!(report.contains(clause), "{report}");
        let file = answer["document"].as_str().unwrap().strip_prefix("file://").unwrap().to_owned();
        assert_eq!(fs::read_to_string(&file).unwrap(), report);
        written.push(file);
    }
    let params = json!({ "command": "polycube.explore", "arguments": [{ "uri": uri, "processes": 1 }] });
    assert_eq!(ask(&mut server, 4, "workspace/executeCommand", params)["verdict"], "safe");
    ask(&mut server, 5, "shutdown", Value::Null);
    tell(&mut server, "exit", Value::Null);
    assert_eq!(server.wait().unwrap().code(), Some(0));
    assert!(written.iter().all(|file| !fs::exists(file).unwrap()));
}

#[test]
fn the_server_ends_with_its_client() {
    let mut server = start();
    drop(server.stdin.take());
    assert_eq!(server.wait().unwrap().code(), Some(1));
    // What is not the protocol.
    let mut server = start();
    std::io::Write::write_all(server.stdin.as_mut().unwrap(), b"Content-Length: 3\r\n\r\n???").unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(1));
}
