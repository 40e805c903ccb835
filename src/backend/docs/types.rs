//! Sections of types.

use super::anchors::slug;
use super::expression::{Piece, expression};
use super::facts::{badges, constraints, forgiven};
use super::model::{FieldRow, TypeSection, ValueRow, VariantSection};
use super::writer::Writer;
use crate::ir::{
    Docs, Enum, EnumBase, EnumValue, Field, Name, Selector, Tagging, Type, TypeDef, TypeKind,
    Union, UnknownProperties,
};

/// The widest payload whose fields are shown again with each variant that holds it. A wider one is
/// linked, so that what is written stays in proportion to the schema.
const WIDEST: usize = 40;

impl Writer<'_> {
    /// The section of a definition.
    pub(super) fn type_section(&mut self, def: &TypeDef) -> TypeSection {
        let anchor = self.markup.sections.get(def.name.wire.as_str()).cloned().unwrap_or_default();
        let mut section = TypeSection {
            name: self.markup.code(&def.name.wire),
            name_plain: self.markup.plain(&def.name.wire),
            kind: self.kind(def),
            badges: badges(&def.docs),
            prose: self.prose(&def.docs),
            facts: Vec::new(),
            notes: Vec::new(),
            fields: Vec::new(),
            fields_title: "Fields",
            values: Vec::new(),
            variants: Vec::new(),
            example: None,
            users: self.users(&def.name.wire),
            anchor,
        };
        match &def.kind {
            TypeKind::Record(record) => {
                section.fields = self.fields(&record.fields, &section.anchor);
                if record.fields.is_empty() {
                    section.notes.push("No fields are defined.".into());
                }
                section.notes.extend(match &record.unknown {
                    UnknownProperties::Unspecified => None,
                    UnknownProperties::Denied => Some("Other fields are not allowed.".into()),
                    UnknownProperties::Kept { ty } => {
                        let ty = self.markup.pieces(&expression(ty));
                        Some(format!("Other fields are allowed and kept: {ty}."))
                    }
                });
            }
            TypeKind::Union(union) => self.union(union, &mut section),
            TypeKind::Enum(of) => self.enumeration(of, &mut section),
            TypeKind::Alias { target } => {
                section.facts = constraints(target, &self.markup);
            }
        }
        let instance = self.examples.named(&def.name.wire);
        section.example = instance.map(|instance| self.markup.example(&instance));
        section
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
            TypeKind::Alias { target } => self.markup.pieces(&expression(target)),
        }
    }

    fn union(&mut self, union: &Union, section: &mut TypeSection) {
        section.fields_title = "Fields of every variant";
        section.fields = self.fields(&union.shared, &section.anchor);
        for (index, variant) in union.variants.iter().enumerate() {
            if variant.docs.hidden {
                continue;
            }
            let (name, tag) = match &variant.selector {
                Selector::Tag { value } => (value.as_str(), Some(value.as_str())),
                Selector::Untagged => (variant.name.wire.as_str(), None),
            };
            let slug = slug(&Name::new(name));
            let anchor = self.anchors.claim(&format!("{}-{slug}", section.anchor));
            let mut fields = Vec::new();
            if let (Some(property), Some(tag)) = (union.tag(), tag) {
                fields.push(self.tag(property, Some(tag), &anchor));
            }
            let mut notes = Vec::new();
            if let (Some(property), None) = (union.tag(), tag) {
                let name = self.markup.code(&property.wire);
                notes.push(format!("The variant without one of the other values of {name}."));
            }
            self.payload(variant.payload.as_ref(), &anchor, &mut fields, &mut notes);
            let example = self.examples.variant(union, index);
            section.variants.push(VariantSection {
                name: self.markup.code(name),
                name_plain: self.markup.plain(name),
                ty: variant.payload.as_ref().map(|ty| self.markup.pieces(&expression(ty))),
                badges: badges(&variant.docs),
                prose: self.prose(&variant.docs),
                notes,
                fields,
                example: example.map(|example| self.markup.example(&example)),
                anchor,
            });
        }
        section.variants.extend(self.open_variant(union, &section.anchor));
    }

    fn open_variant(&mut self, union: &Union, owner: &str) -> Option<VariantSection> {
        let open = union.open.as_ref()?;
        let anchor = self.anchors.claim(&format!("{owner}-{}", slug(&open.name)));
        let mut fields = Vec::new();
        let mut notes = vec!["A receiver keeps a value of this kind as it came.".to_owned()];
        if let Some(property) = union.tag() {
            fields.push(self.tag(property, None, &anchor));
        }
        self.payload(open.payload.as_ref(), &anchor, &mut fields, &mut notes);
        let example = self.examples.unknown(union);
        Some(VariantSection {
            name: self.markup.text("any other"),
            name_plain: self.markup.plain("any other"),
            ty: open.payload.as_ref().map(|ty| self.markup.pieces(&expression(ty))),
            badges: badges(&open.docs),
            prose: self.prose(&open.docs),
            notes,
            fields,
            example: example.map(|example| self.markup.example(&example)),
            anchor,
        })
    }

    /// The field that tells a variant apart; without a value, that of an open variant.
    fn tag(&mut self, property: &Name, value: Option<&str>, owner: &str) -> FieldRow {
        let value = value.map(serde_json::Value::from);
        let pieces = match &value {
            Some(value) => vec![Piece::Literal(value)],
            None => vec![Piece::Words("any other string")],
        };
        FieldRow {
            name: self.markup.code(&property.wire),
            name_plain: self.markup.label(&property.wire),
            anchor: self.anchors.claim(&format!("{owner}-{}", slug(property))),
            ty: self.markup.type_attribute(&pieces),
            required: true,
            nullable: false,
            tag: true,
            default: None,
            badges: Vec::new(),
            prose: String::new(),
            facts: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds what a variant holds beside its tag.
    fn payload(
        &mut self,
        payload: Option<&Type>,
        owner: &str,
        fields: &mut Vec<FieldRow>,
        notes: &mut Vec<String>,
    ) {
        let Some(payload) = payload else { return };
        let protocol = self.protocol;
        let Type::Named { name } = protocol.resolve(payload) else { return };
        let mut own = |fields: &[Field]| {
            if fields.len() <= WIDEST {
                return self.fields(fields, owner);
            }
            let name = self.markup.type_name(name);
            notes.push(format!("With the {} fields of {name}.", fields.len()));
            Vec::new()
        };
        match protocol.type_def(name).map(|def| &def.kind) {
            Some(TypeKind::Record(record)) => fields.extend(own(&record.fields)),
            Some(TypeKind::Union(union)) => {
                fields.extend(own(&union.shared));
                let name = self.markup.type_name(name);
                notes.push(format!("Beside the fields here, it has those of a variant of {name}."));
            }
            _ => {}
        }
    }

    /// Rows for fields, in the order of the schema.
    fn fields(&mut self, fields: &[Field], owner: &str) -> Vec<FieldRow> {
        let shown = fields.iter().filter(|field| !field.docs.hidden);
        shown.map(|field| self.field(field, owner)).collect()
    }

    fn field(&mut self, field: &Field, owner: &str) -> FieldRow {
        let default = field.default.as_ref();
        FieldRow {
            name: self.markup.code(&field.name.wire),
            name_plain: self.markup.label(&field.name.wire),
            anchor: self.anchors.claim(&format!("{owner}-{}", slug(&field.name))),
            ty: self.markup.type_attribute(&expression(&field.ty)),
            required: field.presence.is_required(),
            nullable: field.presence.is_nullable(),
            tag: false,
            default: default.map(|default| self.markup.attribute(default)),
            badges: badges(&field.docs),
            prose: self.prose(&field.docs),
            facts: constraints(&field.ty, &self.markup),
            notes: forgiven(field, &self.markup),
        }
    }

    fn enumeration(&mut self, of: &Enum, section: &mut TypeSection) {
        if let EnumBase::Integer(integer) = &of.base {
            section.facts = constraints(&Type::Integer(integer.clone()), &self.markup);
        }
        for value in of.values.iter().filter(|value| !value.docs.hidden) {
            let anchor = format!("{}-{}", section.anchor, slug(&value.name));
            let mut row = self.value_row(&anchor, &value.docs);
            row.value = self.markup.value(&value.value);
            row.value_plain = match &value.value {
                serde_json::Value::String(text) => self.markup.label(text),
                other => self.markup.label(&other.to_string()),
            };
            row.name = self.value_name(value);
            section.values.push(row);
        }
        if let Some(open) = &of.open {
            let anchor = format!("{}-{}", section.anchor, slug(&open.name));
            let mut row = self.value_row(&anchor, &open.docs);
            row.value = self.markup.text("any other");
            row.value_plain = self.markup.label("any other");
            section.notes.push("A receiver keeps a value that is not listed.".into());
            section.values.push(row);
        }
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

    fn value_row(&mut self, anchor: &str, docs: &Docs) -> ValueRow {
        ValueRow {
            value: String::new(),
            value_plain: String::new(),
            name: None,
            anchor: self.anchors.claim(anchor),
            badges: badges(docs),
            prose: self.prose(docs),
        }
    }
}
