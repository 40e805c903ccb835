"""The requests of a client."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Final
from urllib.request import getproxies

import httpx

from .cookies import cookie_header, keep_cookies
from .http_refusal import start_of
from .http_streams import ClientStream, encoded
from .http_transport import SocketTransport

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from .http_remote import HttpRemote
    from .sse import Event

_PER_CONNECTION: Final = 500
"""After how many messages there is a new connection of HTTP. Servers end one after a thousand, and
some then answer nothing more."""


_KIND: Final = {
    "Content-Type": "application/json",
    "Accept": "application/json",
    # A short answer could become a long one.
    "Accept-Encoding": "identity",
}


class HttpPool:
    """Sends requests to a server.

    Messages share a connection of HTTP. Each stream has its own: of streams that share one, httpx
    leaves what has come for one unread while another waits, and it cannot close just one.
    """

    def __init__(self, remote: HttpRemote) -> None:
        """Send requests to a server."""
        self._remote = remote
        self._url = httpx.URL(remote.url)
        self._is_clear = remote.url.startswith("http:")
        self._tls = remote.tls or _tls(is_clear=self._is_clear)
        self._timeout = httpx.Timeout(remote.limits.opening, read=None, pool=None)
        # What all messages are sent with is put together once.
        self._extensions = {"timeout": self._timeout.as_dict()}
        self._posts, self._transport = self._client()
        self._common = self._headers()
        self._count = 0

    def _client(self) -> tuple[httpx.AsyncClient, SocketTransport | None]:
        """Make what sends requests, and what that stands on, but where a proxy may be."""
        remote = self._remote
        # Who speaks HTTP/2 without encryption has to know it.
        http1 = remote.http1 or not self._is_clear
        http2 = not (remote.http1 and self._is_clear)
        transport = None
        if not {self._url.scheme, "all"} & getproxies().keys():
            transport = SocketTransport(self._tls, http1=http1, http2=http2)
        client = httpx.AsyncClient(
            http1=http1,
            http2=http2,
            verify=self._tls,
            cookies=remote.cookies,
            headers=remote.headers,
            timeout=self._timeout,
            transport=transport,
        )
        return client, transport

    def _headers(self) -> dict[bytes, bytes]:
        """Give the headers that are the same for each message."""
        url = self._url
        request = self._posts.build_request("POST", url, headers=_KIND)
        if url.userinfo:
            who = httpx.BasicAuth(url.username, url.password)
            request = next(who.auth_flow(request))
        found = {name.lower(): value for name, value in request.headers.raw}
        if "Cookie" not in self._posts.headers:
            found.pop(b"cookie", None)
        return found

    async def post(self, line: bytes, headers: Mapping[str, str]) -> httpx.Response:
        """Send a message. A refusal is neither read nor closed yet: that is for `said`."""
        answer = await self.ask(line, headers)
        if answer.is_success:
            # Its end is waited for: servers end connections on which much is reset.
            await start_of(answer, self._remote.limits.body)
        return answer

    async def ask(self, line: bytes, headers: Mapping[str, str]) -> httpx.Response:
        """Send a message. The answer is neither read nor closed yet."""
        self._count += 1
        if self._count % _PER_CONNECTION == 0:
            await self._posts.aclose()
            self._posts, self._transport = self._client()
        given = encoded({**self._cookies(), **headers})
        given[b"content-length"] = b"%d" % len(line)
        request = httpx.Request(
            "POST",
            self._url,
            headers=list({**self._common, **given}.items()),
            stream=httpx.ByteStream(line),
            extensions=self._extensions,
        )
        if self._transport is None:
            return await self._posts.send(request, stream=True)
        answer = await self._transport.handle_async_request(request)
        if "set-cookie" in answer.headers:
            cookies = answer.headers.get_list("set-cookie")
            keep_cookies(self._remote.cookies, self._remote.url, cookies)
        return answer

    def _cookies(self) -> dict[str, str]:
        jar = self._remote.cookies
        if next(iter(jar), None) is None or "Cookie" in self._posts.headers:
            return {}
        return cookie_header(jar, self._remote.url)

    async def delete(self, headers: Mapping[str, str]) -> None:
        """Ask the server to close the connection."""
        request = self._posts.build_request(
            "DELETE", self._url, headers=encoded(headers)
        )
        answer = await self._posts.send(request, stream=True)
        # Whatever is in it, nobody reads.
        await start_of(answer, self._remote.limits.body)

    def stream(
        self,
        headers: Mapping[str, str],
        give: Callable[[Event], Awaitable[None]],
        limit: int,
    ) -> ClientStream:
        """Ask for a stream, and have its messages handed on."""
        return ClientStream(self._client()[0], self._remote.url, headers, give, limit)

    async def close(self) -> None:
        """Send no more messages."""
        await self._posts.aclose()


def _tls(*, is_clear: bool) -> ssl.SSLContext:
    """Give how certificates are judged: as usual, if there are any."""
    if is_clear:
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx.create_ssl_context()
