//! Rules of lines, and of JSON-RPC 2.0.

use crate::diagnostic::Severity;
use crate::policy::Rule;

pub(in crate::validate) static INVALID_JSON: Rule = Rule {
    id: "invalid-json",
    severity: Severity::Error,
    summary: "a line is no JSON",
    why: "Peers read a line as one JSON text (RFC 8259). What is none is answered with the error -32700, or ends the connection.",
    remedy: "Write nothing but messages to the stream that carries them; logs belong to standard error.",
    before: "Loading the model ...",
    after: r#"{"jsonrpc": "2.0", "method": "door/rang"}"#,
};

pub(in crate::validate) static DUPLICATE_KEY: Rule = Rule {
    id: "duplicate-key",
    severity: Severity::Warning,
    summary: "an object has a key twice",
    why: "Parsers disagree on which of the two counts (RFC 8259, 4).",
    remedy: "Keep one.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "door/open"}"#,
    after: r#"{"jsonrpc": "2.0", "id": 2, "method": "door/open"}"#,
};

pub(in crate::validate) static TOO_DEEP: Rule = Rule {
    id: "too-deep",
    severity: Severity::Warning,
    summary: "a message is nested too deeply to be judged",
    why: "Parsers have limits, and a message beyond them is lost. This one is not looked into.",
    remedy: "Say it with less nesting.",
    before: "a hundred and one opening brackets",
    after: "a hundred of them",
};

pub(in crate::validate) static MESSAGE_NOT_A_LINE: Rule = Rule {
    id: "message-not-a-line",
    severity: Severity::Warning,
    summary: "a message is not a line of its own",
    why: "On a stream a line is a message. A message over several lines, or two on one line, is no JSON to a peer. In a file it does no harm.",
    remedy: "`--fix` rewrites the file with one message a line.",
    before: "{\n  \"jsonrpc\": \"2.0\", \"method\": \"door/rang\"\n}",
    after: r#"{"jsonrpc": "2.0", "method": "door/rang"}"#,
};

pub(in crate::validate) static NO_MESSAGES: Rule = Rule {
    id: "no-messages",
    severity: Severity::Warning,
    summary: "there is no message in a file",
    why: "Of a conversation that was not written down, nothing was judged.",
    remedy: "See whether the program that logs was told to, and where.",
    before: "an empty file",
    after: r#"{"jsonrpc": "2.0", "method": "door/rang"}"#,
};

pub(in crate::validate) static UNTIDY_LINES: Rule = Rule {
    id: "untidy-lines",
    severity: Severity::Info,
    summary: "there is white space around messages",
    why: "Blank lines, carriage returns and white space around a message are passed over, and only cost.",
    remedy: "`--fix` rewrites the file without them.",
    before: r#"  {"jsonrpc": "2.0", "method": "door/rang"}"#,
    after: r#"{"jsonrpc": "2.0", "method": "door/rang"}"#,
};

pub(in crate::validate) static UNKNOWN_SENDER: Rule = Rule {
    id: "unknown-sender",
    severity: Severity::Warning,
    summary: "a record does not say which side sends",
    why: "What a side may send, and whose requests an answer belongs to, depends on the side.",
    remedy: "Name a side of the protocol in `from`, or say with `--side` whose log it is.",
    before: r#"{"from": "me", "message": {"jsonrpc": "2.0", "method": "door/rang"}}"#,
    after: r#"{"from": "house", "message": {"jsonrpc": "2.0", "method": "door/rang"}}"#,
};

pub(in crate::validate) static NOT_A_MESSAGE: Rule = Rule {
    id: "not-a-message",
    severity: Severity::Error,
    summary: "a value is no message of JSON-RPC",
    why: "A message is an object with a method, which is a string, or with an id, or with both; an id is a number, a string or null (JSON-RPC 2.0, 4 and 5). Anything else is answered with the error -32600.",
    remedy: "Give it a method to call, or the id of the request that it answers.",
    before: r#"{"jsonrpc": "2.0", "params": {}}"#,
    after: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {}}"#,
};

pub(in crate::validate) static JSONRPC_VERSION: Rule = Rule {
    id: "jsonrpc-version",
    severity: Severity::Warning,
    summary: "a message does not say that it is one of JSON-RPC 2.0",
    why: "Every message has the member `jsonrpc`, which is \"2.0\" (JSON-RPC 2.0, 4). Many receivers do without it; a strict one refuses the message.",
    remedy: "Add `\"jsonrpc\": \"2.0\"`.",
    before: r#"{"id": 1, "method": "door/open"}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open"}"#,
};

pub(in crate::validate) static PARAMS_NO_STRUCTURE: Rule = Rule {
    id: "params-no-structure",
    severity: Severity::Error,
    summary: "params are neither an object nor an array",
    why: "JSON-RPC allows nothing else there (JSON-RPC 2.0, 4.2).",
    remedy: "Wrap them in an object, or leave them out.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": "front"}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "method": "door/open", "params": {"door": "front"}}"#,
};

pub(in crate::validate) static BAD_RESPONSE: Rule = Rule {
    id: "bad-response",
    severity: Severity::Error,
    summary: "an answer has both a result and an error",
    why: "An answer says that the call succeeded or that it failed (JSON-RPC 2.0, 5). Receivers count such an answer as malformed.",
    remedy: "Leave out `error` if the call succeeded, else `result`.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": "no"}}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}"#,
};

pub(in crate::validate) static BAD_ERROR: Rule = Rule {
    id: "bad-error",
    severity: Severity::Error,
    summary: "an error is not one of JSON-RPC",
    why: "An error has a `code`, which is a whole number of 32 bits, and a `message`, which is a string (JSON-RPC 2.0, 5.1). Receivers count anything else as a malformed answer.",
    remedy: "Give it a code and a message; what else there is to say goes to `data`.",
    before: r#"{"jsonrpc": "2.0", "id": 1, "error": "no such door"}"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no such door"}}"#,
};

pub(in crate::validate) static UNKNOWN_MEMBER: Rule = Rule {
    id: "unknown-member",
    severity: Severity::Info,
    summary: "a message has a member that JSON-RPC does not know",
    why: "Receivers pass over it, so what it says is lost.",
    remedy: "Move it into the params or the result, or leave it out.",
    before: r#"{"jsonrpc": "2.0", "method": "door/rang", "param": {}}"#,
    after: r#"{"jsonrpc": "2.0", "method": "door/rang", "params": {}}"#,
};

pub(in crate::validate) static EMPTY_BATCH: Rule = Rule {
    id: "empty-batch",
    severity: Severity::Error,
    summary: "a batch is empty",
    why: "An empty array is no message; it is answered with the error -32600 (JSON-RPC 2.0, 6).",
    remedy: "Send nothing.",
    before: "[]",
    after: r#"[{"jsonrpc": "2.0", "method": "door/rang"}]"#,
};

pub(in crate::validate) static LIFECYCLE_IN_BATCH: Rule = Rule {
    id: "lifecycle-in-batch",
    severity: Severity::Error,
    summary: "a batch changes what the connection or session is",
    why: "The messages of a batch may be handled in any order, so the schema keeps such a method out of them (`x-lifecycle`).",
    remedy: "Send it by itself, and wait for the answer.",
    before: r#"[{"jsonrpc": "2.0", "id": 1, "method": "hello"}, {"jsonrpc": "2.0", "id": 2, "method": "door/open"}]"#,
    after: r#"{"jsonrpc": "2.0", "id": 1, "method": "hello"}"#,
};
