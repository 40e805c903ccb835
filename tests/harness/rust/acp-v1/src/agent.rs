//! An agent on standard input and output.

mod agent_side;

use acp::{AgentSideConnection, Result};
use agent_side::Harness;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    AgentSideConnection::stdio(Harness::default()).await
}
