//! Backward reachability: known answers, and random systems against exploration.

use polycube_engine::backward::Options;

mod brab;
mod initial;
mod metamorphic;
mod numbers;
mod published;
mod quirks;
mod random;
mod spurious;
mod threads;
mod updates;

fn two_threads() -> Options {
    Options { threads: 2, ..Options::default() }
}
