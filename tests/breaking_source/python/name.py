"""Names a type that is gone."""

from house import Spare

spares: list[Spare] = []
