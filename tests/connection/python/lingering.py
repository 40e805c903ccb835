"""An agent whose threads are slow to end. Its exit status is how many are left when it has ended."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from unittest import mock

from acp import run_agent
from wire import Plain


class Slow(threading.Thread):
    """Goes on for a while when its work is done."""

    def run(self) -> None:
        """Work."""
        super().run()
        time.sleep(0.1)


with mock.patch("threading.Thread", Slow):
    asyncio.run(run_agent(Plain()))
sys.exit(threading.active_count() - 1)
