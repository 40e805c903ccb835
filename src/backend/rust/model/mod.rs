//! The decisions about the package: names, types, boxes, defaults, how each value is decoded.

mod bounds;
mod cycles;
mod decode;
mod default;
mod field;
mod floats;
mod handle;
mod helper;
pub(super) mod keywords;
mod method;
mod newtype;
mod parameters;
mod plain;
mod progress;
mod scope;
mod side;
mod state;
mod tuple;
mod union;
mod values;

pub(super) use decode::{DecodeFn, Helper};
pub(super) use field::{AdditionalModel, FieldModel, OnInvalid, RecordModel, Storage};
pub(super) use handle::{Argument, HandleMethodModel, HandleModel};
pub(super) use helper::{ChoiceModel, FileModel};
pub(super) use method::MethodModel;
pub(super) use newtype::NewtypeModel;
pub(super) use parameters::Parameter;
pub(super) use progress::{ProgressModel, Started, VariantPath};
pub(super) use scope::Scope;
pub(super) use side::{ExtensionsModel, SideModel};
pub(super) use state::{
    CollectionModel, StateModel, StateValueModel, VariantModel as StateVariantModel,
};
pub(super) use tuple::TupleModel;
pub(super) use union::{
    CompositeModel, OpenModel, Payload, Shape, ShorthandModel, UnionModel, VariantModel,
};
pub(super) use values::is_stored_bare;

use proc_macro2::Ident;

use super::docs::DocComment;
use super::names::{self, SideNames};
use super::types::RustType;
use crate::backend::Options;
use crate::ir::{Enum, Findings, Name, Namespace, Protocol, Things, TypeDef, TypeKind, Union};
use crate::source::Location;

/// A type of the package.
#[derive(Debug)]
pub(super) struct TypeModel<'a> {
    /// The name in Rust.
    pub ident: Ident,
    /// The doc comment.
    pub docs: DocComment,
    /// True if two of its values can always be compared: there is no floating-point number in them.
    pub has_eq: bool,
    pub kind: TypeModelKind<'a>,
}

/// The kinds of types.
#[derive(Debug)]
pub(super) enum TypeModelKind<'a> {
    Record(RecordModel),
    Union(UnionModel),
    /// Fields beside a union.
    Composite(Box<CompositeModel>),
    Enum(&'a Enum),
    Newtype(NewtypeModel),
    Tuple(TupleModel),
    Alias {
        target: RustType,
    },
}

/// The model of a package: every decision about its code but those about single definitions, which
/// [`type_model`] takes.
#[derive(Debug)]
pub(super) struct Model<'a> {
    pub scope: Scope<'a>,
    pub sides: Vec<SideModel<'a>>,
    pub states: Vec<StateModel<'a>>,
    /// Names and wire names of all methods.
    pub methods: Vec<(Ident, &'a str)>,
}

impl Model<'_> {
    /// Tells whether there are sides, and so connections.
    pub(super) fn has_sides(&self) -> bool {
        !self.sides.is_empty()
    }

    /// Tells whether there are tuples.
    pub(super) fn has_tuples(&self) -> bool {
        let mut types = self.scope.protocol.types.values();
        types.any(|def| matches!(def.kind, TypeKind::Tuple(_)))
    }

    /// Tells whether files are read or written, here where the other end has none.
    pub(super) fn has_files(&self) -> bool {
        let mut methods = self.sides.iter().flat_map(|side| &side.methods);
        methods.any(|method| method.helpers.file.is_some())
    }

    /// Tells whether something is told of from its start to its end.
    pub(super) fn has_progress(&self) -> bool {
        self.sides.iter().any(|side| !side.progresses.is_empty())
    }
}

/// Decides everything but what single definitions hold.
pub(super) fn build<'a>(
    protocol: &'a Protocol,
    options: &'a Options,
    diagnostics: &mut Findings,
) -> Model<'a> {
    let scope = Scope::new(protocol, options);
    let mut claimed = Namespace::new(Things::Types, "types in Rust");
    claim_own(&scope, &mut claimed, diagnostics);
    for (wire, def) in &protocol.types {
        let ident = scope.ident(wire);
        claimed.claim(&ident.to_string(), wire, &def.location, diagnostics);
        if let TypeKind::Union(shared) = &def.kind
            && !shared.shared.is_empty()
        {
            let kind = names::kind_type(&ident, &names::kind_field(shared));
            claimed.claim(&kind.to_string(), wire, &def.location, diagnostics);
        }
    }
    let methods = side::constants(protocol, diagnostics);
    let sides = side::sides(&scope, diagnostics);
    let mut names = Namespace::new(Things::Entries, "catalogue calls in Rust");
    for entry in protocol.catalogue.iter().flat_map(|catalogue| &catalogue.entries) {
        let ident = names::catalogue_call(&entry.name).to_string();
        names.claim(&ident, &entry.name.wire, &entry.location, diagnostics);
    }
    let states = state::states(&scope);
    Model { scope, sides, states, methods }
}

/// Claims the names of what the package has by itself, as the schema's sides, handles and states
/// have it.
fn claim_own(scope: &Scope<'_>, names: &mut Namespace, findings: &mut Findings) {
    let mut claim = |ident: &str, of: &Name| {
        names.claim(ident, &of.wire, &Location::default(), findings);
    };
    for side in &scope.protocol.sides {
        for ident in SideNames::new(&side.name).exported() {
            claim(&ident, &side.name);
        }
    }
    for method in &scope.protocol.methods {
        let handle = method.handle.iter().map(|it| &it.name);
        let host = method.process.iter().map(|it| &it.name);
        for name in handle.chain(host).chain(method.progress.iter().map(|it| &it.name)) {
            claim(&names::type_name(name, |_| false).to_string(), name);
        }
    }
    for aggregate in scope.protocol.aggregates(&scope.protocol.sides) {
        claim(&names::type_name(&aggregate.name, |_| false).to_string(), &aggregate.name);
    }
    for (key, def) in &scope.protocol.types {
        let TypeKind::Union(Union { state: Some(state), .. }) = &def.kind else { continue };
        let old = scope.protocol.old_states(key).into_iter().map(|(name, _)| name);
        for name in std::iter::once(state.name.clone()).chain(old) {
            claim(&names::type_name(&name, |_| false).to_string(), &name);
        }
    }
}

/// Decides about a definition, and reports names that meet in it.
pub(super) fn type_model<'a>(
    scope: &Scope<'a>,
    wire: &'a str,
    def: &'a TypeDef,
    diagnostics: &mut Findings,
) -> TypeModel<'a> {
    let ident = scope.ident(wire);
    let kind = match &def.kind {
        TypeKind::Record(record) => {
            let plan = scope.plan.record(wire);
            let (plans, kept) =
                plan.map_or((&[][..], None), |plan| (&plan.fields[..], plan.kept()));
            let model = field::record(scope, wire, &record.fields, plans, kept, diagnostics);
            let forbidden = plan.map_or_else(Vec::new, |plan| plan.forbidden.clone());
            let keys = plan.filter(|plan| !plan.keys.is_empty());
            let keys = keys.map(|plan| keywords::rules(&plan.keys));
            let closed = plan.is_some_and(|plan| plan.closed);
            TypeModelKind::Record(RecordModel { forbidden, keys, closed, ..model })
        }
        TypeKind::Union(union) if union.shared.is_empty() => {
            TypeModelKind::Union(union::union(scope, wire, &ident, union, diagnostics))
        }
        TypeKind::Union(union) => {
            let composite = union::composite(scope, wire, union, diagnostics);
            TypeModelKind::Composite(Box::new(composite))
        }
        TypeKind::Enum(values) => {
            let mut names = Namespace::new(
                Things::Members(wire.to_owned()),
                format!("values of `{wire}` in Rust"),
            );
            for value in &values.values {
                let ident = names::variant(&value.name).to_string();
                names.claim(&ident, &value.name.wire, &value.location, diagnostics);
            }
            TypeModelKind::Enum(values)
        }
        TypeKind::Tuple(tuple) if scope.plain_tuple(wire).is_some() => {
            let items = tuple.types().map(|ty| scope.rust_type(ty)).collect();
            TypeModelKind::Alias { target: RustType::Tuple(items) }
        }
        TypeKind::Tuple(tuple) => {
            TypeModelKind::Tuple(tuple::tuple(scope, wire, tuple, diagnostics))
        }
        TypeKind::Alias { target } => match newtype::newtype(scope, wire, target) {
            Some(newtype) => TypeModelKind::Newtype(newtype),
            None => TypeModelKind::Alias { target: scope.rust_type(target) },
        },
    };
    let docs = DocComment::in_mode(&def.docs, scope.options.docs.for_type(def));
    TypeModel { ident, docs, has_eq: scope.has_eq(wire), kind }
}
