"""Requests that are being handled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._codec import ENCODER
from ..errors import CallError, RequestError

if TYPE_CHECKING:
    import asyncio

    from .message import Message


class Collector:
    """Collects the answers to a batch."""

    __slots__ = ("_answers", "_missing")

    def __init__(self, missing: int) -> None:
        """Wait for so many answers."""
        self._answers: list[bytes] = []
        self._missing = missing

    def add(self, answer: bytes) -> bytes | None:
        """Add an answer, and give the array once it is complete."""
        self._answers.append(answer)
        self._missing -= 1
        return None if self._missing > 0 else b"[%b]" % b",".join(self._answers)


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
        result: What it is answered with if its handler ends by being cancelled, as JSON.
    """

    __slots__ = (
        "batch",
        "id",
        "is_cancelled",
        "is_started",
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
    if isinstance(error, RequestError):
        return error
    if isinstance(error, CallError):
        return RequestError(RequestError.internal_error().code, str(error))
    return None
