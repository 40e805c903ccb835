"""The connections of HTTP that a client has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import httpx

from .http_streams import ClientStream

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from .http_remote import HttpRemote
    from .sse import Event

_STREAMS: Final = 50
"""How many streams share a connection of HTTP/2. Servers take a hundred or more."""


class HttpPool:
    """Sends requests. Streams have connections of their own, which last."""

    def __init__(self, remote: HttpRemote) -> None:
        """Send requests to a server."""
        self._remote = remote
        self._posts = self._client()
        self._streams: list[tuple[httpx.AsyncClient, list[ClientStream]]] = []

    def _client(self) -> httpx.AsyncClient:
        remote = self._remote
        is_clear = remote.url.startswith("http:")
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        return httpx.AsyncClient(
            # Who speaks HTTP/2 without encryption has to know it.
            http1=remote.http1 or not is_clear,
            http2=not (remote.http1 and is_clear),
            verify=True if remote.tls is None else remote.tls,
            cookies=remote.cookies,
            headers=remote.headers,
            timeout=httpx.Timeout(remote.limits.opening, read=None, pool=None),
            limits=limits,
        )

    async def post(self, line: bytes, headers: Mapping[str, str]) -> httpx.Response:
        """Send a message."""
        kind = {"Content-Type": "application/json", "Accept": "application/json"}
        return await self._posts.post(
            self._remote.url, content=line, headers={**headers, **kind}
        )

    async def delete(self, headers: Mapping[str, str]) -> None:
        """Ask the server to close the connection."""
        await self._posts.delete(self._remote.url, headers=headers)

    def stream(
        self,
        headers: Mapping[str, str],
        give: Callable[[Event], Awaitable[None]],
        limit: int,
    ) -> ClientStream:
        """Ask for a stream, and have its messages handed on."""
        found = (it for it in self._streams if len(it[1]) < _STREAMS)
        client, streams = next(found, None) or self._grow()
        stream = ClientStream(client, self._remote.url, headers, give, limit)
        streams.append(stream)
        stream.ended.add_done_callback(lambda _: streams.remove(stream))
        return stream

    def _grow(self) -> tuple[httpx.AsyncClient, list[ClientStream]]:
        self._streams.append((self._client(), []))
        return self._streams[-1]

    async def close(self) -> None:
        """Close all connections."""
        for client, _ in self._streams:
            await client.aclose()
        await self._posts.aclose()
