"""What can be told of messages that cannot be read."""

from __future__ import annotations

import re
from itertools import accumulate, islice
from operator import sub
from typing import Final

from msgspec import Struct
from msgspec.json import decode

from .message import ID_STARTS, REFUSALS

_PIECE: Final = 64 * 1024
"""How much is passed over at once, and how long a name or an id may be."""

_STEP: Final = 1024
"""How much is looked at token by token before it is tried again to pass over more."""

_WORD: Final = rb'[^\s"{}\[\],:]'
_STRING: Final = rb'[^"\\]*(?:\\.[^"\\]*)*'
_TOKENS: Final = re.compile(
    rb'"' + _STRING + rb'(?:"|\\?\Z)|[{}\[\]]|,[\s,]*|:[\s:]*|' + _WORD + rb"+",
    re.DOTALL,
)
_WHOLE: Final = re.compile(rb'"' + _STRING + rb'"', re.DOTALL)
_STRINGS: Final = re.compile(rb'"' + _STRING + rb'\\?("?)', re.DOTALL)
_STRING_END: Final = re.compile(_STRING + rb'"', re.DOTALL)
_WORD_END: Final = re.compile(_WORD + rb"*")

_STEPS: Final = bytes.maketrans(b"[]{}", b"\x01\xff\x01\xff")
_OTHERS: Final = bytes(set(range(256)) - set(b"[]{}"))
_OBJECT, _ARRAY, _COLON, _COMMA, _QUOTE = b'{[:,"'


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
        # The end of a token that has not come yet, and the token so far.
        self._end: re.Pattern[bytes] | None = None
        self._token = b""
        self._is_escaped = False
        # The name of the member whose value comes next.
        self._key: object = None
        self._message: Skimmed | None = None
        self._done: list[Skimmed] = []

    def read(self, data: bytes) -> None:
        """Read on."""
        place, size = 0, _STEP
        while place < len(data):
            piece = data[place : place + size]
            place += size
            is_passed = self._pass_over(piece)
            size = min(2 * size, _PIECE) if is_passed else _STEP

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

    def _pass_over(self, data: bytes) -> bool:
        """Read on. Says whether nothing in it had to be looked at by itself."""
        if self._end is not None:
            data = data[self._go_on(data, self._end) :]
        if not data or self._is_dull(data):
            return True
        self._look(data)
        return False

    def _go_on(self, data: bytes, end: re.Pattern[bytes]) -> int:
        """Read the token that has begun. Gives where it ends."""
        start = 1 if self._is_escaped else 0
        found = end.match(data, start)
        is_word = end is _WORD_END
        is_done = found is not None and (not is_word or found.end() < len(data))
        place = found.end() if found is not None else len(data)
        self._is_escaped = not is_word and _ends_escaping(data[start:])
        if self._is_among_members() and len(self._token) <= _PIECE:
            self._token += data[:place]
        if is_done:
            self._end, self._is_escaped = None, False
            self._scalar(self._token)
        return place

    def _is_dull(self, data: bytes) -> bool:
        """Pass over text in which no message begins, ends or has a member."""
        if self._is_among_members():
            return False
        bare, strings = _STRINGS.subn(rb"\1", data)
        brackets = bare.translate(None, _OTHERS)
        steps = memoryview(brackets.translate(_STEPS)).cast("b")
        depths = list(accumulate(steps, initial=self._depth))
        lowest = min(depths)
        if lowest <= self._level:
            if self._message is not None or _OBJECT in brackets:
                return False
            if lowest < 0:
                # What is closed too often stays closed.
                below = accumulate(depths, min, initial=0)
                depths = list(map(sub, depths, islice(below, 1, None)))
            if 0 in depths[: brackets.rfind(_ARRAY) + 1]:
                self._level, self.is_batch = 2, True
        highest = max(depths)
        self._depth, self.levels = depths[-1], max(self.levels, highest)
        if bare.count(b'"') < strings:
            self._begin(_STRING_END, data)
        return True

    def _begin(self, end: re.Pattern[bytes], token: bytes) -> None:
        """Take note of a token whose end has not come yet."""
        self._end, self._is_escaped = end, False
        if end is _STRING_END:
            self._is_escaped = _ends_escaping(token)
        self._token = token if self._is_among_members() else b""

    def _is_among_members(self) -> bool:
        return self._message is not None and self._depth == self._level

    def _look(self, data: bytes) -> None:
        """Look at each token."""
        tokens = _TOKENS.findall(data)
        last = tokens[-1] if tokens and data.endswith(tokens[-1]) else b","
        end = _end_of(last)
        if end is not None:
            tokens.pop()
        for token in tokens:
            first = token[0]
            if first in b"{[":
                self._open(is_object=first == _OBJECT)
            elif first in b"}]":
                self._close()
            elif self._message is None or self._depth != self._level:
                continue
            elif first == _COLON:
                self._colon(self._message)
            elif first == _COMMA:
                self._key = None
            else:
                self._scalar(token)
        if end is not None:
            self._begin(end, last)

    def _open(self, *, is_object: bool) -> None:
        if self._depth == 0:
            self._level = 1 if is_object else 2
            self.is_batch = self.is_batch or not is_object
        self._depth += 1
        self.levels = max(self.levels, self._depth)
        self._key, self._token = None, b""
        if is_object and self._depth == self._level:
            self._message = Skimmed()

    def _close(self) -> None:
        if self._depth == self._level:
            self._finish()
        if self._depth > 0:
            self._depth -= 1
        self._key = None

    def _finish(self) -> None:
        if self._message is not None:
            self._done.append(self._message)
            self._message = None

    def _colon(self, message: Skimmed) -> None:
        is_string = self._token.startswith(b'"')
        key = self._key = _parsed(self._token) if is_string else None
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


def _end_of(token: bytes) -> re.Pattern[bytes] | None:
    """Give what ends a token at the end of a piece, if that has not come."""
    if token[0] == _QUOTE:
        return None if _WHOLE.fullmatch(token) else _STRING_END
    return _WORD_END if _WORD_END.fullmatch(token) else None


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
