"""What a server says that refuses something."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import httpx

from .errors import message_of

_SAID: Final = 65536
"""How many bytes of it are read."""

_PATIENCE: Final = 1.0
"""How long they are waited for, in seconds."""


async def said(answer: httpx.Response) -> str:
    """Give what a server says that refuses something: no more than is shown, and not for long."""
    body = bytearray()

    async def read() -> None:
        async for piece in answer.aiter_bytes():
            body.extend(piece)
            if len(body) > _SAID:
                break

    # What has come by then is shown.
    try:
        with contextlib.suppress(asyncio.TimeoutError, httpx.RequestError):
            await asyncio.wait_for(read(), _PATIENCE)
    finally:
        await answer.aclose()
    return message_of(bytes(body))
