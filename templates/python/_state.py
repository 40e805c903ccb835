"""What a series of updates makes up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.json import decode

from ._codec import ENCODER
from ._support import DecodeError
from ._values import same

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._codec import Codec
    from ._decoding import Json


class Change(Struct, frozen=True, kw_only=True):
    """What one kind of update does.

    Attributes:
        name: The attribute of the state that it changes.
        codec: The codec of what is held there.
        key: The properties that lead to the key. Without any, one thing is held.
        is_patch: Whether its members change those of what is held, instead of replacing it.
        merged: The members that are objects, of which each member is changed by itself.
    """

    name: str
    codec: Codec[Any]
    key: tuple[str, ...] = ()
    is_patch: bool = False
    merged: tuple[str, ...] = ()


def apply(
    state: object, update: object, tag: str, changes: Mapping[str, Change]
) -> bool:
    """Take an update of a state. Says whether that changed anything."""
    payload = _written(update)
    change = changes.get(payload.pop(tag, ""))
    if change is None:
        return False
    held: Any = getattr(state, change.name)
    key = _key(payload, change.key)
    if change.key and not isinstance(key, str):
        return False
    before = _written(held.get(key) if change.key else held)
    if change.is_patch:
        payload = _patched(before or {}, payload, change.merged)
    try:
        item = change.codec.convert(payload)
    except DecodeError:
        return False
    if change.key:
        held[key] = item
    else:
        setattr(state, change.name, item)
    return not same(before, _written(item))


def _written(value: object) -> Any:
    return decode(ENCODER.encode(value))


def _key(payload: Json, path: tuple[str, ...]) -> Any:
    value: Json = payload
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _patched(
    item: Mapping[str, Json], update: Mapping[str, Json], merged: tuple[str, ...] = ()
) -> dict[str, Json]:
    """Change the members that an update has: `null` removes one."""
    members = dict(item)
    for name, value in update.items():
        if value is None:
            members.pop(name, None)
        elif name in merged and isinstance(value, dict):
            before = members.get(name)
            members[name] = _patched(before if isinstance(before, dict) else {}, value)
        else:
            members[name] = value
    return members
