"""Processes at the other end, as editors need them, and an agent's standard streams."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import unittest
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest import mock

from acp import (
    ClientSideConnection,
    ConnectionClosedError,
    ContentBlock,
    rpc,
    spawn_agent,
)
from wire import Case, Quiet

HERE = Path(__file__).parent
AGENT = [sys.executable, str(HERE / "talking.py")]
NAME = Path(sys.executable).name


class Processes(Case):
    """What is known of a process."""

    async def test_variables_are_added_to_the_environment(self) -> None:
        spawned = spawn_agent(Quiet(), *AGENT, env={"TALKING": "yes"})
        async with spawned as connection:
            seen = await connection.ext_method("_x", {})
        self.assertEqual(seen["variable"], "yes")
        self.assertTrue(seen["path"])

    async def test_how_it_ended_is_told(self) -> None:
        ways: list[tuple[str, dict[str, Any], str, int]] = [
            ("_exit", {"code": 3}, f"connection closed: {NAME}: exit code 3", 3),
            ("_exit", {"code": 0}, f"connection closed: {NAME}: exit code 0", 0),
            ("_kill", {}, f"connection closed: {NAME}: killed by SIGKILL", -9),
        ]
        for method, params, expected, status in ways:
            async with spawn_agent(Quiet(), *AGENT) as connection:
                process = connection.child_process
                self.assertGreater(process.pid, 0)
                self.assertIsNone(process.exit_status)
                with self.assertRaises(ConnectionClosedError) as caught:
                    await connection.ext_method(method, params)
                self.assertEqual(str(caught.exception), expected)
                self.assertEqual(process.exit_status, status)
                with self.assertRaisesRegex(ConnectionClosedError, expected):
                    await connection.ext_method("_x", {})

    async def test_what_it_said_last_is_told(self) -> None:
        said = [f"line {number}" for number in range(30)]
        for stderr in ("capture", "pipe"):
            choice: rpc.StderrChoice = "capture" if stderr == "capture" else "pipe"
            async with spawn_agent(Quiet(), *AGENT, stderr=choice) as connection:
                with self.assertRaises(ConnectionClosedError) as caught:
                    await connection.ext_method("_exit", {"code": 1, "say": said})
            lines = str(caught.exception).split("\n")
            self.assertEqual(lines, [f"connection closed: {NAME}: exit code 1", *said[10:]])

    async def test_what_it_said_last_is_not_too_much(self) -> None:
        said = ["x" * 1500 for _ in range(10)]
        async with spawn_agent(Quiet(), *AGENT, stderr="capture") as connection:
            with self.assertRaises(ConnectionClosedError) as caught:
                await connection.ext_method("_exit", {"code": 1, "say": said})
        self.assertEqual(str(caught.exception).count("\n"), 2)

    async def test_lines_that_are_no_messages_are_told_and_given(self) -> None:
        taken: list[str] = []

        def take(line: str) -> None:
            taken.append(line)
            message = "whoever takes them harms nobody"
            raise ValueError(message)

        script = "echo first; echo ' {} '; read line; printf '\\033[1mlast'; exit 3"
        options = rpc.ConnectionOptions(stray_lines=take)
        spawned = spawn_agent(Quiet(), "sh", "-c", script, options=options)
        with self.assertLogs("acp", "ERROR"):
            async with spawned as connection:
                with self.assertRaises(ConnectionClosedError) as caught:
                    await connection.ext_method("_x", {})
        text = "connection closed: sh: exit code 3\nfirst\n{}\n [1mlast"
        self.assertEqual(str(caught.exception), text)
        self.assertEqual(taken, ["first", "{}", "\x1b[1mlast"])

    @unittest.skipUnless(sys.platform == "linux", "it looks at /proc")
    async def test_what_it_has_started_ends_with_it(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "id"
            for then in ("wait", "trap '' TERM; wait; wait", "exit 3"):
                place.unlink(missing_ok=True)
                script = f'sleep 600 <&0 & echo $! > "$PLACE"; {then}'
                spawned = spawn_agent(
                    Quiet(), "sh", "-c", script, env={"PLACE": str(place)}, grace=0.1
                )
                async with spawned as connection:
                    while not place.exists() or not place.read_text():
                        await asyncio.sleep(0.01)
                    if then == "exit 3":
                        # Its output is open still, by what it has started.
                        with self.assertRaisesRegex(ConnectionClosedError, "exit code 3"):
                            await connection.ext_method("_x", {})
                stat = Path("/proc", place.read_text().strip(), "stat")
                with suppress(FileNotFoundError):
                    # What nobody has waited for is a zombie.
                    while ") Z " not in stat.read_text():
                        await asyncio.sleep(0.01)

    def test_what_has_its_streams_harms_no_program(self) -> None:
        program = (
            "import asyncio\n"
            "from acp import rpc\n"
            "async def main():\n"
            "    script = 'setsid sleep 5 <&0 & exit 3'\n"
            "    async with rpc.spawn('sh', '-c', script, grace=0.1):\n"
            "        pass\n"
            "asyncio.run(main())\n"
        )
        done = subprocess.run(
            [sys.executable, "-X", "dev", "-c", program],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    async def test_lines_are_piped(self) -> None:
        async with spawn_agent(Quiet(), *AGENT, stderr="pipe") as connection:
            await connection.ext_method("_x", {"say": ["one", "zwei \u00e4"]})
            stderr = connection.child_process.stderr
            self.assertEqual(await asyncio.wait_for(anext(stderr), 60), "one")
            self.assertEqual(await asyncio.wait_for(anext(stderr), 60), "zwei \u00e4")
            say = [str(number) for number in range(20_000)]
            call = asyncio.create_task(connection.ext_method("_x", {"say": say}))
            read = [await asyncio.wait_for(anext(stderr), 60) for _ in say]
            self.assertEqual(read, say)
            await call
        self.assertEqual([line async for line in stderr], [])

    async def test_lines_are_not_piped_unless_asked(self) -> None:
        async with spawn_agent(Quiet(), *AGENT, stderr="ignore") as connection:
            with self.assertRaisesRegex(ValueError, "not piped"):
                _ = connection.child_process.stderr
            self.assertEqual(connection.child_process.last_lines, [])

    async def test_a_process_has_time_to_end_by_itself(self) -> None:
        for grace, status in ((60.0, 0), (0.01, -15)):
            spawned = spawn_agent(Quiet(), *AGENT, "slow", stderr="capture", grace=grace)
            async with spawned as connection:
                await connection.ext_method("_x", {})
                process = connection.child_process
            self.assertEqual(process.exit_status, status)
            self.assertEqual(process.last_lines, ["done"] if status == 0 else [])

    async def test_a_signal_takes_the_exit_status_from_nobody(self) -> None:
        command = [sys.executable, "-c", "import time; time.sleep(60)"]
        with mock.patch.object(subprocess.Popen, "poll", autospec=True) as poll:
            async with spawn_agent(Quiet(), *command, grace=0.1) as connection:
                process = connection.child_process
        self.assertEqual(process.exit_status, -15)
        poll.assert_not_called()

    async def test_a_process_that_does_not_read_is_ended(self) -> None:
        says = "import sys\nwhile True: print('{}')"
        quiet = "import os, time; os.close(1); time.sleep(60)"
        for program in ("import time; time.sleep(60)", says, quiet):
            command = [sys.executable, "-c", program]
            async with spawn_agent(Quiet(), *command, stderr="ignore", grace=0.1) as connection:
                prompt = connection.prompt("s", prompt=[ContentBlock.text("x" * 1_000_000)])
                with suppress(asyncio.TimeoutError, ConnectionClosedError):
                    await asyncio.wait_for(prompt, 0.5)
                await asyncio.wait_for(connection.close(), 10)
                process = connection.child_process
            self.assertIsNotNone(process.exit_status)

    async def test_the_stream_that_a_process_closes_is_told(self) -> None:
        for number, what in ((0, "input"), (1, "output")):
            closed = asyncio.Event()

            class Told(Quiet):
                async def ext_notification(self, *_: Any) -> None:
                    closed.set()  # noqa: B023

            ready = json.dumps({"jsonrpc": "2.0", "method": "_ready"})
            program = f"import os, time; {number} or os.close(0); print({ready!r}, flush=True)"
            command = [
                sys.executable,
                "-c",
                f"{program}; {number} and os.close(1); time.sleep(60)",
            ]
            async with spawn_agent(Told(), *command, grace=0.1) as connection:
                await asyncio.wait_for(closed.wait(), 60)
                with self.assertRaisesRegex(ConnectionClosedError, f"its {what} ended"):
                    await asyncio.wait_for(connection.initialize(1), 60)

    async def test_a_process_may_say_much_before_it_reads(self) -> None:
        says = "import sys; print('x' * 1_000_000); sys.exit(len(sys.stdin.read()) > 1_000_000)"
        command = [sys.executable, "-c", says]
        async with spawn_agent(Quiet(), *command, grace=20.0) as connection:
            prompt = connection.prompt("s", prompt=[ContentBlock.text("x" * 1_000_000)])
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(prompt, 0.01)
            await asyncio.wait_for(connection.close(), 30)
            process = connection.child_process
        self.assertEqual(process.exit_status, 1)

    async def test_what_cannot_be_started_is_named(self) -> None:
        with self.assertRaisesRegex(FileNotFoundError, "cannot start no-such-program"):
            async with spawn_agent(Quiet(), "no-such-program"):
                self.fail()
        with self.assertRaisesRegex(FileNotFoundError, "cannot start .*: '/no/such/folder'"):
            async with spawn_agent(Quiet(), *AGENT, cwd="/no/such/folder"):
                self.fail()

    async def test_the_choices_for_standard_error_are_named(self) -> None:
        choice: Any = "bogus"
        expected = "'bogus': expected one of 'inherit', 'capture', 'pipe', 'ignore'"
        with self.assertRaisesRegex(ValueError, expected):
            async with spawn_agent(Quiet(), *AGENT, stderr=choice):
                self.fail()

    async def test_a_process_that_never_listens(self) -> None:
        program = [sys.executable, "-c", "import sys; sys.exit('no such model')"]
        async with spawn_agent(Quiet(), *program, stderr="capture") as connection:
            for _ in range(2):
                with self.assertRaisesRegex(ConnectionClosedError, "exit code 1\nno such model"):
                    await connection.initialize(1)

    async def test_other_connections_have_no_process(self) -> None:
        near, far = rpc.pair()
        await far.close()
        async with ClientSideConnection(Quiet(), near) as connection:
            with self.assertRaisesRegex(ValueError, "no process"):
                _ = connection.child_process


class Lifetimes(Case):
    """Standard streams, and how processes begin and end."""

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

    async def test_files_are_read_and_written_by_threads_that_end(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            request, answer = Path(folder, "request"), Path(folder, "answer")
            request.write_text(
                '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}'
            )
            with request.open() as source, answer.open("w") as sink:
                agent = [sys.executable, str(HERE / "lingering.py")]
                process = await asyncio.create_subprocess_exec(*agent, stdin=source, stdout=sink)
                self.assertEqual(await process.wait(), 0)
            self.assertEqual(json.loads(answer.read_text())["id"], 1)

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


def is_alive(process: int) -> bool:
    """Whether there is a process of this id."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    unittest.main()
