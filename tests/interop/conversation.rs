//! What a client and an agent talk about, and whether they did.

use std::ffi::OsString;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long a conversation may take: a net for what hangs, never a measure.
const PATIENCE: Duration = Duration::from_secs(60);

/// The prompts, and what the client has to say of each: the answer, how many updates there were,
/// and what the last of them said, if that is of interest.
fn prompts() -> Vec<(&'static str, Value, usize)> {
    let end_turn = json!({"result": {"stopReason": "end_turn"}});
    let custom = json!({"error": {"code": -32042, "message": "custom", "data": {"x": 1}}});
    let cancelled = json!({"result": {"stopReason": "cancelled"}});
    vec![
        ("hi", end_turn.clone(), 0),
        ("updates 20 5", end_turn.clone(), 20),
        ("updates 2 4096", end_turn.clone(), 2),
        ("fs 3", end_turn.clone(), 0),
        ("perm", end_turn.clone(), 1),
        ("throwcode", custom, 0),
        ("slow", cancelled, 0),
        ("hi", end_turn, 0),
    ]
}

/// Has a client program talk with an agent program; what went otherwise than it should.
pub(crate) fn departures(client: &[OsString], agent: &[OsString]) -> Option<String> {
    let texts: Vec<&str> = prompts().into_iter().map(|(text, _, _)| text).collect();
    let mut command = Command::new(&client[0]);
    command.args(&client[1..]).args(agent).env("PROMPTS", json!(texts).to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (said, errors) = match heard(child) {
        Ok(heard) => heard,
        Err(failure) => return Some(failure),
    };
    judged(&said).err().map(|failure| format!("{failure}\n{said}\n{errors}"))
}

/// All that a client writes, once it ends well.
fn heard(child: Child) -> Result<(String, String), String> {
    let id = child.id();
    let (sender, receiver) = channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    match receiver.recv_timeout(PATIENCE) {
        Ok(Ok(output)) => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            if output.status.success() {
                return Ok((said, errors));
            }
            Err(format!("the client ended with {}\n{said}\n{errors}", output.status))
        }
        Ok(Err(error)) => Err(error.to_string()),
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            // The agent ends with its input.
            Command::new("kill").arg(id.to_string()).status().ok();
            Err("the conversation does not end".to_owned())
        }
    }
}

fn judged(said: &str) -> Result<(), String> {
    let mut steps = Vec::new();
    for line in said.lines() {
        let step: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        steps.push(step);
    }
    let mut steps = steps.into_iter();
    let opened = [
        json!({"result": {"protocolVersion": 1}}),
        json!({"result": {}}),
        json!({"result": {"sessionId": "s1"}}),
    ];
    let opened = opened.into_iter().map(|answer| ("", answer, 0));
    for (text, answer, updates) in opened.chain(prompts()) {
        let step = steps.next().ok_or_else(|| format!("nothing was said of `{text}`"))?;
        if !holds(&step, &answer) || step["updates"] != updates {
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
