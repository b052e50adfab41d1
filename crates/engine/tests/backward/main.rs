//! Backward reachability against exploration, on random systems.

mod quirks;
mod random;
