//! Compiles an annotated JSON Schema of a JSON-RPC protocol into typed SDKs.
//!
//! A schema is read ([`schema`]), lowered to a model of the protocol ([`ir`]), and printed by a
//! [`backend`] for each language, in memory. [`Generator`] does it all; [`Builder`] does it from
//! a build script and writes the files; the command `acp-bindgen` does it for everyone else.
//!
//! ```
//! use acp_bindgen::{Config, Generator, SchemaText, Target};
//!
//! // A protocol of one method: the one side greets the other.
//! let schema = serde_json::json!({
//!     "title": "Hello Protocol",
//!     "$defs": {
//!         "GreetRequest": {
//!             "type": "object",
//!             "properties": { "name": { "type": "string" } },
//!             "required": ["name"],
//!             "x-method": "greet",
//!             "x-side": "server",
//!         },
//!         "GreetResponse": {
//!             "type": "object",
//!             "properties": { "greeting": { "type": "string" } },
//!             "required": ["greeting"],
//!             "x-method": "greet",
//!             "x-side": "server",
//!         },
//!     },
//! });
//! let schema = SchemaText::from_value("hello.json", &schema);
//! let config = Config { target: vec![Target::Rust], ..Config::default() };
//! let generation = Generator::new(config).generate(schema);
//!
//! assert!(!generation.diagnostics.has_errors());
//! let protocol = generation.protocol.expect("it has no errors");
//! assert_eq!(protocol.methods[0].name.wire, "greet");
//! assert_eq!(generation.packages.len(), 1);
//! ```
//!
//! # Features
//!
//! * `cli` (default): the command, every language, and reference docs. Without it there is Rust
//!   alone, for build scripts.
//! * `bundled` (default): the schemas that come with the tool.
//! * `patterns` (with `cli`): generated code can look at the patterns of strings.
//! * `serde` (with `cli`): the model and the configuration can be written as JSON and read.
//! * `schemars`: take a `schemars::Schema`.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "cli")]
pub mod aliases;
pub mod backend;
#[cfg(feature = "cli")]
pub mod breaking;
mod builder;
pub mod config;
pub mod decode;
pub mod diagnostic;
#[cfg(feature = "cli")]
pub mod example;
pub mod generator;
#[cfg(feature = "cli")]
pub mod history;
pub mod input;
pub mod ir;
#[cfg(feature = "cli")]
pub mod lint;
pub mod load;
pub mod lower;
pub mod output;
mod parallel;
mod pattern;
#[cfg(feature = "cli")]
pub mod policy;
#[cfg(feature = "cli")]
pub mod published;
pub mod schema;
#[cfg(feature = "cli")]
mod schema_validator;
mod sdk;
pub mod source;
#[cfg(feature = "cli")]
pub mod validate;

pub use backend::{DocsMode, Runtime, StabilityMode};
pub use builder::{BuildError, Builder};
pub use config::{Config, Target};
pub use decode::UnknownFields;
pub use generator::{Generation, Generator, Package};
pub use ir::Protocol;
pub use load::{Inputs, Loaded, Purpose, load};
pub use lower::Patterns;
pub use schema::{ReferredText, Schema, SchemaText};
