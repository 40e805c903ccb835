//! For every type a function that decodes it, and its codec.

use serde::Serialize;

use super::decoders::{Decoder, DecoderBuilder, PartModel, integer_bounds};
use super::fields::FieldsModel;
use super::union_decoders::UnionDecoder;
use crate::backend::typescript::imports::RuntimeImports;
use crate::backend::typescript::names;
use crate::backend::typescript::types::Scope;
use crate::ir::{Enum, EnumBase, Type, TypeDef, TypeKind};

/// All codecs.
#[derive(Debug, Serialize)]
pub(super) struct CodecsModel {
    imports: RuntimeImports,
    /// Whether the constants of enums are referred to, beside types.
    imports_constants: bool,
    /// Whether there are functions, and those that make copies.
    has_functions: bool,
    has_copies: bool,
    /// One for each type, in the schema's order.
    codecs: Vec<CodecModel>,
}

/// The codec of a type.
#[derive(Debug, Serialize)]
struct CodecModel {
    name: String,
    #[serde(rename = "type")]
    ty: String,
    /// The function that decodes the type.
    decoder: String,
    /// What that function does, unless it is another type's or one of the runtime.
    body: Option<Body>,
    /// Functions that decode parts of it.
    parts: Vec<PartModel>,
}

/// What a function does that decodes a type. Each kind has a template of its name.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Body {
    Record(FieldsModel),
    Union(UnionDecoder),
    /// The name of the list of known values; none if there are none.
    Enum {
        values: Option<String>,
    },
    Alias {
        nullable: bool,
        decoder: Decoder,
    },
}

impl CodecsModel {
    pub(super) fn new(scope: Scope<'_>) -> Self {
        let mut imports = RuntimeImports::default();
        let types = scope.protocol.types.iter();
        let codecs: Vec<CodecModel> =
            types.map(|(key, def)| CodecModel::new(scope, key, def, &mut imports)).collect();
        let any = |is: fn(&Body) -> bool| codecs.iter().filter_map(|it| it.body.as_ref()).any(is);
        Self {
            imports_constants: any(|body| matches!(body, Body::Enum { values: Some(_) })),
            has_functions: any(|_| true),
            has_copies: any(Body::copies),
            imports,
            codecs,
        }
    }
}

impl CodecModel {
    fn new(scope: Scope<'_>, key: &str, def: &TypeDef, imports: &mut RuntimeImports) -> Self {
        let name = scope.names.of(key);
        let mut builder = DecoderBuilder::new(scope, imports, name);
        let decoder = builder.decoder(&Type::Named { name: key.to_owned() }, "");
        let decoder = builder.function(decoder, "");
        let body = (decoder == names::decoder(name)).then(|| Body::new(&mut builder, name, def));
        Self { name: names::codec(name), ty: name.to_owned(), decoder, body, parts: builder.parts }
    }
}

impl Body {
    fn new(builder: &mut DecoderBuilder<'_>, name: &str, def: &TypeDef) -> Self {
        match &def.kind {
            TypeKind::Record(record) => Self::Record(FieldsModel::new(builder, &record.fields)),
            TypeKind::Union(union) => Self::Union(UnionDecoder::new(builder, union)),
            TypeKind::Enum(Enum { base: EnumBase::Integer(integer), open: Some(_), .. }) => {
                let decoder = builder.value("integer", integer_bounds(integer));
                Self::Alias { nullable: false, decoder }
            }
            TypeKind::Enum(of) => {
                builder.imports.value("choice");
                Self::Enum { values: (!of.values.is_empty()).then(|| names::values(name)) }
            }
            TypeKind::Alias { target: Type::Nullable { inner } } => {
                Self::Alias { nullable: true, decoder: builder.decoder(inner, "value") }
            }
            TypeKind::Alias { target } => {
                Self::Alias { nullable: false, decoder: builder.decoder(target, "") }
            }
        }
    }

    /// Whether the function makes copies that are decoded further.
    fn copies(&self) -> bool {
        let fields = match self {
            Self::Record(fields) => Some(fields),
            Self::Union(union) => union.shared.as_ref(),
            _ => None,
        };
        fields.is_some_and(|fields| fields.decoded > 0)
    }
}
