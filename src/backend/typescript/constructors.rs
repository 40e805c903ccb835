//! Functions that make values of a union: `ContentBlock.text("hi")`.

use serde::Serialize;
use serde_json::Value;

use super::expression::{Expr, Member, Object};
use super::jsdoc::Comment;
use super::names::{self, UNKNOWN_TAG};
use super::text;
use super::types::Scope;
use crate::backend::doc::{Doc, concat, group, if_break, indent, join, text as plain};
use crate::backend::kinds::is_object;
use crate::backend::names::Namespace;
use crate::diagnostic::Diagnostics;
use crate::ir::{Field, OpenVariant, Selector, Type, TypeKind, Union, Variant};

/// The object that holds the constructors of a union.
#[derive(Debug, Serialize)]
pub(super) struct Constructors {
    /// The lines of its comment.
    pub(super) doc: Vec<String>,
    /// Its name, that of the type.
    pub(super) name: String,
    /// One for each variant that can be made of its parts.
    pub(super) functions: Vec<Constructor>,
}

/// A function that makes a variant.
#[derive(Debug, Serialize)]
pub(super) struct Constructor {
    /// The lines of its comment.
    pub(super) doc: Vec<String>,
    /// `NAME(…): TYPE {`
    pub(super) head: String,
    /// `return { … };`
    pub(super) give: String,
}

/// What a function takes, and the object it makes of that.
#[derive(Default)]
struct Parts {
    parameters: Vec<(String, Expr)>,
    properties: Vec<String>,
    /// The parameter whose properties are the object's, too.
    spread: Option<String>,
    /// The fields that are not left to the rest.
    named: Vec<String>,
    /// Whether there are properties that may be absent.
    has_rest: bool,
}

impl Scope<'_> {
    /// The constructors of a union, if it has a tag.
    pub(super) fn constructors(
        self,
        name: &str,
        union: &Union,
        diagnostics: &mut Diagnostics,
    ) -> Option<Constructors> {
        let tag = union.tag()?.wire.as_str();
        let mut namespace = Namespace::new(format!("functions of `{name}` in TypeScript"));
        let mut functions = Vec::new();
        for variant in &union.variants {
            if let Some(function) = self.constructor(name, union, variant, tag) {
                let identifier = names::constructor(&variant.name);
                namespace.claim(&identifier, &variant.name.wire, &variant.place, diagnostics);
                functions.push(function);
            }
        }
        let open = union.open.as_ref();
        if let Some(open) = open.filter(|it| it.payload.is_none() && union.shared.is_empty()) {
            let identifier = names::constructor(&open.name);
            namespace.claim(&identifier, &open.name.wire, &open.place, diagnostics);
            functions.push(self.open_constructor(open, tag));
        }
        (!functions.is_empty()).then(|| Constructors {
            doc: Comment::of(format!("Makes values of {{@link {name}}}.")).block(0),
            name: name.to_owned(),
            functions,
        })
    }

    fn constructor(
        self,
        name: &str,
        union: &Union,
        variant: &Variant,
        tag: &str,
    ) -> Option<Constructor> {
        let mut parts = Parts::default();
        let value = match &variant.selector {
            Selector::Tag { value } => {
                parts.property(tag, &text::literal(value));
                Expr::Literal(text::literal(value))
            }
            Selector::Untagged if self.lacks_property(variant.payload.as_ref(), tag) => {
                Expr::Keyword("never")
            }
            Selector::Untagged => return None,
        };
        parts.fields(self, &union.shared);
        self.payload(&mut parts, variant.payload.as_ref())?;
        let result = if union.shared.is_empty() {
            self.variant(variant, Some(tag))
        } else {
            let marker = match value {
                Expr::Keyword(_) => Member::absent(tag),
                value => Member::property(tag, value),
            };
            let marker = Expr::Object(Object { members: vec![marker], expanded: false });
            Expr::Apply("Extract", vec![Expr::Name(name.to_owned()), marker])
        };
        if parts.has_rest {
            let whole = match &variant.payload {
                Some(payload) if union.shared.is_empty() => self.expression(payload),
                _ => result.clone(),
            };
            parts.rest(whole, (!union.shared.is_empty()).then_some(tag));
        }
        Some(parts.function(
            Comment::new(&variant.docs, self.docs).block(2),
            &names::constructor(&variant.name),
            &result,
        ))
    }

    /// Adds what a payload consists of, if that can be told: the fields of a record, or as a
    /// parameter any other object.
    fn payload(self, parts: &mut Parts, payload: Option<&Type>) -> Option<()> {
        let Some(payload) = payload else { return Some(()) };
        let Type::Named { name } = self.protocol.resolve(payload) else { return None };
        match &self.protocol.type_def(name)?.kind {
            TypeKind::Record(record) => {
                parts.fields(self, &record.fields);
                Some(())
            }
            TypeKind::Union(_) if is_object(self.protocol, payload) => {
                let whole = parts.free("value");
                parts.parameters.push((whole.clone(), self.expression(payload)));
                parts.spread = Some(whole);
                Some(())
            }
            _ => None,
        }
    }

    fn open_constructor(self, open: &OpenVariant, tag: &str) -> Constructor {
        let mut parts = Parts::default();
        parts.parameters.push((String::from("tag"), Expr::Keyword("string")));
        parts.parameters.push((String::from("rest?"), Expr::map(Expr::UNKNOWN)));
        parts.property(tag, &format!("tag as {UNKNOWN_TAG}"));
        parts.function(
            Comment::new(&open.docs, self.docs).block(2),
            &names::constructor(&open.name),
            &self.open_variant(open, tag),
        )
    }
}

impl Parts {
    /// Adds fields: the required ones each as a parameter.
    fn fields(&mut self, scope: Scope<'_>, fields: &[Field]) {
        for field in fields {
            let key = field.name.wire.as_str();
            if !field.presence.is_required() {
                self.has_rest = true;
                continue;
            }
            let constant = match scope.protocol.resolve(&field.ty) {
                Type::Literal { value: Value::Array(_) | Value::Object(_) } => None,
                Type::Literal { value } if !field.presence.is_nullable() => {
                    Some(text::constant(value))
                }
                _ => None,
            };
            let value = constant.unwrap_or_else(|| {
                let name = self.free(&names::parameter(&field.name));
                self.parameters.push((name.clone(), scope.field_type(field)));
                name
            });
            self.property(key, &value);
            self.named.push(key.to_owned());
        }
    }

    /// Adds a property of the object.
    fn property(&mut self, key: &str, value: &str) {
        let printed = text::object_key(key);
        let is_short = printed == value;
        self.properties.push(if is_short { printed } else { format!("{printed}: {value}") });
    }

    /// Adds the parameter for all properties that are not named, of a type that has them all,
    /// and the tag perhaps.
    fn rest(&mut self, whole: Expr, tag: Option<&str>) {
        let named = tag.into_iter().chain(self.named.iter().map(String::as_str));
        let named: Vec<Expr> = named.map(|name| Expr::Literal(text::literal(name))).collect();
        let ty = if named.is_empty() {
            whole
        } else {
            Expr::Apply("Omit", vec![whole, Expr::union(named)])
        };
        self.parameters.push((String::from("rest?"), ty));
    }

    /// A name that no parameter has yet.
    fn free(&self, name: &str) -> String {
        let mut name = name.to_owned();
        while name == "rest" || self.parameters.iter().any(|(taken, _)| *taken == name) {
            name.push('_');
        }
        name
    }

    fn function(self, doc: Vec<String>, name: &str, result: &Expr) -> Constructor {
        let rest = self.parameters.iter().filter_map(|(name, _)| name.strip_suffix('?'));
        let spreads =
            rest.map(String::from).chain(self.spread.clone()).map(|it| format!("...{it}"));
        let members: Vec<String> = spreads.chain(self.properties.iter().cloned()).collect();
        let parameters: Vec<(&str, Expr)> =
            self.parameters.iter().map(|(name, ty)| (name.as_str(), ty.clone())).collect();
        let head = Expr::method_head(name, &parameters, result);
        Constructor { doc, head, give: give(&members) }
    }
}

/// `return { a, b: c };`
fn give(members: &[String]) -> String {
    let between = concat([plain(","), Doc::Line]);
    let members = join(&between, members.iter().map(|member| plain(member.as_str())));
    let object = group(concat([
        plain("{"),
        indent(concat([Doc::Line, members])),
        if_break(",", ""),
        Doc::Line,
        plain("}"),
    ]));
    super::PRETTIER.print(&concat([plain("return "), object, plain(";")]), 4, 4)
}
