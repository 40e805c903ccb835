//! Defaults as Python expressions that make a fresh value.

use serde_json::{Map, Value};

use super::super::expression::Expression;
use super::super::imports::Imports;
use super::super::{literals, names};
use super::scope::Scope;
use super::variants::{Attribute, VariantClass, VariantKind, additional};
use crate::decode::{Decoder, Mode, Step};
use crate::ir::{Enum, EnumBase, JsonType, Record, Type, TypeKind};

/// The way in which a field gets the value it has when it is absent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Default {
    /// A value that all share: it cannot change, or msgspec copies it.
    Shared(Expression),
    /// A function that makes one.
    Factory(Expression),
}

impl Scope<'_> {
    /// The default of a field. `None` if the value is not one of the type.
    pub(super) fn default(
        &self,
        ty: &Type,
        nullable: bool,
        value: &Value,
        imports: &mut Imports,
    ) -> Option<Default> {
        let made = if nullable && value.is_null() {
            Expression::atom("None")
        } else {
            self.value(ty, value, imports)?
        };
        Some(match &made {
            Expression::List(items) if !items.is_empty() => factory(made),
            Expression::Dict(entries) if !entries.is_empty() => factory(made),
            Expression::Call(..) => factory(made),
            Expression::Tuple(items) if !items.iter().all(is_constant) => factory(made),
            _ => Default::Shared(made),
        })
    }

    /// An expression for a JSON value of a type.
    fn value(&self, ty: &Type, value: &Value, imports: &mut Imports) -> Option<Expression> {
        match (ty, value) {
            (Type::Any, _) => Some(Expression::json(value)),
            (Type::Literal { value: constant }, _) if constant == value => {
                literals::scalar(value).map(Expression::Atom)
            }
            (Type::Integer(_), Value::Number(number)) => {
                Some(Expression::atom(literals::integer(number)))
            }
            (Type::Null, Value::Null)
            | (Type::Boolean, Value::Bool(_))
            | (Type::Number(_), Value::Number(_))
            | (Type::String(_), Value::String(_)) => literals::scalar(value).map(Expression::Atom),
            (Type::Array(array), Value::Array(items)) => items
                .iter()
                .map(|item| self.value(&array.items, item, imports))
                .collect::<Option<_>>()
                .map(Expression::List),
            (Type::Map(map), Value::Object(entries)) => entries
                .iter()
                .map(|(key, value)| {
                    Some((literals::string(key), self.value(&map.values, value, imports)?))
                })
                .collect::<Option<Vec<_>>>()
                .map(Expression::dict),
            (Type::Nullable { .. }, Value::Null) => Some(Expression::atom("None")),
            (Type::Nullable { inner }, _) => self.value(inner, value, imports),
            (Type::Named { name }, _) => self.of_definition(name, value, imports),
            _ => None,
        }
    }

    fn of_definition(
        &self,
        name: &str,
        value: &Value,
        imports: &mut Imports,
    ) -> Option<Expression> {
        let class = self.class(name);
        match &self.def(name)?.kind {
            TypeKind::Alias { target } => self.value(target, value, imports),
            TypeKind::Tuple(tuple) => {
                let items = value.as_array()?.iter().enumerate();
                items
                    .map(|(at, item)| self.value(tuple.item(at)?, item, imports))
                    .collect::<Option<_>>()
                    .map(Expression::Tuple)
            }
            TypeKind::Record(record) => {
                self.of_record(name, class, record, value.as_object()?, imports)
            }
            TypeKind::Enum(definition) => {
                let expression = enum_value(class, definition, value)?;
                imports.own("enums", class);
                Some(expression)
            }
            TypeKind::Union(union) => {
                let classes = &self.form(name)?.classes;
                let tag = union.tag().and_then(|tag| value.get(&tag.wire)).and_then(Value::as_str);
                let by_tag = classes
                    .iter()
                    .filter(|class| tag.is_some() && class.tag() == tag)
                    .find_map(|class| self.of_variant(class, value, imports));
                by_tag
                    .or_else(|| {
                        let untagged = classes.iter().filter(|class| class.tag().is_none());
                        untagged
                            .filter(|class| !matches!(class.kind, VariantKind::Record { .. }))
                            .find_map(|class| self.of_variant(class, value, imports))
                    })
                    .or_else(|| {
                        let choices = self.plan.union(name)?.steps.iter().filter_map(Step::choice);
                        let order = choices.flat_map(|choice| {
                            choice.candidates(JsonType::from_value(value)).order(value)
                        });
                        let mut variants = order.filter_map(|index| union.variants.get(index));
                        variants.find_map(|v| self.value(v.payload.as_ref()?, value, imports))
                    })
            }
        }
    }

    fn of_variant(
        &self,
        class: &VariantClass<'_>,
        value: &Value,
        imports: &mut Imports,
    ) -> Option<Expression> {
        let object = value.as_object()?;
        match &class.kind {
            VariantKind::Record { name, record } => {
                self.of_record(name, &class.name, record, object, imports)
            }
            VariantKind::Generated(generated) => {
                let has = |(name, constant): &(&crate::ir::Name, &str)| {
                    object.get(&name.wire).and_then(Value::as_str) == Some(constant)
                };
                if !generated.constants.iter().all(has) {
                    return None;
                }
                let mut arguments = self.arguments(generated.fields(), object, imports)?;
                if let Some(ty) = generated.rest {
                    let tags = generated.tag.iter().map(|(tag, _)| *tag);
                    let further = generated.constants.iter().map(|(tag, _)| tag.wire.as_str());
                    let attributes: Vec<_> = generated.fields().collect();
                    let tags: Vec<&str> = tags.chain(further).collect();
                    arguments.extend(self.others(ty, &attributes, &tags, object, imports)?);
                }
                Some(Expression::call(class.name.clone(), arguments))
            }
            VariantKind::Raw { property, fields, .. } => {
                let tag = object.get(*property).and_then(Value::as_str)?;
                let shared = |key: &String| fields.iter().any(|a| a.field.name.wire == *key);
                let rest: Map<String, Value> = object
                    .iter()
                    .filter(|(key, _)| *key != property && !shared(key))
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect();
                let mut arguments = vec![
                    (None, Expression::atom(literals::string(tag))),
                    (None, Expression::json(&Value::Object(rest))),
                ];
                let shared = self.arguments(fields.iter(), object, imports)?;
                arguments.extend(shared.into_iter().map(|(name, value)| (Some(name), value)));
                Some(Expression::Call(class.name.clone(), arguments))
            }
        }
    }

    fn of_record(
        &self,
        name: &str,
        class: &str,
        record: &Record,
        object: &Map<String, Value>,
        imports: &mut Imports,
    ) -> Option<Expression> {
        let attributes: Vec<_> = record.fields.iter().map(Attribute::own).collect();
        let mut arguments = self.arguments(attributes.iter(), object, imports)?;
        if let Some(ty) = self.kept(name) {
            let attributes: Vec<_> = attributes.iter().collect();
            arguments.extend(self.others(ty, &attributes, &[], object, imports)?);
        }
        Some(Expression::call(class, arguments))
    }

    /// The argument for the members that no attribute is for, and that are no tags; none where
    /// there are none.
    fn others(
        &self,
        ty: &Type,
        attributes: &[&Attribute<'_>],
        tags: &[&str],
        object: &Map<String, Value>,
        imports: &mut Imports,
    ) -> Option<Vec<(String, Expression)>> {
        let is_listed = |key: &str| {
            tags.contains(&key) || attributes.iter().any(|it| it.field.name.wire == key)
        };
        let others = object.iter().filter(|(key, _)| !is_listed(key));
        let entries: Option<Vec<_>> = others
            .map(|(key, value)| Some((literals::string(key), self.value(ty, value, imports)?)))
            .collect();
        let entries = entries?;
        if entries.is_empty() {
            return Some(Vec::new());
        }
        Some(vec![(additional(attributes), Expression::dict(entries))])
    }

    /// Keyword arguments, without those that say what the class says by itself.
    fn arguments<'f, 'a: 'f>(
        &self,
        attributes: impl Iterator<Item = &'f Attribute<'a>>,
        object: &Map<String, Value>,
        imports: &mut Imports,
    ) -> Option<Vec<(String, Expression)>> {
        let decoder = Decoder::new(self.protocol, self.plan, Mode::Lenient);
        let mut arguments = Vec::new();
        for Attribute { name, field, .. } in attributes {
            let nullable = field.presence.is_nullable();
            let Some(value) = object.get(&field.name.wire) else {
                if field.presence.is_required() {
                    return None;
                }
                continue;
            };
            let made = if nullable && value.is_null() {
                Expression::atom("None")
            } else {
                self.value(&field.ty, value, imports)?
            };
            let by_itself = field.default.as_ref().is_some_and(|default| {
                let whole = |value| decoder.decode(&field.ty, value).ok();
                default == value || whole(default).is_some_and(|it| Some(it) == whole(value))
            });
            if !by_itself {
                arguments.push((name.clone(), made));
            }
        }
        // The order of properties says nothing.
        arguments.sort_by(|(a, _), (b, _)| a.cmp(b));
        Some(arguments)
    }
}

/// A known value by its name, an unknown one of an open enum by itself.
fn enum_value(class: &str, definition: &Enum, value: &Value) -> Option<Expression> {
    if let Some(known) = definition.values.iter().find(|known| known.value == *value) {
        return Some(Expression::atom(format!("{class}.{}", names::constant(&known.name))));
    }
    definition.open.as_ref()?;
    let bare = match (&definition.base, value) {
        (EnumBase::String, Value::String(text)) => literals::string(text),
        (EnumBase::Integer(_), Value::Number(number)) => literals::integer(number),
        _ => return None,
    };
    Some(Expression::atom(format!("{class}({bare})")))
}

/// Tells whether a value cannot change.
fn is_constant(made: &Expression) -> bool {
    match made {
        Expression::Tuple(items) => items.iter().all(is_constant),
        made => matches!(made, Expression::Atom(_)),
    }
}

/// `X()` is made by `X`, anything else by a lambda.
fn factory(made: Expression) -> Default {
    Default::Factory(match made {
        Expression::Call(class, arguments) if arguments.is_empty() => Expression::Atom(class),
        made => Expression::Lambda(Box::new(made)),
    })
}
