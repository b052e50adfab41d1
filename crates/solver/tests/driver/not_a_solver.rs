//! Programs that are not there, or are something else.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use polycube_solver::{Kind, NoSolver, Solver};

use crate::fake::{at, program};

#[test]
fn a_program_that_does_not_exist() {
    for path in ["/no/such/folder/z3", "no-such-program-anywhere"] {
        let error = Solver::at(Kind::Z3, Path::new(path)).expect_err("it does not exist");
        assert!(matches!(error, NoSolver::NotInstalled { .. }), "{error:?}");
        assert_eq!(error.to_string(), format!("there is no program `{path}`"));
    }
}

#[test]
fn a_file_that_cannot_be_executed() {
    let (_folder, path) = program("#!/bin/sh\n");
    fs::set_permissions(&path, Permissions::from_mode(0o644)).expect("it is ours");
    let error = at(&path).expect_err("it cannot be executed");
    assert!(
        matches!(&error, NoSolver::CannotStart { error, .. } if error.kind() == io::ErrorKind::PermissionDenied),
        "{error:?}"
    );
}

#[test]
fn a_folder() {
    let folder = tempfile::tempdir().expect("there is a place for temporary files");
    let error = at(folder.path()).expect_err("it is no program");
    assert!(matches!(error, NoSolver::CannotStart { .. }), "{error:?}");
}

#[test]
fn an_interpreter_that_does_not_exist() {
    let (_folder, path) = program("#!/no/such/interpreter\n");
    let error = at(&path).expect_err("nothing can execute it");
    assert!(matches!(error, NoSolver::CannotStart { .. }), "{error:?}");
}

#[test]
fn another_program() {
    let said = |text: &str| {
        let (_folder, path) = program(&format!("#!/bin/sh\n{text}\n"));
        match at(&path) {
            Err(NoSolver::NotASolver { said, .. }) => said,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(said("echo 'This is cvc5 version 1.0.3'"), "This is cvc5 version 1.0.3");
    assert_eq!(said("echo 'a library is missing' >&2; exit 127"), "a library is missing");
    assert_eq!(said("printf '\\377\\n'"), "\u{fffd}");
    assert_eq!(said(""), "");
    assert_eq!(said("kill -KILL $$"), "");
    assert_eq!(said("yes"), "y");
}

#[test]
fn in_words() {
    let (_folder, path) = program("#!/bin/sh\necho 'I am a teapot'\n");
    let error = at(&path).expect_err("it is something else");
    let name = path.display();
    assert_eq!(
        error.to_string(),
        format!("`{name}` is not z3: asked for its version, it says `I am a teapot`")
    );
}
