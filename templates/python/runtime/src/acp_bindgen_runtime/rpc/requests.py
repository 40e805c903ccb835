"""Requests that have no answer yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import UNSET, Raw
from msgspec.json import decode

from ..codec import ENCODER
from .message import REFUSALS
from .rules import members
from .running import Collector, Running

if TYPE_CHECKING:
    from .message import Message
    from .rules import Rules, Turn

Mark: TypeAlias = "bytes | tuple[int, bytes]"
"""What a request is found by: its id, or the value that a message has that cancels it."""


class Requests:
    """Requests that have no answer yet, found by what may cancel them.

    Attributes:
        cancelling: What messages cancel, by their methods: rules with their places.
    """

    __slots__ = ("_cancelled", "_marked", "cancelling")

    def __init__(self, rules: Rules) -> None:
        """Begin without any."""
        self.cancelling: dict[str, list[tuple[int, Turn]]] = {}
        self._cancelled: dict[str, list[tuple[int, Turn]]] = {}
        self._marked: dict[Mark, dict[Running, None]] = {}
        for rule in enumerate(rules.cancels):
            self.cancelling.setdefault(rule[1].method, []).append(rule)
            self._cancelled.setdefault(rule[1].request, []).append(rule)

    def add(self, message: Message, batch: Collector | None) -> Running:
        """Take note of a request."""
        running = Running(message, batch)
        marks: list[Mark] = [canonical(running.id)]
        for place, rule in self._cancelled.get(running.method, ()):
            key = _key(rule.key, running.params)
            if key is not None:
                marks.append((place, key))
        for mark in marks:
            self._marked.setdefault(mark, {})[running] = None
        running.marks = marks
        return running

    def remove(self, running: Running) -> None:
        """Forget a request that is answered."""
        for mark in running.marks:
            marked = self._marked.get(mark)
            if marked is not None:
                marked.pop(running, None)
                if not marked:
                    del self._marked[mark]

    def marked(self, mark: Mark) -> list[Running]:
        """Find requests."""
        return list(self._marked.get(mark, ()))

    def cancelled(
        self, method: str | object, params: Raw
    ) -> list[tuple[Running, Turn]]:
        """Find the requests that a message cancels, and by which rule."""
        if method is UNSET or not self._marked:
            return []
        found: list[tuple[Running, Turn]] = []
        for place, rule in self.cancelling.get(str(method), ()):
            key = _key(rule.key, params)
            if key is not None:
                found += [(it, rule) for it in self.marked((place, key))]
        return found


def canonical(spelled: bytes) -> bytes:
    """Give the one spelling of a string; of other JSON, its own."""
    if b"\\" not in spelled or spelled[:1] != b'"':
        return spelled
    return ENCODER.encode(decode(spelled))


def _key(name: str, params: Raw) -> bytes | None:
    """Give a property of params in its one spelling."""
    spelled = (members(params) or {}).get(name)
    if spelled is None:
        return None
    key = canonical(bytes(spelled))
    if key[:1] not in b"-0123456789":
        return key
    try:
        number = float(key)
    except REFUSALS:
        return key
    return b"%d" % number if number.is_integer() and abs(number) < 1 << 53 else key
