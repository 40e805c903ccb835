"""Messages as events of `text/event-stream`."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

ALIVE: Final = b": alive\n\n"
"""A comment that says nothing."""

OPEN: Final = b": open\n\n"
"""A comment with which a stream begins, so that whoever waits for it learns that it is there."""

_MARK: Final = b"\xef\xbb\xbf"
_CLOSED: Final = b"closed: "
_DIGITS: Final = 9


class Event(Struct):
    """A message of a stream.

    Attributes:
        data: The message.
        after: How many messages of the session's stream come before it, if it is said.
    """

    data: bytes
    after: int | None = None


def written(line: bytes, after: int | None) -> bytes:
    """Write a message."""
    data = b"data: %b\n\n" % line
    return data if after is None else b"after: %d\n%b" % (after, data)


def farewell(reason: str) -> bytes:
    """Write why a stream ends before its time."""
    return b": closed: %b\n\n" % reason.replace("\n", " ").encode()


class TooLongError(Exception):
    """An event is longer than what is taken."""


class Events:
    """Cuts a stream into events, whatever the pieces it comes in.

    Attributes:
        reason: Why the stream ends, if it says so.
    """

    def __init__(self, limit: int) -> None:
        """Take events of at most so many bytes."""
        self.reason = ""
        self._limit = limit
        self._held = bytearray()
        # Where in what is held no line ends.
        self._searched = 0
        self._data: list[bytes] = []
        self._after: int | None = None
        self._size = 0
        self._is_begun = False
        self._is_after_return = False

    def feed(self, piece: bytes) -> list[Event]:
        """Take a piece, and give the events that end in it.

        Raises:
            TooLongError: One is too long.
        """
        events: list[Event] = []
        self._held += piece
        if not self._is_begun:
            if len(self._held) < len(_MARK) and _MARK.startswith(self._held):
                return events
            self._is_begun = True
            if self._held.startswith(_MARK):
                del self._held[: len(_MARK)]
        begin = 0
        while (end := self._end_of_line(begin)) is not None:
            line = bytes(self._held[begin:end])
            begin = self._searched
            event = self._line(line)
            if event is not None:
                events.append(event)
        del self._held[:begin]
        self._searched -= begin
        if self._size + len(self._held) > self._limit + _DIGITS:
            raise TooLongError
        return events

    def _end_of_line(self, begin: int) -> int | None:
        """Find the end of a line; the next one begins where is not searched yet."""
        held = self._held
        if self._is_after_return and begin < len(held):
            # A line feed after a carriage return ends no other line.
            self._is_after_return = False
            if held[begin] == ord("\n"):
                del held[begin]
                self._searched = max(self._searched - 1, begin)
        at = max(self._searched, begin)
        feed = held.find(b"\n", at)
        back = held.find(b"\r", at, feed if feed >= 0 else len(held))
        ends = [end for end in (feed, back) if end >= 0]
        if not ends:
            self._searched = len(held)
            return None
        end = min(ends)
        self._is_after_return = end == back
        self._searched = end + 1
        return end

    def _line(self, line: bytes) -> Event | None:
        """Take a line. An empty one ends an event."""
        if not line:
            event = Event(b" ".join(self._data), self._after) if self._data else None
            self._data, self._after, self._size = [], None, 0
            return event
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            # The end of a line is one of its bytes, too.
            self._size += len(value) + bool(self._data)
            if self._size > self._limit:
                raise TooLongError
            self._data.append(value)
        elif name == b"after" and value.isdigit() and len(value) <= _DIGITS:
            self._after = int(value)
        elif not name and value.startswith(_CLOSED):
            self.reason = value[len(_CLOSED) :].decode(errors="replace")
        return None
