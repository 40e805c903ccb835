//! Values of one of several types.

use serde::Serialize;

use super::alternatives::{Alternative, alternatives};
use super::constructors::{ConstructorModel, constructors};
use super::records::{self, FieldModel};
use super::shorthands::ShorthandModel;
use crate::backend::typescript::docs::Comment;
use crate::backend::typescript::literals;
use crate::backend::typescript::types::Scope;
use crate::ir::{Docs, Findings, Selector, Union};

/// A union.
#[derive(Debug, Serialize)]
pub(super) struct UnionModel {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    /// The fields that stand beside the variants.
    pub(super) shared: Vec<FieldModel>,
    /// The key of the property that tells variants apart.
    pub(super) tag: Option<String>,
    /// Its variants, the open one among them, each once.
    pub(super) alternatives: Vec<Alternative>,
    /// A constructor for each variant that can be made of its parts.
    pub(super) constructors: Vec<ConstructorModel>,
    /// The function that tells whether a value is the variant with a tag.
    pub(super) guard: Option<GuardModel>,
    /// The function by which other constructors take the one value of a variant.
    pub(super) shorthand: Option<ShorthandModel>,
}

impl UnionModel {
    pub(super) fn new(
        scope: Scope<'_>,
        name: String,
        doc: Comment,
        union: &Union,
        diagnostics: &mut Findings,
    ) -> Self {
        let alternatives = alternatives(scope, union);
        let constructors = constructors(scope, &name, union, diagnostics);
        Self {
            doc: doc.items(variant_docs(union)).block(0),
            shared: records::fields(scope, &union.shared),
            tag: union.tag().map(|tag| literals::key(&tag.wire)),
            shorthand: ShorthandModel::new(scope, &name, union),
            guard: GuardModel::new(union, &alternatives, &constructors),
            alternatives,
            constructors,
            name,
        }
    }
}

/// The function that tells whether a value is the variant with a tag.
#[derive(Debug, Serialize)]
pub(super) struct GuardModel {
    pub(super) name: &'static str,
    /// The literal of the tag's property, and what follows a value to get it.
    pub(super) tag: String,
    access: String,
}

impl GuardModel {
    /// Makes the function of a union all of whose variants say what their tag is.
    fn new(
        union: &Union,
        alternatives: &[Alternative],
        constructors: &[ConstructorModel],
    ) -> Option<Self> {
        let wire = union.tag()?.wire.as_str();
        // Of a single variant there is nothing to tell.
        if constructors.is_empty()
            || alternatives.len() < 2
            || alternatives.iter().any(|it| it.tag.is_none())
        {
            return None;
        }
        let is_taken = constructors.iter().any(|function| function.name == "is");
        let tag = literals::literal(wire);
        let is_identifier = literals::is_identifier(wire);
        let access = if is_identifier { format!(".{wire}") } else { format!("[{tag}]") };
        Some(Self { name: if is_taken { "is_" } else { "is" }, tag, access })
    }
}

/// The docs of each variant, for the union's comment.
fn variant_docs(union: &Union) -> impl Iterator<Item = (String, &Docs)> {
    let known = union.variants.iter().map(|variant| {
        let label = match &variant.selector {
            Selector::Tag { value } => value,
            Selector::Untagged => &variant.name.wire,
        };
        (format!("`{label}`"), &variant.docs)
    });
    let open = union.open.iter().map(|open| (String::from("any other"), &open.docs));
    known.chain(open)
}
