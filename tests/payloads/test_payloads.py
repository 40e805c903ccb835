"""Each aggregate reads what every one of its methods carries."""

from __future__ import annotations

import json
import unittest
from pathlib import Path

import sdk
from sdk import DecodeError, codecs

CASES = json.loads(Path("cases.json").read_text(encoding="utf-8"))


class PayloadsTest(unittest.TestCase):
    """Reads examples."""

    def test_examples(self) -> None:
        """Read each as the codec of its type does."""
        for case in CASES:
            with self.subTest(case["name"], method=case["method"]):
                decode = getattr(sdk, case["function"])
                text = json.dumps(case["value"])
                read = decode(case["method"], text)
                with self.assertRaises(KeyError):
                    decode("no/such", text)
                if case["type"] is None:
                    self.assertEqual(read, case["value"])
                    continue
                codec = getattr(codecs, f"{case['type']}Codec")
                self.assertEqual(read, codec.decode(text))
                self.assertIsNotNone(getattr(sdk, case["name"]))
                with self.assertRaises(DecodeError) as caught:
                    decode(case["method"], b"7")
                self.assertEqual(caught.exception.path, case["part"])

    @unittest.skipUnless(hasattr(sdk, "decode_lamp_response"), "another protocol")
    def test_what_is_absent(self) -> None:
        """Read what was left out."""
        self.assertEqual(sdk.decode_any_lamp_request("read"), sdk.ReadRequest())
        with self.assertRaises(DecodeError):
            sdk.decode_any_lamp_request("switch")
        for result in (None, b" null ", "{}", memoryview(b"{}")):
            read = sdk.decode_lamp_response("read", result)
            self.assertEqual(read, sdk.ReadResponse(watts=40))
            self.assertIsNone(sdk.decode_lamp_response("switch", result))
        with self.assertRaises(DecodeError):
            sdk.decode_lamp_response("switch", b"1")


if __name__ == "__main__":
    unittest.main()
