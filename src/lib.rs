//! Compiles an annotated JSON Schema of a JSON-RPC protocol into typed SDKs.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod backend;
pub mod diagnostic;
pub mod ir;
pub mod lower;
pub mod output;
pub mod schema;
pub mod source;
