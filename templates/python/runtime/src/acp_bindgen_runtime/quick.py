"""How objects are decoded with generated code only for what msgspec does not take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, convert

from .codec import REFUSALS
from .decoding import Field, fields
from .support import REFUSED

if TYPE_CHECKING:
    from .decoding import Class, Context, Json, Table

_KNOWN: Final[dict[Class, bool]] = {}
"""Of which classes msgspec knows all."""


def record(value: Any, context: Context, make: Class, table: Table) -> Any:
    """Decode an object with known properties."""
    made = natively(value, context, make, table)
    return make(**fields(value, context, table)) if made is REFUSED else made


def natively(value: Json, context: Context, make: Class, table: Table) -> Any:
    """Let msgspec decode an object, or give `REFUSED` for what it does not take."""
    if not context.native or type(value) is not dict or value is context.refused:
        return REFUSED
    is_known = _KNOWN.get(make)
    if is_known is None:
        is_class = isinstance(make, type) and issubclass(make, Struct)
        is_known = is_class and all(type(step) is Field for step in table)
        _KNOWN[make] = is_known
    if not is_known:
        return REFUSED
    try:
        return convert(value, make, dec_hook=context.within)
    except REFUSALS:
        return REFUSED
