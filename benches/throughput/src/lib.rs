//! What the four programs share: two agents and two clients, one of each with our SDK and one
//! with the official one, that do the same.

pub mod measure;

/// The generated SDK of ACP v1.
#[allow(missing_docs, clippy::collapsible_if)]
pub mod ours {
    include!(concat!(env!("OUT_DIR"), "/acp.rs"));
}
