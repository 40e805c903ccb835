"""How a message is forgiven without decoding all of it in Python.

msgspec says where the first thing is that it does not take. Generated code decodes just that, or
puts in its place what the schema says, and msgspec tries again.
"""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import ValidationError, convert
from msgspec.json import decode as parse

from .codec import ENCODER, REFUSALS
from .decoding import INSIDE, MISSING, PARTS, Field, Inside, absent
from .support import REFUSED, DecodeError
from .unions import Leaf, Plain, Union

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from msgspec import Struct

    from .codec import Definitions
    from .decoding import Decode, Make, Table

    Walked: TypeAlias = tuple[list[tuple[str, str]], str | int]
    Members: TypeAlias = dict[str, tuple[int, Field]]
    Parts: TypeAlias = Members | Inside | Union | None

_MOST: Final = 8
"""So many things are repaired in a message before generated code decodes all of it."""

_LONGEST: Final = 1024
_RECIPES: Final = 256
"""How long what is not right may be to be kept in mind, and how many such things are."""

_EXACT: Final = frozenset({NoneType, bool, int, str})
"""What is equal only if it is written the same way."""

_RESOLVED: Final[dict[Decode, Parts]] = {}
_MEMBERS: Final[dict[int, Members]] = {}


def way_of(error: str) -> list[str | int]:
    """Give the steps to the place of an error of msgspec, as far as it tells them."""
    start = error.rfind(" - at `$")
    if start < 0 or error[-1] != "`":
        return []
    way = error[start + 8 : -1]
    if "[" not in way:
        return [*way.split(".")[1:]]
    # It does not tell the keys of a map.
    names = way.partition("[...]")[0].replace("[", ".[").split(".")[1:]
    return [int(name[1:-1]) if name[0] == "[" else name for name in names if name]


class Repairer:
    """Decodes values of a type that msgspec does not take as they are.

    What was repaired once is repaired again without decoding anything.
    """

    __slots__ = ("_decode", "_definitions", "_recipes", "_target")

    def __init__(
        self, target: type[Struct], name: str, definitions: Definitions
    ) -> None:
        """Take a class, and its name among those that generated code decodes."""
        self._target = target
        self._definitions = definitions
        self._decode = definitions.decoders[name]
        self._recipes: dict[str, _Recipe] = {}

    def __call__(
        self,
        data: Any,
        why: str,
        path: Sequence[str | int],
        on_dropped: Callable[[DecodeError], object] | None,
    ) -> Any:
        """Decode a text that msgspec does not take.

        It gives `REFUSED` for what is not right even so: generated code says why.
        """
        try:
            value = parse(data)
        except REFUSALS:
            return REFUSED
        told: list[_Recipe] = []
        known = self._known(value, why)
        if known is not None:
            recipe, parent = known
            recipe.mend(parent)
            told = [recipe]
        # Even if nothing is known: msgspec may have stopped at a key that comes again.
        made, reason = self._converted(value)
        if reason is not None:
            made = self._repaired(value, reason, told)
        if on_dropped is not None and made is not REFUSED:
            for recipe in sorted(told, key=_order):
                recipe.tell(on_dropped, path)
        return made

    def _repaired(self, value: Any, why: str, told: list[_Recipe]) -> Any:
        """Repair one thing after another.

        `told` is what was repaired before, and then all that is to be told.
        """
        repaired = [*told]
        made: Any = REFUSED
        reason: str | None = why
        while reason is not None:
            found = self._known(value, reason) or self._learned(value, reason)
            if found is None or len(repaired) == _MOST:
                return REFUSED
            recipe, parent = found
            if any(other.blocks(recipe.way) for other in repaired):
                return REFUSED
            recipe.mend(parent)
            repaired.append(recipe)
            if recipe.is_replaced:
                # What was forgiven in it no longer counts.
                inside = len(recipe.order)
                told[:] = [it for it in told if it.order[:inside] != recipe.order]
            told.append(recipe)
            made, reason = self._converted(value)
        return made

    def _converted(self, value: Any) -> tuple[Any, str | None]:
        """Give what msgspec makes of a value, or why it takes none, if that can be mended."""
        try:
            hook = self._definitions.decode_marked
            return convert(value, self._target, dec_hook=hook), None
        except ValidationError as error:
            return REFUSED, str(error)
        except REFUSALS:
            return REFUSED, None

    def _known(self, value: Any, why: str) -> tuple[_Recipe, Any] | None:
        """Give what was done when this was wrong before, and where, if it is there."""
        recipe = self._recipes.get(why)
        parent = None if recipe is None else recipe.parent_in(value)
        return None if recipe is None or parent is None else (recipe, parent)

    def _learned(self, value: Any, why: str) -> tuple[_Recipe, Any] | None:
        """Find out what is to be done, and where."""
        found = _find(self._decode, value, way_of(why))
        if found is None or not found.learn(self._definitions):
            return None
        recipe = _Recipe(found)
        if found.is_lasting and max(len(recipe.mark), len(why)) <= _LONGEST:
            if len(self._recipes) >= _RECIPES:
                self._recipes.clear()
            self._recipes[why] = recipe
        return recipe, found.parent


def _order(recipe: _Recipe) -> list[int]:
    return recipe.order


class _Place:
    """A place in a message, with what generated code does there."""

    __slots__ = (
        "decode",
        "depth",
        "errors",
        "is_lasting",
        "is_replaced",
        "make",
        "order",
        "parent",
        "step",
        "walk",
    )

    def __init__(
        self, parent: Any, step: Any, depth: int, decode: Decode, make: Make | None
    ) -> None:
        self.parent = parent
        self.step = step
        self.depth = depth
        self.decode = decode
        self.make = make
        self.walk: list[Walked] = []
        self.order: list[int] = []
        self.errors: list[DecodeError] = []
        self.is_lasting = True
        self.is_replaced = False

    def learn(self, definitions: Definitions) -> bool:
        """Decode the value, or find what stands for it. Says whether there is something."""
        way = [step for _, step in self.walk[: self.depth]]
        context = definitions.context(strict=False, parsed=True, path=way)
        value = context.refused = self.parent[self.step]
        try:
            made = self.decode(value, context)
        except DecodeError as error:
            if self.make is None:
                return False
            self.errors = [error]
            self.is_replaced = True
            self._stand(way, definitions)
            return True
        self.errors = context.dropped
        self.make = lambda: made
        # No two messages may share what can change.
        self.is_lasting = isinstance(made, (str, int, float, NoneType))
        return True

    def _stand(self, way: list[str | int], definitions: Definitions) -> None:
        """Find what stands for the value: JSON, or nothing."""
        make, decode = self.make, self.decode
        if make is not None and type(make()) is dict:
            # An object may have defaults.
            def decoded() -> Any:
                context = definitions.context(strict=False, parsed=True, path=way)
                return decode(make(), context)

            self.make = decoded


class _Recipe:
    """What is done where a message is not right, as long as it is not right in the same way.

    Attributes:
        step: The property or item.
        make: What makes the value that comes there; `absent` for none.
        is_replaced: Whether that is because of an error there.
        order: Where generated code comes by, beside other places.
        mark: What was there, as JSON.
        way: The steps to it.
    """

    __slots__ = (
        "_errors",
        "_exact",
        "_sort",
        "_walk",
        "is_replaced",
        "make",
        "mark",
        "order",
        "step",
        "way",
    )

    def __init__(self, place: _Place) -> None:
        self.step = place.step
        self.make: Make = place.make or absent
        self.is_replaced = place.is_replaced
        self.order = place.order[: place.depth]
        found: object = place.parent[place.step]
        self._sort: type[object] = type(found)
        self._exact: object = found if self._sort in _EXACT else MISSING
        self.mark = ENCODER.encode(found)
        walk = place.walk[: place.depth]
        self.way = [step for _, step in walk]
        # Tags, each with its value, and steps, which have none.
        self._walk: list[tuple[str | int, object]] = []
        for tags, step in walk:
            self._walk += [*tags, (step, MISSING)]
        self._errors = [(it.expected, it.found, it.steps) for it in place.errors]

    def parent_in(self, value: Any) -> Any:
        """Give the object or array that the place is in, if it is as it was."""
        parent = node = value
        try:
            for step, tag in self._walk:
                inside = node[step]
                if tag is MISSING:
                    parent, node = node, inside
                elif inside != tag:
                    return None
        except (KeyError, IndexError, TypeError):
            return None
        if type(node) is not self._sort:
            return None
        if self._exact is not MISSING:
            return parent if node == self._exact else None
        return parent if ENCODER.encode(node) == self.mark else None

    def mend(self, parent: Any) -> None:
        """Put there what the schema says, in the object or array that the place is in."""
        if self.make is absent:
            del parent[self.step]
        else:
            parent[self.step] = self.make()

    def blocks(self, way: list[str | int]) -> bool:
        """Whether nothing more can be done at a place, once this was."""
        if self.make is absent and type(self.step) is int:
            # Other items are no longer where they were.
            return way[: len(self.way) - 1] == self.way[:-1]
        return way == self.way

    def tell(
        self, on_dropped: Callable[[DecodeError], object], path: Sequence[str | int]
    ) -> None:
        """Say what is forgiven."""
        for expected, found, steps in self._errors:
            on_dropped(DecodeError(expected, found, (*path, *steps)))


def _find(decode: Decode, value: Any, way: list[str | int]) -> _Place | None:
    """Find the innermost place on a way at which something is forgiven, or else its end."""
    found: _Place | None = None
    forgiving: _Place | None = None
    walk: list[Walked] = []
    order: list[int] = []
    make: Make | None
    for depth, step in enumerate(way, 1):
        if decode not in _RESOLVED:
            _RESOLVED[decode] = _resolved(decode)
        inside: Any = _RESOLVED[decode]
        tags: list[tuple[str, str]] = []
        while _is(inside, Union):
            inside = _selected(inside, value, tags)
        if _is(inside, dict) and _is(value, dict):
            index, field = inside.get(step, (0, None))
            if field is None or step not in value:
                break
            decode, make = field.decode, field.on_error
        elif _is(inside, Inside) and _is(value, list) and isinstance(step, int):
            index = step
            decode, make = inside.decode, absent if inside.is_forgiving else None
        else:
            break
        walk.append((tags, step))
        order.append(index)
        found = _Place(value, step, depth, decode, make)
        forgiving = found if make is not None else forgiving
        value = value[step]
    best = forgiving or found
    if best is not None:
        best.walk, best.order = walk, order
    return best


def _is(value: object, sort: type) -> bool:
    return type(value) is sort


def _resolved(part: Any) -> Parts:
    """Find what generated code does with the parts of a value."""
    while part is not None:
        if isinstance(part, Inside) and part.is_optional:
            part = part.decode
        elif isinstance(part, (Inside, Union)):
            return part
        elif isinstance(part, Leaf):
            return _members(part.table)
        elif isinstance(part, Plain):
            part = part.inner
        elif _is(part, list) or _is(part, tuple):
            return _members(part)
        else:
            part = PARTS.get(part) or INSIDE.get(part)
    return None


def _selected(union: Union, value: Any, tags: list[tuple[str, str]]) -> Parts:
    variant = union.selected(value)
    if variant is not None and union.tag is not None:
        tags.append((union.tag, value[union.tag]))
    return _members(variant.table) if type(variant) is Leaf else _resolved(variant)


def _members(table: Table) -> Members:
    """Find the properties of an object by their names."""
    members = _MEMBERS.get(id(table))
    if members is None:
        steps = enumerate(table)
        members = {step.wire: (at, step) for at, step in steps if type(step) is Field}
        _MEMBERS[id(table)] = members
    return members
