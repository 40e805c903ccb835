"""Things that the other end is told of, from their start to their end."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Awaitable, Callable
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import CallError

if TYPE_CHECKING:
    from typing_extensions import Self
else:
    # `typing` has it from 3.11 on.
    Self = TypeVar("Self")


class Progress:
    """Something that begins, changes, and ends once. `async with` begins and ends it."""

    def __init__(
        self,
        tell: Callable[..., Awaitable[None]],
        argument: str,
        opening: object,
        key: Any,
    ) -> None:
        """Take what sends a change, and the name by which that is given to it."""
        self._tell = tell
        self._argument = argument
        self._opening = opening
        self._has_ended = False
        self.key_ = key

    async def __aenter__(self) -> Self:
        """Tell that it begins."""
        await self.tell_(self._opening)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Tell how it ended, unless that was told. An exception goes on in any case."""
        if error is None:
            await self.complete()
            return
        with suppress(CallError):
            await (self.cancel() if isinstance(error, CancelledError) else self.fail())

    async def complete(self) -> None:
        """Tell that it is done."""
        raise NotImplementedError

    async def fail(self) -> None:
        """Tell that it has failed."""
        raise NotImplementedError

    async def cancel(self) -> None:
        """Tell that a cancelled turn has ended it."""
        raise NotImplementedError

    async def tell_(self, change: object) -> None:
        """Tell of a change, unless it has ended."""
        if not self._has_ended:
            await self._tell(**{self._argument: change})

    async def end_(self, change: object) -> None:
        """Tell of its end, once."""
        if self._has_ended:
            return
        self._has_ended = True
        try:
            await self._tell(**{self._argument: change})
        except BaseException:
            # It was not sent.
            self._has_ended = False
            raise
