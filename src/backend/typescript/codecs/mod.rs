//! The model of `src/codecs.ts`: for every type a function that decodes it, and its codec.

mod code;
mod decoder;
mod fields;
mod unions;

use serde::Serialize;

use self::code::{Used, assign, call, give, words};
use self::decoder::{Decoder, Part, Parts, integer_bounds};
use self::fields::Fields;
use self::unions::UnionCode;
use super::jsdoc::Comment;
use super::types::Scope;
use super::{names, objects};
use crate::backend::doc::text;
use crate::ir::{Enum, EnumBase, Type, TypeDef, TypeKind};

/// Everything in `src/codecs.ts`.
#[derive(Debug, Serialize)]
pub(super) struct CodecsModel {
    /// The imports.
    pub(super) imports: Vec<String>,
    /// One for each type, in the schema's order.
    pub(super) codecs: Vec<CodecModel>,
}

/// The codec of a type.
#[derive(Debug, Serialize)]
pub(super) struct CodecModel {
    /// The lines of its comment.
    pub(super) doc: Vec<String>,
    /// `export const NAME: Codec<TYPE> = codec(…);`
    pub(super) statement: String,
    /// The function that decodes the type, unless it is another's.
    pub(super) function: Option<Function>,
    /// Functions that decode parts of it.
    pub(super) parts: Vec<Part>,
}

/// A function that decodes a type.
#[derive(Debug, Serialize)]
pub(super) struct Function {
    /// `function NAME(…): unknown`
    pub(super) head: String,
    /// What it does.
    pub(super) body: Body,
}

/// What a function does that decodes a type.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(in crate::backend::typescript) enum Body {
    /// Checks fields.
    Record(Fields),
    /// Finds the variant.
    Union(UnionCode),
    /// Looks among known values: the list of them, and `return …;`.
    Enum { values: Option<String>, give: String },
    /// `return …;`
    Plain { nullable: bool, give: String },
}

impl Scope<'_> {
    /// The model of the codecs.
    pub(super) fn codecs(self) -> CodecsModel {
        let mut used = Used::default();
        let types = self.protocol.types.iter();
        let codecs: Vec<CodecModel> =
            types.map(|(key, def)| self.codec(key, def, &mut used)).collect();
        let has_values = |codec: &CodecModel| match &codec.function {
            Some(Function { body: Body::Enum { values, .. }, .. }) => values.is_some(),
            _ => false,
        };
        let types = if codecs.iter().any(has_values) { "" } else { "type " };
        let mut imports = Vec::new();
        if !codecs.is_empty() {
            imports.push(objects::named("import", &["codec", "type Codec"], "./codec.js"));
            let mut decoding: Vec<&str> = used.decoding.iter().copied().collect();
            if codecs.iter().any(|codec| codec.function.is_some()) {
                decoding.push("type Context");
            }
            if codecs.iter().any(CodecModel::copies) {
                decoding.push("type Members");
            }
            if !decoding.is_empty() {
                imports.push(objects::named("import", &decoding, "./decoding.js"));
            }
            imports.push(format!("import {types}* as types from \"./types.js\";"));
            let values: Vec<&str> = used.values.iter().copied().collect();
            if !values.is_empty() {
                imports.push(objects::named("import", &values, "./values.js"));
            }
        }
        CodecsModel { imports, codecs }
    }

    fn codec(self, key: &str, def: &TypeDef, used: &mut Used) -> CodecModel {
        let name = self.names.of(key);
        let mut parts = Parts::new(self, used, name);
        let decoder = match parts.decoder(&Type::Named { name: key.to_owned() }, "") {
            Decoder::Any => parts.used.value("any").to_owned(),
            Decoder::Call(function, _) => function,
        };
        let own = names::decoder(name);
        let body = (decoder == own).then(|| body(&mut parts, name, def));
        CodecModel {
            doc: Comment::of(format!("Decodes and encodes {{@link types.{name}}}.")).block(0),
            statement: code::codec(&names::codec(name), name, &decoder),
            function: body.map(|body| Function { head: code::head(&own), body }),
            parts: parts.made,
        }
    }
}

impl CodecModel {
    /// Whether its function makes copies that are decoded further.
    fn copies(&self) -> bool {
        let fields = match self.function.as_ref().map(|function| &function.body) {
            Some(Body::Record(fields)) => Some(fields),
            Some(Body::Union(union)) => union.shared.as_ref(),
            _ => None,
        };
        fields.is_some_and(|fields| fields.can_fail)
    }
}

fn body(parts: &mut Parts<'_>, name: &str, def: &TypeDef) -> Body {
    match &def.kind {
        TypeKind::Record(record) => {
            parts.used.objects();
            Body::Record(fields::fields(parts, &record.fields))
        }
        TypeKind::Union(union) => Body::Union(unions::union(parts, union)),
        TypeKind::Enum(of) => enumeration(parts, name, of),
        TypeKind::Alias { target: Type::Nullable { inner } } => {
            let decoder = parts.decoder(inner, "value");
            Body::Plain { nullable: true, give: give(decoder.call("value"), 2) }
        }
        TypeKind::Alias { target } => {
            let decoder = parts.decoder(target, "");
            Body::Plain { nullable: false, give: give(decoder.call("value"), 2) }
        }
    }
}

fn enumeration(parts: &mut Parts<'_>, name: &str, of: &Enum) -> Body {
    if let (EnumBase::Integer(integer), Some(_)) = (&of.base, &of.open) {
        let arguments = words(["value", "context"]).into_iter().chain(integer_bounds(integer));
        let give = give(call(parts.used.value("integer"), arguments), 2);
        return Body::Plain { nullable: false, give };
    }
    let mut arguments = words(["value", "context"]);
    let values = (!of.values.is_empty()).then(|| {
        let list = names::values(name);
        let all = call("/* @__PURE__ */ Object.values", [text(format!("types.{name}"))]);
        arguments.push(text(list.clone()));
        assign(&format!("const {list}"), all, 0)
    });
    if values.is_none() {
        arguments.push(text("[]"));
    }
    Body::Enum { values, give: give(call(parts.used.value("choice"), arguments), 2) }
}
