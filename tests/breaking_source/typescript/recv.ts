// Reads a property that may now be absent.
import type { Fan } from "house";

export const faster = (fan: Fan): number => fan.speed + 1;
