//! The functions beside a call: they make it, and do what comes next.

use serde::Serialize;

use super::super::docs::{docstring, inline, lines};
use super::super::expression::Expression;
use super::super::imports::Used;
use super::super::{literals, names};
use super::progress::constant;
use super::scope::Scope;
use super::{FUNCTION, status};
use crate::ir::{FileAccess, Method, Type};

/// The functions that offer options, and give back what was chosen.
#[derive(Debug, Serialize)]
pub(crate) struct ChoiceFunctions {
    pub(crate) name: String,
    doc: String,
    /// The decorators with which all of them warn.
    decorators: Vec<Expression>,
    /// The attributes that hold the options, and what was chosen; and the literal of the attribute
    /// that tells options apart.
    options: String,
    outcome: String,
    id: String,
    /// The type of an option.
    pub(crate) option: Expression,
    /// The class of what names an option, and its attribute that does so.
    class: String,
    chosen: String,
    pub(crate) yes: Option<YesFunction>,
}

/// The function that tells whether an option was chosen that means yes.
#[derive(Debug, Serialize)]
pub(crate) struct YesFunction {
    pub(crate) name: String,
    doc: String,
    attribute: String,
    values: Vec<String>,
}

/// The function that reads or writes a file.
#[derive(Debug, Serialize)]
pub(crate) struct FileFunction {
    pub(crate) name: String,
    doc: String,
    decorators: Vec<Expression>,
    writes: bool,
    path: String,
    text: String,
    /// The type of a text that is read.
    pub(crate) result: Expression,
    /// The attributes that say which lines are read, by the parameters that take them.
    part: Vec<[String; 2]>,
}

/// The functions for a request that is answered with a choice.
pub(super) fn choice(
    scope: &Scope<'_>,
    method: &Method,
    used: &mut Used,
) -> Option<ChoiceFunctions> {
    let it = method.choice.as_ref()?;
    let class = scope.variant_class(&it.union, &it.tag)?.name.clone();
    let option = Type::Named { name: it.option.clone() };
    used.runtime.module("runtime/helpers", "_helpers");
    used.runtime.own("types", &class);
    let call = names::peer_method(method);
    let wire = inline(&method.name.wire);
    let doc = |what: &str, fact: &str| {
        let text =
            format!("Call `{wire}`, and {what}\n\n{fact} The parameters are those of `{call}`.");
        docstring(&lines(&text, FUNCTION), FUNCTION)
    };
    let yes = it.yes.as_ref().and_then(|yes| {
        let field = scope.protocol.field(&option, &yes.property.wire)?;
        let constant = |value: &String| constant(scope, field, value, &mut used.runtime);
        Some(YesFunction {
            name: names::function(&yes.name),
            doc: doc(
                "tell if it means yes.",
                "What was not chosen, or means something else, does not.",
            ),
            attribute: names::attribute(&yes.property),
            values: yes.values.iter().map(constant).collect(),
        })
    });
    let name = names::function(&it.name);
    Some(ChoiceFunctions {
        decorators: status::decorators(&name, &method.docs, &mut used.runtime),
        name,
        doc: doc("give what was chosen.", "That is one of the options, or `None`."),
        options: names::attribute(&it.options),
        outcome: names::attribute(&it.outcome),
        id: literals::string(&names::attribute(&it.id)),
        option: scope.typed(&option, &mut used.annotations),
        class,
        chosen: names::attribute(&it.chosen),
        yes,
    })
}

/// The function for a request that reads or writes a file.
pub(super) fn file(scope: &Scope<'_>, method: &Method, used: &mut Used) -> Option<FileFunction> {
    let FileAccess { name, path, text, writes, line, limit } = method.file.as_ref()?;
    let text_of = if *writes { method.params() } else { method.result()? };
    let field = scope.protocol.field(text_of, &text.wire)?;
    used.runtime.module("runtime/helpers", "_helpers");
    used.runtime.own("errors", "CallError");
    used.runtime.own("errors", "RequestError");
    let part = [("line", line), ("limit", limit)].into_iter().filter_map(|(parameter, name)| {
        Some([parameter.to_owned(), names::attribute(name.as_ref()?)])
    });
    let doc = format!(
        "Call `{}`, or {} the disk.\n\nThe disk counts if the other end has no such method. The parameters are those of `{}`.",
        inline(&method.name.wire),
        if *writes { "write to" } else { "read" },
        names::peer_method(method),
    );
    let name = names::function(name);
    Some(FileFunction {
        decorators: status::decorators(&name, &method.docs, &mut used.runtime),
        name,
        doc: docstring(&lines(&doc, FUNCTION), FUNCTION),
        writes: *writes,
        path: names::attribute(path),
        text: names::attribute(text),
        result: if *writes {
            Expression::atom("None")
        } else {
            scope.typed(&field.ty, &mut used.annotations)
        },
        part: part.collect(),
    })
}
