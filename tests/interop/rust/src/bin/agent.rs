//! An agent on its standard streams.

use agent_client_protocol::{ConnectTo, Result, Stdio};

#[tokio::main]
async fn main() -> Result<()> {
    interop_rust::agent().connect_to(Stdio::new()).await
}
