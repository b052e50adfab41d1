//! What the program does, as its users see it: a module for each command, and some for what concerns all of them.
//!
//! One test binary, because most of these tests wait for other programs: so they wait at the same time, and there is one to
//! be built.

#[cfg(unix)]
mod certify;
mod command_line;
mod discover;
mod documentation;
mod editors;
mod explore;
mod induct;
mod limits;
mod murphi;
mod pages;
mod program;
mod rejected;
mod replay;
mod runs;
mod simulate;
mod verify;
