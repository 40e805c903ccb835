"""Uses a package named `status`, much of which is deprecated or unstable, and counts the warnings.

Type checkers see what is deprecated, too: each `pyright: ignore` below is needed.
"""

from __future__ import annotations

import asyncio
import socket
import warnings
from collections.abc import Callable

from status import (
    Circle,
    Door,
    DoorContext,
    DoorSideConnection,
    Free,  # pyright: ignore[reportDeprecated]
    House,
    HouseContext,
    HouseSideConnection,
    OpenRequest,  # pyright: ignore[reportDeprecated]
    OpenResponse,
    PingNotification,
    Shape,
    StreamTransport,
    UnstableWarning,
)
from status.codecs import CircleCodec, FreeCodec, OpenRequestCodec, ShapeCodec


def warned(use: Callable[[], object]) -> list[str]:
    """Give the warnings that come of something, all of which must be this file's."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        use()
    assert all(it.filename == __file__ for it in caught), caught
    return [f"{it.category.__name__}: {it.message}" for it in caught]


def what_is_unstable_is_warned_of_once() -> None:
    assert issubclass(UnstableWarning, FutureWarning)
    assert warned(lambda: OpenResponse()) == []
    assert warned(lambda: OpenResponse(new="n")) == [
        "UnstableWarning: `OpenResponse.new` is unstable"
    ]
    assert warned(lambda: OpenResponse(new="n")) == []


def what_comes_from_the_peer_is_not_warned_of() -> None:
    def decode() -> None:
        OpenRequestCodec.decode(b'{"name":"n","gone":"g","level":4}')
        CircleCodec.convert({"radius": 1.5, "gone": "g"})
        FreeCodec.decode(b'{"gone":"g","more":1}')
        ShapeCodec.decode(b'{"type":"circle","radius":1}')

    assert warned(decode) == []


def each_use_is_warned_of_once() -> None:
    def request() -> object:
        return OpenRequest(name="n")  # pyright: ignore[reportDeprecated]

    assert warned(request) == ["DeprecationWarning: `OpenRequest` is deprecated"]
    assert warned(request) == []
    assert warned(lambda: Circle(radius=1)) == []
    assert warned(lambda: Circle(radius=1, gone="g")) == [
        "DeprecationWarning: `Circle.gone` is deprecated"
    ]
    assert warned(lambda: Circle(radius=1, gone="g")) == []
    free = warned(lambda: Free(gone="g"))  # pyright: ignore[reportDeprecated]
    assert free == [
        "DeprecationWarning: `Free` is deprecated",
        "DeprecationWarning: `Free.gone` is deprecated",
    ]
    assert warned(lambda: Shape.dot()) == []
    circle = warned(lambda: Shape.circle(1, gone="g"))  # pyright: ignore[reportDeprecated]
    assert circle == [
        "DeprecationWarning: `ShapeCircle` is deprecated",
        "DeprecationWarning: `ShapeCircle.gone` is deprecated",
    ]


class Wooden(Door):
    async def open(
        self,
        request: OpenRequest,  # pyright: ignore[reportDeprecated]
        context: DoorContext,
    ) -> OpenResponse:
        return OpenResponse()


class Lone(House):
    async def ping(self, request: PingNotification, context: HouseContext) -> None:
        return None


async def call() -> None:
    near, far = socket.socketpair()
    ours = StreamTransport(*await asyncio.open_connection(sock=near))
    theirs = StreamTransport(*await asyncio.open_connection(sock=far))
    async with (
        DoorSideConnection(Wooden(), theirs),
        HouseSideConnection(Lone(), ours) as door,
    ):
        for _ in range(2):
            await door.open("n", level=4)  # pyright: ignore[reportDeprecated]
            await door.lock()


def a_call_is_warned_of() -> None:
    assert warned(lambda: asyncio.run(call())) == [
        "DeprecationWarning: `open` is deprecated",
        "DeprecationWarning: `OpenRequest.level` is deprecated",
        "UnstableWarning: `lock` is unstable",
        "UnstableWarning: `LockNotification` is unstable",
    ]


if __name__ == "__main__":
    what_comes_from_the_peer_is_not_warned_of()
    each_use_is_warned_of_once()
    what_is_unstable_is_warned_of_once()
    a_call_is_warned_of()
