"""Sessions: what is known of them, and what the client may choose in them."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import gmtime, strftime
from typing import TYPE_CHECKING
from uuid import uuid4

from acp import (
    CallError,
    ClientPeer,
    RequestError,
    SessionConfigOption,
    SessionConfigOptionCategory,
    SessionConfigSelectOption,
    SessionInfo,
    SessionUpdate,
)

if TYPE_CHECKING:
    from turn import Turn

CHOICES = {
    "mode": {"ask": "Ask first", "act": "Act at once"},
    "model": {"small": "Small", "large": "Large"},
}
VERBOSE = "verbose"


class Session:
    """What is known of a session, and its work, one turn after the other."""

    def __init__(self, cwd: str, directories: list[str]) -> None:
        """Begin without turns."""
        self.id = uuid4().hex
        self.cwd = cwd
        self.directories = directories
        self.title: str | None = None
        self.updated_at = now()
        self.chosen = {config: next(iter(CHOICES[config])) for config in CHOICES}
        self.is_verbose = False
        self.is_active = True
        self.state: SessionUpdate = SessionUpdate.state_update_idle_none()
        # All that was said and done, as it is replayed.
        self.history: list[SessionUpdate] = []
        # What stops the tools and terminals that can be stopped.
        self.stops: dict[str, asyncio.Event] = {}
        self.turns: set[Turn] = set()
        self.order = asyncio.Lock()

    def info(self) -> SessionInfo:
        """Give what a list has of it."""
        return SessionInfo(
            session_id=self.id,
            cwd=self.cwd,
            additional_directories=self.directories,
            title=self.title,
            updated_at=self.updated_at,
        )

    def options(self) -> list[SessionConfigOption]:
        """Give what the client may choose."""
        options: list[SessionConfigOption] = [
            SessionConfigOption.select(
                config,
                name=config,
                category=SessionConfigOptionCategory(config),
                current_value=self.chosen[config],
                options=[
                    SessionConfigSelectOption(value=value, name=name)
                    for value, name in choices.items()
                ],
            )
            for config, choices in CHOICES.items()
        ]
        verbose = SessionConfigOption.boolean(
            VERBOSE, name=VERBOSE, current_value=self.is_verbose
        )
        return [*options, verbose]

    async def send(self, client: ClientPeer, update: SessionUpdate) -> None:
        """Tell a client, if it is still there."""
        with suppress(CallError):
            await client.update_session(self.id, update=update)

    async def cancel(self) -> None:
        """Cancel all turns, and wait until they have ended."""
        for turn in self.turns:
            turn.cancel()
        if self.turns:
            await asyncio.wait([turn.work for turn in self.turns])

    def stop(self, key: str) -> None:
        """Stop a tool or a terminal."""
        if key not in self.stops:
            raise invalid("id")
        self.stops[key].set()


def now() -> str:
    """Give the time."""
    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())


def invalid(detail: str) -> RequestError:
    """Say what is wrong with params."""
    return RequestError.invalid_params(detail=detail)
