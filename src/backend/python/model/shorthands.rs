//! Values of unions that can be written short: the contents of `_shorthands.py`.

use serde::Serialize;

use super::super::expression::Expression;
use super::super::imports::{Import, Imports};
use super::super::names;
use super::super::types::Reader;
use super::scope::Scope;
use crate::ir::{Field, Type, TypeKind};

/// `_shorthands.py`
#[derive(Debug, Serialize)]
pub(crate) struct ShorthandsModule {
    imports: Vec<Import>,
    pub(crate) shorthands: Vec<Shorthand>,
}

/// A union whose values can be given by one value of a variant.
#[derive(Debug, Serialize)]
pub(crate) struct Shorthand {
    /// The function that takes both, and the one for each of several.
    one: String,
    each: String,
    /// The union's class, and its function that makes the variant.
    class: String,
    make: String,
    /// The class of what can be given alone.
    short: &'static str,
}

/// A field that can be given short.
pub(super) struct ShortField {
    /// The type of what it can be given as.
    pub(super) ty: Expression,
    /// The function that makes the value.
    pub(super) function: String,
}

/// Decides the contents of `_shorthands.py`.
pub(super) fn shorthands_module(scope: &Scope<'_>) -> ShorthandsModule {
    let shorthands = scope.protocol.types.keys().filter_map(|name| scope.shorthand(name));
    let mut imports = Imports::default();
    imports.typing("TYPE_CHECKING");
    imports.typing("TypeVar");
    imports.module("types", "types");
    ShorthandsModule {
        imports: imports.statements(scope.modules, "_shorthands"),
        shorthands: shorthands.collect(),
    }
}

impl Scope<'_> {
    /// The short form of a union's values, if they have one.
    fn shorthand(&self, name: &str) -> Option<Shorthand> {
        let TypeKind::Union(union) = self.kind(name)? else { return None };
        let shorthand = union.shorthand.as_ref()?;
        let form = self.form(name).filter(|form| form.is_class)?;
        let tag = Some(shorthand.variant.as_str());
        let variant = form.classes.iter().find(|class| class.tag() == tag)?;
        let own = variant.fields();
        let field = own.iter().find(|it| it.field.name.wire == shorthand.field)?;
        let short = match self.protocol.resolve(&field.field.ty) {
            Type::String(_) => "str",
            Type::Integer(_) => "int",
            Type::Number(_) => "float",
            Type::Boolean => "bool",
            _ => return None,
        };
        let words = self.def(name)?.name.snake();
        Some(Shorthand {
            one: names::function_of(&words),
            each: format!("each_{words}"),
            class: self.class(name).to_owned(),
            make: variant.function.clone(),
            short,
        })
    }

    /// The way in which a field's value can be given short, itself or, if it has to be there, each
    /// of its items.
    pub(super) fn short_field(&self, field: &Field, imports: &mut Imports) -> Option<ShortField> {
        let of = |ty: &Type| match ty {
            Type::Named { name } => self.shorthand(name),
            _ => None,
        };
        if let Some(shorthand) = of(&field.ty) {
            let ty = Expression::atom(shorthand.short);
            return Some(ShortField { ty, function: shorthand.one });
        }
        let Type::Array(array) = &field.ty else { return None };
        let shorthand = of(&array.items).filter(|_| field.presence.is_required())?;
        imports.collections("Sequence");
        let item = self.ty(&array.items, Reader::People, &mut Imports::default());
        let item = Expression::union([item, Expression::atom(shorthand.short)]);
        let ty = Expression::Index("Sequence", vec![item]);
        Some(ShortField { ty, function: shorthand.each })
    }
}
