"""What the ends of a connection have told each other: versions and capabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.json import decode

from .._support import DecodeError
from .._values import same
from ..errors import CallError, NotSupportedError, VersionMismatchError
from .rules import allows, member, members, with_member

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from msgspec import Raw

    from .method import Method, RequestMethod
    from .rules import Gate, Rules


class Agreement:
    """What both ends of a connection may send each other.

    Attributes:
        version: The version that both ends agreed on; before, the highest.
        handled: The methods that this end handles, by their names.
    """

    __slots__ = ("_allowed", "_capabilities", "_rules", "handled", "version")

    def __init__(self, rules: Rules) -> None:
        """Begin before anything was said."""
        self._rules = rules
        self._capabilities: Any = None
        self._allowed: set[tuple[str, ...]] = set()
        self.handled: Mapping[str, object] = {}
        negotiation = rules.negotiation
        self.version: Any = negotiation and negotiation.versions[-1]

    def learn(self, method: str, params: Raw) -> None:
        """Take note of what the peer says it can do, and of the version it asks for."""
        self._learn(method, params, is_result=False)
        negotiation = self._rules.negotiation
        if negotiation is not None and negotiation.method == method:
            self.version = negotiation.agreed(member(params, negotiation.asked))

    def settle(self, method: str, result: Raw) -> VersionMismatchError | None:
        """Take note of what the peer answers. Gives why the connection has to end."""
        self._learn(method, result, is_result=True)
        negotiation = self._rules.negotiation
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
        negotiation = self._rules.negotiation
        if negotiation is not None and negotiation.method == method.name:
            result = with_member(result, negotiation.answered, self.version)
        self._check_promises(method, result, is_result=True)
        if method.result_gates:
            self._check_gates(method.result_gates, "result", result)
        return result

    def _check_promises(
        self, method: Method[Any], payload: bytes, *, is_result: bool
    ) -> None:
        told = self._rules.told
        if told is None or told.method != method.name:
            return
        if told.is_in_result is is_result:
            broken = self._rules.broken(payload, self.handled)
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
        handshake = self._rules.handshake
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
