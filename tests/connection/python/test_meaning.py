"""What a connection does because the schema says what a message means."""

from __future__ import annotations

import asyncio
import json
import unittest
from contextlib import suppress
from typing import Any

from acp import (
    AgentCapabilities,
    AuthMethod,
    CallError,
    ClientCapabilities,
    ConnectionClosedError,
    ContentBlock,
    CreateTerminalResponse,
    FileSystemCapabilities,
    InitializeResponse,
    NotSupportedError,
    PromptResponse,
    ReadTextFileResponse,
    RequestPermissionResponse,
    StopReason,
    VersionMismatchError,
)
from wire import DONE, PROMPT, Case, Plain, Quiet, agent, client, settled

IMAGE = {"type": "image", "data": "", "mimeType": "image/png"}


def initialize(version: Any, **capabilities: Any) -> dict[str, Any]:
    """Make the first request."""
    params = {"protocolVersion": version, "clientCapabilities": capabilities}
    return {"id": 0, "method": "initialize", "params": params}


class Unknown(Case):
    """Methods that the schema does not name."""

    async def test_they_have_a_handler(self) -> None:
        seen: list[tuple[str, Any]] = []

        class All(Plain):
            async def unknown_method(self, method: str, params: Any, context: Any) -> Any:
                seen.append((method, params))
                return {"by": method}

            async def unknown_notification(self, method: str, params: Any, context: Any) -> None:
                seen.append((method, params))

        wire, _ = await agent(All())
        for number, method in enumerate(("a/b", "_c")):
            await wire.send({"id": number, "method": method, "params": [1]})
            self.assertEqual((await wire.receive())["result"], {"by": method})
        await wire.send({"method": "d/e", "params": {}}, {"method": "_f"})
        await wire.send({"id": 3, "method": "session/load", "params": {}})
        self.assertEqual((await wire.receive())["error"]["code"], -32601)
        await settled()
        self.assertEqual(seen, [("a/b", [1]), ("_c", [1]), ("d/e", {}), ("_f", {})])

    async def test_extensions_come_first(self) -> None:
        class Both(Plain):
            async def ext_method(self, method: str, params: Any, context: Any) -> Any:
                return "extension"

            async def unknown_method(self, method: str, params: Any, context: Any) -> Any:
                return "unknown"

        wire, _ = await agent(Both())
        await wire.send({"id": 1, "method": "_x"})
        self.assertEqual((await wire.receive())["result"], "extension")
        await wire.send({"id": 2, "method": "x"})
        self.assertEqual((await wire.receive())["result"], "unknown")

    async def test_without_one_they_are_not_found(self) -> None:
        wire, _ = await agent()
        await wire.send({"method": "a/b"}, {"id": 1, "method": "a/b"})
        self.assertEqual((await wire.receive())["error"]["code"], -32601)


class Versions(Case):
    """Both ends speak one version."""

    async def test_the_connection_answers_with_it(self) -> None:
        class Boasting(Plain):
            async def initialize(self, request: Any, context: Any) -> InitializeResponse:
                asked.append((request.protocol_version, context.protocol_version))
                return InitializeResponse(protocol_version=7)

        for version in (0, 1, 7):
            asked: list[tuple[int, int]] = []
            wire, connection = await agent(Boasting())
            self.assertEqual(connection.protocol_version, 1)
            await wire.send(initialize(version))
            self.assertEqual((await wire.receive())["result"]["protocolVersion"], 1)
            self.assertEqual(asked, [(version, 1)])

    async def test_another_one_ends_the_connection(self) -> None:
        wire, connection = await client()
        waiting = asyncio.create_task(connection.ext_method("_x", {}))
        await wire.receive()
        first = asyncio.create_task(connection.initialize(1))
        await wire.receive()
        await wire.send({"id": 1, "result": {"protocolVersion": 7}})
        said = "the agent speaks version 7; this client speaks 1"
        for call in (first, waiting, connection.ext_method("_y", {})):
            with self.assertRaisesRegex(VersionMismatchError, said):
                await call
        with self.assertRaises(ConnectionClosedError):
            await connection.cancel("s")
        await connection.wait_closed()
        self.assertIsNone(await wire.receive())

    async def test_a_call_by_name_is_no_exception(self) -> None:
        wire, connection = await client()
        call = asyncio.create_task(connection.request("initialize", {"protocolVersion": 1}))
        await wire.receive()
        await wire.send({"id": 0, "result": {"protocolVersion": 2}})
        with self.assertRaises(VersionMismatchError):
            await call


class Waiting(Plain):
    """An agent whose turns end when they are cancelled."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.ended: list[str] = []

    async def prompt(self, request: Any, context: Any) -> PromptResponse:
        """Wait."""
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.append(f"{request.session_id} {context.is_cancelled}")
        raise AssertionError

    async def cancel(self, request: Any, context: Any) -> None:
        """Take note."""
        await asyncio.sleep(0)
        self.ended.append(f"cancel {request.session_id}")


def turn(number: int, session: str) -> dict[str, Any]:
    """Make the request of a turn."""
    return {
        "id": number,
        "method": "session/prompt",
        "params": {"sessionId": session, "prompt": []},
    }


def cancel(session: str) -> dict[str, Any]:
    """Make the message that cancels it."""
    return {"method": "session/cancel", "params": {"sessionId": session}}


CANCELLED = {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "cancelled"}}


class Turns(Case):
    """A notification cancels a request."""

    async def test_the_handler_of_the_same_session_is_cancelled(self) -> None:
        handler = Waiting()
        wire, _ = await agent(handler)
        await wire.send(turn(1, "a"), turn(2, "b"))
        await settled()
        await wire.send(cancel("c"), cancel("a"))
        self.assertEqual(await wire.receive(), CANCELLED)
        await settled()
        self.assertEqual(handler.ended[-1], "cancel a")
        self.assertIn("a True", handler.ended)
        self.assertNotIn("b True", handler.ended)
        await wire.send({"method": "$/cancel_request", "params": {"requestId": 2}})
        self.assertEqual((await wire.receive())["error"]["code"], -32800)

    async def test_so_it_is_without_a_handler_and_in_one_line(self) -> None:
        class Deaf(Waiting):
            cancel = None  # type: ignore[assignment]

        for handler in (Waiting(), Deaf()):
            wire, _ = await agent(handler)
            await wire.raw("[" + ",".join(map(json.dumps, (turn(1, "a"), cancel("a")))) + "]")
            self.assertEqual(await wire.receive(), [CANCELLED])

    async def test_a_turn_that_still_waits_is_cancelled(self) -> None:
        gate = asyncio.Event()

        class Busy(Waiting):
            async def ext_notification(self, method: str, params: Any, context: Any) -> None:
                await gate.wait()

        handler = Busy()
        wire, _ = await agent(handler)
        await wire.send({"method": "_x", "params": {}}, turn(1, "a"), cancel("a"), turn(2, "a"))
        # No handler gets it: it is answered at once.
        self.assertEqual(await wire.receive(), CANCELLED)
        gate.set()
        await settled()
        self.assertEqual(handler.ended, ["cancel a"])

    async def test_a_handler_has_its_say(self) -> None:
        class Stubborn(Plain):
            async def prompt(self, request: Any, context: Any) -> PromptResponse:
                with suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()
                return PromptResponse(stop_reason=StopReason.MAX_TOKENS)

        wire, _ = await agent(Stubborn())
        await wire.send(turn(1, "a"))
        await settled()
        await wire.send(cancel("a"))
        self.assertEqual((await wire.receive())["result"], {"stopReason": "max_tokens"})

    async def test_who_cancels_a_turn_asks_the_user_no_more(self) -> None:
        asked: list[str] = []
        done = asyncio.Event()

        class Slow(Quiet):
            async def request_permission(
                self, request: Any, context: Any
            ) -> RequestPermissionResponse:
                asked.append(request.session_id)
                # Whether it listens or not.
                with suppress(asyncio.CancelledError):
                    await asyncio.Event().wait()
                await done.wait()
                raise AssertionError

        wire, connection = await client(Slow())
        for session in ("a", "b"):
            tool = {"toolCallId": "t"}
            params: Any = {"sessionId": session, "toolCall": tool, "options": []}
            await wire.send({"id": 1, "method": "session/request_permission", "params": params})
        await settled()
        self.assertEqual(asked, ["a", "b"])
        await connection.cancel("a")
        self.assertEqual((await wire.receive())["method"], "session/cancel")
        self.assertEqual((await wire.receive())["result"], {"outcome": {"outcome": "cancelled"}})
        done.set()


class Capabilities(Case):
    """What is not allowed is not sent, and what is promised is kept."""

    async def test_a_variant_that_the_agent_does_not_allow(self) -> None:
        wire, connection = await client()
        image = ContentBlock.image("", mime_type="image/png")
        prompt: list[ContentBlock] = [ContentBlock.text("hi"), image]
        early = asyncio.create_task(connection.prompt("s", prompt=prompt))
        self.assertEqual((await wire.receive())["params"]["prompt"][1], IMAGE)
        await wire.send({"id": 0, "result": DONE})
        await early
        for number, can in enumerate(({}, {"promptCapabilities": {"image": True}})):
            call = asyncio.create_task(connection.initialize(1))
            await wire.receive()
            result = {"protocolVersion": 1, "agentCapabilities": can}
            await wire.send({"id": number + 1, "result": result})
            await call
            if not can:
                said = r"params\.prompt\[1\]: promptCapabilities\.image"
                with self.assertRaisesRegex(NotSupportedError, said):
                    await connection.prompt("s", prompt=prompt)
        late = asyncio.create_task(connection.prompt("s", prompt=prompt))
        self.assertEqual((await wire.receive())["params"]["prompt"][1], IMAGE)
        await wire.send({"id": 3, "result": DONE})
        await late

    async def test_a_result_that_the_client_does_not_allow(self) -> None:
        class Terminal(Plain):
            async def initialize(self, request: Any, context: Any) -> Any:
                method = AuthMethod.terminal("t", name="t")
                return InitializeResponse(protocol_version=1, auth_methods=[method])

        wire, _ = await agent(Terminal())
        await wire.send(initialize(1))
        error = (await wire.receive())["error"]
        self.assertEqual(error["code"], -32603)
        self.assertIn("result.authMethods[0]: auth.terminal", error["message"])
        wire, _ = await agent(Terminal())
        await wire.send(initialize(1, auth={"terminal": True}))
        self.assertEqual((await wire.receive())["result"]["authMethods"][0]["id"], "t")

    async def test_an_agent_handles_what_it_says(self) -> None:
        class Boasting(Plain):
            async def initialize(self, request: Any, context: Any) -> InitializeResponse:
                able = AgentCapabilities(load_session=True)
                return InitializeResponse(protocol_version=1, agent_capabilities=able)

        wire, _ = await agent(Boasting())
        await wire.send(initialize(1))
        error = (await wire.receive())["error"]
        said = "advertises `loadSession` but does not handle `session/load`"
        self.assertEqual((error["code"], error["message"]), (-32603, said))

        class Able(Boasting):
            async def load_session(self, request: Any, context: Any) -> None:
                """Load nothing."""

        wire, _ = await agent(Able())
        await wire.send(initialize(1))
        self.assertTrue((await wire.receive())["result"]["agentCapabilities"]["loadSession"])

    async def test_a_client_handles_what_it_says(self) -> None:
        _, connection = await client()
        able = ClientCapabilities(fs=FileSystemCapabilities(read_text_file=True))
        said = "advertises `fs.readTextFile` but does not handle `fs/read_text_file`"
        with self.assertRaisesRegex(CallError, said):
            await connection.initialize(1, client_capabilities=able)

        async def read(request: Any, context: Any) -> ReadTextFileResponse:
            return ReadTextFileResponse(content="hello")

        handler: Any = Quiet()
        handler.read_text_file = read
        wire, connection = await client(handler)
        call = asyncio.create_task(connection.initialize(1, client_capabilities=able))
        self.assertEqual((await wire.receive())["method"], "initialize")
        await wire.send({"id": 0, "result": {"protocolVersion": 1}})
        await call
        params = {"sessionId": "s", "path": "/"}
        await wire.send({"id": 1, "method": "fs/read_text_file", "params": params})
        self.assertEqual((await wire.receive())["result"], {"content": "hello"})


class Handles(Case):
    """What a request opened."""

    async def test_a_terminal_is_released_once(self) -> None:
        wire, connection = await agent()
        opened = asyncio.create_task(connection.create_terminal("s", command="ls"))
        await wire.receive()
        await wire.send({"id": 0, "result": {"terminalId": "t"}})
        terminal = await opened
        self.assertIsInstance(terminal, CreateTerminalResponse)
        self.assertEqual(terminal.terminal_id, "t")
        self.assertEqual(terminal.id, "t")
        async with terminal:
            waiting = asyncio.create_task(terminal.wait_for_exit())
            message = await wire.receive()
            self.assertEqual(message["method"], "terminal/wait_for_exit")
            self.assertEqual(message["params"], {"sessionId": "s", "terminalId": "t"})
            await wire.send({"id": 1, "result": {"exitCode": 0}})
            self.assertEqual((await waiting).exit_code, 0)
            leaving = asyncio.create_task(terminal.release(meta={"x": 1}))
            message = await wire.receive()
            self.assertEqual(message["method"], "terminal/release")
            self.assertEqual(message["params"]["_meta"], {"x": 1})
            await wire.send({"id": 2, "result": {}})
            await leaving
        await terminal.release()
        bare = asyncio.create_task(connection.release_terminal("s", terminal_id="t"))
        self.assertEqual((await wire.receive())["id"], 3)
        await wire.send({"id": 3, "result": {}})
        await bare

    async def test_leaving_releases_it(self) -> None:
        wire, connection = await agent()

        async def use() -> None:
            async with await connection.create_terminal("s", command="ls"):
                raise ValueError

        using = asyncio.create_task(use())
        await wire.receive()
        await wire.send({"id": 0, "result": {"terminalId": "t"}})
        self.assertEqual((await wire.receive())["method"], "terminal/release")
        await wire.send({"id": 1, "result": {}})
        with self.assertRaises(ValueError):
            await using


if __name__ == "__main__":
    unittest.main()
