//! The classes that tell of an item from its start to its end.

use serde::Serialize;

use super::super::docs::{docstring, inline, lines};
use super::super::expression::Expression;
use super::super::imports::{Imports, Used};
use super::super::{literals, names};
use super::calls::Params;
use super::scope::Scope;
use super::status;
use super::variants::{Attribute, record};
use super::{BODY, FUNCTION, Parameter};
use crate::ir::{Field, Method, Progress, Type, TypeKind};

/// The class that tells of an item.
#[derive(Debug, Serialize)]
pub(crate) struct ProgressClass {
    pub(crate) name: String,
    /// The function that makes one, and the decorators with which it warns.
    pub(crate) function: String,
    decorators: Vec<Expression>,
    /// The parameters of that function: what the notification needs, and what the item has. The
    /// variant that opens the item is made of them.
    pub(crate) start: Params,
    /// The method that sends the notification, the attributes that it is always given, and the one
    /// that holds the change, as a literal.
    call: String,
    with: Vec<String>,
    property: String,
    /// The attribute that tells items apart, in the item and in a change.
    key: String,
    /// The functions that tell of something.
    pub(crate) steps: Vec<ProgressStep>,
    doc: String,
    function_doc: String,
}

/// A function that tells of a change or of an end.
#[derive(Debug, Serialize)]
pub(crate) struct ProgressStep {
    pub(crate) name: &'static str,
    /// The function of the base class that it calls.
    sends: &'static str,
    /// The change, made of what is given.
    pub(crate) params: Params,
    /// The attributes that are filled in.
    known: String,
    doc: String,
}

/// The classes for what a notification tells of.
pub(super) fn progress(scope: &Scope<'_>, method: &Method, used: &mut Used) -> Vec<ProgressClass> {
    method.progress.iter().filter_map(|it| Builder { scope, it, used }.class(method)).collect()
}

/// Makes a class.
struct Builder<'a, 'b> {
    scope: &'b Scope<'a>,
    it: &'b Progress,
    used: &'b mut Used,
}

impl Builder<'_, '_> {
    fn class(&mut self, method: &Method) -> Option<ProgressClass> {
        let Progress { name, item, key, cancelled, .. } = self.it;
        let (_, of) = record(self.scope.protocol, method.params())?;
        let is_with = |field: &&Field| self.it.with.iter().any(|it| it.wire == field.name.wire);
        let with: Vec<_> = of.fields.iter().filter(is_with).map(Attribute::own).collect();
        let start = self.start(&with)?;
        let steps = [
            ("update", "tell_", None, "Tell of a change."),
            ("complete", "end_", Some(&self.it.completed), "Tell that it is done."),
            ("fail", "end_", Some(&self.it.failed), "Tell that it has failed."),
            ("cancel", "end_", Some(cancelled), "Tell that a cancelled turn has ended it."),
        ];
        let steps = steps.map(|(name, sends, value, says)| self.step(name, sends, value, says));
        self.used.runtime.module("runtime/progress", "_progress");
        self.used.runtime.standard("functools", "partial");
        let (item, status) = (inline(item), inline(&self.it.status.wire));
        let (class, function) = (names::class(name), names::function(name));
        let text = format!(
            "A `{item}` that the other end is told of, from its start to its end.\n\n`async with` opens it. Leaving the block completes it, an exception has it fail, and a cancellation makes its `{status}` `{}`. The first end counts: after it, nothing is told.",
            inline(cancelled),
        );
        let about = format!(
            "Tell of a `{item}` from its start to its end.\n\nIt is opened by `async with`. The parameters are the attributes of `{item}`, and what `{}` needs beside it.",
            inline(&method.name.wire),
        );
        Some(ProgressClass {
            decorators: status::decorators(&function, &method.docs, &mut self.used.runtime),
            name: class,
            function,
            start,
            call: names::peer_method(method),
            with: with.into_iter().map(|it| it.name).collect(),
            property: literals::string(&names::attribute(&self.it.property)),
            key: names::attribute(key),
            steps: steps.into_iter().collect::<Option<_>>()?,
            doc: docstring(&lines(&text, BODY), BODY),
            function_doc: docstring(&lines(&about, FUNCTION), FUNCTION),
        })
    }

    /// The parameters of the function that starts an item.
    fn start(&mut self, with: &[Attribute<'_>]) -> Option<Params> {
        let class = self.scope.variant_class(&self.it.union, &self.it.opens)?;
        let fields = class.fields();
        let given = self.params("", with);
        let mut start = self.params(&class.name, &fields);
        let is_status = |it: &Parameter| it.wire == self.it.status.wire;
        let mut item: Vec<Parameter> = start.positional.take().into_iter().collect();
        item.append(&mut start.keywords);
        if let Some(started) = &self.it.started
            && let Some(status) = item.iter_mut().find(|it| is_status(it))
        {
            status.default = Some(Expression::string(started));
        }
        let with = given.positional.into_iter().chain(given.keywords);
        let all = with.chain(item);
        let (required, optional): (Vec<_>, Vec<_>) = all.partition(|it| it.default.is_none());
        let mut required = required.into_iter();
        start.positional = required.next();
        start.keywords = required.chain(optional).collect();
        self.used.runtime.own("types", &class.name);
        Some(start)
    }

    /// A function that tells of something. `value`: what the status then is.
    fn step(
        &mut self,
        name: &'static str,
        sends: &'static str,
        value: Option<&String>,
        says: &str,
    ) -> Option<ProgressStep> {
        let class = self.scope.variant_class(&self.it.union, &self.it.changes)?;
        let (key, status) = (&self.it.key.wire, &self.it.status.wire);
        let mut fields = class.fields();
        let mut known = Vec::new();
        fields.retain(|Attribute { name, field, .. }| {
            if field.name.wire == *key {
                known.push(format!("{name}=self.key_"));
            } else if let Some(value) = value.filter(|_| field.name.wire == *status) {
                known.push(format!(
                    "{name}={}",
                    constant(self.scope, field, value, &mut self.used.runtime)
                ));
            } else {
                return true;
            }
            false
        });
        if name == "cancel" {
            fields.clear();
        }
        let mut params = self.params(&class.name, &fields);
        params.keywords.splice(0..0, params.positional.take());
        self.used.runtime.own("types", &class.name);
        let facts = match value {
            Some(value) => format!("Its `{}` is then `{}`.", inline(status), inline(value)),
            None => String::from("The parameters are what has changed."),
        };
        let text = format!("{says}\n\n{facts}");
        let known = known.join(", ");
        let doc = docstring(&lines(&text, FUNCTION), FUNCTION);
        Some(ProgressStep { name, sends, params, known, doc })
    }

    fn params(&mut self, class: &str, fields: &[Attribute<'_>]) -> Params {
        let (scope, used) = (self.scope, &mut self.used);
        let annotations = &mut used.annotations;
        let annotate = |field: &Field| scope.typed(&field.ty, annotations);
        let mut imports = Imports::default();
        let params = Params::of_fields(scope, class, "change", fields, annotate, &mut imports);
        used.runtime.extend(imports);
        params
    }
}

/// The constant for a value of a field.
pub(super) fn constant(
    scope: &Scope<'_>,
    field: &Field,
    value: &str,
    imports: &mut Imports,
) -> String {
    if let Type::Named { name } = &field.ty
        && let Some(TypeKind::Enum(of)) = scope.kind(name)
        && let Some(value) = of.values.iter().find(|it| it.value == value)
    {
        let class = scope.typed(&field.ty, imports);
        return format!("{class}.{}", names::constant(&value.name));
    }
    literals::string(value)
}
