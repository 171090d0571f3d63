// Requests to the server. Without an answer they are repeated; no login is needed.

const PATIENCE = 10_000;
const NOTHING_NEW = 204;
const FORBIDDEN = 403;
const GONE = 404;
const SERVER_ERROR = 500;

export class Unreachable extends Error {}
// The table's code is no longer valid; the message has the server's reason, if any.
export class Withdrawn extends Error {}

/**
 * @param {string} url
 * @param {RequestInit} options
 */
async function request(url, options = {}) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE);
  let answer;
  try {
    answer = await fetch(url, {
      credentials: "same-origin",
      cache: "no-store",
      signal: patience.signal,
      ...options,
    });
  } catch (error) {
    throw new Unreachable("", { cause: error });
  } finally {
    clearTimeout(timer);
  }
  if (answer.status >= SERVER_ERROR) throw new Unreachable(String(answer.status));
  if (answer.status === GONE) throw new Withdrawn();
  return answer;
}

/** @param {Response} answer */
const isJson = (answer) => answer.headers.get("Content-Type")?.startsWith("application/json");

/** @param {Response} answer */
async function json(answer) {
  try {
    return await answer.json();
  } catch (error) {
    throw new Unreachable("", { cause: error });
  }
}

/**
 * The newer state, or null if there is none.
 *
 * @param {string} since
 * @returns {Promise<TableState | null>}
 */
export async function fetchState(since) {
  const answer = await request(`stand/?since=${since}`, {
    headers: { Accept: "application/json" },
  });
  if (answer.status === NOTHING_NEW) return null;
  if (answer.status === FORBIDDEN && isJson(answer))
    throw new Withdrawn((await json(answer)).refused);
  if (!answer.ok || !isJson(answer)) throw new Unreachable(String(answer.status));
  return json(answer);
}

/**
 * The current rules of the list.
 *
 * @returns {Promise<Rules>}
 */
export async function fetchRules() {
  const answer = await request(location.pathname);
  if (!answer.ok) throw new Unreachable(String(answer.status));
  let text;
  try {
    text = await answer.text();
  } catch (error) {
    throw new Unreachable("", { cause: error });
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  return JSON.parse(page.getElementById("table-rules")?.textContent ?? "");
}

/**
 * Sends one entry.
 *
 * @param {{ key: string, kind: string, version: number }} payload
 * @returns {Promise<Answer>}
 */
export async function send(payload) {
  const answer = await request("senden/", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(payload),
  });
  if (isJson(answer)) return { status: answer.status, ...(await json(answer)) };
  throw new Unreachable(String(answer.status));
}
