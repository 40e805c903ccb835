//! `x-process`.

use super::members::{object, string};
use crate::schema::reader::Reader;
use crate::source::{Location, Node};

/// The members of `x-process`, as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessAnnotation {
    /// The name of the class.
    pub name: String,
    /// The property that holds the program.
    pub command: String,
    /// The property that holds its arguments.
    pub args: Option<String>,
    /// The property that holds variables of its environment, and what their names and values are
    /// called.
    pub env: Option<[String; 3]>,
    /// The property that holds its folder.
    pub cwd: Option<String>,
    /// The property that holds how much of its output is kept.
    pub limit: Option<String>,
    /// The request for its output, and the properties of the result: the text, whether its
    /// beginning is lost, and how the process ended.
    pub output: [String; 4],
    /// The request that waits for its end.
    pub wait: String,
    /// The request that ends it.
    pub kill: String,
    /// The properties that hold the exit code and the signal.
    pub exit: [String; 2],
    /// Its location.
    pub location: Location,
}

impl ProcessAnnotation {
    pub(super) fn read(keyword: &str, value: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        const MEMBERS: [&str; 10] =
            ["name", "command", "args", "env", "cwd", "limit", "output", "wait", "kill", "exit"];
        const NEEDED: [&str; 6] = ["name", "command", "output", "wait", "kill", "exit"];
        object(keyword, value, &MEMBERS, &NEEDED, reader)?;
        let env = ["items", "name", "value"];
        Some(Self {
            name: string(keyword, value, "name", reader)?,
            command: string(keyword, value, "command", reader)?,
            args: string(keyword, value, "args", reader),
            env: part(keyword, value, "env", env, reader),
            cwd: string(keyword, value, "cwd", reader),
            limit: string(keyword, value, "limit", reader),
            output: {
                let members = ["method", "text", "truncated", "exit"];
                part(keyword, value, "output", members, reader)?
            },
            wait: string(keyword, value, "wait", reader)?,
            kill: string(keyword, value, "kill", reader)?,
            exit: part(keyword, value, "exit", ["code", "signal"], reader)?,
            location: reader.location(value.span),
        })
    }
}

/// The strings of a member that is an object of just these, if it is there.
fn part<const N: usize>(
    keyword: &str,
    value: &Node,
    member: &str,
    known: [&str; N],
    reader: &mut Reader<'_>,
) -> Option<[String; N]> {
    let (keyword, value) = (format!("{keyword}/{member}"), value.get(member)?);
    object(&keyword, value, &known, &known, reader)?;
    let strings = known.map(|name| string(&keyword, value, name, reader));
    let strings: Option<Vec<String>> = strings.into_iter().collect();
    strings?.try_into().ok()
}
