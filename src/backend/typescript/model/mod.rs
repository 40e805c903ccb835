//! A whole package with everything decided: names, types, literals, order. Templates only print
//! it.

mod alternatives;
mod api;
mod api_classes;
mod api_remote;
mod cancels;
mod catalogue;
mod codecs;
mod constructors;
mod decoders;
mod enums;
mod errors;
mod fields;
mod gates;
mod handles;
mod methods;
mod negotiation;
mod records;
mod remote;
mod shorthands;
mod sides;
mod states;
mod union_decoders;
mod unions;

use std::collections::HashSet;

use serde::Serialize;

use self::catalogue::CatalogueModel;
use self::codecs::CodecsModel;
use self::enums::EnumModel;
use self::errors::ErrorModel;
use self::handles::HandlesModel;
use self::methods::MethodsModel;
use self::records::RecordModel;
use self::remote::RemoteModel;
use self::sides::SidesModel;
use self::states::StatesModel;
use self::unions::UnionModel;
use super::docs::Comment;
use super::names::UNKNOWN_TAG;
use super::package::PackageModel;
use super::types::{Expr, Scope};
use crate::backend::Options;
use crate::decode::DecodePlan;
use crate::diagnostic::Diagnostics;
use crate::ir::{TypeDef, TypeKind};

/// A whole package.
#[derive(Debug, Serialize)]
pub(super) struct Model {
    package: PackageModel,
    types: TypesModel,
    methods: MethodsModel,
    pub(super) sides: SidesModel,
    remote: RemoteModel,
    pub(super) handles: Option<HandlesModel>,
    pub(super) states: Option<StatesModel>,
    errors: Vec<ErrorModel>,
    codecs: CodecsModel,
    pub(super) catalogue: Option<CatalogueModel>,
}

/// Every type of the protocol, as it is on the wire.
#[derive(Debug, Serialize)]
struct TypesModel {
    /// The type of an unknown tag, if an open union refers to it.
    unknown_tag: Option<&'static str>,
    /// The types, in the schema's order.
    declarations: Vec<Declaration>,
}

/// The declaration of a type. Each kind has a template of its name.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Declaration {
    Record(RecordModel),
    Union(UnionModel),
    Enum(EnumModel),
    /// Another type by another name.
    Alias {
        name: String,
        doc: Vec<String>,
        #[serde(rename = "type")]
        ty: Expr,
    },
}

impl Model {
    /// Tells whether connections may go over HTTP.
    pub(super) fn has_http(&self) -> bool {
        self.remote.http.is_some()
    }

    /// Decides everything.
    pub(super) fn new(scope: Scope<'_>, options: &Options, diagnostics: &mut Diagnostics) -> Self {
        Self {
            package: PackageModel::new(scope, options),
            types: TypesModel::new(scope, diagnostics),
            sides: SidesModel::new(scope, diagnostics),
            remote: RemoteModel::new(scope.protocol),
            handles: HandlesModel::new(scope, diagnostics),
            states: StatesModel::new(scope, diagnostics),
            methods: MethodsModel::new(scope),
            errors: errors::errors(scope),
            codecs: CodecsModel::new(
                scope,
                &DecodePlan::new(scope.protocol, options.unknown_fields),
            ),
            catalogue: CatalogueModel::new(scope, diagnostics),
        }
    }
}

impl TypesModel {
    fn new(scope: Scope<'_>, diagnostics: &mut Diagnostics) -> Self {
        let defs = scope.protocol.types.iter();
        let is_open =
            |def: &TypeDef| matches!(&def.kind, TypeKind::Union(union) if union.open.is_some());
        let declarations = defs.map(|(key, def)| Declaration::new(scope, key, def, diagnostics));
        let mut model = Self {
            unknown_tag: scope.protocol.types.values().any(is_open).then_some(UNKNOWN_TAG),
            declarations: declarations.collect(),
        };
        model.keep_used_shorthands();
        model
    }

    /// Leaves out shorthands that no constructor takes.
    fn keep_used_shorthands(&mut self) {
        let unions = self.declarations.iter().filter_map(Declaration::union);
        let used = unions.flat_map(|union| &union.constructors).flat_map(|it| &it.shorthands);
        let used: HashSet<String> = used.cloned().collect();
        for declaration in &mut self.declarations {
            if let Declaration::Union(union) = declaration {
                union.shorthand = union.shorthand.take().filter(|it| used.contains(&it.function));
            }
        }
    }
}

impl Declaration {
    fn union(&self) -> Option<&UnionModel> {
        if let Self::Union(union) = self { Some(union) } else { None }
    }

    fn new(scope: Scope<'_>, key: &str, def: &TypeDef, diagnostics: &mut Diagnostics) -> Self {
        let name = scope.names.of(key).to_owned();
        let doc = Comment::new(&def.docs, scope.docs);
        match &def.kind {
            TypeKind::Record(record) => Self::Record(RecordModel::new(scope, name, doc, record)),
            TypeKind::Union(union) => {
                Self::Union(UnionModel::new(scope, name, doc, union, diagnostics))
            }
            TypeKind::Enum(of) => Self::Enum(EnumModel::new(scope, name, doc, of, diagnostics)),
            TypeKind::Alias { target } => {
                Self::Alias { name, doc: doc.block(0), ty: scope.expression(target) }
            }
        }
    }
}
