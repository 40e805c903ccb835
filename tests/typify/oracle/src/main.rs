//! Decodes and encodes each value on standard input, with the types of `typify` and with ours.

#![allow(warnings, reason = "most of it is somebody else's")]

use std::io::{self, BufRead, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What a value is encoded to, or why it is refused.
type Outcome = Result<Value, String>;

fn recode<T: DeserializeOwned + Serialize>(text: &str) -> Outcome {
    let value: T = serde_json::from_str(text).map_err(|error| error.to_string())?;
    serde_json::to_value(value).map_err(|error| error.to_string())
}

mod acp_v1 {
    include!(concat!(env!("OUT_DIR"), "/acp_v1.rs"));

    macro_rules! table {
        ($($name:literal $ty:ident,)*) => {
            pub fn ours(name: &str, text: &str) -> Option<super::Outcome> {
                match name {
                    $($name => Some(super::recode::<ours_acp_v1::$ty>(text)),)*
                    _ => None,
                }
            }
        };
    }
    ours_acp_v1::for_each_type!(table);
}

mod acp_v2 {
    include!(concat!(env!("OUT_DIR"), "/acp_v2.rs"));

    macro_rules! table {
        ($($name:literal $ty:ident,)*) => {
            pub fn ours(name: &str, text: &str) -> Option<super::Outcome> {
                match name {
                    $($name => Some(super::recode::<ours_acp_v2::$ty>(text)),)*
                    _ => None,
                }
            }
        };
    }
    ours_acp_v2::for_each_type!(table);
}

mod agent_communication {
    include!(concat!(env!("OUT_DIR"), "/agent_communication.rs"));

    macro_rules! table {
        ($($name:literal $ty:ident,)*) => {
            pub fn ours(name: &str, text: &str) -> Option<super::Outcome> {
                match name {
                    $($name => Some(super::recode::<ours_agent_communication::$ty>(text)),)*
                    _ => None,
                }
            }
        };
    }
    ours_agent_communication::for_each_type!(table);
}

mod shapes {
    include!(concat!(env!("OUT_DIR"), "/shapes.rs"));

    macro_rules! table {
        ($($name:literal $ty:ident,)*) => {
            pub fn ours(name: &str, text: &str) -> Option<super::Outcome> {
                match name {
                    $($name => Some(super::recode::<ours_shapes::$ty>(text)),)*
                    _ => None,
                }
            }
        };
    }
    ours_shapes::for_each_type!(table);
}

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line: Value = serde_json::from_str(&line?)?;
        let (name, text) = (line["type"].as_str().unwrap_or_default(), line["value"].to_string());
        let (ours, theirs) = match line["schema"].as_str() {
            Some("acp_v1") => (acp_v1::ours(name, &text), acp_v1::recode(name, &text)),
            Some("acp_v2") => (acp_v2::ours(name, &text), acp_v2::recode(name, &text)),
            Some("agent_communication") => {
                (agent_communication::ours(name, &text), agent_communication::recode(name, &text))
            }
            _ => (shapes::ours(name, &text), shapes::recode(name, &text)),
        };
        let answer = json!({ "ours": shown(ours), "typify": shown(theirs) });
        writeln!(output, "{answer}")?;
    }
    Ok(())
}

/// `null` for a type that is not there.
fn shown(outcome: Option<Outcome>) -> Value {
    match outcome {
        None => Value::Null,
        Some(Ok(value)) => json!({ "value": value }),
        Some(Err(error)) => json!({ "error": error }),
    }
}
