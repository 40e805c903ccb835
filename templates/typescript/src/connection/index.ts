// What generated code needs of connections.

export { Connection } from "./connection.js";
export { Context } from "./context.js";
export type { Coder, Side } from "./method.js";
export { named, raw, rawObject } from "./method.js";
export type { CallOptions, ConnectionOptions } from "./options.js";
export { call, notify, Peer, type Route, sendBatch } from "./peer.js";
export type { Stream } from "./stream.js";
