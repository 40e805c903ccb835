//! JSON values to messages of JSON-RPC 2.0.

use crate::policy::Rule;
use crate::source::{Json, Node, Span};
use crate::validate::rules;

/// A message.
#[derive(Clone, Copy, Debug)]
pub(in crate::validate) enum Message<'n> {
    /// A request.
    Request { id: &'n Node, method: &'n str, params: Option<&'n Node> },
    /// A notification.
    Notification { method: &'n str, params: Option<&'n Node> },
    /// An answer with a result, which may be left out.
    Result { id: &'n Node, result: Option<&'n Node> },
    /// An answer with an error.
    Error { id: &'n Node, error: &'n Node },
}

/// A violation of JSON-RPC.
#[derive(Debug)]
pub(in crate::validate) struct Problem {
    /// The rule.
    pub(in crate::validate) rule: &'static Rule,
    /// Where it is: the member of the message, or nothing for the message itself.
    pub(in crate::validate) key: Option<&'static str>,
    /// The bytes.
    pub(in crate::validate) span: Span,
    /// The message about the error.
    pub(in crate::validate) message: String,
}

/// The messages of a value, with their pointers in it: those of a batch, or one.
pub(in crate::validate) fn messages(node: &Node) -> Vec<(String, &Node)> {
    match node.as_array() {
        Some(batch) => {
            let pointers = (0..).map(|index| format!("/{index}"));
            pointers.zip(batch).collect()
        }
        None => vec![(String::new(), node)],
    }
}

impl<'n> Message<'n> {
    /// Reads a message, and says what is wrong with it. `None` if it is no message at all.
    pub(in crate::validate) fn read(node: &'n Node) -> (Option<Self>, Vec<Problem>) {
        let mut problems = Vec::new();
        let Some(members) = node.as_object() else {
            let message = format!("a message is an object, this is {}", node.describe());
            problems.push(Problem {
                rule: &rules::NOT_A_MESSAGE,
                key: None,
                span: node.span,
                message,
            });
            return (None, problems);
        };
        let mut problem = |rule: &'static Rule, key: Option<&'static str>, message: &str| {
            let span = key.and_then(|key| members.get(key)).map_or(node.span, |it| it.value.span);
            problems.push(Problem { rule, key, span, message: message.to_owned() });
        };
        let get = |key: &str| members.get(key).map(|member| &member.value);
        let (id, params, result, error) = (get("id"), get("params"), get("result"), get("error"));
        match get("jsonrpc").map(Node::as_str) {
            Some(Some("2.0")) => {}
            Some(_) => {
                problem(&rules::JSONRPC_VERSION, Some("jsonrpc"), "`jsonrpc` is not \"2.0\"");
            }
            None => problem(&rules::JSONRPC_VERSION, None, "`jsonrpc` is missing"),
        }
        if id.is_some_and(|id| !is_id(id)) {
            let message = "an id is a number, a string or null";
            problem(&rules::NOT_A_MESSAGE, Some("id"), message);
            return (None, problems);
        }
        let method = get("method").and_then(Node::as_str);
        if method.is_none() && members.contains_key("method") {
            problem(&rules::NOT_A_MESSAGE, Some("method"), "a method is a string");
            return (None, problems);
        }
        if method.is_some() {
            if params.is_some_and(|params| !is_structure(params)) {
                let message = "expected an object or an array, or nothing";
                problem(&rules::PARAMS_NO_STRUCTURE, Some("params"), message);
            }
            for key in ["result", "error"].into_iter().filter(|key| members.contains_key(*key)) {
                problem(&rules::UNKNOWN_MEMBER, Some(key), "a call has no such member");
            }
        }
        let message = match (id, method) {
            (Some(id), Some(method)) => Self::Request { id, method, params },
            (None, Some(method)) => Self::Notification { method, params },
            (Some(id), None) => match (result, error) {
                (Some(_), Some(error)) => {
                    let message = "there is a result as well";
                    problem(&rules::BAD_RESPONSE, Some("error"), message);
                    Self::Error { id, error }
                }
                (None, Some(error)) => Self::Error { id, error },
                (result, None) => Self::Result { id, result },
            },
            (None, None) => {
                problem(&rules::NOT_A_MESSAGE, None, "there is neither a method nor an id");
                return (None, problems);
            }
        };
        (Some(message), problems)
    }

    /// The method that a call names.
    pub(in crate::validate) fn method(&self) -> Option<&'n str> {
        match self {
            Self::Request { method, .. } | Self::Notification { method, .. } => Some(method),
            Self::Result { .. } | Self::Error { .. } => None,
        }
    }

    /// The members of a message that JSON-RPC does not know, with their keys' places.
    pub(in crate::validate) fn unknown_members(node: &Node) -> Vec<(&str, Span)> {
        const KNOWN: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];
        let members = node.as_object().into_iter().flatten();
        let unknown = members.filter(|(key, _)| !KNOWN.contains(&key.as_str()));
        unknown.map(|(key, member)| (key.as_str(), member.key)).collect()
    }
}

/// Tells whether a value can be params.
pub(in crate::validate) fn is_structure(node: &Node) -> bool {
    matches!(node.json, Json::Object(_) | Json::Array(_))
}

fn is_id(node: &Node) -> bool {
    matches!(node.json, Json::Null | Json::Number(_) | Json::String(_))
}

/// Gives the text that tells an id from others: its value, for a number its spelling.
pub(in crate::validate) fn text_of(id: &Node, text: &str) -> String {
    match &id.json {
        Json::String(text) => format!("{text:?}"),
        Json::Number(number) => {
            let spelled = text.get(id.span.start as usize..id.span.end as usize);
            let spelled = spelled.filter(|text| text.parse::<f64>().is_ok());
            spelled.map_or_else(|| number.to_string(), str::to_owned)
        }
        _ => "null".to_owned(),
    }
}
