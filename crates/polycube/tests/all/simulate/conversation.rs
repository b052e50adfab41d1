//! Conversations through pipes.

use super::*;

#[test]
fn a_conversation() {
    let folder = folder(&[("door.cub", DOOR)]);
    let commands = "help\nwhy enter\n2\nwhy enter #2\nwhy\nwhy entre\nwhy leave\nwhy enter #1 #1\nwhy enter(#9)\nwhy enter x\n\
                    1\nstate\ntrace\nundo\nrandom 9\n1\nr\nundo 2\nu 99\nundo\nundo x\nr 2\n\n\
                    0\n7\nfoo\nquit now\nsave\nsave run.json\nsave run.json\nsave missing/run.json\nlist\nrestart\nquit\n1\n";
    let output = run(folder.path(), &["simulate", "door.cub", "-i"], commands.as_bytes());
    assert_eq!((code(&output), err(&output)), (0, ""));
    insta::assert_snapshot!("conversation", out(&output));
    let replayed = run(folder.path(), &["replay", "run.json", "door.cub"], b"");
    assert_eq!(code(&replayed), 0, "{}", err(&replayed));
    assert!(out(&replayed).contains("2 steps with 3 processes"), "{}", out(&replayed));
}

#[test]
fn steps_by_name() {
    let two = "array A[proc] : bool\ninit (p) { not A[p] }\nunsafe (p q) { A[p] && A[q] }\n\
               transition swap (p q) { A[p] := A[q] }\ntransition random () { }\n\
               transition twice (p) { A[p] := True }\ntransition twice (p) { A[p] := False }\n";
    let folder = folder(&[("door.cub", DOOR), ("two.cub", two)]);
    let commands = "enter\nenter #2\nenter 1\nenter #1\nenter(#9)\nenter x\nenter(#3)\nenter\nstep\nstep (\nstep enter 1\n";
    let output = run(folder.path(), &["simulate", "door.cub", "-i"], commands.as_bytes());
    assert_eq!((code(&output), err(&output)), (0, ""));
    insta::assert_snapshot!("steps_by_name", out(&output));
    let commands = "swap #2 #1\nswap(#1,#2)\nrandom\nstep random\ntwice 1\nswap #1\nstate #1\n";
    let output = run(folder.path(), &["simulate", "two.cub", "-i", "-n", "2"], commands.as_bytes());
    assert_eq!((code(&output), err(&output)), (0, ""));
    insta::assert_snapshot!("steps_by_name_of_commands", out(&output));
}

#[test]
fn back_and_forth() {
    let folder = folder(&[("door.cub", DOOR)]);
    let commands = "redo\n3\n2\n1\ngoto 1\nredo\nundo\nredo 9\ngoto 0\ngoto 3\ngoto 3\ngoto 4\ngoto\ngoto x\nundo 2\n1\nredo\n\
                    goto 3\ntrace\n";
    let output = run(folder.path(), &["simulate", "door.cub", "-i"], commands.as_bytes());
    assert_eq!((code(&output), err(&output)), (0, ""));
    insta::assert_snapshot!("back_and_forth", out(&output));
}

#[test]
fn values_are_asked_for() {
    let folder = folder(&[("choices.cub", CHOICES)]);
    let commands = "1\n2\ndata!2\n#3\n100\n-7/2\n\n1\n4\n#1\nB\nrandom\n1\nC\ncancel\n1\n";
    let output = run(folder.path(), &["simulate", "choices.cub", "-i"], commands.as_bytes());
    assert_eq!((code(&output), err(&output)), (0, ""));
    insta::assert_snapshot!("values", out(&output));
}

#[test]
fn long_lists_are_cut() {
    let folder = folder(&[("door.cub", DOOR)]);
    let output = run(folder.path(), &["simulate", "door.cub", "-i", "-n", "40"], b"40\nlist\nwhy enter\n");
    insta::assert_snapshot!("long_lists", out(&output));
}

#[test]
fn a_conversation_survives_everything() {
    let folder = folder(&[("door.cub", DOOR)]);
    let long = [b"x".repeat(300_000), b"\n".to_vec()].concat();
    let inputs: [&[u8]; 7] = [
        b"",
        b"\n\n",
        b"2",
        b"\xFF\xFE\x00\n",
        b"99999999999999999999\n-1\n1.5\nwhy enter #99999999999\nundo 99999999999999\n",
        b"why enter #1 #2 #3 #4\nwhy (((\nsave /\n",
        &long,
    ];
    for input in inputs {
        let output = run(folder.path(), &["simulate", "door.cub", "-i"], input);
        assert_eq!((code(&output), err(&output)), (0, ""), "{input:?}");
    }
}
