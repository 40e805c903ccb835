"""What a series of updates makes up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.json import decode

from ._codec import ENCODER
from ._support import DecodeError

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
    payload: dict[str, Any] = decode(ENCODER.encode(update))
    change = changes.get(payload.pop(tag, ""))
    if change is None:
        return False
    held: Any = getattr(state, change.name)
    key = _key(payload, change.key)
    if change.key and not isinstance(key, str):
        return False
    before = held.get(key) if change.key else held
    after: Any = payload
    if change.is_patch:
        after = {} if before is None else decode(ENCODER.encode(before))
        _patch(after, payload, change)
    try:
        item = change.codec.convert(after)
    except DecodeError:
        return False
    if change.key:
        held[key] = item
    else:
        setattr(state, change.name, item)
    return bool(item != before)


def _key(payload: Json, path: tuple[str, ...]) -> Any:
    value: Json = payload
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _patch(item: dict[str, Any], update: dict[str, Any], change: Change) -> None:
    """Change the members that an update has: `null` removes one."""
    value: Json
    for name, value in update.items():
        if value is None:
            item.pop(name, None)
        elif name in change.merged and isinstance(value, dict):
            members: dict[str, Any] = {**(item.get(name) or {}), **value}
            item[name] = {
                key: member for key, member in members.items() if member is not None
            }
        else:
            item[name] = value
