//! Backward reachability against exploration, on random systems.

mod random;
