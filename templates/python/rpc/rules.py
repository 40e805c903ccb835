"""What the protocol says about the connections of a side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Raw, Struct
from msgspec.json import decode

from .._codec import ENCODER
from .._values import same
from .message import REFUSALS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping

    from .._decoding import Json

    Path: TypeAlias = tuple[str | int, ...]
    Steps: TypeAlias = tuple[str | int | tuple[str, str], ...]


class Handshake(Struct, frozen=True, kw_only=True):
    """Where an end says what it can do: in a property of params or of a result."""

    method: str
    property: str
    is_in_result: bool


class Negotiation(Struct, frozen=True, kw_only=True):
    """How two ends agree on a version.

    Attributes:
        method: The request in which they do.
        asked: The property of its params that holds the version asked for.
        answered: The property of its result that holds the version agreed on.
        versions: The versions that this end speaks, from the lowest to the highest.
        near: What this end is called.
        far: What the other end is called.
    """

    method: str
    asked: str
    answered: str
    versions: tuple[Any, ...]
    near: str
    far: str

    def knows(self, version: Json) -> bool:
        """Whether something is a version at all, if not one of this end."""
        if isinstance(self.versions[0], str):
            return isinstance(version, str)
        return is_number(version)

    def agreed(self, asked: Json) -> Any:
        """Give the version that is agreed on when one is asked for."""
        for version in self.versions:
            if same(version, asked):
                return version
        if is_number(asked):
            lower = [it for it in self.versions if is_number(it) and it < asked]
            if lower:
                return lower[-1]
        return self.versions[-1]


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

    def is_for(self, message: Raw, request: Raw) -> bool:
        """Whether the params of a message and of a request have the same key."""
        named, own = members(message) or {}, members(request) or {}
        if self.key not in named or self.key not in own:
            return False
        return same(decode(named[self.key]), decode(own[self.key]))


class Advertised(Struct, frozen=True, kw_only=True):
    """A capability, and the methods that an end has to handle if it has it."""

    capability: tuple[str, ...]
    methods: tuple[str, ...]


class Rules(Struct, frozen=True, kw_only=True):
    """What the protocol says about a side's connection.

    Attributes:
        cancel: The notification that cancels a request, and the property of its params that
            holds the request's id.
        handshake: Where the peer says what it can do.
        negotiation: How both agree on a version.
        cancels: The requests that this side handles and messages of either side cancel.
        told: Where this side says what it can do.
        advertised: What it then has to handle.
    """

    cancel: tuple[str, str] | None = None
    handshake: Handshake | None = None
    negotiation: Negotiation | None = None
    cancels: list[Cancels] = []
    told: Handshake | None = None
    advertised: list[Advertised] = []

    def broken(self, payload: bytes, handled: Mapping[str, object]) -> str | None:
        """Say what this side promises in a payload and does not keep, if anything."""
        told = member(payload, self.told.property) if self.told is not None else None
        for advertised in self.advertised:
            for method in advertised.methods:
                if method not in handled and allows(told, advertised.capability):
                    path = ".".join(advertised.capability)
                    return f"advertises `{path}` but does not handle `{method}`"
        return None


class Gate(Struct, frozen=True):
    """What may be sent only to who allows it.

    Attributes:
        steps: The way to it: properties, `EACH`, and pairs of a property and the string that
            it has to be.
        capability: Where in the peer's capabilities it has to be allowed.
    """

    steps: Steps
    capability: tuple[str, ...]

    def met(self, payload: Json) -> Generator[Path, None, None]:
        """Give the places of a payload that it stands before."""
        yield from _reached(payload, self.steps, ())


EACH: Final = 0
"""The step to each item of an array, or value of an object."""


def _reached(value: Json, steps: Steps, path: Path) -> Generator[Path, None, None]:
    if not steps:
        if value is not None:
            yield path
        return
    step, rest = steps[0], steps[1:]
    if isinstance(step, tuple):
        if isinstance(value, dict) and value.get(step[0]) == step[1]:
            yield from _reached(value, rest, path)
        return
    for key, item in _entries(value):
        if step in (EACH, key):
            yield from _reached(item, rest, (*path, key))


def _entries(value: Json) -> Iterable[tuple[str | int, Any]]:
    """Give the values in an array or an object, with where they stand."""
    if isinstance(value, list):
        return enumerate(value)
    return value.items() if isinstance(value, dict) else ()


def allows(capabilities: Json, path: tuple[str, ...]) -> bool:
    """Whether something is there, and neither `null` nor false."""
    value: Json = capabilities
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value is not None and value is not False


def members(payload: bytes | Raw) -> dict[str, Raw] | None:
    """Give the properties of an object as they are spelled."""
    try:
        return decode(payload, type=dict[str, Raw])
    except REFUSALS:
        return None


def member(payload: bytes | Raw, name: str) -> Any:
    """Give a property of an object; `None` where there is none."""
    found = members(payload)
    return decode(found[name]) if found is not None and name in found else None


def with_member(payload: bytes, name: str, value: object) -> bytes:
    """Put a property into an object."""
    found = members(payload)
    if found is None:
        return payload
    return ENCODER.encode({**found, name: Raw(ENCODER.encode(value))})


def is_number(value: object) -> bool:
    """Whether something is a number of JSON."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
