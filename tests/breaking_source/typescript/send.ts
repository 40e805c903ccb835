// Leaves out a property that must now be there.
import type { Heater } from "house";

export const heater: Heater = {};
