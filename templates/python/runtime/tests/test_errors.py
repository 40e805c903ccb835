"""Errors."""

from __future__ import annotations

import unittest
from typing import ClassVar

from acp_bindgen_runtime.errors import ConnectionLostError, RequestError, given


class LampError(RequestError):
    """An error of a protocol whose data tell a name."""

    _members: ClassVar[dict[int, tuple[str, ...]]] = {-32010: ("lamp",)}


class ErrorsTest(unittest.TestCase):
    """What errors say."""

    def test_an_error_tells_the_method_that_was_not_found(self) -> None:
        """It stands behind the message."""
        error = RequestError.method_not_found("lamps/find")
        self.assertEqual(str(error), "Method not found: lamps/find (-32601)")
        expected = {
            "code": -32601,
            "message": "Method not found",
            "data": {"method": "lamps/find"},
        }
        self.assertEqual(error.to_dict(), expected)

    def test_an_error_of_a_protocol_tells_what_its_data_hold(self) -> None:
        """It is of the protocol's class, whoever makes it."""
        error = LampError(-32010, "No lamp", {"lamp": "desk"})
        error.call = "lamps/on"
        self.assertEqual(str(error), "lamps/on: No lamp: desk (-32010)")
        self.assertIsInstance(LampError.request_cancelled(detail="dark"), LampError)

    def test_what_nobody_said_is_not_there(self) -> None:
        """Without any data there are none."""
        self.assertIsNone(given({"lamp": None}))
        self.assertEqual(given({"lamp": "desk", "room": None}), {"lamp": "desk"})
        self.assertEqual(str(ConnectionLostError("gone")), "connection lost: gone")


if __name__ == "__main__":
    unittest.main()
