"""A package of data: without connections."""

import acp_data
from acp_data import SessionUpdate, SessionUpdateState, methods
from acp_data.codecs import SessionUpdateCodec

assert not hasattr(acp_data, "ClientSideConnection")
update = SessionUpdate.tool_call("t", title="x")
assert SessionUpdateCodec.decode(SessionUpdateCodec.encode(update)) == update
state = SessionUpdateState()
assert state.apply(update)
assert state.tool_calls["t"].title == "x"
assert any(value == "session/prompt" for value in vars(methods).values())
