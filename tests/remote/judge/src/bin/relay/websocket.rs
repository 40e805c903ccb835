//! Over a WebSocket.

use std::process::ExitStatus;

use judge::{Scripted, Upgraded};
use tokio::process::Child;

use crate::agent::Agent;

/// Hands messages on until the client ends.
pub async fn stand_between(mut server: Scripted, mut client: Child, agent: Agent) -> ExitStatus {
    tokio::select! {
        asked = server.asked() => {
            let socket = asked.upgrade(&[("acp-connection-id", "the only one")]).await;
            converse(socket, agent).await;
        }
        // It never connects.
        _ = client.wait() => {}
    }
    client.wait().await.expect("it can be waited for")
}

/// Hands messages on until the client closes.
async fn converse(mut socket: Upgraded, mut agent: Agent) {
    loop {
        tokio::select! {
            line = agent.line(), if agent.is_open => {
                if !line.is_empty() {
                    socket.send_text(line).await;
                }
                // The end comes after what is left.
                if !agent.is_open {
                    socket.say_close().await;
                }
            }
            text = socket.text() => {
                let Some(text) = text else { return };
                agent.give(&text).await;
            }
        }
    }
}
