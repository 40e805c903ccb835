"""How arrays are decoded whose items have types of their own, by their places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .values import sized

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .decoding import Context, Decode, Json


def places(
    items: Sequence[Decode],
    low: int = 0,
    high: int | None = None,
    rest: Decode | None = None,
) -> Decode:
    """Take an array as a tuple. The bounds are of the number of all items."""

    def decode(value: Json, context: Context) -> tuple[Any, ...]:
        if type(value) is not list:
            raise context.mismatch(value, "an array")
        path = context.path
        taken: list[Any] = []
        for index, before in enumerate(value):
            item = items[index] if index < len(items) else rest
            if item is None:
                break
            path.append(index)
            taken.append(item(before, context))
            path.pop()
        sized(len(value), "items", low, high, context)
        return tuple(taken)

    return decode
