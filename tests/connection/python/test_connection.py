"""What a user of a connection sees."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import tracemalloc
import unittest
from contextlib import suppress
from pathlib import Path
from typing import Any

from acp import (
    AgentSideConnection,
    CallError,
    CancelNotification,
    Client,
    ClientSideConnection,
    ConnectionClosedError,
    ConnectionOptions,
    ContentBlock,
    MalformedResponseError,
    NotInBatchError,
    NotSupportedError,
    PromptRequest,
    PromptResponse,
    ReadTextFileResponse,
    RequestError,
    SessionUpdate,
    StopReason,
    StreamTransport,
    rpc,
    spawn_agent,
)
from acp.connections import AgentMethods
from wire import DONE, PROMPT, Case, Plain, Quiet, agent, client, pair, settled, update

HERE = Path(__file__).parent
TEXT: list[ContentBlock] = [ContentBlock.text("hi")]


class Order(Case):
    """Messages are handled in the order they came in."""

    async def test_a_response_waits_for_the_updates_before_it(self) -> None:
        handled: list[object] = []

        class Slow(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                await settled()
                handled.append(request.update)

        wire, connection = await client(Slow())

        async def counted() -> int:
            await connection.prompt("s", prompt=TEXT)
            return len(handled)

        calls = [asyncio.create_task(counted()) for _ in range(2)]
        await wire.receive()
        await wire.receive()
        await wire.send(update("1"), update("2"), {"id": 0, "result": DONE})
        await wire.send(update("3"), {"id": 1, "result": DONE})
        self.assertEqual(await asyncio.gather(*calls), [2, 3])

    async def test_a_call_made_meanwhile_waits_for_the_new_updates_only(self) -> None:
        handled: list[str] = []
        gate = asyncio.Event()

        class Slow(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                name = request.update.content.text
                if name == "old":
                    await gate.wait()
                await settled()
                handled.append(name)

        wire, connection = await client(Slow())
        await wire.send(update("old"))
        await settled()
        call = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        await wire.receive()
        await wire.send(update("a"), update("b"), {"id": 0, "result": DONE})
        await call
        self.assertEqual(handled, ["a", "b"])
        gate.set()
        await settled()
        await settled()
        self.assertEqual(handled, ["a", "b", "old"])
        await wire.send(update("c"))
        await settled()
        await settled()
        self.assertEqual(handled, ["a", "b", "old", "c"])

    async def test_the_handler_of_a_notification_may_call_the_peer(self) -> None:
        for by_context in (True, False):
            for later in (True, False):
                with self.subTest(by_context=by_context, later=later):
                    await self.call_from_handler(by_context=by_context, later=later)

    async def call_from_handler(self, *, by_context: bool, later: bool) -> None:
        handled: list[object] = []
        connections: list[ClientSideConnection] = []

        class Asking(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                if later:
                    await settled()
                peer = context.agent if by_context else connections[0]
                # In a task of its own, as `wait_for` makes them.
                handled.append(await asyncio.wait_for(peer.ext_method("_ask", {}), 60))

            async def read_text_file(self, request: Any, context: Any) -> ReadTextFileResponse:
                return ReadTextFileResponse(content="hello")

        wire, connection = await client(Asking())
        connections.append(connection)
        await wire.send(update("1"), update("2"))
        for number in (0, 1):
            self.assertEqual((await wire.receive())["method"], "_ask")
            # The peer may need something before it answers.
            params = {"sessionId": "s", "path": "/"}
            await wire.send({"id": 7, "method": "fs/read_text_file", "params": params})
            self.assertEqual((await wire.receive())["result"], {"content": "hello"})
            await wire.send({"id": number, "result": {"id": number}})
        await settled()
        self.assertEqual(handled, [{"id": 0}, {"id": 1}])
        await connection.close()

    async def test_requests_run_concurrently_and_start_in_order(self) -> None:
        first = asyncio.Event()
        started: list[str] = []

        class Waiting(Plain):
            async def ext_method(self, method: str, params: Any, context: Any) -> Any:
                started.append(method)
                if method == "_1":
                    await first.wait()
                return {"method": method}

        wire, _ = await agent(Waiting())
        await wire.send({"id": 1, "method": "_1"}, {"id": 2, "method": "_2"})
        self.assertEqual((await wire.receive())["id"], 2)
        first.set()
        self.assertEqual((await wire.receive())["id"], 1)
        self.assertEqual(started, ["_1", "_2"])


class Cancellation(Case):
    """Both ways, as tasks are cancelled."""

    async def test_a_cancelled_call_is_cancelled_at_the_other_end(self) -> None:
        wire, connection = await client()
        call = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        await wire.receive()
        call.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await call
        cancel = {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 0}}
        self.assertEqual(await wire.receive(), cancel)
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(connection.prompt("s", prompt=TEXT), 0.01)
        self.assertEqual((await wire.receive())["id"], 1)
        self.assertEqual((await wire.receive())["params"], {"requestId": 1})
        # Too late.
        await wire.send({"id": 0, "result": DONE})
        following = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        self.assertEqual((await wire.receive())["id"], 2)
        await wire.send({"id": 2, "result": DONE})
        self.assertEqual((await following).stop_reason, StopReason.END_TURN)

    async def test_a_cancelled_handler_answers_so(self) -> None:
        ended: list[str] = []

        class Waiting(Plain):
            async def prompt(self, request: Any, context: Any) -> PromptResponse:
                try:
                    await asyncio.Event().wait()
                finally:
                    ended.append(f"{context.request_id} {context.is_cancelled}")
                raise AssertionError

        wire, _ = await agent(Waiting())
        params = json.dumps(PROMPT)
        await wire.raw(f'{{"method":"session/prompt","params":{params},"id":9007199254740993}}')
        # As floating point numbers they are the same.
        await wire.raw('{"method":"$/cancel_request","params":{"requestId":9007199254740992}}')
        await wire.send({"id": "x", "method": "_x"})
        self.assertEqual((await wire.receive())["id"], "x")
        await wire.raw('{"method":"$/cancel_request","params":{"requestId":9007199254740993}}')
        self.assertEqual((await wire.receive())["error"]["code"], -32800)
        self.assertEqual(ended, ["9007199254740993 True"])

    async def test_a_request_cancelled_with_its_line_is_answered(self) -> None:
        class Waiting(Plain):
            async def ext_method(self, method: str, params: Any, context: Any) -> Any:
                await asyncio.Event().wait()

        wire, _ = await agent(Waiting())
        await wire.send(
            {"id": "\u00e9", "method": "_x"},
            {"method": "$/cancel_request", "params": {"requestId": "\u00e9"}},
        )
        answer = await wire.receive()
        self.assertEqual((answer["id"], answer["error"]["code"]), ("\u00e9", -32800))

    async def test_a_handler_has_its_say(self) -> None:
        class Stubborn(Plain):
            async def prompt(self, request: Any, context: Any) -> PromptResponse:
                with suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()
                return PromptResponse(stop_reason=StopReason.CANCELLED)

        wire, _ = await agent(Stubborn())
        await wire.send({"id": 1, "method": "session/prompt", "params": PROMPT})
        await wire.send({"id": "x", "method": "_x"})
        await wire.receive()
        await wire.send({"method": "$/cancel_request", "params": {"requestId": 1}})
        self.assertEqual((await wire.receive())["result"], {"stopReason": "cancelled"})


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
        for text in ("\ud800", object()):
            with self.assertRaises(CallError):
                await connection.ext_method("_x", {"text": text})
        self.assertEqual(len(connection._link.calls), 0)
        await connection.cancel("s")
        self.assertEqual((await wire.receive())["method"], "session/cancel")

    async def test_batches_are_answered_call_by_call(self) -> None:
        wire, connection = await client()
        sent = asyncio.create_task(
            connection.batch(
                connection.set_session_mode("s", mode_id="a"),
                connection.cancel("s"),
                connection.ext_method("_x", {}),
            )
        )
        batch = await wire.receive()
        self.assertEqual(
            [(it["method"], it.get("id")) for it in batch],
            [("session/set_mode", 0), ("session/cancel", None), ("_x", 1)],
        )
        await wire.raw('[{"id":1,"result":{"x":1}},{"id":0,"result":{}}]')
        mode, nothing, extension = await sent
        self.assertIsNotNone(mode)
        self.assertIsNone(nothing)
        self.assertEqual(extension, {"x": 1})

    async def test_a_batch_that_fails(self) -> None:
        wire, connection = await client()
        one = connection.ext_method("_one", {})
        two = connection.ext_method("_two", {})
        sent = asyncio.create_task(connection.batch(one, two))
        await wire.receive()
        await wire.raw('[{"id":1,"error":{"code":5,"message":"no"}},{"id":0,"result":{}}]')
        with self.assertRaisesRegex(RequestError, "no"):
            await sent
        self.assertEqual(await connection.batch(), ())

    async def test_lifecycle_methods_are_refused_in_batches(self) -> None:
        wire, connection = await client()
        with self.assertRaises(NotInBatchError):
            await connection.batch(
                connection.ext_method("_x", {}), connection.prompt("s", prompt=TEXT)
            )
        await connection.cancel("s")
        self.assertEqual((await wire.receive())["method"], "session/cancel")

    async def test_a_connection_may_have_no_batches(self) -> None:
        options = ConnectionOptions(batches=False)
        wire, _ = await agent(options=options)
        await wire.raw('[{"id":1,"method":"_a"},{"method":"_b"}]')
        answer = await wire.receive()
        self.assertEqual((answer["id"], answer["error"]["code"]), (None, -32600))
        wire, connection = await client(options=options)
        with self.assertRaises(NotInBatchError):
            await connection.batch(connection.ext_method("_a", {}))
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
        with self.assertRaisesRegex(MalformedResponseError, "max_depth, which is 6"):
            await call
        self.assertEqual(sum(isinstance(it, rpc.Dropped) for it in seen), 2)

    async def test_what_cancels_a_turn_is_not_ignored(self) -> None:
        seen: list[Any] = []
        wire, _ = await agent(options=ConnectionOptions(observe=seen.append))
        await wire.send({"method": "session/cancel", "params": {"sessionId": "s"}})
        await wire.send({"method": "_note"})
        await settled()
        self.assertEqual([type(it) for it in seen], [rpc.Received, rpc.Received, rpc.Ignored])

    async def test_an_abandoned_batch_is_cancelled(self) -> None:
        wire, connection = await client()
        one = connection.ext_method("_one", {})
        two = connection.ext_method("_two", {})
        sent = asyncio.create_task(connection.batch(one, two))
        await wire.receive()
        sent.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await sent
        cancelled = [(await wire.receive())["params"]["requestId"] for _ in range(2)]
        self.assertEqual(cancelled, [0, 1])


class Handlers(Case):
    """Whatever they do, the connection lives on."""

    async def test_an_inherited_method_is_not_there(self) -> None:
        wire, _ = await agent()
        await wire.send({"id": 1, "method": "session/list", "params": {}})
        self.assertEqual((await wire.receive())["error"]["code"], -32601)

    async def test_required_methods_are_required(self) -> None:
        with self.assertRaises(TypeError):
            Client()  # type: ignore[abstract]

    async def test_wrong_results_are_internal_errors(self) -> None:
        results: list[object] = [None, 5, DONE, ReadTextFileResponse(content="x")]
        errors: list[Any] = []

        class Wrong(Plain):
            async def prompt(self, request: Any, context: Any) -> Any:
                return results.pop()

        options = ConnectionOptions(observe=errors.append)
        wire, _ = await agent(Wrong(), options)
        for number in range(4):
            await wire.send({"id": number, "method": "session/prompt", "params": PROMPT})
            self.assertEqual((await wire.receive())["error"]["code"], -32603)
        failed = [it.error for it in errors if isinstance(it, rpc.Failed)]
        self.assertEqual([type(error) for error in failed], [TypeError] * 4)

    async def test_meta_is_data(self) -> None:
        seen: list[Any] = []

        class Looking(Plain):
            async def prompt(self, request: Any, context: Any) -> PromptResponse:
                seen.append(request.meta)
                return PromptResponse(stop_reason=StopReason.END_TURN)

        wire, _ = await agent(Looking())
        meta = {"self": 1, "context": 2, "session_id": 3}
        await wire.send({"id": 1, "method": "session/prompt", "params": {**PROMPT, "_meta": meta}})
        self.assertEqual((await wire.receive())["result"], DONE)
        self.assertEqual(seen, [meta])

    async def test_failing_notification_handlers_are_logged(self) -> None:
        handled: list[str] = []

        class Failing(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                handled.append(request.update.content.text)
                if handled[-1] == "exit":
                    sys.exit(3)
                if handled[-1] == "cancel":
                    raise asyncio.CancelledError
                raise ValueError(handled[-1])

        wire, connection = await client(Failing())
        texts = ["value", "exit", "value"]
        if sys.version_info >= (3, 11):
            texts.insert(1, "cancel")
        with self.assertLogs("acp", logging.DEBUG) as logs:
            await wire.send(*map(update, texts))
            await settled()
        self.assertEqual(handled, texts)
        self.assertEqual(len(logs.records), len(texts))
        call = asyncio.create_task(connection.ext_method("_x", {}))
        await wire.receive()
        await wire.send({"id": 0, "result": {}})
        await call

    async def test_a_handler_may_use_timeouts(self) -> None:
        handled: list[str] = []

        class Hurried(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                try:
                    await asyncio.wait_for(asyncio.Event().wait(), 0.01)
                except asyncio.TimeoutError:
                    handled.append(request.update.content.text)

        wire, _ = await client(Hurried())
        await wire.send(update("1"), update("2"))
        await asyncio.sleep(0.1)
        self.assertEqual(handled, ["1", "2"])


class End(Case):
    """Nothing hangs."""

    async def test_the_end_fails_calls_and_cancels_handlers(self) -> None:
        class Hanging(Quiet):
            async def request_permission(self, request: Any, context: Any) -> Any:
                await asyncio.Event().wait()

        wire, connection = await client(Hanging())
        call = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        await wire.receive()
        params = {"sessionId": "s", "toolCall": {"toolCallId": "t"}, "options": []}
        await wire.send({"id": 1, "method": "session/request_permission", "params": params})
        wire.end()
        with self.assertRaises(ConnectionClosedError):
            await call
        self.assertTrue(connection.is_ended)
        self.assertEqual((await wire.receive())["error"]["code"], -32800)
        self.assertIsNone(await wire.receive())
        await connection.wait_closed()
        with self.assertRaises(ConnectionClosedError):
            await connection.prompt("s", prompt=TEXT)
        with self.assertRaises(ConnectionClosedError):
            await connection.cancel("s")

    async def test_a_handler_that_will_not_end_is_given_up(self) -> None:
        class Endless(Plain):
            async def ext_method(self, method: str, params: Any, context: Any) -> Any:
                for _ in range(2):
                    with suppress(asyncio.CancelledError):
                        await asyncio.Event().wait()
                return {}

        wire, connection = await agent(Endless(), ConnectionOptions(grace=0.05))
        await wire.send({"id": 1, "method": "_x"})
        await settled()
        wire.end()
        self.assertEqual((await wire.receive())["error"]["code"], -32800)
        self.assertIsNone(await wire.receive())
        await connection.wait_closed()

    async def test_closing_says_everything_first(self) -> None:
        wire, connection = await client()
        async with connection:
            await connection.cancel("s")
        self.assertEqual((await wire.receive())["method"], "session/cancel")
        self.assertIsNone(await wire.receive())

    async def test_handlers_may_close(self) -> None:
        connections: list[ClientSideConnection] = []

        class Closing(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                await connections[0].close()

            async def request_permission(self, request: Any, context: Any) -> Any:
                await connections[0].close()
                return await super().request_permission(request, context)

        params = {"sessionId": "s", "toolCall": {"toolCallId": "t"}, "options": []}
        request = {"id": 1, "method": "session/request_permission", "params": params}
        for message in (update("x"), request):
            wire, connection = await client(Closing())
            connections[:] = [connection]
            await wire.send(message)
            await asyncio.wait_for(connection.wait_closed(), 60)

    async def test_a_peer_that_is_gone_ends_it(self) -> None:
        wire, connection = await client()
        wire.writer.close()
        await wire.writer.wait_closed()
        with suppress(CallError):
            for _ in range(100):
                await connection.cancel("s")
                await asyncio.sleep(0)
        await asyncio.wait_for(connection.wait_closed(), 60)


class Limits(Case):
    """A slow side slows the other, and nothing grows."""

    async def test_a_slow_reader_slows_the_sender(self) -> None:
        wire, connection = await agent()
        text = SessionUpdate.agent_message_chunk(ContentBlock.text("x" * 1000))
        sent = 0

        async def send() -> None:
            nonlocal sent
            for _ in range(20_000):
                await connection.session_update("s", update=text)
                sent += 1

        tracemalloc.start()
        sending = asyncio.create_task(send())
        await settled()
        self.assertLess(sent, 2000)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        self.assertLess(peak, 4 << 20)
        for _ in range(20_000):
            await wire.receive()
        await sending

    async def test_slow_handlers_slow_the_peer(self) -> None:
        gate = asyncio.Event()
        handled = 0

        class Slow(Quiet):
            async def session_update(self, request: Any, context: Any) -> None:
                nonlocal handled
                await gate.wait()
                handled += 1

        wire, connection = await client(Slow(), ConnectionOptions(max_requests=10))
        call = asyncio.create_task(connection.prompt("s", prompt=TEXT))
        await wire.receive()
        sent = 0
        text = "x" * 1000

        async def send() -> None:
            nonlocal sent
            for _ in range(5000):
                await wire.send(update(text))
                sent += 1
            await wire.send({"id": 0, "result": DONE})

        sending = asyncio.create_task(send())
        await asyncio.sleep(0.1)
        self.assertLess(sent, 2000)
        gate.set()
        await sending
        await call
        self.assertEqual(handled, 5000)

    async def test_requests_at_a_time_are_bounded(self) -> None:
        gate = asyncio.Event()
        running = most = 0

        class Counting(Plain):
            async def ext_method(self, method: str, params: Any, context: Any) -> Any:
                nonlocal running, most
                running += 1
                most = max(most, running)
                await gate.wait()
                running -= 1
                return {}

        wire, _ = await agent(Counting(), ConnectionOptions(max_requests=3))
        await wire.send(*[{"id": number, "method": "_x"} for number in range(20)])
        await settled()
        self.assertEqual(running, 3)
        gate.set()
        ids = {(await wire.receive())["id"] for _ in range(20)}
        self.assertEqual(ids, set(range(20)))
        self.assertEqual(most, 3)
        # Those of one batch, too, which are answered together.
        await wire.raw(json.dumps([{"id": it, "method": "_x"} for it in range(20)]))
        self.assertEqual(len(await wire.receive()), 20)
        self.assertEqual(most, 3)

    async def test_requests_that_wait_are_as_many_as_they_are(self) -> None:
        wire, _ = await agent(options=ConnectionOptions(max_requests=2))
        sending = asyncio.create_task(
            wire.send(*[{"id": it, "method": "_x"} for it in range(5000)])
        )
        ids = [(await wire.receive())["id"] for _ in range(5000)]
        self.assertEqual(ids, list(range(5000)))
        await sending

    async def test_everything_is_observed_and_long_lines_are_skipped(self) -> None:
        class Failing(Plain):
            async def cancel(self, request: Any, context: Any) -> None:
                raise ValueError

        seen: list[Any] = []
        options = ConnectionOptions(max_line=150, observe=seen.append)
        wire, connection = await agent(Failing(), options)
        for length in (150, 148):
            await wire.raw(json.dumps("x" * length))
            self.assertEqual((await wire.receive())["error"]["code"], -32600)
        await wire.send({"method": "foo"}, {"id": 5, "result": 1})
        await settled()
        await wire.send({"method": "session/cancel", "params": {"sessionId": "s"}})
        await settled()
        await connection.session_update("s", update=SessionUpdate.current_mode_update("m"))
        self.assertEqual(
            [type(it) for it in seen],
            [
                rpc.Dropped,
                rpc.Sent,
                rpc.Received,
                rpc.Dropped,
                rpc.Sent,
                rpc.Received,
                rpc.Received,
                rpc.Ignored,
                rpc.Unexpected,
                rpc.Received,
                rpc.Failed,
                rpc.Sent,
            ],
        )


class Processes(Case):
    """Standard streams, and processes at the other end."""

    async def test_what_is_printed_is_no_message(self) -> None:
        # What is printed before waits in a buffer.
        unbuffered = "PYTHONUNBUFFERED"
        env = {name: value for name, value in os.environ.items() if name != unbuffered}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            str(HERE / "printing.py"),
            env=env,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, errors = await process.communicate(
            b'{"jsonrpc":"2.0","id":1,"method":"_x","params":{}}\n'
        )
        answer = {"jsonrpc": "2.0", "id": 1, "result": {"read": ""}}
        self.assertEqual([json.loads(line) for line in output.splitlines()], [answer])
        for word in (b"before", b"printed", b"written", b"echoed"):
            self.assertIn(word, errors)

    async def test_a_process_is_started_and_ended(self) -> None:
        agent = [sys.executable, str(HERE / "printing.py")]
        async with spawn_agent(Quiet(), *agent) as connection:
            process = await connection.ext_method("_pid", {})
            self.assertTrue(is_alive(process))
        self.assertFalse(is_alive(process))

    async def test_a_process_that_goes_on_is_killed(self) -> None:
        for how in ("deaf", "stubborn"):
            agent = [sys.executable, str(HERE / "printing.py"), how]
            async with spawn_agent(Quiet(), *agent) as connection:
                process = await connection.ext_method("_pid", {})
            self.assertFalse(is_alive(process), how)

    async def test_a_process_that_dies_ends_the_connection(self) -> None:
        agent = [sys.executable, str(HERE / "printing.py")]
        async with spawn_agent(Quiet(), *agent) as connection:
            with self.assertRaises(ConnectionClosedError):
                await connection.ext_method("_die", {})
            await connection.wait_closed()

    async def test_what_cannot_be_started_is_an_error(self) -> None:
        with self.assertRaises(FileNotFoundError):
            async with spawn_agent(Quiet(), "no-such-program"):
                self.fail()


class Streams(Case):
    """Any pair of byte streams."""

    async def test_streams_of_any_make(self) -> None:
        class Pieces:
            """Gives a byte at a time, and keeps what is written."""

            def __init__(self) -> None:
                self.input = b'{"id":1,"method":"initialize","params":{"protocolVersion":1}}'
                self.output = b""
                self.is_closed = False

            async def read(self, n: int = -1, /) -> bytes:
                piece, self.input = self.input[:1], self.input[1:]
                return piece

            def write(self, data: bytes, /) -> None:
                self.output += data

            async def drain(self) -> None:
                await asyncio.sleep(0)

            def close(self) -> None:
                self.is_closed = True

            async def wait_closed(self) -> None:
                pass

        pieces = Pieces()
        connection = AgentSideConnection(Plain(), StreamTransport(pieces, pieces))
        await connection.wait_closed()
        self.assertEqual(json.loads(pieces.output)["result"]["protocolVersion"], 1)
        self.assertTrue(pieces.is_closed)

    async def test_the_handler_may_be_made_of_the_connection(self) -> None:
        _, transport = await pair()
        made: list[object] = []

        def make(connection: ClientSideConnection) -> Quiet:
            made.append(connection)
            return Quiet()

        async with ClientSideConnection(make, transport) as connection:
            self.assertEqual(made, [connection])


def is_alive(process: int) -> bool:
    """Whether there is a process of this id."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    unittest.main()
