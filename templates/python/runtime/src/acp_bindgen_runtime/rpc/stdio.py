"""Standard input and output."""

from __future__ import annotations

import asyncio
import contextlib
import os
import stat
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

from .transport import ByteReader, ByteWriter, StreamTransport, Transport

_CHUNK = 256 * 1024


@contextlib.asynccontextmanager
async def stdio() -> AsyncGenerator[Transport, None]:
    """Connect over this process's standard input and output.

    Meanwhile nobody else has them, nor have processes that are started: what is printed goes
    to standard error, and there is nothing to read.
    """
    with _taken() as (source, sink):
        reader = await _reader(_own(source, os.O_RDONLY))
        writer = await _writer(_own(sink, os.O_WRONLY))
        yield StandardStreams(reader, writer)


class StandardStreams(StreamTransport):
    """Standard input and output: whoever runs the program sees its standard error."""


@contextlib.contextmanager
def _taken() -> Generator[tuple[int, int], None, None]:
    """Give descriptors of standard input and output, which others find replaced."""
    kept = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(nothing, 0)
        try:
            os.dup2(2, 1)
        except OSError:
            # There is no standard error.
            os.dup2(nothing, 1)
        with contextlib.redirect_stdout(sys.stderr):
            yield kept
    finally:
        # What was printed meanwhile is no message either.
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        for number, descriptor in enumerate(kept):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.close(nothing)


def _own(descriptor: int, flags: int) -> int:
    """Give a descriptor that may stop to block without anyone noticing.

    Whoever shares a pipe with this process, such as a shell, goes on to find it as it was: it
    is opened anew, where that is possible. Opening one with a name could block.
    """
    try:
        path = f"/proc/self/fd/{descriptor}"
        if os.readlink(path).startswith("pipe:"):
            return os.open(path, flags)
    except OSError:
        pass
    return os.dup(descriptor)


def _can_wait(descriptor: int) -> bool:
    """Whether the event loop can wait for it: for files it cannot."""
    if sys.platform == "win32":
        return False
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(descriptor)


async def _reader(descriptor: int) -> ByteReader:
    if not _can_wait(descriptor):
        return _BlockingReader(descriptor)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_CHUNK)
    pipe = os.fdopen(descriptor, "rb", buffering=0)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    return reader


async def _writer(descriptor: int) -> ByteWriter:
    if not _can_wait(descriptor):
        return _BlockingWriter(descriptor)
    loop = asyncio.get_running_loop()
    # Who writes waits for space as who reads does: there is one protocol for both.
    reader = asyncio.StreamReader()
    pipe = os.fdopen(descriptor, "wb", buffering=0)
    transport, protocol = await loop.connect_write_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), pipe
    )
    return asyncio.StreamWriter(transport, protocol, None, loop)


class _BlockingReader:
    """Reads in threads, which do not keep the program from ending."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    async def read(self, n: int = -1, /) -> bytes:
        return await _in_thread(lambda: os.read(self._descriptor, n))


class _BlockingWriter:
    """Writes in threads."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._data = b""

    def write(self, data: bytes, /) -> None:
        self._data += data

    async def drain(self) -> None:
        data, self._data = self._data, b""
        await _in_thread(lambda: self._write(data))

    def _write(self, data: bytes) -> bytes:
        left = memoryview(data)
        while left:
            left = left[os.write(self._descriptor, left) :]
        return b""

    def close(self) -> None:
        os.close(self._descriptor)

    async def wait_closed(self) -> None:
        pass


async def _in_thread(work: Callable[[], bytes]) -> bytes:
    """Do something in a thread, which has ended when this has, unless it is cancelled."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[bytes] = loop.create_future()

    def settle(settle: Callable[[Any], None], outcome: object) -> None:
        if not done.done():
            settle(outcome)

    def run() -> None:
        try:
            outcome: tuple[Callable[[Any], None], object] = (done.set_result, work())
        except OSError as error:
            outcome = (done.set_exception, error)
        with contextlib.suppress(RuntimeError):
            # Nobody waits any more where the loop is closed.
            loop.call_soon_threadsafe(settle, *outcome)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        return await done
    finally:
        if not done.cancelled():
            # It has told what came of the work, and has nothing else to do.
            thread.join()
