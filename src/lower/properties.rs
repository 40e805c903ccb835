//! Properties that an annotation of a request names, and what they have to be.

use super::named_fields;
use crate::diagnostic::{Diagnostic, nearest};
use crate::ir::{Field, Kind, Method, Protocol, Type};

/// The kinds of properties that an annotation can ask for.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    Text,
    /// A string without limits: generated code makes its value up.
    AnyText,
    Integer,
    Boolean,
    Texts,
    Object,
    Objects,
}

impl Wanted {
    fn text(self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::AnyText => "a string of any length",
            Self::Integer => "an integer",
            Self::Boolean => "a boolean",
            Self::Texts => "an array of strings",
            Self::Object => "an object",
            Self::Objects => "an array of objects",
        }
    }
}

pub(super) type Found<T> = Result<T, Diagnostic>;

/// Finds the properties that an annotation names, and checks them.
#[derive(Clone, Copy)]
pub(super) struct Properties<'a> {
    pub protocol: &'a Protocol,
    /// The request whose params have the annotation.
    pub method: &'a Method,
    /// The keyword of the annotation, and the code of errors about it.
    pub keyword: &'static str,
    pub code: &'static str,
}

impl<'a> Properties<'a> {
    /// A property that may be left out of the annotation.
    pub(super) fn optional(
        &self,
        ty: &'a Type,
        name: Option<&String>,
        wanted: Wanted,
    ) -> Found<Option<&'a Field>> {
        let Some(name) = name else { return Ok(None) };
        let field = self.field(ty, name)?;
        self.check(field, wanted)?;
        Ok(Some(field))
    }

    /// A property that is always there, and never `null`.
    pub(super) fn required(&self, ty: &'a Type, name: &str, wanted: Wanted) -> Found<&'a Field> {
        let field = self.field(ty, name)?;
        if !field.presence.is_required() || field.presence.is_nullable() {
            return Err(self.wrong(name, "required, and not `null`"));
        }
        self.check(field, wanted)?;
        Ok(field)
    }

    /// A property that need not say anything.
    pub(super) fn absent(&self, ty: &'a Type, name: &str, wanted: Wanted) -> Found<&'a Field> {
        let field = self.field(ty, name)?;
        if field.presence.is_required() {
            return Err(self.wrong(name, "a property that may be absent"));
        }
        if field.default.is_some() {
            return Err(self.wrong(name, "a property without a default"));
        }
        self.check(field, wanted)?;
        Ok(field)
    }

    pub(super) fn field(&self, ty: &'a Type, name: &str) -> Found<&'a Field> {
        let fields = named_fields(self.protocol, ty);
        fields.iter().find(|field| field.name.wire == name).ok_or_else(|| {
            let near = nearest(name, fields.iter().map(|field| field.name.wire.as_str()));
            let message =
                format!("`{}` names the property `{name}`, which is not there", self.keyword);
            self.error(message).near(near, "name properties of what is sent and answered")
        })
    }

    fn check(&self, field: &Field, wanted: Wanted) -> Found<()> {
        let is = |ty: &Type, wanted: fn(&Kind<'_>) -> bool| {
            let resolved = self.protocol.resolved(ty);
            !resolved.nullable && wanted(&resolved.kind)
        };
        let is_so = match (wanted, self.protocol.resolved(&field.ty).kind) {
            (Wanted::AnyText, Kind::String(text)) => {
                text.min_length.is_none() && text.max_length.is_none()
            }
            (Wanted::Text, Kind::String(_))
            | (Wanted::Integer, Kind::Integer(_))
            | (Wanted::Boolean, Kind::Boolean)
            | (Wanted::Object, Kind::Record(_)) => true,
            (Wanted::Texts, Kind::Array(array)) => {
                is(&array.items, |it| matches!(it, Kind::String(_)))
            }
            (Wanted::Objects, Kind::Array(array)) => {
                is(&array.items, |it| matches!(it, Kind::Record(_)))
            }
            _ => false,
        };
        if is_so { Ok(()) } else { Err(self.wrong(&field.name.wire, wanted.text())) }
    }

    /// The error for a property that is something else.
    pub(super) fn wrong(&self, name: &str, expected: &str) -> Diagnostic {
        let (keyword, request) = (self.keyword, &self.method.name.wire);
        let message = format!("`{name}`, for the `{keyword}` of `{request}`, has to be {expected}");
        self.error(message).help("generated code fills in and reads these properties")
    }

    pub(super) fn error(&self, message: String) -> Diagnostic {
        Diagnostic::error(self.code, message)
    }
}
