//! Decodes messages by the names of their types, and encodes them again.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use acp::DecodeError;
use acp::json::{Decode, Decoder, encode};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// What is done with the messages of one type.
#[derive(Clone, Copy)]
struct Codec {
    /// Decodes, and encodes again.
    recode: fn(&str, bool) -> Result<String, DecodeError>,
    /// Decodes. Says whether that worked.
    decode: fn(&str) -> bool,
}

fn recode<T: Decode + serde::Serialize>(text: &str, strict: bool) -> Result<String, DecodeError> {
    let decoder = Decoder::new();
    let mut decoder = if strict { decoder.strict() } else { decoder };
    decoder.decode::<T>(text).map(|value| encode(&value).unwrap_or_default())
}

fn decode<T: Decode>(text: &str) -> bool {
    std::hint::black_box(acp::json::decode::<T>(std::hint::black_box(text))).is_ok()
}

macro_rules! table {
    ($($name:literal $type:ident,)*) => {
        fn codec(name: &str) -> Option<Codec> {
            match name {
                $($name => Some(Codec { recode: recode::<acp::$type>, decode: decode::<acp::$type> }),)*
                _ => None,
            }
        }
    };
}
acp::for_each_type!(table);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        [] => answer(false),
        ["--strict"] => answer(true),
        ["--bench", times, file] => bench(times, file),
        _ => Err(io::Error::other("usage: wire [--strict | --bench N FILE]")),
    };
    if let Err(error) = done {
        eprintln!("wire: {error}");
        std::process::exit(2);
    }
}

/// Answers each line on standard input with one on standard output.
fn answer(strict: bool) -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match message(&line) {
            Ok((codec, text)) => match (codec.recode)(&text, strict) {
                Ok(value) => format!("{{\"ok\":true,\"value\":{value}}}"),
                Err(error) => failure(&error.path(), &error.to_string()),
            },
            Err(error) => failure("", &error),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn failure(path: &str, error: &str) -> String {
    json!({ "ok": false, "path": path, "error": error }).to_string()
}

/// What a line asks for: `{"type": NAME, "value": JSON}`, or `"text"` with the text of a message.
fn message(line: &str) -> Result<(Codec, Cow<'_, str>), String> {
    let members: BTreeMap<String, &RawValue> =
        serde_json::from_str(line).map_err(|error| error.to_string())?;
    let name = members.get("type").and_then(|name| serde_json::from_str::<Value>(name.get()).ok());
    let name = name.as_ref().and_then(Value::as_str).ok_or("the line has no `type`")?;
    let codec = codec(name).ok_or_else(|| format!("there is no type `{name}`"))?;
    if let Some(text) = members.get("text") {
        let text: String = serde_json::from_str(text.get()).map_err(|error| error.to_string())?;
        return Ok((codec, Cow::Owned(text)));
    }
    let value = members.get("value").ok_or("the line has no `value`")?;
    Ok((codec, Cow::Borrowed(value.get())))
}

/// Decodes all lines of a file so many times, and prints how many messages that makes a second.
fn bench(times: &str, file: &str) -> io::Result<()> {
    let times: u32 = times.parse().map_err(io::Error::other)?;
    let text = std::fs::read_to_string(file)?;
    let messages = text.lines().filter(|line| !line.trim().is_empty()).map(message);
    let messages = messages.collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?;
    let start = Instant::now();
    let mut decoded: u64 = 0;
    for _ in 0..times {
        for (codec, text) in &messages {
            decoded += u64::from((codec.decode)(text));
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let count = u64::from(times) * messages.len() as u64;
    if decoded != count {
        return Err(io::Error::other(format!("{} of {count} are not valid", count - decoded)));
    }
    println!("{:.0}", count as f64 / seconds);
    Ok(())
}
