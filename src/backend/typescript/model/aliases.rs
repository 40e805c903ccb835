//! Types that are other types by another name.

use serde::Serialize;

use crate::backend::typescript::types::Expr;

/// A type that is another.
#[derive(Debug, Serialize)]
pub(super) struct AliasModel {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    #[serde(rename = "type")]
    pub(super) ty: Expr,
}
