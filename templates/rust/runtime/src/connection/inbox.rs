//! The order in which messages are handled.

use std::sync::Arc;
use std::task::{self, Waker};

use super::batch::Collector;
use super::cancellation::Cancellation;
use super::hold::Hold;
use super::message::{self, Message};
use super::rules::Part;
use super::running::Responder;
use super::service::{Notification, Request, Service, Task};
use super::tasks::{Aside, Tasks, poll};
use super::unread::Unread;
use super::waiting::{Queued, Waiting};
use super::{Context, Link};

/// Hands messages to handlers in the order they came in.
///
/// While the handler of a notification is at work, what came after it waits: so a response
/// resolves only after the notifications before it were handled. What that handler itself waits
/// for does not wait: answers to its own calls, and while it waits for them, the peer's requests.
/// Nor do pieces of results, which no handler gets. And what came after an answer waits until its
/// caller has had it.
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
    /// What waits for it, or for a caller.
    queue: Waiting,
    /// Requests beyond the number that is handled at a time.
    waiting: Waiting,
    hold: Hold,
    /// The line over the limit that is coming in.
    pub(super) excess: Option<Unread>,
    /// Whether nothing comes after the line that is handed out.
    pub(super) is_at_end: bool,
}

/// How many times as much as may wait to be written may wait to be handled: that much is read to
/// find the cancellations and answers behind it.
const FACTOR: usize = 64;

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
            queue: Waiting::default(),
            waiting: Waiting::default(),
            hold: Hold::default(),
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
        let cancel = self.link.rules.cancel.map(|cancel| cancel.method);
        if let Message::Request { method, params, .. } | Message::Notification { method, params } =
            message
        {
            for cancellation in self.link.cancellations(method, *params) {
                self.link.cancel(&cancellation);
                self.cancel_waiting(&cancellation);
            }
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
            Message::Request { .. } => self.is_request_barred(),
            Message::Notification { .. } => self.current.is_some() || self.is_held(),
        };
        if waits {
            self.queue.push(self.queued(text, message, batch));
        } else {
            self.run(text, message, batch);
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

    fn queued(&self, text: &str, message: &Message<'_>, batch: Option<&Arc<Collector>>) -> Queued {
        Queued::new(text, message, batch, self.link.rules.cancels)
    }

    /// Answers the requests that are cancelled before any handler got them.
    fn cancel_waiting(&mut self, cancellation: &Cancellation) {
        let mark = &cancellation.mark;
        let queued = self.queue.take_marked(mark).into_iter();
        for Queued { text, batch, .. } in queued.chain(self.waiting.take_marked(mark)) {
            if let Message::Request { id, .. } = message::message(&text) {
                let (batch, fired) = (batch.as_deref(), cancellation.fired);
                self.link.answer_cancelled(id, batch, fired);
            }
        }
    }

    /// The same by what went out.
    fn cancel_own(&mut self) -> bool {
        let cancelled = std::mem::take(&mut self.link.lock().cancelled);
        for cancellation in &cancelled {
            self.cancel_waiting(cancellation);
        }
        !cancelled.is_empty()
    }

    /// Whether a response comes after a notification that is not handled yet, and not in answer
    /// to a call of its handler.
    fn is_barred(&self, id: &str) -> bool {
        let Some((current, _)) = &self.current else {
            return !self.queue.is_empty();
        };
        let state = self.link.lock();
        let call = state.calls.find(id);
        call.is_some_and(|call| !state.calls.is_from(call, *current))
    }

    fn is_request_barred(&self) -> bool {
        (self.current.is_some() && !self.is_current_calling()) || self.is_held()
    }

    /// Whether a caller has not had its answer yet, or something waits for one that has not.
    fn is_held(&self) -> bool {
        (self.current.is_none() && !self.queue.is_empty()) || self.link.lock().calls.has_untaken()
    }

    fn is_current_calling(&self) -> bool {
        let current = self.current.as_ref();
        current.is_some_and(|(current, _)| self.link.lock().calls.any_from(*current))
    }

    fn run(&mut self, text: &str, message: &Message<'_>, batch: Option<&Arc<Collector>>) {
        match message {
            Message::Request { id, method, params } => {
                if self.may_start() && self.waiting.is_empty() {
                    self.request(id, method, *params, batch.cloned());
                } else {
                    self.waiting.push(self.queued(text, message, batch));
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
    ) {
        if let (Some(handshake), Some(params)) = (&self.link.rules.handshake, params) {
            if handshake.is_in(method, Part::Params) {
                self.link.learn(&mut self.link.lock(), params);
            }
        }
        self.link.asked(method, params);
        let running = self.link.start(id, method, params, batch);
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
        happened |= self.cancel_own();
        loop {
            if let Some((_, task)) = &mut self.current {
                if poll(task, context).is_pending() {
                    break;
                }
                self.current = None;
                happened = true;
            }
            if self.queue.is_empty() || self.waits_for_callers(context) {
                break;
            }
            if let Some(queued) = self.queue.pop() {
                self.run_queued(&queued);
            }
            happened = true;
        }
        if self.current.is_some() && !self.queue.is_empty() && self.is_current_calling() {
            happened |= self.hold.poll(&self.link, context).is_ready() && self.run_requests();
        }
        while self.may_start() {
            let Some(queued) = self.waiting.pop() else {
                break;
            };
            if let Message::Request { id, method, params } = message::message(&queued.text) {
                self.request(id, &method, params, queued.batch);
            }
            happened = true;
        }
        happened
    }

    /// Whether what is first may not be handled before callers have had their answers.
    fn waits_for_callers(&mut self, context: &task::Context<'_>) -> bool {
        let is_response = self.queue.first().is_some_and(|it| it.is_response);
        !is_response && self.hold.poll(&self.link, context).is_pending()
    }

    /// Starts the requests that wait for a notification whose handler waits for the peer.
    fn run_requests(&mut self) -> bool {
        let requests = self.queue.take_requests();
        for request in &requests {
            self.run_queued(request);
        }
        !requests.is_empty()
    }

    fn run_queued(&mut self, queued: &Queued) {
        let message = message::message(&queued.text);
        self.run(&queued.text, &message, queued.batch.as_ref());
    }

    /// Whether more may come in. If not, the peer has to wait.
    ///
    /// What waits for a notification has to wait before it comes in, unless its handler waits for
    /// an answer. Requests beyond the number that is handled at a time do not hold back the
    /// cancellations and answers after them, which end what is at work. But all that waits is
    /// bounded, whatever it waits for.
    pub(super) fn has_space(&self) -> bool {
        let options = &self.link.options;
        let (limit, size) = (options.max_requests, self.queue.size());
        let is_queue_full = self.queue.len() >= limit || size > options.max_buffered;
        if is_queue_full && !self.is_current_calling() {
            return false;
        }
        let is_full = size + self.waiting.size() > options.max_buffered.saturating_mul(FACTOR);
        !is_full && self.link.lock().outbox.answers() < limit.saturating_mul(4)
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
