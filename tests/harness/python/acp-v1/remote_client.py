"""The client of `client.py`, with an agent at a URL."""

from __future__ import annotations

import asyncio
import json
import ssl
import sys
from typing import Any

from acp import CallError, connect_agent, remote
from client import Harness


async def main(url: str, over: Any, options: dict[str, Any]) -> int:
    """Have the conversation. Gives the exit status."""
    client = Harness()
    is_old = options.get("http1", False)
    tls = ssl.create_default_context(cafile=options["ca"]) if "ca" in options else None
    headers = options.get("headers")
    limits = remote.Limits(
        session_wait=options.get("sessionWait", 10.0),
        opening=options.get("opening", 30.0),
        body=options.get("body", 1 << 26),
        ping=options.get("ping", 20.0),
    )
    server = remote.Remote(
        url, over=over, headers=headers, http1=is_old, tls=tls, limits=limits
    )
    try:
        return await talk(client, server)
    finally:
        # Whatever is called at its end may still run.
        await asyncio.sleep(0)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        if left:
            sys.stderr.write(f"left behind: {left}\n")


async def talk(client: Harness, server: remote.Remote) -> int:
    """Have the conversation. Gives the exit status."""
    try:
        async with connect_agent(client, server) as agent:
            return 0 if await client.talk(agent) else 1
    except CallError as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    words = sys.argv[1:]
    if len(words) < 2:
        sys.exit("usage: remote-client URL http|websocket|auto [OPTIONS]")
    given = json.loads(words[2]) if len(words) > 2 else {}
    sys.exit(asyncio.run(main(words[0], words[1], given)))
