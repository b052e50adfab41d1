//! What is refused, and what is said about it.

use std::fs;

use polycube_checkpoint::{Identity, Model, contents};
use polycube_engine::forward::Journal;

use crate::{append, create, identity, part, refusal, resume, scratch};

#[test]
fn a_checkpoint_is_not_written_over() {
    let dir = scratch();
    let dir = dir.path().join("a/b");
    drop(create(&dir, &identity()).expect("a new checkpoint"));
    let before = fs::read(dir.join("process-0/manifest")).expect("a manifest");
    let said = refusal(create(&dir, &identity()));
    let name = dir.display();
    assert_eq!(
        said,
        format!("{name} holds a checkpoint already: --resume {name} continues it; to begin anew, remove it")
    );
    assert_eq!(fs::read(dir.join("process-0/manifest")).expect("a manifest"), before);
}

#[test]
fn what_is_not_ours_is_not_touched() {
    let dir = scratch();
    let path = dir.path();
    let file = path.join("file");
    fs::write(&file, "mine").expect("a file");
    assert_eq!(refusal(create(&file, &identity())), format!("{} is not a folder", file.display()));
    assert!(refusal(create(&file.join("below"), &identity())).contains("below"));
    let there = refusal(resume(path, &identity()));
    assert_eq!(there, format!("there is no checkpoint in {}", path.display()));
    fs::create_dir(path.join("process-0")).expect("a folder");
    fs::write(path.join("process-0/order-0.states"), "mine").expect("a file");
    let said = refusal(create(path, &identity()));
    assert!(said.contains("holds order-0.states, which is not of a checkpoint"), "{said}");
    assert_eq!(fs::read(path.join("process-0/order-0.states")).expect("a file"), b"mine");
    assert_eq!(fs::read_dir(path.join("process-0")).expect("a folder").count(), 1, "nothing was made");
    // Beside a part, anything may lie.
    create(path, &part(1, 2)).expect("a new checkpoint");
    assert_eq!(fs::read(file).expect("a file"), b"mine");
}

#[test]
fn a_checkpoint_of_another_exploration_is_refused() {
    let dir = scratch();
    let path = dir.path();
    drop(create(path, &part(1, 4)).expect("a new checkpoint"));
    let here = part(1, 4);
    let said = |identity: Identity| {
        let said = refusal(resume(path, &identity));
        let rest = said.strip_prefix(&format!("the checkpoint in {} ", path.display()));
        rest.unwrap_or_else(|| panic!("{said}")).to_owned()
    };
    let settings = |list: &[(&str, &str)]| {
        let settings = list.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        Identity { settings, ..here.clone() }
    };
    assert_eq!(
        said(Identity { version: "0.2.0".to_owned(), ..here.clone() }),
        "was made by version 0.1.0 of the program, and this is version 0.2.0"
    );
    assert_eq!(
        said(Identity { model: Model::new("german.cub", "another text"), ..here.clone() }),
        "was made for another text of german.cub"
    );
    assert_eq!(
        said(Identity { model: Model::new("flash.cub", "another text"), ..here.clone() }),
        "was made for german.cub, and this is flash.cub"
    );
    assert_eq!(
        said(settings(&[("-n", "5"), ("--symmetry", "")])),
        "was made with other settings: -n 4 there, -n 5 here"
    );
    assert_eq!(
        said(settings(&[("-n", "4"), ("--depth", "3")])),
        "was made with other settings: no --depth there, --depth 3 here; --symmetry there, no --symmetry here"
    );
    assert_eq!(said(part(1, 2)), "has the parts of 4 processes; start with as many");
    assert_eq!(said(part(5, 6)), "has the parts of 4 processes; start with as many");
    let missing = refusal(resume(path, &part(2, 4)));
    assert_eq!(missing, format!("the part of process 2 is missing in {}", path.display()));
    fs::rename(path.join("process-1"), path.join("process-3")).expect("a folder");
    assert_eq!(said(part(3, 4)), "has the part of process 1 as that of process 3");
    // The name of a model is no part of what it is.
    fs::rename(path.join("process-3"), path.join("process-1")).expect("a folder");
    resume(path, &Identity { model: Model::new("moved.cub", "a text"), ..here.clone() })
        .expect("the same model");
    let few = refusal(create(path, &part(0, 1)));
    assert!(few.contains("holds the part of process 1 of another checkpoint"), "{few}");
}

#[test]
fn a_part_is_written_by_one_program() {
    let dir = scratch();
    let path = dir.path();
    let mut first = create(path, &identity()).expect("a new checkpoint");
    let expected = format!("another program is writing {}", path.join("process-0").display());
    assert_eq!(refusal(resume(path, &identity())), expected);
    first.open(0, &[]).expect("it can be opened");
    append(&mut first, &[], b"one").expect("it can be written");
    first.commit().expect("it can be written");
    assert_eq!(contents(path).expect("a checkpoint")[0].layers(), 1, "anybody may look");
    drop(first);
    let mut second = resume(path, &identity()).expect("a checkpoint");
    assert_eq!(second.open(0, &[]), Ok(1));
    assert_eq!(refusal(resume(path, &identity())), expected);
}

#[test]
fn a_folder_is_told_apart() {
    let dir = scratch();
    assert_eq!(contents(dir.path()), Ok(Vec::new()));
    assert_eq!(contents(&dir.path().join("absent")), Ok(Vec::new()));
    let (_one, _three) = (create(dir.path(), &part(1, 4)), create(dir.path(), &part(3, 4)));
    let parts = contents(dir.path()).expect("two parts");
    let identities: Vec<Identity> = parts.into_iter().map(|part| part.identity).collect();
    assert_eq!(identities, [part(1, 4), part(3, 4)]);
}
