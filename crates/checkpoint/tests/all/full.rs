//! Disks that are full.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use polycube_engine::forward::Journal;
use polycube_testing::skip;

use crate::{append, create, identity, read_all, refusal, resume, scratch};

/// A small file system, while this lives.
struct Small<'p>(&'p Path);

impl Small<'_> {
    fn mount(path: &Path) -> Option<Small<'_>> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(path).stderr(Stdio::null());
        mount.status().is_ok_and(|status| status.success()).then_some(Small(path))
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

#[test]
fn a_full_disk_leaves_what_counted() {
    let mounted = scratch();
    let Some(_small) = Small::mount(mounted.path()) else {
        return skip("small file systems cannot be mounted here");
    };
    let dir = mounted.path();
    fs::write(dir.join("ballast"), vec![0; 300_000]).expect("it fits");
    let mut checkpoint = create(dir, &identity()).expect("a new checkpoint");
    checkpoint.open(0, &[]).expect("it can be opened");
    let layer = (vec![1], vec![1; 100_000]);
    append(&mut checkpoint, &layer.0, &layer.1).expect("it fits");
    checkpoint.commit().expect("it fits");

    // The states do not fit.
    let states = dir.join("process-0/order-0.states");
    let wanted = append(&mut checkpoint, &[2], &[2; 2_500_000]).expect_err("it does not fit");
    let expected = format!(
        "the disk is full: {} cannot have 2.5 MB more; what {} held before is whole",
        states.display(),
        dir.display()
    );
    assert_eq!(wanted.0, expected);
    assert_eq!(append(&mut checkpoint, &[2], b"").expect_err("it is over").0, expected);
    assert_eq!(checkpoint.commit().expect_err("it is over").0, expected);
    drop(checkpoint);

    // They do when the commit is made.
    let mut checkpoint = resume(dir, &identity()).expect("a checkpoint");
    assert_eq!(read_all(&mut checkpoint, 0, &[]), std::slice::from_ref(&layer));
    append(&mut checkpoint, &[2], &[2; 800_000]).expect("it is not written yet");
    let wanted = checkpoint.commit().expect_err("it does not fit");
    assert!(wanted.0.contains("order-0.states cannot have 800.0 kB more"), "{wanted}");
    drop(checkpoint);

    // The manifest does not fit.
    let mut checkpoint = resume(dir, &identity()).expect("a checkpoint");
    assert_eq!(checkpoint.open(0, &[]), Ok(1));
    append(&mut checkpoint, &vec![u64::MAX; 100_000], b"").expect("it is not written yet");
    let wanted = checkpoint.commit().expect_err("it does not fit");
    assert!(wanted.0.contains("manifest cannot have 2.1 MB more"), "{wanted}");
    drop(checkpoint);

    // Nothing fits any more, and then something does.
    let _ = fs::write(dir.join("more"), vec![0; 2_000_000]);
    let full = refusal(create(&dir.join("other"), &identity()));
    assert!(full.contains("No space left"), "{full}");
    fs::remove_file(dir.join("more")).expect("a file");
    fs::remove_file(dir.join("ballast")).expect("a file");
    let mut checkpoint = resume(dir, &identity()).expect("a checkpoint");
    assert_eq!(checkpoint.open(0, &[]), Ok(1));
    append(&mut checkpoint, &[2], &[2; 400_000]).expect("it fits");
    checkpoint.commit().expect("it fits");
    drop(checkpoint);
    let mut checkpoint = resume(dir, &identity()).expect("a checkpoint");
    assert_eq!(read_all(&mut checkpoint, 0, &[]), [layer, (vec![2], vec![2; 400_000])]);
}
