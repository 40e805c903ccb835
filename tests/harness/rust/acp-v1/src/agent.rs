//! An agent on standard input and output.

mod agent_side;
mod left;

use acp::{AgentSideConnection, Result};
use agent_side::Harness;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let served = AgentSideConnection::stdio(Harness::default()).await;
    left::nothing().await;
    served
}
