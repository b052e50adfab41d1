//! The documentation: its models get the answers that it says, its output is real, and its links lead somewhere.

mod examples;
mod links;
mod models;
#[cfg(unix)]
mod output;
mod pages;
