"""Calls that wait for their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .message import Message

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Collection, Container, Iterable


class Pending(Struct, gc=False, eq=False):
    """A call that has no answer yet.

    Attributes:
        answer: Gets the answer.
        origin: The notification whose handler made the call, or 0.
        after: The last notification that was given to its handler before the call.
        method: The method that is called.
    """

    answer: asyncio.Future[Message]
    origin: int
    after: int
    method: str


class Calls:
    """The calls on their way. Ids count up from 0."""

    __slots__ = ("_batches", "_next", "_pending")

    def __init__(self) -> None:
        """Begin without any."""
        self._pending: dict[bytes, Pending] = {}
        self._batches: list[list[bytes]] = []
        self._next = 0

    def __len__(self) -> int:
        """How many calls wait."""
        return len(self._pending)

    def open(self, pending: Pending) -> bytes:
        """Register a call, and give its id as JSON."""
        call = b"%d" % self._next
        self._next += 1
        self._pending[call] = pending
        return call

    def find(self, call: bytes) -> Pending | None:
        """Find the call that a response with this id is for."""
        return self._pending.get(call) or self._pending.get(_plain(call))

    def known(self, call: bytes) -> bytes | None:
        """Give the plain spelling of an id, if a call waits for its response."""
        plain = _plain(call)
        return plain if plain in self._pending else None

    def forget(self, call: bytes) -> bool:
        """Forget a call. Says whether it was still waiting."""
        found = self._pending.pop(call, None) or self._pending.pop(_plain(call), None)
        return found is not None

    def together(self, calls: list[bytes]) -> None:
        """Take note of calls that were sent as one message."""
        waiting = [it for it in self._batches if any(map(self._pending.get, it))]
        self._batches = [*waiting, calls]

    def sent_with(self, calls: Iterable[bytes]) -> list[bytes]:
        """Find those that wait of the calls that were sent in one batch with any of these."""
        wanted = set(calls)
        batches = [batch for batch in self._batches if not wanted.isdisjoint(batch)]
        return [call for batch in batches for call in batch if call in self._pending]

    def has_since(self, notification: int) -> bool:
        """Whether a call waits that was made since this notification's handler began."""
        return any(pending.after >= notification for pending in self._pending.values())

    def fail_all(self, error: Exception, but: Container[bytes]) -> None:
        """Fail all calls but those with these ids."""
        self.fail([call for call in self._pending if call not in but], error)

    def fail(self, calls: Collection[bytes], error: Exception) -> None:
        """Fail those of these calls that still wait."""
        for call in calls:
            pending = self._pending.pop(call, None)
            if pending is not None and not pending.answer.done():
                pending.answer.set_exception(error)


def _plain(spelled: bytes) -> bytes:
    """Give the plain spelling of an integer: `1.0` is the number 1, `-0` is 0."""
    if not spelled.startswith(b"-") and not any(it in spelled for it in b".eE"):
        return spelled
    try:
        number = float(spelled)
    except ValueError:
        return spelled
    return b"%d" % number if number.is_integer() else spelled
