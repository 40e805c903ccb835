"""Gives what may be asked for, takes what may be missing, and has an `else`.

Nothing here minds what is new.
"""

from house import Door, Fan, Heater, Lamp, Mode

door = Door(open=True)
lamp = Lamp(watts=40)
heater = Heater(level=1)


def faster(fan: Fan) -> int:
    return fan.speed + 1 if isinstance(fan.speed, int) else 1


def light(mode: Mode) -> bool:
    return mode is not Mode.OFF
