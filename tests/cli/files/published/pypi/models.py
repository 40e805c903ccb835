"""class Ghost: in a string is none."""

from enum import Enum
from typing import Annotated, Any, Literal, Optional

from pydantic import BaseModel, Field


class LightLampRequest(BaseModel):
    """Asks for light."""

    lamp_id: Annotated[
        str,
        Field(alias="lampId"),  # class Comment:
    ]
    field_meta: Optional[dict[str, Any]] = Field(default=None, alias="_meta")

    def lights(self) -> bool:
        inner: int = 1
        return inner == 1


class Colors(Enum):
    WARM = "warm_white"
    COLD_WHITE = "cold_white"


class Broken(BaseModel):
    kind: Literal["broken"]


class _Hidden(BaseModel):
    url: str


LampIdentity = str
DEFAULT_NAME = "lamp"


class RequestError(Exception):
    code: int


class Router:
    def route(self, name: str) -> None: ...


class LampLostError(Exception):
    """There is no such lamp."""
