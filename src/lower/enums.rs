//! Enums: `const`s in a `oneOf` or `anyOf`, or an `enum`; open where the bare type is allowed too.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::Value;

use super::{Lowerer, Path, scalars};
use crate::diagnostic::{Diagnostic, nearest};
use crate::ir::{
    Enum, EnumBase, EnumValue, IntegerFormat, IntegerType, Name, OpenValue, StringType, Type,
    TypeKind,
};
use crate::schema::{ChosenName, JsonType, SchemaObject};
use crate::source::Location;

/// A constant before it is named.
struct Constant<'a> {
    value: &'a Value,
    location: &'a Location,
    schema: Option<&'a SchemaObject>,
}

impl<'a> Lowerer<'a> {
    /// The enum that a schema is, if it is one. With `null` among the constants of a definition,
    /// the definition is an alias of the nullable enum.
    pub(super) fn enumeration(
        &mut self,
        schema: &'a SchemaObject,
        path: &Path,
    ) -> Option<TypeKind> {
        let (constants, open) = constants(schema)?;
        let nullable = schema.branches().iter().any(SchemaObject::is_null)
            || constants.iter().any(|constant| constant.value.is_null());
        let constants: Vec<_> =
            constants.into_iter().filter(|constant| !constant.value.is_null()).collect();
        let base = base(&constants, open)?;
        let kind = TypeKind::Enum(self.enum_of(schema, &constants, open, base, path));
        let is_definition = self.document.definitions.contains_key(&path.type_name)
            && self.names.get(&path.type_name) == Some(&schema.location);
        if !(nullable && is_definition) {
            return Some(kind);
        }
        let inner = self.hoist_part(schema, &path.child("value"), |_, _| kind);
        Some(TypeKind::Alias { target: Type::Nullable { inner: Box::new(inner) } })
    }

    fn enum_of(
        &mut self,
        schema: &SchemaObject,
        constants: &[Constant<'_>],
        open: Option<&SchemaObject>,
        base: EnumBase,
        path: &Path,
    ) -> Enum {
        let (names, data) = (&schema.annotations.names, &schema.annotations.error_data);
        for (value, chosen) in names {
            self.check_value("x-names", value, constants, (path, &chosen.location));
        }
        for (value, of) in data {
            self.check_value("x-error-data", value, constants, (path, &of.location));
        }
        let mut values: Vec<EnumValue> = Vec::with_capacity(constants.len());
        let mut firsts: HashMap<&Value, &Location> = HashMap::with_capacity(constants.len());
        for constant in constants {
            if let Some(first) = firsts.get(constant.value) {
                self.diagnostics.push(
                    Diagnostic::warning(
                        "duplicate-value",
                        format!("{} lists {} twice", path.label, constant.value),
                    )
                    .at(constant.location.clone())
                    .related((*first).clone(), "first time")
                    .help("keep one of the two"),
                );
                continue;
            }
            firsts.insert(constant.value, constant.location);
            values.push(EnumValue {
                name: value_name(constant, names),
                value: constant.value.clone(),
                data: data
                    .get(&spelling(constant.value))
                    .map(|of| of.members.iter().map(Name::new).collect())
                    .unwrap_or_default(),
                docs: constant.schema.map(|schema| schema.docs.clone()).unwrap_or_default(),
                location: constant.location.clone(),
            });
        }
        let open = open.map(|schema| OpenValue {
            name: open_name(schema.title.as_deref(), |words| {
                values.iter().any(|value| value.name.words == words)
            }),
            docs: schema.docs.clone(),
            text: self.open_text(schema, path),
        });
        let base = match base {
            EnumBase::Integer(integer) if integer.multiple_of.is_some() => {
                self.unenforced("multipleOf", &schema.location, path);
                EnumBase::Integer(IntegerType { multiple_of: None, ..integer })
            }
            base => base,
        };
        Enum { base, values, open }
    }

    /// The lengths and the pattern of values that an enum does not list.
    fn open_text(&mut self, schema: &SchemaObject, path: &Path) -> StringType {
        if schema.types.contains(&JsonType::String) {
            self.text(schema, path)
        } else {
            StringType::default()
        }
    }

    /// Reports a value that an annotation is about and that the enum does not have.
    fn check_value(
        &mut self,
        keyword: &str,
        value: &str,
        constants: &[Constant<'_>],
        (path, location): (&Path, &Location),
    ) {
        let known: Vec<_> = constants.iter().map(|constant| spelling(constant.value)).collect();
        if known.iter().any(|known| known == value) {
            return;
        }
        let message = format!("{} has no value {value:?} that `{keyword}` could name", path.label);
        let near = nearest(value, known.iter().map(String::as_str));
        let help = near.map_or_else(
            || String::from("remove it, or write the value as it is on the wire"),
            |near| format!("did you mean {near:?}?"),
        );
        self.diagnostics
            .push(Diagnostic::warning("names-nothing", message).at(location.clone()).help(help));
    }
}

/// A name for what is not known: the branch's own title if it has one, else `other`; the next
/// best word where a known value has that name.
pub(super) fn open_name(title: Option<&str>, taken: impl Fn(&[String]) -> bool) -> Name {
    title
        .into_iter()
        .chain(["other", "unknown", "unrecognized", "not listed"])
        .map(Name::new)
        .find(|name| !taken(&name.words))
        .unwrap_or_else(|| Name::new("value that is not listed"))
}

/// The constants of a schema, and the branch that lets any other value of their type pass.
/// `None` if the schema has anything else.
fn constants(schema: &SchemaObject) -> Option<(Vec<Constant<'_>>, Option<&SchemaObject>)> {
    if !schema.properties.is_empty() || !schema.all_of.is_empty() {
        return None;
    }
    if schema.branches().is_empty() {
        let values = schema.enumeration.as_ref()?;
        let constants = values
            .iter()
            .map(|(value, location)| Constant { value, location, schema: None })
            .collect();
        return Some((constants, None));
    }
    let (mut constants, mut open) = (Vec::new(), None);
    for branch in schema.branches() {
        if branch.is_null() {
            continue;
        }
        match (&branch.constant, &branch.enumeration) {
            (Some(value), _) => {
                constants.push(Constant {
                    value,
                    location: &branch.location,
                    schema: Some(branch),
                });
            }
            (None, Some(values)) => {
                constants.extend(values.iter().map(|(value, location)| Constant {
                    value,
                    location,
                    schema: (values.len() == 1).then_some(branch),
                }));
            }
            (None, None) if open.is_none() && is_bare_scalar(branch) => open = Some(branch),
            (None, None) => return None,
        }
    }
    (!constants.is_empty()).then_some((constants, open))
}

fn is_bare_scalar(schema: &SchemaObject) -> bool {
    schema.types.len() == 1
        && (schema.types.contains(&JsonType::String) || schema.types.contains(&JsonType::Integer))
        && schema.reference.is_none()
        && schema.all_of.is_empty()
        && schema.branches().is_empty()
        && schema.unmodelled.is_empty()
}

/// The type of the constants and of the open branch; `None` if they differ.
fn base(constants: &[Constant<'_>], open: Option<&SchemaObject>) -> Option<EnumBase> {
    if constants.is_empty() {
        return None;
    }
    let opens_to = |json_type| open.is_none_or(|branch| branch.types.contains(&json_type));
    if constants.iter().all(|constant| constant.value.is_string()) && opens_to(JsonType::String) {
        return Some(EnumBase::String);
    }
    let integers =
        constants.iter().all(|constant| constant.value.is_i64() || constant.value.is_u64());
    if integers && opens_to(JsonType::Integer) {
        let branch = open.or(constants.first().and_then(|constant| constant.schema));
        let stated = branch.map_or_else(IntegerType::default, scalars::integer_type);
        return holding(constants, stated).map(EnumBase::Integer);
    }
    None
}

/// The type of integers that holds all constants: the stated one, or one of more bits. None if there
/// is none.
fn holding(constants: &[Constant<'_>], stated: IntegerType) -> Option<IntegerType> {
    let integer = |value: &Value| {
        value.as_i64().map_or_else(|| value.as_u64().map(i128::from), |it| Some(it.into()))
    };
    let values: Vec<i128> = constants.iter().filter_map(|it| integer(it.value)).collect();
    let holds = |format: IntegerFormat| {
        let (low, high) = format.range();
        values.iter().all(|value| (low..=high).contains(value))
    };
    if holds(stated.format.unwrap_or(IntegerFormat::Int64)) {
        return Some(stated);
    }
    let formats = [IntegerFormat::Int64, IntegerFormat::Uint64];
    let format = formats.into_iter().find(|format| holds(*format))?;
    Some(IntegerType { format: Some(format), ..stated })
}

/// A value as a key of `x-names`.
fn spelling(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), String::from)
}

fn value_name(constant: &Constant<'_>, names: &IndexMap<String, ChosenName>) -> Name {
    if let Some(chosen) = names.get(&spelling(constant.value)) {
        return Name::chosen(&chosen.name, &chosen.name);
    }
    if let Some(name) = constant.schema.and_then(|schema| schema.annotations.name.as_deref()) {
        return Name::chosen(name, name);
    }
    match constant.value {
        Value::String(text) => Name::new(text),
        value => match constant.schema.and_then(|schema| schema.title.as_deref()) {
            Some(title) => Name::new(title),
            None => number_name(value),
        },
    }
}

/// `-1.5` is said `minus 1 point 5`.
pub(super) fn number_name(value: &Value) -> Name {
    let text = value.to_string();
    let words = text.replace('-', " minus ").replace('.', " point ");
    Name::with_words(text, &words)
}
