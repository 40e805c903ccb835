"""The sessions of a server's connection, and what was asked in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rpc.message import NOTHING
from .asked import Asked

if TYPE_CHECKING:
    from ..rpc.message import Message
    from .endpoint import Endpoint


class Sessions:
    """The sessions of a connection, and the requests that have no answer yet."""

    def __init__(self, endpoint: Endpoint, limit: int) -> None:
        """Know of at most so many sessions."""
        self._endpoint = endpoint
        self._limit = limit
        self._known: set[str] = set()
        self._asked: dict[bytes, list[Asked]] = {}
        # The requests that may open a session that is not known yet.
        self._opening = 0

    def knows(self, session: str | None) -> bool:
        """Whether a session is open, or being opened."""
        return session in self._known

    @property
    def is_opening(self) -> bool:
        """Whether a session may be there that is not known yet."""
        return self._opening > 0

    def has_space_for(self, message: Message, session: str | None) -> bool:
        """Whether a request opens no session, or one more may be open."""
        asked = Asked(self._endpoint, str(message.method), session)
        is_more = asked.opens_new or (asked.reopens and not self.knows(session))
        return not is_more or len(self._known) + self._opening < self._limit

    def ask(self, message: Message, session: str | None) -> bool:
        """Take note of a request. Says whether it makes a session known."""
        method = str(message.method)
        asked = Asked(self._endpoint, method, session)
        if asked.reopens and session is not None and session not in self._known:
            asked.is_new = True
            self._known.add(session)
        elif asked.opens_new:
            self._opening += 1
        self._asked.setdefault(bytes(message.id), []).append(asked)
        return asked.is_new

    def answer(self, message: Message) -> Asked | None:
        """Give the request that a response is for."""
        key = bytes(message.id)
        waiting = self._asked.get(key)
        if not waiting:
            return None
        asked = waiting.pop(0)
        if not waiting:
            del self._asked[key]
        if asked.opens_new:
            self._opening -= 1
        return asked

    def opened(self, asked: Asked, message: Message) -> str | None:
        """Give the session that a response opens, which is known from now on."""
        session = asked.opened(message)
        if session is not None:
            self._known.add(session)
        return session

    def ended(self, asked: Asked, message: Message) -> str | None:
        """Give the session that there is no more after a response."""
        is_error = message.error is not NOTHING
        is_over = asked.is_new if is_error else asked.closes
        if not is_over or asked.session not in self._known:
            return None
        self._known.discard(asked.session)
        return asked.session
