"""How streams of events are cut into messages, and lines into frames."""

from __future__ import annotations

import unittest

from acp.runtime.remote.lines import one_line
from acp.runtime.remote.sse import Event, Events, TooLongError, farewell, written

STREAM = (
    b"\xef\xbb\xbf: hello\r\n\r\nevent: message\rid: 1\rdata: {\"a\":\rdata:1}\r\r"
    b"after: 3\ndata:  x \n\n\n\ndata\n\nretry: 5\n\ndata: lost"
)
EVENTS = [Event(b'{"a": 1}'), Event(b" x ", 3), Event(b"")]


class Cutting(unittest.TestCase):
    """From bytes to events."""

    def test_pieces_do_not_matter(self) -> None:
        for size in range(1, len(STREAM)):
            events = Events(1000)
            found: list[Event] = []
            for begin in range(0, len(STREAM), size):
                found += events.feed(STREAM[begin : begin + size])
            self.assertEqual(found, EVENTS, size)

    def test_what_is_written_is_read(self) -> None:
        events = Events(1000)
        stream = written(b'{"x":1}', None) + written(b"[]", 12) + farewell("too\nlong")
        self.assertEqual(events.feed(stream), [Event(b'{"x":1}'), Event(b"[]", 12)])
        self.assertEqual(events.reason, "too long")

    def test_an_event_may_be_too_long(self) -> None:
        for stream in [b"data: " + b"x" * 200, b"data: xxxxxxxxx\n" * 20, b":" * 200]:
            events = Events(100)
            with self.assertRaises(TooLongError):
                for at in range(len(stream)):
                    events.feed(stream[at : at + 1])

    def test_numbers_that_are_none_are_passed_over(self) -> None:
        stream = b"after: x\ndata: 1\n\nafter: 9999999999\ndata: 2\n\nafter:\ndata: 3\n\n"
        self.assertEqual([it.after for it in Events(100).feed(stream)], [None] * 3)


class Lines(unittest.TestCase):
    """From messages to lines."""

    def test_line_breaks_between_tokens_are_spaces(self) -> None:
        self.assertEqual(one_line(b'{\r\n"method":\n"x"}'), b'{\r "method": "x"}')

    def test_what_is_no_json_does_not_become_json(self) -> None:
        for line in [b'{"method":"x\ny"}', b'{"id":1}\n{"id":2}', b'{"a\nb":1}']:
            self.assertNotIn(b"\n", one_line(line))
            self.assertIn(b"\0", one_line(line))
