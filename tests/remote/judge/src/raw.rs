//! Bytes of HTTP/1.1, as they are.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::{Server, soon};

/// A connection of TCP to a server.
pub struct Raw {
    tcp: TcpStream,
    /// What came and was not looked at.
    came: String,
}

impl Raw {
    /// Connects.
    pub async fn connect(server: &Server) -> Self {
        let tcp = soon("connecting", TcpStream::connect(&server.address)).await;
        Self { tcp: tcp.expect("somebody listens"), came: String::new() }
    }

    /// Sends a text.
    pub async fn send(&mut self, text: &str) {
        let sent = soon("sending", self.tcp.write_all(text.as_bytes())).await;
        sent.expect("it can be sent");
    }

    /// What comes up to this.
    pub async fn until(&mut self, end: &str) -> String {
        loop {
            if let Some(at) = self.came.find(end) {
                return self.came.drain(..at + end.len()).collect();
            }
            let read = self.read().await;
            assert!(read, "it ended before `{end}`: {}", self.came);
        }
    }

    /// Sends a request, and gives the status that it is answered with.
    pub async fn ask(mut self, request: &str) -> u16 {
        self.send(request).await;
        let line = self.until("\r\n").await;
        let status = line.split(' ').nth(1).and_then(|it| it.parse().ok());
        status.unwrap_or_else(|| panic!("`{line}` has no status"))
    }

    /// Waits until the server ends it.
    pub async fn ends(&mut self) {
        while self.read().await {}
    }

    async fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match soon("what comes next", self.tcp.read(&mut bytes)).await {
            Ok(0) | Err(_) => false,
            Ok(count) => {
                self.came.push_str(&String::from_utf8_lossy(&bytes[..count]));
                true
            }
        }
    }
}
