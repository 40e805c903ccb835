//! Texts to messages: files of JSON, lines of it, and records of who said what.

mod fix;
mod lines;
mod message;
mod record;

pub use fix::fixed;
pub(super) use lines::{Layout, read};
pub(super) use message::{Message, is_structure, messages, text_of};
pub(super) use record::{Said, Sender, other, said};
