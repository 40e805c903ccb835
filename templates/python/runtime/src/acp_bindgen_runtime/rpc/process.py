"""Processes at the other end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Mapping
from os import PathLike
from typing import Final, Literal, TypeAlias

from .group import Group
from .stderr import Stderr
from .transport import StreamTransport

_LIMIT = 256 * 1024

StderrChoice: TypeAlias = Literal["inherit", "capture", "pipe", "ignore"]
"""What becomes of what a process writes to standard error.

`inherit`: it goes where that of this process goes. `capture`: its last lines are kept, for errors.
`pipe`: the program reads it, and its last lines are kept. `ignore`: nothing.
"""

_TARGETS: Final[dict[StderrChoice, int | None]] = {
    "inherit": None,
    "capture": asyncio.subprocess.PIPE,
    "pipe": asyncio.subprocess.PIPE,
    "ignore": asyncio.subprocess.DEVNULL,
}


class _Protocol(asyncio.subprocess.SubprocessStreamProtocol):
    """The streams of a process.

    Attributes:
        exited: Done once it has ended. What it has started may have its streams even then.
        closed: Done once nobody has its streams.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        streams: set[int],
        grace: float | None,
    ) -> None:
        super().__init__(limit=_LIMIT, loop=loop)
        self.exited: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self._open = streams
        self._all: asyncio.BaseTransport | None = None
        self._grace = grace
        self._end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take note of what has all streams."""
        self._all = transport
        super().connection_made(transport)

    def process_exited(self) -> None:
        """Take note of the end. Others are not heard for much longer."""
        super().process_exited()
        if not self.exited.done():
            self.exited.set_result(None)
        if self._open and self._grace is not None:
            loop = asyncio.get_running_loop()
            self._end = loop.call_later(self._grace, self.close)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Take note that nobody has one of the streams any more."""
        super().pipe_connection_lost(fd, exc)
        self._open.discard(fd)
        if not self._open and not self.closed.done():
            self.closed.set_result(None)
            if self._end is not None:
                self._end.cancel()

    def close(self) -> None:
        """Close what is left of the streams."""
        if self._all is not None:
            self._all.close()


class ChildProcess:
    """A process at the other end of a connection."""

    __slots__ = ("_group", "_name", "_process", "_protocol", "_stderr")

    def __init__(
        self,
        name: str,
        process: asyncio.subprocess.Process,
        protocol: _Protocol,
        stderr: Stderr | None,
    ) -> None:
        """Know a process, its program's name, and what it writes to standard error."""
        self._name = name
        self._process = process
        self._protocol = protocol
        self._stderr = stderr
        self._group = Group(process.pid)
        protocol.exited.add_done_callback(lambda _: self._group.send(None))

    @property
    def pid(self) -> int:
        """Its id."""
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        """How it ended; `None` before. What is negative is the signal that killed it."""
        return self._process.returncode

    @property
    def stderr(self) -> Stderr:
        """The lines that it writes to standard error, if they are piped.

        `async for` gives them. While nobody takes them, the process may have to wait.

        Raises:
            ValueError: They are not.
        """
        if self._stderr is None or not self._stderr.is_piped:
            message = (
                'standard error is not piped: start the process with stderr="pipe"'
            )
            raise ValueError(message)
        return self._stderr

    @property
    def last_lines(self) -> list[str]:
        """The last lines that it wrote to standard error, if they are kept."""
        return [] if self._stderr is None else self._stderr.last_lines

    async def wait(self) -> int:
        """Wait until it has ended. Gives how."""
        await self._ended(None)
        return self._process.returncode or 0

    async def _ended(self, patience: float | None) -> None:
        """Wait until it has ended, but not longer than this."""
        await asyncio.wait((self._protocol.exited,), timeout=patience)

    async def told(self, patience: float, otherwise: str) -> str:
        """Say how it ended, once that is known, or else this; with what it said last."""
        await self._ended(patience)
        status = self._process.returncode
        how = otherwise if status is None else _how(status)
        if self._stderr is not None:
            await self._stderr.rest()
        return "\n".join((f"{self._name}: {how}", *self.last_lines))

    async def end(self, grace: float) -> None:
        """Wait until it has ended, and see to it, and to what it has started."""
        if self._stderr is not None:
            self._stderr.release()
        reading = asyncio.ensure_future(_skip(self._process.stdout))
        try:
            await self._ended(grace)
            await self.stop(grace)
        except BaseException:
            # Nobody waits for it any more.
            self.kill()
            raise
        finally:
            self.forget()
            reading.cancel()
            await asyncio.wait((reading,))
            if self._stderr is not None:
                await self._stderr.close()
            self.close()
            await asyncio.wait((self._protocol.closed,), timeout=grace)

    async def stop(self, grace: float) -> None:
        """Terminate it and what it has started, and kill what then goes on for too long."""
        if self._send("SIGTERM"):
            await self._ended(grace)
            await self._group.gone(grace)
            self.kill()
            await self._ended(grace)

    def kill(self) -> None:
        """Kill it and what it has started."""
        self._send("SIGKILL")

    def forget(self) -> None:
        """Send no more signals to what it has started."""
        self._group.forget()

    def close(self) -> None:
        """Close what is left of its streams."""
        self._protocol.close()

    def _send(self, name: str) -> bool:
        """Send a signal to it and what it has started. Says whether anyone is left.

        `asyncio`'s own functions look first whether it has ended, in a way that can take its exit
        status from whoever waits for that.
        """
        if sys.platform == "win32":
            if self._process.returncode is not None:
                return False
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            return True
        return self._group.send(name)


async def _skip(reader: asyncio.StreamReader | None) -> None:
    """Read what nobody wants, so that the process need not wait."""
    while reader is not None and await reader.read(_LIMIT):
        pass


def _how(status: int) -> str:
    if status >= 0:
        return f"exit code {status}"
    return f"killed by {signal_name(-status)}"


def signal_name(number: int) -> str:
    """Give the name of a signal."""
    import signal

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class ProcessTransport(StreamTransport):
    """A transport over the standard streams of a process.

    Attributes:
        process: The process.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        process: ChildProcess,
        grace: float,
    ) -> None:
        """Read what it writes, write what it reads."""
        super().__init__(reader, writer)
        self._stdout = reader
        self._stdin = writer
        self.process = process
        self._grace = grace

    async def ending(self) -> str:
        """Say how the process ended, once that is known: `agent: exit code 3`."""
        what = "output" if self._stdout.at_eof() else "input"
        return await self.process.told(self._grace, f"its {what} ended")

    async def wait_written(self, written: Awaitable[None], /) -> None:
        """Wait until all is written, but not longer than it is given to end.

        What it still says is thrown away, so that it is free to read.
        """
        closing = asyncio.ensure_future(written)
        skipping = asyncio.ensure_future(_skip(self._stdout))
        done, _ = await asyncio.wait((closing,), timeout=self._grace)
        if not done:
            self._stdin.transport.abort()
            await closing
        skipping.cancel()
        await asyncio.wait((skipping,))


async def launch(
    command: str | PathLike[str],
    *arguments: str | PathLike[str],
    streams: tuple[int, int | None, int | None],
    env: Mapping[str, str] | None,
    cwd: str | PathLike[str] | None,
    grace: float | None,
) -> tuple[asyncio.subprocess.Process, _Protocol]:
    """Start a process that leads a group and a session of its own.

    Args:
        command: The program.
        arguments: What it is given on its command line.
        streams: What its standard streams are: input, output, errors.
        env: Variables for its environment, beside those of this process.
        cwd: Its working folder; without it, this process's.
        grace: How long what it has started may have its streams once it has ended, in seconds. If
            there is no such time, they stay open.

    Raises:
        OSError: It cannot be started.
        ValueError: The system has no such text.
    """
    loop = asyncio.get_running_loop()
    stdin, stdout, stderr = streams
    piped = {
        number
        for number, stream in enumerate(streams)
        if stream == asyncio.subprocess.PIPE
    }
    try:
        transport, protocol = await loop.subprocess_exec(
            lambda: _Protocol(loop, piped, grace),
            command,
            *arguments,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            env=None if env is None else {**os.environ, **env},
            cwd=cwd,
            # Signals for it then reach what it starts as well.
            start_new_session=True,
        )
    except OSError as error:
        message = f"cannot start {os.fspath(command)}: {error.strerror}"
        if cwd is not None and error.filename == cwd:
            message = f"{message}: {error.filename}"
        raise type(error)(error.errno, message, error.filename) from error
    return asyncio.subprocess.Process(transport, protocol, loop), protocol


@contextlib.asynccontextmanager
async def spawn(
    command: str | PathLike[str],
    *arguments: str | PathLike[str],
    env: Mapping[str, str] | None = None,
    cwd: str | PathLike[str] | None = None,
    stderr: StderrChoice = "inherit",
    grace: float = 2.0,
) -> AsyncGenerator[ProcessTransport, None]:
    """Start a process, and connect over its standard input and output.

    At the end its input is closed; a process that then goes on is terminated, and then killed, but
    on Windows with all that it has started: it leads a group and a session of its own, so that
    Ctrl-C in a terminal reaches only this program.

    Args:
        command: The program.
        arguments: What it is given on its command line.
        env: Variables for its environment, beside those of this process.
        cwd: Its working folder; without it, this process's.
        stderr: What becomes of what it writes to standard error.
        grace: How long it may take to end before it is terminated, and then killed, in seconds.

    Raises:
        OSError: It cannot be started.
        ValueError: There is no such choice for standard error.
    """
    if stderr not in _TARGETS:
        choices = ", ".join(map(repr, _TARGETS))
        message = f"stderr is {stderr!r}: expected one of {choices}"
        raise ValueError(message)
    process, protocol = await launch(
        command,
        *arguments,
        streams=(asyncio.subprocess.PIPE, asyncio.subprocess.PIPE, _TARGETS[stderr]),
        env=env,
        cwd=cwd,
        grace=grace,
    )
    lines = (
        Stderr(process.stderr, is_piped=stderr == "pipe") if process.stderr else None
    )
    path: str = os.fspath(command)
    child = ChildProcess(os.path.basename(path), process, protocol, lines)
    if process.stdin is None or process.stdout is None:
        message = "the process has no standard streams"
        raise RuntimeError(message)
    try:
        yield ProcessTransport(process.stdout, process.stdin, child, grace)
    finally:
        process.stdin.close()
        await child.end(grace)
