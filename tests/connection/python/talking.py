"""An agent that says things on standard error, and ends as it is told."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from typing import Any

from acp import run_agent
from wire import Plain


class Talking(Plain):
    """Ends by extension methods."""

    async def ext_method(self, method: str, params: Any, context: Any) -> Any:
        """Say something, and perhaps end."""
        for line in params.get("say", []):
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
        if method == "_exit":
            os._exit(params["code"])
        if method == "_kill":
            os.kill(os.getpid(), signal.SIGKILL)
        return {"variable": os.environ.get("TALKING"), "path": os.environ.get("PATH")}


def main() -> None:
    """Serve, and take a while to end."""
    asyncio.run(run_agent(Talking()))
    if sys.argv[1:] == ["slow"]:
        time.sleep(0.3)
        sys.stderr.write("done\n")


main()
