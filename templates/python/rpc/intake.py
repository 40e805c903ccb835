"""What comes in: lines, and the messages in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, Raw

from ..errors import RequestError
from .framing import Excess, is_utf8
from .message import NOTHING, NULL, UNREAD, Invalid, Message, read, wants_answer
from .observed import Dropped
from .running import Collector
from .unread import Unread

if TYPE_CHECKING:
    from .framing import Line
    from .inbox import Inbox
    from .link import Link

_BRACE = ord("{")
_MARK = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n\f"


class Intake:
    """Hands the messages of lines to an inbox. What is no message is answered here.

    Attributes:
        is_at_end: Whether nothing comes after the line that is taken.
    """

    def __init__(self, link: Link, inbox: Inbox) -> None:
        """Begin before the first line."""
        self._link = link
        self._inbox = inbox
        # The line over the limit that is coming in.
        self._excess: Unread | None = None
        self.is_at_end = False

    def line(self, line: Line) -> None:
        """Take a line."""
        link = self._link
        if isinstance(line, Excess):
            self._take_excess(line)
            return
        if not line or line[0] != _BRACE:
            line = line.removeprefix(_MARK)
            if not line.strip(_BLANK):
                return
        link.received(line)
        if not line.isascii() and not is_utf8(line):
            self._unread(line, is_text=False)
            return
        found = read(line, link.options.max_depth)
        if isinstance(found, Message):
            self._take(self._judge(found), None, len(line))
        elif found is None:
            self._unread(line, is_text=True)
        elif isinstance(found, Invalid):
            self._take(found, None, 0)
        elif not found:
            self._refuse(NULL, None, "it is an empty batch")
        elif not link.options.batches:
            self._refuse(NULL, None, "it is a batch, and batches are off")
        else:
            self._batch(found, len(line) // len(found))

    def _unread(self, line: bytes, *, is_text: bool) -> None:
        """Answer a line that cannot be read, and fail the calls that it answers."""
        unread = Unread(self._link.calls)
        unread.read(line)
        unread.end()
        levels = self._link.options.max_depth
        reason = "it is not JSON" if is_text else "it is not UTF-8"
        if is_text and unread.levels > levels:
            reason = f"it is nested deeper than {levels} levels"
        self._link.observe(Dropped(None, "", reason))
        if unread.is_refused:
            self._link.refuse(NULL, RequestError.parse_error(), None)
        self._lose(unread, reason)

    def _take_excess(self, excess: Excess) -> None:
        """Take a piece of a line over the limit, which is not held."""
        unread = self._excess = self._excess or Unread(self._link.calls)
        unread.read(excess.piece)
        if not excess.is_last:
            return
        self._excess = None
        unread.end()
        limit = self._link.options.max_line
        reason = f"it is longer than {limit} bytes"
        self._link.observe(Dropped(unread.method, "", reason))
        if unread.is_refused:
            self._link.refuse(unread.id, RequestError.invalid_request(), None)
        self._lose(unread, reason)

    def _lose(self, unread: Unread, reason: str) -> None:
        """Fail the calls whose answers cannot be read, after what came before."""
        if self.is_at_end:
            # What the end breaks off fails by the end.
            return
        for call in unread.answered:
            lost = Message(id=Raw(call), result=Raw(reason.encode()), error=UNREAD)
            self._inbox.take(lost, None)

    def _refuse(self, request: bytes, batch: Collector | None, reason: str) -> None:
        """Answer what is no message."""
        self._link.observe(Dropped(None, "", reason))
        self._link.refuse(request, RequestError.invalid_request(), batch)

    def _batch(self, entries: list[Message | Invalid], size: int) -> None:
        judged = [
            self._judge(entry) if isinstance(entry, Message) else entry
            for entry in entries
        ]
        batch = Collector(sum(wants_answer(entry) for entry in judged))
        for entry in judged:
            self._take(entry, batch, size)

    def _judge(self, message: Message) -> Message | Invalid:
        """Take an object with an id and nothing else as a response only if a call waits."""
        if message.method is not UNSET:
            return message
        if message.result is not NOTHING or message.error is not NOTHING:
            return message
        request = bytes(message.id)
        return message if self._link.calls.find(request) else Invalid(request)

    def _take(
        self, message: Message | Invalid, batch: Collector | None, size: int
    ) -> None:
        """Hand a message on, or answer what is none."""
        if isinstance(message, Message):
            self._inbox.take(message, batch, size)
            return
        request = message.id if batch is None else NULL
        self._refuse(request, batch, "it is no request, notification or response")
