//! Runs for other tools.

mod itf;
mod mermaid;
