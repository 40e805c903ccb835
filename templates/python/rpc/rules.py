"""What the protocol says about the connections of a side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Raw, Struct
from msgspec.json import decode

from ..errors import ConnectionClosedError
from .message import REFUSALS

if TYPE_CHECKING:
    from .method import Method, RequestMethod


class Cancels(Struct, frozen=True, kw_only=True):
    """A request that a message cancels.

    Attributes:
        method: The message's method.
        request: The request's method.
        key: The property of both params that says which.
        result: What a handler that ends by it is answered with. Without it, with the error.
    """

    method: str
    request: str
    key: str
    result: Any = None


class Terms:
    """What the ends of a connection agree on. Here that is nothing: all may be sent.

    Attributes:
        version: The version that both ends agreed on; before, the highest.
        handled: The methods that this end handles, by their names.
    """

    __slots__ = ("handled", "version")

    def __init__(self) -> None:
        """Begin before anything was said."""
        self.version: Any = None
        self.handled: Mapping[str, object] = {}

    def learn(self, method: str, params: Raw) -> None:
        """Take note of what the peer says it can do, and of the version it asks for."""

    def settle(self, method: str, result: Raw) -> ConnectionClosedError | None:
        """Take note of what the peer answers. Gives why the connection has to end."""

    def check(self, method: Method[Any]) -> None:
        """Raise why a method must not be called, if it must not."""

    def check_params(self, method: Method[Any], params: bytes | None) -> None:
        """Raise why params must not be sent, if they must not."""

    def checked_result(self, method: RequestMethod[Any, Any], result: bytes) -> bytes:
        """Give the result that is sent, or raise why it must not be sent."""
        return result


class Rules(Struct, frozen=True, kw_only=True):
    """What the protocol says about a side's connection.

    Attributes:
        cancel: The notification that cancels a request, and the property of its params that
            holds the request's id.
        cancels: The requests that this side handles and messages of either side cancel.
        terms: Makes what the ends of a new connection agree on.
    """

    cancel: tuple[str, str] | None = None
    cancels: list[Cancels] = []
    terms: Callable[[], Terms] = Terms


def members(payload: bytes | Raw) -> dict[str, Raw] | None:
    """Give the properties of an object as they are spelled."""
    try:
        return decode(payload, type=dict[str, Raw])
    except REFUSALS:
        return None
