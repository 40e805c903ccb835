//! Lists of constants.

use serde::Serialize;

use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::types::Scope;
use crate::backend::typescript::{literals, names};
use crate::ir::{Enum, EnumBase, Findings, Namespace, Things};

/// A type of which some values are known.
#[derive(Debug, Serialize)]
pub(super) struct EnumModel {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    /// `string` or `number`.
    pub(super) base: &'static str,
    /// True if there are other values than the known ones.
    pub(super) is_open: bool,
    /// The known values. The type's comment says nothing of them: editors show the comment of a
    /// constant where it is used.
    pub(super) values: Vec<ValueModel>,
}

/// A known value.
#[derive(Debug, Serialize)]
pub(super) struct ValueModel {
    #[serde(skip)]
    pub(super) of: String,
    pub(super) doc: Vec<String>,
    /// The name of its constant.
    pub(super) name: String,
    /// Its literal.
    pub(super) value: String,
}

impl EnumModel {
    pub(super) fn new(
        scope: Scope<'_>,
        name: String,
        doc: Comment,
        of: &Enum,
        diagnostics: &mut Findings,
    ) -> Self {
        let mut namespace =
            Namespace::new(Things::MembersOfAny, format!("values of `{name}` in TypeScript"));
        let values = of.values.iter().map(|value| {
            let name = names::enum_constant(&value.name);
            namespace.claim(&name, &value.name.wire, &value.location, diagnostics);
            let doc = Comment::new(&value.docs, scope.docs).block(2);
            ValueModel {
                of: value.name.wire.clone(),
                doc,
                name,
                value: literals::constant(&value.value),
            }
        });
        let values = values.collect();
        let base = match of.base {
            EnumBase::String => "string",
            EnumBase::Integer(_) => "number",
        };
        Self { name, doc: doc.block(0), base, is_open: of.open.is_some(), values }
    }
}
