"""Updates and round trips a second over standard streams.

With ours at both ends and with the official SDK at both ends, in turn.

    connections.py [ROUNDS]
    connections.py measure ours|official
    connections.py agent ours|official
"""

import asyncio
import os
import statistics
import subprocess
import sys
import time
from contextlib import asynccontextmanager

UPDATES = 50_000
ROUND_TRIPS = 10_000
TEXT = "some text of it"


async def prompt(text, update, call):
    """Do as often what the prompt says."""
    word, count = text.split(" ")
    for _ in range(int(count)):
        await (update() if word == "updates" else call())


def ours():
    """Give what a side needs of our SDK."""
    import ours as acp

    class Agent(acp.Agent):
        async def initialize(self, request, context):
            return acp.InitializeResponse(protocol_version=1)

        async def authenticate(self, request, context):
            pass

        async def cancel(self, request, context):
            pass

        async def new_session(self, request, context):
            return acp.NewSessionResponse(session_id="s")

        async def prompt(self, request, context):
            client = context.client

            def update():
                block = acp.ContentBlock.text(TEXT)
                return client.session_update(
                    "s", update=acp.SessionUpdate.agent_message_chunk(block)
                )

            def call():
                return client.read_text_file("s", path="/hello")

            await prompt(request.prompt[0].text, update, call)
            return acp.PromptResponse(stop_reason=acp.StopReason.END_TURN)

    class Client(acp.Client):
        updates = 0

        async def session_update(self, request, context):
            self.updates += 1

        async def request_permission(self, request, context):
            pass

        async def read_text_file(self, request, context):
            return acp.ReadTextFileResponse(content="hello")

    @asynccontextmanager
    async def talk():
        client = Client()
        command = [sys.executable, __file__, "agent", "ours"]
        async with acp.spawn_agent(client, *command) as agent:
            files = acp.FileSystemCapabilities(read_text_file=True)
            capabilities = acp.ClientCapabilities(fs=files)
            await agent.initialize(1, client_capabilities=capabilities)
            await agent.new_session("/", mcp_servers=[])
            yield client, lambda text: agent.prompt("s", prompt=[acp.ContentBlock.text(text)])

    return lambda: acp.run_agent(Agent()), talk


def official():
    """Give what a side needs of the official SDK."""
    import acp
    from acp.schema import ClientCapabilities, FileSystemCapabilities

    class Agent(acp.Agent):
        def on_connect(self, conn):
            self.client = conn

        async def initialize(self, protocol_version, **_):
            return acp.InitializeResponse(protocol_version=1)

        async def new_session(self, cwd, **_):
            return acp.NewSessionResponse(session_id="s")

        async def prompt(self, session_id, prompt, **_):
            client = self.client

            def update():
                chunk = acp.update_agent_message_text(TEXT)
                return client.session_update(session_id="s", update=chunk)

            def call():
                return client.read_text_file(session_id="s", path="/hello")

            await globals()["prompt"](prompt[0].text, update, call)
            return acp.PromptResponse(stop_reason="end_turn")

    class Client(acp.Client):
        updates = 0

        def on_connect(self, conn):
            pass

        async def session_update(self, session_id, update, **_):
            self.updates += 1

        async def read_text_file(self, path, session_id, **_):
            return acp.ReadTextFileResponse(content="hello")

    @asynccontextmanager
    async def talk():
        client = Client()
        command = [sys.executable, __file__, "agent", "official"]
        async with acp.spawn_agent_process(client, *command) as (agent, _process):
            files = FileSystemCapabilities(read_text_file=True)
            capabilities = ClientCapabilities(fs=files)
            await agent.initialize(protocol_version=1, client_capabilities=capabilities)
            await agent.new_session(cwd="/", mcp_servers=[])

            def say(text):
                return agent.prompt(session_id="s", prompt=[acp.text_block(text)])

            yield client, say

    return lambda: acp.run_agent(Agent()), talk


async def measure(talk):
    """Give things a second."""
    rates = {}
    async with talk() as (client, say):
        for what, count in [
            ("updates", UPDATES // 10),
            ("reads", ROUND_TRIPS // 10),
            ("updates", UPDATES),
            ("reads", ROUND_TRIPS),
        ]:
            client.updates = 0
            start = time.perf_counter()
            await say(f"{what} {count}")
            # An SDK that ends a call before the updates before it are handled is not done yet.
            while what == "updates" and client.updates < count:
                await asyncio.sleep(0)
            rates[what] = count / (time.perf_counter() - start)
    return rates


def run(role, who):
    """Be an agent, or measure one SDK once and print what came of it."""
    serve, talk = {"ours": ours, "official": official}[who]()
    if role == "agent":
        asyncio.run(serve())
        return
    for what, rate in asyncio.run(measure(talk)).items():
        print(what, rate)


def compare(rounds):
    """Measure both in turn, each in a process of its own, and print the medians."""
    rates = {}
    for _ in range(rounds):
        for who in ("ours", "official"):
            command = [sys.executable, __file__, "measure", who]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            for line in output.splitlines():
                what, rate = line.split()
                rates.setdefault((what, who), []).append(float(rate))
    for what, label in (("updates", "updates/s"), ("reads", "round trips/s")):
        mine, theirs = (statistics.median(rates[what, who]) for who in ("ours", "official"))
        print(f"{label}: ours {mine:,.0f}, official {theirs:,.0f}: {mine / theirs:.2f}x")
    print("load:", *(f"{load:.2f}" for load in os.getloadavg()))


if __name__ == "__main__":
    if sys.argv[1:2] in (["agent"], ["measure"]):
        run(*sys.argv[1:3])
    else:
        compare(int(sys.argv[1]) if sys.argv[1:] else 5)
