//! An agent on the network: `/acp` is its endpoint, everything else a page that talks with it.

mod agent;
mod sessions;

use std::net::Ipv4Addr;
use std::time::Duration;

use acp::AgentSideConnection;
use acp::remote::{Limits, serve};
use axum::Router;
use tower_http::services::ServeDir;

use agent::Parrot;
use sessions::Sessions;

/// How long turns may go on once the program is to end.
const GRACE: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(8737);
    // All connections share the sessions, so a session goes on when its connection is gone.
    let sessions = Sessions::default();
    // A page over plain HTTP cannot speak HTTP/2, so HTTP/1.1 is turned on.
    let server = AgentSideConnection::serve(move |_| Parrot::new(sessions.clone())).http1(true);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
    let sdk = concat!(env!("CARGO_MANIFEST_DIR"), "/target/sdk/dist");
    let app = Router::new()
        .merge(server.router())
        .nest_service("/sdk", ServeDir::new(sdk))
        .fallback_service(ServeDir::new(page));
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    println!("http://{}", listener.local_addr()?);
    let ended = async move {
        tokio::signal::ctrl_c().await.ok();
        server.drain(GRACE).await;
    };
    tokio::select! {
        () = serve(listener, app, Limits::new()) => {}
        () = ended => {}
    }
    Ok(())
}
