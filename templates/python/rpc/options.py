"""What can be chosen about a connection, and what can be seen of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import Struct


class ConnectionOptions(Struct, frozen=True, kw_only=True):
    """Choices about a connection.

    Attributes:
        max_line: The longest line that is read, in bytes. Longer ones are skipped, and
            answered with an error.
        max_requests: How many requests are handled at a time. Others wait for their turn.
        max_buffered: How much may wait to be written before senders have to wait, in bytes.
        grace: How long handlers may go on once the connection has ended, in seconds.
        observe: Sees everything that passes the connection, in order. It must not raise.
            Without it, exceptions that handlers raise are logged.
    """

    max_line: int = 64 * 1024 * 1024
    max_requests: int = 1024
    max_buffered: int = 256 * 1024
    grace: float = 2.0
    observe: Callable[[Any], object] | None = None


class Received(Struct, frozen=True):
    """A line that came in."""

    line: bytes


class Sent(Struct, frozen=True):
    """A line that goes out."""

    line: bytes


class Ignored(Struct, frozen=True):
    """A notification that nothing handles, or whose params are not its."""

    method: str


class Unexpected(Struct, frozen=True):
    """A response that no call waits for, with its id as JSON."""

    id: bytes


class Failed(Struct, frozen=True):
    """A handler that raised what is not an error for the peer."""

    method: str
    error: BaseException


Observed: TypeAlias = Received | Sent | Ignored | Unexpected | Failed
"""Something that passed a connection."""
