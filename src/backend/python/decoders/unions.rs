//! How the variants of a union are told apart, and which classes they become.

use super::{Writer, call, flag, string, table};
use crate::backend::kinds::{self, KINDS};
use crate::backend::python::layout::Expression;
use crate::backend::python::literal;
use crate::backend::python::variants::{Attribute, Built, Leaf, LeafKind, definition};
use crate::ir::{Selector, Type, TypeDef, TypeKind, Union, Variant};

/// The classes of a union's variants, as far as they are not yet taken.
type Leaves<'s, 'a> = std::slice::Iter<'s, Leaf<'a>>;

/// Where a union stands.
struct Place<'s> {
    /// Whether it is in the same object as a variant of another union.
    nested: bool,
    /// The attributes of unions around it that have some beside their variants, and its own.
    shared: &'s [String],
}

impl<'a> Writer<'a, '_> {
    /// The table of a union.
    pub(super) fn union(&mut self, key: &str, union: &'a Union) -> Expression {
        let scope = self.scope;
        let leaves = scope.form(key).map_or(&[][..], |form| &form.leaves);
        self.parts(union, &mut leaves.iter(), &Place { nested: false, shared: &[] })
    }

    /// The decoder of a definition that has no class: it only checks.
    pub(super) fn check(&mut self, def: &'a TypeDef) -> Expression {
        let variant = match &def.kind {
            TypeKind::Union(union) => {
                self.parts(union, &mut [].iter(), &Place { nested: true, shared: &[] })
            }
            TypeKind::Record(record) => self.unclassed(&record.fields),
            _ => return self.atom("anything"),
        };
        call(self.choice("shaped"), [variant], [])
    }

    fn parts(
        &mut self,
        union: &'a Union,
        leaves: &mut Leaves<'_, 'a>,
        place: &Place<'_>,
    ) -> Expression {
        let protocol = self.scope.protocol;
        let own = union.shared.iter().map(|field| Attribute::shared(field).name);
        let shared: Vec<String> = place.shared.iter().cloned().chain(own).collect();
        let place = Place { shared: &shared, ..*place };
        let mut tagged = Vec::new();
        let mut untagged = Vec::new();
        let mut before = 0;
        for (index, variant) in union.variants.iter().enumerate() {
            let made = self.variant(union, index, variant, leaves, &place);
            if let Selector::Tag { value } = &variant.selector {
                tagged.push((literal::string(value), made));
                continue;
            }
            before += usize::from(union.open.as_ref().is_some_and(|open| index < open.position));
            let payload = variant.payload.as_ref().unwrap_or(&Type::Any);
            let arguments = [made].into_iter().chain(kinds_of(kinds::kinds(protocol, payload)));
            untagged.push(call(self.choice("Untagged"), arguments, []));
        }
        let unknown =
            union.open.as_ref().map(|open| self.leaf(leaves.next(), open.payload.as_ref(), &place));
        let is_object = |variant: &Variant| {
            let payload = variant.payload.as_ref();
            payload.is_none_or(|payload| kinds::is_object(protocol, payload))
        };
        let all_objects =
            !union.shared.is_empty() || union.tag().is_some() && union.untagged().all(is_object);
        let properties = (!union.shared.is_empty())
            .then(|| self.fields(union.shared.iter().map(Attribute::shared)));
        let named = [
            ("is_object", flag(all_objects)),
            ("shared", properties),
            ("tag", union.tag().map(|tag| string(&tag.wire))),
            ("tagged", (!tagged.is_empty()).then_some(Expression::Dict(tagged))),
            ("untagged", (!untagged.is_empty()).then_some(Expression::List(untagged))),
            ("unknown", unknown),
            ("before", (before > 0).then(|| Expression::atom(before.to_string()))),
        ];
        call(self.choice("Union"), [], named)
    }

    fn variant(
        &mut self,
        union: &Union,
        index: usize,
        variant: &'a Variant,
        leaves: &mut Leaves<'_, 'a>,
        place: &Place<'_>,
    ) -> Expression {
        let payload = variant.payload.as_ref();
        if !place.nested {
            let own = leaves.as_slice().iter().take_while(|leaf| leaf.variant == Some(index));
            let count = own.count();
            if let Some(payload) = payload
                && variant.selector == Selector::Untagged
                && union.shared.is_empty()
            {
                // Its class, if it has one, is that of a definition.
                leaves.by_ref().take(count).for_each(drop);
                let decode = self.ty(payload);
                return call(self.choice("Plain"), [decode], []);
            }
            if count == 1 {
                return self.leaf(leaves.next(), payload, place);
            }
        }
        match payload.and_then(|payload| definition(self.scope.protocol, payload)) {
            Some((_, TypeKind::Union(inner))) => {
                self.parts(inner, leaves, &Place { nested: true, shared: place.shared })
            }
            _ => self.leaf(leaves.next(), payload, place),
        }
    }

    /// A variant that is of one class.
    fn leaf(
        &mut self,
        leaf: Option<&Leaf<'a>>,
        payload: Option<&'a Type>,
        place: &Place<'_>,
    ) -> Expression {
        match leaf.map(|leaf| (leaf, &leaf.kind)) {
            Some((leaf, LeafKind::Built(built))) => self.built(&leaf.class, built, place),
            Some((leaf, LeafKind::Raw { property, fields, .. })) => {
                let omitted = fields.iter().map(|it| string(&it.field.name.wire)).collect();
                let check = payload.map(|payload| self.ty(payload));
                let class = self.leaf_class(&leaf.class);
                let named = [
                    ("omitted", (!fields.is_empty()).then_some(Expression::List(omitted))),
                    ("check", check),
                ];
                call(self.choice("Kept"), [class, string(property)], named)
            }
            _ => {
                let record = payload.and_then(|payload| definition(self.scope.protocol, payload));
                match record {
                    Some((_, TypeKind::Record(record))) => self.unclassed(&record.fields),
                    _ => self.unclassed(&[]),
                }
            }
        }
    }

    fn built(&mut self, class: &str, built: &Built<'a>, place: &Place<'_>) -> Expression {
        let mut arguments = vec![self.leaf_class(class)];
        let inherited = built.inherits.as_ref().and_then(|(name, _)| self.scope.def(name));
        let own: Vec<_> = built.declares.iter().filter(|it| !it.shared).cloned().collect();
        match inherited {
            Some(def) => arguments.push(Expression::atom(table(&def.name))),
            None if own.is_empty() => {}
            None => arguments.push(self.fields(own.into_iter())),
        }
        let declares = |name: &String| {
            built.declares.iter().any(|attribute| attribute.shared && attribute.name == *name)
        };
        let without: Vec<Expression> =
            place.shared.iter().filter(|name| !declares(name)).map(|name| string(name)).collect();
        let without = (!without.is_empty()).then_some(Expression::List(without));
        call(self.choice("Leaf"), arguments, [("without", without)])
    }

    /// A variant of which only the properties are checked.
    fn unclassed(&mut self, fields: &'a [crate::ir::Field]) -> Expression {
        let table = self.fields(fields.iter().map(Attribute::own));
        call(self.choice("Leaf"), [Expression::atom("dict"), table], [])
    }

    /// A class or function of `_unions.py`.
    fn choice(&mut self, name: &'static str) -> &'static str {
        self.imports.own("._unions", name);
        name
    }
}

/// The kinds of JSON by their names, unless they are all there are.
fn kinds_of(kinds: kinds::Kinds) -> Vec<Expression> {
    let names = KINDS.iter().enumerate().filter(|(kind, _)| kinds.has(*kind));
    let names: Vec<Expression> = names.map(|(_, name)| string(name)).collect();
    if names.len() == KINDS.len() { Vec::new() } else { names }
}
