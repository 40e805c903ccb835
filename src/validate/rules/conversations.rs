//! Rules of conversations: who says what, and when.

use crate::diagnostic::Severity;
use crate::policy::Rule;

pub(in crate::validate) static WRONG_DIRECTION: Rule = Rule {
    id: "wrong-direction",
    severity: Severity::Error,
    summary: "a call goes to a side that does not handle it",
    why: "The side that gets it has no such method: a request is answered with the error -32601, a notification is passed over.",
    remedy: "Send it from the other side, or correct who sends it in the trace.",
    before: r#"{"from": "house", "message": {"jsonrpc": "2.0", "id": 1, "method": "door/open"}}"#,
    after: r#"{"from": "guest", "message": {"jsonrpc": "2.0", "id": 1, "method": "door/open"}}"#,
};

pub(in crate::validate) static WRONG_KIND: Rule = Rule {
    id: "wrong-kind",
    severity: Severity::Error,
    summary: "a request is sent as a notification, or the other way round",
    why: "What has an id is a request. A method that is only a notification is answered with the error -32601 if it comes as a request, and a request without an id is passed over.",
    remedy: "Add an id to a request; leave it out of a notification.",
    before: r#"{"jsonrpc": "2.0", "method": "door/open", "params": {"door": "front"}}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": {"door": "front"}}"#,
};

pub(in crate::validate) static BEFORE_OPENING: Rule = Rule {
    id: "before-opening",
    severity: Severity::Error,
    summary: "a message comes before the request that opens the conversation",
    why: "Until both ends have agreed on a version and have said what they can do, neither knows what it may send.",
    remedy: "Open the conversation first. A trace that begins later has this finding once.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open"}"#,
    after: r#"{"jsonrpc": "2.0", "id": 0, "method": "hello", "params": {"version": 1}}"#,
};

pub(in crate::validate) static VERSION_MISMATCH: Rule = Rule {
    id: "version-mismatch",
    severity: Severity::Warning,
    summary: "the ends do not speak a version of this schema",
    why: "The version that is agreed on is none of those that the schema describes, or not the one that was asked for. Messages of another version are judged by the wrong rules.",
    remedy: "Validate with the schema of the version that is spoken.",
    before: r#"{"jsonrpc": "2.0", "id": 0, "result": {"version": 7}}"#,
    after: r#"{"jsonrpc": "2.0", "id": 0, "result": {"version": 1}}"#,
};

pub(in crate::validate) static NOT_ALLOWED: Rule = Rule {
    id: "not-allowed",
    severity: Severity::Error,
    summary: "a peer is sent what it has not said it can take",
    why: "The schema ties the method or the value to a capability of its receiver (`x-capability`), and the receiver has said what it can do without naming it.",
    remedy: "Look at the peer's capabilities before sending it.",
    before: r#"{"jsonrpc": "2.0", "id": 2, "method": "door/paint"}"#,
    after: r#"{"jsonrpc": "2.0", "id": 0, "result": {"version": 1, "abilities": {"painting": true}}}"#,
};

pub(in crate::validate) static ID_IN_USE: Rule = Rule {
    id: "id-in-use",
    severity: Severity::Error,
    summary: "a request has the id of one that has no answer yet",
    why: "An answer names its request by the id alone, so nobody can tell which of the two it answers.",
    remedy: "Count ids up.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open"}"#,
    after: r#"{"jsonrpc": "2.0", "id": 2, "method": "door/open"}"#,
};

pub(in crate::validate) static RESPONSE_WITHOUT_REQUEST: Rule = Rule {
    id: "response-without-request",
    severity: Severity::Error,
    summary: "an answer belongs to no request",
    why: "There is no request with this id from the other side, or it was answered already. Receivers pass over such an answer.",
    remedy: "Answer each request once, with its own id, spelled as it came.",
    before: r#"{"jsonrpc": "2.0", "id": "1", "result": {}}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#,
};

pub(in crate::validate) static NEVER_ANSWERED: Rule = Rule {
    id: "never-answered",
    severity: Severity::Warning,
    summary: "a request has no answer",
    why: "Every request is answered, by a result or an error (JSON-RPC 2.0, 5). The caller waits for it; or the trace ends before.",
    remedy: "Answer it, also if it was cancelled.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open"}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32800, "message": "cancelled"}}"#,
};

pub(in crate::validate) static AFTER_THE_END: Rule = Rule {
    id: "after-the-end",
    severity: Severity::Warning,
    summary: "a message belongs to a call that has ended",
    why: "The caller has its answer, and does not expect news of the call any more: it may come too late to be shown, or be taken for a part of the next call.",
    remedy: "Send everything that belongs to a call before its answer.",
    before: concat!(
        r#"{"jsonrpc": "2.0", "id": 1, "result": {"ended": "done"}}"#,
        "\n",
        r#"{"jsonrpc": "2.0", "method": "job/news", "params": {"job": "a", "line": "…"}}"#
    ),
    after: concat!(
        r#"{"jsonrpc": "2.0", "method": "job/news", "params": {"job": "a", "line": "…"}}"#,
        "\n",
        r#"{"jsonrpc": "2.0", "id": 1, "result": {"ended": "done"}}"#
    ),
};
