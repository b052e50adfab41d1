//! x
pub mod check;
pub mod diagnostic;
pub mod format;
pub mod formula;
pub mod number;
pub mod parse;
mod print;
pub mod span;
pub mod syntax;
pub mod system;
pub mod token;
pub use system::System;
pub use check::check;
