//! What becomes of a generated package, and of the tool, on the way to a user.

mod crates;
mod npm;
mod python;
mod tool;
