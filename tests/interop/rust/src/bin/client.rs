//! A client of an agent on its standard streams. The arguments are the agent's command.

use std::error::Error;

use agent_client_protocol::AcpAgent;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    interop_rust::converse(AcpAgent::from_args(std::env::args().skip(1))?).await
}
