"""Reads a property that is gone."""

from house import Lamp


def colour(lamp: Lamp) -> object:
    return lamp.colour
