"""Calls: what is sent, and what comes of it."""

from __future__ import annotations

import asyncio
import math
import re
import unittest
from typing import Any

from acp import (
    Annotations,
    CallError,
    CancelNotification,
    ConnectionOptions,
    ContentBlockText,
    MalformedResponseError,
    NotSupportedError,
    PromptRequest,
    RequestError,
    StopReason,
    rpc,
)
from acp.connections import AgentMethods
from wire import DONE, PROMPT, TEXT, Case, client


class Calls(Case):
    """What is sent, and what comes of it."""

    async def test_what_the_peer_cannot_do_is_not_sent(self) -> None:
        wire, connection = await client()
        initialized = asyncio.create_task(connection.initialize(1))
        await wire.receive()
        result = {"protocolVersion": 1, "agentCapabilities": {}}
        await wire.send({"id": 0, "result": result})
        await initialized
        with self.assertRaisesRegex(NotSupportedError, "session/load: loadSession"):
            await connection.load_session(session_id="s", cwd="/", mcp_servers=[])
        other = asyncio.create_task(connection.new_session("/", mcp_servers=[]))
        self.assertEqual((await wire.receive())["method"], "session/new")
        await wire.send({"id": 1, "result": {"sessionId": "s"}})
        self.assertEqual((await other).session_id, "s")

    async def test_typed_params_are_sent_as_one(self) -> None:
        wire, connection = await client()
        request = PromptRequest(session_id="s", prompt=TEXT)
        call = asyncio.create_task(connection.request(AgentMethods.prompt, request))
        self.assertEqual((await wire.receive())["params"], PROMPT)
        await wire.send({"id": 0, "result": DONE})
        self.assertEqual((await call).stop_reason, StopReason.END_TURN)
        cancel = CancelNotification(session_id="s")
        await connection.notify(AgentMethods.cancel, cancel)
        self.assertEqual((await wire.receive())["method"], "session/cancel")
        await connection.notify("anything/else", [1])
        self.assertEqual((await wire.receive())["params"], [1])

    async def test_numbers_that_json_does_not_have_are_not_sent(self) -> None:
        wire, connection = await client()
        text = ContentBlockText(text="hi", annotations=Annotations(priority=math.nan))
        place = "params.prompt[0].annotations.priority: expected a finite number, found nan"
        with self.assertRaisesRegex(CallError, re.escape(place)):
            await connection.prompt("s", prompt=[text])
        for value in (math.nan, math.inf, -math.inf, [None, {"deep": math.nan}]):
            with self.assertRaisesRegex(CallError, "expected a finite number"):
                await connection.ext_method("_x", {"n": value})
        call = asyncio.create_task(connection.ext_method("_x", {"n": None, "text": "null"}))
        self.assertEqual((await wire.receive())["params"], {"n": None, "text": "null"})
        await wire.send({"id": 0, "result": None})
        self.assertIsNone(await call)

    async def test_extensions(self) -> None:
        wire, connection = await client()
        call = asyncio.create_task(connection.ext_method("_x", {"n": 1}))
        self.assertEqual((await wire.receive())["params"], {"n": 1})
        await wire.send({"id": 0, "result": {"deep": [1.5, None]}})
        self.assertEqual(await call, {"deep": [1.5, None]})
        await connection.ext_notification("_y", {"n": 2})
        expected = {"jsonrpc": "2.0", "method": "_y", "params": {"n": 2}}
        self.assertEqual(await wire.receive(), expected)

    async def test_responses_are_judged_like_requests(self) -> None:
        wire, connection = await client()
        answers: list[tuple[dict[str, Any], type[Exception]]] = [
            ({"result": {"stopReason": 5}}, MalformedResponseError),
            ({"result": {}}, MalformedResponseError),
            ({"result": DONE, "error": {"code": 1, "message": "no"}}, MalformedResponseError),
            ({"error": {"code": "1", "message": "no"}}, MalformedResponseError),
            ({"error": None}, MalformedResponseError),
            ({}, MalformedResponseError),
            ({"error": {"code": 1, "message": "no", "data": [1]}}, RequestError),
        ]
        for number, (answer, expected) in enumerate(answers):
            call = asyncio.create_task(connection.prompt("s", prompt=TEXT))
            self.assertEqual((await wire.receive())["id"], number)
            await wire.send({"id": number, **answer})
            with self.assertRaises(expected) as caught:
                await call
            if isinstance(caught.exception, RequestError):
                self.assertEqual(caught.exception.to_dict(), answer["error"])

    async def test_what_cannot_be_written_is_not_sent(self) -> None:
        wire, connection = await client()
        why = "the params of _x cannot be written: .+"
        for text in ("\ud800", object()):
            with self.assertRaisesRegex(CallError, why):
                await connection.ext_method("_x", {"text": text})
        self.assertEqual(len(connection._link.calls), 0)
        await connection.cancel("s")
        self.assertEqual((await wire.receive())["method"], "session/cancel")

    async def test_an_answer_that_cannot_be_read_fails_its_call(self) -> None:
        seen: list[Any] = []
        options = ConnectionOptions(max_depth=6, observe=seen.append)
        wire, connection = await client(options=options)
        call = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        await wire.receive()
        await wire.raw('{"id":7,"result":[[[[[[1]]]]]]}')
        self.assertEqual((await wire.receive())["error"]["code"], -32700)
        await wire.raw('{"result":[[[[[[1]]]]]],"id":0}')
        with self.assertRaisesRegex(MalformedResponseError, "it is nested deeper than 6 levels"):
            await call
        self.assertEqual(sum(isinstance(it, rpc.Dropped) for it in seen), 2)


if __name__ == "__main__":
    unittest.main()
