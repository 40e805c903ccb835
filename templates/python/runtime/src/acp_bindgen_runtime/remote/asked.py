"""Requests that have no answer yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..rpc.message import NOTHING
from .endpoint import Endpoint

if TYPE_CHECKING:
    from ..rpc.message import Message


class Asked(Struct, eq=False):
    """A request that has no answer yet.

    Attributes:
        endpoint: What the protocol says about sessions.
        method: Its method.
        session: The session that it was sent from, or that it opens again.
        is_new: Whether it makes this session known.
    """

    endpoint: Endpoint
    method: str
    session: str | None
    is_new: bool = False

    @property
    def reopens(self) -> bool:
        """Whether it opens its session again."""
        return self.session is not None and self.endpoint.reopens_session(self.method)

    @property
    def opens_new(self) -> bool:
        """Whether it opens a new session."""
        return self.endpoint.opens_session(self.method) and not self.reopens

    @property
    def closes(self) -> bool:
        """Whether it closes its session."""
        return self.endpoint.closes_session(self.method)

    def opened(self, message: Message) -> str | None:
        """Give the session that its response opens."""
        if message.error is not NOTHING:
            return None
        if self.reopens:
            return self.session
        return self.endpoint.session_of(message.result) if self.opens_new else None
