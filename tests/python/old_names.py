"""Uses a package named `renamed` by names that its types had before, and counts the warnings."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module

import renamed
from renamed import Happening, Level, Place, types
from renamed.codecs import LocationCodec, PlaceCodec


def warned(use: Callable[[], object]) -> list[str]:
    """Give the warnings that come of something, all of which must be this file's."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        use()
    assert all(it.filename == __file__ for it in caught), caught
    return [f"{it.category.__name__}: {it.message}" for it in caught]


def from_the_package() -> None:
    from renamed import Location

    assert Location is Place
    place: Place = Location(name="here")
    assert LocationCodec is PlaceCodec
    assert LocationCodec.encode(place) == b'{"name":"here"}'


def from_its_types() -> None:
    from renamed.types import Loudness

    assert Loudness is Level
    assert types.Event is Happening


def of_a_variant() -> None:
    from renamed import EventMoved, HappeningMoved

    assert EventMoved is HappeningMoved


def everything() -> None:
    names: dict[str, object] = {}
    exec("from renamed import *", names)
    assert "Place" in names
    assert "Location" not in names


if __name__ == "__main__":
    assert warned(lambda: import_module("renamed.codecs")) == []
    assert warned(everything) == []
    assert warned(from_the_package) == [
        "DeprecationWarning: `Location` is now called `Place`"
    ]
    assert warned(from_the_package) == []
    assert warned(from_its_types) == [
        "DeprecationWarning: `Loudness` is now called `Level`",
        "DeprecationWarning: `Event` is now called `Happening`",
    ]
    assert warned(of_a_variant) == [
        "DeprecationWarning: `EventMoved` is now called `HappeningMoved`"
    ]
    assert warned(lambda: renamed.ChamberId("room")) == [
        "DeprecationWarning: `ChamberId` is now called `RoomId`"
    ]
    assert not hasattr(renamed, "Nowhere")
    assert not hasattr(types, "Nowhere")
