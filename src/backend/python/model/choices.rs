//! Choices of variants: how they are told apart, and which classes they become.

use std::collections::HashMap;

use super::super::expression::Expression;
use super::super::{literals, names};
use super::decode::ObjectRules;
use super::decoders::DecoderBuilder;
use super::variants::{Attribute, Generated, VariantClass, VariantKind, definition};
use crate::decode::{Candidates, KnownKeys, Step};
use crate::ir::{JsonTypes, Record, Selector, Type, TypeDef, TypeKind, Union, Variant};

/// The classes of a union's variants, as far as they are not yet taken.
type Classes<'s, 'a> = std::slice::Iter<'s, VariantClass<'a>>;

/// The location of a union.
struct Location<'s> {
    context: UnionContext,
    /// The attributes of unions around it that have some beside their variants, and its own.
    shared: &'s [String],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum UnionContext {
    /// For itself.
    Alone,
    /// In the same object as a variant of another union, whose classes its variants have.
    Inside,
    /// Beside a value that is kept as it came: its variants have no classes.
    Beside,
}

impl<'a> DecoderBuilder<'a, '_> {
    /// The table of a union.
    pub(super) fn union(&mut self, key: &str, union: &'a Union) -> Expression {
        let scope = self.scope;
        let classes = scope.form(key).map_or(&[][..], |form| &form.classes);
        let location = Location { context: UnionContext::Alone, shared: &[] };
        self.variants(key, union, &mut classes.iter(), &location)
    }

    /// The table of a record.
    pub(super) fn record(&mut self, name: &str, record: &Record) -> Vec<Expression> {
        let known = record.fields.iter().map(|field| field.name.wire.as_str());
        let closed = self.scope.is_closed(name).then(|| known.collect());
        self.open_record(name, record, closed)
    }

    /// The table of a record that refuses other keys than these, if any are given.
    fn open_record(
        &mut self,
        name: &str,
        record: &Record,
        closed: Option<Vec<&str>>,
    ) -> Vec<Expression> {
        let attributes: Vec<_> = record.fields.iter().map(Attribute::own).collect();
        let all: Vec<_> = attributes.iter().collect();
        let rest = self.scope.kept(name).map(|ty| self.rest(ty, &all, std::iter::empty()));
        let rules = ObjectRules {
            forbidden: self.scope.forbidden(name),
            keys: self.scope.plan.record(name).map(|plan| &plan.keys),
            closed,
            is_unseen: record.fields.iter().any(|field| self.scope.is_unseen(&field.ty)),
        };
        self.object(attributes.iter().cloned(), &rules, rest)
    }

    /// The table of a definition that has no class.
    fn check(&mut self, name: &'a str, def: &'a TypeDef) -> Option<Expression> {
        Some(match &def.kind {
            TypeKind::Union(union) => {
                let location = Location { context: UnionContext::Beside, shared: &[] };
                self.variants(name, union, &mut [].iter(), &location)
            }
            TypeKind::Record(record) => {
                let object = self.record(name, record);
                self.leaf(object)
            }
            _ => return None,
        })
    }

    fn payload(&mut self, payload: &'a Type) -> Expression {
        if let Type::Named { name } = payload
            && self.scope.variants.is_inlined(name)
            && let Some(def) = self.scope.def(name)
            && let Some(check) = self.check(name, def)
        {
            return Expression::apply(self.choice("shaped"), [check]);
        }
        self.ty(payload)
    }

    /// The payload of a variant that is kept as it came, with properties `beside` it.
    fn kept_payload(&mut self, payload: &'a Type, beside: &[&str]) -> Expression {
        let name = self.scope.protocol.resolve(payload).named();
        let closed = name.filter(|name| self.scope.is_closed(name));
        let Some((name, def)) = closed.and_then(|name| Some((name, self.scope.def(name)?))) else {
            return self.payload(payload);
        };
        let TypeKind::Record(record) = &def.kind else { return self.payload(payload) };
        let known = record.fields.iter().map(|field| field.name.wire.as_str());
        let known = known.chain(beside.iter().copied()).collect();
        let object = self.open_record(name, record, Some(known));
        let leaf = self.leaf(object);
        Expression::apply(self.choice("shaped"), [leaf])
    }

    fn variants(
        &mut self,
        name: &str,
        union: &'a Union,
        classes: &mut Classes<'_, 'a>,
        location: &Location<'_>,
    ) -> Expression {
        let helper = self.choice("Union");
        let Some(plan) = self.scope.plan.union(name) else { return Expression::apply(helper, []) };
        let own = union.shared.iter().map(|field| names::shared_attribute(&field.name));
        let shared: Vec<String> = location.shared.iter().cloned().chain(own).collect();
        let location = Location { shared: &shared, ..*location };
        let (mut tagged, mut untagged) = (Vec::new(), Vec::new());
        let mut positions = HashMap::new();
        for (index, variant) in union.variants.iter().enumerate() {
            let made = self.variant(union, index, variant, classes, &location);
            if let Selector::Tag { value } = &variant.selector {
                tagged.push((literals::string(value), made));
            } else {
                positions.insert(index, untagged.len());
                untagged.push(made);
            }
        }
        let unknown = union.open.as_ref();
        let unknown = unknown
            .map(|open| self.class_decoder(classes.next(), open.payload.as_ref(), &location));
        let (mut before, mut arms) = (Vec::new(), Vec::new());
        for step in &plan.steps {
            match step {
                // What has been tried so far comes before the open variant.
                Step::Open => before = std::mem::take(&mut arms),
                Step::Choose(choice) => arms.extend(
                    choice
                        .arms
                        .iter()
                        .filter_map(|(types, tried)| self.arm(*types, tried, &positions)),
                ),
            }
        }
        let list = |items: Vec<Expression>| (!items.is_empty()).then_some(Expression::List(items));
        let tag = plan.tag.as_ref().map(|tag| Expression::string(&tag.property));
        let expected = (!plan.is_by_tag_alone()).then(|| Expression::string(&plan.expected));
        let options = [
            ("is_object", plan.is_object.then(|| Expression::atom("True"))),
            (
                "shared",
                list(self.object(
                    union.shared.iter().map(Attribute::shared),
                    &ObjectRules::default(),
                    None,
                )),
            ),
            ("tag", tag),
            ("tagged", (!tagged.is_empty()).then_some(Expression::Dict(tagged))),
            ("untagged", list(untagged)),
            ("before", list(before)),
            ("arms", list(arms)),
            ("strict_first", plan.strict_first.then(|| Expression::atom("True"))),
            ("retried", plan.is_retried.then(|| Expression::atom("True"))),
            ("unknown", unknown),
            ("expected", expected),
        ];
        Expression::with_options(helper, [], options)
    }

    /// The variants that are tried for values of some JSON types, by their positions among those
    /// that no tag selects. No type is all of them.
    fn arm(
        &mut self,
        types: JsonTypes,
        candidates: &Candidates,
        positions: &HashMap<usize, usize>,
    ) -> Option<Expression> {
        let position =
            |index: &usize| positions.get(index).copied().unwrap_or_default().to_string();
        let number = |index: &usize| Expression::Atom(position(index));
        let (helper, tried) = match candidates {
            Candidates::None => return None,
            Candidates::Only(index) => ("Only", number(index)),
            Candidates::InOrder(order) => {
                ("InOrder", Expression::List(order.iter().map(number).collect()))
            }
            Candidates::MostKeys(known) => {
                let known = known.iter().map(|(index, keys)| match keys {
                    KnownKeys::Every => (position(index), Expression::atom("None")),
                    KnownKeys::Listed(keys) => {
                        (position(index), Expression::strings(keys.iter().map(String::as_str)))
                    }
                });
                ("MostKeys", Expression::Dict(known.collect()))
            }
        };
        let kinds = types.iter().filter(|_| types != JsonTypes::ALL);
        let kinds = kinds.map(|ty| Expression::string(ty.words()));
        Some(Expression::apply(self.choice(helper), [tried].into_iter().chain(kinds)))
    }

    fn variant(
        &mut self,
        union: &Union,
        index: usize,
        variant: &'a Variant,
        classes: &mut Classes<'_, 'a>,
        location: &Location<'_>,
    ) -> Expression {
        let payload = variant.payload.as_ref();
        if location.context == UnionContext::Beside {
            return self.plain(payload);
        }
        if location.context == UnionContext::Alone {
            let own = classes.as_slice().iter().take_while(|class| class.variant == Some(index));
            let count = own.count();
            if union.shared.is_empty()
                && variant.selector == Selector::Untagged
                && payload.is_some()
            {
                // Its class, if it has one, is that of a definition.
                classes.by_ref().take(count).for_each(drop);
                return self.plain(payload);
            }
            let first = classes.as_slice().first().map(|class| &class.kind);
            if let (1, Some(VariantKind::Raw { .. })) = (count, first) {
                return self.class_decoder(classes.next(), payload, location);
            }
        }
        match payload.and_then(|payload| definition(self.scope.protocol, payload)) {
            Some((name, TypeKind::Union(inner))) => {
                let inside = Location { context: UnionContext::Inside, shared: location.shared };
                self.variants(name, inner, classes, &inside)
            }
            _ => self.class_decoder(classes.next(), payload, location),
        }
    }

    /// A variant that is of one class.
    fn class_decoder(
        &mut self,
        class: Option<&VariantClass<'a>>,
        payload: Option<&'a Type>,
        location: &Location<'_>,
    ) -> Expression {
        match class.map(|class| (class, &class.kind)) {
            Some((class, VariantKind::Generated(generated))) => {
                self.generated(&class.name, generated, location)
            }
            Some((class, VariantKind::Raw { property, fields, .. })) => {
                let omitted = fields.iter().map(|it| it.field.name.wire.as_str());
                let omitted = (!fields.is_empty()).then(|| Expression::strings(omitted));
                let check = payload.map(|payload| {
                    let beside = fields.iter().map(|it| it.field.name.wire.as_str());
                    let beside: Vec<&str> = beside.chain([*property]).collect();
                    self.kept_payload(payload, &beside)
                });
                let arguments = [self.class(&class.name), Expression::string(property)];
                let options = [("omitted", omitted), ("check", check)];
                Expression::with_options(self.choice("Kept"), arguments, options)
            }
            _ => self.plain(payload),
        }
    }

    fn generated(
        &mut self,
        class: &str,
        generated: &Generated<'a>,
        location: &Location<'_>,
    ) -> Expression {
        let inherited = generated.inherits.as_ref().and_then(|(name, _)| self.scope.def(name));
        let own = generated.declares.iter().filter(|it| !it.shared && inherited.is_none());
        let rest = generated.rest.map(|ty| {
            let constants = generated.constants.iter().map(|(name, _)| name.wire.as_str());
            let tags = generated.tag.iter().map(|(property, _)| *property).chain(constants);
            self.rest(ty, &generated.declares.iter().collect::<Vec<_>>(), tags)
        });
        let closed = generated.is_closed.then(|| {
            let constants = generated.constants.iter().map(|(name, _)| name.wire.as_str());
            let tags = generated.tag.iter().map(|(property, _)| *property).chain(constants);
            let fields = generated.fields().map(|it| it.field.name.wire.as_str());
            let mut known: Vec<&str> = Vec::new();
            for name in fields.chain(tags) {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
            known
        });
        let is_closed = closed.is_some();
        let rules = ObjectRules {
            forbidden: generated.forbidden,
            keys: generated.keys,
            closed,
            is_unseen: generated.fields().any(|it| self.scope.is_unseen(&it.field.ty)),
        };
        let table = match inherited {
            Some(def) if !is_closed => Some(Expression::Atom(names::table(&def.name))),
            _ => {
                let own: Vec<_> = match &generated.inherits {
                    Some((_, fields)) if is_closed => fields.clone(),
                    _ => own.cloned().collect(),
                };
                let object = self.object(own.into_iter(), &rules, rest);
                (!object.is_empty()).then_some(Expression::List(object))
            }
        };
        let declares = |name: &String| {
            generated.declares.iter().any(|attribute| attribute.shared && attribute.name == *name)
        };
        let without = location.shared.iter().filter(|name| !declares(name)).map(String::as_str);
        let without: Vec<&str> = without.collect();
        let without = (!without.is_empty()).then(|| Expression::strings(without));
        let arguments = [self.class(class)].into_iter().chain(table);
        Expression::with_options(self.choice("Leaf"), arguments, [("without", without)])
    }

    /// A variant that is its payload, on its own.
    fn plain(&mut self, payload: Option<&'a Type>) -> Expression {
        let Some(payload) = payload else { return self.leaf(Vec::new()) };
        let payload = self.payload(payload);
        Expression::apply(self.choice("Plain"), [payload])
    }

    /// An object with these properties that has no class.
    fn leaf(&mut self, object: Vec<Expression>) -> Expression {
        let object = (!object.is_empty()).then_some(Expression::List(object));
        let arguments = [Expression::atom("dict")].into_iter().chain(object);
        Expression::apply(self.choice("Leaf"), arguments)
    }
}
