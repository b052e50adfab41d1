//! A language server: what editors ask about models, over the Language Server Protocol.
//!
//! [`serve`] answers one client until it leaves. Everything that concerns the text alone is answered from
//! what [`polycube_language`] knows about it. Searches are done by the [`Host`], in threads of their own, so
//! that the server goes on answering. This crate reads and writes no files.

// What others read as documentation is complete.
#![warn(missing_docs)]

mod capabilities;
mod command;
mod completion;
mod diagnostics;
mod document;
mod fixes;
mod host;
mod hover;
mod job;
mod lens;
mod navigation;
mod outline;
mod refusal;
mod rename;
mod request;
mod search;
mod server;
mod text;

pub use host::{Finding, Findings, Host, Task, Verdict, Work};
pub use lsp_server::Connection;
pub use server::{Ended, serve};
