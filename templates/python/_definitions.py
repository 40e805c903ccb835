"""Where codecs find types, and generated code that decodes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._codec import Definitions

if TYPE_CHECKING:
    from types import ModuleType

    from ._decoding import Decode


def _types() -> tuple[ModuleType, ...]:
    from . import enums, types

    return types, enums


def _decoders() -> dict[str, Decode]:
    from ._decoders import DECODERS

    return DECODERS


codec = Definitions(_types, _decoders).codec
