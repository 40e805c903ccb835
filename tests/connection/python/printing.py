"""An agent that does what agents should not."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from typing import Any

from acp import run_agent
from wire import Plain


class Printing(Plain):
    """Uses standard streams for itself."""

    async def ext_method(self, method: str, params: Any, context: Any) -> Any:
        """Misbehave."""
        if method == "_die":
            os._exit(1)
        if method == "_pid":
            return os.getpid()
        print("printed")
        os.write(1, b"written\n")
        subprocess.run([sys.executable, "-c", "print('echoed')"], check=True)
        return {"read": sys.stdin.read()}


def main() -> None:
    """Serve, and perhaps go on."""
    how = sys.argv[1:]
    if how == ["stubborn"]:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print("before")
    asyncio.run(run_agent(Printing()))
    if how:
        time.sleep(600)


main()
