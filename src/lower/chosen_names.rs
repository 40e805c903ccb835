//! Names that a schema gives to what has none of its own place for them: `x-names` of an enum's
//! values, `x-class-names` of a union's variants, `x-function-name` of a method.

use super::{Lowerer, Path};
use crate::diagnostic::{Diagnostic, Diagnostics, nearest};
use crate::ir::{Name, Protocol, Type, TypeKind, Union, Variant};
use crate::schema::{ChosenName, Document, SchemaObject};
use crate::source::Location;

impl Lowerer<'_> {
    /// Gives the variants of a union the names of their classes.
    pub(super) fn name_classes(&mut self, schema: &SchemaObject, union: &mut Union, path: &Path) {
        for (key, ChosenName { name, location }) in &schema.annotations.class_names {
            if let Some(class_name) = class_name(union, key) {
                *class_name = Some(Name::chosen(name, name));
                continue;
            }
            let inner = key.match_indices('/').find_map(|(at, _)| {
                let (variant, inner) = (key.get(..at)?, key.get(at + 1..)?);
                Some((position(union, variant)?, inner))
            });
            if let Some((at, inner)) = inner
                && let Some(variant) = union.variants.get_mut(at)
            {
                variant.inner_class_names.insert(inner.to_owned(), Name::chosen(name, name));
                continue;
            }
            let near = nearest(key, union.variants.iter().map(Variant::tag_or_name));
            let message =
                format!("{} has no variant `{key}` that `x-class-names` could name", path.label);
            let found = names_nothing(message, location);
            self.diagnostics.push(found.near(near, "remove it, or write the variant's tag"));
        }
    }
}

/// The name of the class of a variant that is told by its tag, or, if it has none, by its name.
fn class_name<'a>(union: &'a mut Union, key: &str) -> Option<&'a mut Option<Name>> {
    if let Some(at) = position(union, key) {
        return union.variants.get_mut(at).map(|variant| &mut variant.class_name);
    }
    union.open.as_mut().filter(|open| open.name.wire == key).map(|open| &mut open.class_name)
}

/// The position of the variant of a tag, or of a name. One that is nothing but its payload has no
/// class of its own.
fn position(union: &Union, key: &str) -> Option<usize> {
    let variants = || union.variants.iter();
    variants().position(|variant| variant.tag() == Some(key)).or_else(|| {
        let is_named = |it: &Variant| it.tag().is_none() && it.name.wire == key;
        variants().position(is_named).filter(|_| !union.shared.is_empty())
    })
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
        if let Some(chosen) = annotations.names.values().next().filter(|_| !is_enum) {
            let message = format!("`{name}` has `x-names`, but is no enum");
            let help = "take it away: definitions, properties and variants are named by `x-name`";
            diagnostics.push(names_nothing(message, &chosen.location).help(help));
        }
        if let TypeKind::Union(union) = kind {
            for variant in &union.variants {
                let inner = variant.payload.as_ref().map(|it| protocol.inner_variants(it));
                let inner: Vec<String> = inner.into_iter().flatten().map(|(key, _)| key).collect();
                for key in variant.inner_class_names.keys().filter(|key| !inner.contains(*key)) {
                    let of = variant.tag_or_name();
                    let message = format!(
                        "`{name}` has no variant `{of}/{key}` that `x-class-names` could name"
                    );
                    let near = nearest(key, inner.iter().map(String::as_str));
                    let near = near.map(|near| format!("{of}/{near}"));
                    let help = "remove it, or write the name of a variant of its payload";
                    let chosen = annotations.class_names.get(&format!("{of}/{key}"));
                    let location = chosen.map_or(&schema.location, |chosen| &chosen.location);
                    let found = names_nothing(message, location);
                    diagnostics.push(found.near(near.as_deref(), help));
                }
            }
        }
        if let Some(chosen) = annotations.class_names.values().next().filter(|_| !is_union) {
            let message = format!("`{name}` has `x-class-names`, but is no union");
            let help = "it stands on a union whose variants have tags";
            diagnostics.push(names_nothing(message, &chosen.location).help(help));
        }
    }
}

fn check_function(
    protocol: &Protocol,
    (name, schema): (&str, &SchemaObject),
    diagnostics: &mut Diagnostics,
) {
    let Some(ChosenName { name: chosen, location }) = &schema.annotations.function_name else {
        return;
    };
    let is_params = |params: &Type| matches!(params, Type::Named { name: of } if of == name);
    if !protocol.methods.iter().any(|method| is_params(method.params())) {
        let message = format!("`{name}` has an `x-function-name`, but is no method's params");
        let help = "it stands on the params of the method whose function it names";
        diagnostics.push(names_nothing(message, location).help(help));
    }
    if !is_function_name(chosen) {
        let message = format!("`{chosen}`, the `x-function-name` of `{name}`, is no identifier");
        let error = Diagnostic::error("bad-function-name", message).at(location.clone());
        let help = "write letters of ASCII, digits and `_`, and begin with a letter";
        diagnostics.push(error.help(help));
    }
}

/// The kind of a definition; of a nullable one, the kind of its values that are not `null`.
fn inner<'a>(protocol: &'a Protocol, kind: &'a TypeKind) -> &'a TypeKind {
    let TypeKind::Alias { target: Type::Nullable { inner } } = kind else { return kind };
    let def = inner.named().and_then(|name| protocol.types.get(name));
    def.map_or(kind, |def| &def.kind)
}

fn names_nothing(message: String, at: &Location) -> Diagnostic {
    Diagnostic::warning("names-nothing", message).at(at.clone())
}
