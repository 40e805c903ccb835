// Names a type that is gone.
import type { Spare } from "house";

export const spares: Spare[] = [];
