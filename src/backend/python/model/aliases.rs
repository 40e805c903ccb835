//! Aliases, and what msgspec sees instead of definitions.

use super::super::docs::{docstring, inline};
use super::super::expression::Expression;
use super::super::literals;
use super::super::types::{Reader, any};
use super::declarations::{Alias, Declaration, TypesBuilder, WireType};
use super::fields::description;
use super::scope::Wire;
use super::variants::UnionForm;
use crate::backend::api::Origin;
use crate::ir::{Tuple, TypeKind};

impl<'a> TypesBuilder<'a, '_> {
    /// The aliases that need nothing of this module, or all others.
    pub(super) fn aliases(&mut self, first: bool) {
        for name in self.scope.aliases().to_vec() {
            let needs_nothing = match self.scope.kind(name) {
                Some(TypeKind::Alias { target }) => target.named().is_none(),
                Some(TypeKind::Tuple(tuple)) => tuple.types().all(|ty| ty.named().is_none()),
                _ => false,
            };
            if needs_nothing == first {
                self.alias(name);
            }
        }
    }

    fn alias(&mut self, name: &'a str) {
        let scope = self.scope;
        let Some(def) = scope.def(name) else { return };
        let class = scope.class(name);
        let ty = self.alias_target(name, Reader::People);
        let target = ty.to_string();
        self.imports.typing("TypeAlias");
        let is_marked = scope.is_marked(name);
        if is_marked {
            self.imports.typing("TYPE_CHECKING");
            self.imports.own("runtime/support", "mark");
        }
        let new_name = def.old_name.then(|| {
            self.imports.typing("TYPE_CHECKING");
            self.imports.own("runtime/status", "old_name");
            literals::string(&target)
        });
        let indent = if def.old_name { 4 } else { 0 };
        let fallback = format!("The type `{}`.", inline(&def.name.wire));
        let last = self.declarations.last();
        let alias = Alias {
            name: class.to_owned(),
            ty,
            target: if is_marked { literals::string(&target) } else { target },
            is_marked,
            after_class: last.is_some_and(|last| !matches!(last, Declaration::Alias(_))),
            new_name,
            doc: docstring(
                &description(&def.docs, self.mode.for_type(def), &fallback, indent),
                indent,
            ),
        };
        let of = Origin::Type(name.to_owned());
        self.declare(Declaration::Alias(alias), of, class, &def.name.wire, &def.location);
    }

    /// Old names of variants' classes, which begin with the name of their union.
    ///
    /// A name that something else has by now is left to that.
    pub(super) fn old_variants(&mut self) {
        let scope = self.scope;
        for name in scope.aliases().to_vec() {
            let (Some(def), Some(TypeKind::Alias { target })) = (scope.def(name), scope.kind(name))
            else {
                continue;
            };
            let Some(union) = target.named().filter(|_| def.old_name) else { continue };
            let classes = scope.form(union).into_iter().flat_map(|form| &form.classes);
            for class in classes {
                let Some(rest) = class.name.strip_prefix(scope.class(union)) else { continue };
                let old = format!("{}{rest}", scope.class(name));
                let mut types = scope.protocol.types.keys();
                let mut is_type = || {
                    types.any(|name| !scope.variants.is_inlined(name) && scope.class(name) == old)
                };
                if self.defined.contains(&old) || is_type() {
                    continue;
                }
                let alias = Alias::old(old.clone(), &class.name);
                let of = Origin::Type(name.to_owned());
                self.declare(Declaration::Alias(alias), of, &old, class.wire, &def.location);
            }
        }
    }

    /// The type of an alias.
    fn alias_target(&mut self, name: &str, reader: Reader) -> Expression {
        let scope = self.scope;
        match scope.kind(name) {
            Some(TypeKind::Alias { target }) => scope.ty(target, reader, &mut self.imports),
            Some(TypeKind::Tuple(tuple)) => self.tuple(tuple, reader),
            Some(TypeKind::Union(union)) => {
                let payloads = union.untagged().filter_map(|variant| variant.payload.as_ref());
                let mut members: Vec<_> =
                    payloads.map(|ty| scope.ty(ty, reader, &mut self.imports)).collect();
                let classes = scope.form(name).into_iter().flat_map(|form| &form.classes);
                members.extend(classes.map(|class| Expression::atom(class.name.clone())));
                Expression::union(members)
            }
            _ => any(&mut self.imports),
        }
    }

    /// The type of a tuple: of each length that it can have, up to the one that has an item at each
    /// place.
    fn tuple(&mut self, tuple: &Tuple, reader: Reader) -> Expression {
        let scope = self.scope;
        let items = tuple.items.iter();
        let items: Vec<_> =
            items.map(|item| scope.ty(&item.ty, reader, &mut self.imports)).collect();
        let lengths = tuple.required..=items.len();
        let tuples = lengths.map(|length| {
            let mut parts = items.get(..length).unwrap_or_default().to_vec();
            if let Some(rest) = tuple.rest.as_ref().filter(|_| length == items.len()) {
                let rest = scope.ty(&rest.items, reader, &mut self.imports);
                parts.push(Expression::Index("*tuple", vec![rest, Expression::atom("...")]));
            }
            if parts.is_empty() {
                parts.push(Expression::atom("()"));
            }
            Expression::Index("tuple", parts)
        });
        Expression::union(tuples.collect::<Vec<_>>())
    }

    /// The private names that msgspec reads, in the order in which they can be defined.
    pub(super) fn wires(&mut self) -> Vec<WireType> {
        let scope = self.scope;
        let aliases = scope.aliases();
        let unions = scope.protocol.types.keys().map(String::as_str);
        let names = unions.filter(|name| !scope.is_alias(name)).chain(aliases.iter().copied());
        let names = names.filter(|name| !scope.variants.is_inlined(name));
        let wires = names.filter_map(|name| Some((name, scope.wire(name)?)));
        let wires = wires.map(|(name, wire)| {
            self.imports.typing("TYPE_CHECKING");
            self.imports.typing("TypeAlias");
            let target = match wire {
                Wire::Classes => {
                    let classes = scope.form(name).into_iter().flat_map(UnionForm::selectable);
                    Some(Expression::union(classes.map(Expression::atom)))
                }
                Wire::Parts => Some(self.alias_target(name, Reader::Msgspec)),
                Wire::Mark => {
                    self.imports.own("runtime/support", "mark");
                    None
                }
            };
            WireType { class: scope.class(name).to_owned(), target }
        });
        wires.collect()
    }
}
