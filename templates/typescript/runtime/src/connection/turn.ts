// Turns of the event loop.

/** Does something once all that is ready now has happened: all promises, too. */
export const afterTurn: (then: () => void) => void =
  /* @__PURE__ */ turnsOfPlatform();

/** The quickest way that a platform has. Tests put others in its place later on. */
function turnsOfPlatform(): (then: () => void) => void {
  const platform = globalThis as {
    readonly setImmediate?: (then: () => void) => unknown;
  };
  const { setImmediate } = platform;
  if (setImmediate !== undefined) {
    return (then) => {
      setImmediate(then);
    };
  }
  return (then) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      then();
    };
    port2.postMessage(null);
  };
}
