"""The order in which messages are handled."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import UNSET, Raw

from .message import NOTHING, Message
from .observed import Unexpected
from .running import Collector, Running, is_cancelled
from .service import HARD

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine
    from typing import Any

    from .link import Link
    from .service import Service

Queued: TypeAlias = "Message | Running"

_FACTOR: Final = 64
"""How many times as much as may wait to be written may wait to be handled.

That much is read to find the cancellations and responses behind it."""

_OVERHEAD: Final = 256
"""What a message takes beside its text, in bytes, about."""


class Inbox:
    """Hands messages to handlers in the order they came in.

    Notifications are handled one after another, by a task that waits for each handler. What
    came after a notification waits for it: so a call ends only after the notifications before
    its response were handled. But a handler may itself wait for the peer. What it can wait
    for, the response to a call that was made since it began, does not wait for it: if need be,
    notifications that came before that response are handled, by another task, while the
    handler still waits. Nor do requests, which the peer may need answered before it answers.
    """

    def __init__(
        self,
        link: Link,
        service: Service,
        resume: Callable[[], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        """Call `resume` when more may come in, after it was said that it may not."""
        self._link = link
        self._service = service
        self._resume = resume
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        # What waits, and how much it takes.
        self._queue: deque[tuple[Queued, int]] = deque()
        # Requests beyond the number that is handled at a time.
        self._waiting: OrderedDict[Running, int] = OrderedDict()
        # How much both take.
        self._size = 0
        link.withdraw = self._withdraw
        self._handling = link.handling
        self._workers: set[asyncio.Task[None]] = set()
        # Handlers that nothing waits for.
        self._aside: set[asyncio.Task[None]] = set()
        self._concurrent = frozenset(link.options.concurrent)
        # The worker that has nothing to do.
        self._parked: asyncio.Future[None] | None = None
        # Whether a worker is at work, and does not wait for a handler.
        self._is_active = False
        self._is_paused = False
        self._is_pumping = False
        self._rested: asyncio.Event = asyncio.Event()
        # Why calls get no answer: they are told when it is its turn.
        self._lost: dict[bytes, Exception] = {}

    def take(self, message: Message, batch: Collector | None, size: int = 0) -> None:
        """Handle a message of so many bytes now, or when it is its turn."""
        is_notification = message.id is NOTHING
        if message.method in self._link.requests.cancelling:
            self._link.cancel_turns(str(message.method), message.params)
        if is_notification:
            cancel = self._link.rules.cancel
            if cancel is not None and message.method == cancel.method:
                self._link.cancel(message.params)
                return
            interceptor = self._link.interceptor
            if interceptor is not None and interceptor.take(
                str(message.method), message.params
            ):
                return
            if message.method in self._concurrent:
                self._set_aside(message)
                return
        queued: Queued = message
        size += _OVERHEAD
        if not is_notification:
            if message.method is not UNSET:
                queued = self._link.requests.add(message, batch)
            if not self._queue and not self._handling and not self._is_active:
                self._run(queued, size)
                return
        self._queue.append((queued, size))
        self._size += size
        # A notification changes nothing for what waits before it.
        if not is_notification or not self._handling:
            self.pump()

    def lose(self, calls: Collection[bytes], error: Exception) -> None:
        """Fail calls that get no answer, after what came before."""
        answered = self.answered()
        for call in calls:
            if call not in answered and self._link.calls.find(call) is not None:
                self._lost[call] = error
                self.take(Message(id=Raw(call)), None)

    def _withdraw(self, running: Running) -> bool:
        """Take a request out that waits for its turn. Says whether it does."""
        size = self._waiting.pop(running, None)
        if size is not None:
            self._size -= size
            return True
        if running not in self._link.running:
            for place, (queued, size) in enumerate(self._queue):
                if queued is running:
                    del self._queue[place]
                    self._size -= size
                    return True
        return False

    def _run(self, queued: Queued, size: int) -> None:
        """Handle a request or a response."""
        if not isinstance(queued, Running):
            self._response(queued)
        elif self._may_start() and not self._waiting:
            self._service.request(queued)
        else:
            self._waiting[queued] = size
            self._size += size

    def _response(self, message: Message) -> None:
        request = bytes(message.id)
        lost = self._lost.pop(request, None)
        if lost is not None:
            self._link.calls.fail([request], lost)
            return
        pending = self._link.calls.find(request)
        if pending is None:
            self._link.observe(Unexpected(request))
        else:
            self._link.settle(request, pending, message)

    def _set_aside(self, message: Message) -> None:
        """Call the handler of a notification that nothing waits for."""
        handling = self._service.notification(message)
        if handling is not None:
            guarded = self._guarded(str(message.method), handling)
            task = self._loop.create_task(guarded)
            self._aside.add(task)
            task.add_done_callback(self._left)

    def _left(self, task: asyncio.Task[None]) -> None:
        self._aside.discard(task)
        self._check_rest()
        self.pump()

    def pump(self) -> None:
        """Go on with what waits."""
        if not self._is_pumping:
            # What is started may call this again.
            self._is_pumping = True
            while self._waiting and self._may_start():
                running, size = self._waiting.popitem(last=False)
                self._size -= size
                self._service.request(running)
            self._is_pumping = False
        if not self._is_active and self._next() is not None:
            self._is_active = True
            if self._parked is None:
                self._employ()
            elif not self._parked.done():
                self._parked.set_result(None)
        if self._is_paused and self.has_space():
            self._is_paused = False
            self._resume()

    def _employ(self) -> None:
        worker = self._loop.create_task(self._work())
        self._workers.add(worker)
        worker.add_done_callback(self._workers.discard)

    async def _work(self) -> None:
        """Hand out messages, and wait for the handlers of notifications."""
        is_begun = True
        while True:
            while (place := self._next()) is not None:
                message, size = self._queue[place]
                is_notification = message.id is NOTHING
                if is_notification and not is_begun:
                    # The handlers of the requests before it begin first.
                    is_begun = True
                    await asyncio.sleep(0)
                    continue
                del self._queue[place]
                self._size -= size
                if isinstance(message, Running) or not is_notification:
                    is_begun = False
                    self._run(message, size)
                    continue
                handling = self._service.notification(message)
                if handling is None:
                    continue
                await self._handle(str(message.method), handling)
                if self._is_active or self._parked is not None:
                    # Another one has taken over.
                    self.pump()
                    self._check_rest()
                    return
                self._is_active = True
            self._is_active = False
            self._check_rest()
            self._parked = self._loop.create_future()
            self.pump()
            await self._parked
            self._parked = None

    async def _handle(self, method: str, handling: Coroutine[Any, Any, None]) -> None:
        number = self._link.begin()
        self._is_active = False
        try:
            await self._guarded(method, handling)
        finally:
            self._handling.discard(number)

    async def _guarded(self, method: str, handling: Coroutine[Any, Any, None]) -> None:
        """Wait for a handler, and report what it raises."""
        link = self._link
        try:
            await handling
        except asyncio.CancelledError as error:
            if is_cancelled():
                raise
            link.report(method, error)
        except BaseException as error:
            if isinstance(error, HARD):
                self._failed(error)
                raise
            link.report(method, error)

    def _next(self) -> int | None:
        """Give the place in the queue of what may be handled now."""
        if not self._queue:
            return None
        if not self._handling:
            return 0
        calls = self._link.calls
        # While nobody calls, nobody waits for the peer.
        if not calls.has_since(min(self._handling)):
            return None
        last = max(self._handling)
        may_call = calls.has_since(last)
        is_awaited = False
        for place, (message, _) in enumerate(self._queue):
            if message.id is NOTHING:
                continue
            if isinstance(message, Running):
                if may_call:
                    return place
                continue
            call = calls.find(bytes(message.id))
            if call is None or call.origin in self._handling:
                return place
            is_awaited = is_awaited or call.after >= last
        # The response waits for the notifications before it, the handler for it.
        return 0 if is_awaited else None

    def _may_start(self) -> bool:
        limit = self._link.options.max_requests
        return len(self._link.running) < limit and self._link.outbox.answers < limit

    def has_space(self) -> bool:
        """Whether more may come in.

        What waits for a notification has to wait before it comes in, unless its handler may be
        waiting for the peer. Requests beyond the number that is handled at a time do not hold
        back the cancellations and responses after them, which end what is at work. But all that
        waits is bounded, whatever it waits for.
        """
        limit = self._link.options.max_requests
        calls, outbox = self._link.calls, self._link.outbox
        if outbox.answers >= 4 * limit:
            return False
        if self._size > _FACTOR * self._link.options.max_buffered:
            return False
        if len(self._aside) >= limit and not calls:
            return False
        if len(self._queue) < limit:
            return True
        return bool(self._handling) and calls.has_since(min(self._handling))

    def pause(self) -> None:
        """Take note that nothing more comes in before `resume` is called."""
        self._is_paused = True

    def answered(self) -> set[bytes]:
        """Give the ids of responses that are still to be delivered."""
        return {
            bytes(message.id)
            for message, _ in self._queue
            if not isinstance(message, Running) and message.method is UNSET
        }

    def _check_rest(self) -> None:
        if self.is_at_rest():
            self._rested.set()

    def is_at_rest(self) -> bool:
        """Whether all that came in was handled, but for requests."""
        is_idle = not self._handling and not self._is_active and not self._aside
        return is_idle and not self._queue

    @property
    def has_waiting(self) -> bool:
        """Whether requests wait for their turn."""
        return bool(self._waiting)

    async def rest(self) -> None:
        """Wait until what came in was handled, but for requests."""
        while not self.is_at_rest():
            self._rested.clear()
            await self._rested.wait()

    def has_task(self, task: asyncio.Task[Any] | None) -> bool:
        """Whether a task is one that handles notifications."""
        return task in self._workers or task in self._aside

    async def close(self) -> None:
        """Give up what is not done."""
        self._queue.clear()
        tasks = self._workers | self._aside
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=0.1)
