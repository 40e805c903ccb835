/* `export type Ghost = {};` in a comment is none, nor is `export type Text = "…"` in a string. */
export type LampId = string;
export interface LightLampParams {
  readonly lampId: LampId;
  _meta?: { [key: string]: unknown };
}
export declare class LightLampResult {
  brightness: number;
  constructor(brightness: number);
}
type Hidden = { url: string };
export type HTTPBulb = { url: string };
export type Tint = "warm_white" | "cold_white";
export type BrokenEvent = { kind: "broken" };
declare type Chamber = {
  name: string;
  floor: number;
  lamps?: Array<LampId>;
  bulb?: HTTPBulb;
  color?: Tint;
  event?: unknown;
  "wall-paper"?: string;
};
export { type Chamber as Chambers };
export type { Elsewhere } from "./elsewhere.js";
export interface Server {
  lightLamp(params: LightLampParams): Promise<LightLampResult>;
  dim(level: number): void;
}
export type Meta = { [key: string]: unknown } | null;
export class RequestError extends Error {
  code: number;
}
export declare class Router {
  route(name: string): void;
}
