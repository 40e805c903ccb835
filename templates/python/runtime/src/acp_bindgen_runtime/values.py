"""How values are decoded that are not objects with known properties."""

from __future__ import annotations

from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from .decoding import INSIDE, Inside, kind, one_of, quoted
from .support import DecodeError, OpenIntegerEnum, OpenStringEnum

if TYPE_CHECKING:
    from enum import Enum

    from .decoding import Context, Decode, Json


def anything(value: Any, context: Context) -> Any:
    """Take any JSON value."""
    if not context.parsed:
        check(value, context)
    return value


def check(value: object, context: Context) -> None:
    """Make sure that a value is one of JSON."""
    sort = type(value)
    if sort is str:
        string(value, context)
    elif sort is float:
        number(value, context)
    elif sort is list:
        items(check)(value, context)
    elif sort is dict:
        members(check)(value, context)
    elif value is not None and sort is not bool and sort is not int:
        raise context.mismatch(value, "a JSON value")


def nothing(value: Any, context: Context) -> None:
    """Take `null`."""
    if value is not None:
        raise context.mismatch(value, "null")


def boolean(value: Any, context: Context) -> bool:
    """Take `true` or `false`."""
    if type(value) is bool:
        return value
    raise context.mismatch(value, "a boolean")


def string(value: Any, context: Context) -> str:
    """Take a string that can be written again."""
    if type(value) is not str:
        raise context.mismatch(value, "a string")
    if not context.parsed and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise context.error("a string", "half a surrogate pair") from None
    return value


def text(low: int = 0, high: int | None = None) -> Decode:
    """Take a string of so many characters."""

    def decode(value: Any, context: Context) -> str:
        taken = string(value, context)
        sized(len(taken), "characters", low, high, context)
        return taken

    return decode


def integer(low: int = -(2**63), high: int = 2**63 - 1) -> Decode:
    """Take a whole number, however it is written: `1`, `1.0`."""

    def decode(value: Json, context: Context) -> int:
        whole = int(value) if type(value) is float and value.is_integer() else value
        if type(whole) is int:
            if low <= whole <= high:
                return whole
        elif type(whole) is not float:
            raise context.mismatch(value, "an integer")
        elif isfinite(whole):
            raise context.error("an integer", "a fraction")
        raise context.error(f"a number from {low} to {high}", "a number out of range")

    return decode


def number(value: Any, context: Context) -> float:
    """Take a number. A whole one stays one."""
    taken: float = real()(value, context)
    return taken


LARGEST: Final = 1.7976931348623157e308


def real(low: float = -LARGEST, high: float = LARGEST) -> Decode:
    """Take a number."""

    def decode(value: Json, context: Context) -> float:
        if type(value) is not float and type(value) is not int:
            raise context.mismatch(value, "a number")
        if low <= value <= high:
            return value
        least, greatest = (str(bound).removesuffix(".0") for bound in (low, high))
        expected = f"a number from {least} to {greatest}"
        if high == LARGEST:
            expected = f"a number of at least {least}"
        elif low == -LARGEST:
            expected = f"a number of at most {greatest}"
        raise context.error(expected, "a number out of range")

    return decode


def literal(constant: Any) -> Decode:
    """Take a constant."""

    def decode(value: Any, context: Context) -> Any:
        if same(value, constant):
            return constant
        found = "another value" if kind(value) == kind(constant) else kind(value)
        raise context.error(quoted(constant), found)

    return decode


def choice(value: Json, context: Context, enum: type[Enum]) -> Any:
    """Take a value of an enum, or what an open one makes of it."""
    if type(value) is float and issubclass(enum, int) and value.is_integer():
        value = int(value)
    if type(value) is str:
        string(value, context)
    if type(value) is str or type(value) is int:
        known = enum._value2member_map_.get(value)
        if known is not None:
            return known
        if issubclass(enum, (OpenStringEnum, OpenIntegerEnum)):
            try:
                return enum(value)
            except ValueError:
                pass
    if issubclass(enum, OpenStringEnum):
        raise context.mismatch(value, "a string")
    if issubclass(enum, OpenIntegerEnum):
        # It is none that the enum keeps.
        integer(*enum.__bounds__)(value, context)
    expected, of = _choices(enum)
    found = kind(value)
    if found == of:
        found = found.replace("a ", "another ")
    raise context.error(expected, found)


@cache
def _choices(enum: type[Enum]) -> tuple[str, str]:
    """What to call the values of an enum, and the kind of them."""
    choices = tuple(enum._value2member_map_)
    return one_of(choices), kind(choices[0]) if choices else ""


def items(item: Decode, low: int = 0, high: int | None = None) -> Decode:
    """Take an array."""

    def decode(value: Json, context: Context) -> list[Any]:
        if type(value) is not list:
            raise context.mismatch(value, "an array")
        path = context.path
        taken: list[Any] = []
        for index, before in enumerate(value):
            path.append(index)
            taken.append(item(before, context))
            path.pop()
        sized(len(value), "items", low, high, context)
        return taken

    INSIDE[decode] = Inside(item)
    return decode


def valid_items(item: Decode, low: int = 0, high: int | None = None) -> Decode:
    """Take an array without its malformed items."""
    strictly = items(item, low, high)

    def decode(value: Json, context: Context) -> Any:
        if context.strict or type(value) is not list:
            return strictly(value, context)
        path = context.path
        taken: list[Any] = []
        for index, before in enumerate(value):
            path.append(index)
            after = context.attempt(item, before)
            if isinstance(after, DecodeError):
                context.dropped.append(after)
            else:
                taken.append(after)
            path.pop()
        sized(len(taken), "items", low, high, context)
        return taken

    if low == 0 and high is None:
        # Those that are left out count.
        INSIDE[decode] = Inside(item, is_forgiving=True)
    return decode


def members(member: Decode) -> Decode:
    """Take an object that is used as a map."""

    def decode(value: Json, context: Context) -> dict[str, Any]:
        if type(value) is not dict:
            raise context.mismatch(value, "an object")
        path = context.path
        taken: dict[str, Any] = {}
        for key, before in value.items():
            if not context.parsed:
                string(key, context)
            path.append(key)
            taken[key] = member(before, context)
            path.pop()
        return taken

    return decode


def nullable(inner: Decode) -> Decode:
    """Take `null` as well."""

    def decode(value: Any, context: Context) -> Any:
        return None if value is None else inner(value, context)

    INSIDE[decode] = Inside(inner, is_optional=True)
    return decode


def sized(count: int, unit: str, low: int, high: int | None, context: Context) -> None:
    """Make sure that there are neither too few nor too many of something."""
    if count < low or (high is not None and count > high):
        limit = "or more" if high is None else f"to {high}"
        raise context.error(f"{low} {limit} {unit}", str(count))


def same(left: Json, right: Json) -> bool:
    """Whether two JSON values are equal: `1` and `1.0` are, `1` and `true` are not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(
            same(left[key], right[key]) for key in left
        )
    return left == right
