//! Sections of types.

use minijinja::context;
use minijinja::value::Value;
use serde_json::Value as Json;

use super::anchors::slug;
use super::expression::{Piece, expression};
use super::facts::{badges, constraints, forgiven};
use super::since::variant_key;
use super::writer::Writer;
use crate::ir::{
    Docs, Enum, EnumBase, EnumValue, Field, Name, Selector, Tagging, Type, TypeDef, TypeKind,
    Union, UnknownProperties,
};

/// The widest payload whose fields are shown again with each variant that holds it. A wider one is
/// linked, so that what is written stays in proportion to the schema.
const WIDEST: usize = 40;

/// The parts of a type's section that depend on its kind. Where there are none, they are empty.
#[derive(Default)]
struct Parts {
    /// Constraints.
    facts: Vec<Value>,
    /// Paragraphs.
    notes: Vec<String>,
    /// The fields; of a union, those that all variants share.
    fields: Vec<Value>,
    /// Of an enum.
    values: Vec<Value>,
    /// Of a union.
    variants: Vec<Value>,
}

impl Writer<'_> {
    /// The section of a definition, with this documentation, and with an example if one is wanted.
    pub(super) fn type_section(&mut self, def: &TypeDef, docs: &Docs, has_example: bool) -> Value {
        let wire = def.name.wire.as_str();
        let anchor = self.markup.sections.get(wire).cloned().unwrap_or_default();
        let parts = match &def.kind {
            TypeKind::Record(record) => {
                let fields = self.fields(&record.fields, &anchor, wire);
                let none = "No fields are defined.".to_owned();
                let none = record.fields.is_empty().then_some(none);
                let unknown = match &record.unknown {
                    UnknownProperties::Unspecified => None,
                    UnknownProperties::Denied => Some("Other fields are not allowed.".to_owned()),
                    UnknownProperties::Kept { ty } => {
                        let ty = self.markup.pieces(&expression(ty));
                        Some(format!("Other fields are allowed and kept: {ty}."))
                    }
                };
                Parts {
                    fields,
                    notes: none.into_iter().chain(unknown).chain(self.forbidden(record)).collect(),
                    ..Parts::default()
                }
            }
            TypeKind::Union(union) => self.union(union, &anchor, wire),
            TypeKind::Enum(of) => self.enumeration(of, &anchor, wire),
            TypeKind::Tuple(tuple) => {
                Parts { fields: self.items(tuple, &anchor), ..Parts::default() }
            }
            TypeKind::Alias { target } => {
                Parts { facts: constraints(target, &self.markup), ..Parts::default() }
            }
        };
        let Parts { facts, notes, fields, values, variants } = parts;
        let fields_title = match &def.kind {
            TypeKind::Union(_) => "Fields of every variant",
            TypeKind::Tuple(_) => "Items",
            TypeKind::Record(_) | TypeKind::Enum(_) | TypeKind::Alias { .. } => "Fields",
        };
        let instance = has_example.then(|| self.examples.named(wire));
        context! {
            name => self.markup.code(wire),
            name_plain => self.markup.plain(wire),
            kind => self.kind(def),
            badges => badges(docs),
            since => self.label(self.since.ty(wire)),
            prose => self.prose(docs),
            facts,
            notes,
            fields,
            fields_title,
            values,
            variants,
            example => instance.map(|instance| self.markup.example(instance.as_ref())),
            users => self.users(wire),
            anchor,
        }
    }

    /// Names the kind of a type, in a few words.
    fn kind(&self, def: &TypeDef) -> String {
        match &def.kind {
            TypeKind::Record(_) => "object".into(),
            TypeKind::Union(union) => {
                let open = if union.open.is_some() { "open union" } else { "union" };
                match &union.tagging {
                    Tagging::Internal { property } => {
                        format!("{open}, told apart by {}", self.markup.code(&property.wire))
                    }
                    Tagging::Shape => format!("{open}, told apart by shape"),
                }
            }
            TypeKind::Enum(of) => {
                let open = if of.open.is_some() { "open " } else { "" };
                let base = match &of.base {
                    EnumBase::String => "string",
                    EnumBase::Integer(_) => "integer",
                };
                format!("{open}enum of {base}s")
            }
            TypeKind::Tuple(_) => "tuple".into(),
            TypeKind::Alias { target } => self.markup.pieces(&expression(target)),
        }
    }

    fn union(&mut self, union: &Union, owner: &str, ty: &str) -> Parts {
        let fields = self.fields(&union.shared, owner, ty);
        let mut variants = Vec::new();
        for (index, variant) in union.variants.iter().enumerate() {
            if variant.docs.hidden {
                continue;
            }
            let (name, tag) = match &variant.selector {
                Selector::Tag { value } => (value, Some(Json::from(value.as_str()))),
                Selector::Untagged => (&variant.name.wire, None),
            };
            let note = union.tag().filter(|_| tag.is_none()).map(|property| {
                let name = self.markup.code(&property.wire);
                format!("The variant without one of the other values of {name}.")
            });
            let notes = note.into_iter().chain(self.needed(&variant.capabilities)).collect();
            let tag = union.tag().zip(tag.as_ref().map(Piece::Literal));
            let tag = tag.map(|(property, piece)| (property, piece, &variant.tag_docs));
            let anchor = format!("{owner}-{}", slug(&Name::new(name.as_str())));
            let example = self.examples.variant(ty, index);
            let payload = variant.payload.as_ref();
            variants.push(context! {
                name => self.markup.code(name),
                name_plain => self.markup.plain(name),
                since => self.label(self.since.member(ty, &variant_key(name))),
                ..self.variant(&anchor, tag, payload, &variant.docs, notes, example.as_ref())
            });
        }
        if let Some(open) = &union.open {
            let notes = vec!["A receiver keeps a value of this kind as it came.".to_owned()];
            let tag = union
                .tag()
                .map(|property| (property, Piece::Words("any other string"), &open.tag_docs));
            let anchor = format!("{owner}-{}", slug(&open.name));
            let (example, payload) = (self.examples.unknown(ty), open.payload.as_ref());
            variants.push(context! {
                name => self.markup.text("any other"),
                name_plain => self.markup.plain("any other"),
                since => None::<String>,
                ..self.variant(&anchor, tag, payload, &open.docs, notes, example.as_ref())
            });
        }
        Parts { fields, variants, notes: self.meaning_of_union(union), ..Parts::default() }
    }

    /// A variant but for its name: the tag, if there is one, and what its payload has.
    fn variant(
        &mut self,
        anchor: &str,
        tag: Option<(&Name, Piece<'_>, &Docs)>,
        payload: Option<&Type>,
        docs: &Docs,
        mut notes: Vec<String>,
        example: Option<&Json>,
    ) -> Value {
        let anchor = self.anchors.claim(anchor);
        let tag = tag.map(|(property, piece, docs)| {
            context! {
                name => self.markup.code(&property.wire),
                name_plain => self.markup.label(&property.wire),
                anchor => self.anchors.claim(&format!("{anchor}-{}", slug(property))),
                ty => self.markup.type_attribute(&[piece]),
                required => true,
                nullable => false,
                default => None::<String>,
                badges => badges(docs),
                since => None::<String>,
                prose => self.prose(docs),
                facts => Vec::<Value>::new(),
                notes => Vec::<Value>::new(),
            }
        });
        let mut fields: Vec<Value> = tag.into_iter().collect();
        self.payload(payload, &anchor, &mut fields, &mut notes);
        context! {
            ty => payload.map(|ty| self.markup.pieces(&expression(ty))),
            badges => badges(docs),
            prose => self.prose(docs),
            notes,
            fields,
            example => self.markup.example(example),
            anchor,
        }
    }

    /// Adds what a variant holds beside its tag.
    fn payload(
        &mut self,
        payload: Option<&Type>,
        owner: &str,
        fields: &mut Vec<Value>,
        notes: &mut Vec<String>,
    ) {
        let protocol = self.protocol;
        let Some(Type::Named { name }) = payload.map(|ty| protocol.resolve(ty)) else { return };
        let (own, is_union) = match protocol.type_def(name).map(|def| &def.kind) {
            Some(TypeKind::Record(record)) => (&record.fields, false),
            Some(TypeKind::Union(union)) => (&union.shared, true),
            _ => return,
        };
        if own.len() <= WIDEST {
            fields.extend(self.fields(own, owner, name));
        } else {
            let name = self.markup.type_name(name);
            notes.push(format!("With the {} fields of {name}.", own.len()));
        }
        if is_union {
            let name = self.markup.type_name(name);
            notes.push(format!("Beside the fields here, it has those of a variant of {name}."));
        }
    }

    /// Rows for fields of a type, in the order of the schema.
    fn fields(&mut self, fields: &[Field], owner: &str, ty: &str) -> Vec<Value> {
        let shown = fields.iter().filter(|field| !field.docs.hidden);
        shown.map(|field| self.field(field, owner, ty)).collect()
    }

    fn field(&mut self, field: &Field, owner: &str, ty: &str) -> Value {
        let default = field.default.as_ref();
        context! {
            name => self.markup.code(&field.name.wire),
            name_plain => self.markup.label(&field.name.wire),
            anchor => self.anchors.claim(&format!("{owner}-{}", slug(&field.name))),
            // In MDX, the value of an attribute, as the default is.
            ty => self.markup.type_attribute(&expression(&field.ty)),
            required => field.presence.is_required(),
            nullable => field.presence.is_nullable(),
            default => default.map(|default| self.markup.attribute(default)),
            badges => badges(&field.docs),
            since => self.label(self.since.member(ty, &field.name.wire)),
            prose => self.prose(&field.docs),
            facts => constraints(&field.ty, &self.markup),
            notes => self.field_notes(field),
        }
    }

    fn field_notes(&self, field: &Field) -> Vec<String> {
        let mut notes = forgiven(field, &self.markup);
        notes.extend(self.needed(&field.capabilities));
        notes
    }

    fn enumeration(&mut self, of: &Enum, owner: &str, ty: &str) -> Parts {
        let mut parts = Parts::default();
        if let EnumBase::Integer(integer) = &of.base {
            parts.facts = constraints(&Type::Integer(integer.clone()), &self.markup);
        }
        for value in of.values.iter().filter(|value| !value.docs.hidden) {
            let anchor = format!("{owner}-{}", slug(&value.name));
            let json = value.value.to_string();
            parts.values.push(context! {
                value => self.markup.value(&value.value),
                value_plain => self.markup.label(value.value.as_str().unwrap_or(&json)),
                name => self.value_name(value),
                since => self.label(self.since.member(ty, &json)),
                ..self.value(&anchor, &value.docs)
            });
        }
        if let Some(open) = &of.open {
            parts.notes.push("A receiver keeps a value that is not listed.".into());
            let anchor = format!("{owner}-{}", slug(&open.name));
            parts.values.push(context! {
                value => self.markup.text("any other"),
                value_plain => self.markup.label("any other"),
                name => None::<String>,
                since => None::<String>,
                ..self.value(&anchor, &open.docs)
            });
        }
        parts
    }

    /// A value of an enum but for itself.
    fn value(&mut self, anchor: &str, docs: &Docs) -> Value {
        let anchor = self.anchors.claim(anchor);
        context! { anchor, badges => badges(docs), prose => self.prose(docs) }
    }

    /// The constant's name, unless its description says it.
    fn value_name(&self, value: &EnumValue) -> Option<String> {
        let name = value.name.wire.as_str();
        let description = value.docs.description.as_deref().unwrap_or_default();
        let is_said = description.contains(name) && self.shows_prose();
        let digits = value.value.to_string();
        let is_named = value.value.is_number() && name != digits;
        (is_named && !is_said).then(|| self.markup.text(name))
    }
}
