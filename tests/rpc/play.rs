//! Plays one script against a program.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::pattern::{Captures, filled, matches, unordered};
use super::peer::{Peer, Program};
use super::protocol::Protocol;
use super::script::{Burst, Case, Exit, Line, Step};

/// Runs a case; a failure is told with the step, and with what the program said on standard error.
pub(crate) fn play(
    case: &Case,
    program: Program,
    protocol: &Protocol,
    start: &(dyn Fn() -> Command + Sync),
    order: Order,
) -> Result<(), String> {
    let mut command = start();
    command.envs(case.side.iter().map(|side| ("SIDE", side)));
    command.envs(case.observed.then_some(("OBSERVED", "1")));
    command.envs(case.quiet.then_some(("QUIET", "1")));
    let mut player = Player {
        order,
        ahead: Vec::new(),
        peer: Peer::start(command, program, &case.prompts),
        program,
        protocol,
        captures: Captures::new(),
        markers: 0,
    };
    let outcome = player.conversation(case);
    let errors = player.peer.kill();
    let outcome = outcome.and_then(|()| case.told.refusal(&errors).map_or(Ok(()), Err));
    outcome.map_err(|failure| match errors.trim() {
        "" => failure,
        errors => format!("{failure}\n    standard error: {errors}"),
    })
}

/// Whether messages come in one order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    /// There is one stream.
    One,
    /// There are several, which may be ahead of each other.
    Several,
}

struct Player<'a> {
    order: Order,
    /// Lines that came before those that were asked for, and what they say.
    ahead: Vec<(Vec<u8>, Value)>,
    peer: Peer,
    program: Program,
    protocol: &'a Protocol,
    captures: Captures,
    markers: usize,
}

impl Player<'_> {
    fn conversation(&mut self, case: &Case) -> Result<(), String> {
        if case.session {
            self.open(0).map_err(|failure| format!("before the first step: {failure}"))?;
        }
        for (index, step) in case.steps.iter().enumerate() {
            self.step(step).map_err(|failure| format!("step {}: {failure}", index + 1))?;
        }
        if let (Some(most), Some(held)) = (case.memory, self.peer.peak_memory())
            && held > most
        {
            return Err(format!("it held {held} MiB, more than {most}"));
        }
        self.end(&case.exit).map_err(|failure| format!("at the end: {failure}"))
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Open(first) => self.open(*first),
            Step::Send(message) => {
                let message = filled(message, &self.captures);
                self.send(&message);
                Ok(())
            }
            Step::Raw(pieces) => {
                pieces.writes(&self.captures).into_iter().for_each(|bytes| self.peer.write(bytes));
                Ok(())
            }
            Step::Expect(pattern) => self.expect(pattern).map(drop),
            Step::Until(pattern) => self.until(pattern),
            Step::Answer(pattern) => self.answer(pattern),
            Step::Unordered(patterns) => self.unordered(patterns),
            Step::Line(line) => self.line(line),
            Step::Quiet => self.quiet(),
            Step::Flood(count) => self.flood(*count),
            Step::Slowly(pieces) => {
                for byte in pieces.writes(&self.captures).concat() {
                    self.peer.write(vec![byte]);
                    std::thread::sleep(Duration::from_millis(10));
                }
                Ok(())
            }
            Step::Burst(burst) => self.burst(burst),
            Step::Report(pattern) => self.report(pattern),
            Step::Updates(count) => {
                // There may be a million: they are not parsed.
                for number in 1..=*count {
                    let line = self.peer.report()?.unwrap_or_default();
                    if !line.starts_with(br#"{"update":"#) {
                        let line = String::from_utf8_lossy(&line);
                        return Err(format!("{} is not update {number}", excerpt(&line)));
                    }
                }
                Ok(())
            }
            Step::Close => {
                self.peer.close();
                Ok(())
            }
            Step::Drain => {
                self.peer.close();
                while self.peer.line()?.is_some() {}
                while self.peer.report()?.is_some() {}
                Ok(())
            }
        }
    }

    /// What every conversation begins with, from its Nth exchange on.
    fn open(&mut self, first: usize) -> Result<(), String> {
        for exchange in self.protocol.opening(self.program).into_iter().skip(first) {
            let method = exchange.method;
            match (self.program, exchange.result) {
                (Program::Agent, Some(result)) => {
                    let id = format!("opening {method}");
                    let params = exchange.params;
                    let request =
                        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
                    self.send(&request);
                    self.expect(&json!({"jsonrpc": "2.0", "id": id, "result": result}))?;
                }
                (Program::Agent, None) => {
                    let params = exchange.params;
                    self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
                }
                (Program::Client, Some(result)) => {
                    let request = json!({"$has": {"method": method, "id": {"$any": true}}});
                    let request = self.expect(&request)?;
                    self.send(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
                    self.report(&json!({"$has": {"result": {"$any": true}}}))?;
                }
                (Program::Client, None) => {
                    self.expect(&json!({"$has": {"method": method}}))?;
                }
            }
        }
        Ok(())
    }

    fn send(&mut self, message: &Value) {
        self.peer.write(format!("{message}\n").into_bytes());
    }

    fn expect(&mut self, pattern: &Value) -> Result<Value, String> {
        let line = self.next_like(pattern)?;
        let value = parsed(&line)?;
        self.check(pattern, &value).map(|()| value)
    }

    /// The next line; of several streams, the first line that is like this.
    fn next_like(&mut self, pattern: &Value) -> Result<Vec<u8>, String> {
        if self.order == Order::Several {
            for index in 0..self.ahead.len() {
                if matches(pattern, &self.ahead[index].1, &mut self.captures) {
                    return Ok(self.ahead.remove(index).0);
                }
            }
        }
        loop {
            let Some(line) = self.peer.line()? else {
                let ahead: Vec<_> =
                    self.ahead.iter().map(|(line, _)| String::from_utf8_lossy(line)).collect();
                return Err(format!("wanted {pattern}, but its output ended after {ahead:?}"));
            };
            if self.order == Order::One {
                return Ok(line);
            }
            let value = parsed(&line)?;
            if matches(pattern, &value, &mut self.captures) {
                return Ok(line);
            }
            self.ahead.push((line, value));
        }
    }

    /// Reads lines up to one that is like this.
    fn until(&mut self, pattern: &Value) -> Result<(), String> {
        if self.order == Order::Several {
            self.next_like(pattern)?;
            self.ahead.clear();
            return Ok(());
        }
        loop {
            let line = self.peer.line()?;
            let line = line.ok_or_else(|| format!("wanted {pattern}, but its output ended"))?;
            if matches(pattern, &parsed(&line)?, &mut self.captures) {
                return Ok(());
            }
        }
    }

    /// The next line that is no notification.
    fn answer(&mut self, pattern: &Value) -> Result<(), String> {
        if self.order == Order::Several {
            self.next_like(pattern)?;
            self.ahead.retain(|(_, value)| value.get("id").is_some());
            return Ok(());
        }
        loop {
            let line = self.peer.line()?;
            let line = line.ok_or_else(|| format!("wanted {pattern}, but its output ended"))?;
            let value = parsed(&line)?;
            if value.get("id").is_some() {
                return self.check(pattern, &value);
            }
        }
    }

    fn report(&mut self, pattern: &Value) -> Result<(), String> {
        let report = self.peer.report()?.ok_or("the client prints no more")?;
        self.check(pattern, &parsed(&report)?)
    }

    fn check(&mut self, pattern: &Value, value: &Value) -> Result<(), String> {
        if matches(pattern, value, &mut self.captures) {
            return Ok(());
        }
        Err(format!("wanted {pattern},\n    found {}", excerpt(&value.to_string())))
    }

    fn unordered(&mut self, patterns: &[Value]) -> Result<(), String> {
        if self.order == Order::Several {
            return patterns.iter().try_for_each(|pattern| self.next_like(pattern).map(drop));
        }
        let mut found = Vec::new();
        for _ in patterns {
            let line = self.peer.line()?;
            let line = line.ok_or_else(|| format!("its output ended after {found:?}"))?;
            found.push(parsed(&line)?);
        }
        unordered(patterns, found.iter(), &mut self.captures).map_err(|item| {
            let item = item.map_or_else(String::new, Value::to_string);
            format!("nothing in {patterns:?} asks for {}", excerpt(&item))
        })
    }

    fn line(&mut self, wanted: &Line) -> Result<(), String> {
        let line = self.next_like(&wanted.is)?;
        self.check(&wanted.is, &parsed(&line)?)?;
        let text = without_space(&String::from_utf8_lossy(&line));
        if let Some(missing) = wanted.has.iter().find(|part| !text.contains(*part)) {
            return Err(format!("no {missing} in {}", excerpt(&text)));
        }
        if let Some(part) = wanted.lacks.iter().find(|part| text.contains(*part)) {
            return Err(format!("{part} in {}", excerpt(&text)));
        }
        match wanted.at_most {
            Some(most) if line.len() > most => Err(format!("{} bytes, not {most}", line.len())),
            _ => Ok(()),
        }
    }

    fn quiet(&mut self) -> Result<(), String> {
        self.markers += 1;
        let id = format!("marker {}", self.markers);
        let (request, answer) = self.marker(&id);
        self.send(&request);
        self.expect(&answer).map(drop)
    }

    fn flood(&mut self, count: usize) -> Result<(), String> {
        let ids: Vec<String> = (0..count).map(|index| format!("flood {index}")).collect();
        let mut text = Vec::new();
        for id in &ids {
            let (request, _) = self.marker(id);
            text.extend(request.to_string().into_bytes());
            text.push(b'\n');
        }
        self.peer.write(text);
        let mut left: BTreeSet<String> = ids.into_iter().collect();
        while !left.is_empty() {
            let found = self.expect(&json!({"$has": {"id": {"$string": true}}}))?;
            let id = found["id"].as_str().unwrap_or_default();
            let (_, answer) = self.marker(id);
            self.check(&answer, &found)?;
            if !left.remove(id) {
                return Err(format!("{found} answers nothing"));
            }
        }
        Ok(())
    }

    fn burst(&mut self, burst: &Burst) -> Result<(), String> {
        let mut captures = self.captures.clone();
        let mut text = String::new();
        for messages in [&burst.of, &burst.then] {
            for number in 1..=burst.times {
                captures.insert("number".to_owned(), number.into());
                for message in messages {
                    text.push_str(&filled(message, &captures).to_string());
                    text.push('\n');
                }
            }
        }
        self.peer.write(text.into_bytes());
        let mut left: BTreeSet<u64> = (1..=burst.times).collect();
        while !left.is_empty() {
            let found = self.expect(&burst.answers)?;
            if !found["id"].as_u64().is_some_and(|id| left.remove(&id)) {
                return Err(format!("{found} answers nothing, and {} are left", left.len()));
            }
        }
        Ok(())
    }

    /// A request that the program answers at once, and the pattern of the answer.
    fn marker(&self, id: &str) -> (Value, Value) {
        let marker = self.protocol.marker(self.program, id);
        let (method, params) = (marker.method, marker.params);
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        (request, marker.answer)
    }

    /// After the steps nothing more may come, and the program ends.
    fn end(&mut self, exit: &Exit) -> Result<(), String> {
        if self.program == Program::Agent {
            self.peer.close();
        }
        if let Some(line) =
            self.ahead.pop().map_or_else(|| self.peer.line(), |(line, _)| Ok(Some(line)))?
        {
            return Err(format!("unexpected {}", excerpt(&String::from_utf8_lossy(&line))));
        }
        self.peer.close();
        if let Some(line) = self.peer.report()? {
            return Err(format!("unexpected {}", excerpt(&String::from_utf8_lossy(&line))));
        }
        let status = self.peer.wait()?;
        match exit {
            Exit::Status(wanted) if status != Some(*wanted) => {
                Err(format!("it ended with {status:?}, not {wanted}"))
            }
            _ => Ok(()),
        }
    }
}

fn parsed(line: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(line)
        .or_else(|error| shallow(line).ok_or(error))
        .map_err(|error| format!("{error} in {}", excerpt(&String::from_utf8_lossy(line))))
}

/// An object of which some members are nested too deeply to be read: these are their own text.
fn shallow(line: &[u8]) -> Option<Value> {
    let members: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(line).ok()?;
    let members = members.into_iter().map(|(name, text)| {
        let value = serde_json::from_str(text.get());
        (name, value.unwrap_or_else(|_| Value::String(text.get().to_owned())))
    });
    Some(Value::Object(members.collect()))
}

/// A JSON text without the white space between its tokens.
fn without_space(text: &str) -> String {
    let mut in_string = false;
    let mut escaped = false;
    text.chars()
        .filter(|character| {
            let kept = in_string || !character.is_whitespace();
            if *character == '"' && !escaped {
                in_string = !in_string;
            }
            escaped = in_string && *character == '\\' && !escaped;
            kept
        })
        .collect()
}

fn excerpt(text: &str) -> String {
    match text.char_indices().nth(400) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}
