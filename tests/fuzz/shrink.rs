//! Making an input that fails small, and saving it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::campaign::kind;
use super::input::Input;
use super::worker::replay;
use crate::support;

/// The most attempts to make an input smaller.
const ATTEMPTS: usize = 400;

/// Saves the smallest input found that fails in this way.
pub(crate) fn save_shrunk(input: &Input, wanted: &str, failure: &str) -> PathBuf {
    let scratch = support::scratch("fuzz-shrink").join("input.json");
    let fails = |input: &Input| fails(input, wanted, &scratch);
    let mut input = input.clone();
    let mut left = ATTEMPTS;
    if fails(&input) && wanted != "it does not end" {
        let old = Input { old: input.new.clone(), ..input.clone() };
        if fails(&old) {
            input = old;
        }
        let empty = Input { old: String::from("{}"), ..input.clone() };
        if fails(&empty) {
            input = empty;
        }
        input = shrunk(input, &mut left, &|input, text| input.new = text, &|it| &it.new, &fails);
        input = shrunk(input, &mut left, &|input, text| input.old = text, &|it| &it.old, &fails);
    }
    let digest = input.to_text("").bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let path = support::root().join(format!("tests/fuzz/corpus/{digest:016x}.json"));
    let found: String = failure.chars().take(300).collect();
    fs::write(&path, input.to_text(&found)).unwrap();
    path
}

fn fails(input: &Input, wanted: &str, scratch: &Path) -> bool {
    fs::write(scratch, input.to_text("")).unwrap();
    replay(scratch).is_err_and(|failure| kind(&failure) == wanted)
}

/// Takes away one part after another of a text, for as long as it fails.
fn shrunk(
    mut input: Input,
    left: &mut usize,
    set: &dyn Fn(&mut Input, String),
    get: &dyn Fn(&Input) -> &String,
    fails: &dyn Fn(&Input) -> bool,
) -> Input {
    loop {
        let mut is_smaller = false;
        for text in smaller(get(&input)) {
            if *left == 0 {
                return input;
            }
            *left -= 1;
            let mut candidate = input.clone();
            set(&mut candidate, text);
            if fails(&candidate) {
                input = candidate;
                is_smaller = true;
                break;
            }
        }
        if !is_smaller {
            return input;
        }
    }
}

/// Texts with a part less, those with the largest part less first.
fn smaller(text: &str) -> Vec<String> {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        let characters: Vec<char> = text.chars().collect();
        let mut all = Vec::new();
        let mut length = characters.len() / 2;
        while length > 0 {
            for from in (0..characters.len()).step_by(length).take(40) {
                let rest =
                    characters.iter().take(from).chain(characters.iter().skip(from + length));
                all.push(rest.collect());
            }
            length /= 2;
        }
        return all;
    };
    let mut parts = Vec::new();
    find(&value, &mut String::new(), &mut parts);
    parts.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    parts.into_iter().map(|(_, pointer)| without(&value, &pointer).to_string()).collect()
}

fn find(value: &Value, at: &mut String, found: &mut Vec<(usize, String)>) {
    let length = at.len();
    let mut inner = |segment: &str, value: &Value| {
        at.push('/');
        at.push_str(&segment.replace('~', "~0").replace('/', "~1"));
        found.push((value.to_string().len(), at.clone()));
        find(value, at, found);
        at.truncate(length);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(key, member)| inner(key, member)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| inner(&index.to_string(), item));
        }
        _ => {}
    }
}

fn without(value: &Value, pointer: &str) -> Value {
    let mut value = value.clone();
    let (parent, segment) = pointer.rsplit_once('/').unwrap_or_default();
    match value.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.shift_remove(&segment.replace("~1", "/").replace("~0", "~"));
        }
        Some(Value::Array(items)) => {
            if let Ok(index) = segment.parse::<usize>() {
                items.remove(index);
            }
        }
        _ => {}
    }
    value
}
