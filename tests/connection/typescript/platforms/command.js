// Prints what came of the conversations, in Deno and Bun.

import { talks } from "./talk.js";

console.log(JSON.stringify(await talks(globalThis.process.argv[2])));
