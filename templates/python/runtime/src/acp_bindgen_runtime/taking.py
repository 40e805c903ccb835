"""What parameters take beside the values of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, overload

from msgspec import UNSET, UnsetType

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .support import IntegerEnum, StringEnum

T = TypeVar("T")
E = TypeVar("E", bound="StringEnum | IntegerEnum")


@overload
def listed(values: Sequence[T]) -> list[T]: ...
@overload
def listed(values: None) -> None: ...
@overload
def listed(values: UnsetType) -> UnsetType: ...
def listed(values: Any) -> Any:
    """Make a list of several values. A text is not several."""
    if values is None or values is UNSET or _is_list(values):
        return values
    if isinstance(values, (str, bytes)):
        raise TypeError(f"expected several values, not {type(values).__name__}")
    return [*values]


@overload
def mapped(values: Mapping[str, T]) -> dict[str, T]: ...
@overload
def mapped(values: None) -> None: ...
@overload
def mapped(values: UnsetType) -> UnsetType: ...
def mapped(values: Any) -> Any:
    """Make a dictionary of a mapping."""
    return values if values is None or values is UNSET else {**values}


def _is_list(values: object) -> bool:
    return isinstance(values, list)


@overload
def chosen(enum: type[E], value: E | str | int) -> E: ...
@overload
def chosen(enum: type[E], value: None) -> None: ...
@overload
def chosen(enum: type[E], value: UnsetType) -> UnsetType: ...
def chosen(enum: type[Any], value: Any) -> Any:
    """Make a member of an enum of what it is on the wire."""
    return value if value is None or value is UNSET else enum(value)
