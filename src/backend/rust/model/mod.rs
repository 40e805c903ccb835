//! What the package will say, decided: names, type expressions, boxes, defaults, readers.
//!
//! Printing adds nothing to it but layout.

mod aliases;
mod catalogue;
mod cycles;
mod default;
mod enumeration;
mod field;
mod kinds;
mod parameters;
mod read;
mod scalar;
mod scope;
mod side;
mod size;
mod union;

pub(super) use catalogue::{CatalogueModel, EntryModel};
pub(super) use default::{DefaultValue, Form};
pub(super) use enumeration::EnumModel;
pub(super) use field::{FieldModel, Reading, RecordModel, Slot};
pub(super) use kinds::Kinds;
pub(super) use parameters::Parameter;
pub(super) use read::{Helper, Read};
pub(super) use scalar::NewtypeModel;
pub(super) use scope::Scope;
pub(super) use side::{MethodModel, SideModel, StreamModel};
pub(super) use union::{CompositeModel, OpenModel, Payload, Shape, UnionModel, VariantModel};

use super::docs;
use crate::backend::Options;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{Protocol, TypeDef, TypeKind};

/// A type of the package.
#[derive(Debug)]
pub(super) struct TypeModel {
    /// The name in the schema.
    pub wire: String,
    /// The name in Rust.
    pub ident: String,
    /// The doc comment.
    pub docs: Vec<String>,
    /// What it is.
    pub kind: TypeModelKind,
}

/// What a type is.
#[derive(Debug)]
pub(super) enum TypeModelKind {
    Record(RecordModel),
    Union(UnionModel),
    /// Fields beside a union.
    Composite(CompositeModel),
    Enum(EnumModel),
    Newtype(NewtypeModel),
    Alias {
        target: String,
    },
}

/// Everything the package will say.
#[derive(Debug)]
pub(super) struct Model {
    pub types: Vec<TypeModel>,
    pub sides: Vec<SideModel>,
    /// Names and wire names of all methods.
    pub methods: Vec<(String, String)>,
    /// What is called by name, if anything is.
    pub catalogue: Option<CatalogueModel>,
}

impl Model {
    /// Whether some results come in pieces.
    pub(super) fn has_streams(&self) -> bool {
        self.sides.iter().flat_map(|side| &side.methods).any(|method| method.stream.is_some())
    }
}

/// Decides everything.
pub(super) fn build(
    protocol: &Protocol,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Model {
    let scope = Scope::new(protocol, options);
    let mut names = Namespace::new("Rust types");
    let mut types = Vec::with_capacity(protocol.types.len());
    for (wire, def) in &protocol.types {
        let model = type_model(&scope, wire, def, diagnostics);
        names.claim(&model.ident, wire, &def.place, diagnostics);
        if let TypeModelKind::Composite(composite) = &model.kind {
            names.claim(&composite.union.ident, wire, &def.place, diagnostics);
        }
        types.push(model);
    }
    let methods = side::constants(protocol, diagnostics);
    let sides = side::sides(&scope, diagnostics);
    let catalogue = catalogue::catalogue(&scope, diagnostics);
    Model { types, sides, methods, catalogue }
}

fn type_model(
    scope: &Scope<'_>,
    wire: &str,
    def: &TypeDef,
    diagnostics: &mut Diagnostics,
) -> TypeModel {
    let ident = scope.ident(wire).to_owned();
    let kind = match &def.kind {
        TypeKind::Record(record) => {
            TypeModelKind::Record(field::record(scope, wire, &record.fields, diagnostics))
        }
        TypeKind::Union(union) if union.shared.is_empty() => {
            TypeModelKind::Union(union::union(scope, wire, &ident, union, diagnostics))
        }
        TypeKind::Union(union) => {
            TypeModelKind::Composite(union::composite(scope, wire, union, diagnostics))
        }
        TypeKind::Enum(values) => {
            TypeModelKind::Enum(enumeration::enumeration(scope, wire, values, diagnostics))
        }
        TypeKind::Alias { target } => match scalar::newtype(scope, wire, target) {
            Some(newtype) => TypeModelKind::Newtype(newtype),
            None => TypeModelKind::Alias { target: scope.expression(target) },
        },
    };
    let docs = docs::comment(&def.docs, scope.options);
    TypeModel { wire: wire.to_owned(), ident, docs, kind }
}
