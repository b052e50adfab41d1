//! `polycube lsp`: a language server on standard input and output.

mod host;

use std::sync::Arc;

use polycube_lsp::{Connection, Ended, serve};

use super::Outcome;
use host::Program;

pub(super) fn run() -> Outcome {
    let (connection, threads) = Connection::stdio();
    let program = Arc::new(Program::default());
    let ended = serve(&connection, program.clone(), env!("CARGO_PKG_VERSION"));
    program.remove_reports();
    // The thread that writes ends when nobody has anything more to send.
    drop(connection);
    match (ended, threads.join()) {
        (Ended::Properly, Ok(())) => Outcome::Success,
        // As the protocol wants it.
        _ => Outcome::No,
    }
}
