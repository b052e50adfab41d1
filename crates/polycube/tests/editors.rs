//! Editors, where they are installed, and the language server.

use std::fs;
use std::process::Command;

use polycube_testing::{repository, skip_without_tool};

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
