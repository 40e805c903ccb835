//! Answers, and the requests that they belong to.

use super::Talk;
use super::calls::Call;
use super::opening::compare_versions;
use crate::source::{Json, Node};
use crate::validate::finding::{At, Findings, Spot};
use crate::validate::read::other;
use crate::validate::rules;

impl Talk<'_> {
    /// Judges an answer: a result, which may be left out, or an error.
    pub(super) fn answer(
        &mut self,
        id: &str,
        id_node: &Node,
        outcome: Result<Option<&Node>, &Node>,
        mut at: At<'_>,
        findings: &mut Findings<'_>,
    ) {
        let bodies = self.bodies;
        let misfit = |call: &Call<'_>| match (call.method.and_then(|it| it.result()), outcome) {
            (Some(ty), Ok(result)) => bodies.misfit(ty, result),
            _ => 0,
        };
        let call = self.calls.answered(id, at.from.as_deref(), misfit);
        if let Some(call) = &call {
            at.method = Some(call.name.clone());
            at.from = at.from.or_else(|| call.to.clone());
            at.to = call.from.clone().or_else(|| other(self.protocol, at.from.as_deref()?));
        } else if self.is_whole && !self.has_gaps && id != "null" {
            let message = if self.calls.was_answered(id, at.from.as_deref()) {
                format!("the request with the id {id} was answered before")
            } else {
                format!("no request has the id {id}")
            };
            let spot = Spot::member("id", id_node.span);
            findings.add(&rules::RESPONSE_WITHOUT_REQUEST, &at, spot, message);
        }
        match (outcome, &call) {
            (Err(error), _) => check_error(error, &at, findings),
            (Ok(result), Some(call)) => {
                let Some(method) = call.method else { return };
                let Some(ty) = method.result() else { return };
                let value = self.bodies.result(ty, result, &at, findings);
                self.agreement.check_result(method, self.protocol, result, &at, findings);
                self.agreement.learn_result(method, self.protocol, &value);
                compare_versions(call, &value, self.protocol, &at, findings);
            }
            (Ok(_), None) => {}
        }
        if let Some(call) = call {
            self.turns.end(&call);
        }
    }
}

/// Reports what is wrong with an error.
fn check_error(error: &Node, at: &At<'_>, findings: &mut Findings<'_>) {
    let mut wrong = |key: Option<&str>, message: &str| {
        let inner = key.and_then(|key| error.get(key));
        let dot = key.map(|key| format!(".{key}")).unwrap_or_default();
        let spot = Spot {
            span: Some(inner.unwrap_or(error).span),
            pointer: format!("/error{}", dot.replace('.', "/")),
            path: format!("error{dot}"),
            schema: None,
        };
        findings.add(&rules::BAD_ERROR, at, spot, message.to_owned());
    };
    if error.as_object().is_none() {
        return wrong(None, &format!("expected an object, found {}", error.describe()));
    }
    let code = error.get("code").map(|code| match &code.json {
        Json::Number(number) => number.as_i64().is_some_and(|code| i32::try_from(code).is_ok()),
        _ => false,
    });
    match code {
        None => wrong(None, "the error has no `code`"),
        Some(false) => wrong(Some("code"), "a code is a whole number of 32 bits"),
        Some(true) => {}
    }
    match error.get("message").map(Node::as_str) {
        None => wrong(None, "the error has no `message`"),
        Some(None) => wrong(Some("message"), "a message is a string"),
        Some(Some(_)) => {}
    }
}
