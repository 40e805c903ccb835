"""Starts a server, does what prompts say, and prints each step as a line of JSON.

So is the state after each change.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any

import msgspec
from acp import (
    PROTOCOL_VERSION,
    Abilities,
    Block,
    CallError,
    ChangeNotification,
    ChangeState,
    ChangeTurnOver,
    CheckRequest,
    Client,
    ClientContext,
    ClientSideConnection,
    ConfirmRequest,
    ConfirmResponse,
    ConnectionOptions,
    Entry,
    PieceNotification,
    RequestError,
    codecs,
    rpc,
    spawn_server,
)
from acp.runtime.support import plain

if TYPE_CHECKING:
    from collections.abc import Awaitable, Iterable


class Harness(Client):
    """The client."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.state = ChangeState()

    async def confirm(self, request: ConfirmRequest, context: ClientContext) -> ConfirmResponse:
        """Wait until this is cancelled."""
        await asyncio.Event().wait()
        raise AssertionError

    async def check(self, request: CheckRequest, context: ClientContext) -> None:
        """Answer."""

    async def piece(self, request: PieceNotification, context: ClientContext) -> None:
        """Print what is no piece of a copy."""
        show({"handled": msgspec.Raw(codecs.PieceNotificationCodec.encode(request))})

    async def change(self, request: ChangeNotification, context: ClientContext) -> None:
        """Apply a change, and print what came of it."""
        state = self.state
        is_over = isinstance(request.change, ChangeTurnOver)
        changed = state.turn_cancelled() if is_over else state.apply(request.change)
        held: dict[str, Any] = {
            "tasks": encoded(codecs.TaskCodec, state.tasks.values()),
            "pages": encoded(codecs.PageUpdateCodec, state.pages.values()),
            "mode": encoded(codecs.ModeUpdateCodec, filter(None, [state.mode])),
            "info": encoded(codecs.InfoUpdateCodec, filter(None, [state.info])),
        }
        show({"changed": changed, "state": held})


def encoded(codec: Any, items: Iterable[Any]) -> list[msgspec.Raw]:
    """Write items as the package does."""
    return [msgspec.Raw(codec.encode(item)) for item in items]


async def step(name: str, call: Awaitable[object]) -> bool:
    """Wait for a step, and print what came of it. Says whether that was a result."""
    try:
        show({"step": name, "result": await call})
    except RequestError as error:
        show({"step": name, "error": error.to_dict()})
    except CallError as error:
        show({"step": name, "error": {"message": str(error)}})
    else:
        return True
    return False


async def talk(server: ClientSideConnection, prompts: list[str]) -> bool:
    """Say whether the conversation came to its end."""
    abilities = Abilities(pictures=True)
    is_boasting = prompts[:1] == ["boast"]
    if is_boasting:
        abilities.drawing = True
    hello = server.hello(PROTOCOL_VERSION, abilities=abilities)
    if not await step("hello", hello) and not is_boasting:
        return False
    for prompt in prompts:
        word, _, job = prompt.partition(" ")
        job = job or "a"
        if word == "run":
            await step("job/run", server.run(job, blocks=["hi"]))
        elif word == "picture":
            await step("job/run", server.run(job, blocks=["hi", Block.picture("p")]))
        elif word == "chunk":
            await step("job/run", server.run(job, blocks=["hi"], entry=Entry.chunk("hi")))
        elif word == "folder":
            await step("job/run", server.run(job, blocks=["hi"], folder="f"))
        elif word == "read":
            await step("read", server.read("p"))
        elif word == "save":
            await step("save", server.save("t"))
        elif word == "stop":
            await step("job/stop", server.stop(job))
        elif word == "drop":
            await step("job/drop", server.drop(job))
        elif word == "relay":
            await step("relay/start", server.relay.start_relay(job))
        elif word == "version":
            show({"step": word, "result": server.protocol_version})
        elif word == "copy":
            await copy(server)
        elif word == "door":
            await door(server)
    return True


async def copy(server: ClientSideConnection) -> None:
    """Have a text copied, and print each piece of it."""
    copying = server.copy_streamed("f")
    with contextlib.suppress(CallError):
        async for piece in copying:
            show({"piece": piece})

    async def finish() -> object:
        return (await copying.finish()).result

    await step("copy", finish())


async def door(server: ClientSideConnection) -> None:
    """Open a door, do all that can be done with one, and shut it."""
    opened = await server.open_door("h")
    show({"step": "door/open", "result": opened.door_id})
    await step("door/look", opened.look())
    await step("door/paint", opened.paint("red"))
    await step("door/shut", opened.release())


def observe(observed: rpc.Observed) -> None:
    """Print what goes wrong."""
    if isinstance(observed, (rpc.Sent, rpc.Received)):
        return
    line = {"seen": type(observed).__name__.lower()}
    for name in ("method", "path", "reason", "id"):
        if hasattr(observed, name):
            value = getattr(observed, name)
            line[name] = msgspec.Raw(value) if name == "id" else value
    show(line)


def show(line: dict[str, Any]) -> None:
    """Print a line."""
    sys.stdout.write(msgspec.json.encode(line, enc_hook=plain).decode() + "\n")
    sys.stdout.flush()


async def main(command: list[str]) -> int:
    """Have the conversation. Gives the exit status."""
    prompts = json.loads(os.environ.get("PROMPTS", "[]"))
    is_observed = os.environ.get("OBSERVED") == "1"
    options = ConnectionOptions(observe=observe if is_observed else None)
    async with spawn_server(Harness(), *command, options=options) as server:
        return 0 if await talk(server, prompts) else 1


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--"]
    if not words:
        sys.exit("usage: client -- COMMAND…")
    sys.exit(asyncio.run(main(words)))
