"""What is read of a server's answers."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import httpx

from ..errors import ConnectionLostError
from .errors import message_of
from .lines import within

_SAID: Final = 65536
"""How many bytes are read at most of what is only shown, or should be empty."""

_PATIENCE: Final = 1.0
"""How long they are waited for, in seconds."""


async def said(answer: httpx.Response, limit: int) -> str:
    """Give what a server says that refuses something: no more than is shown, and not for long."""
    return message_of(await start_of(answer, limit))


async def start_of(answer: httpx.Response, limit: int) -> bytes:
    """Give what comes of an answer in a short time, but at most so many bytes, and close it."""
    limit = min(limit, _SAID)
    body = bytearray()

    async def read() -> None:
        async for piece in answer.aiter_raw():
            body.extend(piece)
            if len(body) > limit:
                break

    # What has come by then is shown.
    try:
        with contextlib.suppress(asyncio.TimeoutError, httpx.RequestError):
            await within(_PATIENCE, read())
    finally:
        await answer.aclose()
    return bytes(body[:limit])


async def whole(answer: httpx.Response, limit: int) -> bytes:
    """Give an answer.

    Raises:
        ConnectionLostError: It has more bytes than this.
    """
    body = bytearray()
    try:
        async for piece in answer.aiter_raw():
            body.extend(piece)
            if len(body) > limit:
                text = f"an answer of more than {limit} bytes (limit `body`)"
                raise ConnectionLostError(text)
    finally:
        await answer.aclose()
    return bytes(body)
