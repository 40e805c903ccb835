"""Where bytes come from and go to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection
from typing import Protocol, runtime_checkable

_CHUNK = 256 * 1024


class Receiver(Protocol):
    """Who takes what a transport reads."""

    def receive(self, data: bytes, /) -> None:
        """Take bytes, of which there is at least one."""
        ...

    def end(self, failure: BaseException | None, /) -> None:
        """Learn that nothing more comes, with the reason if that is a failure."""
        ...

    def fail(self, calls: Collection[bytes], error: Exception, /) -> None:
        """Learn that calls get no answer. They are given by their ids as JSON.

        Without any, what was not delivered is no call.
        """
        ...

    async def wait_idle(self) -> None:
        """Wait until no request is being handled."""
        ...


class Transport(Protocol):
    """Two directions of bytes."""

    def start(self, receiver: Receiver, /) -> None:
        """Begin to give what comes in."""
        ...

    def pause(self) -> None:
        """Give nothing more for now."""
        ...

    def resume(self) -> None:
        """Go on."""
        ...

    def stop(self) -> None:
        """Give nothing more."""
        ...

    def write(self, data: bytes, /) -> Awaitable[None] | None:
        """Write bytes. What it gives is to be waited for before more is written."""
        ...

    async def close(self) -> None:
        """Say that nothing more goes out, once all is written. It does not raise."""
        ...


@runtime_checkable
class Ending(Protocol):
    """What a transport may have beside: it knows how the other end came to its end."""

    async def ending(self) -> str:
        """Say how: `exit code 3`. Empty where that is not known."""
        ...


@runtime_checkable
class Impatient(Protocol):
    """What a transport may have beside: it does not wait for ever for what is not read."""

    async def wait_written(self, written: Awaitable[None], /) -> None:
        """Wait until all is written, as long as that may take."""
        ...


class ByteReader(Protocol):
    """A stream of bytes, such as `asyncio.StreamReader`."""

    async def read(self, n: int = -1, /) -> bytes:
        """Read at most so many bytes: at least one, but at the end."""
        ...


class ByteWriter(Protocol):
    """Takes a stream of bytes, such as `asyncio.StreamWriter`."""

    def write(self, data: bytes, /) -> None:
        """Write bytes, or keep them to be written."""
        ...

    async def drain(self) -> None:
        """Wait until there is space for more."""
        ...

    def close(self) -> None:
        """Close the stream once all is written."""
        ...

    async def wait_closed(self) -> None:
        """Wait until it is closed."""
        ...


class StreamTransport:
    """A transport over a pair of byte streams, such as asyncio has for sockets and pipes."""

    def __init__(self, reader: ByteReader, writer: ByteWriter) -> None:
        """Read from one, write to the other."""
        self._reader = reader
        self._writer = writer
        self._reading: asyncio.Task[None] | None = None
        self._resumed: asyncio.Event | None = None

    def start(self, receiver: Receiver, /) -> None:
        """Begin to give what comes in."""
        self._reading = asyncio.get_running_loop().create_task(self._read(receiver))

    async def _read(self, receiver: Receiver) -> None:
        failure: BaseException | None = None
        try:
            while data := await self._reader.read(_CHUNK):
                receiver.receive(data)
                if self._resumed is not None:
                    await self._resumed.wait()
        except Exception as error:  # noqa: BLE001
            failure = error
        receiver.end(failure)

    def pause(self) -> None:
        """Give nothing more for now."""
        if self._resumed is None:
            self._resumed = asyncio.Event()

    def resume(self) -> None:
        """Go on."""
        if self._resumed is not None:
            self._resumed.set()
            self._resumed = None

    def stop(self) -> None:
        """Give nothing more."""
        if self._reading is not None:
            self._reading.cancel()

    def write(self, data: bytes, /) -> Awaitable[None] | None:
        """Write bytes."""
        writer = self._writer
        writer.write(data)
        if isinstance(writer, asyncio.StreamWriter):
            transport = writer.transport
            if not transport.is_closing() and transport.get_write_buffer_size() == 0:
                return None
        return writer.drain()

    async def close(self) -> None:
        """Say that nothing more goes out."""
        self.stop()
        try:
            self._writer.close()
            await self._writer.wait_closed()
        except Exception:  # noqa: BLE001, S110
            # The other end is gone.
            pass
