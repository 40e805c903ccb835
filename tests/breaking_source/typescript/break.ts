// Reads a property that is gone.
import type { Lamp } from "house";

export const colour = (lamp: Lamp): string => lamp.colour ?? "white";
