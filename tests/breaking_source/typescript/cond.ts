// Looks at every value of a closed enum, and at no other.
import type { Mode } from "house";

export const light = (mode: Mode): boolean => {
  switch (mode) {
    case "on":
      return true;
    case "off":
      return false;
    default: {
      const nothingElse: never = mode;
      return nothingElse;
    }
  }
};
