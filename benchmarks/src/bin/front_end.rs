//! How fast models are read, checked and formatted: `cargo run --release -p polycube-benchmarks --bin
//! front_end`.
//!
//! Measures our largest model, the published FLASH model where it is present, and generated models of 1, 10
//! and 50 MB. Each line is the best of several runs in this process; memory is the highest use of the process
//! so far.

#![allow(clippy::print_stdout)] // a benchmark is a program that prints a table

use std::fmt::Write;
use std::time::{Duration, Instant};

use polycube_language::{check, format};
use polycube_testing::{models, shared};

fn main() {
    println!(
        "{:<22} {:>9} {:>11} {:>8} {:>11} {:>9}",
        "model", "kB", "check ms", "MB/s", "format ms", "peak MB"
    );
    let own = models("safe").into_iter().filter(|model| model.name() == "flash_data");
    let published =
        shared("corpus/cub").unwrap_or_default().into_iter().filter(|model| model.name() == "flash");
    for model in own.chain(published) {
        measure(model.name(), &model.text, 50);
    }
    for megabytes in [1, 10, 50] {
        measure(&format!("generated, {megabytes} MB"), &large_model(megabytes * 1_000_000), 3);
    }
}

fn measure(name: &str, text: &str, runs: usize) {
    let checking = best(runs, || assert!(check(text).system.is_some(), "{name} is a model"));
    let formatting = best(runs, || assert!(format(text).is_ok()));
    let speed = text.len() as f64 / 1e6 / checking.as_secs_f64();
    println!(
        "{name:<22} {:>9.1} {:>11.2} {speed:>8.1} {:>11.2} {:>9}",
        text.len() as f64 / 1e3,
        checking.as_secs_f64() * 1e3,
        formatting.as_secs_f64() * 1e3,
        peak_memory().map_or_else(|| "?".to_owned(), |kilobytes| (kilobytes / 1000).to_string()),
    );
}

fn best(runs: usize, mut work: impl FnMut()) -> Duration {
    let one = |()| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    std::iter::repeat_n((), runs).map(one).min().unwrap_or_default()
}

/// The highest memory use of this process in kB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// A model of at least this many bytes, with the usual mixture of guards, updates and comments.
fn large_model(bytes: usize) -> String {
    let mut text =
        String::from("type state = S0 | S1 | S2 | S3 | S4\ntype msg = M0 | M1 | M2 | M3 | M4\ntype data\n");
    for k in 0..200 {
        let _ = writeln!(
            text,
            "array Cache{k}[proc] : state\narray Chan{k}[proc] : msg\narray Data{k}[proc] : data"
        );
        let _ = writeln!(text, "var Ptr{k} : proc\nvar Count{k} : int");
        let _ = writeln!(text, "init (z) {{ Cache{k}[z] = S0 && Chan{k}[z] = M0 && Count{k} = 0 }}");
        let _ = writeln!(text, "unsafe (y z) {{ Cache{k}[y] = S3 && Cache{k}[z] = S3 }}");
    }
    let mut step = 0;
    while text.len() < bytes {
        let (a, b, v) = (step % 200, (step * 7 + 1) % 200, step % 5);
        let _ = writeln!(
            text,
            "(* step {step} *)\ntransition step_{step} (i j)\n  requires {{ Cache{a}[i] = S{v} && Chan{b}[j] <> M{v} && Ptr{a} = i && \
             Count{a} + 1 <= Count{b} && forall_other k. (Cache{b}[k] <> S1 || Chan{a}[k] = M2) }}\n{{\n  Cache{a}[i] := S{};\n  \
             Chan{b}[l] := case | l = i : M1 | l = j && Cache{a}[j] = S1 : M2 | _ : Chan{b}[l];\n  Ptr{a} := j;\n  \
             Count{a} := Count{a} + 1;\n  Data{a}[i] := Data{b}[j];\n}}",
            (v + 1) % 5
        );
        step += 1;
    }
    text
}
