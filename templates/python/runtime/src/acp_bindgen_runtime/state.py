"""What a series of updates makes up."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from msgspec.json import decode

from .codec import ENCODER
from .support import DecodeError
from .values import same

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .codec import Codec
    from .decoding import Json


class Addition(Struct, frozen=True):
    """A member of an update that goes to the end of something in what is held.

    Attributes:
        member: The member.
        to: The properties that lead to what becomes longer.
        series: What that is: a list, a string, or bytes as a string in base64.
    """

    member: str
    to: tuple[str, ...]
    series: Literal["list", "text", "base64"]


class Change(Struct, frozen=True, kw_only=True):
    """What one kind of update does.

    Attributes:
        name: The attribute of the state that it changes.
        codec: The codec of what is held there.
        key: The properties that lead to the key. Without any, one thing is held.
        held_key: The same in what is held, if it is elsewhere there.
        is_patch: Whether its members change those of what is held, instead of replacing it.
        merged: The members that are objects, of which each member is changed by itself.
        addition: What it adds to the end of something, if it does that.
        is_removal: Whether what is held is removed.
    """

    name: str
    codec: Codec[Any]
    key: tuple[str, ...] = ()
    held_key: tuple[str, ...] = ()
    is_patch: bool = False
    merged: tuple[str, ...] = ()
    addition: Addition | None = None
    is_removal: bool = False


class Ending(Struct, frozen=True, kw_only=True):
    """What becomes of the items of one type when their turn is cancelled.

    Attributes:
        name: The attribute of the state that holds them.
        codec: The codec of an item.
        status: The member that says whether an item goes on.
        open: Its values for one that does.
        cancelled: Its value for one that has ended so.
    """

    name: str
    codec: Codec[Any]
    status: str
    open: tuple[str, ...]
    cancelled: str


def end(state: object, endings: Sequence[Ending]) -> bool:
    """End the items of a state that go on. Says whether there were any."""
    has_changed = False
    for ending in endings:
        held: dict[str, Any] = getattr(state, ending.name)
        for key, item in held.items():
            members = _written(item)
            status = members.get(ending.status)
            if status is None or status in ending.open:
                members[ending.status] = ending.cancelled
                held[key] = ending.codec.convert(members)
                has_changed = True
    return has_changed


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
    if change.is_removal:
        return _removed(state, change, key)
    before = _written(held.get(key) if change.key else held)
    if change.is_patch:
        payload = _patched(before or {}, payload, change.merged)
    try:
        if change.addition is not None:
            there = before or _keyed(change.held_key or change.key, key)
            payload = _added(there, change.addition, payload)
        item = change.codec.convert(payload)
    except (DecodeError, ValueError):
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


def _keyed(path: tuple[str, ...], key: Any) -> dict[str, Any]:
    """Give an object that has nothing but its key."""
    if not path:
        return {}
    first, *rest = path
    return {first: _keyed(tuple(rest), key) if rest else key}


def _added(
    item: Mapping[str, Json], addition: Addition, update: Mapping[str, Json]
) -> Json:
    """Add a member of an update to what is held.

    Raises:
        ValueError: The update has no such member, or one that cannot be added.
    """
    if addition.member not in update:
        raise ValueError
    added = update[addition.member]
    return _with(dict(item), addition.to, added, addition.series)


def _with(value: Json, path: Sequence[str], added: Json, series: str) -> Json:
    if not path:
        return _longer(value, added, series)
    name, *rest = path
    members = value if isinstance(value, dict) else {}
    return {**members, name: _with(members.get(name), rest, added, series)}


def _longer(before: Json, added: Json, series: str) -> Json:
    if series == "list":
        values: list[Json] = before if isinstance(before, list) else []
        return [*values, added]
    text = before if isinstance(before, str) else ""
    if isinstance(added, str):
        return text + added if series == "text" else _bytes_joined(text, added)
    raise ValueError


def _bytes_joined(before: str, added: str) -> str:
    # All but the last group stays as it is.
    end = len(before) - 4 if before.endswith("=") else len(before)
    data = b64decode(before[end:], validate=True) + b64decode(added, validate=True)
    if len(before) % 4:
        raise ValueError
    return before[:end] + b64encode(data).decode()


def _removed(state: object, change: Change, key: Any) -> bool:
    held: Any = getattr(state, change.name)
    if change.key:
        return held.pop(key, None) is not None
    setattr(state, change.name, None)
    return held is not None


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
