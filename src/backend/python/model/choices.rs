//! How the variants of a union are told apart, and which classes they become.

use serde::Serialize;

use super::super::expression::Expression;
use super::super::{literals, names};
use super::decode::FieldDecoder;
use super::decoders::DecoderBuilder;
use super::variants::{Attribute, Generated, VariantClass, VariantKind, definition};
use crate::backend::kinds::{self, KINDS};
use crate::ir::{Selector, Type, TypeDef, TypeKind, Union, Variant};

/// How a variant is decoded. All names of attributes, properties and tags are literals.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum VariantDecoder {
    /// An object of a class.
    Leaf {
        class: String,
        /// The table of the properties, if a definition has it; else the properties themselves.
        table: Option<String>,
        fields: Vec<FieldDecoder>,
        /// The shared attributes that the class does not have.
        without: Vec<String>,
    },
    /// An object that is kept as it came.
    Kept {
        class: String,
        /// The property of the tag.
        property: String,
        /// The properties that are not kept, because they are shared ones.
        omitted: Vec<String>,
        /// What must hold.
        check: Option<Box<PayloadDecoder>>,
    },
    /// A value of a type, on its own.
    Plain { decode: Box<PayloadDecoder> },
    /// A union in the same object.
    Union(UnionDecoder),
}

/// How the payload of a variant is decoded.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PayloadDecoder {
    /// By a decoder.
    Decode(Expression),
    /// By the table of a definition that has no class: it is only checked.
    Shaped(VariantDecoder),
}

/// How the variants of a union are told apart.
#[derive(Debug, Default, Serialize)]
pub(crate) struct UnionDecoder {
    /// Whether it is always an object.
    pub(crate) is_object: bool,
    /// The properties beside the variants.
    pub(crate) shared: Vec<FieldDecoder>,
    /// The property that holds the tag.
    pub(crate) tag: Option<String>,
    /// The variants that a tag selects.
    pub(crate) tagged: Vec<(String, VariantDecoder)>,
    /// The others.
    pub(crate) untagged: Vec<UntaggedDecoder>,
    /// The variant for tags that are not known.
    pub(crate) unknown: Option<Box<VariantDecoder>>,
    /// How many of the untagged ones are tried before that.
    pub(crate) before: usize,
}

/// A variant that is tried where no tag tells.
#[derive(Debug, Serialize)]
pub(crate) struct UntaggedDecoder {
    pub(crate) variant: VariantDecoder,
    /// The JSON types it can be; none of them is all of them.
    pub(crate) kinds: Vec<String>,
}

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
        self.variants(union, &mut classes.iter(), &location)
    }

    /// The table of a definition that has no class.
    fn check(&mut self, def: &'a TypeDef) -> Option<VariantDecoder> {
        let name = def.name.wire.as_str();
        Some(match &def.kind {
            // As a variant of itself it takes nothing that its other variants do not.
            TypeKind::Union(_) if self.checks.contains(&name) => {
                self.choice("Union");
                VariantDecoder::Union(UnionDecoder::default())
            }
            TypeKind::Union(union) => {
                let location = Location { context: UnionContext::Beside, shared: &[] };
                self.checks.push(name);
                let variants = self.variants(union, &mut [].iter(), &location);
                self.checks.pop();
                variants
            }
            TypeKind::Record(record) => {
                self.choice("Leaf");
                let fields = self.fields(record.fields.iter().map(Attribute::own));
                dict(fields)
            }
            _ => return None,
        })
    }

    fn payload(&mut self, payload: &'a Type) -> PayloadDecoder {
        if let Type::Named { name } = payload
            && self.scope.variants.is_inlined(name)
            && let Some(def) = self.scope.def(name)
            && let Some(check) = self.check(def)
        {
            self.choice("shaped");
            return PayloadDecoder::Shaped(check);
        }
        PayloadDecoder::Decode(self.ty(payload))
    }

    fn variants(
        &mut self,
        union: &'a Union,
        classes: &mut Classes<'_, 'a>,
        location: &Location<'_>,
    ) -> VariantDecoder {
        self.choice("Union");
        let protocol = self.scope.protocol;
        let own = union.shared.iter().map(|field| names::shared_attribute(&field.name));
        let shared: Vec<String> = location.shared.iter().cloned().chain(own).collect();
        let location = Location { shared: &shared, ..*location };
        let mut decoder = UnionDecoder::default();
        for (index, variant) in union.variants.iter().enumerate() {
            let made = self.variant(union, index, variant, classes, &location);
            if let Selector::Tag { value } = &variant.selector {
                decoder.tagged.push((literals::string(value), made));
                continue;
            }
            self.choice("Untagged");
            let is_before = union.open.as_ref().is_some_and(|open| index < open.position);
            decoder.before += usize::from(is_before);
            let payload = variant.payload.as_ref().unwrap_or(&Type::Any);
            let kinds = kinds_of(kinds::kinds(protocol, payload));
            decoder.untagged.push(UntaggedDecoder { variant: made, kinds });
        }
        let is_object = |variant: &Variant| {
            let payload = variant.payload.as_ref();
            payload.is_none_or(|payload| kinds::is_object(protocol, payload))
        };
        let unknown = union.open.as_ref().map(|open| {
            Box::new(self.class_decoder(classes.next(), open.payload.as_ref(), &location))
        });
        VariantDecoder::Union(UnionDecoder {
            is_object: !union.shared.is_empty()
                || union.tag().is_some() && union.untagged().all(is_object),
            shared: self.fields(union.shared.iter().map(Attribute::shared)),
            tag: union.tag().map(|tag| literals::string(&tag.wire)),
            unknown,
            ..decoder
        })
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
            Some((_, TypeKind::Union(inner))) => {
                let inside = Location { context: UnionContext::Inside, shared: location.shared };
                self.variants(inner, classes, &inside)
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
        let fields = self.fields(own.cloned());
        let declares = |name: &String| {
            generated.declares.iter().any(|attribute| attribute.shared && attribute.name == *name)
        };
        let without = location.shared.iter().filter(|name| !declares(name));
        VariantDecoder::Leaf {
            class: self.class(class),
            table: inherited.map(|def| names::table(&def.name)),
            fields,
            without: without.map(|name| literals::string(name)).collect(),
        }
    }

    /// A variant that is its payload, on its own.
    fn plain(&mut self, payload: Option<&'a Type>) -> VariantDecoder {
        let Some(payload) = payload else {
            self.choice("Leaf");
            return dict(Vec::new());
        };
        self.choice("Plain");
        VariantDecoder::Plain { decode: Box::new(self.payload(payload)) }
    }
}

/// An object with these properties that has no class.
fn dict(fields: Vec<FieldDecoder>) -> VariantDecoder {
    VariantDecoder::Leaf { class: String::from("dict"), table: None, fields, without: Vec::new() }
}

/// The kinds of JSON by their names, unless they are all there are.
fn kinds_of(kinds: kinds::Kinds) -> Vec<String> {
    let names = KINDS.iter().enumerate().filter(|(kind, _)| kinds.has(*kind));
    let names: Vec<String> = names.map(|(_, name)| literals::string(name)).collect();
    if names.len() == KINDS.len() { Vec::new() } else { names }
}
