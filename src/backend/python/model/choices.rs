//! How the variants of a union are told apart, and which classes they become.

use std::collections::HashMap;

use super::super::{literals, names};
use super::decoders::{
    Arm, DecoderBuilder, ObjectDecoder, PayloadDecoder, Tried, UnionDecoder, VariantDecoder,
};
use super::variants::{Attribute, Generated, VariantClass, VariantKind, definition};
use crate::decode::{Candidates, KnownKeys, Step};
use crate::ir::{JsonTypes, Record, Selector, Type, TypeDef, TypeKind, Union, Variant};

/// The classes of a union's variants, as far as they are not yet taken.
type Classes<'s, 'a> = std::slice::Iter<'s, VariantClass<'a>>;

/// Where a union stands.
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
    pub(super) fn union(&mut self, key: &str, union: &'a Union) -> VariantDecoder {
        let scope = self.scope;
        let classes = scope.form(key).map_or(&[][..], |form| &form.classes);
        let location = Location { context: UnionContext::Alone, shared: &[] };
        self.variants(key, union, &mut classes.iter(), &location)
    }

    /// The table of a record.
    pub(super) fn record(&mut self, name: &str, record: &Record) -> ObjectDecoder {
        let attributes: Vec<_> = record.fields.iter().map(Attribute::own).collect();
        let all: Vec<_> = attributes.iter().collect();
        let rest = self.scope.kept(name).map(|ty| self.rest(ty, &all, std::iter::empty()));
        self.object(attributes.iter().cloned(), rest)
    }

    /// The table of a definition that has no class.
    fn check(&mut self, name: &'a str, def: &'a TypeDef) -> Option<VariantDecoder> {
        Some(match &def.kind {
            // As a variant of itself it takes nothing that its other variants do not.
            TypeKind::Union(_) if self.checks.contains(&name) => {
                self.choice("Union");
                VariantDecoder::Union(UnionDecoder::default())
            }
            TypeKind::Union(union) => {
                let location = Location { context: UnionContext::Beside, shared: &[] };
                self.checks.push(name);
                let variants = self.variants(name, union, &mut [].iter(), &location);
                self.checks.pop();
                variants
            }
            TypeKind::Record(record) => {
                self.choice("Leaf");
                dict(self.record(name, record))
            }
            _ => return None,
        })
    }

    fn payload(&mut self, payload: &'a Type) -> PayloadDecoder {
        if let Type::Named { name } = payload
            && self.scope.variants.is_inlined(name)
            && let Some(def) = self.scope.def(name)
            && let Some(check) = self.check(name, def)
        {
            self.choice("shaped");
            return PayloadDecoder::Shaped(check);
        }
        PayloadDecoder::Decode(self.ty(payload))
    }

    fn variants(
        &mut self,
        name: &str,
        union: &'a Union,
        classes: &mut Classes<'_, 'a>,
        location: &Location<'_>,
    ) -> VariantDecoder {
        self.choice("Union");
        let Some(plan) = self.scope.plan.union(name) else {
            return VariantDecoder::Union(UnionDecoder::default());
        };
        let own = union.shared.iter().map(|field| names::shared_attribute(&field.name));
        let shared: Vec<String> = location.shared.iter().cloned().chain(own).collect();
        let location = Location { shared: &shared, ..*location };
        let mut decoder = UnionDecoder::default();
        let mut positions = HashMap::new();
        for (index, variant) in union.variants.iter().enumerate() {
            let made = self.variant(union, index, variant, classes, &location);
            if let Selector::Tag { value } = &variant.selector {
                decoder.tagged.push((literals::string(value), made));
            } else {
                positions.insert(index, decoder.untagged.len());
                decoder.untagged.push(made);
            }
        }
        decoder.unknown = union.open.as_ref().map(|open| {
            Box::new(self.class_decoder(classes.next(), open.payload.as_ref(), &location))
        });
        for step in &plan.steps {
            match step {
                // What has been tried so far comes before the open variant.
                Step::Open => decoder.before = std::mem::take(&mut decoder.arms),
                Step::Choose(choice) => {
                    for (types, candidates) in &choice.arms {
                        let tried = self.tried(candidates, &positions);
                        decoder.arms.extend(tried.map(|tried| Arm { kinds: kinds(*types), tried }));
                    }
                }
            }
        }
        VariantDecoder::Union(UnionDecoder {
            is_object: plan.is_object,
            shared: self.object(union.shared.iter().map(Attribute::shared), None).fields,
            tag: plan.tag.as_ref().map(|tag| literals::string(&tag.property)),
            expected: (!plan.is_by_tag_alone()).then(|| literals::string(&plan.expected)),
            ..decoder
        })
    }

    fn tried(
        &mut self,
        candidates: &Candidates,
        positions: &HashMap<usize, usize>,
    ) -> Option<Tried> {
        let position = |index: &usize| positions.get(index).copied().unwrap_or_default();
        let (helper, tried) = match candidates {
            Candidates::None => return None,
            Candidates::Only(index) => ("Only", Tried::Only(position(index))),
            Candidates::InOrder(order) => {
                ("InOrder", Tried::InOrder(order.iter().map(position).collect()))
            }
            Candidates::MostKeys(known) => {
                let known = known.iter().map(|(index, keys)| match keys {
                    KnownKeys::Every => (position(index), None),
                    KnownKeys::Listed(keys) => {
                        let keys = keys.iter().map(|key| literals::string(key)).collect();
                        (position(index), Some(keys))
                    }
                });
                ("MostKeys", Tried::MostKeys(known.collect()))
            }
        };
        self.choice(helper);
        Some(tried)
    }

    fn variant(
        &mut self,
        union: &Union,
        index: usize,
        variant: &'a Variant,
        classes: &mut Classes<'_, 'a>,
        location: &Location<'_>,
    ) -> VariantDecoder {
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
    ) -> VariantDecoder {
        match class.map(|class| (class, &class.kind)) {
            Some((class, VariantKind::Generated(generated))) => {
                self.generated(&class.name, generated, location)
            }
            Some((class, VariantKind::Raw { property, fields, .. })) => {
                self.choice("Kept");
                VariantDecoder::Kept {
                    class: self.class(&class.name),
                    property: literals::string(property),
                    omitted: fields
                        .iter()
                        .map(|it| literals::string(&it.field.name.wire))
                        .collect(),
                    check: payload.map(|payload| Box::new(self.payload(payload))),
                }
            }
            _ => self.plain(payload),
        }
    }

    fn generated(
        &mut self,
        class: &str,
        generated: &Generated<'a>,
        location: &Location<'_>,
    ) -> VariantDecoder {
        self.choice("Leaf");
        let inherited = generated.inherits.as_ref().and_then(|(name, _)| self.scope.def(name));
        let own = generated.declares.iter().filter(|it| !it.shared && inherited.is_none());
        let rest = generated.rest.map(|ty| {
            let constants = generated.constants.iter().map(|(name, _)| name.wire.as_str());
            let tags = generated.tag.iter().map(|(property, _)| *property).chain(constants);
            self.rest(ty, &generated.declares.iter().collect::<Vec<_>>(), tags)
        });
        let object = self.object(own.cloned(), rest);
        let declares = |name: &String| {
            generated.declares.iter().any(|attribute| attribute.shared && attribute.name == *name)
        };
        let without = location.shared.iter().filter(|name| !declares(name));
        VariantDecoder::Leaf {
            class: self.class(class),
            table: inherited.map(|def| names::table(&def.name)),
            object,
            without: without.map(|name| literals::string(name)).collect(),
        }
    }

    /// A variant that is its payload, on its own.
    fn plain(&mut self, payload: Option<&'a Type>) -> VariantDecoder {
        let Some(payload) = payload else {
            self.choice("Leaf");
            return dict(ObjectDecoder::default());
        };
        self.choice("Plain");
        VariantDecoder::Plain { decode: Box::new(self.payload(payload)) }
    }
}

/// An object with these properties that has no class.
fn dict(object: ObjectDecoder) -> VariantDecoder {
    VariantDecoder::Leaf { class: String::from("dict"), table: None, object, without: Vec::new() }
}

/// The JSON types by their names, unless they are all there are.
fn kinds(types: JsonTypes) -> Vec<String> {
    if types == JsonTypes::ALL {
        return Vec::new();
    }
    types.iter().map(|ty| literals::string(ty.words())).collect()
}
