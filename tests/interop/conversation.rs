//! What a client and an agent talk about, and whether they did.

use std::ffi::OsString;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long a conversation may take: a net for what hangs, never a measure.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// What is talked about in a protocol.
pub(crate) struct Conversation {
    /// The name of the protocol's SDKs.
    pub(crate) sdk: &'static str,
    /// What the client has to say of the steps before the first prompt.
    opened: Vec<Value>,
    /// The prompts, and what the client has to say of each: the answer, and how many updates there
    /// were.
    prompts: Vec<(&'static str, Value, usize)>,
}

/// What an agent answers that fails in a way of its own.
fn custom() -> Value {
    json!({"error": {"code": -32042, "message": "custom", "data": {"x": 1}}})
}

/// In ACP v1.
pub(crate) fn acp() -> Conversation {
    let end_turn = json!({"result": {"stopReason": "end_turn"}});
    let cancelled = json!({"result": {"stopReason": "cancelled"}});
    let opened = vec![
        json!({"result": {"protocolVersion": 1}}),
        json!({"result": {}}),
        json!({"result": {"sessionId": "s1"}}),
    ];
    let prompts = vec![
        ("hi", end_turn.clone(), 0),
        ("updates 20 5", end_turn.clone(), 20),
        ("updates 2 4096", end_turn.clone(), 2),
        ("fs 3", end_turn.clone(), 0),
        ("perm", end_turn.clone(), 1),
        ("throwcode", custom(), 0),
        ("slow", cancelled, 0),
        ("hi", end_turn, 0),
    ];
    Conversation { sdk: "acp-v1", opened, prompts }
}

/// In the Agent Communication Protocol: the pieces make up the output.
pub(crate) fn agent_communication() -> Conversation {
    let output = |text: &str| json!({"result": {"output": {"text": text}}});
    let agent = |name: &str, about: &str, input: Value| json!({"name": name, "description": about, "inputSchema": input, "outputSchema": true});
    let agents = [
        agent("echo", "Gives its input back.", json!(true)),
        agent("obey", "Does what its input says.", json!({"type": "string"})),
    ];
    let opened = vec![
        json!({"result": {"protocolVersion": "2025-06-18", "capabilities": {"agents": {}}}}),
        json!({"result": {"agents": agents}}),
    ];
    let prompts = vec![
        ("hi", output(""), 0),
        ("updates 20 5", output(&"x".repeat(100)), 20),
        ("updates 2 4096", output(&"x".repeat(8192)), 2),
        // A client is asked nothing in this protocol.
        ("bad", output("[-32601,-32601,-32601]"), 1),
        ("throwcode", custom(), 0),
        ("slow", json!({"result": {"output": null}}), 0),
        ("hi", output(""), 0),
    ];
    Conversation { sdk: "agent-communication", opened, prompts }
}

/// Has a client program talk with an agent, which its arguments name; what went otherwise than it
/// should.
pub(crate) fn departures(
    conversation: &Conversation,
    client: &[OsString],
    agent: &[OsString],
) -> Option<String> {
    departures_within(PATIENCE, conversation, client, agent)
}

/// What went otherwise than it should, where what hangs is known to, and not waited for long.
pub(crate) fn departures_within(
    patience: Duration,
    conversation: &Conversation,
    client: &[OsString],
    agent: &[OsString],
) -> Option<String> {
    let texts: Vec<&str> = conversation.prompts.iter().map(|(text, _, _)| *text).collect();
    let mut command = Command::new(&client[0]);
    command.args(&client[1..]).args(agent).env("PROMPTS", json!(texts).to_string());
    // The client's child has it too.
    command.env("SDK", conversation.sdk);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (said, errors) = match heard(child, patience) {
        Ok(heard) => heard,
        Err(failure) => return Some(failure),
    };
    judged(conversation, &said).err().map(|failure| format!("{failure}\n{said}\n{errors}"))
}

/// All that a client writes, once it ends well.
fn heard(child: Child, patience: Duration) -> Result<(String, String), String> {
    let id = child.id();
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    let (output, hangs) = match receiver.recv_timeout(patience) {
        Ok(output) => (output, false),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            Command::new("kill").arg(id.to_string()).status().ok();
            // An agent that it started ends with its input.
            let output = receiver.recv_timeout(PATIENCE);
            (output.map_err(|_| "the conversation does not end".to_owned())?, true)
        }
    };
    let output = output.map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if hangs {
        return Err(format!("the conversation does not end\n{said}\n{errors}"));
    }
    if output.status.success() {
        return Ok((said, errors));
    }
    Err(format!("the client ended with {}\n{said}\n{errors}", output.status))
}

fn judged(conversation: &Conversation, said: &str) -> Result<(), String> {
    let mut steps = Vec::new();
    for line in said.lines() {
        let step: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        steps.push(step);
    }
    let mut steps = steps.into_iter();
    let opened = conversation.opened.iter().map(|answer| ("", answer, 0));
    let prompts = conversation.prompts.iter();
    let prompts = prompts.map(|(text, answer, updates)| (*text, answer, *updates));
    for (text, answer, updates) in opened.chain(prompts) {
        let step = steps.next().ok_or_else(|| format!("nothing was said of `{text}`"))?;
        if !holds(&step, answer) || step["updates"] != updates {
            return Err(format!("wanted {answer} and {updates} updates of `{text}`, not {step}"));
        }
    }
    steps.next().map_or(Ok(()), |step| Err(format!("one too many: {step}")))
}

/// Whether a value has at least what another has.
fn holds(value: &Value, wanted: &Value) -> bool {
    match wanted {
        Value::Object(members) => {
            members.iter().all(|(key, want)| value.get(key).is_some_and(|have| holds(have, want)))
        }
        other => value == other,
    }
}
