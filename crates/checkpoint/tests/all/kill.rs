//! A program that is killed at any moment.

use std::env;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use polycube_engine::forward::Journal;
use polycube_testing::for_seeds;
use polycube_testing::generate::Random;

use crate::{append, create, identity, read_all, resume, scratch};

const DIR: &str = "POLYCUBE_CHECKPOINT_TEST";

fn layer(number: usize) -> (Vec<u64>, Vec<u8>) {
    let random = &mut Random::new(number as u64);
    let length = random.size(1, 40_000);
    (vec![number as u64; 3], (0..length).map(|_| random.number() as u8).collect())
}

/// What the program does that is killed.
#[test]
#[ignore = "it is started by another test"]
fn keep_layers() {
    let Some(dir) = env::var_os(DIR) else { return };
    let dir = Path::new(&dir);
    let begun = resume(dir, &identity()).or_else(|_| create(dir, &identity()));
    let mut checkpoint = begun.expect("a checkpoint");
    let first = checkpoint.open(0, &[]).expect("it can be opened");
    for number in first..first + 1000 {
        let (word, states) = layer(number);
        append(&mut checkpoint, &word, &states).expect("it can be written");
        if number % 3 == 0 {
            checkpoint.commit().expect("it can be written");
            // What was said to count is a byte more.
            std::io::stderr().write_all(b"#").expect("somebody listens");
        }
    }
}

#[test]
fn random_kills_lose_nothing() {
    for_seeds!(4, |seed| {
        let random = &mut Random::new(seed);
        let dir = scratch();
        let mut counted = 0;
        for _ in 0..5 {
            let program = env::current_exe().expect("this program");
            let mut child = Command::new(program)
                .args(["kill::keep_layers", "--exact", "--ignored", "--nocapture"])
                .env(DIR, dir.path())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("it starts");
            thread::sleep(Duration::from_millis(random.between(5, 60) as u64));
            child.kill().expect("it can be killed");
            child.wait().expect("it has ended");
            let mut said = String::new();
            child.stderr.take().expect("it was asked for").read_to_string(&mut said).expect("text");
            let commits = said.bytes().filter(|&byte| byte == b'#').count();
            let Ok(mut checkpoint) = resume(dir.path(), &identity()) else {
                assert_eq!((counted, commits), (0, 0), "it was there");
                continue;
            };
            let layers = match checkpoint.stage(0) {
                Some(stage) => read_all(&mut checkpoint, 0, &stage),
                None => Vec::new(),
            };
            assert!(layers.len() >= counted + 3 * commits.saturating_sub(1), "{commits} commits were lost");
            assert!(layers.iter().enumerate().all(|(number, kept)| *kept == layer(number)));
            counted = layers.len();
        }
    });
}
