from typing import Literal, Protocol

from pydantic import BaseModel


class PersonHandReason(BaseModel):
    by: Literal["hand"]
    person: str


class GuestHandReason(BaseModel):
    by: Literal["hand"]
    guest: str


class AtTime(BaseModel):
    by: Literal["clock"]


class OtherReason(BaseModel):
    by: str


class Server(Protocol):
    def on_connect(self, client: object) -> None: ...

    async def set_level(self, level: int) -> None: ...

    async def switch_read(self) -> None: ...


class Client(Protocol):
    async def changed(self) -> None: ...
