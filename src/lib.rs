//! Compiles an annotated JSON Schema of a JSON-RPC protocol into typed SDKs.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod backend;
mod builder;
pub mod config;
pub mod diagnostic;
pub mod generator;
pub mod input;
pub mod ir;
pub mod lower;
pub mod output;
pub mod schema;
pub mod source;

pub use builder::{BuildError, Builder};
pub use config::{Config, Target};
pub use generator::{Generation, Generator, Package};
pub use ir::Protocol;
pub use schema::{Schema, SchemaText};
