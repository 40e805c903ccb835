from typing import Literal

from pydantic import BaseModel


class _LevelChange(BaseModel):
    level: int


class LevelChange(_LevelChange):
    kind: Literal["level_change"]
