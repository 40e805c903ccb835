"""Looks at every value of a closed enum, and at no other."""

from house import Mode
from typing_extensions import assert_never


def light(mode: Mode) -> bool:
    if mode is Mode.ON:
        return True
    if mode is Mode.OFF:
        return False
    assert_never(mode)
