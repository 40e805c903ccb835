"""What the parts of a connection share."""

from __future__ import annotations

import asyncio
import contextvars
from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec import Raw

from ..codec import ENCODER
from ..errors import (
    ConnectionClosedError,
    MalformedResponseError,
    NotInBatchError,
    RequestError,
    TooLongError,
)
from .agreement import Agreement
from .calls import Calls, Pending
from .message import NOTHING
from .observed import Dropped, Failed, Forgiven, Trouble
from .requests import Requests, canonical
from .rules import members
from .running import Collector, Running, answer, failure

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from ..support import DecodeError
    from .message import Message
    from .method import Method, Side
    from .options import ConnectionOptions
    from .outbox import Outbox
    from .rules import Turn
    from .watch import Watch

_HANDLED: Final[contextvars.ContextVar[tuple[Link, int] | None]] = (
    contextvars.ContextVar("handled", default=None)
)
"""The notification that is being handled, and the connection it came by."""


class Interceptor(Protocol):
    """Who may take notifications before any handler."""

    def take(self, method: str, params: Raw, /) -> bool:
        """Take a notification, or leave it to its handler. Says which."""
        ...


class Batch:
    """Messages that are to be sent together."""

    __slots__ = ("calls", "entries", "is_sent", "link", "methods")

    def __init__(self, link: Link) -> None:
        """Begin without any."""
        self.link = link
        self.calls: list[bytes] = []
        self.entries: list[bytes] = []
        self.methods: list[tuple[Method[Any], bytes | None]] = []
        self.is_sent = False

    def add(self, message: bytes, method: Method[Any], params: bytes | None) -> None:
        """Add a message, and what it says."""
        self.entries.append(message)
        self.methods.append((method, params))


BATCH: Final[contextvars.ContextVar[Batch | None]] = contextvars.ContextVar(
    "batch", default=None
)
"""Where messages wait until they are sent together."""


class Link:
    """The middle of a connection: handlers and callers meet here.

    Attributes:
        calls: The calls on their way.
        requests: The requests that have no answer yet, also those not yet begun with.
        running: Those that are being handled.
        notifications: How many notifications were given to handlers.
        handling: Those whose handlers are at work: in almost all cases one.
        outbox: Where messages go.
        options: What was chosen.
        rules: What the protocol says.
        request_error: The class of the errors that calls are answered with.
        agreement: What both ends agree on.
        ending: How the other end came to its end, where that is known.
        interceptor: Who may take notifications as they come in.
        withdraw: Takes a request out that waits, and says whether it did.
        is_ended: Whether nothing more comes in.
        is_closed: Whether nothing more goes out.
    """

    __slots__ = (
        "_changed",
        "_failure",
        "_left",
        "_loop",
        "_stop",
        "_watch",
        "agreement",
        "calls",
        "ending",
        "handling",
        "interceptor",
        "is_closed",
        "is_ended",
        "notifications",
        "options",
        "outbox",
        "request_error",
        "requests",
        "rules",
        "running",
        "withdraw",
    )

    def __init__(
        self,
        side: Side,
        options: ConnectionOptions,
        outbox: Outbox,
        watch: Watch,
        *,
        changed: Callable[[], None],
        stop: Callable[[BaseException], None],
    ) -> None:
        """Call `changed` when something happened that others may wait for.

        `stop` ends the connection.
        """
        rules = side.rules
        self.rules = rules
        self.request_error = side.request_error
        self.agreement = Agreement(rules)
        self.options = options
        self.outbox = outbox
        self.calls = Calls()
        self.requests = Requests(rules)
        self.running: dict[Running, None] = {}
        self.withdraw: Callable[[Running], bool] = lambda _: False
        self.notifications = 0
        self.interceptor: Interceptor | None = None
        self.handling: set[int] = set()
        self.is_ended = False
        self.is_closed = False
        self._loop = asyncio.get_running_loop()
        self._changed = changed
        self._watch = watch
        self._stop = stop
        self.ending = ""
        self._failure: BaseException | None = None
        # Who still handles requests that are answered.
        self._left: set[asyncio.Task[None]] = set()

    def observe(self, trouble: Trouble) -> None:
        """Show what did not go as it should."""
        self._watch.trouble(trouble)

    def received(self, line: bytes) -> None:
        """Show a line that came in."""
        if self._watch.is_on:
            self._watch.received(line)

    def report(self, method: str, error: BaseException) -> None:
        """Tell this side what the peer is not told."""
        self._watch.trouble(Failed(method, error))

    def dropped(self, method: str | None, error: DecodeError) -> None:
        """Take note of a message that is thrown away."""
        reason = f"expected {error.expected}, found {error.found}"
        self._watch.trouble(Dropped(method, error.path, reason))

    def forgiving(self, method: str) -> Callable[[DecodeError], None]:
        """Give what takes note of values in a message that are forgiven."""

        def forgive(error: DecodeError) -> None:
            reason = f"expected {error.expected}, found {error.found}"
            self._watch.trouble(Forgiven(method, error.path, reason))

        return forgive

    def check(self, method: Method[Any], batch: Batch | None) -> None:
        """Raise why a call fails before anything is sent, if it does."""
        if batch is not None and not self._may_be_in_batch(method):
            message = f"{method.name} cannot be part of a batch"
            raise NotInBatchError(message)
        if self.is_closed:
            raise self.closed_error()
        self.agreement.check(method)

    def _may_be_in_batch(self, method: Method[Any]) -> bool:
        rule = self.agreement.rule(method)
        return self.options.batches and not (rule is not None and rule.lifecycle)

    def closed_error(self) -> ConnectionClosedError:
        """Say that the connection is closed."""
        if isinstance(self._failure, ConnectionClosedError):
            return type(self._failure)(*self._failure.args)
        reason = f": {self.ending}" if self.ending else ""
        error = ConnectionClosedError(f"connection closed{reason}")
        error.__cause__ = self._failure
        return error

    def fits(self, message: bytes) -> None:
        """Raise that a message is too long to be sent, if it is."""
        limit = self.options.max_line
        if len(message) > limit:
            error = f"a message of {len(message)} bytes is over the limit of {limit}"
            raise TooLongError(error)

    def send(self, message: bytes, *, is_call: bool = False) -> None:
        """Send a message."""
        if is_call and self.outbox.is_closed and not self.is_closed:
            # The connection is about to end, and to say why to all calls.
            return
        # Whoever sends on and on has to learn that nobody takes it.
        if self.is_closed or self.outbox.is_closed:
            raise self.closed_error()
        if self._watch.is_on:
            self._watch.sent(message)
        self.outbox.push(message + b"\n")

    def begin(self) -> int:
        """Take note that a notification's handler begins, in the current task."""
        number = self.notifications = self.notifications + 1
        self.handling.add(number)
        _HANDLED.set((self, number))
        return number

    def open(self, method: str) -> tuple[bytes, Pending]:
        """Register a call. Gives its id as JSON, and who waits."""
        if self.is_ended:
            raise self.closed_error()
        handled = _HANDLED.get()
        origin = handled[1] if handled is not None and handled[0] is self else 0
        future: asyncio.Future[Message] = self._loop.create_future()
        pending = Pending(future, origin, self.notifications, method)
        if self.handling:
            # Whoever is being handled may wait for it from now on.
            self._loop.call_soon(self._changed)
        return self.calls.open(pending), pending

    def abandon(self, call: bytes, *, is_sent: bool) -> None:
        """Give up a call. The peer is told, if it might still be working on it."""
        if self.calls.forget(call) and is_sent:
            self.send_cancellation(call)

    def send_cancellation(self, call: bytes) -> None:
        """Tell the peer that the answer to a call is no longer wanted."""
        cancel = self.rules.cancel
        if cancel is not None and not self.is_closed:
            params = {cancel.property: Raw(call)}
            message = {"jsonrpc": "2.0", "method": cancel.method, "params": params}
            self.send(ENCODER.encode(message))

    def settle(self, call: bytes, pending: Pending, message: Message) -> None:
        """Settle the call that a response belongs to."""
        self.calls.forget(call)
        if message.error is NOTHING:
            error = self.agreement.settle(pending.method, message.result)
            if error is not None:
                self._break(error)
                pending.answer.set_exception(error)
        if not pending.answer.done():
            pending.answer.set_result(message)

    def _break(self, error: BaseException) -> None:
        """End the connection without another message."""
        self.is_closed = True
        self.outbox.drop()
        self._failure = error
        self._stop(error)

    def respond(self, running: Running, member: bytes) -> None:
        """Answer a request, once."""
        if running in self.running:
            del self.running[running]
            limit = self.options.max_line
            if len(answer(running.id, member)) > limit:
                text = f"an answer over the limit of {limit} bytes"
                self.report(running.method, TooLongError(text))
                member = failure(RequestError.internal_error())
            self.answer(running, member)
            self._changed()

    def answer(self, running: Running, member: bytes) -> None:
        """Answer a request that is not handled, or not any more."""
        self.requests.remove(running)
        self._answer(running.id, member, running.batch)

    def refuse(
        self, request: bytes, error: RequestError, batch: Collector | None
    ) -> None:
        """Answer what is no request."""
        self._answer(request, failure(error), batch)

    def _answer(self, request: bytes, member: bytes, batch: Collector | None) -> None:
        complete = (
            answer(request, member)
            if batch is None
            else batch.add(request, member, self.options.max_line)
        )
        if complete is not None:
            if self._watch.is_on:
                self._watch.sent(complete)
            self.outbox.answer(complete + b"\n")

    def cancel(self, params: Raw) -> None:
        """Cancel the request that a cancellation is for."""
        wanted = self._cancelled(params)
        if wanted is not None:
            for running in self.requests.marked(wanted):
                self._cancel(running, None)

    def sent(self, method: Method[Any], params: bytes | None) -> None:
        """Cancel what a message that was sent cancels at this end.

        It is answered at once: whoever sent it does not wait for handlers of its own.
        """
        if method.name in self.requests.cancelling:
            found = self.requests.cancelled(method.name, Raw(params or b""))
            for running, rule in found:
                self._cancel(running, outcome(rule))
                if running in self.running:
                    self._leave(running)

    def cancel_turns(self, method: str, params: Raw) -> None:
        """Cancel the requests that a message cancels."""
        for running, rule in self.requests.cancelled(method, params):
            self._cancel(running, outcome(rule))

    def _cancel(self, running: Running, result: bytes | None) -> None:
        """Cancel a request. One that no handler got is answered."""
        running.cancel(result)
        if self.withdraw(running):
            self.answer(running, running.ended())

    def _leave(self, running: Running) -> None:
        """Answer a request before its handler is done, which may take its time."""
        self.respond(running, running.ended())
        if running.task is not None and not running.task.done():
            self._left.add(running.task)
            running.task.add_done_callback(self._left.discard)

    def start(self, running: Running) -> None:
        """Take note that a request begins to be handled."""
        self.running[running] = None

    def _cancelled(self, params: Raw) -> bytes | None:
        """Give the id of the request that a cancellation is for. What has none is dropped."""
        cancel = self.rules.cancel
        if cancel is None:
            return None
        name = cancel.property
        named = bytes((members(params) or {}).get(name, NOTHING))
        if named and named[:1] not in b"{[tf":
            return canonical(named)
        reason = "expected the id of a request"
        self.observe(Dropped(cancel.method, f"params.{name}", reason))
        return None

    def end(self, failure: BaseException | None, answered: Container[bytes]) -> None:
        """Take note that nothing more comes in.

        Calls fail but for those whose answers are still to be delivered.
        """
        self._failure = failure
        self.is_ended = True
        self.calls.fail_all(self.closed_error(), answered)
        self.outbox.wake()


def outcome(turn: Turn) -> bytes | None:
    """Write what a request that is cancelled so is answered with, if that is no error."""
    return None if turn.result is None else turn.result.encode()


def malformed(what: object) -> MalformedResponseError:
    """Say that a response is none."""
    return MalformedResponseError(f"malformed response: {what}")
