//! An agent on a free port, over HTTP and WebSocket. Prints `{"url": …}`; ends with its input.

use std::error::Error;

use agent_client_protocol_http::AcpHttpServer;
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let router = AcpHttpServer::new(interop_rust::agent).into_router();
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", json!({"url": format!("http://{}/acp", listener.local_addr()?)}));
    tokio::spawn(async move { axum::serve(listener, router).await });
    tokio::io::stdin().read_to_end(&mut Vec::new()).await?;
    // A thread that reads the input would hold up an end in order.
    std::process::exit(0);
}
