import assert from "node:assert/strict";
import { test } from "node:test";

import {
  type DataMembers,
  detailed,
  given,
  RequestError,
} from "./request-error.js";

/** An error of a protocol whose data tell a name. */
class LampError extends RequestError {
  static override readonly members: DataMembers = { [-32010]: ["lamp"] };
}

void test("an error tells the method that was not found", () => {
  const error = RequestError.methodNotFound("lamps/find");
  assert.equal(
    String(error),
    "RequestError: Method not found: lamps/find (-32601)",
  );
  assert.deepEqual(JSON.parse(JSON.stringify(error)), {
    code: -32601,
    message: "Method not found",
    data: { method: "lamps/find" },
  });
});

void test("an error of a protocol tells what its data hold", () => {
  const error = new LampError(-32010, "No lamp", { lamp: "desk" }, "lamps/on");
  assert.equal(String(error), "RequestError: lamps/on: No lamp: desk (-32010)");
  assert.ok(LampError.requestCancelled() instanceof LampError);
});

void test("what nobody said is in no message and in no data", () => {
  assert.equal(detailed("No lamp", undefined), "No lamp");
  assert.equal(detailed("No lamp", "dark"), "No lamp: dark");
  assert.equal(given({ lamp: undefined }), undefined);
  assert.deepEqual(given({ lamp: "desk" }), { lamp: "desk" });
});
