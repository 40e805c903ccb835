"""Constraints beyond bounds: steps of numbers, items that differ, and rules for keys."""

from __future__ import annotations

from math import isfinite
from re import compile as compile_pattern
from typing import TYPE_CHECKING, Any, Final

from .decoding import Step, kind
from .values import choice, sized

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from enum import Enum

    from .decoding import Context, Decode, Json

EPSILON: Final = 2.0**-51
"""The part of a quotient of two numbers that may be missing to a whole one."""


def above(decode_inner: Decode, bound: float) -> Decode:
    """Take a number above a bound."""

    def decode(value: Any, context: Context) -> Any:
        taken = decode_inner(value, context)
        if taken > bound:
            return taken
        shown = str(bound).removesuffix(".0")
        raise context.error(f"a number above {shown}", "a number out of range")

    return decode


def below(decode_inner: Decode, bound: float) -> Decode:
    """Take a number below a bound."""

    def decode(value: Any, context: Context) -> Any:
        taken = decode_inner(value, context)
        if taken < bound:
            return taken
        shown = str(bound).removesuffix(".0")
        raise context.error(f"a number below {shown}", "a number out of range")

    return decode


def multiple(decode_inner: Decode, step: float) -> Decode:
    """Take a multiple of a step, as far as digits tell: `0.3` is one of `0.1`."""

    def decode(value: Any, context: Context) -> Any:
        taken = decode_inner(value, context)
        quotient = float(taken) / step
        if not isfinite(quotient):
            return taken
        if abs(quotient - round(quotient)) <= abs(quotient) * EPSILON:
            return taken
        shown = str(step).removesuffix(".0")
        raise context.error(f"a multiple of {shown}", "another number")

    return decode


def whole_multiple(decode_inner: Decode, step: int) -> Decode:
    """Take a whole number that is a multiple of a step."""

    def decode(value: Any, context: Context) -> Any:
        taken = decode_inner(value, context)
        if taken % step == 0:
            return taken
        raise context.error(f"a multiple of {step}", "another number")

    return decode


def distinct(decode_inner: Decode) -> Decode:
    """Take an array of which no item is there twice."""

    def decode(value: Any, context: Context) -> Any:
        taken = decode_inner(value, context)
        # To Python, true is 1.
        known = {(type(item) is bool, item) for item in taken}
        if len(known) == len(taken):
            return taken
        raise context.error("items that all differ", "an item that is there twice")

    return decode


def matching(decode_inner: Decode, spelled: str, source: str | None = None) -> Decode:
    """Take a string of which some part matches a pattern, which may be spelled for it."""
    search = compile_pattern(spelled).search

    def decode(value: Any, context: Context) -> Any:
        taken = decode_inner(value, context)
        if search(taken):
            return taken
        expected = f"a string that matches `{source or spelled}`"
        raise context.error(expected, "another string")

    return decode


def keyed(decode_inner: Decode, rules: Keys) -> Decode:
    """Take an object that is used as a map, with rules for its keys."""

    def decode(value: Any, context: Context) -> Any:
        taken = decode_inner(value, context)
        rules.take(value, context, {})
        return taken

    return decode


def bounded_choice(
    value: Json, context: Context, enum: type[Enum], decode_other: Decode
) -> Any:
    """Take a value of an open enum, or another string that fits."""
    if type(value) is str and value not in enum._value2member_map_:
        decode_other(value, context)
    return choice(value, context, enum)


class Keys(Step):
    """Rules for the keys of an object."""

    __slots__ = ("choices", "dependent", "high", "low", "names")

    def __init__(
        self,
        *,
        low: int = 0,
        high: int | None = None,
        dependent: Mapping[str, Sequence[str]] | None = None,
        choices: Sequence[KeyChoice] = (),
        names: Names | None = None,
    ) -> None:
        """Take how many there are, which ask for others, and how they are spelled."""
        self.low = low
        self.high = high
        self.dependent = dependent or {}
        self.choices = choices
        self.names = names

    def take(
        self, value: dict[str, Any], context: Context, attributes: dict[str, Any]
    ) -> None:
        """Refuse an object with other keys."""
        sized(len(value), "properties", self.low, self.high, context)
        for key, wanted in self.dependent.items():
            if key in value:
                for name in wanted:
                    if name not in value:
                        expected = "a required property"
                        raise context.error_at(name, expected, "nothing")
        for keys in self.choices:
            keys.take(value, context)
        if context.strict and self.names is not None:
            for key, item in value.items():
                if not self.names.allow(key):
                    expected = "no property of this name"
                    raise context.error_at(key, expected, kind(item))


class KeyChoice:
    """Sets of keys, of which an object has at least one."""

    __slots__ = ("expected", "only_one", "sets")

    def __init__(
        self, expected: str, sets: Sequence[Sequence[str]], *, only_one: bool = False
    ) -> None:
        """Take the sets, in words, too, and whether an object has no second of them."""
        self.expected = expected
        self.sets = sets
        self.only_one = only_one

    def take(self, value: dict[str, Any], context: Context) -> None:
        """Refuse an object with none of them, or with another."""
        count = sum(all(key in value for key in keys) for keys in self.sets)
        if count == 0:
            raise context.error(self.expected, "none of them")
        if count > 1 and self.only_one:
            raise context.error(self.expected, "more")


class Names:
    """The keys that an object may have. Only strict decoding looks at them."""

    __slots__ = ("high", "listed", "low", "search")

    def __init__(
        self,
        *,
        low: int = 0,
        high: int | None = None,
        listed: Iterable[str] | None = None,
        pattern: str | None = None,
    ) -> None:
        """Take how many characters they have, the only ones, and what they match."""
        self.low = low
        self.high = high
        self.listed = None if listed is None else frozenset(listed)
        self.search = None if pattern is None else compile_pattern(pattern).search

    def allow(self, name: str) -> bool:
        """Whether there may be such a key."""
        if len(name) < self.low or (self.high is not None and len(name) > self.high):
            return False
        if self.search is not None and self.search(name) is None:
            return False
        return self.listed is None or name in self.listed


class Closed(Step):
    """The only properties of an object. Only strict decoding looks at others."""

    __slots__ = ("known",)

    def __init__(self, known: Iterable[str]) -> None:
        """Take their names."""
        self.known = frozenset(known)

    def take(
        self, value: dict[str, Json], context: Context, attributes: dict[str, Any]
    ) -> None:
        """Refuse an object with others, where nothing is forgiven."""
        if context.strict:
            for key, item in value.items():
                if key not in self.known:
                    expected = "no other property"
                    raise context.error_at(key, expected, kind(item))
