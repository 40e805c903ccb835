//! A WebSocket that sends what it is told to, right or wrong.

use futures_util::{SinkExt, StreamExt};
use hyper::HeaderMap;
use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue};
use tokio_tungstenite::tungstenite::protocol::frame::Frame as RawFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, Message, protocol::CloseFrame};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::{Server, soon};

/// A socket to an agent.
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// The headers of the answer to the handshake.
    pub headers: HeaderMap,
    /// Why it was closed, if that was said.
    pub reason: String,
}

/// What comes over a socket.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// A text frame.
    Text(String),
    /// A ping.
    Ping,
    /// The socket was closed, with this code if there was one.
    Closed(Option<u16>),
}

impl Socket {
    /// Connects, or gives the status that refused.
    pub async fn connect(agent: &Server, headers: &[(&str, &str)]) -> Result<Self, u16> {
        Self::to(&agent.url, headers).await
    }

    /// Connects to a URL, or gives the status that refused.
    pub async fn to(url: &str, headers: &[(&str, &str)]) -> Result<Self, u16> {
        let url = url.replacen("http", "ws", 1);
        let mut request = url.into_client_request().expect("it is a URL");
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("it is a name");
            let value = HeaderValue::from_str(value).expect("it is a value");
            request.headers_mut().insert(name, value);
        }
        match soon("the handshake", connect_async(request)).await {
            Ok((stream, response)) => {
                Ok(Self { stream, headers: response.headers().clone(), reason: String::new() })
            }
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(error) => panic!("the handshake failed: {error}"),
        }
    }

    /// Connects, and has the conversation opened.
    pub async fn open(agent: &Server) -> Self {
        Self::open_at(&agent.url).await
    }

    /// Connects to a URL, and has the conversation opened.
    pub async fn open_at(url: &str) -> Self {
        let Ok(mut socket) = Self::to(url, &[]).await else { panic!("it is refused") };
        socket.send(&crate::initialize()).await;
        let answer = socket.message().await;
        assert_eq!(answer["result"]["protocolVersion"], 1, "{answer}");
        socket
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string()).await;
    }

    /// Sends a text frame.
    pub async fn send_text(&mut self, text: &str) {
        self.stream.send(Message::text(text)).await.expect("it can be sent");
    }

    /// Sends a message in frames of so many bytes.
    pub async fn send_in_frames(&mut self, message: &Value, bytes: usize) {
        for frame in frames(message, bytes) {
            self.stream.send(frame).await.expect("it can be sent");
        }
    }

    /// Sends a binary frame.
    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.send(Message::binary(bytes.to_vec())).await.expect("it can be sent");
    }

    /// Sends a part of a frame that has a message.
    pub async fn send_half(&mut self, message: &Value) {
        let text = message.to_string();
        let length = u16::try_from(text.len()).expect("it is short").to_be_bytes();
        // With a mask that changes nothing.
        let mut frame = vec![0x81, 0x80 | 126, length[0], length[1], 0, 0, 0, 0];
        frame.extend_from_slice(&text.as_bytes()[..text.len() / 2]);
        let io = self.stream.get_mut();
        io.write_all(&frame).await.expect("it can be sent");
        io.flush().await.expect("it can be sent");
    }

    /// Closes it in order.
    pub async fn close(&mut self, code: u16) {
        let frame = CloseFrame { code: code.into(), reason: "".into() };
        self.stream.close(Some(frame)).await.ok();
    }

    /// The next frame, pings among them.
    pub async fn frame(&mut self) -> Frame {
        soon("the next frame", self.frame_at_last()).await
    }

    /// The next frame, however long that takes.
    pub async fn frame_at_last(&mut self) -> Frame {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => return Frame::Text(text.as_str().to_owned()),
                Some(Ok(Message::Ping(_))) => return Frame::Ping,
                Some(Ok(Message::Close(frame))) => {
                    return Frame::Closed(frame.map(|frame| {
                        self.reason = frame.reason.as_str().to_owned();
                        frame.code.into()
                    }));
                }
                Some(Ok(Message::Pong(_) | Message::Frame(_))) => {}
                Some(Ok(Message::Binary(_))) => panic!("messages are text"),
                None | Some(Err(_)) => return Frame::Closed(None),
            }
        }
    }

    /// The next frame that is no ping.
    pub async fn told(&mut self) -> Frame {
        let told = async {
            loop {
                match self.frame_at_last().await {
                    Frame::Ping => {}
                    frame => return frame,
                }
            }
        };
        soon("the next frame that is no ping", told).await
    }

    /// The next message.
    pub async fn message(&mut self) -> Value {
        let Frame::Text(text) = self.told().await else { panic!("the socket was closed") };
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("`{text}` is no message"))
    }
}

/// A message in frames of so many bytes.
pub(crate) fn frames(message: &Value, bytes: usize) -> Vec<Message> {
    let text = message.to_string();
    let pieces: Vec<_> = text.as_bytes().chunks(bytes).collect();
    let last = pieces.len() - 1;
    let frame = |(at, piece): (usize, &&[u8])| {
        let kind = if at == 0 { Data::Text } else { Data::Continue };
        Message::Frame(RawFrame::message(piece.to_vec(), OpCode::Data(kind), at == last))
    };
    pieces.iter().enumerate().map(frame).collect()
}
