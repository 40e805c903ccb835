//! The decisions about the package: names, types, boxes, defaults, how each value is decoded.

mod catalogue;
mod cycles;
mod decode;
mod default;
mod enumeration;
mod field;
mod newtype;
mod parameters;
mod scope;
mod side;
mod size;
mod union;

pub(super) use catalogue::{CatalogueModel, EntryModel};
pub(super) use decode::{DecodeFn, Helper};
pub(super) use enumeration::{Constant, EnumModel};
pub(super) use field::{AdditionalModel, FieldModel, OnInvalid, RecordModel, Storage};
pub(super) use newtype::NewtypeModel;
pub(super) use parameters::Parameter;
pub(super) use side::{ExtensionsModel, MethodModel, SideModel, StreamModel};
pub(super) use union::{CompositeModel, OpenModel, Payload, Shape, UnionModel, VariantModel};

use proc_macro2::Ident;

use self::scope::Scope;
use super::docs::DocComment;
use super::types::RustType;
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
    pub ident: Ident,
    /// The doc comment.
    pub docs: DocComment,
    pub kind: TypeModelKind,
}

/// The kinds of types.
#[derive(Debug)]
pub(super) enum TypeModelKind {
    Record(RecordModel),
    Union(UnionModel),
    /// Fields beside a union.
    Composite(CompositeModel),
    Enum(EnumModel),
    Newtype(NewtypeModel),
    Alias {
        target: RustType,
    },
}

/// Everything the package will say.
#[derive(Debug)]
pub(super) struct Model {
    pub types: Vec<TypeModel>,
    pub sides: Vec<SideModel>,
    /// Names and wire names of all methods.
    pub methods: Vec<(Ident, String)>,
    /// The catalogue, if there is one.
    pub catalogue: Option<CatalogueModel>,
}

impl Model {
    /// Tells whether there are sides, and so connections.
    pub(super) fn has_sides(&self) -> bool {
        !self.sides.is_empty()
    }

    /// Tells whether some results come in pieces.
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
        names.claim(&model.ident.to_string(), wire, &def.place, diagnostics);
        if let TypeModelKind::Composite(composite) = &model.kind {
            names.claim(&composite.union.ident.to_string(), wire, &def.place, diagnostics);
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
    let ident = scope.ident(wire);
    let kind = match &def.kind {
        TypeKind::Record(record) => {
            let plan = scope.plan.record(wire);
            let (plans, kept) =
                plan.map_or((&[][..], None), |plan| (&plan.fields[..], plan.kept()));
            TypeModelKind::Record(field::record(
                scope,
                wire,
                &record.fields,
                plans,
                kept,
                diagnostics,
            ))
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
        TypeKind::Alias { target } => match newtype::newtype(scope, wire, target) {
            Some(newtype) => TypeModelKind::Newtype(newtype),
            None => TypeModelKind::Alias { target: scope.rust_type(target) },
        },
    };
    let docs = DocComment::new(&def.docs, scope.options);
    TypeModel { wire: wire.to_owned(), ident, docs, kind }
}
