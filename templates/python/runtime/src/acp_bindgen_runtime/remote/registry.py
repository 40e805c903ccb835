"""The connections that a server has over HTTP."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .http_server import HttpConnection


class Registry:
    """Connections by their ids.

    An id has 256 random bits. It is looked up by its digest, which tells nothing of the id by the
    time that takes, and then compared in constant time.
    """

    def __init__(self) -> None:
        """Begin without any."""
        self._connections: dict[bytes, tuple[bytes, HttpConnection]] = {}

    def add(self, connection: HttpConnection) -> str:
        """Take a connection, until it ends, and give its id."""
        name = secrets.token_urlsafe(32)
        key = _digest(name.encode())
        self._connections[key] = (name.encode(), connection)
        connection.ended.add_done_callback(lambda _: self._connections.pop(key, None))
        return name

    def find(self, name: str, identity: object) -> HttpConnection | None:
        """Find the connection with an id, if it is that of who asks."""
        given = name.encode()
        found = self._connections.get(_digest(given))
        if found is None or not hmac.compare_digest(found[0], given):
            return None
        connection = found[1]
        is_own = connection.request.identity == identity
        return connection if is_own and not connection.is_over else None


def _digest(name: bytes) -> bytes:
    return hashlib.sha256(name).digest()
