//! The order in which messages are handled.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{self, Waker};

use super::batch::Collector;
use super::cancellation::{Cancellation, Fired};
use super::message::{self, Message};
use super::running::Responder;
use super::service::{Notification, Request, Service, Task};
use super::tasks::{Aside, Tasks, poll};
use super::unread::Unread;
use super::{Context, Link};

/// Hands messages to handlers in the order they came in.
///
/// While the handler of a notification is at work, what came after it waits: so a response
/// resolves only after the notifications before it were handled. What that handler itself waits
/// for does not wait: answers to its own calls, and while it waits for them, the peer's requests.
/// Nor do pieces of results, which no handler gets.
pub(super) struct Inbox {
    pub(super) link: Arc<Link>,
    service: Arc<dyn Service>,
    /// The notifications that can bring pieces of results.
    pieces: &'static [&'static str],
    tasks: Tasks,
    aside: Aside,
    /// The notification being handled.
    current: Option<(u64, Task)>,
    next: u64,
    /// What waits for it.
    queue: VecDeque<Queued>,
    /// Requests beyond the number that is handled at a time.
    waiting: VecDeque<Queued>,
    /// The line over the limit that is coming in.
    pub(super) excess: Option<Unread>,
    /// Whether nothing comes after the line that is handed out.
    pub(super) is_at_end: bool,
}

#[derive(Clone)]
struct Queued {
    text: String,
    batch: Option<Arc<Collector>>,
    /// It was cancelled before its turn.
    fired: Option<Fired>,
}

impl Queued {
    fn new(text: &str, batch: Option<&Arc<Collector>>) -> Self {
        let (text, batch) = (text.to_owned(), batch.cloned());
        Self {
            text,
            batch,
            fired: None,
        }
    }
}

impl Inbox {
    pub(super) fn new(link: Arc<Link>, service: Arc<dyn Service>, tasks: Tasks) -> Self {
        let aside = Aside::new(Arc::clone(&link));
        Self {
            link,
            pieces: service.notifications().pieces,
            service,
            tasks,
            aside,
            current: None,
            next: 0,
            queue: VecDeque::new(),
            waiting: VecDeque::new(),
            excess: None,
            is_at_end: false,
        }
    }

    /// Handles a message now, or when it is its turn.
    pub(super) fn take(
        &mut self,
        text: &str,
        message: &Message<'_>,
        batch: Option<&Arc<Collector>>,
    ) {
        let cancel = self.link.rules.cancel.map(|(method, _)| method);
        if let Message::Request { method, params, .. } | Message::Notification { method, params } =
            message
        {
            let cancellations = self.link.cancellations(method, *params);
            self.cancel(&cancellations);
        }
        let waits = match message {
            Message::Invalid { id, .. } => {
                return self.refuse_value(text, id, batch.map(|batch| &**batch));
            }
            Message::Notification { method, params } if Some(&**method) == cancel => {
                return self.link.check_cancellation(*params);
            }
            Message::Notification { method, params } if self.is_piece(method, *params) => return,
            Message::Response { id, .. } => self.is_barred(id),
            Message::Request { .. } => self.current.is_some() && !self.is_current_calling(),
            Message::Notification { .. } => self.current.is_some(),
        };
        if waits {
            self.queue.push_back(Queued::new(text, batch));
        } else {
            self.run(text, message, batch, None);
        }
    }

    /// Takes a piece of a result, which waits for no handler. Says whether it was one, as it should be
    /// or not.
    fn is_piece(&self, method: &str, params: Option<&str>) -> bool {
        if !self.pieces.contains(&method) {
            return false;
        }
        let context = Context::new(Arc::clone(&self.link), None, None);
        let notification = Notification {
            method,
            params,
            context,
        };
        self.service.piece(&notification).unwrap_or_else(|error| {
            self.link.passed_over(method, &error);
            true
        })
    }

    /// Cancels requests, whether they are handled already or not.
    fn cancel(&mut self, cancellations: &[Cancellation]) {
        self.link.cancel(cancellations);
        for cancellation in cancellations {
            for queued in self.queue.iter_mut().chain(&mut self.waiting) {
                if self.link.is_cancelled(&queued.text, cancellation) {
                    queued.fired.get_or_insert(cancellation.fired());
                }
            }
        }
    }

    /// Whether a response comes after a notification that is not handled yet, and not in answer
    /// to a call of its handler.
    fn is_barred(&self, id: &str) -> bool {
        self.current.as_ref().is_some_and(|(current, _)| {
            let state = self.link.lock();
            let call = state.calls.find(id);
            call.is_some_and(|call| !state.calls.is_from(call, *current))
        })
    }

    fn is_current_calling(&self) -> bool {
        let current = self.current.as_ref();
        current.is_some_and(|(current, _)| self.link.lock().calls.any_from(*current))
    }

    fn run(
        &mut self,
        text: &str,
        message: &Message<'_>,
        batch: Option<&Arc<Collector>>,
        fired: Option<Fired>,
    ) {
        match message {
            Message::Request { id, method, params } => {
                if self.may_start() && self.waiting.is_empty() {
                    self.request(id, method, *params, batch.cloned(), fired);
                } else {
                    let queued = Queued::new(text, batch);
                    self.waiting.push_back(Queued { fired, ..queued });
                }
            }
            Message::Notification { method, params } => {
                self.notification(method, *params);
            }
            Message::Response { id, result, error } => {
                self.link.settle(id, *result, *error);
            }
            Message::Invalid { .. } => {}
        }
    }

    fn may_start(&self) -> bool {
        let limit = self.link.options.max_requests;
        let state = self.link.lock();
        state.running.len() < limit && state.outbox.answers() < limit
    }

    fn request(
        &mut self,
        id: &str,
        method: &str,
        params: Option<&str>,
        batch: Option<Arc<Collector>>,
        fired: Option<Fired>,
    ) {
        if let (Some(handshake), Some(params)) = (&self.link.rules.handshake, params) {
            if handshake.is_in(method, false) {
                self.link.learn(&mut self.link.lock(), params);
            }
        }
        self.link.asked(method, params);
        let running = self.link.start(id, method, params, batch);
        if let Some(fired) = fired {
            running.cancel(fired);
        }
        let context = Context::new(Arc::clone(&self.link), Some(Arc::clone(&running)), None);
        let responder = Some(Responder::new(running));
        let mut request = Request {
            method,
            params,
            context,
            responder,
        };
        match self.service.request(&mut request) {
            Ok(mut task) => {
                // The first steps are taken here, so that requests start in order. Whatever it
                // then waits for, the one who takes over asks again.
                let mut context = task::Context::from_waker(Waker::noop());
                if task.as_mut().poll(&mut context).is_pending() {
                    self.tasks.add(task);
                }
            }
            Err(error) => {
                if let Some(responder) = request.responder.take() {
                    responder.finish::<()>(&Err(error));
                }
            }
        }
    }

    fn notification(&mut self, method: &str, params: Option<&str>) {
        self.next += 1;
        let notification = Notification {
            method,
            params,
            context: Context::new(Arc::clone(&self.link), None, Some(self.next)),
        };
        let mut task = match self.service.notification(&notification) {
            Ok(task) => task,
            Err(error) => return self.link.passed_over(method, &error),
        };
        let is_aside = self.aside.takes(method);
        let mut context = task::Context::from_waker(Waker::noop());
        if poll(&mut task, &mut context).is_ready() {
            return;
        }
        if is_aside {
            self.tasks.add(self.aside.counted(task));
        } else {
            self.current = Some((self.next, task));
        }
    }

    /// Goes on with what waits. Says whether anything happened.
    pub(super) fn poll(&mut self, context: &mut task::Context<'_>) -> bool {
        let mut happened = self.tasks.poll(context);
        loop {
            if let Some((_, task)) = &mut self.current {
                if poll(task, context).is_pending() {
                    break;
                }
                self.current = None;
                happened = true;
            }
            let Some(queued) = self.queue.pop_front() else {
                break;
            };
            self.run_queued(&queued);
            happened = true;
        }
        if !self.queue.is_empty() && self.is_current_calling() {
            happened |= self.run_requests();
        }
        while self.may_start() {
            let Some(queued) = self.waiting.pop_front() else {
                break;
            };
            if let Message::Request { id, method, params } = message::message(&queued.text) {
                self.request(id, &method, params, queued.batch, queued.fired);
            }
            happened = true;
        }
        happened
    }

    /// Starts the requests that wait for a notification whose handler waits for the peer.
    fn run_requests(&mut self) -> bool {
        let is_request =
            |queued: &Queued| matches!(message::message(&queued.text), Message::Request { .. });
        let (requests, others): (VecDeque<_>, VecDeque<_>) =
            self.queue.drain(..).partition(is_request);
        self.queue = others;
        for request in &requests {
            self.run_queued(request);
        }
        !requests.is_empty()
    }

    fn run_queued(&mut self, queued: &Queued) {
        let message = message::message(&queued.text);
        self.run(&queued.text, &message, queued.batch.as_ref(), queued.fired);
    }

    /// Whether more may come in. If not, the peer has to wait.
    ///
    /// What is at work may itself wait for answers: then they must come in, whatever else comes
    /// with them. The handler of a notification gets only the answers to its own calls before it
    /// is done, so other calls are no reason to go on reading.
    pub(super) fn has_space(&self) -> bool {
        let limit = self.link.options.max_requests;
        let is_queue_full = self.queue.len() >= limit || self.is_queue_large();
        if is_queue_full && !self.is_current_calling() {
            return false;
        }
        let state = self.link.lock();
        let is_waiting_full = self.waiting.len() >= limit && state.calls.unanswered() == 0;
        state.outbox.answers() < 4 * limit && !is_waiting_full
    }

    fn is_queue_large(&self) -> bool {
        let bytes: usize = self.queue.iter().map(|queued| queued.text.len()).sum();
        bytes > self.link.options.max_buffered
    }

    /// Nothing more comes in.
    pub(super) fn end(&mut self) {
        let state = self.link.lock();
        let answered = self.queue.iter().filter_map(|queued| {
            let Message::Response { id, .. } = message::message(&queued.text) else {
                return None;
            };
            state.calls.find(id)
        });
        let answered: Vec<u64> = answered.collect();
        drop(state);
        self.link.end_input(&answered);
    }

    /// Whether everything that came in has been handled.
    pub(super) fn is_idle(&self) -> bool {
        self.current.is_none()
            && self.aside.is_empty()
            && self.queue.is_empty()
            && self.waiting.is_empty()
            && self.link.lock().running.is_empty()
    }
}
