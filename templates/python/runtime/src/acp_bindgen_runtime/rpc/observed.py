"""What can be seen of a connection."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Received(Struct, frozen=True):
    """A line that came in."""

    line: bytes


class Sent(Struct, frozen=True):
    """A line that goes out."""

    line: bytes


class Ignored(Struct, frozen=True):
    """A notification that nothing handles."""

    method: str


class Unexpected(Struct, frozen=True):
    """A response that no call waits for, with its id as JSON."""

    id: bytes


class Dropped(Struct, frozen=True):
    """A message that was thrown away: a line that is none, or a notification with wrong params.

    Attributes:
        method: Its method, where that is known.
        path: The place in it: `params.update`. Empty for all of it.
        reason: What was wrong there.
    """

    method: str | None
    path: str
    reason: str


class Forgiven(Struct, frozen=True):
    """A value that is not right, and was replaced as the schema says.

    Attributes:
        method: The method of the message.
        path: The place in it: `params.update.status`.
        reason: What was wrong there.
    """

    method: str
    path: str
    reason: str


class Failed(Struct, frozen=True):
    """A handler that raised what is not an error for the peer, or that of a call of its own."""

    method: str
    error: BaseException


Trouble: TypeAlias = Ignored | Unexpected | Dropped | Forgiven | Failed
"""Something that did not go as it should."""

Observed: TypeAlias = Received | Sent | Trouble
"""Something that passed a connection, or went wrong."""


def told(trouble: Trouble) -> str:
    """Say in a line what went wrong."""
    if isinstance(trouble, Failed):
        return f"{trouble.method} failed"
    if isinstance(trouble, Ignored):
        return f"{trouble.method} is ignored: nothing handles it"
    if isinstance(trouble, Unexpected):
        return f"no call waits for the response {trouble.id.decode(errors='replace')}"
    name = trouble.method or "a message"
    place = f"{trouble.path}: " if trouble.path else ""
    what = "is dropped" if isinstance(trouble, Dropped) else "is forgiven"
    return f"{name} {what}: {place}{trouble.reason}"
