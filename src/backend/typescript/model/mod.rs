//! A whole package with everything decided: names, types, literals, order. Templates only print
//! it.

mod alternatives;
mod api;
mod api_app;
mod api_classes;
mod api_remote;
mod api_sides;
mod api_types;
mod app;
mod catalogue;
mod codecs;
mod constructors;
mod decoders;
mod enums;
mod errors;
mod fields;
mod handles;
mod helpers;
mod hosts;
mod keywords;
mod methods;
mod negotiation;
mod payloads;
mod program;
mod progress;
mod records;
mod remote;
mod shorthands;
mod sides;
mod states;
mod union_decoders;
mod unions;

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use self::app::AppModel;
use self::catalogue::CatalogueModel;
use self::codecs::CodecsModel;
use self::enums::EnumModel;
use self::errors::ErrorModel;
use self::handles::HandlesModel;
use self::helpers::FilesModel;
use self::hosts::HostsModel;
use self::methods::MethodsModel;
use self::payloads::PayloadsModel;
use self::program::ProgramModel;
use self::progress::ProgressesModel;
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
use crate::backend::template::Sequence;
use crate::decode::DecodePlan;
use crate::ir::{Findings, Protocol, Side, TypeDef, TypeKind, Union};

/// A whole package.
#[derive(Debug, Serialize)]
pub(super) struct Model {
    package: PackageModel,
    /// The entry points of the package, each with its module.
    entries: Vec<(&'static str, &'static str)>,
    types: TypesModel,
    methods: MethodsModel,
    pub(super) payloads: Option<PayloadsModel>,
    pub(super) sides: SidesModel,
    pub(super) app: Option<AppModel>,
    program: Option<ProgramModel>,
    remote: RemoteModel,
    pub(super) handles: Option<HandlesModel>,
    pub(super) hosts: Option<HostsModel>,
    pub(super) files: Option<FilesModel>,
    pub(super) progress: Option<ProgressesModel>,
    pub(super) states: Option<StatesModel>,
    errors: Vec<ErrorModel>,
    /// The codes of errors whose data hold something, and the literals of what that is.
    own_members: Vec<(i64, Vec<String>)>,
    codecs: CodecsModel,
    pub(super) catalogue: Option<CatalogueModel>,
}

/// Every type of the protocol, as it is on the wire.
#[derive(Debug, Serialize)]
struct TypesModel {
    /// The type of an unknown tag, if an open union refers to it.
    unknown_tag: Option<&'static str>,
    /// True if a tag that begins with `_` is nobody's but the user's.
    has_custom_tags: bool,
    /// The types, in the schema's order.
    declarations: Sequence<Declaration>,
}

/// The declaration of a type. Each kind has a template of its name.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Declaration {
    Record(RecordModel),
    Union(Box<UnionModel>),
    Enum(EnumModel),
    /// Another type by another name.
    Alias {
        name: String,
        doc: Vec<String>,
        #[serde(rename = "type")]
        ty: Expr,
        /// The other type's name, if it has a constant and this is its deprecated name.
        constant: Option<String>,
        /// True if the other type has a guard, too.
        has_guard: bool,
    },
}

impl Model {
    /// Tells whether decoders check more than types and bounds.
    pub(super) fn has_keywords(&self) -> bool {
        self.codecs.has_keywords()
    }

    /// Tells whether there are tuples.
    pub(super) fn has_tuples(&self) -> bool {
        self.codecs.has_tuples
    }

    /// Tells whether connections may go over HTTP.
    pub(super) fn has_http(&self) -> bool {
        self.remote.http
    }

    /// Tells whether the package may go to JSR: by its name, and since it needs no build.
    pub(super) fn is_for_jsr(&self) -> bool {
        self.package.imports_sources && self.package.json.name.starts_with("\"@")
    }

    /// Decides everything. Without connections the protocol of the scope has no sides any more, but
    /// the methods of all `sides` still have names.
    pub(super) fn new(
        scope: Scope<'_>,
        sides: &[Side],
        options: &Options,
        diagnostics: &mut Findings,
    ) -> Self {
        let methods = MethodsModel::new(scope, sides);
        let payloads = PayloadsModel::new(scope, sides);
        let types = TypesModel::new(scope, diagnostics);
        let sides = SidesModel::new(scope, diagnostics);
        let app = AppModel::new(scope, &sides);
        let package = PackageModel::new(scope, options);
        let handles = HandlesModel::new(scope, diagnostics);
        let hosts = HostsModel::new(scope, diagnostics);
        let files = FilesModel::new(scope, diagnostics);
        let has_connections = !sides.is_empty();
        let entries = [
            (".", "index", true),
            ("./app", "app", app.is_some()),
            ("./files", "files", files.is_some()),
            ("./hosts", "hosts", hosts.is_some()),
            ("./node", "node", has_connections),
            ("./remote", "remote", has_connections),
            ("./remote/node", "remote-node", has_connections),
        ];
        let entries = entries.into_iter().filter(|(.., is_there)| *is_there);
        let program = || ProgramModel::new(scope, app.as_ref(), &sides);
        Self {
            program: if package.guide.is_empty() { program() } else { None },
            package,
            entries: entries.map(|(subpath, module, _)| (subpath, module)).collect(),
            types,
            app,
            sides,
            remote: RemoteModel::new(scope.protocol),
            handles,
            hosts,
            files,
            progress: ProgressesModel::new(scope),
            states: StatesModel::new(scope, diagnostics),
            methods,
            payloads,
            errors: errors::errors(scope),
            own_members: errors::own_members(scope),
            codecs: CodecsModel::new(
                scope,
                &DecodePlan::new(scope.protocol, options.unknown_fields),
            ),
            catalogue: CatalogueModel::new(scope, diagnostics),
        }
    }
}

impl TypesModel {
    fn new(scope: Scope<'_>, diagnostics: &mut Findings) -> Self {
        let defs = scope.protocol.types.iter();
        let is_open =
            |def: &TypeDef| matches!(&def.kind, TypeKind::Union(union) if union.open.is_some());
        let declarations = defs.map(|(key, def)| Declaration::new(scope, key, def, diagnostics));
        let mut declarations: Vec<Declaration> = declarations.collect();
        keep_used_shorthands(&mut declarations);
        keep_constants(&mut declarations);
        Self {
            unknown_tag: scope.protocol.types.values().any(is_open).then_some(UNKNOWN_TAG),
            has_custom_tags: has_custom_tags(scope.protocol),
            declarations: declarations.into(),
        }
    }
}

/// Has old names stand for a constant only where the type has one.
fn keep_constants(declarations: &mut [Declaration]) {
    let known = declarations.iter().filter_map(|declaration| {
        let has_guard = matches!(declaration, Declaration::Enum(_));
        Some((declaration.constant()?.to_owned(), has_guard))
    });
    let known: BTreeMap<String, bool> = known.collect();
    for declaration in declarations {
        if let Declaration::Alias { constant, has_guard, .. } = declaration {
            constant.take_if(|name| !known.contains_key(name));
            *has_guard = constant.as_ref().is_some_and(|name| known.get(name) == Some(&true));
        }
    }
}

/// Leaves out shorthands that no constructor takes.
fn keep_used_shorthands(declarations: &mut [Declaration]) {
    let unions = declarations.iter().filter_map(Declaration::union);
    let used = unions.flat_map(|union| &union.constructors).flat_map(|it| &it.shorthands);
    let used: HashSet<String> = used.cloned().collect();
    for declaration in declarations {
        if let Declaration::Union(union) = declaration {
            union.shorthand = union.shorthand.take().filter(|it| used.contains(&it.function));
        }
    }
}

/// Tells whether names that begin with `_` are for users, as those of methods are, and no union's own
/// tags begin so.
fn has_custom_tags(protocol: &Protocol) -> bool {
    let unions = protocol.types.values().filter_map(|def| match &def.kind {
        TypeKind::Union(union) => Some(union),
        _ => None,
    });
    let mut tags = unions.flat_map(Union::tagged);
    protocol.extensions.is_some() && !tags.any(|(tag, _)| tag.starts_with('_'))
}

impl Declaration {
    fn union(&self) -> Option<&UnionModel> {
        if let Self::Union(union) = self { Some(union) } else { None }
    }

    /// The name of the constant that has its known values, or makes its values.
    fn constant(&self) -> Option<&str> {
        match self {
            Self::Union(union) if !union.constructors.is_empty() => Some(&union.name),
            Self::Enum(of) if !of.values.is_empty() => Some(&of.name),
            _ => None,
        }
    }

    fn new(scope: Scope<'_>, key: &str, def: &TypeDef, diagnostics: &mut Findings) -> Self {
        let name = scope.names.name(key).to_owned();
        let doc = Comment::new(&def.docs, scope.docs.for_type(def));
        match &def.kind {
            TypeKind::Record(record) => Self::Record(RecordModel::new(scope, name, doc, record)),
            TypeKind::Union(union) => {
                Self::Union(Box::new(UnionModel::new(scope, name, doc, union, diagnostics)))
            }
            TypeKind::Enum(of) => Self::Enum(EnumModel::new(scope, name, doc, of, diagnostics)),
            TypeKind::Tuple(tuple) => {
                let (doc, ty) = (doc.block(0), scope.tuple(tuple));
                Self::Alias { name, doc, ty, constant: None, has_guard: false }
            }
            TypeKind::Alias { target } => {
                let named = target.named().filter(|_| def.docs.deprecated);
                let constant = named.map(|key| scope.names.name(key).to_owned());
                let (doc, ty) = (doc.block(0), scope.expression(target));
                Self::Alias { name, doc, ty, constant, has_guard: false }
            }
        }
    }
}
