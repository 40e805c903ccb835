//! The public declarations of types.

use super::Declaration as TypeModel;
use super::alternatives::{Alternative, Tag};
use super::api::{alias, declaration, function, parameter};
use super::constructors::ConstructorModel;
use super::enums::EnumModel;
use super::records::FieldModel;
use super::unions::{GuardModel, UnionModel};
use crate::backend::api::{Declaration, DeclarationKind, Member, Origin, Parameter, Role};
use crate::backend::typescript::names::UNKNOWN_TAG;

impl TypeModel {
    pub(super) fn declare(&self, key: &str) -> Declaration {
        let of = Origin::Type(key.to_owned());
        match self {
            Self::Record(record) if record.fields.is_empty() => {
                alias(of, &record.name, "{ [key: string]: unknown }")
            }
            Self::Record(record) => Declaration {
                members: record.fields.iter().map(FieldModel::member).collect(),
                tail: String::from("};"),
                ..declaration(of, &record.name, DeclarationKind::Record, "type", " = {")
            },
            Self::Union(union) => union.declare(of),
            Self::Enum(of_values) => of_values.declare(of),
            Self::Alias { name, ty, .. } => alias(of, name, &ty.to_string()),
        }
    }
}

impl FieldModel {
    pub(super) fn member(&self) -> Member {
        let (mark, role, absent) = if self.is_required {
            ("", Role::Required, "")
        } else {
            ("?", Role::Optional, " | undefined")
        };
        let text = format!("  {}{mark}: {};", self.key, self.ty);
        Member::new(&self.wire, &self.key, role, format!("{}{absent}", self.ty), text)
    }
}

impl UnionModel {
    fn declare(&self, of: Origin) -> Declaration {
        let tag = self.tag.as_deref().unwrap_or_default();
        let alternatives: Vec<String> =
            self.alternatives.iter().map(|it| it.text(tag, self.alternatives.len() > 1)).collect();
        let shared: Vec<Member> = self.shared.iter().map(FieldModel::member).collect();
        let mut declared = match alternatives.as_slice() {
            [only] if shared.is_empty() => alias(of, &self.name, only),
            _ => {
                let exhaustive = DeclarationKind::Choice { exhaustive: true };
                let members = self.alternatives.iter().zip(&alternatives).map(|(it, text)| {
                    Member::new(
                        &it.of,
                        text,
                        Role::Alternative,
                        text.clone(),
                        format!("  | {text}"),
                    )
                });
                let (end, between, tail) = if shared.is_empty() {
                    (" =", None, "")
                } else {
                    (" = {", Some("} & ("), ");")
                };
                Declaration {
                    members: shared.into_iter().chain(between.map(line)).chain(members).collect(),
                    tail: tail.to_owned(),
                    ..declaration(of, &self.name, exhaustive, "type", end)
                }
            }
        };
        if !self.constructors.is_empty() {
            let functions = self.constructors.iter().map(|function| function.member(self, tag));
            let guard = self.guard.iter().map(|guard| guard.member(&self.name, tag));
            constants(&mut declared, &self.name, functions.chain(guard).collect());
        }
        declared
    }
}

impl Alternative {
    fn text(&self, tag: &str, is_operand: bool) -> String {
        let marker = self.tag.as_ref().map(|of| match of {
            Tag::Known { value } => format!("{{ {tag}: {value} }}"),
            Tag::Absent => format!("{{ {tag}?: never }}"),
            Tag::Unknown => format!("{{ {tag}: {UNKNOWN_TAG}; [key: string]: unknown }}"),
        });
        match (&self.payload, marker) {
            (Some(payload), Some(marker)) if is_operand => format!("({payload} & {marker})"),
            (Some(payload), Some(marker)) => format!("{payload} & {marker}"),
            (payload, marker) => marker.or_else(|| payload.clone()).unwrap_or_default(),
        }
    }
}

impl GuardModel {
    fn member(&self, union: &str, key: &str) -> Member {
        let parameters = vec![
            parameter("", "value", union.to_owned(), true),
            parameter("", "tag", format!("{union}[{}]", self.tag), true),
        ];
        let ty = format!("value is Extract<{union}, {{ {key}: T }}>");
        function("", self.name, Role::Function, parameters, ty)
    }
}

impl ConstructorModel {
    fn member(&self, union: &UnionModel, tag: &str) -> Member {
        let mut result = self.result.text(tag, false);
        if !union.shared.is_empty() {
            result = format!("Extract<{}, {result}>", union.name);
        }
        let mut parameters: Vec<Parameter> = self
            .parameters
            .iter()
            .map(|given| parameter(&given.of, &given.name, given.ty.to_string(), true))
            .collect();
        if let Some(rest) = &self.rest {
            let whole = rest.of.as_ref().map_or_else(|| result.clone(), ToString::to_string);
            let ty = match rest.without.join(" | ") {
                without if without.is_empty() => whole,
                without => format!("Omit<{whole}, {without}>"),
            };
            parameters.push(parameter("", "rest", ty, false));
        }
        function(&self.of, &self.name, Role::Constructor, parameters, result)
    }
}

impl EnumModel {
    fn declare(&self, of: Origin) -> Declaration {
        let mut all: Vec<(&str, &str)> =
            self.values.iter().map(|value| (value.of.as_str(), value.value.as_str())).collect();
        let other = format!("({} & {{}})", self.base);
        match (self.is_open, all.is_empty()) {
            (true, true) => all.push(("", self.base)),
            (true, false) => all.push(("", &other)),
            (false, _) => {}
        }
        let mut declared = match all.as_slice() {
            [] => alias(of, &self.name, "never"),
            [(_, only)] => alias(of, &self.name, only),
            _ => {
                let kind = DeclarationKind::Choice { exhaustive: !self.is_open };
                let members = all.iter().map(|(of, value)| {
                    Member::new(
                        of,
                        value,
                        Role::Alternative,
                        value.to_string(),
                        format!("  | {value}"),
                    )
                });
                Declaration {
                    members: members.collect(),
                    ..declaration(of, &self.name, kind, "type", " =")
                }
            }
        };
        if !self.values.is_empty() {
            let values = self.values.iter().map(|value| {
                let text = format!("  {}: {},", value.name, value.value);
                Member::new(&value.of, &value.name, Role::Constant, value.value.clone(), text)
            });
            constants(&mut declared, &self.name, values.collect());
        }
        declared
    }
}

/// Adds the constant of a type's name to the type.
fn constants(declared: &mut Declaration, name: &str, members: Vec<Member>) {
    declared.members.extend((!declared.tail.is_empty()).then(|| line(&declared.tail)));
    declared.members.push(line(&format!("export const {name} = {{")));
    declared.members.extend(members);
    declared.tail = String::from("};");
}

/// A line that is only shown.
fn line(text: &str) -> Member {
    Member::new("", "", Role::Constant, String::new(), text.to_owned())
}
