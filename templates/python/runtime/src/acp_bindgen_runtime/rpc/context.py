"""What a handler knows beside its params."""

from __future__ import annotations

from .link import Link
from .running import Running


class Context:
    """The message that is being handled, and the connection it came by."""

    __slots__ = ("_link", "_running")

    def __init__(self, link: Link, running: Running | None) -> None:
        """Know a connection and, in a request, what is answered. Connections make contexts."""
        self._link = link
        self._running = running

    @property
    def is_cancelled(self) -> bool:
        """Whether the answer is no longer wanted.

        A handler need not ask: it is cancelled as tasks are, where it next waits.
        """
        if self._running is not None:
            return self._running.is_cancelled
        return self._link.is_ended

    @property
    def request_id(self) -> str | None:
        """The id of the request as JSON, as the peer spelled it. A notification has none."""
        return None if self._running is None else self._running.id.decode()
