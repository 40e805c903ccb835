// Answers with what came of the conversations, in a worker.

import { talks } from "./talk.js";

export default {
  async fetch(request) {
    const url = new URL(request.url).searchParams.get("agent");
    return Response.json(await talks(url));
  },
};
