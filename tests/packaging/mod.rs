//! What becomes of a generated package, and of the tool, on the way to a user.

mod crates;
mod machine;
mod npm;
mod python;
mod tool;
mod walkthrough;

pub(crate) use tool::unpacked;
