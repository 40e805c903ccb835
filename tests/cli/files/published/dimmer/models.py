from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field


class _LevelChange(BaseModel):
    level: int
    reason: Annotated[str, Field(alias="_why")]


class LevelChange(_LevelChange):
    kind: Literal["level_change"]
    field_meta: dict[str, Any] | None = Field(default=None, alias="_meta")
