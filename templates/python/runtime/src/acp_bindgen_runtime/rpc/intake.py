"""What comes in: lines, and the messages in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, Raw

from ..errors import RequestError
from .framing import Excess, is_utf8
from .message import NOTHING, NULL, UNREAD, Invalid, Message, read, wants_answer
from .observed import Dropped
from .running import Collector
from .stray import behind_escapes, shown
from .unread import Unread

if TYPE_CHECKING:
    from .framing import Line
    from .inbox import Inbox
    from .link import Link
    from .stray import Strays

_BRACE = ord("{")
_MARK = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n\f"


class Intake:
    """Hands the messages of lines to an inbox. What is no message is answered here.

    Attributes:
        is_at_end: Whether nothing comes after the line that is taken.
    """

    def __init__(self, link: Link, inbox: Inbox, strays: Strays | None) -> None:
        """Begin before the first line. What programs print is for `strays`, if they may."""
        self._link = link
        self._inbox = inbox
        self._strays = strays
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
        self._take_text(line)

    def _take_text(self, line: bytes) -> None:
        found = read(line, self._link.options.max_depth)
        if found is None:
            found = self._behind_escapes(line)
        if isinstance(found, Message):
            self._take(self._judge(found), line, len(line))
        elif found is None:
            self._unread(line, is_text=True)
        elif isinstance(found, Invalid):
            self._take(found, line, 0)
        elif not found:
            self._refuse_line(line, NULL, "it is an empty batch")
        elif not self._link.options.batches:
            self._refuse_line(line, NULL, "it is a batch, and batches are off")
        else:
            self._batch(found, len(line) // len(found))

    def _behind_escapes(self, line: bytes) -> Message | None:
        """Read the message behind the escape sequences that a line begins with, if one is."""
        rest = behind_escapes(line)
        if rest is None:
            return None
        found = read(rest, self._link.options.max_depth)
        return found if isinstance(found, Message) else None

    def _unread(self, line: bytes, *, is_text: bool) -> None:
        """Answer a line that cannot be read, and fail the calls that it answers."""
        unread = Unread(self._link.calls)
        unread.read(line)
        unread.end()
        levels = self._link.options.max_depth
        reason = "it is not JSON" if is_text else "it is not UTF-8"
        if is_text and unread.levels > levels:
            reason = f"it is nested deeper than {levels} levels"
        line = line.strip(_BLANK)
        reason = f"{reason}: {shown(line)}"
        self._link.observe(Dropped(None, "", reason))
        if unread.is_refused:
            self._answer(line, NULL, RequestError.parse_error())
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
            self._answer(None, unread.id, RequestError.invalid_request())
        self._lose(unread, reason)

    def _lose(self, unread: Unread, reason: str) -> None:
        """Fail the calls whose answers cannot be read, after what came before."""
        if self.is_at_end:
            # What the end breaks off fails by the end.
            return
        for call in unread.answered:
            lost = Message(id=Raw(call), result=Raw(reason.encode()), error=UNREAD)
            self._inbox.take(lost, None)

    def _refuse_line(self, line: bytes, request: bytes, reason: str) -> None:
        """Answer JSON that is no message."""
        self._link.observe(Dropped(None, "", reason))
        self._answer(line.strip(_BLANK), request, RequestError.invalid_request())

    def _answer(self, line: bytes | None, request: bytes, error: RequestError) -> None:
        """Answer a line that is no message, unless it may be what a program prints.

        It is `None` if it is not held.
        """
        if request != NULL or self._strays is None:
            self._link.refuse(request, error, None)
        elif line is not None:
            self._strays.take(line)

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
        self, message: Message | Invalid, source: bytes | Collector, size: int
    ) -> None:
        """Hand on a message of a line or a batch, or answer what is none."""
        batch = source if isinstance(source, Collector) else None
        if isinstance(message, Message):
            self._inbox.take(message, batch, size)
            return
        reason = "it is no request, notification or response"
        if isinstance(source, bytes):
            reason = f"{reason}: {shown(source.strip(_BLANK))}"
            self._refuse_line(source, message.id, reason)
        else:
            self._link.observe(Dropped(None, "", reason))
            self._link.refuse(NULL, RequestError.invalid_request(), batch)
