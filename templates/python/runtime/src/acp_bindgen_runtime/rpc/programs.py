"""Programs that run for the other end of a connection."""

from __future__ import annotations

import asyncio
import os
import uuid
import weakref
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, TypeVar

from msgspec import UNSET, UnsetType

from ..errors import RequestError
from .kept import KeptText
from .process import ChildProcess, launch, signal_name

if TYPE_CHECKING:
    from typing_extensions import Self
else:
    # `typing` has it from 3.11 on.
    Self = TypeVar("Self")

T = TypeVar("T")

_CHUNK: Final = 64 * 1024

_SETTLING: Final = 0.5
"""How long the output of a program that has ended is waited for, in seconds: what it has started
may have it, too."""


class ProgramExit(NamedTuple):
    """How a program ended."""

    code: int | None
    """Its exit code, unless a signal killed it."""
    signal: str | None
    """The name of the signal that killed it: `SIGTERM`."""


class ProgramOutput(NamedTuple):
    """What a program has written so far."""

    text: str
    """The end of it."""
    is_truncated: bool
    """Whether the beginning is lost."""
    exit: ProgramExit | None
    """How it ended, if it has."""


class _Program:
    """A program that was started, and its output."""

    __slots__ = ("_child", "_exit", "_over", "_reading", "_text", "scope")

    def __init__(
        self,
        scope: tuple[str, ...],
        child: ChildProcess,
        output: asyncio.StreamReader,
        limit: int,
    ) -> None:
        """Begin to read."""
        self.scope = scope
        self._child = child
        self._text = KeptText(limit)
        self._exit: ProgramExit | None = None
        self._reading = asyncio.ensure_future(self._read(output))
        self._over = asyncio.ensure_future(self._watch())

    async def _read(self, output: asyncio.StreamReader) -> None:
        while chunk := await output.read(_CHUNK):
            self._text.add(chunk)
        self._text.add(b"", is_last=True)

    async def _watch(self) -> None:
        status = await self._child.wait()
        await asyncio.wait((self._reading,), timeout=_SETTLING)
        name = signal_name(-status) if status < 0 else None
        self._exit = ProgramExit(status if name is None else None, name)

    @property
    def output(self) -> ProgramOutput:
        """What it has written so far."""
        return ProgramOutput(str(self._text), self._text.is_truncated, self._exit)

    async def wait(self) -> ProgramExit:
        """Wait until it has ended, and what it wrote was read."""
        # Whoever waits may be cancelled, and others wait on.
        await asyncio.wait((self._over,))
        self._over.result()
        return self._exit or ProgramExit(None, None)

    async def end(self, grace: float) -> None:
        """End it, and what it has started."""
        try:
            await self._child.stop(grace)
        except BaseException:
            # Nobody waits for it any more.
            self.kill()
            raise
        await self.wait()

    def kill(self) -> None:
        """Kill it, and what it has started."""
        self._child.kill()

    async def close(self, grace: float) -> None:
        """End it, and read nothing more of it."""
        try:
            await self.end(grace)
        finally:
            self._child.forget()
            self._child.close()
            self._reading.cancel()


class Programs:
    """Starts programs, and knows them by ids that nobody can guess.

    What belongs to a scope (a session, say) is unknown to others.
    """

    __slots__ = (
        "__weakref__",
        "_command",
        "_error",
        "_grace",
        "_id",
        "_is_closed",
        "_limit",
        "_max_limit",
        "_max_open",
        "_open",
        "_starting",
    )

    def __init__(
        self,
        names: tuple[str, str],
        error: type[RequestError],
        max_open: int,
        limits: tuple[int, int],
        grace: float,
    ) -> None:
        """Take what errors call an id and a command, the class of errors, and the limits."""
        self._id, self._command = names
        self._error = error
        self._max_open = max_open
        self._limit, self._max_limit = limits
        self._grace = grace
        self._open: dict[str, _Program] = {}
        self._starting = 0
        self._is_closed = False
        weakref.finalize(self, _kill_all, self._open)

    async def start(
        self,
        scope: tuple[str, ...],
        command: str,
        *,
        args: Sequence[str] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        limit: int | None = None,
    ) -> str:
        """Start a program. Gives its id.

        Raises:
            RequestError: It cannot be started, or too many were started and not given back.
        """
        self._check_open()
        if len(self._open) + self._starting >= self._max_open:
            detail = f"{self._max_open} programs were started and not given back"
            raise self._error.internal_error(detail=detail)
        self._starting += 1
        try:
            process, protocol = await launch(
                command,
                *(args or ()),
                streams=(
                    asyncio.subprocess.DEVNULL,
                    asyncio.subprocess.PIPE,
                    asyncio.subprocess.STDOUT,
                ),
                env=env,
                cwd=cwd,
                grace=None,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            detail = why or f"cannot start {command}: {error}"
            data = {self._command: command}
            raise self._error.invalid_params(data, detail=detail) from error
        finally:
            self._starting -= 1
        if process.stdout is None:
            message = "the process has no output"
            raise RuntimeError(message)
        child = ChildProcess(os.path.basename(command), process, protocol, None)
        wanted = self._limit if limit is None else limit
        kept = max(0, min(wanted, self._max_limit))
        program = _Program(scope, child, process.stdout, kept)
        if self._is_closed:
            await program.close(self._grace)
            self._check_open()
        name = str(uuid.uuid4())
        self._open[name] = program
        return name

    def _check_open(self) -> None:
        """Make sure that programs are still run."""
        if self._is_closed:
            raise self._error.internal_error(detail="no more programs are run here")

    def output(self, scope: tuple[str, ...], name: str) -> ProgramOutput:
        """Give what a program has written so far.

        Raises:
            RequestError: The id is unknown.
        """
        return self._find(scope, name).output

    async def wait(self, scope: tuple[str, ...], name: str) -> ProgramExit:
        """Wait until a program has ended.

        Raises:
            RequestError: The id is unknown.
        """
        return await self._find(scope, name).wait()

    async def kill(self, scope: tuple[str, ...], name: str) -> None:
        """End a program and what it has started. Its output and its id stay.

        Raises:
            RequestError: The id is unknown.
        """
        await self._find(scope, name).end(self._grace)

    async def release(self, scope: tuple[str, ...], name: str) -> None:
        """End a program and what it has started, and forget it.

        Raises:
            RequestError: The id is unknown.
        """
        program = self._find(scope, name)
        del self._open[name]
        await program.close(self._grace)

    async def close(self) -> None:
        """End all programs, and start no more."""
        self._is_closed = True
        programs = list(self._open.values())
        self._open.clear()
        try:
            await asyncio.gather(*(it.close(self._grace) for it in programs))
        finally:
            for program in programs:
                program.kill()

    def _find(self, scope: tuple[str, ...], name: str) -> _Program:
        program = self._open.get(name)
        if program is None or program.scope != scope:
            detail = f"nothing was started that has the id {name}, or it was given back"
            raise self._error.invalid_params({self._id: name}, detail=detail)
        return program


def _kill_all(programs: dict[str, _Program]) -> None:
    """Kill what nobody can give back any more."""
    for program in programs.values():
        program.kill()


def said(value: T | None) -> T | UnsetType:
    """Give what is there, and `UNSET` for `None`."""
    return UNSET if value is None else value


class ProgramHost:
    """Handles the requests by which the other end runs programs here."""

    names_: ClassVar[tuple[str, str]]
    """The properties of an id and a command."""

    error_: ClassVar[type[RequestError]]
    """The class of errors."""

    def __init__(
        self,
        *,
        max_open: int = 64,
        output_limit: int = 1024 * 1024,
        max_output_limit: int = 8 * 1024 * 1024,
        grace: float = 2.0,
    ) -> None:
        """Run programs within these limits.

        Args:
            max_open: How many may be open at a time: started and not given back.
            output_limit: How much is kept of what one writes, in bytes, if the other end does not
                say.
            max_output_limit: How much is kept at most, whatever the other end says.
            grace: How long one may take to end once it is told to before it is killed, in seconds.
        """
        limits = (output_limit, max_output_limit)
        self.programs_ = Programs(self.names_, self.error_, max_open, limits, grace)

    async def aclose(self) -> None:
        """End all programs, and start no more."""
        await self.programs_.close()

    async def __aenter__(self) -> Self:
        """Give the host. At the end, all programs are ended."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End all programs."""
        await self.aclose()
