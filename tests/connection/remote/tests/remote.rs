//! What a user of connections over the network sees.

use std::future::ready;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acp::connection::{Observed, Options};
use acp::remote::{Head, Interrupted, Limits, Refusal, Remote, Retries, Server, Transport};
use acp::*;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{map_request, map_response};
use axum::response::Response;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, mpsc};
use tokio::task::AbortHandle;
use tokio::time::timeout;

const TRANSPORTS: [Transport; 3] = [Transport::Http, Transport::WebSocket, Transport::Auto];

/// An agent that says who it speaks with.
#[derive(Default)]
struct Speaker {
    identity: String,
    /// Whether it never opens a connection.
    is_slow: bool,
    /// Rings when a prompt waits.
    waits: Arc<Notify>,
}

impl Agent for Speaker {
    async fn initialize(
        &self,
        _: InitializeRequest,
        context: AgentContext,
    ) -> Result<InitializeResponse> {
        if self.is_slow {
            context.cancelled().await;
        }
        Ok(InitializeResponse::new(context.protocol_version()))
    }

    async fn authenticate(
        &self,
        _: AuthenticateRequest,
        _: AgentContext,
    ) -> Result<AuthenticateResponse> {
        Ok(AuthenticateResponse::new())
    }

    async fn new_session(
        &self,
        _: NewSessionRequest,
        _: AgentContext,
    ) -> Result<NewSessionResponse> {
        Ok(NewSessionResponse::new("s1"))
    }

    async fn prompt(
        &self,
        request: PromptRequest,
        context: AgentContext,
    ) -> Result<PromptResponse> {
        let text = match request.prompt.first() {
            Some(ContentBlock::Text(text)) => text.text.clone(),
            _ => String::new(),
        };
        if text == "wait" {
            self.waits.notify_one();
            context.cancelled().await;
            return Err(RequestError::request_cancelled());
        }
        let said = format!("{} said {text}", self.identity);
        let update = SessionUpdate::agent_message_chunk(ContentBlock::text(said));
        let update = SessionNotification::new(&request.session_id, update);
        context.client().session_update(update).await?;
        Ok(PromptResponse::new(StopReason::EndTurn))
    }
}

/// A client that remembers what it was told.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<String>>>);

impl Client for Listener {
    async fn session_update(&self, params: SessionNotification, _: ClientContext) -> Result<()> {
        if let SessionUpdate::AgentMessageChunk(chunk) = params.update {
            if let ContentBlock::Text(text) = chunk.content {
                self.0.lock().unwrap().push(text.text);
            }
        }
        Ok(())
    }

    async fn request_permission(
        &self,
        _: RequestPermissionRequest,
        _: ClientContext,
    ) -> Result<RequestPermissionResponse> {
        Err(RequestError::internal_error())
    }
}

/// Listens on a port, 0 for any free one.
async fn listen(server: &Server, port: u16) -> (u16, AbortHandle) {
    listen_with(server.router(), port).await
}

async fn listen_with(router: Router, port: u16) -> (u16, AbortHandle) {
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let served = tokio::spawn(async { axum::serve(listener, router).await });
    (port, served.abort_handle())
}

fn remote(port: u16, transport: Transport) -> Remote {
    Remote::new(format!("http://127.0.0.1:{port}/acp")).transport(transport)
}

async fn begin(agent: &ClientSideConnection) -> std::result::Result<SessionId, CallError> {
    agent.initialize(InitializeRequest::new(1)).await?;
    Ok(agent.new_session(NewSessionRequest::new("/", Vec::new())).await?.session_id)
}

fn prompt(session: &SessionId, text: &str) -> PromptRequest {
    PromptRequest::new(session, vec![ContentBlock::text(text)])
}

async fn judge(head: Head) -> std::result::Result<Option<String>, Refusal> {
    match head.header("authorization") {
        Some(name) => Ok(Some(name.to_owned())),
        None => Err(Refusal::unauthorized("Basic", "who is it?")),
    }
}

#[tokio::test]
async fn handlers_know_who_opened_their_connection() {
    let make = |head: &Head| {
        assert!(!format!("{head:?}").contains("Ada"), "headers may be secret");
        let identity = head.identity().unwrap_or_default().to_owned();
        Speaker { identity, ..Speaker::default() }
    };
    let server = AgentSideConnection::serve(make).authenticate(judge);
    let (port, _) = listen(&server, 0).await;
    for transport in TRANSPORTS {
        let listener = Listener::default();
        let remote = remote(port, transport);
        let known = remote.clone().header("Authorization", "Ada");
        assert!(!format!("{known:?}").contains("Ada"), "headers may be secret");
        let agent = ClientSideConnection::connect(listener.clone(), known).await.unwrap();
        let session = begin(&agent).await.unwrap();
        agent.prompt(prompt(&session, "hello")).await.unwrap();
        assert_eq!(*listener.0.lock().unwrap(), ["Ada said hello"]);
        agent.close().await.unwrap();
        // A WebSocket is refused at once, HTTP with the first message.
        let refused = match ClientSideConnection::connect(listener, remote).await {
            Ok(agent) => begin(&agent).await.unwrap_err(),
            Err(error) => error,
        };
        let message = String::from("who is it?");
        assert_eq!(refused, CallError::Refused { status: 401, message });
    }
}

#[tokio::test]
async fn a_loss_fails_calls_and_says_why() {
    for transport in [Transport::Http, Transport::WebSocket] {
        let waits = Arc::new(Notify::new());
        let bell = Arc::clone(&waits);
        let make = move |_: &Head| Speaker { waits: Arc::clone(&bell), ..Speaker::default() };
        let (ended, mut ends) = mpsc::unbounded_channel();
        let options = Options::new().observer(move |observed| {
            if let Observed::Ended(reason) = observed {
                ended.send(String::from(*reason)).unwrap();
            }
        });
        let server = AgentSideConnection::serve(make).options(options);
        let (port, _) = listen(&server, 0).await;
        let agent = ClientSideConnection::connect(Listener::default(), remote(port, transport));
        let agent = agent.await.unwrap();
        let session = begin(&agent).await.unwrap();
        let drain = async {
            waits.notified().await;
            server.drain(Duration::from_millis(10)).await;
        };
        let (answer, ()) = tokio::join!(agent.prompt(prompt(&session, "wait")), drain);
        let Err(CallError::Lost(reason)) = answer else { panic!("{answer:?}") };
        assert!(reason.contains("the server is shutting down"), "{reason}");
        assert_eq!(agent.closed().await.unwrap_err().to_string(), format!("connection lost: {reason}"));
        let end = ends.recv().await.unwrap();
        assert!(end.contains("the server is shutting down"), "{end}");
        // Nobody is let in any more.
        let late = match ClientSideConnection::connect(Listener::default(), remote(port, transport)).await {
            Ok(agent) => begin(&agent).await.unwrap_err(),
            Err(error) => error,
        };
        assert!(matches!(late, CallError::Refused { status: 503, .. }), "{late:?}");
    }
}

#[tokio::test]
async fn a_client_connects_again_and_knows_what_was_lost() {
    for transport in [Transport::Http, Transport::WebSocket] {
        let waits = Arc::new(Notify::new());
        let bell = Arc::clone(&waits);
        let make = move |_: &Head| Speaker { waits: Arc::clone(&bell), ..Speaker::default() };
        let first = AgentSideConnection::serve(make);
        let sets_a_cookie = map_response(async |mut answer: Response| {
            answer.headers_mut().insert("set-cookie", HeaderValue::from_static("route=a; Path=/"));
            answer
        });
        let (port, served) = listen_with(first.router().layer(sets_a_cookie), 0).await;
        let (told, mut seen) = mpsc::unbounded_channel();
        let set_up = move |agent: Arc<ClientSideConnection>, interrupted: Interrupted| {
            let told = told.clone();
            async move {
                let is_again = interrupted != Interrupted::default();
                told.send(interrupted).unwrap();
                let session = begin(&agent).await?;
                if is_again {
                    agent.close().await.unwrap();
                } else {
                    tokio::spawn(async move { agent.prompt(prompt(&session, "wait")).await });
                }
                Ok(())
            }
        };
        let retries = Retries::new().wait(Duration::from_millis(5), Duration::from_millis(50));
        let again = ClientSideConnection::reconnect(
            Listener::default,
            remote(port, transport),
            retries.tries(100),
            set_up,
        );
        let again = tokio::spawn(again);
        assert_eq!(seen.recv().await.unwrap(), Interrupted::default());
        waits.notified().await;
        // Another server takes the place of the first.
        served.abort();
        first.drain(Duration::ZERO).await;
        let repeated = Arc::new(Notify::new());
        let bell = Arc::clone(&repeated);
        let make = move |_: &Head| Speaker { waits: Arc::clone(&bell), ..Speaker::default() };
        let second = AgentSideConnection::serve(make);
        let (asked, mut cookies) = mpsc::unbounded_channel();
        let sees_cookies = map_request(move |request: Request| {
            let cookie = request.headers().get("cookie");
            asked.send(cookie.map(|it| it.to_str().unwrap().to_owned())).unwrap();
            ready(request)
        });
        let _second = listen_with(second.router().layer(sees_cookies), port).await;
        let interrupted = seen.recv().await.unwrap();
        assert_eq!(interrupted.sessions, ["s1"]);
        assert_eq!(interrupted.lost, [methods::PROMPT]);
        // It ends once it is closed by this end.
        timeout(Duration::from_secs(60), again).await.unwrap().unwrap().unwrap();
        assert_eq!(cookies.recv().await.unwrap().as_deref(), Some("route=a"));
        assert!(timeout(Duration::ZERO, repeated.notified()).await.is_err(), "it is asked again");
    }
}

#[tokio::test]
async fn what_was_lost_is_told_once() {
    for transport in [Transport::Http, Transport::WebSocket] {
        let waits = Arc::new(Notify::new());
        let bell = Arc::clone(&waits);
        let make = move |_: &Head| Speaker { waits: Arc::clone(&bell), ..Speaker::default() };
        let first = AgentSideConnection::serve(make);
        let (port, served) = listen(&first, 0).await;
        let (told, mut seen) = mpsc::unbounded_channel();
        let opened = Arc::new(AtomicUsize::new(0));
        let set_up = move |agent: Arc<ClientSideConnection>, interrupted: Interrupted| {
            let (told, opened) = (told.clone(), Arc::clone(&opened));
            async move {
                let session = begin(&agent).await?;
                match opened.fetch_add(1, Ordering::Relaxed) {
                    0 => {
                        tokio::spawn(async move { agent.prompt(prompt(&session, "wait")).await });
                    }
                    1 => {}
                    _ => agent.close().await.unwrap(),
                }
                told.send(interrupted).unwrap();
                Ok(())
            }
        };
        let retries = Retries::new().wait(Duration::from_millis(5), Duration::from_millis(50));
        let remote = remote(port, transport);
        let again =
            ClientSideConnection::reconnect(Listener::default, remote, retries.tries(100), set_up);
        let again = tokio::spawn(again);
        seen.recv().await.unwrap();
        waits.notified().await;
        served.abort();
        first.drain(Duration::ZERO).await;
        let second = AgentSideConnection::serve(|_| Speaker::default());
        let (_, served) = listen(&second, port).await;
        assert_eq!(seen.recv().await.unwrap().lost, [methods::PROMPT]);
        // Nothing waits this time.
        served.abort();
        second.drain(Duration::ZERO).await;
        let third = AgentSideConnection::serve(|_| Speaker::default());
        let _third = listen(&third, port).await;
        let interrupted = seen.recv().await.unwrap();
        assert_eq!(interrupted.sessions, ["s1"]);
        assert_eq!(interrupted.lost, [""; 0]);
        timeout(Duration::from_secs(60), again).await.unwrap().unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_refusal_that_does_not_pass_ends_the_tries() {
    let server = AgentSideConnection::serve(|_| Speaker::default()).authenticate(judge);
    let (port, _) = listen(&server, 0).await;
    let set_up = async |agent: Arc<ClientSideConnection>, _: Interrupted| begin(&agent).await.map(drop);
    let remote = remote(port, Transport::Auto);
    let end = ClientSideConnection::reconnect(Listener::default, remote, Retries::new(), set_up);
    assert!(matches!(end.await, Err(CallError::Refused { status: 401, .. })));
}

#[tokio::test]
async fn only_a_refusal_that_passes_is_tried_again() {
    let times = [(403, 1), (404, 1), (409, 1), (500, 1), (429, 2), (503, 2), (504, 2)];
    for (status, expected) in times {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let refuse = move || {
            count.fetch_add(1, Ordering::Relaxed);
            async move { StatusCode::from_u16(status).unwrap() }
        };
        let (port, _) = listen_with(Router::new().fallback(refuse), 0).await;
        let set_up =
            async |agent: Arc<ClientSideConnection>, _: Interrupted| begin(&agent).await.map(drop);
        let moment = Duration::from_millis(1);
        let retries = Retries::new().tries(1).wait(moment, moment);
        let remote = remote(port, Transport::Http);
        let end = ClientSideConnection::reconnect(Listener::default, remote, retries, set_up).await;
        assert!(matches!(end, Err(CallError::Refused { .. })), "{status}: {end:?}");
        assert_eq!(asked.load(Ordering::Relaxed), expected, "{status}");
    }
}

#[tokio::test]
async fn a_url_is_judged_before_anything_is_sent() {
    for (url, expected) in [("nonsense", "relative URL"), ("ftp://127.0.0.1/acp", "scheme")] {
        for transport in TRANSPORTS {
            let remote = Remote::new(url).transport(transport);
            let refused = ClientSideConnection::connect(Listener::default(), remote).await;
            let Err(CallError::Lost(error)) = refused else { panic!("{refused:?}") };
            assert!(error.contains(expected), "{error}");
        }
    }
}

#[tokio::test]
async fn an_opening_that_takes_too_long_ends() {
    let limits = Limits::new().opening(Duration::from_millis(20));
    let make = |_: &Head| Speaker { is_slow: true, ..Speaker::default() };
    let server = AgentSideConnection::serve(make).limits(limits);
    let (port, _) = listen(&server, 0).await;
    for transport in [Transport::Http, Transport::WebSocket] {
        let agent = ClientSideConnection::connect(Listener::default(), remote(port, transport));
        let agent = agent.await.unwrap();
        // The client itself waits for longer.
        let opened = timeout(Duration::from_secs(20), begin(&agent)).await;
        let error = opened.expect("the server does").unwrap_err();
        assert!(error.to_string().contains("limit `opening` of 20ms"), "{error}");
    }
}

#[tokio::test]
async fn a_message_that_is_too_long_for_a_client() {
    let (ended, mut ends) = mpsc::unbounded_channel();
    let options = Options::new().observer(move |observed| {
        if let Observed::Ended(reason) = observed {
            ended.send(String::from(*reason)).unwrap();
        }
    });
    let server = AgentSideConnection::serve(|_| Speaker::default()).options(options);
    let (port, _) = listen(&server, 0).await;
    for transport in [Transport::Http, Transport::WebSocket] {
        let remote = remote(port, transport).limits(Limits::new().body(1000));
        let agent = ClientSideConnection::connect(Listener::default(), remote).await.unwrap();
        let session = begin(&agent).await.unwrap();
        // It is said again in an update, which comes with some more around it.
        let error = agent.prompt(prompt(&session, &"x".repeat(4000))).await.unwrap_err();
        assert!(matches!(error, CallError::Lost(_)), "{error:?}");
        assert!(error.to_string().contains("limit `body` of 1000 bytes"), "{error}");
        drop(agent);
        let told = ends.recv().await.unwrap();
        assert!(transport == Transport::Http || told.contains("1009"), "{told}");
    }
}

#[tokio::test]
async fn a_client_notices_that_its_server_is_gone() {
    let server = AgentSideConnection::serve(|_| Speaker::default());
    let (port, _) = listen(&server, 0).await;
    for transport in [Transport::Http, Transport::WebSocket] {
        let silent = Arc::new(Notify::new());
        let way = silenced_by(Arc::clone(&silent), port).await;
        let remote = remote(way, transport).limits(Limits::new().ping(Duration::from_millis(200)));
        let agent = ClientSideConnection::connect(Listener::default(), remote).await.unwrap();
        begin(&agent).await.unwrap();
        silent.notify_waiters();
        let ended = timeout(Duration::from_secs(15), agent.closed()).await.expect("it is noticed");
        assert!(matches!(ended, Err(CallError::Lost(_))), "{ended:?}");
    }
}

/// A port that leads to another one, until nothing more passes, though nothing is closed.
async fn silenced_by(silent: Arc<Notify>, port: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let way = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            let mut far = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
            let silent = Arc::clone(&silent);
            tokio::spawn(async move {
                tokio::select! {
                    _ = copy_bidirectional(&mut near, &mut far) => {}
                    () = silent.notified() => std::future::pending().await,
                }
            });
        }
    });
    way
}
