//! A client that connects to an agent over the network, and talks with it.

mod client_side;

use std::time::Duration;

use acp::ClientSideConnection;
use acp::remote::{Limits, Remote, Transport};
use client_side::Harness;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(remote) = remote(&arguments) else {
        eprintln!("usage: remote-client URL http|websocket|auto [OPTIONS]");
        std::process::exit(2);
    };
    let harness = Harness::new();
    let connection = match ClientSideConnection::connect(harness.clone(), remote).await {
        Ok(connection) => connection,
        Err(error) => {
            eprintln!("remote-client: {error}");
            std::process::exit(1);
        }
    };
    let is_in_order = harness.converse(&connection).await;
    if let Err(error) = connection.close().await {
        eprintln!("remote-client: {error}");
    }
    report_tasks().await;
    std::process::exit(i32::from(!is_in_order));
}

/// Says on standard error which tasks do not end.
async fn report_tasks() {
    let alive = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
    for _ in 0..200 {
        if alive() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    eprintln!("left behind: {} tasks", alive());
}

fn remote(arguments: &[String]) -> Option<Remote> {
    let [url, transport, options @ ..] = arguments else { return None };
    let transport = match transport.as_str() {
        #[cfg(feature = "http")]
        "http" => Transport::Http,
        "websocket" => Transport::WebSocket,
        "auto" => Transport::Auto,
        _ => return None,
    };
    let mut remote = Remote::new(url).transport(transport);
    let options = options.first().map_or("{}", String::as_str);
    let options: Value = serde_json::from_str(options).ok()?;
    #[cfg(feature = "http")]
    {
        remote = remote.http1(options["http1"] == Value::Bool(true));
    }
    if let Some(file) = options["ca"].as_str() {
        remote = remote.tls(trusting(file)?);
    }
    let mut limits = Limits::new();
    if let Some(time) = options["sessionWait"].as_f64() {
        limits = limits.session_wait(Duration::from_secs_f64(time));
    }
    if let Some(time) = options["opening"].as_f64() {
        limits = limits.opening(Duration::from_secs_f64(time));
    }
    if let Some(bytes) = options["body"].as_u64() {
        limits = limits.body(usize::try_from(bytes).ok()?);
    }
    if let Some(time) = options["ping"].as_f64() {
        limits = limits.ping(Duration::from_secs_f64(time));
    }
    remote = remote.limits(limits);
    for (name, value) in options["headers"].as_object().into_iter().flatten() {
        remote = remote.header(name, value.as_str()?);
    }
    Some(remote)
}

/// Trusts the authority in a file, and no other.
fn trusting(file: &str) -> Option<ClientConfig> {
    let mut authorities = RootCertStore::empty();
    authorities.add(CertificateDer::from_pem_file(file).ok()?).ok()?;
    Some(ClientConfig::builder().with_root_certificates(authorities).with_no_client_auth())
}
