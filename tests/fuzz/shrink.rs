//! Making an input that fails small, and saving it.

use std::fs;
use std::iter::successors;
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
    let (mut from, mut is_smaller) = (0, false);
    loop {
        let mut taken = None;
        for (at, text) in smaller(get(&input), from) {
            if *left == 0 {
                return input;
            }
            *left -= 1;
            let mut candidate = input.clone();
            set(&mut candidate, text);
            if fails(&candidate) {
                input = candidate;
                taken = Some(at);
                break;
            }
        }
        // What was needed before is tried again only once all else was.
        match taken {
            Some(at) => (from, is_smaller) = (at, true),
            None if is_smaller => (from, is_smaller) = (0, false),
            None => return input,
        }
    }
}

/// Texts with a part less, those with the largest part less first, from this one on.
fn smaller(text: &str, from: usize) -> Box<dyn Iterator<Item = (usize, String)>> {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        let characters: Vec<char> = text.chars().collect();
        let count = characters.len();
        let halves = |length: &usize| Some(length / 2).filter(|half| *half > 0);
        let pieces = successors(halves(&count), halves).flat_map(move |length| {
            (0..count).step_by(length).take(40).map(move |at| (at, length))
        });
        return Box::new(pieces.enumerate().skip(from).map(move |(index, (at, length))| {
            let rest = characters.iter().skip(at + length);
            (index, characters.iter().take(at).chain(rest).collect())
        }));
    };
    let mut parts = Vec::new();
    find(&value, &mut String::new(), &mut parts);
    parts.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    let parts = parts.into_iter().enumerate().skip(from);
    Box::new(parts.map(move |(at, (_, part))| (at, part.removed_from(&value).to_string())))
}

/// Members of an object or items of an array, one after another.
struct Part {
    parent: String,
    first: usize,
    count: usize,
}

impl Part {
    fn removed_from(&self, value: &Value) -> Value {
        let mut value = value.clone();
        let is_other = |index: usize| index < self.first || index >= self.first + self.count;
        let mut indices = 0..;
        match value.pointer_mut(&self.parent) {
            Some(Value::Object(members)) => {
                members.retain(|_, _| indices.next().is_some_and(is_other));
            }
            Some(Value::Array(items)) => items.retain(|_| indices.next().is_some_and(is_other)),
            _ => {}
        }
        value
    }
}

/// Finds halves, quarters and so on of all objects and arrays, to single members, with their sizes.
/// Gives the size of the whole.
fn find(value: &Value, at: &mut String, found: &mut Vec<(usize, Part)>) -> usize {
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(key, part)| (key.clone(), part)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        _ => return value.to_string().len(),
    };
    let mut sizes = Vec::new();
    for (key, part) in &parts {
        let length = at.len();
        at.push('/');
        at.push_str(&key.replace('~', "~0").replace('/', "~1"));
        sizes.push(key.len() + find(part, at, found));
        at.truncate(length);
    }
    let halves = |count: &usize| Some(count.div_ceil(2)).filter(|_| *count > 1);
    for count in successors(Some(sizes.len().div_ceil(2)), halves).filter(|count| *count > 0) {
        for (index, sizes) in sizes.chunks(count).enumerate() {
            let part = Part { parent: at.clone(), first: index * count, count };
            found.push((sizes.iter().sum(), part));
        }
    }
    sizes.iter().sum()
}
