"""The streams of a client's connection."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import httpx

from ..errors import ConnectionLostError
from .errors import HttpError, why
from .http_refusal import said
from .lines import cancelled
from .sse import Events, TooLongError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from .sse import Event

EVENTS: Final = "text/event-stream"

_OK: Final = 200
_UNKNOWN: Final = 404
_SENT: Final = "send_request_headers.complete"


class ClientStream:
    """A stream that is read until it ends.

    Attributes:
        given: How many messages were handed on.
        is_sent: Is done once the stream was asked for.
        opened: Is done once the server gives it, or with the reason why not.
        ended: Is done once nothing more comes, with the reason.
    """

    def __init__(
        self,
        client: httpx.AsyncClient,
        url: str,
        headers: Mapping[str, str],
        give: Callable[[Event], Awaitable[None]],
        limit: int,
    ) -> None:
        """Ask for a stream, and have its messages handed on. The client is closed at its end."""
        loop = asyncio.get_running_loop()
        self._client = client
        self._url = url
        kind = {"Accept": EVENTS, "Accept-Encoding": "identity"}
        self._headers = encoded({**headers, **kind})
        self._give = give
        self._events = Events(limit)
        self._limit = limit
        self._changed = asyncio.Event()
        # How often something has come or was handed on, and whether something is being so.
        self._news = 0
        self._is_busy = False
        self.given = 0
        self.is_sent: asyncio.Future[None] = loop.create_future()
        self.opened: asyncio.Future[Exception | None] = loop.create_future()
        self.ended: asyncio.Future[Exception] = loop.create_future()
        self._reading = loop.create_task(self._run())

    async def close(self) -> None:
        """Read nothing more."""
        await cancelled(self._reading)

    async def is_unknown(self) -> bool:
        """Wait until the server gives the stream or not. Says whether it knows no such session."""
        await asyncio.wait((self.opened,))
        return is_unknown(self.opened.result())

    async def has_given(self, count: int, seconds: float) -> None:
        """Wait until so many messages were handed on, or the stream has ended, but not long."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while self.given < count and not self.ended.done():
            left = deadline - loop.time()
            if left <= 0:
                return
            change = asyncio.ensure_future(self._changed.wait())
            try:
                await asyncio.wait(
                    (change, self.ended),
                    timeout=left,
                    return_when=asyncio.FIRST_COMPLETED,
                )
            finally:
                change.cancel()

    async def rest(self, seconds: float) -> None:
        """Wait until all was handed on, and the stream has ended or nothing came for so long."""
        seen = -1
        while not self.ended.done() and (self._is_busy or seen != self._news):
            seen = self._news
            await asyncio.wait((self.ended,), timeout=seconds)

    async def _run(self) -> None:
        error: Exception = ConnectionLostError("the stream was closed")
        try:
            error = await self._read()
        except (httpx.TransportError, httpx.StreamError) as failure:
            error = ConnectionLostError(f"an event stream broke: {why(failure)}")
        finally:
            for waiting in (self.opened, self.ended):
                if not waiting.done():
                    waiting.set_result(error)
            if not self.is_sent.done():
                self.is_sent.set_result(None)
            await self._client.aclose()

    async def _read(self) -> Exception:
        """Read the stream. Gives why it ended."""
        request = self._client.build_request(
            "GET", self._url, headers=self._headers, extensions={"trace": self._trace}
        )
        answer = await self._client.send(request, stream=True)
        try:
            if answer.status_code != _OK:
                return HttpError(answer.status_code, await said(answer, self._limit))
            if EVENTS not in answer.headers.get("content-type", ""):
                return HttpError(answer.status_code, "the answer is no event stream")
            self.opened.set_result(None)
            async for piece in answer.aiter_raw():
                self._news += 1
                self._is_busy = True
                for event in self._events.feed(piece):
                    await self._give(event)
                    self.given += 1
                    changed, self._changed = self._changed, asyncio.Event()
                    changed.set()
                self._news += 1
                self._is_busy = False
        except TooLongError:
            text = f"an event of more than {self._limit} bytes (limit `body`)"
            return ConnectionLostError(text)
        finally:
            await answer.aclose()
        reason = self._events.reason
        text = "an event stream ended" + (f": {reason}" if reason else "")
        return ConnectionLostError(text)

    async def _trace(self, name: str, _: object) -> None:
        if name.endswith(_SENT) and not self.is_sent.done():
            self.is_sent.set_result(None)


def is_unknown(error: Exception | None) -> bool:
    """Whether a server says that there is no such session."""
    return isinstance(error, HttpError) and error.status == _UNKNOWN


def encoded(headers: Mapping[str, str]) -> dict[bytes, bytes]:
    """Write headers. Ids of sessions may have characters beyond ASCII."""
    return {name.lower().encode(): value.encode() for name, value in headers.items()}
