//! The package that is to be written, without a language: what it says, and by which names. A
//! backend decides how that is spelled.

mod data;
mod rules;

pub(crate) use data::Data;
#[cfg(feature = "cli")]
pub(crate) use data::Record;
pub(crate) use rules::{endpoint, rules};
