//! What becomes of a generated package on its way to a user.

mod npm;
mod python;
