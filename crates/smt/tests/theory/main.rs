//! The theory solvers against z3 and against brute force, on random conjunctions.

mod elimination;
mod linear;
mod ordered;
mod random;
mod relation;
mod theory;
mod z3;

/// How many problems each seed stands for, where z3 is asked: a process for each would cost more than the answers.
const BATCH: usize = 100;
