//! The model of `src/types.ts`: every type of the protocol, as it is on the wire.

use serde::Serialize;
use serde_json::Value;

use super::constructors::Constructors;
use super::expression::{Expr, Member, Object};
use super::jsdoc::Comment;
use super::names::{self, TypeNames, UNKNOWN_TAG};
use super::{objects, text};
use crate::backend::DocsMode;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{
    Enum, EnumBase, Field, OpenVariant, Protocol, Record, Selector, Type, TypeDef, TypeKind, Union,
    Variant,
};

/// Everything in `src/types.ts`.
#[derive(Debug, Serialize)]
pub(super) struct TypesModel {
    /// Whether an open union refers to [`UNKNOWN_TAG`].
    pub(super) unknown_tag: Option<&'static str>,
    /// The types, in the schema's order.
    pub(super) declarations: Vec<Declaration>,
}

/// One type, and the constants that belong to it.
#[derive(Debug, Serialize)]
pub(super) struct Declaration {
    /// The lines of its comment.
    pub(super) doc: Vec<String>,
    /// `export type NAME = …;`
    pub(super) statement: String,
    /// The values of an enum.
    pub(super) constants: Option<Constants>,
    /// The functions that make values of a union.
    pub(super) constructors: Option<Constructors>,
}

/// The object that holds an enum's values.
#[derive(Debug, Serialize)]
pub(super) struct Constants {
    /// The lines of its comment.
    pub(super) doc: Vec<String>,
    /// `export const NAME = { … } as const;`
    pub(super) statement: String,
}

/// What it takes to write a type of the IR in TypeScript.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) names: &'a TypeNames,
    pub(super) docs: DocsMode,
}

impl Scope<'_> {
    /// The model of all types.
    pub(super) fn types(self, diagnostics: &mut Diagnostics) -> TypesModel {
        let defs = self.protocol.types.iter();
        let is_open =
            |def: &TypeDef| matches!(&def.kind, TypeKind::Union(union) if union.open.is_some());
        TypesModel {
            unknown_tag: self.protocol.types.values().any(is_open).then_some(UNKNOWN_TAG),
            declarations: defs.map(|(key, def)| self.declaration(key, def, diagnostics)).collect(),
        }
    }

    fn declaration(self, key: &str, def: &TypeDef, diagnostics: &mut Diagnostics) -> Declaration {
        let name = self.names.of(key);
        let comment = Comment::new(&def.docs, self.docs);
        let comment = match &def.kind {
            TypeKind::Union(union) => comment.items(variant_docs(union)),
            _ => comment,
        };
        let (ty, constants) = match &def.kind {
            TypeKind::Record(record) => (self.record(record), None),
            TypeKind::Union(union) => (self.union(union), None),
            TypeKind::Enum(of) => (enumeration(of), self.constants(name, of, diagnostics)),
            TypeKind::Alias { target } => (self.expression(target), None),
        };
        let constructors = match &def.kind {
            TypeKind::Union(union) => self.constructors(name, union, diagnostics),
            _ => None,
        };
        let doc = comment.block(0);
        Declaration { doc, statement: ty.declaration(name), constants, constructors }
    }

    /// A type where it is used.
    pub(super) fn expression(self, ty: &Type) -> Expr {
        match ty {
            Type::Any => Expr::UNKNOWN,
            Type::Null => Expr::NULL,
            Type::Boolean => Expr::Keyword("boolean"),
            Type::Integer(_) | Type::Number(_) => Expr::Keyword("number"),
            Type::String(_) => Expr::Keyword("string"),
            Type::Literal { value } => constant(value),
            Type::Array(array) => Expr::Array(Box::new(self.expression(&array.items))),
            Type::Map(map) => Expr::map(self.expression(&map.values)),
            Type::Nullable { inner } => self.expression(inner).nullable(),
            Type::Named { name } => Expr::Name(self.names.of(name).to_owned()),
        }
    }

    fn record(self, record: &Record) -> Expr {
        if record.fields.is_empty() {
            return Expr::map(Expr::UNKNOWN);
        }
        self.object(&record.fields)
    }

    fn object(self, fields: &[Field]) -> Expr {
        let members = fields.iter().map(|field| self.field(field)).collect();
        Expr::Object(Object { members, expanded: true })
    }

    /// The type of a field that is there.
    pub(super) fn field_type(self, field: &Field) -> Expr {
        let ty = self.expression(&field.ty);
        let nullable = field.presence.is_nullable() && !self.protocol.admits_null(&field.ty);
        if nullable { ty.nullable() } else { ty }
    }

    fn field(self, field: &Field) -> Member {
        let mark = if field.presence.is_required() { "" } else { "?" };
        Member {
            doc: Comment::new(&field.docs, self.docs)
                .default_value(field.default.as_ref())
                .block(2),
            key: Some(text::key(&field.name.wire) + mark),
            ty: self.field_type(field),
        }
    }

    fn union(self, union: &Union) -> Expr {
        let tag = union.tag().map(|tag| tag.wire.as_str());
        let mut members: Vec<Expr> =
            union.variants.iter().map(|variant| self.variant(variant, tag)).collect();
        if let (Some(open), Some(tag)) = (&union.open, tag) {
            members.insert(open.position.min(members.len()), self.open_variant(open, tag));
        }
        let variants = Expr::union(members);
        if union.shared.is_empty() {
            return variants;
        }
        Expr::intersection([self.object(&union.shared), variants])
    }

    pub(super) fn variant(self, variant: &Variant, tag: Option<&str>) -> Expr {
        let payload = variant.payload.as_ref();
        let marker = match (&variant.selector, tag) {
            (Selector::Tag { value }, Some(tag)) => {
                Some(Member::property(tag, Expr::Literal(text::literal(value))))
            }
            (Selector::Untagged, Some(tag)) if self.lacks_property(payload, tag) => {
                Some(Member::absent(tag))
            }
            _ => None,
        };
        let marker =
            marker.map(|member| Expr::Object(Object { members: vec![member], expanded: false }));
        let payload = payload.map(|payload| self.expression(payload));
        match (payload, marker) {
            (Some(Expr::UNKNOWN), Some(marker)) => marker,
            (None, None) => Expr::map(Expr::UNKNOWN),
            (payload, marker) => Expr::intersection(payload.into_iter().chain(marker)),
        }
    }

    pub(super) fn open_variant(self, open: &OpenVariant, tag: &str) -> Expr {
        let members = vec![
            Member::property(tag, Expr::Name(UNKNOWN_TAG.to_owned())),
            Member::index(Expr::UNKNOWN),
        ];
        let raw = Expr::Object(Object { members, expanded: false });
        let payload = open.payload.as_ref().map(|payload| self.expression(payload));
        Expr::intersection(payload.into_iter().chain([raw]))
    }

    /// Whether every value of a payload is an object that says nothing of a property. Only then
    /// can its type say that the property is absent.
    pub(super) fn lacks_property(self, payload: Option<&Type>, property: &str) -> bool {
        let Some(payload) = payload else { return true };
        let Type::Named { name } = self.protocol.resolve(payload) else { return false };
        let lacks = |fields: &[Field]| fields.iter().all(|field| field.name.wire != property);
        match self.protocol.type_def(name).map(|def| &def.kind) {
            Some(TypeKind::Record(record)) => lacks(&record.fields),
            Some(TypeKind::Union(union)) => {
                lacks(&union.shared)
                    && union.tag().is_none_or(|tag| tag.wire != property)
                    && union
                        .variants
                        .iter()
                        .all(|variant| self.lacks_property(variant.payload.as_ref(), property))
            }
            _ => false,
        }
    }

    /// An enum's values by name, with what the schema says of each. The type's comment says
    /// nothing of them: editors show the comment of a constant where it is used.
    fn constants(self, name: &str, of: &Enum, diagnostics: &mut Diagnostics) -> Option<Constants> {
        let mut namespace = Namespace::new(format!("values of `{name}` in TypeScript"));
        let mut entries = Vec::with_capacity(of.values.len());
        for value in &of.values {
            let key = names::enum_constant(&value.name);
            namespace.claim(&key, &value.name.wire, &value.place, diagnostics);
            entries.push(objects::Entry {
                doc: Comment::new(&value.docs, self.docs).block(2),
                key,
                value: text::constant(&value.value),
            });
        }
        (!entries.is_empty()).then(|| Constants {
            doc: Comment::of(format!("The known values of {{@link {name}}}.")).block(0),
            statement: objects::constant_object(name, &entries),
        })
    }
}

/// What the schema says of each variant, for the union's comment.
fn variant_docs(union: &Union) -> impl Iterator<Item = (String, &crate::ir::Docs)> {
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

fn enumeration(of: &Enum) -> Expr {
    let base = match of.base {
        EnumBase::String => "string",
        EnumBase::Integer(_) => "number",
    };
    let known = of.values.iter().map(|value| Expr::Literal(text::constant(&value.value)));
    let open = of.open.as_ref().map(|_| {
        if of.values.is_empty() {
            return Expr::Keyword(base);
        }
        // `string` alone would swallow the known values, and editors would no longer offer them.
        Expr::intersection([Expr::Keyword(base), Expr::Object(Object::default())])
    });
    Expr::union(known.chain(open))
}

fn constant(value: &Value) -> Expr {
    match value {
        Value::Null => Expr::NULL,
        Value::Array(items) => Expr::Tuple(items.iter().map(constant).collect()),
        Value::Object(entries) => {
            let members = entries.iter().map(|(key, value)| Member::property(key, constant(value)));
            Expr::Object(Object { members: members.collect(), expanded: false })
        }
        scalar => Expr::Literal(text::constant(scalar)),
    }
}
