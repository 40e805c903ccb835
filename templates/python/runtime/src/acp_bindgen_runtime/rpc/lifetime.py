"""What every connection of a side has."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from .connection import Connection
from .process import ChildProcess, ProcessTransport

if TYPE_CHECKING:
    from typing_extensions import Self
else:
    # `typing` has it from 3.11 on.
    Self = TypeVar("Self")


class Lifetime:
    """A connection from its beginning to its end. `async with` closes it."""

    __slots__ = ()

    _connection: Connection

    async def __aenter__(self) -> Self:
        """Give the connection, which has begun already."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the connection."""
        await self.close()

    @property
    def is_ended(self) -> bool:
        """Whether nothing more comes in."""
        return self._connection.is_ended

    @property
    def child_process(self) -> ChildProcess:
        """The process at the other end.

        Raises:
            ValueError: The connection was not made by starting one.
        """
        transport = self._connection.transport
        if isinstance(transport, ProcessTransport):
            return transport.process
        message = "the other end is no process that was started for this connection"
        raise ValueError(message)

    async def wait_closed(self) -> BaseException | None:
        """Wait until the connection has ended. Gives the reason if that is a failure."""
        return await self._connection.wait_closed()

    async def close(self) -> None:
        """End the connection once everything is written.

        Calls that wait fail, and handlers are cancelled. A handler that calls this does not
        wait for the end.
        """
        await self._connection.close()
