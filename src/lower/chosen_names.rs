//! Names that a schema gives to what has none of its own place for them: `x-names` of an enum's
//! values, `x-class-names` of a union's variants, `x-function-name` of a method.

use super::{Lowerer, Path};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Name, Protocol, Selector, Type, TypeKind, Union};
use crate::schema::{Document, SchemaObject};
use crate::source::Location;

impl Lowerer<'_> {
    /// Gives the variants of a union the names of their classes.
    pub(super) fn name_classes(&mut self, schema: &SchemaObject, union: &mut Union, path: &Path) {
        for (tag, name) in &schema.annotations.class_names {
            let is_meant =
                |selector: &Selector| matches!(selector, Selector::Tag { value } if value == tag);
            let variant = union.variants.iter_mut().find(|variant| is_meant(&variant.selector));
            if let Some(variant) = variant {
                variant.class_name = Some(Name::new(name));
                continue;
            }
            let near = nearest(tag, union.tagged().map(|(value, _)| value));
            let message = format!(
                "{} has no variant of the tag `{tag}` that `x-class-names` could name",
                path.label
            );
            let found = names_nothing(message, &schema.location);
            self.diagnostics.push(found.near(near, "remove it, or write the variant's tag"));
        }
    }
}

/// Tells whether a name can be that of a function in every language, but for words that a language
/// keeps for itself.
pub(super) fn is_function_name(name: &str) -> bool {
    let is_inside = |character: char| character.is_ascii_alphanumeric() || character == '_';
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(is_inside)
}

/// Reports names for parts that a definition does not have.
pub(super) fn check(protocol: &Protocol, document: &Document, diagnostics: &mut Diagnostics) {
    for (name, schema) in &document.definitions {
        check_function(protocol, (name, schema), diagnostics);
        let Some(kind) = protocol.types.get(name).map(|def| inner(protocol, &def.kind)) else {
            continue;
        };
        let annotations = &schema.annotations;
        let (is_enum, is_union) =
            (matches!(kind, TypeKind::Enum(_)), matches!(kind, TypeKind::Union(_)));
        if !annotations.names.is_empty() && !is_enum {
            let message = format!("`{name}` has `x-names`, but is no enum");
            let help = "take it away: definitions, properties and variants are named by `x-name`";
            diagnostics.push(names_nothing(message, &schema.location).help(help));
        }
        if !annotations.class_names.is_empty() && !is_union {
            let message = format!("`{name}` has `x-class-names`, but is no union");
            let help = "it stands on a union whose variants have tags";
            diagnostics.push(names_nothing(message, &schema.location).help(help));
        }
    }
}

fn check_function(
    protocol: &Protocol,
    (name, schema): (&str, &SchemaObject),
    diagnostics: &mut Diagnostics,
) {
    let Some(chosen) = &schema.annotations.function_name else { return };
    let is_params = |params: &Type| matches!(params, Type::Named { name: of } if of == name);
    if !protocol.methods.iter().any(|method| is_params(method.params())) {
        let message = format!("`{name}` has an `x-function-name`, but is no method's params");
        let help = "it stands on the params of the method whose function it names";
        diagnostics.push(names_nothing(message, &schema.location).help(help));
    }
    if !is_function_name(chosen) {
        let message = format!("`{chosen}`, the `x-function-name` of `{name}`, is no identifier");
        let error = Diagnostic::error("bad-function-name", message).at(schema.location.clone());
        let help = "write letters of ASCII, digits and `_`, and begin with a letter";
        diagnostics.push(error.help(help));
    }
}

/// What a definition is beside `null`.
fn inner<'a>(protocol: &'a Protocol, kind: &'a TypeKind) -> &'a TypeKind {
    let TypeKind::Alias { target: Type::Nullable { inner } } = kind else { return kind };
    let def = inner.named().and_then(|name| protocol.types.get(name));
    def.map_or(kind, |def| &def.kind)
}

fn names_nothing(message: String, at: &Location) -> Diagnostic {
    Diagnostic::warning("names-nothing", message).at(at.clone())
}
