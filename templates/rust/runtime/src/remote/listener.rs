//! A listener whose requests have a time to come in.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};

use super::limits::Limits;

/// How long to wait where a connection cannot be taken: most often there are too many files.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves an application to whoever connects, until this is dropped.
///
/// It does what `axum::serve` does, and has what that leaves out: the head of a request has a time
/// to come in, the limit `reading`, and small messages do not wait for the answers to those before.
pub async fn serve(listener: TcpListener, app: Router, limits: Limits) {
    loop {
        if let Ok((tcp, peer)) = listener.accept().await {
            tokio::spawn(answer(tcp, peer, app.clone(), limits));
        } else {
            sleep(PAUSE).await;
        }
    }
}

/// Answers what comes from one end. If something goes wrong with it, that is its end.
async fn answer(tcp: TcpStream, peer: SocketAddr, app: Router, limits: Limits) {
    let _ = tcp.set_nodelay(true);
    let has_asked = Arc::new(AtomicBool::new(false));
    let asking = Arc::clone(&has_asked);
    let app = TowerToHyperService::new(app);
    let service = service_fn(move |request: Request<Incoming>| {
        asking.store(true, Ordering::Relaxed);
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        app.call(request)
    });
    let mut builder = Builder::new(TokioExecutor::new());
    let mut http1 = builder.http1();
    http1.timer(TokioTimer::new());
    http1.header_read_timeout(limits.reading);
    let served = builder.serve_connection_with_upgrades(TokioIo::new(tcp), service);
    let mut served = pin!(served);
    // Which HTTP it speaks has to be known first, and that may take as long.
    let begun = timeout(limits.reading, served.as_mut()).await;
    if begun.is_err() && has_asked.load(Ordering::Relaxed) {
        let _ = served.await;
    }
}
