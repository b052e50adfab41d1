//! Files that are not what was written.

use std::fs;
use std::path::Path;

use polycube_checkpoint::Refused;
use polycube_engine::forward::Journal;

use crate::{append, create, identity, read, read_all, refusal, resume, scratch};

/// A checkpoint with so many commits, of one layer each. How long the manifest was after each, the first group included.
fn written(dir: &Path, commits: usize) -> Vec<usize> {
    let length = || fs::read(dir.join("process-0/manifest")).expect("a manifest").len();
    let mut checkpoint = create(dir, &identity()).expect("a new checkpoint");
    checkpoint.open(0, &[5]).expect("it can be opened");
    let mut lengths = vec![length()];
    for commit in 0..commits {
        append(&mut checkpoint, &[commit as u64, 10], &layer(commit)).expect("it can be written");
        checkpoint.commit().expect("it can be written");
        lengths.push(length());
    }
    lengths
}

fn layer(number: usize) -> Vec<u8> {
    vec![number as u8; 10 + number]
}

/// How many layers are found; all of them are what was written.
fn layers(dir: &Path) -> Result<usize, Refused> {
    let mut checkpoint = resume(dir, &identity())?;
    if checkpoint.stage(0).is_none() {
        return Ok(0);
    }
    let kept = read_all(&mut checkpoint, 0, &[5]);
    for (number, (word, states)) in kept.iter().enumerate() {
        assert_eq!((word, states), (&vec![number as u64, 10], &layer(number)));
    }
    Ok(kept.len())
}

#[test]
fn a_byte_of_the_manifest_is_changed() {
    let dir = scratch();
    let lengths = written(dir.path(), 4);
    let path = dir.path().join("process-0/manifest");
    let states = fs::read(dir.path().join("process-0/order-0.states")).expect("states");
    let text = fs::read(&path).expect("a manifest");
    let (mut ignored, mut refused) = (0, 0);
    for place in 0..text.len() {
        for byte in [text[place] ^ 1, text[place] ^ 0x20, text[place] ^ 0x80, b'\n', 0, b'9'] {
            if byte == text[place] {
                continue;
            }
            let mut damaged = text.clone();
            damaged[place] = byte;
            fs::write(&path, damaged).expect("a file");
            match layers(dir.path()) {
                Err(Refused(said)) => {
                    assert!(said.contains("manifest is not what was written") || said.contains("version"));
                    refused += 1;
                }
                Ok(layers) => {
                    assert!(layers == 3 && place >= lengths[3], "byte {place}: {layers} layers");
                    // What was opened was cut off behind the commit before.
                    fs::write(dir.path().join("process-0/order-0.states"), &states).expect("a file");
                    ignored += 1;
                }
            }
        }
    }
    assert!(ignored > 0 && refused > 2 * ignored, "{ignored} ignored, {refused} refused");
}

#[test]
fn a_manifest_is_torn_anywhere() {
    let dir = scratch();
    let lengths = written(dir.path(), 3);
    let path = dir.path().join("process-0/manifest");
    let text = fs::read(&path).expect("a manifest");
    for length in (0..=text.len()).rev() {
        fs::write(&path, &text[..length]).expect("a file");
        let whole = lengths.iter().filter(|&&end| end <= length).count();
        match layers(dir.path()) {
            Ok(layers) => assert_eq!(layers + 1, whole),
            Err(_) => assert_eq!(whole, 0),
        }
    }
}

#[test]
fn a_group_is_taken_out_or_doubled() {
    let dir = scratch();
    let lengths = written(dir.path(), 4);
    let path = dir.path().join("process-0/manifest");
    let text = fs::read(&path).expect("a manifest");
    let groups: Vec<&[u8]> = (0..lengths.len())
        .map(|group| &text[if group == 0 { 0 } else { lengths[group - 1] }..lengths[group]])
        .collect();
    for order in
        [vec![0, 2, 3, 4], vec![0, 1, 1, 2, 3, 4], vec![0, 2, 1, 3, 4], vec![1, 2, 3, 4], vec![0, 1, 3]]
    {
        let mixed: Vec<u8> = order.iter().flat_map(|&group: &usize| groups[group]).copied().collect();
        fs::write(&path, mixed).expect("a file");
        let said = refusal(resume(dir.path(), &identity()));
        assert!(said.contains("is not what was written"), "{order:?}: {said}");
    }
    fs::write(&path, "{\"format\":\"polycube-checkpoint\",\"version\":2}\n").expect("a file");
    let said = refusal(resume(dir.path(), &identity()));
    assert!(said.ends_with("manifest has the format of another version of the program"), "{said}");
}

#[test]
fn a_byte_of_the_states_is_changed() {
    let dir = scratch();
    written(dir.path(), 4);
    let path = dir.path().join("process-0/order-0.states");
    let states = fs::read(&path).expect("states");
    for place in 0..states.len() {
        let mut damaged = states.clone();
        damaged[place] ^= 1 << (place % 8);
        fs::write(&path, damaged).expect("a file");
        let mut checkpoint = resume(dir.path(), &identity()).expect("nothing is read yet");
        checkpoint.open(0, &[5]).expect("nothing is read yet");
        let wrong: Vec<_> = (0..4).filter_map(|layer| read(&mut checkpoint, layer).err()).collect();
        let number = [10, 21, 33, 46].iter().filter(|&&end| end <= place).count();
        let expected = format!("layer {number} of {} is not what was written", path.display());
        assert_eq!(wrong.len(), 1);
        assert_eq!(wrong[0].0, expected);
    }
    let short = format!("{} is shorter than its manifest says", path.display());
    fs::write(&path, &states[..40]).expect("a file");
    assert_eq!(refusal(resume(dir.path(), &identity())), short);
    fs::remove_file(&path).expect("a file");
    let said = refusal(resume(dir.path(), &identity()));
    assert!(said.starts_with(&format!("cannot read {}", path.display())), "{said}");
}
