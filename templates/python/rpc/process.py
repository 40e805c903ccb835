"""Processes at the other end."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from .transport import StreamTransport

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping
    from os import PathLike

    from .transport import Transport

_LIMIT = 256 * 1024
_PATIENCE = 2.0


@contextlib.asynccontextmanager
async def spawn(
    command: str | PathLike[str],
    *arguments: str | PathLike[str],
    env: Mapping[str, str] | None = None,
    cwd: str | PathLike[str] | None = None,
) -> AsyncGenerator[Transport, None]:
    """Start a process, and connect over its standard input and output.

    What it writes to standard error goes to this process's. At the end its input is closed; a
    process that then goes on is terminated, and then killed.
    """
    process = await asyncio.create_subprocess_exec(
        command,
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=env,
        cwd=cwd,
        limit=_LIMIT,
    )
    if process.stdin is None or process.stdout is None:
        message = "the process has no standard streams"
        raise RuntimeError(message)
    try:
        yield StreamTransport(process.stdout, process.stdin)
    finally:
        process.stdin.close()
        await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Wait until a process has ended, and see to it."""
    try:
        for insist in (None, process.terminate, process.kill):
            if process.returncode is not None:
                return
            if insist is not None:
                with contextlib.suppress(ProcessLookupError):
                    insist()
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(process.wait(), timeout=_PATIENCE)
    except BaseException:
        # Nobody waits for it any more.
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        raise
