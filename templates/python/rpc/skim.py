"""What can be told of messages that cannot be read."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct
from msgspec.json import decode

from .message import ID_STARTS, REFUSALS

_PIECE: Final = 64 * 1024
"""How much is looked at at once, and how long a name or an id may be."""

_WORD: Final = rb'[^\s"{}\[\],:]'
_STRING: Final = rb'[^"\\]*(?:\\.[^"\\]*)*"'
_TEXT: Final = rb'(?P<string>"' + _STRING + rb')|(?P<begun>".*)|'
_AMONG_MEMBERS: Final = re.compile(
    _TEXT + rb"(?P<mark>[{}\[\],:])|(?P<word>" + _WORD + rb"+)", re.DOTALL
)
_ELSEWHERE: Final = re.compile(_TEXT + rb"(?P<mark>[{}\[\]])", re.DOTALL)
_STRING_END: Final = re.compile(_STRING, re.DOTALL)
_WORD_END: Final = re.compile(_WORD + rb"*")


class Skimmed(Struct):
    """What is known of a message without all of it.

    Attributes:
        id: Its id as JSON, where it is known.
        method: Its method, where it is known.
        is_call: Whether it is a call.
        has_outcome: Whether it has a result or an error.
    """

    id: bytes | None = None
    method: str | None = None
    is_call: bool = False
    has_outcome: bool = False

    @property
    def is_response(self) -> bool:
        """Whether it answers a call."""
        return self.has_outcome and not self.is_call


class Skimmer:
    """Reads the members of messages: of one, or of the entries of a batch.

    Nothing here recurses, and the text is not held: it may come in pieces.

    Attributes:
        is_batch: Whether there is a batch.
        levels: The most levels that were open at once.
    """

    def __init__(self) -> None:
        """Begin before the text."""
        self.is_batch = False
        self.levels = 0
        self._depth = 0
        # How deep the members of messages are.
        self._level = 0
        # The group of a token whose end has not come yet, and its beginning.
        self._within: str | None = None
        self._token = b""
        self._is_escaped = False
        # The name of the member whose value comes next.
        self._key: object = None
        self._message: Skimmed | None = None
        self._done: list[Skimmed] = []

    def read(self, data: bytes) -> None:
        """Read on."""
        for start in range(0, len(data), _PIECE):
            self._read(data[start : start + _PIECE])

    def take(self) -> list[Skimmed]:
        """Take the messages that were read to their end."""
        done, self._done = self._done, []
        return done

    def end(self) -> bool:
        """Say whether all that was opened is closed.

        There is no more: what is known of a message that is cut off counts.
        """
        self._finish()
        return self._depth == 0

    def _read(self, data: bytes) -> None:
        place = 0 if self._within is None else self._go_on(data)
        while found := self._next(data, place):
            place, token = found.end(), found[0]
            if found.lastgroup == "mark":
                self._mark(token)
            elif found.lastgroup == "string":
                self._scalar(token)
            elif found.lastgroup == "begun" or place == len(data):
                self._within, self._token = found.lastgroup, token
                self._is_escaped = _ends_escaping(token)
            else:
                self._scalar(token)

    def _next(self, data: bytes, place: int) -> re.Match[bytes] | None:
        is_among_members = self._depth == self._level
        pattern = _AMONG_MEMBERS if is_among_members else _ELSEWHERE
        return pattern.search(data, place)

    def _go_on(self, data: bytes) -> int:
        """Read the token that has begun. Gives where it ends."""
        if self._within == "word":
            found = _WORD_END.match(data)
            is_done = found is not None and found.end() < len(data)
        else:
            found = _STRING_END.match(data, 1 if self._is_escaped else 0)
            is_done = found is not None
            self._is_escaped = _ends_escaping(data[1 if self._is_escaped else 0 :])
        end = found.end() if found is not None else len(data)
        if len(self._token) <= _PIECE:
            self._token += data[:end]
        if is_done:
            self._within = None
            self._scalar(self._token)
        return end

    def _mark(self, mark: bytes) -> None:
        if mark == b":":
            self._colon()
            return
        self._key = None
        if mark in b"{[":
            if self._depth == 0:
                self._level = 1 if mark == b"{" else 2
                self.is_batch = self.is_batch or mark == b"["
            self._depth += 1
            self.levels = max(self.levels, self._depth)
            if self._depth == self._level and mark == b"{":
                self._message = Skimmed()
        elif mark in b"}]":
            if self._depth == self._level:
                self._finish()
            self._depth = max(self._depth - 1, 0)

    def _finish(self) -> None:
        if self._message is not None:
            self._done.append(self._message)
            self._message = None

    def _colon(self) -> None:
        if self._message is None or self._depth != self._level:
            return
        key = self._key = _parsed(self._token)
        message = self._message
        message.has_outcome = message.has_outcome or key in ("result", "error")
        message.is_call = message.is_call or key == "method"

    def _scalar(self, token: bytes) -> None:
        """Take note of a string, a number or a word that is there to its end."""
        if self._message is None or self._depth != self._level:
            return
        key, self._key, self._token = self._key, None, token
        if key == "id":
            is_id = token[0] in ID_STARTS and _parsed(token) is not _NO_JSON
            self._message.id = token if is_id else None
        elif key == "method":
            method = _parsed(token)
            self._message.method = method if isinstance(method, str) else None


_NO_JSON: Final = object()


def _parsed(token: bytes) -> object:
    """Give what a token says."""
    if len(token) > _PIECE:
        return _NO_JSON
    try:
        found: object = decode(token)
    except REFUSALS:
        return _NO_JSON
    return found


def _ends_escaping(text: bytes) -> bool:
    """Whether the last character of a part of a string escapes the next."""
    return (len(text) - len(text.rstrip(b"\\"))) % 2 == 1
