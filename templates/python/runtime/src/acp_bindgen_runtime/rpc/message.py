"""From lines to messages."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET, MsgspecError, Raw, Struct, UnsetType, ValidationError
from msgspec.json import Decoder

from ..depth import MAX_DEPTH, is_too_deep

NOTHING: Final = Raw(b"")
"""A member that is not there."""

UNREAD: Final = Raw(b"unread")
"""The error of a response that could not be read. Its result is the reason, as text."""

NULL: Final = b"null"
"""The id of an answer to what has none."""

REFUSALS: Final = (MsgspecError, ValueError, OverflowError, RecursionError)
"""What msgspec raises for what it does not take."""


class Message(Struct, gc=False):
    """The members of a JSON-RPC message. All but its method stay as they are spelled."""

    id: Raw = NOTHING
    method: str | UnsetType = UNSET
    params: Raw = NOTHING
    result: Raw = NOTHING
    error: Raw = NOTHING


class Invalid(Struct, gc=False):
    """JSON that is no message.

    Attributes:
        id: The id as JSON where it can be read, else `null`.
    """

    id: bytes


class _Members(Struct, gc=False):
    """The members of an object that may be no message. The last one of a name counts."""

    id: Raw = NOTHING
    method: Raw = NOTHING
    params: Raw = NOTHING
    result: Raw = NOTHING
    error: Raw = NOTHING


ID_STARTS: Final = frozenset(b'"-0123456789n')
"""How the JSON of an id begins: that of a string, a number or `null`."""

_message: Final = Decoder(Message).decode
_members: Final = Decoder(_Members).decode
_method: Final = Decoder(str).decode
_entries: Final = Decoder(list[Raw]).decode
_anything: Final = Decoder(Raw).decode


def read(
    line: bytes, max_depth: int = MAX_DEPTH
) -> Message | Invalid | list[Message | Invalid] | None:
    """Read a line: one message, or the entries of a batch.

    It gives `None` if the line is not JSON, or nested too deeply. It is known to be UTF-8.
    """
    if is_too_deep(line, max_depth):
        return None
    try:
        found = _message(line)
    except ValidationError:
        return _irregular(line)
    except REFUSALS:
        return None
    return _judged(found)


def _judged(found: Message) -> Message | Invalid:
    if found.id is NOTHING:
        if found.method is not UNSET:
            return found
        if found.error is NOTHING or found.result is not NOTHING:
            return Invalid(NULL)
        # Some peers leave the id out of an error where it has to be null.
        return Message(id=Raw(NULL), error=found.error)
    return found if bytes(found.id)[0] in ID_STARTS else Invalid(NULL)


def _irregular(line: bytes) -> Message | Invalid | list[Message | Invalid] | None:
    """Read JSON, if it is that, which is not a message at first sight."""
    try:
        if line.lstrip()[:1] == b"[":
            return [_entry(entry) for entry in _entries(line)]
        _anything(line)
    except REFUSALS:
        return None
    return _reread(line)


def _entry(text: Raw) -> Message | Invalid:
    """Read an entry of a batch."""
    try:
        return _judged(_message(text))
    except REFUSALS:
        return _reread(text)


def _reread(text: bytes | Raw) -> Message | Invalid:
    """Read an object whose method is no string, or was none before it was named again."""
    try:
        found = _members(text)
    except REFUSALS:
        return Invalid(NULL)
    if bytes(found.method).startswith(b'"'):
        method: str = _method(found.method)
        found_again = Message(found.id, method, found.params, found.result, found.error)
        return _judged(found_again)
    spelled = bytes(found.id)
    is_id = spelled != b"" and spelled[0] in ID_STARTS
    return Invalid(spelled if is_id else NULL)


def wants_answer(entry: Message | Invalid) -> bool:
    """Whether an entry of a batch is answered."""
    if isinstance(entry, Invalid):
        return True
    return entry.method is not UNSET and entry.id is not NOTHING
