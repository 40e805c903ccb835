//! An agent that listens on a port of this machine.

mod agent_side;

use std::time::Duration;

use acp::AgentSideConnection;
use acp::connection::{Observed, Options};
use acp::remote::{Head, Limits, Refusal, Server, serve};
use agent_side::Harness;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let options = std::env::args().nth(1).unwrap_or_else(|| String::from("{}"));
    let options: Value = serde_json::from_str(&options)?;
    let server = server(&options);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/acp", listener.local_addr()?);
    tokio::spawn(serve(listener, server.router(), limits(&options["limits"])));
    println!("{}", json!({ "url": url }));
    // It lives as long as whoever started it wants.
    let mut input = Vec::new();
    tokio::io::stdin().read_to_end(&mut input).await?;
    server.drain(Duration::from_secs(2)).await;
    std::process::exit(0);
}

fn server(options: &Value) -> Server {
    let observer = Options::new().observer(|observed| {
        if let Observed::Ended(reason) = observed {
            eprintln!("connection ended: {reason}");
        }
    });
    let origins = options["origins"].as_array().into_iter().flatten();
    let server = AgentSideConnection::serve(|_| Harness::loud())
        .options(observer)
        .limits(limits(&options["limits"]))
        .http1(options["http1"] == json!(true))
        .origins(origins.filter_map(Value::as_str));
    let server = match options["hosts"].as_array() {
        Some(hosts) => server.allowed_hosts(hosts.iter().filter_map(Value::as_str)),
        None => server,
    };
    match options["token"].as_str() {
        Some(token) => {
            let expected = format!("Bearer {token}");
            server.authenticate(move |head| judge(head, expected.clone()))
        }
        None => server,
    }
}

async fn judge(head: Head, expected: String) -> Result<Option<String>, Refusal> {
    let given = head.header("authorization").unwrap_or_default();
    // After the token, there may be a name.
    let (token, name) = given.split_once(':').unwrap_or((given, "user"));
    match token {
        "Bearer forbidden" => Err(Refusal::forbidden("this token is of no use here")),
        _ if token == expected => Ok(Some(name.to_owned())),
        _ => Err(Refusal::unauthorized("Bearer", "there is no token, or a wrong one")),
    }
}

fn limits(options: &Value) -> Limits {
    let mut limits = Limits::new();
    for (name, value) in options.as_object().into_iter().flatten() {
        let count = value.as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or_default();
        let time = Duration::from_secs_f64(value.as_f64().unwrap_or_default());
        limits = match name.as_str() {
            "connections" => limits.connections(count),
            "sessions" => limits.sessions(count),
            "buffered" => limits.buffered(count),
            "body" => limits.body(count),
            "headers" => limits.headers(count),
            "reading" => limits.reading(time),
            "idle" => limits.idle(time),
            "sessionWait" => limits.session_wait(time),
            "keepAlive" => limits.keep_alive(time),
            "ping" => limits.ping(time),
            "opening" => limits.opening(time),
            _ => limits,
        };
    }
    limits
}
