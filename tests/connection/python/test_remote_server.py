"""Servers of connections over HTTP, seen from the wire."""

from __future__ import annotations

import asyncio
import hmac
import json
from typing import Any
from unittest import mock

import httpx
from acp import ConnectionOptions, remote
from acp.runtime.remote import registry
from acp.runtime.remote.http_server import HttpConnection
from serving import (
    CONNECTION,
    INITIALIZE,
    NEW,
    SESSION,
    Client,
    Remote,
    Served,
    prompt,
    settled,
)


class Rules(Remote):
    """What each request is answered with."""

    async def test_the_opening_request_is_answered_at_once(self) -> None:
        client = await self.client(await self.serve())
        answer = await client.open()
        self.assertEqual((answer.status_code, answer.json()["id"]), (200, 0))
        self.assertGreaterEqual(len(answer.headers[CONNECTION]), 22)
        self.assertEqual(answer.headers["content-type"], "application/json")

    async def test_an_opening_that_fails_leaves_nothing(self) -> None:
        served = await self.serve()
        client = await self.client(served)
        info = {"name": "unwelcome", "version": "1"}
        params = {"protocolVersion": 1, "clientInfo": info}
        answer = await client.post({**INITIALIZE, "params": params})
        self.assertEqual((answer.status_code, answer.json()["error"]["code"]), (200, -32001))
        self.assertNotIn(CONNECTION, answer.headers)
        (agent,) = served.agents
        assert agent.connection is not None
        await agent.connection.wait_closed()

    async def test_an_opening_takes_no_longer_than_it_may(self) -> None:
        served = await self.serve(limits={"opening": 0.1})
        client = await self.client(served)
        params = {"protocolVersion": 1, "clientInfo": {"name": "slow", "version": "1"}}
        answer = await client.post({**INITIALIZE, "params": params})
        self.assertRefused(answer, 504, "`opening`")
        (agent,) = served.agents
        assert agent.connection is not None
        await agent.connection.wait_closed()

    async def test_ids_are_compared_in_constant_time(self) -> None:
        client = await self.opened(await self.serve())
        name = client.headers[CONNECTION].encode()
        same = hmac.compare_digest
        with mock.patch.object(hmac, "compare_digest", wraps=same) as compare:
            answer = await client.post({"method": "_any", "id": 1})
        self.assertEqual(answer.status_code, 202)
        # Whatever it is found by, nothing else compares it.
        self.assertIn(mock.call(name, name), compare.call_args_list)

    async def test_ids_are_not_looked_up_as_they_are(self) -> None:
        names = registry.Registry()
        found: list[object] = []

        class Seen(dict[bytes, object]):
            def get(self, key: bytes, default: object = None) -> object:
                found.append(key)
                return super().get(key, default)

        with mock.patch.object(names, "_connections", Seen()):
            self.assertIsNone(names.find("secret", None))
        self.assertEqual(len(found), 1)
        self.assertNotIn(found[0], (b"secret", "secret"))

    async def test_what_is_wrong_with_a_post_is_said(self) -> None:
        client = await self.opened(await self.serve())
        refused = [
            (await client.post(NEW, content_type="text/plain"), 415, "Content-Type"),
            (await client.post(NEW, **{CONNECTION: None}), 400, "Acp-Connection-Id"),
            (await client.post(NEW, **{CONNECTION: "other"}), 404, "Acp-Connection-Id"),
            (await client.post(prompt("x")), 400, "Acp-Session-Id"),
            (await client.post(prompt("x"), "other"), 400, "Acp-Session-Id"),
            (await client.post(INITIALIZE), 400, "initialize"),
            (await client.post([NEW]), 501, "batches"),
            (await client.post(b"{"), 400, "JSON"),
            (await client.post(b"\xff"), 400, "UTF-8"),
            (await client.post(b"1"), 400, "JSON-RPC"),
            (await client.post({}), 400, "JSON-RPC"),
        ]
        for answer, status, what in refused:
            self.assertRefused(answer, status, what)
        codes = [answer.json()["error"]["code"] for answer, _, _ in refused]
        self.assertEqual([code for code in codes if code != -32600], [-32700, -32700])
        kind = "Application/JSON; charset=utf-8"
        self.assertEqual((await client.post(NEW, content_type=kind)).status_code, 202)

    async def test_what_is_wrong_with_a_get_is_said(self) -> None:
        client = await self.opened(await self.serve(limits={"session_wait": 0.1}))
        for answer, status, what in [
            (await client.get(accept="application/json"), 406, "Accept"),
            (await client.get(accept=None), 406, "Accept"),
            (await client.get(**{CONNECTION: None}), 400, "Acp-Connection-Id"),
            (await client.get(**{CONNECTION: "other"}), 404, "Acp-Connection-Id"),
            (await client.get("unknown"), 404, "Acp-Session-Id"),
        ]:
            self.assertRefused(answer, status, what)
        async with client.stream(), client.stream("s1"):
            self.assertRefused(await client.get(), 409, "reader")
            self.assertRefused(await client.get("s1"), 409, "reader")

    async def test_other_verbs_are_not_allowed(self) -> None:
        client = await self.client(await self.serve())
        for verb in ["PUT", "PATCH", "OPTIONS"]:
            answer = await client.http.request(verb, client.url)
            self.assertRefused(answer, 405, verb)
            self.assertEqual(answer.headers["allow"], "GET, POST, DELETE")
        elsewhere = await client.http.get(client.url + "/x")
        self.assertRefused(elsewhere, 404, "path")

    async def test_a_delete_ends_the_connection(self) -> None:
        served = await self.serve()
        client = await self.opened(served)
        async with client.stream("s1") as stream:
            await client.post(prompt("wait"), "s1")
            await settled(lambda: served.agents[0].handled)
            self.assertEqual((await client.delete()).status_code, 202)
            self.assertIsNone(await stream.message())
        await settled(lambda: served.agents[0].cancelled)
        self.assertRefused(await client.delete(), 404, "Acp-Connection-Id")
        self.assertRefused(await client.delete(**{CONNECTION: None}), 400, "missing")
        self.assertRefused(await client.post(NEW), 404, "Acp-Connection-Id")

    async def test_older_http_is_for_those_who_want_it(self) -> None:
        client = await self.client(await self.serve(), http1=True)
        self.assertRefused(await client.open(), 505, "`http1`")
        client = await self.client(await self.serve(http1=True), http1=True)
        self.assertEqual((await client.open()).status_code, 200)
        async with client.stream() as stream:
            await client.post(NEW)
            self.assertEqual((await stream.message())["result"]["sessionId"], "s1")

    async def test_it_may_be_mounted(self) -> None:
        client = await self.client(await self.serve(mount="/prefix"))
        self.assertEqual((await client.open()).status_code, 200)

    def assertRefused(self, answer: httpx.Response, status: int, what: str) -> None:  # noqa: N802
        self.assertEqual(answer.status_code, status, answer.text)
        self.assertEqual(answer.headers["content-type"], "application/json")
        said = answer.json()
        self.assertEqual((said["jsonrpc"], said["id"]), ("2.0", None))
        self.assertIn(what, said["error"]["message"])


class Streams(Remote):
    """Which stream a message is on."""

    async def test_sessions_have_streams_of_their_own(self) -> None:
        client = await self.opened(await self.serve())
        await client.post({**NEW, "id": 9})
        async with client.stream() as own, client.stream("s1") as s1, client.stream("s2") as s2:
            self.assertEqual((await own.message())["id"], 1)
            self.assertEqual((await own.message())["id"], 9)
            await client.post(prompt("say 3", "s2", 3), "s2")
            await client.post(prompt("say 2", "s1", 4), "s1")
            echo = {"id": 5, "method": "_echo", "params": {"x": 1}}
            await client.post(echo)
            await client.post({**echo, "id": 6}, "s1")
            self.assertEqual((await own.message())["id"], 5)
            self.assertEqual(await texts(s1, 1), ["xx"])
            self.assertEqual([(await s1.message())["id"] for _ in range(2)], [4, 6])
            self.assertEqual(await texts(s2, 1), ["xxx"])
            self.assertEqual((await s2.message())["id"], 3)

    async def test_what_comes_before_a_reader_is_kept_in_order(self) -> None:
        client = await self.opened(await self.serve())
        await client.post(prompt("many 100"), "s1")
        async with client.stream("s1") as stream:
            self.assertEqual(await texts(stream, 100), [str(it) for it in range(100)])

    async def test_a_notification_is_taken_once(self) -> None:
        served = await self.serve()
        client = await self.opened(served)
        cancel = {"method": "session/cancel", "params": {"sessionId": "s1"}}
        self.assertEqual((await client.post(cancel, "s1")).status_code, 202)
        # What is posted later is handled later.
        await client.post({"id": 5, "method": "_echo", "params": {}})
        async with client.stream() as own:
            await own.message()
            self.assertEqual((await own.message())["id"], 5)
        self.assertEqual(served.agents[0].handled, ["cancel"])

    async def test_a_load_replays_before_its_answer(self) -> None:
        client = await self.opened(await self.serve())
        waiting = asyncio.create_task(self.loaded(client))
        await asyncio.sleep(0.05)
        load = {"sessionId": "old", "cwd": "/", "mcpServers": []}
        await client.post({"id": 2, "method": "session/load", "params": load}, "old")
        self.assertEqual(await waiting, ["a", "b", "c"])
        async with client.stream() as own:
            self.assertEqual(await own.next(), ({**ANSWER, "id": 1, "result": SESSION_1}, 0))
            self.assertEqual(await own.next(), ({**ANSWER, "id": 2, "result": {}}, 3))

    async def loaded(self, client: Client) -> list[str]:
        async with client.stream("old") as stream:
            return await texts(stream, 3)

    async def test_a_load_that_fails_leaves_no_session(self) -> None:
        client = await self.opened(await self.serve(limits={"session_wait": 0.1}))
        load = {"sessionId": "missing", "cwd": "/", "mcpServers": []}
        await client.post({"id": 2, "method": "session/load", "params": load}, "missing")
        async with client.stream() as own:
            await own.message()
            self.assertIn("error", await own.message())
        self.assertEqual((await client.get("missing")).status_code, 404)

    async def test_what_a_session_says_before_it_is_known_is_its(self) -> None:
        client = await self.client(await self.serve())
        await client.open()
        await client.post({**NEW, "params": {"cwd": "/early", "mcpServers": []}})
        async with client.stream() as own, client.stream("s1") as stream:
            self.assertEqual(await own.next(), ({**ANSWER, "id": 1, "result": SESSION_1}, 1))
            self.assertEqual(await texts(stream, 1), ["early"])

    async def test_the_stream_of_a_closed_session_ends(self) -> None:
        client = await self.opened(await self.serve(limits={"session_wait": 0.1}))
        close = {"id": 3, "method": "session/close", "params": {"sessionId": "s1"}}
        async with client.stream("s1") as stream:
            await client.post(close, "s1")
            self.assertEqual((await stream.message())["id"], 3)
            self.assertIsNone(await stream.message())
        self.assertEqual((await client.get("s1")).status_code, 404)
        async with client.stream() as own:
            await own.message()
            await client.post({**close, "id": 4}, "s1")
            self.assertEqual((await own.message())["id"], 4)

    async def test_a_stream_says_that_it_is_alive(self) -> None:
        client = await self.opened(await self.serve(limits={"keep_alive": 0.02}))
        async with client.stream() as stream:
            await stream.message()
            await asyncio.sleep(0.2)
            await client.post({"id": 5, "method": "_echo", "params": {}})
            await stream.message()
        self.assertIn("alive", stream.comments)

    async def test_a_message_with_line_breaks_is_one(self) -> None:
        client = await self.opened(await self.serve())
        echo = {"jsonrpc": "2.0", "id": 5, "method": "_echo", "params": {"x": "a\nb"}}
        await client.post(json.dumps(echo, indent=1).encode())
        async with client.stream() as own:
            await own.message()
            self.assertEqual((await own.message())["result"], {"echoed": {"x": "a\nb"}})


class Limits(Remote):
    """What is too much."""

    async def test_defaults(self) -> None:
        limits = remote.Limits(
            connections=1000,
            sessions=1000,
            buffered=4 << 20,
            body=64 << 20,
            headers=100,
            reading=30.0,
            idle=300.0,
            session_wait=10.0,
            keep_alive=15.0,
            ping=20.0,
            opening=30.0,
        )
        self.assertEqual(remote.ServerOptions().limits, limits)
        self.assertEqual(remote.Remote("http://agents.example").limits, limits)

    async def test_connections(self) -> None:
        served = await self.serve(limits={"connections": 2})
        clients = [await self.opened(served), await self.opened(served)]
        more = await self.client(served)
        self.assertLimited(await more.open(), 503, "`connections`")
        await clients[0].delete()
        await settled(lambda: len(served.app._transports) < 2)  # noqa: SLF001
        self.assertEqual((await more.open()).status_code, 200)

    async def test_sessions(self) -> None:
        client = await self.opened(await self.serve(limits={"sessions": 2}))
        await client.post({**NEW, "id": 7})
        self.assertLimited(await client.post({**NEW, "id": 8}), 503, "`sessions`")
        close = {"id": 3, "method": "session/close", "params": {"sessionId": "s1"}}
        await client.post(close, "s1")
        async with client.stream("s1") as stream:
            await stream.message()
        self.assertEqual((await client.post({**NEW, "id": 9})).status_code, 202)

    async def test_sessions_that_are_on_their_way(self) -> None:
        client = await self.opened(await self.serve(limits={"sessions": 2}))
        waiting = {**NEW, "id": 7, "params": {"cwd": "/wait", "mcpServers": []}}
        self.assertEqual((await client.post(waiting)).status_code, 202)
        self.assertLimited(await client.post({**NEW, "id": 8}), 503, "`sessions`")

    async def test_bytes_that_wait_for_a_reader(self) -> None:
        served = await self.serve(limits={"buffered": 10_000})
        client = await self.opened(served)
        async with client.stream() as own:
            await own.message()
            await client.post(prompt("say 5000"), "s1")
            await client.post(prompt("say 6000"), "s1")
            self.assertIsNone(await own.message())
        self.assertIn("`buffered`", "".join(own.comments))
        connection = served.agents[0].connection
        assert connection is not None
        self.assertIn("`buffered`", str(await connection.wait_closed()))
        self.assertEqual((await client.post(NEW)).status_code, 404)

    async def test_bytes_that_wait_for_the_connection(self) -> None:
        few = ConnectionOptions(max_requests=1, max_buffered=1)
        served = await self.serve(limits={"buffered": 1000}, connections=few)
        client = await self.opened(served)
        stuck = {"method": "_stuck", "params": {"x": "y" * 200}}
        # Its handler waits for good: the connection takes nothing more.
        self.assertEqual((await client.post(stuck)).status_code, 202)
        # Each over a connection of its own: httpx leaves one unread while another waits.
        others = [await self.client(served) for _ in range(2)]
        for other in others:
            other.headers = client.headers
        waiting = [asyncio.create_task(other.post(stuck)) for other in others]
        await settled(lambda: held(served) == 2)
        # What they have is not all that counts.
        self.assertLimited(await client.post(stuck), 503, "`buffered`")
        await client.delete()
        for answer in await asyncio.gather(*waiting):
            self.assertEqual(answer.status_code, 404)

    async def test_a_body(self) -> None:
        client = await self.opened(await self.serve(limits={"body": 1000}))
        self.assertLimited(await client.post(prompt("x" * 1000), "s1"), 413, "`body`")

    async def test_headers(self) -> None:
        client = await self.client(await self.serve(limits={"headers": 20}))
        many = {f"x-{number}": "1" for number in range(20)}
        self.assertLimited(await client.open(**many), 431, "`headers`")

    async def test_time_without_anything(self) -> None:
        served = await self.serve(limits={"idle": 0.3})
        client = await self.opened(served)
        async with client.stream() as own:
            await own.message()
            await asyncio.sleep(0.5)
            self.assertEqual((await client.post(NEW)).status_code, 202)
        connection = served.agents[0].connection
        assert connection is not None
        self.assertIn("`idle`", str(await connection.wait_closed()))
        self.assertEqual((await client.post(NEW)).status_code, 404)

    def assertLimited(self, answer: httpx.Response, status: int, limit: str) -> None:  # noqa: N802
        self.assertEqual(answer.status_code, status, answer.text)
        self.assertIn(limit, answer.json()["error"]["message"])


class Guests(Remote):
    """Who may ask."""

    async def test_origins(self) -> None:
        served = await self.serve(origins=["https://good.example"])
        client = await self.client(served)
        for origin in ["https://bad.example", "null", "http://127.0.0.1:1"]:
            self.assertEqual((await client.open(origin=origin)).status_code, 403)
            self.assertEqual((await client.get(origin=origin)).status_code, 403)
            self.assertEqual((await client.delete(origin=origin)).status_code, 403)
        own = await client.open(origin=served.url[: -len("/acp")])
        self.assertEqual(own.status_code, 200)
        self.assertNotIn("access-control-allow-origin", own.headers)
        good = await client.post(NEW, origin="https://good.example")
        self.assertEqual(good.headers["access-control-allow-origin"], "https://good.example")
        self.assertEqual(good.headers["access-control-expose-headers"], "Acp-Connection-Id")

    async def test_pages_ask_before(self) -> None:
        client = await self.client(await self.serve(origins=["*"]))
        asked = {
            "origin": "https://any.example",
            "access-control-request-method": "POST",
            "access-control-request-headers": "x-mine",
        }
        answer = await client.http.options(client.url, headers=asked)
        self.assertEqual(answer.status_code, 204)
        self.assertEqual(answer.headers["access-control-allow-origin"], "https://any.example")
        allowed = answer.headers["access-control-allow-headers"].lower()
        for name in ["content-type", "accept", CONNECTION, SESSION, "x-mine"]:
            self.assertIn(name, allowed)

    async def test_authentication(self) -> None:
        async def authenticate(request: remote.Request) -> str:
            who = request.header("authorization")
            if who is None:
                raise remote.RefusedError(401, "who are you?")
            if who == "mallory":
                raise remote.RefusedError(403, "not you")
            return who

        served = await self.serve(authenticate=authenticate)
        client = await self.client(served)
        nobody = await client.open()
        self.assertEqual((nobody.status_code, nobody.headers["www-authenticate"]), (401, "Bearer"))
        self.assertEqual((await client.open(authorization="mallory")).status_code, 403)
        self.assertEqual((await client.open(authorization="alice")).status_code, 200)
        self.assertEqual((await client.post(NEW, authorization="bob")).status_code, 404)
        self.assertEqual((await client.post(NEW, authorization="alice")).status_code, 202)
        opening = served.agents[0].opening
        self.assertEqual(opening and opening.identity, "alice")

    async def test_draining(self) -> None:
        served = await self.serve()
        client = await self.opened(served)
        async with client.stream("s1") as stream:
            await client.post(prompt("sleep"), "s1")
            await settled(lambda: served.agents[0].handled)
            draining = asyncio.create_task(served.app.drain(10))
            await asyncio.sleep(0)
            late = await (await self.client(served)).open()
            self.assertEqual(late.status_code, 503)
            self.assertIn("retry-after", late.headers)
            self.assertEqual((await stream.message())["id"], 2)
            self.assertIsNone(await stream.message())
            await draining


SESSION_1 = {"sessionId": "s1"}
ANSWER: dict[str, Any] = {"jsonrpc": "2.0"}


def held(served: Served) -> int:
    """Tell how many messages wait for the only connection."""
    (transport,) = served.app._transports  # noqa: SLF001
    assert isinstance(transport, HttpConnection)
    return len(transport._held)  # noqa: SLF001


async def texts(stream: Any, count: int) -> list[str]:
    """Give the texts of updates."""
    messages = [await stream.message() for _ in range(count)]
    return [it["params"]["update"]["content"]["text"] for it in messages]
