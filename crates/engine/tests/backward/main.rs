//! Backward reachability against exploration, on random systems.

mod metamorphic;
mod quirks;
mod random;
