"""Imports packages with all that they offer, resolves the annotations of that, and prepares the
two decoders of each of their codecs."""

import importlib
import importlib.util
import inspect
import sys
import typing


def annotated(value):
    """Gives what has annotations of what is offered under a name: all that is public in a class."""
    if inspect.isfunction(value):
        yield value
    if not inspect.isclass(value):
        return
    yield value
    for name in dir(value):
        is_own = not name.startswith("_") or name.startswith("__")
        member = inspect.getattr_static(value, name, None) if is_own else None
        member = getattr(member, "__func__", getattr(member, "fget", member))
        if inspect.isfunction(member):
            yield member


def offered(package):
    """Gives the modules of a package that are for users, with the names that they offer."""
    yield package, package.__all__
    for name in ("rpc", "remote"):
        if importlib.util.find_spec(f"{package.__name__}.{name}"):
            module = importlib.import_module(f"{package.__name__}.{name}")
            yield module, getattr(module, "__all__", [it for it in vars(module) if it[0] != "_"])


for package in map(importlib.import_module, sys.argv[1:]):
    for module, names in offered(package):
        for name in names:
            for value in annotated(getattr(module, name)):
                try:
                    typing.get_type_hints(value)
                except NameError as error:
                    raise AssertionError(f"{module.__name__}.{name}: {value}") from error
    for codec in vars(package.codecs).values():
        for text in ("!", "[[]]", "{}", "null") if isinstance(codec, package.Codec) else ():
            try:
                codec.decode(text)
            except package.DecodeError:
                pass
