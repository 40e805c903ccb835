"""The rules of the connections of a side, as the protocol states them."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Raw, Struct
from msgspec.json import decode

from .message import REFUSALS

Step: TypeAlias = "str | tuple[str, str] | None"
"""A step into a JSON value.

To a property; on, if a property is a string; or to each item of an array or value of an object.
"""


class Cancel(Struct, frozen=True, kw_only=True):
    """The notification that cancels a request by its id.

    Attributes:
        method: The notification.
        property: The property of its params that holds the request's id.
    """

    method: str
    property: str


class Turn(Struct, frozen=True, kw_only=True):
    """A message that cancels requests.

    Attributes:
        method: The message's method.
        request: The request's method.
        key: The property of both params that says which.
        result: What a handler that ends by it is answered with, as JSON. Without it, with the
            error.
    """

    method: str
    request: str
    key: str
    result: str | None = None


class CapabilityLocation(Struct, frozen=True, kw_only=True):
    """Where an end says what it can do.

    Attributes:
        method: The request.
        part: Which of its payloads: `params` or `result`.
        property: The property that holds the capabilities.
    """

    method: str
    part: str
    property: str


class Advertised(Struct, frozen=True, kw_only=True):
    """A capability, and the methods that an end has to handle if it has it."""

    capability: tuple[str, ...]
    methods: tuple[str, ...]


class Advertises(Struct, frozen=True, kw_only=True):
    """Where this end says what it can do, and what it has to handle then."""

    location: CapabilityLocation
    capabilities: tuple[Advertised, ...]


class Negotiation(Struct, frozen=True, kw_only=True):
    """How two ends agree on a version.

    Attributes:
        method: The request in which they do.
        params: The property of its params that holds the version asked for.
        result: The property of its result that holds the version agreed on.
        versions: The versions that this end speaks, from the lowest to the highest.
        answers: Whether this end answers the request.
    """

    method: str
    params: str
    result: str
    versions: tuple[Any, ...]
    answers: bool = False


class CallRule(Struct, frozen=True, kw_only=True):
    """The rules of calls of a method.

    Attributes:
        method: The method.
        part: Whether it is a request (`params`) or a `notification`.
        lifecycle: It changes what the connection is, and must not be in a batch.
        capability: Where in the peer's capabilities it has to be allowed.
    """

    method: str
    part: str
    lifecycle: bool = False
    capability: tuple[str, ...] = ()


class Gate(Struct, frozen=True, kw_only=True):
    """A part of a payload that may be sent only to who allows it.

    Attributes:
        path: The way to it.
        capability: Where in the peer's capabilities it has to be allowed.
    """

    path: tuple[Step, ...]
    capability: tuple[str, ...]


class Gated(Struct, frozen=True, kw_only=True):
    """The parts of a payload that may be sent only if the peer allows it."""

    method: str
    part: str
    gates: tuple[Gate, ...]


class Rules(Struct, frozen=True, kw_only=True):
    """The rules of the connections of a side.

    Attributes:
        near: The schema's name of the side.
        far: The schema's name of the other end, if there is only one that it can be.
        cancel: The notification that cancels a request by its id.
        cancels: The messages that cancel requests which this side handles.
        handshake: Where the peer says what it can do.
        advertises: Where this side does, and what it has to handle then.
        negotiation: How both agree on a version.
        calls: The rules of calls.
        gates: The parts of payloads that may be sent only if the peer allows it.
    """

    near: str
    far: str | None = None
    cancel: Cancel | None = None
    cancels: tuple[Turn, ...] = ()
    handshake: CapabilityLocation | None = None
    advertises: Advertises | None = None
    negotiation: Negotiation | None = None
    calls: tuple[CallRule, ...] = ()
    gates: tuple[Gated, ...] = ()


def members(payload: bytes | Raw) -> dict[str, Raw] | None:
    """Give the properties of an object as they are spelled."""
    try:
        return decode(payload, type=dict[str, Raw])
    except REFUSALS:
        return None
