//! A protocol for lamps. `build.rs` generates it; everything below `protocol` comes from
//! `schema/lamp.json`.

#![deny(warnings)]

/// The protocol.
pub mod protocol {
    include!(concat!(env!("OUT_DIR"), "/lamp.rs"));
}

use protocol::{Lamp, Result, SwitchRequest, SwitchResponse};

/// A lamp that is bright enough.
#[derive(Debug)]
pub struct DeskLamp;

impl Lamp for DeskLamp {
    async fn switch(&self, request: SwitchRequest) -> Result<SwitchResponse> {
        Ok(SwitchResponse::new(if request.on { 9 } else { 0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::protocol::{Colour, Light, json};
    use super::*;

    #[test]
    fn messages_become_values_and_back() {
        let text = r#"{"lamp":"desk","on":true,"light":{"type":"colour","colour":"red"}}"#;
        let request: SwitchRequest = json::decode(text).unwrap();
        assert_eq!(request.light, Some(Light::colour(Colour::Red)));
        assert_eq!(json::encode(&request).unwrap(), text);
    }
}
