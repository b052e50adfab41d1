//! Clusters of threads on the loopback interface, and what can happen to them.

mod attacks;
mod faults;
mod processes;
mod search;
mod start;
