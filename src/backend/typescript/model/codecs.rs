//! For every type a function that decodes it, and its codec.

use serde::Serialize;

use super::decoders::{ClosedModel, Decoder, DecoderBuilder, PartModel, RestModel};
use super::fields::FieldsModel;
use super::keywords::{RulesConstant, integer_bounds};
use super::union_decoders::UnionDecoder;
use crate::backend::template::Sequence;
use crate::backend::typescript::docs::status;
use crate::backend::typescript::imports::RuntimeImports;
use crate::backend::typescript::literals::literal;
use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;
use crate::decode::DecodePlan;
use crate::ir::{Enum, EnumBase, Type, TypeDef, TypeKind};

/// All codecs.
#[derive(Debug, Serialize)]
pub(super) struct CodecsModel {
    imports: RuntimeImports,
    /// True if the constants of enums are referred to, beside types.
    imports_constants: bool,
    /// True if there are tuples.
    pub(super) has_tuples: bool,
    /// A codec for each type, in the schema's order.
    codecs: Sequence<CodecModel>,
}

/// The codec of a type.
#[derive(Debug, Serialize)]
struct CodecModel {
    name: String,
    /// The tags that warn of the type.
    status: Vec<String>,
    #[serde(rename = "type")]
    ty: String,
    /// The function that decodes the type.
    decoder: String,
    /// True if that function is told which keys are not its own.
    takes_outer: bool,
    /// The body of that function, unless it is another type's or one of the runtime.
    body: Option<Body>,
    /// The rules that its decoders look at.
    rules: Vec<RulesConstant>,
    /// Functions that decode parts of it.
    parts: Vec<PartModel>,
}

/// The body of a function that decodes a type. Each kind has a template of its name.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Body {
    Record {
        #[serde(flatten)]
        fields: FieldsModel,
        /// The literals of the properties of which an object must not have all, for each such set.
        forbidden: Vec<Vec<String>>,
        /// The constant of the rules for its keys.
        keys: Option<String>,
        closed: Option<ClosedModel>,
        rest: Option<RestModel>,
    },
    Union(UnionDecoder),
    /// The function that decodes it, and the name of the list of known values; none if there are none.
    Enum {
        function: String,
        values: Option<String>,
        /// The bounds of another value, if that may be one.
        bounds: Vec<String>,
    },
    Alias {
        nullable: bool,
        decoder: Decoder,
    },
}

impl CodecsModel {
    /// Tells whether decoders check more than types and bounds.
    pub(super) fn has_keywords(&self) -> bool {
        self.imports.has_keywords()
    }

    pub(super) fn new(scope: Scope<'_>, plan: &DecodePlan) -> Self {
        let mut imports = RuntimeImports::default();
        let types = scope.protocol.types.iter();
        let codecs: Vec<CodecModel> =
            types.map(|(key, def)| CodecModel::new(scope, plan, key, def, &mut imports)).collect();
        let bodies = || codecs.iter().filter_map(|codec| codec.body.as_ref());
        if bodies().next().is_some() {
            imports.decoding(["type Context"]);
        }
        if bodies().any(Body::copies) {
            imports.decoding(["type Members"]);
        }
        let imports_constants =
            bodies().any(|body| matches!(body, Body::Enum { values: Some(_), .. }));
        let mut types = scope.protocol.types.values();
        let has_tuples = types.any(|def| matches!(def.kind, TypeKind::Tuple(_)));
        Self { imports, imports_constants, has_tuples, codecs: codecs.into() }
    }
}

impl CodecModel {
    fn new<'a>(
        scope: Scope<'a>,
        plan: &'a DecodePlan,
        key: &'a str,
        def: &TypeDef,
        imports: &'a mut RuntimeImports,
    ) -> Self {
        let name = scope.names.name(key);
        let mut builder = DecoderBuilder::new(scope, plan, imports, key);
        let decoder = builder.decoder(&Type::Named { name: key.to_owned() }, "");
        let decoder = builder.function(decoder, "");
        let is_own = decoder == names::decoder(name);
        let body = if is_own { Body::new(&mut builder, key, def) } else { None };
        let DecoderBuilder { takes_outer, parts, rules, .. } = builder;
        Self {
            name: names::codec(name),
            status: status(&def.docs),
            ty: name.to_owned(),
            decoder,
            takes_outer,
            body,
            rules,
            parts,
        }
    }
}

impl Body {
    fn new(builder: &mut DecoderBuilder<'_>, key: &str, def: &TypeDef) -> Option<Self> {
        let name = builder.scope.names.name(key);
        Some(match &def.kind {
            TypeKind::Record(record) => {
                let plan = builder.plan.record(key)?;
                let fields = FieldsModel::new(builder, &record.fields, &plan.fields);
                let sets = plan.forbidden.iter();
                let forbidden: Vec<Vec<String>> =
                    sets.map(|keys| keys.iter().map(|key| literal(key)).collect()).collect();
                if !forbidden.is_empty() {
                    builder.imports.decoding(["FAIL", "forbids"]);
                }
                let keys = (!plan.keys.is_empty()).then(|| builder.key_rules(&plan.keys));
                if keys.is_some() {
                    builder.imports.decoding(["FAIL"]);
                    builder.imports.keyword("keysFit");
                }
                let closed = builder.closed(record, plan);
                let rest = builder.rest(record, plan);
                Self::Record { fields, forbidden, keys, closed, rest }
            }
            TypeKind::Union(union) => {
                let plan = builder.plan.union(key)?;
                Self::Union(UnionDecoder::new(builder, union, plan))
            }
            TypeKind::Enum(of @ Enum { base: EnumBase::Integer(integer), open: Some(_), .. })
                if of.is_bounded() =>
            {
                let function = builder.imports.keyword("boundedInteger");
                let values = (!of.values.is_empty()).then(|| names::values(name));
                Self::Enum { function, values, bounds: integer_bounds(integer) }
            }
            TypeKind::Enum(Enum { base: EnumBase::Integer(integer), open: Some(_), .. }) => {
                let decoder = builder.value("integer", integer_bounds(integer));
                Self::Alias { nullable: false, decoder }
            }
            TypeKind::Enum(of @ Enum { open: Some(open), .. }) => {
                let function = builder.imports.keyword("boundedChoice");
                let bounds = builder.text_bounds(&open.text);
                let values = (!of.values.is_empty()).then(|| names::values(name));
                Self::Enum { function, values, bounds }
            }
            TypeKind::Enum(of) => {
                let function = builder.imports.value("choice");
                let values = (!of.values.is_empty()).then(|| names::values(name));
                Self::Enum { function, values, bounds: Vec::new() }
            }
            TypeKind::Tuple(tuple) => {
                Self::Alias { nullable: false, decoder: builder.tuple(tuple) }
            }
            TypeKind::Alias { target: Type::Nullable { inner } } => {
                Self::Alias { nullable: true, decoder: builder.decoder(inner, "value") }
            }
            TypeKind::Alias { target } => {
                Self::Alias { nullable: false, decoder: builder.decoder(target, "") }
            }
        })
    }

    /// Tells whether the function makes copies that are decoded further.
    fn copies(&self) -> bool {
        let fields = match self {
            Self::Record { fields, .. } => Some(fields),
            Self::Union(union) => union.shared.as_ref(),
            _ => None,
        };
        fields.is_some_and(|fields| !fields.is_empty())
    }
}
