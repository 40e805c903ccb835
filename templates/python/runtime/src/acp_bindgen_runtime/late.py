"""Names of a module that are imported once they are asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def late(
    offered: dict[str, Any], names: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Make the functions `__getattr__` and `__dir__` of a module.

    Args:
        offered: What the module has already.
        names: The names that are imported late, each with the module that it comes from.
    """

    def give(name: str) -> object:
        if name not in names:
            message = f"module {offered['__name__']!r} has no attribute {name!r}"
            raise AttributeError(message)
        value = getattr(import_module(names[name], offered["__package__"]), name)
        offered[name] = value
        return value

    return give, lambda: sorted({*offered, *names})
