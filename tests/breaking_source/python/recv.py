"""Reads a property that may now be absent."""

from house import Fan


def faster(fan: Fan) -> int:
    return fan.speed + 1
