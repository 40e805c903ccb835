"""How much a server or a client takes."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

COST: Final = 128
"""How many bytes a message that waits counts beside its own: what it takes to hold it."""


class Limits(Struct, frozen=True, kw_only=True):
    """How much is taken. Whatever goes beyond is refused, and it is said which limit it was.

    Attributes:
        connections: How many connections are open at a time.
        sessions: How many sessions a connection has at a time. Over HTTP alone, where each has a
            stream.
        buffered: How many bytes wait on a stream for a reader, or for the connection to take
            them. A message counts 128 more than it has.
        body: How many bytes a message has. Those of the connection's `max_line` count, too.
        headers: How many headers a request has.
        reading: How long nothing may come of the body of a request that has begun, in seconds. How
            long its head may take is for whatever runs the application to say.
        idle: How long a connection lives without an open stream and without a message, in
            seconds.
        session_wait: How long who asks for the stream of a session waits for that session to be
            opened, and at a client, the answer that opens one for the events that come before
            it, in seconds.
        keep_alive: How often a stream says that it is alive, in seconds.
        ping: How often the other end of a WebSocket is asked whether it is alive, and how long
            its answer may take, in seconds. A server's WebSockets are asked by whatever runs the
            application.
        opening: How long a connection may take to open, and at a client, a stream, in seconds.
    """

    connections: int = 1000
    sessions: int = 1000
    buffered: int = 4 * 1024 * 1024
    body: int = 64 * 1024 * 1024
    headers: int = 100
    reading: float = 30.0
    idle: float = 300.0
    session_wait: float = 10.0
    keep_alive: float = 15.0
    ping: float = 20.0
    opening: float = 30.0
