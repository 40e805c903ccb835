"""How JSON becomes values, and values JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from msgspec import MsgspecError, Raw, StructMeta, ValidationError, to_builtins
from msgspec.json import Decoder, Encoder, schema
from msgspec.json import decode as parse

from .depth import MAX_DEPTH, is_too_deep
from .support import REFUSED, DecodeError, check_same, plain, schema_of

if TYPE_CHECKING:
    from .decoding import Context, Decode

    Decoders = dict[str, Decode]
    Run = Callable[[Decode, object, Context], Any]
    Drop = Callable[[DecodeError], object]
    Repair = Callable[[Any, str, Sequence[str | int], Drop | None], Any]

T = TypeVar("T")

ENCODER: Final = Encoder(enc_hook=plain)
"""Writes every value of the package, wherever it stands in what is to be written."""

CONSTANTS: Final = {"OnlyTrue": True, "OnlyFalse": False}
"""The constants that msgspec does not know, by their marks."""

REFUSALS: Final = (MsgspecError, ValueError, OverflowError, RecursionError)
"""What msgspec raises for what it does not take."""


class Definitions:
    """The types of a protocol, and generated code that decodes them.

    Both are imported when they are needed for the first time.
    """

    __slots__ = ("_decoders", "_load", "_package", "_types")

    def __init__(self, module: str, types: Sequence[str], decoders: str) -> None:
        """Take the names of modules, as they are imported in the module with the codecs.

        Args:
            module: The module with the codecs.
            types: The modules that have the types.
            decoders: The module that has `DECODERS`, by the names of classes.
        """
        self._package = module.rpartition(".")[0]
        self._types = types
        self._load = decoders
        self._decoders: Decoders | None = None

    def codec(self, name: str) -> Codec[Any]:
        """Give the codec of a type, by the name of its class."""
        return Codec(name, self)

    def seen(self, name: str) -> Any:
        """Find what msgspec sees as a type."""
        for module in self._types:
            names = vars(import_module(module, self._package))
            for it in (f"_{name}", name):
                if it in names:
                    return names[it]
        raise LookupError(name)

    @property
    def decoders(self) -> Decoders:
        """Generated code for each type."""
        if self._decoders is None:
            decoders: Decoders = import_module(self._load, self._package).DECODERS
            self._decoders = decoders
        return self._decoders

    def context(
        self,
        *,
        strict: bool,
        parsed: bool,
        path: Sequence[str | int],
        native: bool = True,
    ) -> Context:
        """Begin to decode a value with generated code."""
        make, _ = _machinery()
        within = self.decode_within
        return make(
            strict=strict, parsed=parsed, path=path, within=within, native=native
        )

    def decode_marked(self, marked: type, value: object) -> object:
        """Decode what msgspec leaves to generated code, strictly: then the outcome is sure."""
        return self._decode_marked(marked, value, native=True)

    def decode_within(self, marked: type, value: object) -> object:
        """Decode what it leaves there while generated code has it decode what is around.

        It is not asked again: otherwise each level of a recursive type would be decoded in both
        ways, and what is in it twice as often.
        """
        return self._decode_marked(marked, value, native=False)

    def _decode_marked(self, marked: type, value: object, *, native: bool) -> object:
        only = CONSTANTS.get(marked.__name__)
        if only is not None:
            if value is only:
                return value
            raise DecodeError(str(only).lower(), "another value")
        context = self.context(strict=True, parsed=True, path=(), native=native)
        return self.decoders[marked.__name__](value, context)


class Codec(Generic[T]):
    """Turns JSON into values of a type, and back.

    There is one for each type of the protocol, in the module `codecs`.
    """

    __slots__ = (
        "_definitions",
        "_is_class",
        "_name",
        "_native",
        "_repairer",
        "_type",
    )

    def __init__(self, name: str, definitions: Definitions) -> None:
        """Take a type by the name of its class."""
        self._name = name
        self._definitions = definitions
        self._native: Callable[[Any], T] = self._decode_first
        self._type: Any = None
        self._is_class = False
        self._repairer: Repair | None = None

    def __repr__(self) -> str:
        """Name the type."""
        return f"{type(self).__name__}({self._name!r})"

    def decode(
        self,
        data: bytes | bytearray | memoryview | str | Raw,
        *,
        strict: bool = False,
        on_dropped: Callable[[DecodeError], object] | None = None,
        path: Sequence[str | int] = (),
        max_depth: int = MAX_DEPTH,
    ) -> T:
        """Read a value from JSON text.

        Defaults are filled in, each time a new one. Properties that the type does not name are
        left out. Of two properties with the same name the last one counts.

        Args:
            data: The text.
            strict: Forgive nothing, not even what the schema says is forgiven.
            on_dropped: Sees what was forgiven, each with its place, once the whole value
                turned out to be right.
            path: Where the value stands, for the paths of errors.
            max_depth: How deeply arrays and objects may be nested in the text; in a `Raw`,
                which is part of a text that was read, they may be as deep as they were there.

        Raises:
            DecodeError: The text is not JSON, or not a value of the type.
        """
        # Nothing is wrong with a short text of ASCII that msgspec takes.
        if type(data) is not bytes or len(data) > 2 * max_depth or not data.isascii():
            _check_text(data, max_depth, path)
        try:
            # What msgspec takes is right, strictly so.
            return self._native(data)
        except REFUSALS as error:
            why = str(error)
        if not strict and self._is_class:
            repairer = self._repairer or self._begin_repair()
            repaired: T = repairer(data, why, path, on_dropped)
            if repaired is not REFUSED:
                return repaired
        value, parsed = _parsed(data, path)
        return self._slowly(value, strict, on_dropped, path, parsed=parsed)

    def convert(
        self,
        value: object,
        *,
        strict: bool = False,
        on_dropped: Callable[[DecodeError], object] | None = None,
        path: Sequence[str | int] = (),
    ) -> T:
        """Make a value from parsed JSON: dictionaries, lists, strings and so on.

        It takes what `decode` takes, and the value given is never changed.

        Raises:
            DecodeError: It is not a value of the type.
        """
        return self._slowly(value, strict, on_dropped, path, parsed=False)

    def encode(self, value: T) -> bytes:
        """Write a value as JSON text: each of its fields that is not `UNSET`."""
        return ENCODER.encode(value)

    def checked(self, value: T, *, path: Sequence[str | int] = ()) -> bytes:
        """Write a value as JSON text that is read as that value again.

        Raises:
            DecodeError: It would be read as something else, or not at all.
        """
        text = ENCODER.encode(value)
        try:
            read = self._native(text)
        except REFUSALS:
            read = self.decode(text, strict=True, path=path)
        if read != value:
            check_same(value, read, path)
        return text

    def dump(self, value: T) -> Any:
        """Give a value as parsed JSON, for `json.dumps` and its like.

        What is `UNSET` is left out.
        """
        return to_builtins(value, enc_hook=plain)

    def json_schema(self) -> dict[str, Any]:
        """Give a JSON Schema of what `decode` takes."""
        if self._type is None:
            self._native = self._prepare()
        return schema(self._type, schema_hook=schema_of)

    def _decode_first(self, data: Any) -> T:
        self._native = self._prepare()
        return self._native(data)

    def _prepare(self) -> Callable[[Any], T]:
        """Make what decodes in C, which takes a while."""
        self._type = self._definitions.seen(self._name)
        # Of these, msgspec decodes parsed JSON as fast as text.
        self._is_class = isinstance(self._type, StructMeta)
        hook = self._definitions.decode_marked
        native: Callable[[Any], T] = Decoder(self._type, dec_hook=hook).decode
        return native

    def _begin_repair(self) -> Repair:
        """Make what repairs, with what is generated for it."""
        from .repair import Repairer

        self._repairer = Repairer(self._type, self._name, self._definitions)
        return self._repairer

    def _slowly(
        self,
        value: object,
        strict: bool,
        on_dropped: Callable[[DecodeError], object] | None,
        path: Sequence[str | int],
        *,
        parsed: bool,
    ) -> T:
        _, run = _machinery()
        context = self._definitions.context(strict=strict, parsed=parsed, path=path)
        decode = self._definitions.decoders[self._name]
        decoded: T = run(decode, value, context)
        if on_dropped is not None:
            for dropped in context.dropped:
                on_dropped(dropped)
        return decoded


@cache
def _machinery() -> tuple[type[Context], Run]:
    """Import what generated code stands on when it is needed for the first time."""
    from .decoding import Context, run

    return Context, run


def _check_text(
    data: bytes | bytearray | memoryview | str | Raw,
    max_depth: int,
    path: Sequence[str | int],
) -> None:
    """Refuse text for what msgspec does not look at in values that it passes over."""
    if isinstance(data, Raw):
        return
    try:
        text = data.encode() if isinstance(data, str) else bytes(data)
        if not text.isascii():
            text.decode()
    except UnicodeError:
        raise DecodeError("JSON", "something else", path) from None
    if is_too_deep(text, max_depth):
        raise DecodeError(f"at most {max_depth} levels", "deeper nesting", path)


def _parsed(data: Any, path: Sequence[str | int]) -> tuple[object, bool]:
    """Parse text, and say whether all in it can be written again."""
    try:
        try:
            return parse(data), True
        except ValidationError:
            # There is a number in it that msgspec does not read.
            from .parsing import parse as parse_all

            parse(data, type=Raw)
            return parse_all(data), False
    except RecursionError:
        error = DecodeError("fewer levels", "deeper nesting", path)
    except REFUSALS:
        error = DecodeError("JSON", "something else", path)
    raise error
