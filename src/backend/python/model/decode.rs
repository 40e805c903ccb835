//! Which decoder a type has, and how properties become attributes.

use serde_json::Value;

use super::super::expression::Expression;
use super::super::{literals, names};
use super::decoders::{DecoderBuilder, lengths};
use super::variants::{Attribute, additional};
use crate::decode::{Items, OnAbsent, OnInvalid, OnNull, Substitute};
use crate::ir::{
    ArrayType, IntegerFormat, IntegerType, KeyChoice, KeyRules, NumberType, StringType, Tuple,
    Type, TypeKind,
};
use crate::pattern::{Syntax, spell};

/// The rules for the keys of an object.
#[derive(Debug, Default)]
pub(super) struct ObjectRules<'f> {
    /// The sets of properties of which it must not have all.
    pub(super) forbidden: &'f [Vec<String>],
    pub(super) keys: Option<&'f KeyRules>,
    /// The only keys, if a strict decoder refuses others.
    pub(super) closed: Option<Vec<&'f str>>,
    /// True if msgspec does not look at all that its properties have to fit.
    pub(super) is_unseen: bool,
}

impl DecoderBuilder<'_, '_> {
    /// The properties of an object that have attributes, the rules for its keys, and the other
    /// properties, where they are kept.
    pub(super) fn object<'f>(
        &mut self,
        attributes: impl Iterator<Item = Attribute<'f>>,
        rules: &ObjectRules<'_>,
        rest: Option<Expression>,
    ) -> Vec<Expression> {
        let mut object: Vec<_> = attributes.filter_map(|it| self.field(&it)).collect();
        let fields = object.len();
        object.extend(rules.forbidden.iter().map(|keys| {
            let keys = Expression::strings(keys.iter().map(String::as_str));
            Expression::apply(self.helper("Forbidden"), [keys])
        }));
        if let Some(keys) = rules.keys.filter(|keys| !keys.is_empty()) {
            object.push(self.keys(keys));
        }
        object.extend(rules.closed.as_ref().map(|known| {
            let known = Expression::strings(known.iter().copied());
            Expression::apply(self.keyword("Closed"), [known])
        }));
        object.extend(rest);
        if rules.is_unseen && object.len() == fields {
            object.push(Expression::atom(self.helper("UNSEEN")));
        }
        object
    }

    /// The rules for the keys of an object.
    fn keys(&mut self, keys: &KeyRules) -> Expression {
        let number = |number: Option<u64>| number.map(|it| Expression::atom(it.to_string()));
        let strings = |all: &[String]| Expression::strings(all.iter().map(String::as_str));
        let dependent = keys.dependent.iter();
        let dependent = dependent.map(|(key, wanted)| (literals::string(key), strings(wanted)));
        let dependent = Expression::Dict(dependent.collect());
        let names = keys.names.as_ref().map(|names| {
            let pattern = names.text.checked_pattern().map(literals::pattern_of);
            let pattern = pattern.map(Expression::Atom);
            let options = [
                ("low", number(names.text.min_length)),
                ("high", number(names.text.max_length)),
                ("listed", names.listed.as_deref().map(strings)),
                ("pattern", pattern),
            ];
            Expression::with_options(self.keyword("Names"), [], options)
        });
        let choices: Vec<Expression> = keys.choices.iter().map(|it| self.key_choice(it)).collect();
        let options = [
            ("low", number(keys.min_properties)),
            ("high", number(keys.max_properties)),
            ("dependent", (!keys.dependent.is_empty()).then_some(dependent)),
            ("choices", (!choices.is_empty()).then_some(Expression::List(choices))),
            ("names", names),
        ];
        Expression::with_options(self.keyword("Keys"), [], options)
    }

    /// Sets of keys, of which an object has at least one.
    fn key_choice(&mut self, choice: &KeyChoice) -> Expression {
        let sets = choice.sets.iter();
        let sets = sets.map(|set| Expression::strings(set.iter().map(String::as_str)));
        let arguments = [Expression::string(&choice.expected()), Expression::List(sets.collect())];
        let only_one = choice.only_one.then(|| Expression::atom("True"));
        Expression::with_options(self.keyword("KeyChoice"), arguments, [("only_one", only_one)])
    }

    /// The members of an object that none of these attributes is for, and none of these tags.
    pub(super) fn rest<'f>(
        &mut self,
        ty: &Type,
        attributes: &[&'f Attribute<'_>],
        tags: impl Iterator<Item = &'f str>,
    ) -> Expression {
        let wires = attributes.iter().map(|attribute| attribute.field.name.wire.as_str());
        let name = Expression::string(&additional(attributes));
        let known = Expression::strings(wires.chain(tags));
        Expression::apply(self.helper("Rest"), [name, self.ty(ty), known])
    }

    fn field(&mut self, Attribute { name, field, .. }: &Attribute<'_>) -> Option<Expression> {
        let plan = self.scope.field_plan(field)?;
        let decode = match plan.items {
            Items::ValidOnly => self.lenient(&field.ty),
            Items::All => self.ty(&field.ty),
        };
        let on_error = match &plan.invalid {
            OnInvalid::Become(substitute) => Some(self.substitute(substitute, &plan.absent)),
            OnInvalid::Refuse => None,
        };
        let on_null = match &plan.null {
            OnNull::Become(substitute) => Some(self.substitute(substitute, &plan.absent)),
            OnNull::Keep | OnNull::Decode => None,
        };
        // What makes the same of `null` as of any other malformed value is said once.
        let on_null = on_null.filter(|it| on_error.as_ref() != Some(it));
        let is_true = |fact: bool| fact.then(|| Expression::atom("True"));
        let names = [name, &field.name.wire].map(|name| Expression::string(name));
        let options = [
            ("required", is_true(plan.absent == OnAbsent::Refuse)),
            ("nullable", is_true(plan.null == OnNull::Keep)),
            ("on_error", on_error),
            ("on_null", on_null),
        ];
        let arguments = names.into_iter().chain([decode]);
        Some(Expression::with_options(self.helper("Field"), arguments, options))
    }

    /// A function that makes what a forgiven value becomes. The class knows its own default.
    fn substitute(&mut self, substitute: &Substitute, absent: &OnAbsent) -> Expression {
        match (substitute, absent) {
            (Substitute::Value(value), OnAbsent::Default(default)) if value == default => {
                Expression::atom(self.helper("absent"))
            }
            (Substitute::Absent, _) => Expression::atom(self.helper("absent")),
            (Substitute::Value(Value::Array(items)), _) if items.is_empty() => {
                Expression::atom("list")
            }
            (Substitute::Value(Value::Object(members)), _) if members.is_empty() => {
                Expression::atom("dict")
            }
            (Substitute::Value(value), _) => Expression::Lambda(Box::new(Expression::json(value))),
        }
    }

    /// The decoder of a type.
    pub(super) fn ty(&mut self, ty: &Type) -> Expression {
        match ty {
            Type::Any => self.atom("anything"),
            Type::Null => self.atom("nothing"),
            Type::Boolean => self.atom("boolean"),
            Type::Integer(integer) => self.integer(integer),
            Type::Number(number) => self.number(number),
            Type::String(string) => self.string(string),
            Type::Literal { value } => {
                Expression::apply(self.value("literal"), [Expression::json(value)])
            }
            Type::Array(array) => self.array(array, "items"),
            Type::Map(map) => {
                let values = self.ty(&map.values);
                let members = Expression::apply(self.value("members"), [values]);
                if map.keys.is_empty() {
                    return members;
                }
                let keys = self.keys(&map.keys);
                Expression::apply(self.keyword("keyed"), [members, keys])
            }
            Type::Nullable { inner } => {
                let inner = self.ty(inner);
                Expression::apply(self.value("nullable"), [inner])
            }
            Type::Named { name } => self.named(name),
        }
    }

    /// Decodes an array whose malformed items are left out.
    fn lenient(&mut self, ty: &Type) -> Expression {
        match self.scope.protocol.resolve(ty) {
            Type::Array(array) => self.array(array, "valid_items"),
            Type::Nullable { inner } => {
                let inner = self.lenient(inner);
                Expression::apply(self.value("nullable"), [inner])
            }
            _ => self.ty(ty),
        }
    }

    /// Decodes a named type. A scalar needs no function of its own.
    fn named(&mut self, name: &str) -> Expression {
        let Some(def) = self.scope.def(name) else { return self.atom("anything") };
        match &def.kind {
            TypeKind::Alias {
                target:
                    target @ (Type::Any
                    | Type::Null
                    | Type::Boolean
                    | Type::String(_)
                    | Type::Named { .. }),
            } => self.ty(target),
            _ => Expression::atom(names::decoder(&def.name)),
        }
    }

    fn atom(&mut self, helper: &'static str) -> Expression {
        Expression::atom(self.value(helper))
    }

    fn integer(&mut self, integer: &IntegerType) -> Expression {
        let (low, high) = integer.range();
        let is_whole = (low, high) == IntegerFormat::Int64.range();
        let bounds = [low, high].map(|bound| Expression::atom(bound.to_string()));
        let bounds = if is_whole { Vec::new() } else { Vec::from(bounds) };
        let integer_decoder = Expression::apply(self.value("integer"), bounds);
        let Some(step) = integer.multiple_of else { return integer_decoder };
        let step = Expression::atom(step.to_string());
        Expression::apply(self.keyword("whole_multiple"), [integer_decoder, step])
    }

    fn number(&mut self, number: &NumberType) -> Expression {
        let checks =
            [("above", number.above), ("below", number.below), ("multiple", number.multiple_of)];
        checks.into_iter().fold(self.bounded(number), |inner, (check, bound)| {
            let Some(bound) = bound else { return inner };
            let bound = Expression::atom(format!("{bound:?}"));
            Expression::apply(self.keyword(check), [inner, bound])
        })
    }

    fn bounded(&mut self, number: &NumberType) -> Expression {
        if number.minimum.is_none() && number.maximum.is_none() {
            return self.atom("number");
        }
        let bounds = [("low", number.minimum), ("high", number.maximum)];
        let bounds = bounds.into_iter().filter_map(|(name, bound)| {
            Some((String::from(name), Expression::atom(format!("{:?}", bound?))))
        });
        Expression::call(self.value("real"), bounds)
    }

    pub(super) fn string(&mut self, string: &StringType) -> Expression {
        let bounds = lengths(string.min_length, string.max_length);
        let text = if bounds.is_empty() {
            self.atom("string")
        } else {
            Expression::apply(self.value("text"), bounds)
        };
        let Some(pattern) = string.checked_pattern() else { return text };
        let spelled = spell(pattern, Syntax::Python);
        let source = (spelled != pattern).then(|| Expression::string(pattern));
        let arguments = [text, Expression::atom(literals::pattern(&spelled))].into_iter();
        Expression::apply(self.keyword("matching"), arguments.chain(source))
    }

    /// Decodes a tuple.
    pub(super) fn tuple(&mut self, tuple: &Tuple) -> Expression {
        let items = tuple.items.iter().map(|item| self.ty(&item.ty)).collect();
        let rest = tuple.rest.as_ref().map(|rest| self.ty(&rest.items));
        let mut arguments = vec![Expression::List(items)];
        arguments.extend(lengths(Some(tuple.least()), tuple.most()));
        Expression::with_options(self.places(), arguments, [("rest", rest)])
    }

    fn array(&mut self, array: &ArrayType, helper: &'static str) -> Expression {
        let mut arguments = vec![self.ty(&array.items)];
        arguments.extend(lengths(array.min_items, array.max_items));
        let items = Expression::apply(self.value(helper), arguments);
        if self.scope.protocol.is_distinct(array) {
            return Expression::apply(self.keyword("distinct"), [items]);
        }
        items
    }
}
