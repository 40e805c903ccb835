"""Joining the pieces of an output."""

from __future__ import annotations

from typing import Any, Final, TypeGuard


class JoinError(ValueError):
    """A piece does not fit what was joined before."""


class _Absent:
    """Nothing has come yet, not even ``None``."""

    __slots__ = ()


ABSENT: Final = _Absent()


def join(output: Any, delta: Any) -> Any:
    """Join a piece to the output so far, which is ``ABSENT`` before the first.

    Numbers are added, strings and lists put end to end (the last item of the one
    joined with the first of the other), dictionaries merged; ``None`` is nothing.
    The arguments stay as they are. Raise ``JoinError`` for what cannot be joined.
    """
    if delta is None:
        return None if output is ABSENT else output
    if _is_list(delta) and (output is ABSENT or output is None or output == []):
        return delta[1:] if delta and delta[0] is None else delta
    if output is ABSENT or output is None:
        return delta
    if isinstance(output, str) and isinstance(delta, str):
        return output + delta
    if _is_number(output) and _is_number(delta):
        return output + delta
    if _is_list(output) and _is_list(delta):
        if not delta:
            return output
        return [*output[:-1], join(output[-1], delta[0]), *delta[1:]]
    if _is_dict(output) and _is_dict(delta):
        joined = dict(output)
        for key, value in delta.items():
            joined[key] = join(output.get(key, ABSENT), value)
        return joined
    msg = f"{_kind(output)} and {_kind(delta)} cannot be joined"
    raise JoinError(msg)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_list(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "a dictionary"
