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
    stands: Stands,
    /// The attributes of unions around it that have some beside their variants, and its own.
    shared: &'s [String],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// For itself.
    Alone,
    /// In the same object as a variant of another union, whose classes its variants have.
    Inside,
    /// Beside a value that is kept as it came: its variants have no classes.
    Beside,
}

impl<'a> Writer<'a, '_> {
    /// The table of a union.
    pub(super) fn union(&mut self, key: &str, union: &'a Union) -> Expression {
        let scope = self.scope;
        let leaves = scope.form(key).map_or(&[][..], |form| &form.leaves);
        self.parts(union, &mut leaves.iter(), &Place { stands: Stands::Alone, shared: &[] })
    }

    /// The decoder of a definition that has no class: it only checks.
    pub(super) fn check(&mut self, def: &'a TypeDef) -> Expression {
        let name = def.name.wire.as_str();
        let variant = match &def.kind {
            // As a variant of itself it takes nothing that its other variants do not.
            TypeKind::Union(_) if self.checks.contains(&name) => call(self.choice("Union"), [], []),
            TypeKind::Union(union) => {
                let place = Place { stands: Stands::Beside, shared: &[] };
                self.checks.push(name);
                let parts = self.parts(union, &mut [].iter(), &place);
                self.checks.pop();
                parts
            }
            TypeKind::Record(record) => {
                let table = self.fields(record.fields.iter().map(Attribute::own));
                call(self.choice("Leaf"), [Expression::atom("dict"), table], [])
            }
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
        if place.stands == Stands::Beside {
            return self.unclassed(payload);
        }
        if place.stands == Stands::Alone {
            let own = leaves.as_slice().iter().take_while(|leaf| leaf.variant == Some(index));
            let count = own.count();
            if union.shared.is_empty()
                && variant.selector == Selector::Untagged
                && payload.is_some()
            {
                // Its class, if it has one, is that of a definition.
                leaves.by_ref().take(count).for_each(drop);
                return self.unclassed(payload);
            }
            let first = leaves.as_slice().first().map(|leaf| &leaf.kind);
            if let (1, Some(LeafKind::Raw { .. })) = (count, first) {
                return self.leaf(leaves.next(), payload, place);
            }
        }
        match payload.and_then(|payload| definition(self.scope.protocol, payload)) {
            Some((_, TypeKind::Union(inner))) => {
                self.parts(inner, leaves, &Place { stands: Stands::Inside, shared: place.shared })
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
            _ => self.unclassed(payload),
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

    /// A variant that is its payload, on its own.
    fn unclassed(&mut self, payload: Option<&'a Type>) -> Expression {
        match payload {
            Some(payload) => {
                let decode = self.ty(payload);
                call(self.choice("Plain"), [decode], [])
            }
            None => call(self.choice("Leaf"), [Expression::atom("dict")], []),
        }
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
