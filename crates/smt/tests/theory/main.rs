//! The theory solvers against z3 and against brute force, on random conjunctions.

mod elimination;
mod linear;
mod ordered;
mod random;
mod relation;
mod theory;
mod z3;
