//! Systems whose sizes lie around the limits of what numbers count them: the answers are right, or the system is
//! refused.

mod bits;
mod deep;
mod many_cells;
mod many_types;
mod padding;
