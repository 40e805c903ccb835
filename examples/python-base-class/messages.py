"""What all messages of this project have in common."""

from __future__ import annotations

from msgspec import Struct, structs


class Message(Struct, gc=False):
    """The base class of every generated struct."""

    def __repr__(self) -> str:
        """Say what the message holds, without the fields that are as they are by default."""
        fields = [
            (it.name, getattr(self, it.name), it.default) for it in structs.fields(self)
        ]
        shown = [
            f"{name}={value!r}"
            for name, value, default in fields
            if value is not default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"
