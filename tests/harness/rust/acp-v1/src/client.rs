//! A client that starts an agent, and talks with it.

mod client_side;
mod left;
mod observed;

use std::process::Command;

use acp::ClientSideConnection;
use client_side::Harness;

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--").collect();
    let Some((program, arguments)) = arguments.split_first() else {
        eprintln!("usage: client -- COMMAND…");
        std::process::exit(2);
    };
    let mut command = Command::new(program);
    command.args(arguments);
    let harness = Harness::new();
    let connection = ClientSideConnection::spawn_with_options(
        harness.clone(),
        command,
        observed::options(),
    )?;
    let is_in_order = harness.converse(&connection).await;
    drop(connection);
    left::nothing().await;
    std::process::exit(i32::from(!is_in_order));
}
