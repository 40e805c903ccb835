"""What programs for the official package need beside the generated one, whose names `names` has kept.

Their handlers get the fields of a request, not the request; they are told what to call by
`on_connect`, and leave handlers out.
"""

import inspect
from contextlib import asynccontextmanager

import acp
from acp import *  # noqa: F403
from acp import (
    PROTOCOL_VERSION,
    UNSET,
    ContentBlock,
    RequestError,
    SessionUpdate,
    run_agent,
)

ElicitationMode = object
text_block = ContentBlock.text
update_agent_message = SessionUpdate.agent_message_chunk


class Calls:
    """Calls by position, too; without what is `None`, and with the unknown in `_meta`."""

    def __init__(self, peer):
        self._peer = peer

    def __getattr__(self, name):
        call = getattr(self._peer, name)
        known = list(inspect.signature(call).parameters)

        def called(*values, **fields):
            fields = {it: value for it, value in fields.items() if value is not None}
            meta = {it: fields.pop(it) for it in set(fields) - set(known)}
            given = dict(zip(known, values, strict=False)) | fields
            return call(**given, field_meta=meta or UNSET)

        return called


def with_fields(function, answer):
    """Make a handler of one that takes fields; `answer` makes what nothing stands for."""

    async def handler(self, request, context):
        self.connected(context)
        fields = {it: getattr(request, it) for it in request.__struct_fields__}
        meta = fields.pop("field_meta", UNSET)
        given = {it: value for it, value in fields.items() if value is not UNSET}
        return await function(self, **given, **(meta or {})) or answer()

    return handler


def without(name):
    """Make a handler for a method that there is none for."""

    async def handler(self, request, context):
        raise RequestError.method_not_found(name)

    return handler


class Handler:
    """Handlers that take fields."""

    def __init_subclass__(cls):
        side = getattr(acp, cls.side)
        for name in side.__abstractmethods__ - set(vars(cls)):
            setattr(cls, name, without(name))
        for name in {
            it for it in vars(side) if it[0] != "_" and it[:4] != "ext_"
        } & set(vars(cls)):
            result = inspect.signature(getattr(side, name)).return_annotation.split(
                " "
            )[0]
            answer = getattr(acp, result, lambda: None)
            setattr(cls, name, with_fields(vars(cls)[name], answer))

    def connected(self, context):
        """Tell what to call, once."""
        if "_conn" not in vars(self):
            self.on_connect(Calls(getattr(context, self.other)))

    def on_connect(self, conn):
        """Take what to call."""
        self._conn = conn


class Agent(Handler, acp.Agent):
    """An agent whose handlers take fields."""

    side, other = "Agent", "client"


class Client(Handler, acp.Client):
    """A client whose handlers take fields."""

    side, other = "Client", "agent"


class Process:
    """A process that tells how it ended."""

    def __init__(self, child):
        self._child = child

    @property
    def returncode(self):
        """The status, once there is one."""
        return self._child.exit_status


def connect_to_agent(client, writer, reader):
    """Connect over streams."""
    return Calls(acp.ClientSideConnection(client, acp.StreamTransport(reader, writer)))


@asynccontextmanager
async def spawn_agent_process(client, *command, env=None):
    """Start an agent."""
    async with acp.spawn_agent(client, *command, env=env) as agent:
        yield Calls(agent), Process(agent.child_process)
