"""Reads, writes, and hands out messages."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection
from typing import Any

from ..errors import RequestError
from .context import Context
from .framing import Framing, Line
from .inbox import Inbox
from .intake import Intake
from .link import Link
from .method import Side
from .options import ConnectionOptions
from .outbox import Outbox
from .running import failure
from .service import Service
from .stdio import StandardStreams
from .stray import Strays
from .transport import Ending, Impatient, Transport
from .watch import Watch


class Connection:
    """One end of a connection.

    Attributes:
        transport: Where bytes come from and go to.
        link: How to call the other end.
    """

    def __init__(
        self, transport: Transport, side: Side, options: ConnectionOptions | None
    ) -> None:
        """Connect over a transport."""
        options = options or ConnectionOptions()
        self.transport = transport
        self._side = side
        self._options = options
        self._framing = Framing(options.max_line)
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._failure: BaseException | None = None
        self._inbox: Inbox | None = None
        self._intake: Intake | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False
        outbox = Outbox(transport, options.max_buffered, self._changed, self.stop)
        has_runner = isinstance(transport, StandardStreams)
        self._watch = Watch(options, side, has_runner=has_runner)
        may_print = options.stray_lines is not None or isinstance(transport, Ending)
        self._strays = None
        if may_print:
            self._strays = Strays(options.stray_lines, self._watch.logger)
        self.link = Link(
            side,
            options,
            outbox,
            self._watch,
            changed=self._changed,
            stop=self.stop,
        )

    def start(self, handler: Any, context: type[Context], near: object) -> None:
        """Begin to hand out messages, once whoever is at work now waits.

        A handler that is a function makes the handler of the connection it gets.
        """
        if not self._side.is_handler(handler):
            handler = handler(near)
        try:
            service = Service(self.link, self._side, handler, context)
        except ValueError:
            self._watch.close()
            raise
        inbox = self._inbox = Inbox(self.link, service, self._resume, self.stop)
        self._intake = Intake(self.link, inbox, self._strays)
        self._task = self._loop.create_task(self._run())

    def receive(self, data: bytes, /) -> None:
        """Take what was read."""
        if not self._is_stopped:
            self._lines(self._framing.receive(data))

    def _lines(self, lines: list[Line]) -> None:
        inbox, intake = self._inbox, self._intake
        if inbox is None or intake is None:
            return
        for line in lines:
            intake.line(line)
        if not inbox.has_space():
            inbox.pause()
            self.transport.pause()

    def end(self, failure: BaseException | None, /) -> None:
        """Take note that nothing more comes."""
        if self._is_stopped or self._ended.done():
            return
        self._failure = failure
        if self._intake is not None:
            self._intake.is_at_end = True
        if failure is None:
            self._lines(self._framing.end())
        if not self._ended.done():
            self._ended.set_result(None)

    def fail(self, calls: Collection[bytes], error: Exception, /) -> None:
        """Fail calls that get no answer, after what came before."""
        if not calls:
            self.link.report("a message", error)
        if self._inbox is not None:
            self._inbox.lose(calls, error)

    def stop(self, failure: BaseException | None = None) -> None:
        """Take nothing more."""
        if self._is_stopped:
            return
        self._is_stopped = True
        self._failure = self._failure or failure
        self.transport.stop()
        if not self._ended.done():
            self._ended.set_result(None)

    def _changed(self) -> None:
        if self._inbox is not None:
            self._inbox.pump()

    def _resume(self) -> None:
        if not self._is_stopped:
            self.transport.resume()

    @property
    def is_ended(self) -> bool:
        """Whether nothing more comes in."""
        return self.link.is_ended

    async def wait_closed(self) -> BaseException | None:
        """Wait until the connection has ended. Gives the reason if that is a failure."""
        if self._task is not None:
            await asyncio.wait((self._task,))
        return self._failure

    async def wait_idle(self) -> None:
        """Wait until no request is being handled."""
        while tasks := [it.task for it in self.link.running if it.task is not None]:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)

    async def close(self) -> None:
        """End the connection once everything is written."""
        self.link.is_closed = True
        self.stop()
        # A handler does not wait for its own end.
        task = asyncio.current_task()
        is_handler = any(running.task is task for running in self.link.running)
        if not is_handler and not (
            self._inbox is not None and self._inbox.has_task(task)
        ):
            await self.wait_closed()

    async def _run(self) -> None:
        inbox = self._inbox
        if inbox is None:
            return
        try:
            if not self._is_stopped:
                self.transport.start(self)
                await self._ended
            if not self.link.is_closed:
                self.link.ending = await self._ending()
            self.link.end(self._failure, inbox.answered())
            await self._rest(inbox)
        finally:
            self.link.is_ended = self.link.is_closed = self._is_stopped = True
            await inbox.close()
            await _finished(self.transport, self.link.outbox.close())
            self._watch.close()

    async def _ending(self) -> str:
        """Learn how the other end came to its end, where a transport can tell."""
        if not isinstance(self.transport, Ending):
            return ""
        said = self._strays.last_lines if self._strays is not None else []
        return "\n".join((await self.transport.ending(), *said))

    async def _rest(self, inbox: Inbox) -> None:
        """Wait for handlers; those that go on waiting are given up."""
        running = self.link.running
        grace = self._options.grace
        deadline = self._loop.time() + grace
        while running or inbox.has_waiting or not inbox.is_at_rest():
            # Whatever is ready happens.
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            for each in list(running):
                each.cancel()
            tasks = [each.task for each in running if each.task is not None]
            left = max(deadline - self._loop.time(), 0)
            if tasks:
                await asyncio.wait(tasks, timeout=left)
            if left == 0 or not tasks:
                self._give_up()
            if not inbox.has_waiting:
                try:
                    await asyncio.wait_for(inbox.rest(), timeout=max(left, 0.001))
                except asyncio.TimeoutError:
                    return

    def _give_up(self) -> None:
        cancelled = failure(RequestError.request_cancelled())
        for each in list(self.link.running):
            self.link.respond(each, cancelled)


async def _finished(transport: Transport, written: Awaitable[None]) -> None:
    """Wait until all is written, or a transport does not wait any longer."""
    if isinstance(transport, Impatient):
        await transport.wait_written(written)
    else:
        await written
