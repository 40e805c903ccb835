"""What generated decoders stand on: they take what msgspec does not, and say what is wrong.

A decoder takes a JSON value and a context, and gives a value of its type or raises. The
context knows the place, so that nothing has to be done on the way out.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

from .support import DecodeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Decode: TypeAlias = Callable[[Any, "Context"], Any]
    Json: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None
    Class: TypeAlias = Callable[..., Any]
    Make: TypeAlias = Callable[[], Any]
    Table: TypeAlias = Sequence["Step"]

MISSING: Final = object()
"""What is there where nothing is."""


class Context:
    """What goes along while one value is decoded.

    Attributes:
        strict: Whether nothing is forgiven.
        native: Whether msgspec may be asked to decode objects.
        parsed: Whether all of the value can be written as JSON for sure.
        path: The way to the value that is being decoded.
        dropped: What was forgiven.
        refused: The value that msgspec is known not to take.
        within: What decodes types that msgspec leaves to generated code.
    """

    __slots__ = (
        "_failed",
        "dropped",
        "native",
        "parsed",
        "path",
        "refused",
        "strict",
        "within",
    )

    def __init__(
        self,
        *,
        strict: bool,
        parsed: bool,
        path: Iterable[str | int],
        within: Callable[[type, object], object],
        native: bool = True,
    ) -> None:
        """Begin at a place."""
        self.within = within
        self.strict = strict
        self.native = native and parsed
        self.parsed = parsed
        self.path = list(path)
        self.dropped: list[DecodeError] = []
        self.refused: object = None
        self._failed: dict[tuple[int, int, bool], tuple[object, DecodeError]] = {}

    def error(self, expected: str, found: str) -> DecodeError:
        """Say what is wrong here."""
        return DecodeError(expected, found, self.path)

    def error_at(self, step: str | int, expected: str, found: str) -> DecodeError:
        """Say what is wrong one step further in."""
        return DecodeError(expected, found, [*self.path, step])

    def mismatch(self, value: object, expected: str) -> DecodeError:
        """Say that the value should be something else."""
        return self.error(expected, kind(value))

    def attempt(self, decode: Callable[..., Any], value: object, *more: object) -> Any:
        """Decode, and give the error instead of raising it, as if nothing had been."""
        depth, count = len(self.path), len(self.dropped)
        try:
            return decode(value, self, *more)
        except DecodeError as error:
            del self.path[depth:]
            del self.dropped[count:]
            return error

    def attempt_once(
        self, variant: object, decode: Callable[..., Any], value: object, *more: object
    ) -> Any:
        """Decode a variant the same way, unless that has failed before.

        What is tried decodes its parts, and what is tried next decodes them again. So without
        this the time would double with each level of a recursive union.
        """
        key = (id(value), id(variant), self.strict)
        if key in self._failed:
            return self._failed[key][1]
        # msgspec does not know what has failed.
        native, self.native = self.native, False
        made = self.attempt(decode, value, *more)
        self.native = native
        if isinstance(made, DecodeError) and isinstance(value, (dict, list)):
            # Its number is that of no other value as long as it is there.
            self._failed[key] = (value, made.with_traceback(None))
        return made


def run(decode: Decode, value: object, context: Context) -> Any:
    """Decode a value; one that is nested too deeply is refused, too."""
    depth = len(context.path)
    try:
        return decode(value, context)
    except RecursionError:
        del context.path[depth:]
    raise context.error("fewer levels", "deeper nesting")


class Inside:
    """What is done with the parts of a value.

    Attributes:
        decode: What decodes each.
        is_forgiving: Whether malformed parts are left out.
        is_optional: Whether the value is its own part, unless it is `null`.
    """

    __slots__ = ("decode", "is_forgiving", "is_optional")

    def __init__(
        self, decode: Decode, *, is_forgiving: bool = False, is_optional: bool = False
    ) -> None:
        """Know a decoder."""
        self.decode = decode
        self.is_forgiving = is_forgiving
        self.is_optional = is_optional


PARTS: Final[dict[Decode, object]] = {}
"""What generated decoders stand on: tables, unions, and other decoders."""

INSIDE: Final[dict[Decode, Inside]] = {}
"""The decoders of which others may decode the parts."""


class Step:
    """A step of decoding an object: one of its properties, or what needs all of it."""

    __slots__ = ()

    def take(
        self, value: dict[str, Any], context: Context, attributes: dict[str, Any]
    ) -> None:
        """Look at the whole object, where that is the step."""


UNSEEN: Final = Step()
"""Says that msgspec does not look at all that an object has to fit."""


@final
class Field(Step):
    """How one property of an object becomes an attribute."""

    __slots__ = (
        "decode",
        "name",
        "nullable",
        "on_error",
        "on_null",
        "required",
        "wire",
    )

    def __init__(
        self,
        name: str,
        wire: str,
        decode: Decode,
        *,
        required: bool = False,
        nullable: bool = False,
        on_error: Make | None = None,
        on_null: Make | None = None,
    ) -> None:
        """Take the attribute's name, the wire name, and what is done with the value.

        `on_error` and `on_null` make the JSON that stands for a value that is forgiven; if
        that is `MISSING`, the property counts as absent.
        """
        self.name = name
        self.wire = wire
        self.decode = decode
        self.required = required
        self.nullable = nullable
        self.on_error = on_error
        self.on_null = on_null


class Forbidden(Step):
    """Properties of which an object must not have all."""

    __slots__ = ("keys",)

    def __init__(self, keys: Sequence[str]) -> None:
        """Take their names."""
        self.keys = keys

    def take(
        self, value: dict[str, Any], context: Context, attributes: dict[str, Any]
    ) -> None:
        """Refuse an object that has them all, at the last of them."""
        if all(key in value for key in self.keys):
            last = self.keys[-1]
            raise context.error_at(last, "no such property", kind(value[last]))


class Rest(Step):
    """How the members of an object become an attribute that no other is for."""

    __slots__ = ("decode", "known", "name")

    def __init__(self, name: str, decode: Decode, known: Iterable[str]) -> None:
        """Take the attribute's name, what is done with values, and the other names."""
        self.name = name
        self.decode = decode
        self.known = frozenset(known)

    def take(
        self, value: dict[str, Any], context: Context, attributes: dict[str, Any]
    ) -> None:
        """Decode those members, in the order in which they came."""
        path = context.path
        taken: dict[str, Any] = {}
        for key, before in value.items():
            if key not in self.known:
                path.append(key)
                taken[key] = self.decode(before, context)
                path.pop()
        attributes[self.name] = taken


def absent() -> object:
    """Make nothing."""
    return MISSING


def fields(value: Json, context: Context, table: Table) -> dict[str, Any]:
    """Decode the properties of an object that have attributes."""
    if type(value) is not dict:
        raise context.mismatch(value, "an object")
    path = context.path
    attributes: dict[str, Any] = {}
    for field in table:
        if type(field) is not Field:
            field.take(value, context, attributes)
            continue
        item = value.get(field.wire, MISSING)
        if item is MISSING:
            if field.required:
                raise context.error_at(field.wire, "a required property", "nothing")
            continue
        if item is None and field.nullable:
            attributes[field.name] = None
            continue
        path.append(field.wire)
        make = field.on_error or (field.on_null if item is None else None)
        if make is None or context.strict:
            attributes[field.name] = field.decode(item, context)
        else:
            made = forgiven(item, context, field.decode, make)
            if made is not MISSING:
                attributes[field.name] = made
        path.pop()
    return attributes


def forgiven(value: Any, context: Context, decode: Decode, make: Make) -> Any:
    """Decode a value, or else give what stands for one that is malformed."""
    decoded = context.attempt(decode, value)
    if not isinstance(decoded, DecodeError):
        return decoded
    context.dropped.append(decoded)
    made = make()
    # An object may have defaults.
    return decode(made, context) if type(made) is dict else made


def kind(value: object) -> str:
    """What to call a value: `a string`."""
    if value is None:
        return "null"
    return KINDS.get(type(value), "something else")


KINDS: Final[dict[type, str]] = {
    bool: "a boolean",
    dict: "an object",
    float: "a number",
    int: "a number",
    list: "an array",
    str: "a string",
}


# The most choices that an error lists.
_MOST_CHOICES = 20


@cache
def one_of(choices: tuple[object, ...]) -> str:
    """What to call a choice: `one of "a", "b"`."""
    if not choices:
        return "a string"
    listed = ", ".join(quoted(each) for each in choices[:_MOST_CHOICES])
    others = len(choices) - _MOST_CHOICES
    if others > 0:
        return f"one of {listed} or {others} more"
    return listed if len(choices) == 1 else f"one of {listed}"


def quoted(constant: object) -> str:
    """Give a constant of the schema as JSON."""
    from msgspec.json import encode

    return encode(constant).decode()
