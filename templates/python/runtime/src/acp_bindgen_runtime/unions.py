"""How the variants of a union are told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from .decoding import fields, kind, one_of
from .quick import natively
from .support import REFUSED, DecodeError
from .values import anything

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .decoding import Class, Context, Decode, Json, Table


class Variant(Protocol):
    """Something that a value of a union can be."""

    def decode(self, value: Any, context: Context, shared: Mapping[str, Any]) -> Any:
        """Decode a value; the attributes that its variants share are decoded already."""


def shaped(variant: Variant) -> Decode:
    """Take what a variant takes, on its own."""

    def decode(value: Any, context: Context) -> Any:
        return variant.decode(value, context, {})

    return decode


class Plain:
    """A variant that is any type, on its own.

    Attributes:
        inner: The type's decoder.
    """

    __slots__ = ("inner",)

    def __init__(self, inner: Decode) -> None:
        """Take the type's decoder."""
        self.inner = inner

    def decode(self, value: Any, context: Context, shared: Mapping[str, Any]) -> Any:
        """Decode the type."""
        return self.inner(value, context)


class Leaf:
    """A variant that is an object with a class of its own.

    Attributes:
        table: Its properties but for the shared ones.
    """

    __slots__ = ("_make", "_without", "table")

    def __init__(
        self, make: Class, table: Table = (), without: Sequence[str] = ()
    ) -> None:
        """Take the class, its properties but for the shared ones, and which it lacks."""
        self._make = make
        self.table = table
        self._without = without

    def decode(self, value: Any, context: Context, shared: Mapping[str, Any]) -> Any:
        """Decode the object."""
        made = natively(value, context, self._make, self.table)
        if made is not REFUSED:
            return made
        attributes = fields(value, context, self.table)
        for name, attribute in shared.items():
            if name not in self._without:
                attributes[name] = attribute
        return self._make(**attributes)


class Kept:
    """A variant that is an object kept as it came, but for the shared attributes."""

    __slots__ = ("_check", "_make", "_omitted", "_tag")

    def __init__(
        self,
        make: Class,
        tag: str,
        omitted: Sequence[str] = (),
        check: Decode | None = None,
    ) -> None:
        """Take the class, the tag's property, those that are shared, and what must hold."""
        self._make = make
        self._tag = tag
        self._omitted = omitted
        self._check = check

    def decode(self, value: Any, context: Context, shared: Mapping[str, Any]) -> Any:
        """Keep the object, if it is in order."""
        if self._check is not None:
            # What is forgiven there is kept here.
            count = len(context.dropped)
            self._check(value, context)
            del context.dropped[count:]
        anything(value, context)
        raw = {key: value[key] for key in value if key not in self._omitted}
        return self._make(value[self._tag], raw, **shared)


class InOrder:
    """Variants that are tried in an order, for some JSON types."""

    __slots__ = ("kinds", "variants")

    def __init__(self, variants: Sequence[int], *kinds: str) -> None:
        """Take indices of variants, and the JSON types; none of them is all of them."""
        self.variants = variants
        self.kinds = kinds

    def order(self, value: Json) -> Sequence[int]:
        """Give the variants in the order for a value."""
        return self.variants


class Only(InOrder):
    """The only variant for some JSON types: it says best what is wrong with a value."""

    __slots__ = ()

    def __init__(self, variant: int, *kinds: str) -> None:
        """Take the index of the variant, and the JSON types."""
        super().__init__((variant,), *kinds)


class MostKeys(InOrder):
    """Variants of which those that know most keys of an object are tried first."""

    __slots__ = ("_known",)

    def __init__(self, known: Mapping[int, Sequence[str] | None], *kinds: str) -> None:
        """Take the keys that each variant knows, `None` for all, and the JSON types."""
        super().__init__(tuple(known), *kinds)
        keys_of = known.values()
        self._known = [None if keys is None else frozenset(keys) for keys in keys_of]

    def order(self, value: Json) -> Sequence[int]:
        """Give the variants in the order for a value."""
        if type(value) is not dict:
            return self.variants
        present = value.keys()
        counts = {
            variant: len(present) if keys is None else len(present & keys)
            for variant, keys in zip(self.variants, self._known, strict=True)
        }
        return sorted(self.variants, key=counts.__getitem__, reverse=True)


class Union:
    """A union, which is itself a variant where it stands in another one.

    Attributes:
        tag: The property that holds the tag.
    """

    __slots__ = (
        "_arms",
        "_before",
        "_expected",
        "_is_object",
        "_open",
        "_retried",
        "_shared",
        "_strict_first",
        "_tagged",
        "_untagged",
        "tag",
    )

    def __init__(
        self,
        *,
        is_object: bool = False,
        shared: Table = (),
        tag: str | None = None,
        tagged: Mapping[str, Variant] | None = None,
        untagged: Sequence[Variant] = (),
        before: Sequence[InOrder] = (),
        arms: Sequence[InOrder] = (),
        strict_first: bool = False,
        retried: bool = False,
        unknown: Variant | None = None,
        expected: str | None = None,
    ) -> None:
        """Take what can be told apart.

        Args:
            is_object: Whether it is always an object.
            shared: The properties beside the variants.
            tag: The property that holds the tag.
            tagged: The variants that a tag selects.
            untagged: The others.
            before: Which of those are tried before the variant for unknown tags.
            arms: Which of those are tried if there is no such tag.
            strict_first: Whether nothing is forgiven where one takes a value as it is.
            retried: Whether one that has refused a value is not tried for it again.
            unknown: The variant for tags that are not known.
            expected: What to call its values, if not by the tags.
        """
        self._is_object = is_object
        self._shared = shared
        self.tag = tag
        self._tagged = tagged or {}
        self._untagged = untagged
        self._before = before
        self._arms = arms
        self._strict_first = strict_first
        self._retried = retried
        self._open = unknown
        self._expected = expected

    def selected(self, value: Json) -> Variant | None:
        """Give the variant that the tag selects, if that is all there is to the value."""
        if self._shared or self.tag is None or type(value) is not dict:
            return None
        tag = value.get(self.tag)
        return self._tagged.get(tag) if type(tag) is str else None

    def decode(self, value: Json, context: Context, shared: Mapping[str, Any]) -> Any:
        """Decode the variant that fits."""
        properties: dict[str, Any] | None = value if type(value) is dict else None
        if self._is_object and properties is None:
            raise context.mismatch(value, "an object")
        if self._shared:
            shared = {**shared, **fields(value, context, self._shared)}
        tag: Any = None
        if properties is not None and self.tag is not None:
            tag = properties.get(self.tag)
        variant = self._tagged.get(tag) if type(tag) is str else None
        if variant is not None:
            return variant.decode(value, context, shared)
        unknown = self._open if type(tag) is str else None
        if self._strict_first and not context.strict:
            context.strict = True
            try:
                made = context.attempt(self._steps, value, shared, unknown)
            finally:
                context.strict = False
            if not isinstance(made, DecodeError):
                return made
        return self._steps(value, context, shared, unknown)

    def _steps(
        self,
        value: Json,
        context: Context,
        shared: Mapping[str, Any],
        unknown: Variant | None,
    ) -> Any:
        """Decode a variant that no tag selects."""
        for arms in (self._before, () if unknown is not None else self._arms):
            made = self._attempt(arms, value, context, shared)
            if made is not REFUSED:
                return made
        if unknown is None:
            raise self._refusal(value, context)
        return unknown.decode(value, context, shared)

    def _attempt(
        self,
        arms: Sequence[InOrder],
        value: Json,
        context: Context,
        shared: Mapping[str, Any],
    ) -> Any:
        found = kind(value)
        for arm in arms:
            if arm.kinds and found not in arm.kinds:
                continue
            for index in arm.order(value):
                variant = self._untagged[index]
                if type(arm) is Only:
                    return variant.decode(value, context, shared)
                if self._retried:
                    made = context.attempt_once(variant, variant.decode, value, shared)
                else:
                    made = context.attempt(variant.decode, value, shared)
                if not isinstance(made, DecodeError):
                    return made
        return REFUSED

    def _refusal(self, value: Json, context: Context) -> DecodeError:
        found = kind(value)
        if self._expected is not None:
            if found in self._expected:
                found = f"another {found.split(' ', 1)[-1]}"
            return context.error(self._expected, found)
        if self.tag is None or type(value) is not dict:
            return context.error("nothing", found)
        if self.tag not in value:
            return context.error_at(self.tag, "a required property", "nothing")
        tag = value[self.tag]
        found = "another string" if type(tag) is str else kind(tag)
        known = tuple(self._tagged) if self._open is None else ()
        return context.error_at(self.tag, one_of(known), found)
