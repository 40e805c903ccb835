"""Clients of connections over HTTP."""

from __future__ import annotations

import asyncio
import time
import unittest
from typing import Any
from unittest import mock

import msgspec
from acp import (
    CallError,
    ClientSideConnection,
    ConnectionClosedError,
    ConnectionLostError,
    ContentBlock,
    RequestError,
    connect_agent,
    remote,
)
from acp.runtime.remote.cookies import cookie_header, keep_cookies
from fakes import Fake, Faked
from serving import CONNECTION, SESSION, Remote, Served, settled
from test_remote_websocket import CAN_READ, Quiet


def text(words: str) -> list[ContentBlock]:
    """Write a prompt."""
    return [ContentBlock.text(words)]


class Clients(Remote):
    """Clients over HTTP, with our server."""

    async def connect(
        self, served: Served, client: Quiet | None = None, **options: Any
    ) -> ClientSideConnection:
        """Connect over HTTP."""
        server = remote.Remote(served.url, **{"over": "http", **options})
        connecting = connect_agent(client or Quiet(), server)
        return await self.stack.enter_async_context(connecting)

    async def test_a_conversation_comes_to_its_end(self) -> None:
        served, client = await self.serve(), Quiet()
        agent = await self.connect(served, client)
        await agent.initialize(1, client_capabilities=CAN_READ)
        session = await agent.new_session("/early", mcp_servers=[])
        self.assertEqual(client.texts, ["early"])
        await agent.prompt(session.session_id, prompt=text("read"))
        await agent.prompt(session.session_id, prompt=text("many 50"))
        self.assertEqual(client.texts, ["early", "file", *map(str, range(50))])
        first, second = await agent.batch(
            agent.ext_method("_a", {"x": 1}), agent.ext_method("_b", {"y": 2})
        )
        self.assertEqual((first, second), ({"echoed": {"x": 1}}, {"echoed": {"y": 2}}))

    async def test_updates_of_a_load_come_before_its_answer(self) -> None:
        client = Quiet()
        agent = await self.connect(await self.serve(), client)
        await agent.initialize(1)
        await agent.load_session([], cwd="/", session_id="old")
        self.assertEqual(client.texts, ["a", "b", "c"])
        await agent.load_session([], cwd="/", session_id="old")
        self.assertEqual(client.texts, ["a", "b", "c"] * 2)
        await agent.prompt("old", prompt=text("say 1"))

    async def test_ids_of_sessions_are_any_text(self) -> None:
        client = Quiet()
        agent = await self.connect(await self.serve(), client)
        await agent.initialize(1)
        for session in ["größe 漢", "a/b?c=d;e,f"]:
            await agent.load_session([], cwd="/", session_id=session)
            await agent.prompt(session, prompt=text("say 1"))
        self.assertEqual(client.texts, ["a", "b", "c", "x"] * 2)
        with self.assertRaisesRegex(CallError, "header"):
            await agent.load_session([], cwd="/", session_id="a\nb")

    async def test_there_may_be_more_messages_than_servers_take_on_a_connection(self) -> None:
        agent = await self.connect(await self.serve(requests=10))
        with mock.patch("acp.runtime.remote.http_pool._PER_CONNECTION", 5):
            await agent.initialize(1)
            for number in range(30):
                params = {"number": number}
                self.assertEqual(await agent.ext_method("_x", params), {"echoed": params})

    async def test_raw_json_is_one_message(self) -> None:
        agent = await self.connect(await self.serve())
        await agent.initialize(1)
        params = msgspec.Raw(b'{\n"x":\r\n1}')
        self.assertEqual(await agent.request("_echo", params), {"echoed": {"x": 1}})

    async def test_a_load_that_fails_is_said(self) -> None:
        agent = await self.connect(await self.serve(limits={"session_wait": 0.1}))
        await agent.initialize(1)
        with self.assertRaises(RequestError):
            await agent.load_session([], cwd="/", session_id="missing")
        await agent.load_session([], cwd="/", session_id="there")

    async def test_a_session_may_be_closed(self) -> None:
        agent = await self.connect(await self.serve())
        await agent.initialize(1)
        await agent.new_session("/", mcp_servers=[])
        await agent.close_session("s1")
        await agent.close_session("never opened")
        await agent.load_session([], cwd="/", session_id="s1")
        await agent.prompt("s1", prompt=text("say 1"))

    async def test_there_may_be_many_sessions(self) -> None:
        agent = await self.connect(await self.serve())
        await agent.initialize(1)
        for _ in range(30):
            session = await agent.new_session("/", mcp_servers=[])
            await agent.prompt(session.session_id, prompt=text("say 1"))

    async def test_the_connection_is_closed_at_the_server(self) -> None:
        served = await self.serve()
        agent = await self.connect(served)
        await agent.initialize(1)
        await agent.close()
        connection = served.agents[0].connection
        assert connection is not None
        self.assertIn("the client closed", str(await connection.wait_closed()))
        with self.assertRaises(ConnectionClosedError):
            await agent.authenticate("x")

    async def test_a_cancelled_call_is_cancelled_at_the_server(self) -> None:
        served = await self.serve()
        agent = await self.connect(served)
        await agent.initialize(1)
        await agent.new_session("/", mcp_servers=[])
        call = asyncio.create_task(agent.prompt("s1", prompt=text("wait")))
        await settled(lambda: served.agents[0].handled)
        call.cancel()
        await settled(lambda: served.agents[0].cancelled)

    async def test_calls_fail_when_the_server_ends_the_connection(self) -> None:
        served = await self.serve(limits={"buffered": 1000})
        agent = await self.connect(served)
        await agent.initialize(1)
        await agent.new_session("/", mcp_servers=[])
        call = asyncio.create_task(agent.prompt("s1", prompt=text("wait")))
        await settled(lambda: served.agents[0].handled)
        connection = served.agents[0].connection
        assert connection is not None
        await connection.notify("session/update", {"sessionId": "no", "x": "y" * 100})
        await served.app.drain(0)
        with self.assertRaises((ConnectionLostError, RequestError)):
            await call
        self.assertIsInstance(await agent.wait_closed(), ConnectionLostError)

    async def test_what_the_server_refuses_is_said(self) -> None:
        served = await self.serve(limits={"body": 1000})
        agent = await self.connect(served)
        await agent.initialize(1)
        await agent.new_session("/", mcp_servers=[])
        with self.assertRaises(remote.HttpError) as refused:
            await agent.prompt("s1", prompt=text("x" * 1000))
        self.assertEqual(refused.exception.status, 413)
        self.assertIn("`body`", refused.exception.message)
        await agent.prompt("s1", prompt=text("say 1"))

    async def test_who_cannot_be_reached_is_said(self) -> None:
        for over in ["http", "auto"]:
            server = remote.Remote("http://127.0.0.1:1", over=over)  # type: ignore[arg-type]
            async with connect_agent(Quiet(), server) as agent:
                with self.assertRaises(ConnectionLostError):
                    await agent.initialize(1)

    async def test_unauthorized_openings_fail(self) -> None:
        def authenticate(request: remote.Request) -> None:
            if request.header("authorization") != "Bearer secret":
                raise remote.RefusedError(401, "who are you?")

        served = await self.serve(authenticate=authenticate)
        agent = await self.connect(served)
        with self.assertRaises(remote.HttpError) as refused:
            await agent.initialize(1)
        self.assertEqual(str(refused.exception).count("who are you?"), 1)
        agent = await self.connect(served, headers={"Authorization": "Bearer secret"})
        await agent.initialize(1)

    async def test_automatic_is_a_websocket_first(self) -> None:
        served = await self.serve()
        agent = await self.connect(served, over="auto")
        await agent.initialize(1)
        opening = served.agents[0].opening
        self.assertEqual(opening and opening.header("upgrade"), "websocket")


class Fakes(Faked):
    """Clients with servers that do what ours does not."""

    async def test_order_and_headers_of_requests(self) -> None:
        async def answer(ask: Fake) -> None:
            if ask.verb == "GET":
                streams[ask.header(SESSION)] = ask
                await ask.stream()
                await ask.left()
            elif ask.method == "initialize":
                cookie = ("set-cookie", "a=1; Path=/acp")
                await ask.give(200, {"protocolVersion": 1}, (CONNECTION, "c1"), cookie)
            elif ask.verb == "DELETE":
                await ask.give(202)
            else:
                await ask.give(202)
                result = {"sessionId": "s9"} if ask.method == "session/new" else {}
                stream = streams[None if ask.method == "session/new" else "s9"]
                await stream.event({"id": ask.message["id"], "result": result})

        streams: dict[str | None, Fake] = {}
        url, asked = await self.fake(answer)
        async with connect_agent(Quiet(), remote.Remote(url, over="http")) as agent:
            await agent.initialize(1)
            await agent.new_session("/", mcp_servers=[])
            await agent.request("session/set_mode", {"sessionId": "s9"})
        shown = [(it.verb, it.method, it.header(SESSION)) for it in asked]
        self.assertEqual(
            shown,
            [
                ("POST", "initialize", None),
                ("GET", "", None),
                ("POST", "session/new", None),
                ("GET", "", "s9"),
                ("POST", "session/set_mode", "s9"),
                ("DELETE", "", None),
            ],
        )
        for ask in asked[1:]:
            self.assertEqual(ask.header(CONNECTION), "c1")
            self.assertEqual(ask.header("acp-protocol-version"), "1")
            self.assertEqual(ask.header("cookie"), "a=1")

    async def test_http_1_is_spoken_where_it_is_turned_on(self) -> None:
        async def answer(ask: Fake) -> None:
            if ask.verb == "GET":
                await ask.stream()
                await ask.left()
            elif ask.verb == "POST":
                await ask.give(200, {"protocolVersion": 1}, (CONNECTION, "c1"))
            else:
                await ask.give(202)

        url, asked = await self.fake(answer)
        for http1, version in [(False, "2"), (True, "1.1")]:
            server = remote.Remote(url, over="http", http1=http1)
            async with connect_agent(Quiet(), server) as agent:
                await agent.initialize(1)
            shown = [(it.verb, it.version) for it in asked]
            self.assertEqual(shown, [(it, version) for it in ("POST", "GET", "DELETE")])
            asked.clear()

    async def test_a_session_whose_stream_ends_is_lost(self) -> None:
        async def answer(ask: Fake) -> None:
            if ask.verb == "GET":
                streams[ask.header(SESSION)] = ask
                await ask.stream()
                await (ends.wait() if ask.header(SESSION) else ask.left())
                await ask.send({"type": "http.response.body"})
            elif ask.method == "initialize":
                await ask.give(200, {"protocolVersion": 1}, (CONNECTION, "c1"))
            else:
                await ask.give(202)
                methods.append(ask.method)
                if ask.method == "session/prompt":
                    ends.set()
                elif ask.method == "_slow":
                    slow.append(ask.message["id"])
                elif ask.method:
                    result = {"sessionId": "s9"} if ask.method == "session/new" else {}
                    await streams[None].event({"id": ask.message["id"], "result": result})

        ends = asyncio.Event()
        methods: list[str] = []
        slow: list[Any] = []
        streams: dict[str | None, Fake] = {}
        url, asked = await self.fake(answer)
        async with connect_agent(Quiet(), remote.Remote(url, over="http")) as agent:
            await agent.initialize(1)
            await agent.new_session("/", mcp_servers=[])
            other = asyncio.create_task(agent.ext_method("_slow", {}))
            await settled(lambda: slow)
            for _ in range(2):
                with self.assertRaises(ConnectionLostError):
                    await agent.prompt("s9", prompt=text("hi"))
            self.assertEqual(methods, ["session/new", "_slow", "session/prompt"])
            self.assertEqual(await agent.ext_method("_x", {}), {})
            # What was not asked in the session is still answered.
            await streams[None].event({"id": slow[0], "result": {}})
            self.assertEqual(await other, {})
            self.assertFalse(agent.is_ended)
        self.assertEqual([it.header(SESSION) for it in asked if it.verb == "GET"], [None, "s9"])

    async def test_a_failed_start_is_closed_at_the_server(self) -> None:
        async def answer(ask: Fake) -> None:
            if ask.method == "initialize":
                await ask.give(200, {"protocolVersion": 1}, (CONNECTION, "c1"))
            else:
                await ask.give(500 if ask.verb == "GET" else 202)

        url, asked = await self.fake(answer)
        async with connect_agent(Quiet(), remote.Remote(url)) as agent:
            with self.assertRaises(remote.HttpError) as refused:
                await agent.initialize(1)
            self.assertEqual(refused.exception.status, 500)
        self.assertEqual([it.verb for it in asked], ["WEBSOCKET", "POST", "GET", "DELETE"])

    async def test_an_unknown_connection_is_lost(self) -> None:
        async def answer(ask: Fake) -> None:
            if ask.verb == "GET":
                await ask.stream()
                await ask.left()
            elif ask.method == "initialize":
                await ask.give(200, {"protocolVersion": 1}, (CONNECTION, "c1"))
            else:
                await ask.give(404)

        url, _ = await self.fake(answer)
        async with connect_agent(Quiet(), remote.Remote(url, over="http")) as agent:
            await agent.initialize(1)
            with self.assertRaises(ConnectionLostError):
                await agent.new_session("/", mcp_servers=[])
            self.assertIsInstance(await agent.wait_closed(), ConnectionLostError)


class Cookies(unittest.TestCase):
    """Which cookies are sent where."""

    def test_cookies_are_sent_where_they_belong(self) -> None:
        jar = remote.Remote("http://agents.example/acp").cookies
        url = "https://agents.example/acp"
        set_cookies = [
            "host=1; Path=/",
            "all=2; Path=/; Domain=agents.example",
            "foreign=3; Path=/; Domain=example.org",
            "secret=4; Path=/; Secure",
            "elsewhere=5; Path=/other",
            "over=6; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        ]
        keep_cookies(jar, url, set_cookies)
        for asked, names in [
            (url, {"host", "all", "secret"}),
            ("http://agents.example/acp", {"host", "all"}),
            ("https://agents.example/other/one", {"host", "all", "secret", "elsewhere"}),
            ("http://example.org/acp", set()),
        ]:
            sent = cookie_header(jar, asked).get("Cookie", "")
            found = {it.partition("=")[0].strip() for it in sent.split(";")} - {""}
            self.assertEqual(found, names, asked)

    def test_cookies_are_sent_for_a_time(self) -> None:
        jar = remote.Remote("http://agents.example/acp").cookies
        url = "http://agents.example/acp"
        keep_cookies(jar, url, ["short=1; Max-Age=10", "long=2; Max-Age=1000", "always=3"])
        for later, names in [(0, {"short", "long", "always"}), (100, {"long", "always"})]:
            with mock.patch("time.time", return_value=time.time() + later):
                sent = cookie_header(jar, url)["Cookie"]
            self.assertEqual({it.partition("=")[0] for it in sent.split("; ")}, names)
