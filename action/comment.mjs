// Writes a report as a comment on a pull request, in place of the one it wrote before.
//
// Takes TOKEN, REPORT, PULL_REQUEST and SCHEMA from the environment, as action.yml says. Where the
// token may not write, as that of a pull request from a fork, it warns.

import { readFileSync } from "node:fs";

const { GITHUB_API_URL, GITHUB_REPOSITORY, TOKEN, REPORT, PULL_REQUEST, SCHEMA } = process.env;

/** The most characters that a comment holds, and room for a note. */
const LONGEST = 65_536 - 500;

/** The first line of the comment, which is not shown. A schema has a comment of its own. */
const marker = `<!-- acp-bindgen diff ${(SCHEMA ?? "").replaceAll(/[^\w./]/g, "_")} -->`;

async function api(method, path, body) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues/${path}`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}`, Accept: "application/vnd.github+json" },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status} ${response.statusText}`);
  }
  return response.json();
}

/** The comment that was written before. Nobody's but a bot's: anyone can write the marker. */
async function previous() {
  for (let page = 1; ; page += 1) {
    const comments = await api("GET", `${PULL_REQUEST}/comments?per_page=100&page=${page}`);
    const found = comments.find(({ body, user }) => user?.type === "Bot" && body?.startsWith(marker));
    if (found !== undefined || comments.length < 100) {
      return found;
    }
  }
}

/** The report, or as many of its lines as a comment holds. */
function fitting(report) {
  if (report.length <= LONGEST) {
    return report;
  }
  const lines = report.slice(0, report.lastIndexOf("\n", LONGEST));
  return `**The report is too long for a comment. All of it is in the job's summary.**\n\n${lines}\n`;
}

try {
  const body = `${marker}\n${fitting(readFileSync(REPORT, "utf8"))}`;
  const comment = await previous();
  if (comment === undefined) {
    await api("POST", `${PULL_REQUEST}/comments`, { body });
  } else if (comment.body !== body) {
    await api("PATCH", `comments/${comment.id}`, { body });
  }
} catch (error) {
  console.log(`::warning::There is no comment on the pull request: ${error.message}`);
}
