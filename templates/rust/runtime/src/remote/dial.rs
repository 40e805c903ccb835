//! The handshake of a client for a `WebSocket`.

use std::sync::Arc;

use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderMap, HeaderName, HeaderValue};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::super::connection::{CallError, Handle, Peer, Service};
use super::client::{Remote, lost, told};
use super::ledger::Ledger;
use super::queue::{SPACE, Transport, pipe};
use super::websocket::{End, converse, part, settings};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Connects over a `WebSocket`.
pub(super) async fn connect(
    remote: &Remote,
    service: Arc<dyn Service>,
    ledger: &Arc<Ledger>,
) -> Result<Handle, CallError> {
    let socket = shake_hands(remote).await?;
    let (inlet, outlet, transport) = pipe(SPACE);
    let handle = Handle::start(service, inlet, outlet, remote.options.clone());
    let peer = handle.peer().clone();
    let (remote, ledger) = (remote.clone(), Arc::clone(ledger));
    tokio::spawn(drive(remote, socket, transport, ledger, peer));
    Ok(handle)
}

async fn drive(
    remote: Remote,
    mut socket: Socket,
    transport: Transport,
    ledger: Arc<Ledger>,
    peer: Peer,
) {
    let limits = &remote.limits;
    let stop = ledger.overdue(limits.opening);
    let talk = converse(&mut socket, &transport, &ledger, limits, End::Client, stop);
    let closing = talk.await;
    if !closing.is_own {
        // After what came before.
        peer.lose(CallError::Lost(closing.reason.clone()));
        transport.finish();
    }
    part(socket, &closing).await;
    drop(transport);
}

async fn shake_hands(remote: &Remote) -> Result<Socket, CallError> {
    let url = remote.url_over(["ws", "wss"])?;
    let mut request = url
        .as_str()
        .into_client_request()
        .map_err(|error| lost(&error))?;
    for (name, value) in &remote.headers {
        let name: HeaderName = name.parse().map_err(|error| lost(&error))?;
        let value: HeaderValue = value.parse().map_err(|error| lost(&error))?;
        request.headers_mut().insert(name, value);
    }
    if let Some(cookies) = remote.cookies.header(&url) {
        let cookies = cookies.parse().map_err(|error| lost(&error))?;
        request.headers_mut().insert("cookie", cookies);
    }
    let settings = Some(settings(&remote.limits));
    #[cfg(not(feature = "rustls"))]
    let connecting = tokio_tungstenite::connect_async_with_config(request, settings, true);
    #[cfg(feature = "rustls")]
    let connecting = {
        let tls = remote
            .tls_for(&[])
            .map(|tls| tokio_tungstenite::Connector::Rustls(Arc::new(tls)));
        tokio_tungstenite::connect_async_tls_with_config(request, settings, true, tls)
    };
    let limit = remote.limits.opening;
    let connected = tokio::time::timeout(limit, connecting).await.map_err(|_| {
        CallError::Lost(format!(
            "there was no connection after the limit `opening` of {limit:?}"
        ))
    })?;
    match connected {
        Ok((socket, answer)) => {
            remote.cookies.keep(cookies(answer.headers()), &url);
            Ok(socket)
        }
        Err(Error::Http(answer)) => {
            remote.cookies.keep(cookies(answer.headers()), &url);
            let status = answer.status().as_u16();
            let message = told(answer.body().as_deref().unwrap_or_default());
            Err(CallError::Refused { status, message })
        }
        Err(error) => Err(lost(&format!("there is no WebSocket: {error}"))),
    }
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers
        .get_all("set-cookie")
        .iter()
        .filter_map(|it| it.to_str().ok())
}
