// Calls whose results come in pieces.

export * from "./streams/call.js";
export * from "./streams/join.js";
