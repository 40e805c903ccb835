//! The generated SDK of ACP v1.

include!(concat!(env!("OUT_DIR"), "/acp.rs"));
