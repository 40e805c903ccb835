"""JSON-RPC connections, whatever the protocol."""

from __future__ import annotations

from .connection import Connection
from .context import Context
from .lifetime import Lifetime
from .method import NONE, RAW, NotificationMethod, RequestMethod, Side
from .options import (
    ConnectionOptions,
    Failed,
    Ignored,
    Observed,
    Received,
    Sent,
    Unexpected,
)
from .peer import Peer, call, notify
from .process import spawn
from .rules import Cancels, Rules
from .stdio import stdio
from .transport import ByteReader, ByteWriter, Receiver, StreamTransport, Transport

__all__ = [
    "NONE",
    "RAW",
    "ByteReader",
    "ByteWriter",
    "Cancels",
    "Connection",
    "ConnectionOptions",
    "Context",
    "Failed",
    "Ignored",
    "Lifetime",
    "NotificationMethod",
    "Observed",
    "Peer",
    "Received",
    "Receiver",
    "RequestMethod",
    "Rules",
    "Sent",
    "Side",
    "StreamTransport",
    "Transport",
    "Unexpected",
    "call",
    "notify",
    "spawn",
    "stdio",
]
