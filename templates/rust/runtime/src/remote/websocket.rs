//! Messages over a `WebSocket`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{FutureExt, SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::endpoint::on_one_line;
use super::ledger::Ledger;
use super::limits::Limits;
use super::queue::Transport;

/// How many bytes are read at a time. Each socket keeps that much.
const READING: usize = 16 << 10;

/// How long the other end has to answer a close.
const PARTING: Duration = Duration::from_secs(2);

/// The end that this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Server,
    Client,
}

/// Why a socket is no longer used.
#[derive(Debug)]
pub(super) struct Closing {
    /// What to tell the other end, if it is not gone.
    frame: Option<CloseFrame>,
    /// What the user of this end is told.
    pub(super) reason: String,
    /// Whether the user of this end wanted it.
    pub(super) is_own: bool,
    /// What comes in is not in frames any more.
    is_broken: bool,
}

impl Closing {
    /// This end closes.
    pub(super) fn own(code: CloseCode, reason: &str) -> Self {
        // A frame has no more than 125 bytes.
        let mut told = String::from(reason);
        while told.len() > 120 {
            told.pop();
        }
        Self {
            frame: Some(CloseFrame {
                code,
                reason: told.into(),
            }),
            reason: reason.to_owned(),
            is_own: true,
            is_broken: false,
        }
    }

    /// This end cannot go on.
    fn leaving(reason: &str) -> Self {
        Self {
            is_own: false,
            ..Self::own(CloseCode::Away, reason)
        }
    }

    /// The other end closed.
    pub(super) fn peers(frame: Option<CloseFrame>) -> Self {
        let frame = frame.map(|it| format!(": {} {}", u16::from(it.code), it.reason));
        let frame = frame.unwrap_or_default();
        Self::gone(format!("the WebSocket was closed{}", frame.trim_end()))
    }

    /// There is no other end.
    fn gone(reason: impl Into<String>) -> Self {
        Self {
            frame: None,
            reason: reason.into(),
            is_own: false,
            is_broken: false,
        }
    }

    /// Nothing more can be read or written.
    pub(super) fn failed(error: &Error, limits: &Limits) -> Self {
        let (code, reason) = match error {
            Error::Capacity(_) => {
                let reason = format!(
                    "a message is over the limit `body` of {} bytes",
                    limits.body
                );
                (CloseCode::Size, reason)
            }
            Error::Protocol(_) => (
                CloseCode::Protocol,
                format!("the WebSocket failed: {error}"),
            ),
            Error::Utf8(_) => (CloseCode::Invalid, format!("the WebSocket failed: {error}")),
            error => return Self::gone(format!("the WebSocket failed: {error}")),
        };
        Self {
            is_own: false,
            is_broken: true,
            ..Self::own(code, &reason)
        }
    }
}

/// The settings of a socket.
pub(super) fn settings(limits: &Limits) -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READING)
        .max_message_size(Some(limits.body))
        .max_frame_size(Some(limits.body))
}

/// Hands messages on in both directions, until an end closes, or `stop` says that this one has to.
pub(super) async fn converse<S: AsyncRead + AsyncWrite + Unpin>(
    socket: &mut WebSocketStream<S>,
    transport: &Transport,
    ledger: &Ledger,
    limits: &Limits,
    end: End,
    stop: impl Future<Output = String>,
) -> Closing {
    let pulse = Pulse::default();
    let (sink, stream) = socket.split();
    tokio::select! {
        closing = receive(stream, transport, ledger, limits, end, &pulse) => closing,
        closing = send(sink, transport, ledger, limits, end, &pulse, stop) => closing,
        closing = pulse.watch(limits.ping) => closing,
    }
}

/// Closes a socket, and waits a while for the other end to do so.
pub(super) async fn part<S: AsyncRead + AsyncWrite + Unpin>(
    mut socket: WebSocketStream<S>,
    closing: &Closing,
) {
    let parting = async {
        if let Some(frame) = &closing.frame {
            let _ = socket.close(Some(frame.clone())).await;
        }
        if closing.is_broken {
            // What is never read would keep the other end from reading the close.
            let mut rest = vec![0; 16 << 10];
            while let Ok(Ok(1..)) = timeout(PARTING / 8, socket.get_mut().read(&mut rest)).await {}
        } else {
            while let Some(Ok(_)) = socket.next().await {}
        }
    };
    let _ = timeout(PARTING, parting).await;
}

async fn receive<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: SplitStream<&mut WebSocketStream<S>>,
    transport: &Transport,
    ledger: &Ledger,
    limits: &Limits,
    end: End,
    pulse: &Pulse,
) -> Closing {
    loop {
        let message = match stream.next().await {
            None => return Closing::gone("the WebSocket broke off"),
            Some(Err(error)) => return Closing::failed(&error, limits),
            Some(Ok(message)) => message,
        };
        pulse.is_heard.store(true, Ordering::Relaxed);
        match message {
            Message::Text(text) => {
                let line = on_one_line(text.as_str().to_owned());
                match end {
                    End::Server => ledger.ask(&line),
                    End::Client => ledger.settle(&line),
                }
                pulse.is_busy.store(true, Ordering::Relaxed);
                transport.push(line).await;
                pulse.is_busy.store(false, Ordering::Relaxed);
                pulse.is_heard.store(true, Ordering::Relaxed);
            }
            Message::Close(frame) => return Closing::peers(frame),
            _ => {}
        }
    }
}

async fn send<S: AsyncRead + AsyncWrite + Unpin>(
    mut sink: SplitSink<&mut WebSocketStream<S>, Message>,
    transport: &Transport,
    ledger: &Ledger,
    limits: &Limits,
    end: End,
    pulse: &Pulse,
    stop: impl Future<Output = String>,
) -> Closing {
    let mut stop = std::pin::pin!(stop);
    loop {
        let sent = tokio::select! {
            line = transport.pop() => {
                let Some(line) = line else {
                    return Closing::own(CloseCode::Normal, "the connection was closed");
                };
                send_lines(&mut sink, line, transport, ledger, end).await
            }
            () = pulse.ping.notified() => sink.send(Message::Ping(Vec::new().into())).await,
            reason = &mut stop => return Closing::leaving(&reason),
        };
        if let Err(error) = sent {
            return Closing::failed(&error, limits);
        }
    }
}

/// Sends a line, and those that are there after it, at once.
async fn send_lines<S: AsyncRead + AsyncWrite + Unpin>(
    sink: &mut SplitSink<&mut WebSocketStream<S>, Message>,
    line: String,
    transport: &Transport,
    ledger: &Ledger,
    end: End,
) -> Result<(), Error> {
    let mut next = Some(line);
    while let Some(line) = next {
        if end == End::Client {
            ledger.ask(&line);
        }
        sink.feed(Message::text(line.as_str())).await?;
        if end == End::Server {
            ledger.settle(&line);
        }
        next = transport.pop().now_or_never().flatten();
    }
    sink.flush().await
}

/// Whether the other end is alive.
#[derive(Debug, Default)]
struct Pulse {
    /// Something came in.
    is_heard: AtomicBool,
    /// Nothing is read, because this end has not taken yet what came before.
    is_busy: AtomicBool,
    ping: Notify,
}

impl Pulse {
    /// Asks the other end for a sign of life, again and again, until there is none.
    async fn watch(&self, time: Duration) -> Closing {
        loop {
            self.is_heard.store(false, Ordering::Relaxed);
            self.ping.notify_one();
            sleep(time).await;
            let is_alive = self.is_heard.load(Ordering::Relaxed);
            if !is_alive && !self.is_busy.load(Ordering::Relaxed) {
                return Closing::gone(format!("there was no answer to a ping for {time:?}"));
            }
        }
    }
}
