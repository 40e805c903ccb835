//! Fields: presence, default and leniency.

use serde_json::Value;

use super::capabilities::CapabilityMark;
use super::negotiation::VersionMark;
use super::{Lowerer, Path};
use crate::diagnostic::Diagnostic;
use crate::ir::{Fallback, Field, Leniency, Name, Presence, Type};
use crate::schema::SchemaObject;

impl<'a> Lowerer<'a> {
    /// Lowers one property.
    pub(super) fn field(
        &mut self,
        wire: &str,
        schema: &'a SchemaObject,
        required: bool,
        owner: &Path,
    ) -> Field {
        let name = match &schema.annotations.name {
            Some(words) => Name::chosen(wire, words),
            None => Name::new(wire),
        };
        let path = owner.child_named(&Name::new(wire));
        let position = self.position(schema, &path);
        if let Some(side) = &schema.annotations.capabilities {
            self.capability_marks.push(CapabilityMark {
                side: side.clone(),
                owner: owner.type_name.clone(),
                property: name.clone(),
                location: schema.location.clone(),
            });
        }
        if schema.annotations.protocol_version {
            self.version_marks.push(VersionMark {
                owner: owner.type_name.clone(),
                property: name.clone(),
                location: schema.location.clone(),
            });
        }
        let presence = Presence::new(required, position.nullable);
        let default = schema.default.as_deref().map(|(value, _)| value);
        // `default: null` where `null` is not allowed only says that there is no default.
        let null_default = default == Some(&Value::Null)
            && !position.nullable
            && !matches!(position.ty, Type::Any | Type::Null | Type::Named { .. });
        let leniency = self.leniency(schema, &position.ty, presence, &path);
        Field {
            name,
            ty: position.ty,
            presence,
            default: default.filter(|_| !required && !null_default).cloned(),
            formal_default: default.filter(|_| required && !null_default).cloned(),
            leniency,
            capabilities: self.needed_capabilities(schema),
            merge: schema.annotations.merge,
            docs: schema.docs.clone(),
            location: schema.location.clone(),
        }
    }

    fn leniency(
        &mut self,
        schema: &'a SchemaObject,
        ty: &Type,
        presence: Presence,
        path: &Path,
    ) -> Leniency {
        let annotations = &schema.annotations;
        let wanted = annotations.default_on_error || annotations.default_on_null;
        let fallback = if wanted { fallback(schema, ty, presence) } else { None };
        if wanted && fallback.is_none() {
            self.diagnostics.push(
                Diagnostic::warning(
                    "no-fallback",
                    format!(
                        "{} has nothing to fall back to, so the annotation has no effect",
                        path.label
                    ),
                )
                .at(schema.location.clone())
                .help("give the property a `default`, or make it optional"),
            );
        }
        let may_have_items = matches!(ty, Type::Array(_))
            || matches!(ty, Type::Named { .. }) && schema.prefix.is_empty();
        if annotations.skip_invalid_items && !may_have_items {
            self.diagnostics.push(
                Diagnostic::warning("no-items", format!("{} has no items to skip", path.label))
                    .at(schema.location.clone())
                    .help("`x-deserialize-skip-invalid-items` is for arrays"),
            );
        }
        Leniency {
            on_error: fallback.clone().filter(|_| annotations.default_on_error),
            on_null: fallback.filter(|_| annotations.default_on_null && !presence.is_nullable()),
            skip_invalid_items: annotations.skip_invalid_items && matches!(ty, Type::Array(_)),
        }
    }
}

/// The substitute for a forgiven value: absent where the field may be absent, else its default,
/// else the empty value of its type.
fn fallback(schema: &SchemaObject, ty: &Type, presence: Presence) -> Option<Fallback> {
    if !presence.is_required() {
        return Some(Fallback::Absent);
    }
    let value = match (schema.default.as_deref(), ty) {
        (Some((value, _)), _) => value.clone(),
        (None, _) if presence.is_nullable() => Value::Null,
        (None, Type::Any | Type::Null) => Value::Null,
        (None, Type::Array(_)) => Value::Array(Vec::new()),
        (None, Type::Map(_)) => Value::Object(serde_json::Map::new()),
        _ => return None,
    };
    Some(Fallback::Value { value })
}
