"""Joining the pieces of an output."""

from __future__ import annotations

from typing import Any, Final, TypeGuard


class JoinError(ValueError):
    """A piece does not fit what was joined before."""


class _Absent:
    """Nothing has come yet, not even ``None``."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Name the constant."""
        return "ABSENT"


ABSENT: Final = _Absent()


def join(output: Any, delta: Any) -> Any:
    """Join a piece to the output so far, which is ``ABSENT`` before the first.

    Numbers are added, strings and lists put end to end (the last item of the one
    joined with the first of the other), dictionaries merged; ``None`` is nothing.
    The arguments stay as they are. Raise ``JoinError`` for what cannot be joined.
    """
    nothing = output is ABSENT or output is None
    if delta is None:
        return None if nothing else output
    if nothing or (output == [] and _is_list(delta)):
        return _first(delta)
    if _can_be_added(output, delta):
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


def is_same(a: Any, b: Any) -> bool:
    """Whether two values are the same JSON, where ``True`` is not 1."""
    try:
        return _is_same(a, b)
    except RecursionError:
        return False


def _is_same(a: Any, b: Any) -> bool:
    if _is_list(a) and _is_list(b):
        return len(a) == len(b) and all(map(_is_same, a, b))
    if _is_dict(a) and _is_dict(b):
        return a.keys() == b.keys() and all(_is_same(a[key], b[key]) for key in a)
    same: bool = a == b
    return same and isinstance(a, bool) == isinstance(b, bool)


def _first(delta: Any) -> Any:
    """Drop the null at the beginning of a list: there is no item before it."""
    begins_with_null = _is_list(delta) and delta and delta[0] is None
    return delta[1:] if begins_with_null else delta


def _can_be_added(output: object, delta: object) -> bool:
    if isinstance(output, str):
        return isinstance(delta, str)
    return _is_number(output) and _is_number(delta)


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
