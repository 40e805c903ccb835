// Gives what may be asked for, takes what may be missing, and has a default: nothing here minds
// what is new.
import type { Door, Fan, Heater, Lamp, Mode } from "house";

export const door: Door = { open: true };
export const lamp: Lamp = { watts: 40 };
export const heater: Heater = { level: 1 };
export const faster = (fan: Fan): number => Number(fan.speed) + 1;
export const light = (mode: Mode): boolean => {
  switch (mode) {
    case "off":
      return false;
    default:
      return true;
  }
};
