//! A schema's text with byte spans: every value knows its JSON pointer, line and column.

mod location;
mod node;
mod parse;
mod plain;
mod pointer;

pub use location::{Location, SourceText, Sources, Span, is_path};
pub use node::{Json, Member, Node};
pub use parse::{MAX_BYTES, MAX_DEPTH, ParseError, ParseErrorKind, parse, parse_part};
pub use plain::{is_hidden, plain_text};
pub use pointer::{push_segment, segments};
