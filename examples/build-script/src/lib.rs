//! A protocol for lamps. `build.rs` generates it; everything below `protocol` comes from
//! `schema/lamp.json`.

#![deny(warnings)]

/// The protocol.
pub mod protocol {
    include!(concat!(env!("OUT_DIR"), "/lamp.rs"));
}

use protocol::{Lamp, LampContext, Result, SwitchRequest, SwitchResponse};

/// A lamp that is bright enough.
#[derive(Debug)]
pub struct DeskLamp;

impl Lamp for DeskLamp {
    async fn switch(&self, request: SwitchRequest, _: LampContext) -> Result<SwitchResponse> {
        Ok(SwitchResponse::new(if request.on { 9 } else { 0 }))
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use super::protocol::{Colour, LampSideCore, Light, json};
    use super::*;

    #[test]
    fn bytes_become_calls_and_calls_become_bytes() {
        let mut lamp = LampSideCore::new(DeskLamp);
        let request = r#"{"jsonrpc":"2.0","id":1,"method":"lamp/switch","params":{"lamp":"desk","on":true}}"#;
        lamp.receive(request.as_bytes());
        lamp.receive(b"\n");
        let mut context = Context::from_waker(Waker::noop());
        assert!(lamp.poll(&mut context).is_pending());
        let mut answer = Vec::new();
        assert!(lamp.take_output(&mut answer, &context));
        assert_eq!(answer, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"watts\":9}}\n");
    }

    #[test]
    fn messages_become_values_and_back() {
        let text = r#"{"lamp":"desk","on":true,"light":{"type":"colour","colour":"red"}}"#;
        let request: SwitchRequest = json::decode(text).unwrap();
        assert_eq!(request.light, Some(Light::colour(Colour::Red)));
        assert_eq!(json::encode(&request).unwrap(), text);
    }
}
