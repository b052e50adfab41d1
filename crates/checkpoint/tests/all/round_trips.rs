//! What was kept is read again.

use std::fs;
use std::time::Duration;

use polycube_checkpoint::{Checkpoint, contents};
use polycube_engine::forward::{Fault, Journal};
use polycube_testing::for_seeds;
use polycube_testing::generate::Random;

use crate::{append, create, identity, part, read, read_all, resume, scratch};

#[test]
fn random_layers_are_read_as_they_were_written() {
    for_seeds!(20, |seed| {
        let random = &mut Random::new(seed);
        let dir = scratch();
        let mut layers: Vec<Vec<(Vec<u64>, Vec<u8>)>> = vec![Vec::new(); 3];
        let mut checkpoint = create(dir.path(), &identity()).expect("a new checkpoint");
        for _ in 0..random.between(1, 4) {
            for (order, kept) in layers.iter_mut().enumerate() {
                let stage = vec![order as u64, u64::MAX];
                assert_eq!(checkpoint.open(order, &stage), Ok(kept.len()));
                assert_eq!(checkpoint.stage(order), Some(stage));
                for _ in 0..random.below(4) {
                    let length = random.size(1, 3_000_000) - 1;
                    let states: Vec<u8> =
                        (0..length.div_ceil(8)).flat_map(|_| random.number().to_le_bytes()).collect();
                    let word: Vec<u64> = (0..random.below(100)).map(|_| random.number()).collect();
                    append(&mut checkpoint, &word, &states).expect("it can be written");
                    kept.push((word, states));
                    if random.percent(50) {
                        let layer = random.below(kept.len());
                        assert!(read(&mut checkpoint, layer).expect("a whole layer") == kept[layer]);
                    }
                }
            }
            checkpoint.commit().expect("it can be written");
            drop(checkpoint);
            checkpoint = resume(dir.path(), &identity()).expect("a checkpoint");
        }
        for (order, kept) in layers.iter().enumerate() {
            assert!(read_all(&mut checkpoint, order, &[order as u64, u64::MAX]) == *kept);
        }
        assert_eq!(checkpoint.stage(3), None);
    });
}

#[test]
fn what_was_not_committed_is_gone() {
    let dir = scratch();
    let mut checkpoint = create(dir.path(), &identity()).expect("a new checkpoint");
    checkpoint.open(0, &[1]).expect("it can be opened");
    append(&mut checkpoint, &[1], b"one").expect("it can be written");
    checkpoint.commit().expect("it can be written");
    append(&mut checkpoint, &[2], &[7; 3_000_000]).expect("it can be written");
    drop(checkpoint);

    let file = dir.path().join("process-0/order-0.states");
    let length = || fs::metadata(&file).expect("a file").len();
    let torn = length();
    assert!(torn > 3);
    let mut checkpoint = resume(dir.path(), &identity()).expect("a checkpoint");
    let part = contents(dir.path()).expect("a checkpoint").remove(0);
    assert_eq!((part.layers(), part.bytes()), (1, 3));
    assert_eq!(length(), torn, "looking at it changes nothing");
    assert_eq!(read_all(&mut checkpoint, 0, &[1]), [(vec![1], b"one".to_vec())]);
    assert_eq!(length(), 3);
}

#[test]
fn a_stage_counts_until_another_one_does() {
    let dir = scratch();
    let folder = dir.path().join("process-0");
    let mut checkpoint = create(dir.path(), &identity()).expect("a new checkpoint");
    checkpoint.open(0, &[1]).expect("it can be opened");
    append(&mut checkpoint, &[], b"narrow").expect("it can be written");
    checkpoint.commit().expect("it can be written");
    assert_eq!(checkpoint.open(0, &[2]), Ok(0));
    append(&mut checkpoint, &[], b"wide").expect("it can be written");
    drop(checkpoint);

    let mut checkpoint = resume(dir.path(), &identity()).expect("a checkpoint");
    assert_eq!(checkpoint.stage(0), Some(vec![1]));
    assert_eq!(checkpoint.open(0, &[2]), Ok(0));
    append(&mut checkpoint, &[], b"wide").expect("it can be written");
    assert!(folder.join("order-0.states").exists());
    checkpoint.commit().expect("it can be written");
    assert!(!folder.join("order-0.states").exists());
    drop(checkpoint);

    let mut checkpoint = resume(dir.path(), &identity()).expect("a checkpoint");
    assert_eq!(checkpoint.stage(0), Some(vec![2]));
    assert_eq!(read_all(&mut checkpoint, 0, &[2]), [(vec![], b"wide".to_vec())]);
}

#[test]
fn states_that_cannot_be_had_are_not_kept() {
    let dir = scratch();
    let mut checkpoint = create(dir.path(), &identity()).expect("a new checkpoint");
    checkpoint.open(0, &[]).expect("it can be opened");
    let lost = Fault("lost".to_owned());
    let failed = checkpoint.append(&[], &mut |take| {
        take(&[1; 2_000_000])?;
        Err(lost.clone())
    });
    assert_eq!(failed, Err(lost.clone()));
    append(&mut checkpoint, &[], b"one").expect("it can be written");
    checkpoint.commit().expect("it can be written");
    assert_eq!(read_all(&mut checkpoint, 0, &[]), [(vec![], b"one".to_vec())]);
    assert_eq!(checkpoint.read(0, &mut |_| Err(lost.clone())), Err(lost));
}

#[test]
fn it_is_due_after_the_time() {
    let dir = scratch();
    let mut always = create(dir.path(), &part(0, 2)).expect("a new checkpoint");
    assert!(always.is_due());
    always.commit().expect("it can be written");
    assert!(always.is_due());
    let hour = Duration::from_secs(3600);
    let mut seldom = Checkpoint::create(dir.path(), &part(1, 2), hour).expect("a new checkpoint");
    assert!(!seldom.is_due());
}

#[test]
fn many_layers_take_what_they_take() {
    let dir = scratch();
    let mut checkpoint = create(dir.path(), &identity()).expect("a new checkpoint");
    checkpoint.open(0, &[]).expect("it can be opened");
    let word: Vec<u64> = (0..100).map(|number| number * 1000).collect();
    for _ in 0..2000 {
        append(&mut checkpoint, &word, b"states").expect("it can be written");
        checkpoint.commit().expect("it can be written");
    }
    drop(checkpoint);
    let bytes = fs::metadata(dir.path().join("process-0/manifest")).expect("a file").len();
    assert!(bytes < 2000 * 1000, "{bytes}");
    let mut checkpoint = resume(dir.path(), &identity()).expect("a checkpoint");
    assert_eq!(checkpoint.open(0, &[]), Ok(2000));
}
