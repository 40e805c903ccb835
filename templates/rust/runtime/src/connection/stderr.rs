//! The standard error of a process.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::ChildStderr;

use super::process::Lines;
use super::tail::Tail;

/// How long a line is handed out as one.
const LONGEST: usize = 64 << 10;

/// Reads all that a process says.
pub(super) async fn read(mut stderr: ChildStderr, tail: Tail, mut take: Option<Lines>) {
    let mut chunk = vec![0; 8 << 10];
    let mut line = Vec::new();
    loop {
        let read = poll_fn(|context| {
            let mut chunk = ReadBuf::new(&mut chunk);
            let polled = Pin::new(&mut stderr).poll_read(context, &mut chunk);
            polled.map_ok(|()| chunk.filled().len())
        });
        let bytes = match read.await {
            Ok(0) | Err(_) => break,
            Ok(read) => &chunk[..read],
        };
        tail.push(bytes);
        if let Some(take) = &mut take {
            line.extend_from_slice(bytes);
            hand_out(&mut line, take);
        }
    }
    if let Some(take) = take.as_mut().filter(|_| !line.is_empty()) {
        give(&line, take);
    }
}

/// Hands out the lines that are there to their ends.
fn hand_out(bytes: &mut Vec<u8>, take: &mut Lines) {
    let mut start = 0;
    while let Some(length) = bytes[start..].iter().position(|byte| *byte == b'\n') {
        give(&bytes[start..start + length], take);
        start += length + 1;
    }
    bytes.drain(..start);
    if bytes.len() > LONGEST {
        give(bytes, take);
        bytes.clear();
    }
}

/// Hands out a line. If its taker panics, it loses that line only.
fn give(line: &[u8], take: &mut Lines) {
    let line = String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line));
    let _ = catch_unwind(AssertUnwindSafe(|| take(&line)));
}
