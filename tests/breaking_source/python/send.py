"""Leaves out a property that must now be there."""

from house import Heater

heater = Heater()
