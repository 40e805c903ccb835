// What fits, or is not understood, stays.
a  =  b;
// w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w 
  if (xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx) {
return f((a) => g(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx));
x = `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`;
// The measure is columns: wide characters take two.
  abcde = "完完完完完完完完完完完完完完完完完完完完完完完完完完完完完完完完完x";
  abcde = "完完完完完完完完完完完完完完完完完完完完完完完完完完完完完完完完完完x";
  abcde = "ßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßßx";
// A union goes to the next line before it breaks.
export type Abcdef =
  | "aaaaaaaaaaaaaaaaa"
  | "bbbbbbbbbbbbbbbbb"
  | "ccccccccccccccccc"
;
export type A =
  | "aaaaaaaaaaaaaaaaa"
  | "bbbbbbbbbbbbbbbbb"
  | "ccccccccccccccccc"
  | "ddddddddddddddddd"
;
// Tagged variants are in parentheses.
export type U =
  | Text & { type: "text" }
  | { type: "none" }
;
export type U =
  | (Text & { t: 1 })
;
export type U =
  | CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC & { type: "text" }
  | { type: "none" }
;
// Shared fields stand before the union.
} & (
  | A
  | B
);
} & (
  | A
);
} & (
  | AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
  | BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB
);
// Types break where prettier breaks them.
export type LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL = LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL | null;
  LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL?: LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL | null;
export type LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL = (LLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLLL | B)[];
// Signatures break at their parameters.
  subtract(params: SubtractRequest, options: CallOptions = {}): Promise<SubtractResponse> {
// Calls break at their arguments.
  const result = fill(contextcontextcontextcontext, valuevaluevaluevalue, resultresultresultresult);
export const DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD: Codec<T> = /* @__PURE__ */ codec(decodeShort);
// A group breaks only where it does not fit, with what follows up to its first break.
  ab(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb);
  ab(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb);
  ab(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb).c;
  ab(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb).c;
// A right side moves down when its beginning does not fit.
x = [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa];
xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx = [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa];
// A long string moves down unless its key is short.
  abcd: "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv",
  abcde: "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv",
  field = value["vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv"];
// Names of imports break unless there is one.
import type { AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA, BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB } from "./types.js";
import { AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB } from "./codecs.js";
