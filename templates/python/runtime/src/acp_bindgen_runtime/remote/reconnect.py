"""Connections that are made anew when they are lost."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from msgspec import Struct

from ..errors import CallError, ConnectionLostError
from ..rpc import Lifetime, Transport
from .client import WebSocketRemote
from .errors import HttpError
from .watch import Watch

C = TypeVar("C", bound="Lifetime")

_PASSING = (429, 502, 503, 504)
"""The statuses of servers that may be there again soon."""


class Lost(Struct, frozen=True, kw_only=True):
    """What was there when a connection was lost.

    Attributes:
        sessions: The sessions that were open on it.
        calls: The methods of the calls that were on their way. The server may have handled them
            or not.
    """

    sessions: list[str]
    calls: list[str]


class Retries(Struct, frozen=True, kw_only=True):
    """How often and when a connection is tried again.

    Attributes:
        tries: How many times in a row it may fail.
        first: How long to wait before the second of these, in seconds.
        most: How long to wait at most, in seconds. In between it is twice as long each time;
            of each, a random part of up to a half is left out.
    """

    tries: int = 10
    first: float = 0.5
    most: float = 30.0

    def delay(self, failures: int) -> float:
        """Give how long to wait after so many failures in a row, in seconds."""
        full = min(self.first * 2.0 ** min(failures - 1, 60), self.most)
        return full * (1 - random.random() / 2)  # noqa: S311


async def keep_connected(
    server: WebSocketRemote,
    connect: Callable[[Transport], C],
    set_up: Callable[[C, Lost | None], Awaitable[None]],
    retries: Retries | None = None,
) -> None:
    """Connect, and connect again after each loss, until a connection is closed on purpose.

    What was lost stays lost: calls that were on their way have failed and are not repeated, and
    updates that the server sent meanwhile do not come again. `set_up` may load sessions, so that
    the server replays them.

    Args:
        server: Where to connect. It keeps its cookies.
        connect: Makes a connection over a transport.
        set_up: Gets each new connection, and what was there when the one before was lost. What
            it raises ends it all, unless the connection is lost by then.
        retries: How often and when it is tried.

    Raises:
        CallError: It was tried often enough: what went wrong the last time.
    """
    retries = retries or Retries()
    lost: Lost | None = None
    failures = 0
    while True:
        error: CallError
        try:
            async with server.connect() as transport:
                watch = Watch(transport)
                async with connect(watch) as connection:
                    before, is_set_up = lost, False
                    try:
                        await set_up(connection, lost)
                        is_set_up, failures = True, 0
                        reason = await connection.wait_closed()
                    except CallError:
                        reason = await _loss(connection)
                        if reason is None:
                            raise
                    if not isinstance(reason, ConnectionLostError):
                        return
                    error = reason
                    missing = [] if before is None or is_set_up else before.sessions
                    sessions = list(dict.fromkeys([*missing, *watch.sessions]))
                    lost = Lost(sessions=sessions, calls=watch.calls)
        except ConnectionLostError as failure:
            error = failure
        except HttpError as failure:
            if failure.status not in _PASSING:
                raise
            error = failure
        failures += 1
        if failures > retries.tries:
            raise error
        await asyncio.sleep(retries.delay(failures))


async def _loss(connection: Lifetime) -> BaseException | None:
    """Give why a connection was lost, if it was."""
    reason = await connection.wait_closed() if connection.is_ended else None
    return reason if isinstance(reason, ConnectionLostError) else None
