//! A client of an agent at a URL. The arguments are the URL, `http` or `websocket`, and for an agent
//! that speaks no HTTP/2 also `{"http1": true}`.

use std::error::Error;

use agent_client_protocol_http::HttpClient;
use serde_json::Value;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, transport, options @ ..] = arguments.as_slice() else {
        return Err("usage: remote-client URL http|websocket [OPTIONS]".into());
    };
    let options: Value = serde_json::from_str(options.first().map_or("{}", String::as_str))?;
    let client = if transport == "websocket" {
        HttpClient::with_endpoint(url.replacen("http", "ws", 1))?
    } else if options["http1"] == true {
        HttpClient::with_endpoint(url)?
    } else {
        let client = HttpClient::builder_with_endpoint(url);
        client.configure_http(|http| http.http2_prior_knowledge()).build()?
    };
    interop_rust::converse(client).await
}
