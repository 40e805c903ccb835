"""Programs that a client runs for its agent."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import tempfile
import unittest
from contextlib import suppress
from pathlib import Path
from typing import Any

from acp import (
    UNSET,
    CreateTerminalRequest,
    EnvVariable,
    KillTerminalRequest,
    KillTerminalResponse,
    ReleaseTerminalRequest,
    RequestError,
    TerminalExitStatus,
    TerminalHost,
    TerminalOutputRequest,
    TerminalOutputResponse,
    WaitForTerminalExitRequest,
    WaitForTerminalExitResponse,
)
from wire import Case, Quiet, client


class Editor(TerminalHost, Quiet):
    """A client whose terminals are those of the host."""


class Terminals:
    """The terminals of a session."""

    def __init__(self, host: TerminalHost, session: str = "s") -> None:
        """Take the host."""
        self.host = host
        self.session = session

    async def create(self, script: str, **more: Any) -> str:
        """Run a script."""
        request = CreateTerminalRequest(
            session_id=self.session, command="sh", args=["-c", script], **more
        )
        return (await self.host.create_terminal(request)).terminal_id

    async def output(self, name: str) -> TerminalOutputResponse:
        """Ask for output."""
        request = TerminalOutputRequest(session_id=self.session, terminal_id=name)
        return await self.host.terminal_output(request)

    async def wait(self, name: str) -> WaitForTerminalExitResponse:
        """Wait for the end."""
        request = WaitForTerminalExitRequest(session_id=self.session, terminal_id=name)
        return await self.host.wait_for_terminal_exit(request)

    async def kill(self, name: str) -> KillTerminalResponse:
        """End it."""
        request = KillTerminalRequest(session_id=self.session, terminal_id=name)
        return await self.host.kill_terminal(request)

    async def release(self, name: str) -> None:
        """Give it back."""
        request = ReleaseTerminalRequest(session_id=self.session, terminal_id=name)
        await self.host.release_terminal(request)

    async def said(self, name: str, text: str) -> None:
        """Wait until the program has said something."""
        while text not in (await self.output(name)).output:
            await asyncio.sleep(0.01)


async def gone(process: str) -> None:
    """Wait until a process has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        # What nobody has waited for is a zombie.
        while ") Z " not in Path("/proc", process.strip(), "stat").read_text():
            await asyncio.sleep(0.01)


class Hosts(Case):
    """What the host of terminals promises."""

    async def test_output_and_exit_code(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            async with TerminalHost() as host:
                terminals = Terminals(host)
                name = await terminals.create(
                    'cat; echo "$WORD" "${PATH:+has a path}"; pwd; echo late >&2; exit 3',
                    env=[EnvVariable(name="WORD", value="hello")],
                    cwd=folder,
                )
                ended = await terminals.wait(name)
                self.assertEqual(ended, WaitForTerminalExitResponse(exit_code=3))
                output = await terminals.output(name)
                place = os.path.realpath(folder)
                self.assertEqual(output.output, f"hello has a path\n{place}\nlate\n")
                self.assertIs(output.truncated, False)
                self.assertEqual(output.exit_status, TerminalExitStatus(exit_code=3))
                await terminals.release(name)

    async def test_what_is_no_text_is_replaced(self) -> None:
        async with TerminalHost() as host:
            terminals = Terminals(host)
            name = await terminals.create(r"printf 'a\377b\303'; sleep 0.1; printf '\251\303'")
            await terminals.wait(name)
            self.assertEqual((await terminals.output(name)).output, "a\ufffdb\u00e9\ufffd")

    async def test_the_beginning_is_lost_at_a_character(self) -> None:
        async with TerminalHost(output_limit=3, max_output_limit=8) as host:
            terminals = Terminals(host)
            cases: list[tuple[Any, str, str, bool]] = [
                (0, "abäöx", "", True),
                (2, "abäöx", "x", True),
                (4, "abäöx", "öx", True),
                (5, "abäöx", "äöx", True),
                (7, "abäöx", "abäöx", False),
                (UNSET, "abcdef", "def", True),
                (None, "abc", "abc", False),
                (100, "0123456789", "23456789", True),
            ]
            for limit, text, expected, is_lost in cases:
                name = await terminals.create(f"printf '{text}'", output_byte_limit=limit)
                await terminals.wait(name)
                output = await terminals.output(name)
                found = (limit, text, output.output, output.truncated)
                self.assertEqual(found, (limit, text, expected, is_lost))

    @unittest.skipUnless(sys.platform == "linux", "it looks at /proc")
    async def test_a_program_is_killed_with_what_it_has_started(self) -> None:
        async with TerminalHost(grace=0.2) as host:
            terminals = Terminals(host)
            # What it has started ignores what it ignores.
            for first, signal in (("", "SIGTERM"), ("trap '' TERM; ", "SIGKILL")):
                name = await terminals.create(f"{first}sleep 600 & echo $!; wait")
                await terminals.said(name, "\n")
                self.assertIs((await terminals.output(name)).exit_status, UNSET)
                await terminals.kill(name)
                output = await terminals.output(name)
                self.assertEqual(output.exit_status, TerminalExitStatus(signal=signal))
                self.assertEqual((await terminals.wait(name)).signal, signal)
                await asyncio.wait_for(gone(output.output), 10)
                # What has ended is killed in vain.
                await terminals.kill(name)

    async def test_a_wait_is_not_kept_by_what_has_the_output(self) -> None:
        async with TerminalHost(grace=0.2) as host:
            terminals = Terminals(host)
            name = await terminals.create("(sleep 1.5; echo more; sleep 600) & echo first")
            ended = await asyncio.wait_for(terminals.wait(name), 1.4)
            self.assertEqual(ended.exit_code, 0)
            # It goes on, and is still heard.
            await asyncio.wait_for(terminals.said(name, "first\nmore\n"), 10)

    async def test_what_is_released_ends_and_is_forgotten(self) -> None:
        async with TerminalHost() as host:
            terminals = Terminals(host)
            name = await terminals.create("sleep 600")
            waits = [asyncio.create_task(terminals.wait(name)) for _ in range(3)]
            await asyncio.sleep(0.05)
            waits[0].cancel()
            await terminals.release(name)
            ended = await asyncio.gather(*waits, return_exceptions=True)
            self.assertIsInstance(ended[0], asyncio.CancelledError)
            expected = WaitForTerminalExitResponse(signal="SIGTERM")
            self.assertEqual(ended[1:], [expected, expected])
            for ask in (terminals.output, terminals.wait, terminals.kill, terminals.release):
                with self.assertRaises(RequestError) as caught:
                    await ask(name)
                error = caught.exception
                self.assertEqual((error.code, error.data), (-32602, {"terminalId": name}))

    async def test_terminals_belong_to_sessions(self) -> None:
        async with TerminalHost() as host:
            name = await Terminals(host).create("echo mine")
            with self.assertRaisesRegex(RequestError, name) as caught:
                await Terminals(host, "other").release(name)
            self.assertEqual(caught.exception.code, -32602)
            await Terminals(host).wait(name)

    async def test_there_are_not_too_many(self) -> None:
        async with TerminalHost(max_open=2) as host:
            terminals = Terminals(host)
            first, *more = await asyncio.gather(
                *(terminals.create("exit 0") for _ in range(3)), return_exceptions=True
            )
            self.assertEqual([isinstance(it, RequestError) for it in more], [False, True])
            self.assertRegex(str(more[1]), "2 programs were started and not given back")
            self.assertNotEqual(first, more[0])
            await terminals.release(str(first))
            await terminals.create("exit 0")

    async def test_what_cannot_be_started_says_why(self) -> None:
        cases: list[tuple[dict[str, Any], str]] = [
            ({"command": "no-such-program"}, "cannot start no-such-program: No such file"),
            ({"command": "sh", "cwd": "/no/such/folder"}, "No such file .*: /no/such/folder"),
            ({"command": "a\0b"}, "cannot start a\0b: embedded null byte"),
        ]
        async with TerminalHost(max_open=1) as host:
            for params, expected in cases:
                with self.assertRaisesRegex(RequestError, expected) as caught:
                    await host.create_terminal(CreateTerminalRequest(session_id="s", **params))
                error = caught.exception
                self.assertEqual((error.code, error.data), (-32602, {"command": params["command"]}))
            # What was not started is not counted.
            await Terminals(host).create("exit 0")

    @unittest.skipUnless(sys.platform == "linux", "it looks at /proc")
    async def test_nothing_outlives_the_host(self) -> None:
        for is_closed in (True, False):
            host = TerminalHost()
            terminals = Terminals(host)
            name = await terminals.create("echo $$; sleep 600")
            await terminals.said(name, "\n")
            process = (await terminals.output(name)).output
            if is_closed:
                await host.aclose()
                with self.assertRaisesRegex(RequestError, "no more programs"):
                    await terminals.create("exit 0")
            del host, terminals
            gc.collect()
            await asyncio.wait_for(gone(process), 10)

    async def test_a_client_inherits_it(self) -> None:
        async with Editor() as editor:
            wire, _ = await client(editor)
            params = {"sessionId": "s", "command": "echo", "args": ["hi"]}
            await wire.send({"id": 1, "method": "terminal/create", "params": params})
            name = (await wire.receive())["result"]["terminalId"]
            params = {"sessionId": "s", "terminalId": name}
            for method, result in (
                ("wait_for_exit", {"exitCode": 0}),
                ("output", {"output": "hi\n", "truncated": False, "exitStatus": {"exitCode": 0}}),
                ("kill", {}),
                ("release", {}),
            ):
                await wire.send({"id": 2, "method": f"terminal/{method}", "params": params})
                self.assertEqual((await wire.receive())["result"], result)
            await wire.send({"id": 3, "method": "terminal/output", "params": params})
            self.assertEqual((await wire.receive())["error"]["data"], {"terminalId": name})
