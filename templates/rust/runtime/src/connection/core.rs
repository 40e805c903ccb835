//! A connection without input and output.

use std::fmt;
use std::sync::Arc;
use std::task::{Context, Poll};

use super::framing::{Framing, Line};
use super::inbox::Inbox;
use super::options::Options;
use super::service::Service;
use super::tasks::Tasks;
use super::{CallError, Link, Peer};

/// One end of a connection: it takes bytes, calls handlers, and gives bytes. Whoever has it does
/// the reading, the writing and the waiting, with any executor or with none.
///
/// Give it what was read ([`receive`](Self::receive), [`end`](Self::end)), let it go on
/// ([`poll`](Self::poll)), write what it gives ([`take_output`](Self::take_output)), again and
/// again until `poll` is ready.
pub struct Core {
    link: Arc<Link>,
    framing: Framing,
    inbox: Inbox,
    has_ended: bool,
}

impl Core {
    #[doc(hidden)]
    pub fn new(service: Arc<dyn Service>, options: Options, tasks: Tasks) -> Self {
        let framing = Framing::new(options.max_line);
        let link = Link::new(&*service, options);
        let known = service.notifications();
        let mut concurrent = link.options.concurrent.iter();
        if let Some(reason) = concurrent.find_map(|name| known.refusal(name)) {
            link.give_up(CallError::Options(reason));
        }
        let inbox = Inbox::new(Arc::clone(&link), service, tasks);
        Self {
            link,
            framing,
            inbox,
            has_ended: false,
        }
    }

    /// The other end.
    pub fn peer(&self) -> Peer {
        Peer::new(Arc::clone(&self.link), None)
    }

    /// Whether more should be read now. If not, so much is at work that the sender has to wait.
    pub fn has_space(&self) -> bool {
        !self.has_ended && self.inbox.has_space()
    }

    /// Takes what was read, in whatever pieces it comes.
    pub fn receive(&mut self, bytes: &[u8]) {
        if self.has_ended {
            return;
        }
        self.framing.receive(bytes);
        self.hand_out();
    }

    /// Nothing more will be read. A last line without a newline counts; calls without an answer
    /// fail, and handlers are cancelled.
    pub fn end(&mut self) {
        if self.has_ended {
            return;
        }
        self.has_ended = true;
        self.framing.end();
        self.inbox.is_at_end = true;
        self.hand_out();
        self.inbox.end();
    }

    /// Lets handlers go on. Ready once there is no more input, every handler is done, and
    /// everything they gave is taken.
    ///
    /// The context is woken when there is more to do, or to write.
    pub fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while self.advance(context) {}
        self.link.watch(context);
        if self.is_done() {
            return Poll::Ready(());
        }
        Poll::Pending
    }

    /// Takes what there is to write, in place of what is in the buffer. Says whether there was
    /// anything; if not, the context is woken once there is.
    pub fn take_output(&mut self, into: &mut Vec<u8>, context: &Context<'_>) -> bool {
        self.link.take_output(into, context)
    }

    /// Lets handlers go on for a step. Says whether anything happened.
    pub(super) fn advance(&mut self, context: &mut Context<'_>) -> bool {
        let happened = self.inbox.poll(context);
        if self.link.lock().is_stopped && !self.has_ended {
            self.has_ended = true;
            self.inbox.end();
            return true;
        }
        happened
    }

    /// Whether nothing more comes in, and there is nothing more to do or to write.
    pub(super) fn is_done(&self) -> bool {
        self.has_ended && self.inbox.is_idle() && self.link.lock().outbox.is_empty()
    }

    /// Whether it was asked to end, and has not begun to. If not, the context is woken when it is,
    /// even while something waits to be written.
    pub(super) fn is_to_end(&self, context: &Context<'_>) -> bool {
        self.link.watch(context) && !self.has_ended
    }

    /// Whether nothing more comes in, or is wanted.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The end, and why.
    pub(super) fn close(&self, end: Result<(), String>) {
        self.link.close(end.map_err(CallError::Lost));
    }

    fn hand_out(&mut self) {
        while let Some(line) = self.framing.line() {
            match line {
                Line::Whole(line) => self.inbox.line(line),
                Line::Excess { piece, is_last } => {
                    self.inbox.excess(piece, is_last);
                }
            }
        }
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        self.link.close(Ok(()));
    }
}

impl fmt::Debug for Core {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Core").finish_non_exhaustive()
    }
}
