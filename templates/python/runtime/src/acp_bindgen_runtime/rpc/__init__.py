"""JSON-RPC connections, whatever the protocol."""

from __future__ import annotations

from .connection import Connection
from .context import Context
from .lifetime import Lifetime
from .memory import pair
from .messages import AnyMessage, MessageTransport
from .method import NONE, RAW, NotificationMethod, RequestMethod, Side
from .observed import (
    Dropped,
    Failed,
    Forgiven,
    Ignored,
    Observed,
    Received,
    Sent,
    Unexpected,
)
from .options import ConnectionOptions
from .peer import Peer, call, notify
from .process import ChildProcess, ProcessTransport, StderrChoice, spawn
from .started import Call
from .stdio import stdio
from .transport import ByteReader, ByteWriter, Receiver, StreamTransport, Transport

__all__ = [
    "NONE",
    "RAW",
    "AnyMessage",
    "ByteReader",
    "ByteWriter",
    "Call",
    "ChildProcess",
    "Connection",
    "ConnectionOptions",
    "Context",
    "Dropped",
    "Failed",
    "Forgiven",
    "Ignored",
    "Lifetime",
    "MessageTransport",
    "NotificationMethod",
    "Observed",
    "Peer",
    "ProcessTransport",
    "Received",
    "Receiver",
    "RequestMethod",
    "Sent",
    "Side",
    "StderrChoice",
    "StreamTransport",
    "Transport",
    "Unexpected",
    "call",
    "notify",
    "pair",
    "spawn",
    "stdio",
]
