"""Clients that connect again when their connection is lost."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from acp import (
    AgentPeer,
    CallError,
    ClientSideConnection,
    ConnectionLostError,
    remote,
)
from fakes import Fake, Faked
from serving import CONNECTION, SESSION, Served, settled
from test_remote_client import text
from test_remote_websocket import Quiet

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from acp.rpc import Transport

OPENED = {
    "protocolVersion": 1,
    "agentCapabilities": {"loadSession": True, "sessionCapabilities": {"close": {}}},
}


class Reconnecting(Faked):
    """Connections that are made anew."""

    async def test_sessions_and_calls_that_were_lost_are_told(self) -> None:
        served = await self.serve()
        for over in ["http", "websocket"]:
            losses = await self.losses(served, over)
            first, second = losses
            self.assertIsNone(first)
            self.assertEqual(second, remote.Lost(sessions=["old"], calls=["session/prompt"]))

    async def losses(self, served: Served, over: Any) -> list[remote.Lost | None]:
        losses: list[remote.Lost | None] = []
        prompts: list[asyncio.Task[Any]] = []

        async def set_up(agent: ClientSideConnection, lost: remote.Lost | None) -> None:
            losses.append(lost)
            await agent.initialize(1)
            await load(agent, lost)
            if lost is None:
                prompts.append(
                    asyncio.create_task(agent.prompt("old", prompt=text("wait")))
                )
                agents = served.agents
                await settled(lambda: agents[-1].handled)
                for transport in list(served.app._transports):  # noqa: SLF001
                    transport.end(ConnectionLostError("pulled out"))
                    await transport.close()
            else:
                asyncio.get_running_loop().call_soon(asyncio.ensure_future, agent.close())

        async def load(agent: AgentPeer, lost: remote.Lost | None) -> None:
            for session in ["old"] if lost is None else lost.sessions:
                await agent.load_session([], cwd="/", session_id=session)

        def connect(transport: Transport) -> ClientSideConnection:
            return ClientSideConnection(Quiet(), transport)

        server = remote.Remote(served.url, over=over)
        retries = remote.Retries(first=0.01)
        await asyncio.wait_for(remote.keep_connected(server, connect, set_up, retries), 60)
        with self.assertRaises(ConnectionLostError):
            await prompts[0]
        return losses

    async def test_it_is_connected_again_with_what_is_known(self) -> None:
        async def answer(ask: Fake) -> None:
            if ask.verb == "GET":
                streams[ask.header(CONNECTION), ask.header(SESSION)] = ask
                await ask.stream()
                await ask.left()
            elif ask.method == "initialize":
                cookies.append(ask.header("cookie"))
                headers = (CONNECTION, f"c{len(cookies)}"), ("set-cookie", "a=1; Path=/acp")
                await ask.give(200, OPENED, *headers)
            else:
                await ask.give(202)
                name = ask.header(CONNECTION)
                methods.append((name, ask.method))
                if methods[-1] in {("c1", "session/prompt"), ("c2", "session/load")}:
                    await streams[name, None].send({"type": "http.response.body"})
                elif ask.method:
                    result = {"sessionId": f"s{ask.message['id']}"}
                    its = ask.header(SESSION) if ask.method == "session/close" else None
                    await streams[name, its].event({"id": ask.message["id"], "result": result})
                    if methods[-1] == ("c3", "session/close"):
                        await streams[name, None].send({"type": "http.response.body"})

        async def set_up(agent: ClientSideConnection, lost: remote.Lost | None) -> None:
            losses.append(lost)
            await agent.initialize(1)
            for session in [] if lost is None else lost.sessions:
                await agent.load_session([], cwd="/", session_id=session)
            if lost is None:
                opened = [await agent.new_session("/", mcp_servers=[]) for _ in range(2)]
                await agent.close_session(opened[0].session_id)
                with self.assertRaises(ConnectionLostError):
                    await agent.prompt(opened[1].session_id, prompt=text("hi"))
            elif lost.sessions:
                soon(agent.close_session(lost.sessions[0]))
            else:
                soon(agent.close())

        def connect(transport: Transport) -> ClientSideConnection:
            return ClientSideConnection(Quiet(), transport)

        def soon(work: Coroutine[Any, Any, Any]) -> None:
            asyncio.get_running_loop().call_soon(asyncio.ensure_future, work)

        losses: list[remote.Lost | None] = []
        cookies: list[str | None] = []
        methods: list[tuple[str | None, str]] = []
        streams: dict[tuple[str | None, str | None], Fake] = {}
        url, _ = await self.fake(answer)
        server = remote.Remote(url, over="http")
        retries = remote.Retries(first=0.01)
        await asyncio.wait_for(remote.keep_connected(server, connect, set_up, retries), 60)
        # One session was closed; the other was about to be loaded when it was lost again, and
        # was closed later.
        (session,) = losses[1].sessions if losses[1] else []
        told = [([session], ["session/prompt"]), ([session], ["session/load"]), ([], [])]
        self.assertEqual(
            losses, [None, *(remote.Lost(sessions=names, calls=calls) for names, calls in told)]
        )
        self.assertEqual(cookies, [None, "a=1", "a=1", "a=1"])
        self.assertEqual(
            [it for it in methods if it[1] and it[0] != "c1"],
            [("c2", "session/load"), ("c3", "session/load"), ("c3", "session/close")],
        )
        self.assertEqual(methods.count(("c1", "session/prompt")), 1)

    async def test_calls_that_were_lost_before_are_told_too(self) -> None:
        async def answer(ask: Fake) -> None:
            if ask.verb == "GET":
                streams[ask.header(SESSION)] = ask
                await ask.stream()
                await ask.left()
            elif ask.method == "initialize":
                await ask.give(200, OPENED, (CONNECTION, "c1"))
            else:
                await ask.give(202)
                if ask.method == "session/prompt":
                    await streams["s1"].send({"type": "http.response.body"})
                elif ask.method:
                    result = {"sessionId": "s1"}
                    await streams[None].event({"id": ask.message["id"], "result": result})

        async def set_up(agent: ClientSideConnection, lost: remote.Lost | None) -> None:
            losses.append(lost)
            await agent.initialize(1)
            if lost is None:
                await agent.new_session("/", mcp_servers=[])
                with self.assertRaises(ConnectionLostError):
                    await agent.prompt("s1", prompt=text("hi"))
                await streams[None].send({"type": "http.response.body"})
            else:
                asyncio.get_running_loop().call_soon(asyncio.ensure_future, agent.close())

        def connect(transport: Transport) -> ClientSideConnection:
            return ClientSideConnection(Quiet(), transport)

        losses: list[remote.Lost | None] = []
        streams: dict[str | None, Fake] = {}
        url, _ = await self.fake(answer)
        server = remote.Remote(url, over="http")
        retries = remote.Retries(first=0.01)
        await asyncio.wait_for(remote.keep_connected(server, connect, set_up, retries), 60)
        lost = remote.Lost(sessions=["s1"], calls=["session/prompt"])
        self.assertEqual(losses, [None, lost])

    async def test_only_a_refusal_that_passes_is_tried_again(self) -> None:
        for status, times in [(403, 1), (404, 1), (409, 1), (500, 1), (503, 2)]:
            self.assertEqual(await self.tries(status), times, status)

    async def tries(self, status: int) -> int:
        async def answer(ask: Fake) -> None:
            await ask.give(status)

        async def set_up(agent: ClientSideConnection, lost: remote.Lost | None) -> None:
            await agent.initialize(1)

        def connect(transport: Transport) -> ClientSideConnection:
            return ClientSideConnection(Quiet(), transport)

        url, asked = await self.fake(answer)
        server = remote.Remote(url, over="http")
        retries = remote.Retries(tries=1, first=0.01)
        with self.assertRaises(remote.HttpError):
            await remote.keep_connected(server, connect, set_up, retries)
        return len(asked)

    async def test_it_is_given_up_at_last(self) -> None:
        async def set_up(agent: ClientSideConnection, lost: remote.Lost | None) -> None:
            tries.append(lost)
            await agent.initialize(1)

        tries: list[remote.Lost | None] = []
        server = remote.Remote("http://127.0.0.1:1", over="http")
        retries = remote.Retries(tries=2, first=0.01)

        def connect(transport: Transport) -> ClientSideConnection:
            return ClientSideConnection(Quiet(), transport)

        with self.assertRaises(CallError):
            await remote.keep_connected(server, connect, set_up, retries)
        self.assertEqual(len(tries), 3)

    async def test_delays_grow_up_to_a_limit(self) -> None:
        retries = remote.Retries(first=1, most=8)
        for failures, most in [(1, 1), (2, 2), (3, 4), (4, 8), (100, 8)]:
            delay = retries.delay(failures)
            self.assertTrue(most / 2 <= delay <= most)
