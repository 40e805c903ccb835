"""What the protocol says about the way of its messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import UNSET, Raw, Struct
from msgspec.json import Decoder

from ..rpc.message import NOTHING, REFUSALS, Message, read

if TYPE_CHECKING:
    from collections.abc import Generator

_members: Final = Decoder(dict[str, Raw]).decode
_entries: Final = Decoder(list[Raw]).decode
_text: Final = Decoder(str).decode
_anything: Final = Decoder().decode


class VersionHeader(Struct, frozen=True, kw_only=True):
    """The header that holds the version which is spoken, and what that is.

    Attributes:
        header: The header.
        property: The property of the opening request's result that says which version.
        value: The version, if the ends do not agree on one when they open.
    """

    header: str
    property: str | None = None
    value: str | None = None


class Sessions(Struct, frozen=True, kw_only=True):
    """How messages belong to sessions.

    Attributes:
        property: The property of params, and of the results of what opens a session, that says
            which session it is.
        header: The header of a request that says so.
        opened_by: The requests that open a new session, which their result names.
        reopened_by: The requests that open the session again that their params name.
        closed_by: The requests that close one.
    """

    property: str
    header: str
    opened_by: tuple[str, ...] = ()
    reopened_by: tuple[str, ...] = ()
    closed_by: tuple[str, ...] = ()


class Endpoint(Struct, frozen=True, kw_only=True):
    """Where and how a protocol is served.

    Attributes:
        path: The path of its only endpoint.
        opens: The request that opens a connection; without it, any message does.
        connection: The header that holds the id of a connection.
        version: The header that holds the version which is spoken.
        session: How messages belong to sessions.
    """

    path: str = "/"
    opens: str | None = None
    connection: str = ""
    version: VersionHeader | None = None
    session: Sessions | None = None

    def session_of(self, payload: Raw) -> str | None:
        """Give the session that params or a result name, if they do."""
        if self.session is None or payload is NOTHING:
            return None
        try:
            return _text(_members(payload)[self.session.property])
        except (KeyError, *REFUSALS):
            return None

    def version_in(self, result: Raw) -> str | None:
        """Give the version that the opening request's result says, as a header says it."""
        if self.version is None:
            return None
        try:
            told = _anything(_members(result)[self.version.property or ""])
        except (KeyError, *REFUSALS):
            told = None
        return self.version.value if told is None else str(told)

    def opens_session(self, method: str) -> bool:
        """Whether a request opens a session, new or again."""
        is_new = self.session is not None and method in self.session.opened_by
        return is_new or self.reopens_session(method)

    def reopens_session(self, method: str) -> bool:
        """Whether a request opens a session again."""
        return self.session is not None and method in self.session.reopened_by

    def closes_session(self, method: str) -> bool:
        """Whether a request closes a session."""
        return self.session is not None and method in self.session.closed_by


def singles(line: bytes) -> Generator[tuple[bytes, Message | None], None, None]:
    """Give the messages of a line, each with its text: those of a batch one by one.

    What is no message is `None`.
    """
    found = read(line)
    if isinstance(found, list):
        for entry in _entries(line):
            text = bytes(entry)
            message = read(text)
            yield text, message if isinstance(message, Message) else None
    else:
        yield line, found if isinstance(found, Message) else None


def is_request(message: Message) -> bool:
    """Whether a message is a request."""
    return message.method is not UNSET and message.id is not NOTHING


def is_response(message: Message) -> bool:
    """Whether a message is a response."""
    return message.method is UNSET
