"""What the ends of a connection have told each other: versions and capabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Raw
from msgspec.json import decode

from ..codec import ENCODER
from ..errors import CallError, NotSupportedError, VersionMismatchError
from ..support import DecodeError
from ..values import same
from .rules import members

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from ..decoding import Json
    from .method import Method, RequestMethod
    from .rules import CallRule, Gate, Negotiation, Rules, Step

    Path: TypeAlias = tuple[str | int, ...]


class Agreement:
    """What both ends of a connection may send each other.

    Attributes:
        version: The version that both ends agreed on; before, the highest.
        handled: The methods that this end handles, by their names.
    """

    __slots__ = (
        "_allowed",
        "_calls",
        "_capabilities",
        "_gates",
        "_rules",
        "handled",
        "version",
    )

    def __init__(self, rules: Rules) -> None:
        """Begin before anything was said."""
        self._rules = rules
        self._calls = {(rule.part, rule.method): rule for rule in rules.calls}
        self._gates = {(rule.part, rule.method): rule.gates for rule in rules.gates}
        self._capabilities: Any = None
        self._allowed: set[tuple[str, ...]] = set()
        self.handled: Mapping[str, object] = {}
        negotiation = rules.negotiation
        self.version: Any = negotiation and negotiation.versions[-1]

    def learn(self, method: str, params: Raw) -> None:
        """Take note of what the peer says it can do, and of the version it asks for."""
        self._learn(method, params, "params")
        negotiation = self._rules.negotiation
        if negotiation is None or method not in self.handled:
            return
        if negotiation.answers and negotiation.method == method:
            self.version = agreed(negotiation, member(params, negotiation.params))

    def settle(self, method: str, result: Raw) -> VersionMismatchError | None:
        """Take note of what the peer answers. Gives why the connection has to end."""
        self._learn(method, result, "result")
        negotiation = self._rules.negotiation
        if negotiation is None or negotiation.method != method:
            return None
        version = member(result, negotiation.result)
        if not knows(negotiation, version):
            return None
        if any(same(version, each) for each in negotiation.versions):
            self.version = version
            return None
        spoken = ", ".join(str(each) for each in negotiation.versions)
        return VersionMismatchError(
            f"the {self._rules.far or 'peer'} speaks version {version}; "
            f"this {self._rules.near} speaks {spoken}"
        )

    def rule(self, method: Method[Any]) -> CallRule | None:
        """Give what holds of calls of a method. Of one by its name alone, nothing does."""
        return self._calls.get((method.part, method.name)) if method.handler else None

    def check(self, method: Method[Any]) -> None:
        """Raise why a method must not be called, if it must not."""
        rule = self.rule(method)
        if rule is not None and not self._allows(rule.capability):
            path = ".".join(rule.capability)
            message = f"the peer does not allow {method.name}: {path}"
            raise NotSupportedError(message)

    def check_params(self, method: Method[Any], params: bytes | None) -> None:
        """Raise why params must not be sent, if they must not."""
        part, name = method.part, method.name
        if not method.handler:
            return
        self._check_promises(name, params or b"", part)
        gates = self._gates.get((part, name))
        if gates:
            self._check_gates(gates, "params", params or b"")

    def checked_result(self, method: RequestMethod[Any, Any], result: bytes) -> bytes:
        """Give the result that is sent, or raise why it must not be sent."""
        negotiation, name = self._rules.negotiation, method.name
        answers = negotiation and negotiation.answers and negotiation.method == name
        if negotiation is not None and answers:
            result = with_member(result, negotiation.result, self.version)
        self._check_promises(name, result, "result")
        gates = self._gates.get(("result", name))
        if gates:
            self._check_gates(gates, "result", result)
        return result

    def _check_promises(self, method: str, payload: bytes, part: str) -> None:
        rule = self._rules.advertises
        if rule is None or rule.location.method != method or rule.location.part != part:
            return
        told = member(payload, rule.location.property)
        for advertised in rule.capabilities:
            for name in advertised.methods:
                if name not in self.handled and allows(told, advertised.capability):
                    path = ".".join(advertised.capability)
                    message = f"advertises `{path}` but does not handle `{name}`"
                    raise CallError(message)

    def _check_gates(self, gates: Sequence[Gate], where: str, payload: bytes) -> None:
        shut = [gate for gate in gates if not self._allows(gate.capability)]
        value = decode(payload) if shut and payload else None
        for gate in shut:
            for path in _reached(value, gate.path, ()):
                place = DecodeError("", "", (where, *path)).path
                capability = ".".join(gate.capability)
                message = f"the peer does not allow {place}: {capability}"
                raise NotSupportedError(message)

    def _learn(self, method: str, payload: Raw, part: str) -> None:
        handshake = self._rules.handshake
        if handshake is None or handshake.method != method:
            return
        if handshake.part == part and members(payload) is not None:
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


def knows(negotiation: Negotiation, version: Json) -> bool:
    """Whether something is a version at all, if not one of this end."""
    if isinstance(negotiation.versions[0], str):
        return isinstance(version, str)
    return is_number(version)


def agreed(negotiation: Negotiation, asked: Json) -> Any:
    """Give the version that is agreed on when one is asked for."""
    versions = negotiation.versions
    for version in versions:
        if same(version, asked):
            return version
    if is_number(asked):
        lower = [it for it in versions if is_number(it) and it < asked]
        if lower:
            return lower[-1]
    return versions[-1]


def _reached(
    value: Json, steps: Sequence[Step], path: Path
) -> Generator[Path, None, None]:
    """Give the places of a payload that a gate stands before."""
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
        if step is None or step == key:
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
