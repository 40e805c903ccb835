"""What a request opens at the other end, and another gives back."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from .rpc.link import Link

if TYPE_CHECKING:
    from typing_extensions import Self
else:
    # `typing` has it from 3.11 on.
    Self = TypeVar("Self")


class Handle:
    """Something at the other end of a connection that methods belong to."""

    if not TYPE_CHECKING:
        # What inherits it has space for what it knows.
        __slots__ = ()

    _link: Link
    _given: dict[str, Any]
    _is_released: bool

    def hold_(self, link: Link, **given: Any) -> Self:
        """Take the connection, and what the request was given that others need, too."""
        self._link = link
        self._given = given
        self._is_released = False
        return self

    def release_(self) -> bool:
        """Take note that it is given back. Says whether that is new."""
        was_held, self._is_released = not self._is_released, True
        return was_held


class Releasable(Handle):
    """Something that is given back. `async with` does it, once."""

    if not TYPE_CHECKING:
        __slots__ = ()

    async def __aenter__(self) -> Self:
        """Give what was opened already."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Give it back."""
        await self.give_back_()

    async def give_back_(self) -> None:
        """Give it back, unless it was."""
