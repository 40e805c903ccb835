"""Requests that are being handled."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Final

from ..codec import ENCODER
from ..errors import RequestError

if TYPE_CHECKING:
    from .message import Message
    from .requests import Mark

_INT32: Final = 1 << 31


class Collector:
    """Collects the answers to a batch."""

    __slots__ = ("_answers", "_missing", "_size")

    def __init__(self, missing: int) -> None:
        """Wait for so many answers."""
        self._answers: list[tuple[bytes, bytes]] = []
        self._missing = missing
        # Two brackets, and a comma less than there are answers.
        self._size = 1

    def add(self, request: bytes, member: bytes, limit: int) -> bytes | None:
        """Add an answer, and give the array once it is complete.

        What makes it longer than `limit` is answered with an error.
        """
        self._answers.append((request, member))
        self._size += len(answer(request, member)) + 1
        self._missing -= 1
        if self._missing > 0:
            return None
        if self._size > limit:
            self._shorten(limit)
        return b"[%b]" % b",".join(answer(*each) for each in self._answers)

    def _shorten(self, limit: int) -> None:
        too_long = failure(RequestError.internal_error())
        answers = self._answers
        for place in sorted(range(len(answers)), key=lambda it: -len(answers[it][1])):
            if self._size <= limit:
                return
            request, member = answers[place]
            answers[place] = request, too_long
            self._size += len(too_long) - len(member)


class Running:
    """A request that has no answer yet.

    Attributes:
        id: Its id as JSON.
        method: Its method.
        params: Its params as JSON.
        batch: The batch that it came in.
        task: Who handles it.
        is_started: Whether the handler was called.
        is_cancelled: Whether the answer is no longer wanted.
        marks: What a cancellation finds it by.
        result: What it is answered with if its handler ends by being cancelled, as JSON.
    """

    __slots__ = (
        "batch",
        "id",
        "is_cancelled",
        "is_started",
        "marks",
        "method",
        "params",
        "result",
        "task",
    )

    def __init__(self, message: Message, batch: Collector | None) -> None:
        """Take note of a request."""
        self.id = bytes(message.id)
        self.method = str(message.method)
        self.params = message.params
        self.batch = batch
        self.marks: list[Mark] = []
        self.result: bytes | None = None
        self.task: asyncio.Task[None] | None = None
        self.is_started = False
        self.is_cancelled = False

    def cancel(self, result: bytes | None = None) -> None:
        """Tell the handler that the answer is no longer wanted."""
        if self.is_cancelled:
            return
        self.is_cancelled = True
        self.result = result
        # A handler that was not called yet will be: it may have its say, too.
        if self.is_started:
            self.interrupt()

    def ended(self) -> bytes:
        """Write the member of the response if the handler ends by being cancelled."""
        if self.result is not None:
            return b'"result":' + self.result
        return failure(RequestError.request_cancelled())

    def interrupt(self) -> None:
        """Cancel the handler's task."""
        if self.task is not None:
            self.task.cancel()


def answer(request: bytes, member: bytes) -> bytes:
    """Write the response to a request."""
    return b'{"jsonrpc":"2.0","id":%b,%b}' % (request, member)


def failure(error: RequestError) -> bytes:
    """Write the member of a response that says what went wrong."""
    try:
        return b'"error":' + ENCODER.encode(error.to_dict())
    except Exception:  # noqa: BLE001
        # What came with it is no JSON.
        return failure(RequestError.internal_error())


def known(error: BaseException) -> RequestError | None:
    """Give what a handler answers that raised this, if that is for the peer to know."""
    if isinstance(error, RequestError) and _can_be_sent(error.code, error.message):
        return error
    return None


def _can_be_sent(code: object, text: object) -> bool:
    """Whether an error has what one of JSON-RPC must have. Nobody has looked before."""
    is_code = isinstance(code, int) and -_INT32 <= code < _INT32
    return is_code and isinstance(text, str)


def words_of(error: BaseException) -> str:
    """Give what an exception says. Not all can be asked."""
    try:
        return str(error)
    except Exception:  # noqa: BLE001
        return type(error).__name__


def is_cancelled() -> bool:
    """Whether this task is cancelled from outside. Before Python 3.11 nobody knows."""
    task = asyncio.current_task()
    if sys.version_info >= (3, 11) and task is not None:
        return task.cancelling() > 0
    return True
