//! The model of the templates: names, types, default values, decoders and their arguments, texts of
//! docstrings. Nothing is left to decide, and nothing is spelled that a template can spell.

mod aliases;
mod calls;
mod catalogue;
mod choices;
mod classes;
mod codecs;
mod declarations;
mod decode;
mod decoders;
mod defaults;
mod enums;
mod errors;
mod fields;
mod handles;
mod helpers;
mod hosts;
mod methods;
mod objects;
mod payloads;
mod progress;
mod records;
mod remote;
mod scope;
mod shorthands;
mod side_method;
mod sides;
mod states;
mod status;
mod types;
mod unions;
mod variants;

use serde::Serialize;

pub(crate) use calls::Params;
pub(crate) use catalogue::CatalogueModule;
pub(crate) use codecs::CodecsModule;
pub(crate) use declarations::{Declaration, TypesModule};
pub(crate) use decoders::DecodersModule;
pub(crate) use enums::EnumsModule;
pub(crate) use errors::{ERRORS, ErrorsModule};
pub(crate) use fields::StructField;
pub(crate) use handles::{HandleCall, HandleClass};
pub(crate) use hosts::{HostClass, HostsModule};
pub(crate) use methods::{MethodsModule, VERSION};
pub(crate) use payloads::PayloadsModule;
pub(crate) use progress::{ProgressClass, ProgressStep};
use remote::RemoteModule;
use scope::Scope;
pub(crate) use shorthands::ShorthandsModule;
pub(crate) use side_method::SideMethod;
pub(crate) use sides::{Extension, SideClasses, SidesModule, UNKNOWN_METHOD, UNKNOWN_NOTIFICATION};
pub(crate) use states::{StateClass, StatesModule};
pub(crate) use status::{has_deprecated, has_unstable};

use super::expression::Expression;
use super::modules::Modules;
use crate::backend::Options;
use crate::decode::DecodePlan;
use crate::ir::{Findings, Namespace, Protocol, Side, Things};
use crate::source::Location;
use classes::Variants;

/// The indentation of a class body, and of a function's in it.
const BODY: usize = 4;
const FUNCTION: usize = 8;

/// A whole package, a field for each of its modules.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) types: TypesModule,
    pub(crate) enums: EnumsModule,
    pub(crate) sides: SidesModule,
    pub(crate) methods: MethodsModule,
    pub(crate) payloads: Option<PayloadsModule>,
    pub(crate) remote: RemoteModule,
    pub(crate) hosts: HostsModule,
    pub(crate) decoders: DecodersModule,
    pub(crate) codecs: CodecsModule,
    pub(crate) errors: ErrorsModule,
    pub(crate) catalogue: Option<CatalogueModule>,
    pub(crate) shorthands: ShorthandsModule,
    pub(crate) states: StatesModule,
    pub(crate) exports: Exports,
}

impl Model {
    /// Decides everything, and reports names that meet. Without connections the protocol has no
    /// sides any more, but the methods of `all_sides` still have names.
    pub(super) fn new(
        protocol: &Protocol,
        all_sides: &[Side],
        options: &Options,
        modules: &Modules,
        diagnostics: &mut Findings,
    ) -> Self {
        let plan = DecodePlan::new(protocol, options.unknown_fields);
        let scope =
            Scope::new(protocol, &plan, Variants::new(protocol, &plan, diagnostics), modules);
        let mode = options.docs;
        let mut exports = Exports::new();
        let types = types::types_module(&scope, mode, &mut exports, diagnostics);
        let enums = enums::enums_module(&scope, mode, &mut exports, diagnostics);
        let sides = sides::sides_module(&scope, mode, &mut exports, diagnostics);
        let methods = methods::methods_module(&scope, all_sides, diagnostics);
        let payloads = payloads::payloads_module(&scope, all_sides, &mut exports);
        let states = states::states_module(&scope, &mut exports, diagnostics);
        sides.claim_connections(&scope, &mut exports, diagnostics);
        let hosts = hosts::hosts_module(&scope, &mut exports, diagnostics);
        Self {
            types,
            enums,
            sides,
            methods,
            payloads,
            remote: remote::remote_module(&scope),
            hosts,
            decoders: decoders::decoders_module(&scope),
            codecs: codecs::codecs_module(&scope),
            errors: errors::errors_module(&scope),
            catalogue: catalogue::catalogue_module(&scope, mode, diagnostics),
            states,
            shorthands: shorthands::shorthands_module(&scope),
            exports,
        }
    }
}

/// The names that the package's modules offer.
#[derive(Debug)]
pub(crate) struct Exports {
    namespace: Namespace,
    pub(crate) types: Vec<String>,
    /// Names that types had before.
    pub(crate) old_types: Vec<String>,
    pub(crate) states: Vec<String>,
    /// Names that states had before.
    pub(crate) old_states: Vec<String>,
    pub(crate) enums: Vec<String>,
    pub(crate) interfaces: Vec<String>,
    pub(crate) connections: Vec<String>,
    pub(crate) payloads: Vec<String>,
    pub(crate) hosts: Vec<String>,
}

impl Exports {
    fn new() -> Self {
        Self {
            namespace: Namespace::new(Things::Types, "names of the Python package"),
            types: Vec::new(),
            old_types: Vec::new(),
            states: Vec::new(),
            old_states: Vec::new(),
            enums: Vec::new(),
            interfaces: Vec::new(),
            connections: Vec::new(),
            payloads: Vec::new(),
            hosts: Vec::new(),
        }
    }

    /// Takes a name. Two things of one name are reported with both locations.
    fn claim(&mut self, name: &str, wire: &str, location: &Location, diagnostics: &mut Findings) {
        self.namespace.claim(name, wire, location, diagnostics);
    }
}

/// A parameter of a function, or an attribute of a class.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) ty: Expression,
    /// The default.
    pub(crate) default: Option<Expression>,
    /// The wire name of the field that it is for, if it is for one.
    #[serde(skip)]
    pub(crate) wire: String,
}

impl Parameter {
    pub(crate) fn new(name: impl Into<String>, ty: Expression) -> Self {
        Self { name: name.into(), ty, default: None, wire: String::new() }
    }
}
