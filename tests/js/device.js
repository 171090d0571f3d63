// What surrounds the outbox on a device, without a browser: a store in memory, and a network with
// the tournament's computer behind it that can be cut off.

import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { sameLine } from "../../static/js/table/rules.js";

globalThis.document = {
  hidden: false,
  cookie: "",
  addEventListener() {},
  querySelector: () => null,
};
globalThis.location = { pathname: "/tisch/abc/" };
globalThis.addEventListener = () => {};

// What is to happen at once happens; the outbox's next look, seconds later, is none of a test's.
mock.timers.enable({ apis: ["setTimeout"] });

export async function until(condition) {
  for (let turns = 0; turns < 1000; turns += 1) {
    if (condition()) return;
    mock.timers.tick(1);
    await turn();
  }
  throw new Error(`never came true: ${condition}`);
}

// As IndexedDB keeps things: in order, as copies.
export class MemoryStore {
  #items = new Map();
  #last = 0;
  kept = {};
  fails = false; // keeps nothing that is new
  isRead = true;
  isBehind = false;

  async read() {
    return this.kept;
  }

  async update(changes) {
    Object.assign(this.kept, structuredClone(changes));
  }

  async items() {
    return structuredClone([...this.#items.values()]);
  }

  newId() {
    this.#last += 1;
    return this.#last;
  }

  async add(item) {
    if (this.fails) return false;
    return this.put(item);
  }

  async put(item) {
    this.#items.set(item.id, structuredClone(item));
    return !this.fails;
  }

  async putAll(items) {
    for (const item of items) await this.put(item);
  }

  async remove(id) {
    this.#items.delete(id);
  }
}

// Takes games as the real one does: an entry counts for the version it was made for, and a key that
// was answered is answered the same again.
export class Server {
  lines = [];
  people = [1, 2, 3, 4]; // start numbers, seat 1 first
  version = 1;
  call = null;
  signatures = [];
  isReachable = true;
  losesAnswers = false;
  /** What it says instead to the next sendings: [status, body]. */
  says = [];
  received = [];
  #answered = new Map();

  constructor() {
    globalThis.fetch = (url, options) => this.#fetch(url, options);
  }

  get state() {
    const games = this.lines.map((line, at) => ({ number: at + 1, line }));
    const { version, call, signatures } = this;
    const since = JSON.stringify([version, call]);
    const players = this.people.map((number, at) => ({
      seat: at + 1,
      number,
      name: `P ${number}`,
    }));
    return structuredClone({
      players,
      since,
      version,
      games,
      call,
      signatures,
      status: "open",
      is_keeper: true,
      now: "2030-05-04T10:00:00Z",
    });
  }

  // Somebody else writes a game meanwhile.
  write(line) {
    this.lines.push(line);
    this.version += 1;
  }

  // The Spielleitung puts people at other seats.
  seat(...people) {
    this.people = people;
    this.version += 1;
  }

  // Another laptop takes over, which does not know the last games.
  forget(games) {
    this.lines.splice(-games);
    this.version -= games;
    this.#answered.clear();
  }

  async #fetch(url, { body } = {}) {
    if (!this.isReachable) throw new TypeError("no network");
    if (url.startsWith("stand/")) return this.#news(url.slice("stand/?since=".length));
    const payload = JSON.parse(body);
    this.received.push(payload);
    const [status, answer] =
      this.#answered.get(payload.key) ?? this.says.shift() ?? this.#take(payload);
    if (answer.ok) this.#answered.set(payload.key, [status, answer]);
    if (this.losesAnswers) throw new TypeError("connection lost");
    return Response.json(answer, { status });
  }

  #news(since) {
    return since === this.state.since
      ? new Response(null, { status: 204 })
      : Response.json(this.state);
  }

  #take({ kind, version, number, line, call_kind }) {
    const isTaken = kind === "call" ? this.call !== null : version !== this.version;
    if (isTaken) return [409, { ok: false, conflict: "Inzwischen geändert.", state: this.state }];
    if (kind === "game" && number === this.lines.length + 1) this.write(line);
    else if (kind === "change") this.#change(number, line);
    else if (kind === "call") this.call = { kind: call_kind, state: "open" };
    else return [422, { ok: false, problems: [{ where: "", message: "Das gibt es hier nicht." }] }];
    return [200, { ok: true, state: this.state }];
  }

  #change(number, line) {
    if (line === null) this.lines.pop();
    else if (!sameLine(this.lines[number - 1], line)) this.lines[number - 1] = line;
    this.version += 1;
  }
}
