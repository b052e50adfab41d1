//! Runs for other tools.

mod itf;
mod mermaid;
#[path = "../program/mod.rs"]
mod program;
