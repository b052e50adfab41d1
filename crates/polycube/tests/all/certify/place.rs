//! Where certificates are written, and where not: all of it or nothing, and nothing over what is there.

use super::*;
use fake::SECOND_TIME;

/// The commands that write certificates.
const COMMANDS: [(&[&str], &[&str]); 2] = [(&["certify"], &[]), (&["verify"], &["--certificate"])];

/// Has a model certified into a directory, by either command.
fn write(which: usize, folder: &Path, model: &str, directory: &str, more: &[&str]) -> Output {
    let (command, option) = COMMANDS[which];
    let arguments = [command, &[model], option, &[directory], more].concat();
    run_with(&Programs::agreeing(), folder, &arguments)
}

/// Refused before the search, by both commands and in both formats, and nothing is changed by that.
fn is_refused(folder: &Path, directory: &str, more: &[&str], expected: &str) {
    let before = names(folder);
    for which in 0..COMMANDS.len() {
        let output = write(which, folder, "mutex.cub", directory, more);
        assert_eq!((code(&output), out(&output)), (2, ""), "{directory}");
        assert!(err(&output).contains(expected), "{directory}: {}", err(&output));
        let refused = write(which, folder, "mutex.cub", directory, &[more, &["--format", "json"]].concat());
        assert_eq!(code(&refused), 2);
        let error = object(&refused)["error"].take();
        assert!(err(&output).contains(error.as_str().expect("a message")), "{error}");
        assert_eq!(names(folder), before);
    }
}

#[test]
fn impossible_places() {
    let folder = models();
    let path = folder.path();
    fs::create_dir(path.join("full")).expect("a folder");
    fs::write(path.join("full/precious"), "").expect("a file is written");
    std::os::unix::fs::symlink("nowhere", path.join("dangling")).expect("a link");
    let cases: [(&str, &[&str], &str); 7] = [
        ("mutex.cub", &[], "into `mutex.cub`: it exists, and is no directory"),
        ("mutex.cub/c", &[], "into `mutex.cub/c`: there is no directory `mutex.cub`"),
        ("none/c", &[], "into `none/c`: there is no directory `none`"),
        ("/proc/c", &[], "no certificate can be written into `/proc/c`: "),
        ("full", &[], "into `full`: it is not empty"),
        ("full", &["--force"], "into `full`: it is not empty"),
        ("dangling", &[], "no certificate can be written into `dangling`: "),
    ];
    for (directory, more, expected) in cases {
        is_refused(path, directory, more, expected);
    }
    assert_eq!(names(&path.join("full")), ["precious"]);
}

/// The directory that we are in is not replaced by another one.
#[test]
fn where_we_are() {
    let folder = models();
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).expect("a folder");
    let model = "../mutex.cub";
    for directory in [".", "../inside"] {
        let output = write(0, &inside, model, directory, &[]);
        assert_eq!((code(&output), out(&output)), (2, ""), "{directory}");
        assert!(err(&output).contains("it is the current directory"), "{}", err(&output));
    }
    assert!(names(&inside).is_empty());
    assert_eq!(code(&write(0, folder.path(), "mutex.cub", "inside/", &[])), 0, "from outside");
    assert_eq!(code(&write(0, &inside, model, "../inside", &["--force"])), 2);
}

/// New and empty directories, and links to them.
#[test]
fn possible_places() {
    let folder = models();
    let path = folder.path();
    for name in ["empty", "linked"] {
        fs::create_dir(path.join(name)).expect("a folder");
    }
    std::os::unix::fs::symlink("linked", path.join("link")).expect("a link");
    for which in 0..COMMANDS.len() {
        for directory in ["new", "empty", "link", "-", "a b; 'c'", "é=1"] {
            let to = format!("./{directory}{}", if which == 0 { "" } else { ".2" });
            let output = write(which, path, "mutex.cub", &to, &[]);
            assert_eq!((code(&output), err(&output)), (0, ""), "{to}");
            let checked = run_with(&Programs::agreeing(), path, &["check-certificate", &to]);
            assert_eq!((code(&checked), err(&checked)), (0, ""), "{to}");
        }
    }
    assert!(path.join("link").is_symlink() && path.join("linked/manifest.json").exists());
    assert!(!names(path).iter().any(|name| name.starts_with('.')), "nothing is left behind");
}

#[test]
fn nothing_is_overwritten_by_mistake() {
    let folder = models();
    let path = folder.path();
    write_certificate(path, "mutex.cub", "c");
    let before = content(&path.join("c"));
    is_refused(path, "c", &[], "into `c`: there is a certificate in it already");
    assert!(content(&path.join("c")) == before);

    for (which, model) in ["peterson_two.cub", "german.cub"].into_iter().enumerate() {
        let output = write(which, path, model, "c", &["--force"]);
        assert_eq!((code(&output), err(&output)), (0, ""));
        write_certificate(path, model, model.trim_end_matches(".cub"));
        assert!(content(&path.join("c")) == content(&path.join(model.trim_end_matches(".cub"))));
    }

    // A file that is not a part of it is not lost, and neither is the certificate.
    let before = content(&path.join("c"));
    fs::write(path.join("c/precious"), "work").expect("a file is written");
    is_refused(path, "c", &["--force"], "into `c`: `precious` in it is not a part of the certificate");
    assert_eq!(fs::read_to_string(path.join("c/precious")).expect("a file"), "work");
    fs::remove_file(path.join("c/precious")).expect("it is removed");
    assert!(content(&path.join("c")) == before);
    // And neither is what stands in place of one of its files.
    fs::remove_file(path.join("c/theory.why")).expect("it is removed");
    fs::create_dir(path.join("c/theory.why")).expect("a folder");
    is_refused(path, "c", &["--force"], "`theory.why` in it is not a part of the certificate");
    fs::remove_dir(path.join("c/theory.why")).expect("it is removed");
    // What says that it is a certificate may be replaced, even if it is incomplete.
    assert_eq!(code(&write(0, path, "mutex.cub", "c", &["--force"])), 0);
    // A pipe says nothing, and is not asked.
    fs::remove_file(path.join("c/manifest.json")).expect("it is removed");
    let made = Command::new("mkfifo").arg(path.join("c/manifest.json")).status().expect("mkfifo runs");
    assert!(made.success());
    is_refused(path, "c", &["--force"], "into `c`: it is not empty");
}

/// Only a model that is safe has one: an old certificate stays if there is no new one.
#[test]
fn no_new_certificate() {
    let folder = models();
    let path = folder.path();
    write_certificate(path, "mutex.cub", "c");
    let before = content(&path.join("c"));
    for which in 0..COMMANDS.len() {
        for (model, expected) in [("bad.cub", 1), ("ever.cub", 3), ("typo.cub", 2), ("nothing.cub", 2)] {
            let output = write(which, path, model, "c", &["--force", "--max-nodes", "10", "--procs", "1"]);
            assert_eq!(code(&output), expected, "{model}");
            assert!(content(&path.join("c")) == before, "{model}");
            let output = write(which, path, model, "new", &["--max-nodes", "10", "--procs", "1"]);
            assert_eq!(code(&output), expected, "{model}");
            assert!(!path.join("new").exists(), "{model}");
        }
    }
    let output = write(0, path, "typo.cub", "new", &[]);
    assert!(err(&output).contains("unknown name `Y`"), "{}", err(&output));
    let output = write(0, path, "nothing.cub", "new", &[]);
    assert!(err(&output).contains("the model has no `unsafe` clause"), "{}", err(&output));
    let output = write(0, path, "missing.cub", "new", &[]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("`missing.cub` cannot be read: there is no such file"));
    let output = write(0, path, "bad.cub", "new", &[]);
    assert!(out(&output).starts_with("Unsafe: a run of 4 steps with 2 processes"), "{}", out(&output));
    let output = write(0, path, "bad.cub", "new", &["--format", "json"]);
    assert_eq!(object(&output)["verdict"], "unsafe");
}

/// The disk is full, or something like that, when a part of it is written.
#[test]
fn a_failure_in_the_middle() {
    let folder = models();
    let path = folder.path();
    write_certificate(path, "mutex.cub", "c");
    let (before, names_before) = (content(&path.join("c")), names(path));
    let programs = Programs::agreeing();
    let program = env!("CARGO_BIN_EXE_polycube");
    for (command, option) in COMMANDS {
        for (directory, force) in [("c", "--force"), ("new", "")] {
            let script = format!(
                "trap '' XFSZ; ulimit -f 8; PATH='{}' exec '{program}' {} german.cub {} {directory} {force}",
                programs.path().display(),
                command.concat(),
                option.concat()
            );
            let output = program::run_program("/bin/sh", path, &["-c", &script], b"");
            assert_eq!(code(&output), 2, "{script}");
            let expected = format!("the certificate cannot be written into `{directory}`: File too large");
            assert!(err(&output).contains(&expected), "{}", err(&output));
            assert_eq!(names(path), names_before, "nothing is left behind");
            assert!(content(&path.join("c")) == before, "what was there is still there");
        }
    }
}

/// Somebody else writes into the directory while the model is verified: here it is the solver that is asked for its version.
#[test]
fn somebody_else_was_faster() {
    let folder = models();
    let path = folder.path();
    fs::create_dir(path.join("c")).expect("a folder");
    let program = format!("case $script in */property-1.smt2) echo work > c/precious;; esac; {SECOND_TIME}");
    // The certificate is written a second time, without the hints that did not help.
    let output = run_with(&Programs::none().with("z3", &program), path, &["certify", "mutex.cub", "c"]);
    assert_eq!(code(&output), 2, "{}", out(&output));
    assert!(err(&output).contains("`precious` has appeared in it"), "{}", err(&output));
    assert_eq!(fs::read_to_string(path.join("c/precious")).expect("a file"), "work\n");
    fs::remove_file(path.join("c/precious")).expect("it is removed");
    let checked = run_with(&Programs::agreeing(), path, &["check-certificate", "c"]);
    assert_eq!((code(&checked), err(&checked)), (0, ""), "the first one is there");
}
