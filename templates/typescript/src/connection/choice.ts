// What is chosen of what was offered.

import { malformed } from "./link.js";

/** The option that was chosen. An answer that names none of them is malformed. */
export function chosen<Option>(
  options: readonly Option[],
  id: (option: Option) => unknown,
  key: string,
): Option {
  const found = options.find((option) => id(option) === key);
  if (found === undefined) throw malformed(`\`${key}\` was not offered`);
  return found;
}
