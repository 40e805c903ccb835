// Packages that are installed elsewhere.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Imports packages of a `node_modules` folder. */
export function installed(folder) {
  const { resolve } = createRequire(join(folder, "packages.cjs"));
  return (name) => import(pathToFileURL(resolve(name)));
}
