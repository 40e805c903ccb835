//! The decode plan: the IR's types as the steps that a decoder takes.
//!
//! The plan decides once what a decoder does with a field that is absent, `null` or invalid, which
//! variant of a union it chooses, and which members it keeps. Backends print the plan; [`Decoder`]
//! runs it on JSON values.

mod beyond;
mod build;
mod defaults;
mod error;
mod given;
mod keys;
mod mode;
mod outer;
mod plan;
mod refused;
mod remark;
mod results;
mod rules;
mod run;
pub(crate) mod scalar;
mod unions;

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

pub use defaults::check_defaults;
#[cfg(feature = "cli")]
pub(crate) use error::path;
pub use error::{DecodeError, PathStep};
pub use mode::Mode;
pub use plan::{
    Candidates, Choice, DecodePlan, FieldPlan, Items, KnownKeys, OnAbsent, OnInvalid, OnNull,
    RecordPlan, Rest, Step, Substitute, TagPlan, TypePlan, UnionPlan,
};
pub use remark::{Forgiveness, Refusal, Remark, RemarkKind};
pub use results::check_results;
pub use run::{Decoder, Examined};

/// The treatment of the members of an object that its schema neither lists nor mentions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum UnknownFields {
    /// They are dropped where keeping them would cost something.
    #[default]
    Drop,
    /// They are kept as any JSON, and encoded again.
    Preserve,
}
