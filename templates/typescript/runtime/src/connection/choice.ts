// What is chosen of what was offered.

import { malformed } from "./link.js";

/** The option that was chosen. An answer that names none of them is malformed. */
export function chosen<Option>(
  options: readonly Option[],
  key: keyof Option,
  id: string,
): Option {
  const found = options.find((option) => option[key] === id);
  if (found === undefined) throw malformed(`\`${id}\` was not offered`);
  return found;
}
