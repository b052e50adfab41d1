//! Tests of the judge: the definition of a system case by case, every kind of wrong trace, and random
//! systems.

mod counts;
mod explanations;
mod known;
mod random;
mod rejections;
mod semantics;
mod support;
