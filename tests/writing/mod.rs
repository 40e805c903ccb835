//! What `generate` and `check` do to the disk, run as a user would.

mod check;
mod foreign;
mod input;
mod killed;
mod refused;
mod sandbox;
mod streams;
