//! An agent on standard input and output.

mod agent_side;
mod left;

use acp::connection::Options;
use acp::{AgentSideConnection, Result};
use agent_side::Harness;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = Options::new().report_failures(std::env::var_os("QUIET").is_none());
    let served = AgentSideConnection::stdio_with_options(Harness::default(), options).await;
    left::nothing().await;
    served
}
