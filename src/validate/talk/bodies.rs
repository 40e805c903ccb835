//! Judges params and results with the interpreter of the decode plan, and with the schema itself.

use serde_json::{Map, Value};

use super::differences::WholeSchema;
use crate::decode::{Decoder, Forgiveness, PathStep, Refusal, Remark, RemarkKind, path};
use crate::ir::Type;
use crate::policy::Rule;
use crate::source::{Node, Span, push_segment};
use crate::validate::finding::{At, Findings, Spot};
use crate::validate::rules;

/// The judge of params and results.
#[derive(Clone, Copy, Debug)]
pub(in crate::validate) struct Bodies<'a> {
    decoder: Decoder<'a>,
    /// The schema that the decoder was made of, if its text is known.
    schema: Option<&'a WholeSchema<'a>>,
}

impl<'a> Bodies<'a> {
    pub(in crate::validate) fn new(
        decoder: Decoder<'a>,
        schema: Option<&'a WholeSchema<'a>>,
    ) -> Self {
        Self { decoder, schema }
    }

    /// Judges params; none are an empty object. Gives them with their defaults, or as they came
    /// if they are invalid.
    pub(super) fn params(
        self,
        ty: &Type,
        node: Option<&Node>,
        at: &At<'_>,
        findings: &mut Findings<'_>,
    ) -> Value {
        let value = node.map_or_else(|| Value::Object(Map::new()), Node::to_value);
        self.judge("params", ty, node, value, at, findings)
    }

    /// Judges a result; none is `null`. Where an empty object would do, `null` is forgiven.
    pub(super) fn result(
        self,
        ty: &Type,
        node: Option<&Node>,
        at: &At<'_>,
        findings: &mut Findings<'_>,
    ) -> Value {
        let value = node.map(Node::to_value).unwrap_or_default();
        let empty = Value::Object(Map::new());
        if value.is_null() && !self.accepts(ty, &value) && self.accepts(ty, &empty) {
            let spot = Spot {
                span: node.map(|node| node.span),
                pointer: "/result".to_owned(),
                path: "result".to_owned(),
                schema: None,
            };
            let found = if node.is_some() { "null" } else { "nothing" };
            let message =
                format!("expected an object, found {found}; receivers take it for an empty object");
            findings.add(&rules::FORGIVEN_VALUE, at, spot, message);
            return empty;
        }
        self.judge("result", ty, node, value, at, findings)
    }

    fn accepts(self, ty: &Type, value: &Value) -> bool {
        self.decoder.decode(ty, value).is_ok()
    }

    /// The number of remarks on a result.
    pub(super) fn misfit(self, ty: &Type, result: Option<&Node>) -> usize {
        let value = result.map(Node::to_value).unwrap_or_default();
        self.decoder.examine(ty, &value).remarks.len()
    }

    fn judge(
        self,
        part: &str,
        ty: &Type,
        node: Option<&Node>,
        value: Value,
        at: &At<'_>,
        findings: &mut Findings<'_>,
    ) -> Value {
        let examined = self.decoder.examine(ty, &value);
        for remark in &examined.remarks {
            let (rule, message) = told(remark);
            findings.add(rule, at, spot_of(part, node, remark), message);
        }
        if let Some((schema, name)) = self.schema.zip(ty.named()) {
            for difference in schema.differences(name, &value, &examined.remarks) {
                let spot = spot(part, node, &difference.steps, false);
                let spot = Spot { schema: difference.schema, ..spot };
                findings.add(difference.rule, at, spot, difference.message);
            }
        }
        examined.value.unwrap_or(value)
    }
}

/// The rule of a remark, and what there is to say.
fn told(remark: &Remark) -> (&'static Rule, String) {
    let instead = |near: &Option<String>| {
        near.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default()
    };
    match &remark.kind {
        RemarkKind::Refused(refusal) if refusal.is_missing => {
            (&rules::MISSING_PROPERTY, "a required property is missing".to_owned())
        }
        RemarkKind::Refused(refusal) => (&rules::INVALID_VALUE, expected(refusal)),
        RemarkKind::Forgiven { refusal, within, forgiveness } => {
            let within = match within.as_str() {
                "" => String::new(),
                within => format!(" at {within}"),
            };
            let wrong = if refusal.is_missing {
                format!("a required property is missing{within}")
            } else {
                format!("{}{within}", expected(refusal))
            };
            let forgiveness = match forgiveness {
                Forgiveness::LeftOut => "leave the item out".to_owned(),
                Forgiveness::Absent => "take it as absent".to_owned(),
                Forgiveness::Value(value) => format!("take {value} instead"),
            };
            (&rules::FORGIVEN_VALUE, format!("{wrong}; receivers {forgiveness}"))
        }
        RemarkKind::UnknownProperty { is_denied: true, near } => (
            &rules::DENIED_PROPERTY,
            format!(
                "the schema allows no such property; generated code passes over it{}",
                instead(near)
            ),
        ),
        RemarkKind::UnknownProperty { is_denied: false, near } => {
            (&rules::UNKNOWN_PROPERTY, format!("the schema has no such property{}", instead(near)))
        }
        RemarkKind::UnknownValue { near } => {
            (&rules::UNKNOWN_VALUE, format!("the schema does not name this value{}", instead(near)))
        }
        RemarkKind::UnknownVariant { near } => {
            let message = format!("the schema does not name this variant{}", instead(near));
            (&rules::UNKNOWN_VARIANT, message)
        }
    }
}

fn expected(refusal: &Refusal) -> String {
    format!("expected {}, found {}", refusal.expected, refusal.found)
}

/// The place of a remark on a part of a message.
fn spot_of(part: &str, node: Option<&Node>, remark: &Remark) -> Spot {
    let is_name = matches!(remark.kind, RemarkKind::UnknownProperty { .. });
    let steps: Vec<PathStep> = remark.steps().cloned().collect();
    let spot = spot(part, node, &steps, is_name);
    Spot { schema: remark.schema.clone(), ..spot }
}

/// The place in a part of a message that steps lead to: the name there if that is meant, else the
/// value.
fn spot(part: &str, node: Option<&Node>, steps: &[PathStep], is_name: bool) -> Spot {
    let mut pointer = format!("/{part}");
    let mut at = node;
    let mut key: Option<Span> = None;
    let mut last = node.map(|node| node.span);
    for step in steps {
        let inner = match step {
            PathStep::Key(name) => {
                push_segment(&mut pointer, name);
                let member = at.and_then(|at| at.as_object()?.get(name));
                key = member.map(|member| member.key);
                member.map(|member| &member.value)
            }
            PathStep::Index(index) => {
                push_segment(&mut pointer, &index.to_string());
                key = None;
                at.and_then(|at| at.as_array()?.get(*index))
            }
        };
        last = inner.map(|inner| inner.span).or(last);
        at = inner;
    }
    let path = path(steps.iter());
    let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
    Spot {
        span: key.filter(|_| is_name).or(last),
        pointer,
        path: format!("{part}{dot}{path}"),
        schema: None,
    }
}
