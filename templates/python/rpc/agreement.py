"""What the ends of a connection have told each other: versions and capabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Raw, Struct
from msgspec.json import decode

from .._codec import ENCODER
from .._support import DecodeError
from .._values import same
from ..errors import CallError, NotSupportedError, VersionMismatchError
from .rules import Terms, members

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from .._decoding import Json
    from .method import Method, RequestMethod

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


class Advertised(Struct, frozen=True, kw_only=True):
    """A capability, and the methods that an end has to handle if it has it."""

    capability: tuple[str, ...]
    methods: tuple[str, ...]


class Said(Struct, frozen=True, kw_only=True):
    """Where the ends of a connection say what they can do, and which version they speak.

    Attributes:
        handshake: Where the peer says what it can do.
        negotiation: How both agree on a version.
        told: Where this side says what it can do.
        advertised: What it then has to handle.
    """

    handshake: Handshake | None = None
    negotiation: Negotiation | None = None
    told: Handshake | None = None
    advertised: list[Advertised] = []

    def __call__(self) -> Agreement:
        """Begin with a connection."""
        return Agreement(self)

    def broken(self, payload: bytes, handled: Mapping[str, object]) -> str | None:
        """Say what this side promises in a payload and does not keep, if anything."""
        told = member(payload, self.told.property) if self.told is not None else None
        for advertised in self.advertised:
            for method in advertised.methods:
                if method not in handled and allows(told, advertised.capability):
                    path = ".".join(advertised.capability)
                    return f"advertises `{path}` but does not handle `{method}`"
        return None


class Agreement(Terms):
    """What both ends of a connection may send each other."""

    __slots__ = ("_allowed", "_capabilities", "_said")

    def __init__(self, said: Said) -> None:
        """Begin before anything was said."""
        super().__init__()
        self._said = said
        self._capabilities: Any = None
        self._allowed: set[tuple[str, ...]] = set()
        negotiation = said.negotiation
        self.version = negotiation and negotiation.versions[-1]

    def learn(self, method: str, params: Raw) -> None:
        """Take note of what the peer says it can do, and of the version it asks for."""
        self._learn(method, params, is_result=False)
        negotiation = self._said.negotiation
        if negotiation is None or method not in self.handled:
            return
        if negotiation.method == method:
            self.version = negotiation.agreed(member(params, negotiation.asked))

    def settle(self, method: str, result: Raw) -> VersionMismatchError | None:
        """Take note of what the peer answers. Gives why the connection has to end."""
        self._learn(method, result, is_result=True)
        negotiation = self._said.negotiation
        if negotiation is None or negotiation.method != method:
            return None
        version = member(result, negotiation.answered)
        if not negotiation.knows(version):
            return None
        if any(same(version, each) for each in negotiation.versions):
            self.version = version
            return None
        spoken = ", ".join(str(each) for each in negotiation.versions)
        return VersionMismatchError(
            f"the {negotiation.far} speaks version {version}; "
            f"this {negotiation.near} speaks {spoken}"
        )

    def check(self, method: Method[Any]) -> None:
        """Raise why a method must not be called, if it must not."""
        if method.capability and not self._allows(method.capability):
            path = ".".join(method.capability)
            message = f"the peer does not allow {method.name}: {path}"
            raise NotSupportedError(message)

    def check_params(self, method: Method[Any], params: bytes | None) -> None:
        """Raise why params must not be sent, if they must not."""
        self._check_promises(method, params or b"", is_result=False)
        if method.gates:
            self._check_gates(method.gates, "params", params or b"")

    def checked_result(self, method: RequestMethod[Any, Any], result: bytes) -> bytes:
        """Give the result that is sent, or raise why it must not be sent."""
        negotiation = self._said.negotiation
        if negotiation is not None and negotiation.method == method.name:
            result = with_member(result, negotiation.answered, self.version)
        self._check_promises(method, result, is_result=True)
        if method.result_gates:
            self._check_gates(method.result_gates, "result", result)
        return result

    def _check_promises(
        self, method: Method[Any], payload: bytes, *, is_result: bool
    ) -> None:
        told = self._said.told
        if told is None or told.method != method.name:
            return
        if told.is_in_result is is_result:
            broken = self._said.broken(payload, self.handled)
            if broken is not None:
                raise CallError(broken)

    def _check_gates(self, gates: Sequence[Gate], where: str, payload: bytes) -> None:
        shut = [gate for gate in gates if not self._allows(gate.capability)]
        value = decode(payload) if shut and payload else None
        for gate in shut:
            for path in gate.met(value):
                place = DecodeError("", "", (where, *path)).path
                capability = ".".join(gate.capability)
                message = f"the peer does not allow {place}: {capability}"
                raise NotSupportedError(message)

    def _learn(self, method: str, payload: Raw, *, is_result: bool) -> None:
        handshake = self._said.handshake
        if handshake is None or handshake.method != method:
            return
        if handshake.is_in_result is is_result and members(payload) is not None:
            # What is said about nothing allows nothing.
            self._capabilities = member(payload, handshake.property) or {}
            self._allowed.clear()

    def _allows(self, path: tuple[str, ...]) -> bool:
        """Before the peer has said what it can do, everything is allowed."""
        if self._capabilities is None or path in self._allowed:
            return True
        if not allows(self._capabilities, path):
            return False
        self._allowed.add(path)
        return True


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
