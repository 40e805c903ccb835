//! Processes: programs that one side runs for the other.

#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use super::Name;

/// The class that runs programs for the other side (annotation `x-process`): it handles the request
/// that starts one, and those that use it by its id.
///
/// The id, what belongs to it and the request that gives it back are those of the request's
/// [`Handle`](super::Handle).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct ProcessHost {
    /// The name of the class.
    pub name: Name,
    /// The property of the params that holds the program: a required string.
    pub command: Name,
    /// The property that holds its arguments: an array of strings.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub args: Option<Name>,
    /// The property that holds variables of its environment.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub env: Option<ProcessEnv>,
    /// The property that holds its folder: a string.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub cwd: Option<Name>,
    /// The property that holds how much of its output is kept, in bytes: an integer.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub limit: Option<Name>,
    /// The request for its output.
    pub output: ProcessOutput,
    /// The wire name of the request that is answered once it has ended, with how.
    pub wait: String,
    /// The wire name of the request that ends it.
    pub kill: String,
    /// The properties that say how it ended.
    pub exit: ProcessExit,
}

/// The variables of an environment: objects in an array.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct ProcessEnv {
    /// The property that holds the array.
    pub items: Name,
    /// The property of an object that holds the name of a variable: a required string.
    pub name: Name,
    /// The property of an object that holds the value: a required string.
    pub value: Name,
}

/// The result of the request for the output of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct ProcessOutput {
    /// The wire name of the request.
    pub method: String,
    /// The property that holds what the process wrote: a string.
    pub text: Name,
    /// The property that says whether the beginning of it is lost: a boolean.
    pub truncated: Name,
    /// The property that says how the process ended, if it has: an object.
    pub exit: Name,
}

/// The properties that say how a process ended. Those of the result of the request that waits, and
/// of the object in the result of the request for output, have the same names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "json-schema", derive(schemars::JsonSchema))]
pub struct ProcessExit {
    /// The property that holds its exit code, if it ended by itself: an integer.
    pub code: Name,
    /// The property that holds the signal that killed it, if one did: a string.
    pub signal: Name,
}

impl ProcessHost {
    /// The wire names of the requests that use what was started, but for the one that gives it
    /// back.
    pub fn methods(&self) -> [&str; 3] {
        [&self.output.method, &self.wait, &self.kill]
    }
}
