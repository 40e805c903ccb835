"""Warnings of what is deprecated or unstable, each given once."""

from __future__ import annotations

import warnings
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec import UNSET

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import deprecated
else:

    def deprecated(message: str) -> Callable[[Any], Any]:
        """Mark a class, or warn when a function is called."""
        return lambda marked: _marked(marked, message, DeprecationWarning)


__all__ = [
    "UnstableWarning",
    "add_package",
    "deprecated",
    "deprecated_class",
    "deprecated_field",
    "old_name",
    "unstable",
    "unstable_class",
    "unstable_field",
]

T = TypeVar("T")


class UnstableWarning(FutureWarning):
    """Something is not yet part of the stable protocol: it may change or go."""


def unstable(message: str) -> Callable[[T], T]:
    """Mark a class, or warn when a function is called."""
    return lambda marked: _marked(marked, message, UnstableWarning)


_IMPORTS: Final = {"importlib._bootstrap", "_frozen_importlib"}
"""What asks for the names of `from package import name`. Warnings do not count it."""

_RUNTIME: Final = __name__.rpartition(".")[0]

_ON_BEHALF: Final = {__name__, f"{_RUNTIME}.late", *_IMPORTS}
"""Modules that make values for whoever calls them. The others get values from the peer."""

_WITHIN: Final = {f"{_RUNTIME}."}
"""What the names of modules begin with that nobody is warned for."""

_GIVEN: Final[set[tuple[str, str]]] = set()
"""The warnings that were given, each with the module that gave it."""


def add_package(package: str, *makers: str) -> None:
    """Have warnings of a generated package be about who calls it.

    Args:
        package: Its name.
        makers: Its modules that make values for whoever calls them.
    """
    _WITHIN.add(f"{package}.")
    _ON_BEHALF.update((package, *(f"{package}.{maker}" for maker in makers)))


def deprecated_class(name: str) -> None:
    """Warn that a value of a class was made."""
    _warn(f"`{name}` is deprecated", DeprecationWarning)


def deprecated_field(name: str, value: object = None, absent: object = UNSET) -> None:
    """Warn that a field was given, unless it has the value that it has without."""
    if value is not absent and value != absent:
        _warn(f"`{name}` is deprecated", DeprecationWarning)


def old_name(old: str, new: str) -> None:
    """Warn that a type was asked for by the name it had before."""
    _warn(f"`{old}` is now called `{new}`", DeprecationWarning)


def unstable_class(name: str) -> None:
    """Warn that a value of a class was made."""
    _warn(f"`{name}` is unstable", UnstableWarning)


def unstable_field(name: str, value: object = None, absent: object = UNSET) -> None:
    """Warn that a field was given, unless it has the value that it has without."""
    if value is not absent and value != absent:
        _warn(f"`{name}` is unstable", UnstableWarning)


def _marked(marked: Any, message: str, category: type[Warning]) -> Any:
    if isinstance(marked, type):
        return marked

    @wraps(marked)
    def call(*arguments: Any, **options: Any) -> Any:
        _warn(message, category, marked.__module__)
        return marked(*arguments, **options)

    return call


def _warn(message: str, category: type[Warning], giver: str = "") -> None:
    """Warn whoever called the package, if it was not the package itself that did it.

    Args:
        message: What is said.
        category: The class of the warning.
        giver: The module that gives it, if that is not the first that acts on behalf.
    """
    from inspect import currentframe

    frame, level = currentframe(), 1
    while frame is not None and (module := frame.f_globals["__name__"]) in _ON_BEHALF:
        if not giver and module != __name__:
            giver = module
        frame, level = frame.f_back, level + (module not in _IMPORTS)
    given = (message, giver)
    if given in _GIVEN:
        return
    if frame is None or frame.f_globals["__name__"].startswith(tuple(_WITHIN)):
        return
    _GIVEN.add(given)
    warnings.warn(message, category, stacklevel=level)
