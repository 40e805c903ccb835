"""What the generated types stand on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, TypeAlias, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

if TYPE_CHECKING:
    from typing_extensions import Self
else:
    # `typing` has it from 3.11 on.
    Self = TypeVar("Self")

T = TypeVar("T")

Int8: TypeAlias = Annotated[int, Meta(ge=-128, le=127)]
Int16: TypeAlias = Annotated[int, Meta(ge=-32768, le=32767)]
Int32: TypeAlias = Annotated[int, Meta(ge=-2147483648, le=2147483647)]
Int64: TypeAlias = Annotated[int, Meta(ge=-9223372036854775808, le=9223372036854775807)]
Uint8: TypeAlias = Annotated[int, Meta(ge=0, le=255)]
Uint16: TypeAlias = Annotated[int, Meta(ge=0, le=65535)]
Uint32: TypeAlias = Annotated[int, Meta(ge=0, le=4294967295)]
Uint64: TypeAlias = Annotated[int, Meta(ge=0, le=9223372036854775807)]
"""msgspec has no greater bound: generated code takes what lies between."""

if TYPE_CHECKING:
    Number: TypeAlias = float
else:
    Number = Int64 | float
"""A whole number stays one, so that it is written as it came."""


class StringEnum(str, Enum):
    """An enum of strings, each of which is one."""

    __str__ = str.__str__


class OpenStringEnum(StringEnum):
    """An enum of strings that keeps a value it does not know."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str):
            return None
        unknown = str.__new__(cls, value)
        unknown._name_ = value
        unknown._value_ = value
        return unknown

    @property
    def is_known(self) -> bool:
        """Whether the value is a member of the enum."""
        return type(self).__members__.get(self.name) is self


class IntegerEnum(int, Enum):
    """An enum of integers, each of which is one."""

    __str__ = int.__str__


class OpenIntegerEnum(IntegerEnum):
    """An enum of integers that keeps a value it does not know."""

    __bounds__: ClassVar[tuple[int, int]]
    """The least and the greatest value that it keeps."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        low, high = cls.__bounds__
        if not low <= value <= high:
            return None
        unknown = int.__new__(cls, value)
        unknown._name_ = str(value)
        unknown._value_ = int(value)
        return unknown

    @property
    def is_known(self) -> bool:
        """Whether the value is a member of the enum."""
        return type(self).__members__.get(self.name) is self


class PlainObject:
    """An object that is no struct: generated code decodes and encodes it."""

    __slots__ = ()

    __wire__: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Its attributes, each with its wire name."""

    __tags__: ClassVar[tuple[tuple[str, str], ...]] = ()
    """The properties that select it, each with its value."""

    __additional__: ClassVar[str | None] = None
    """The attribute for members of the object that no other is for, if they are kept."""

    def __eq__(self, other: object) -> bool:
        """Tell whether another has the same class and attributes."""
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _slots(self))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show the attributes."""
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in _slots(self))
        return f"{type(self).__name__}({fields})"


def _slots(value: object) -> list[str]:
    classes = type(value).__mro__
    return [name for each in classes for name in getattr(each, "__slots__", ())]


class OpenVariant(PlainObject):
    """A variant of a union that is kept as it came.

    Attributes:
        tag: The tag of the object.
        raw: The properties of the object, its tag among them.
    """

    __slots__ = ("raw", "tag")

    tag: str
    raw: dict[str, Any]

    def __init__(
        self, tag_field: str, tag: str, raw: Mapping[str, Any] | None = None
    ) -> None:
        """Keep an object with a tag that no other variant has."""
        self.tag = tag
        self.raw = {tag_field: tag} | dict(raw or {}) | {tag_field: tag}


if TYPE_CHECKING:
    from msgspec import StructMeta

    class Constructors(StructMeta):
        """The functions that make the variants of a union."""

else:

    class _Constructor:
        """A function that a class has and its instances have not."""

        __slots__ = ("function", "name")

        def __init__(self, name: str, function: object) -> None:
            self.name = name
            self.function = function

        def __get__(self, instance: object, owner: type) -> object:
            if instance is None:
                return self.function
            name = type(instance).__name__
            raise AttributeError(f"{name!r} object has no attribute {self.name!r}")

    class Constructors(type):
        """Makes plain classes that have its static methods as functions.

        To a type checker it is their metaclass, so that a function may be called like
        an attribute of a variant. At run time they have none, and can be mixed into
        structs.
        """

        def __new__(
            cls, name: str, bases: tuple[type, ...], namespace: dict[str, object]
        ) -> type:
            """Make the class."""
            functions = {
                key: _Constructor(key, value.__func__)
                for key, value in vars(cls).items()
                if isinstance(value, staticmethod)
            }
            return type(name, bases, {**namespace, **functions})


REFUSED: Final = object()
"""What stands for no value."""


def mark(name: str) -> Any:
    """Make a type that msgspec leaves to generated code, whatever that decodes."""
    return Annotated[_Mark(name, (), {}), Meta(extra_json_schema={"title": name})]


class _Mark(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return True


if TYPE_CHECKING:
    OnlyTrue: TypeAlias = bool
    OnlyFalse: TypeAlias = bool
else:
    OnlyTrue = Annotated[mark("OnlyTrue"), Meta(extra_json_schema={"const": True})]
    OnlyFalse = Annotated[mark("OnlyFalse"), Meta(extra_json_schema={"const": False})]
"""Constants: msgspec has none that is a boolean."""


class DecodeError(ValueError):
    """A value is not one of its type.

    It holds no part of the value but names of properties.

    Attributes:
        steps: The names of properties and indices of items that lead to the place.
        expected: What was expected there: `a string`.
        found: What kind of thing was found: `an array`, `nothing`.
    """

    def __init__(
        self, expected: str, found: str, steps: Sequence[str | int] = ()
    ) -> None:
        """Say what was expected and found, and where."""
        super().__init__(expected, found, steps)
        self.expected = expected
        self.found = found
        self.steps = tuple(steps)

    @property
    def path(self) -> str:
        """The place: `params.prompt[2].type`. Empty for the whole value."""
        path = ""
        for step in self.steps:
            if isinstance(step, int):
                path += f"[{step}]"
            else:
                path += f".{step}" if path else step
        return path

    def __str__(self) -> str:
        """Give the whole message."""
        place = f"{self.path}: " if self.steps else ""
        return f"{place}expected {self.expected}, found {self.found}"


def given(value: T | UnsetType | None) -> T | None:
    """Give what is there, and `None` for what is absent."""
    return None if value is UNSET else value


def schema_of(kind: type) -> dict[str, Any]:
    """Say of a class that is no struct what it is called: an object of some kind."""
    return {"type": "object", "title": kind.__name__}


def check_same(sent: Any, read: Any, path: Sequence[str | int]) -> None:
    """Make sure that the parts of what is sent are read as what they are.

    Raises:
        DecodeError: One is not: it is the payload of a variant, without the tag, or a number that
            JSON does not have, which is written as `null`.
    """
    if isinstance(sent, _OBJECTS):
        if isinstance(read, _OBJECTS) and not isinstance(sent, type(read)):
            expected, found = f"`{type(read).__name__}`", f"`{type(sent).__name__}`"
            raise DecodeError(expected, found, path)
        for name, wire in _attributes(sent):
            part = getattr(sent, name)
            if part is not UNSET:
                check_same(part, getattr(read, name, None), (*path, wire))
    elif _are(sent, read, Sequence, but=(str, bytes)):
        for index, (one, other) in enumerate(zip(sent, read, strict=False)):
            check_same(one, other, (*path, index))
    elif _are(sent, read, Mapping):
        for key in sent.keys() & read.keys():
            check_same(sent[key], read[key], (*path, key))
    elif isinstance(sent, float) and not isfinite(sent):
        raise DecodeError("a finite number", str(sent), path)


_OBJECTS: Final = (Struct, PlainObject)


def _attributes(value: Struct | PlainObject) -> Iterable[tuple[str, str]]:
    """Give the attributes of an object, each with its wire name."""
    if isinstance(value, PlainObject):
        return value.__wire__
    return zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)


def _are(one: object, other: object, sort: type, but: tuple[type, ...] = ()) -> bool:
    are_of_sort = isinstance(one, sort) and isinstance(other, sort)
    return are_of_sort and not isinstance(one, but)


def plain(value: Any) -> dict[str, Any] | list[Any]:
    """Give what is written of a value that is neither a struct nor of JSON.

    It is an object of this package, or any mapping or sequence.
    """
    if isinstance(value, PlainObject):
        return _properties(value)
    if _is(value, Mapping):
        return {**value}
    if _is(value, Sequence):
        return [*value]
    raise NotImplementedError(f"{type(value).__name__} is no part of a message")


def _is(value: object, sort: type) -> bool:
    return isinstance(value, sort)


def _properties(value: PlainObject) -> dict[str, Any]:
    """Give the properties of an object by their wire names."""
    properties: dict[str, Any] = dict(value.__tags__)
    if isinstance(value, OpenVariant):
        properties |= value.raw
    for name, wire in value.__wire__:
        attribute = getattr(value, name)
        if attribute is not UNSET:
            properties[wire] = attribute
    if value.__additional__ is not None:
        rest: dict[str, Any] = getattr(value, value.__additional__)
        properties = {**properties, **rest, **properties}
    return properties
