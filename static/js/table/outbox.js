// What was entered here and has not reached the server yet, in order.
//
// Each entry knows the lines that stood in the list when it was made (`base`). If the server
// has other lines, a person decides. An entry gets the version it is sent under when it is
// first sent, and keeps it with its key: the same key again is answered as the first time.

import { fetchState, send, Unreachable, Withdrawn } from "./api.js";
import { plainLine, sameLine } from "./rules.js";
import { newKey } from "./store.js";

export const WAITING = "waiting";
export const CONFLICT = "conflict"; // the server has other lines
export const REFUSED = "refused"; // the server says why not
export const DOUBT = "doubt"; // the server asks whether it is right so

const NOT_ALLOWED = 403;
const STALE = 409;
const POLL = 4000;
const SLOWEST = 15_000;

const linesOf = (state) => state.games.map((game) => plainLine(game.line));
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// The lines after an entry, given those before it; the same if it stands there already.
export function apply(lines, { kind, body }) {
  if (kind === "game")
    return body.number === lines.length + 1 ? [...lines, plainLine(body.line)] : lines;
  if (kind !== "change") return lines;
  if (body.line === null) return body.number === lines.length ? lines.slice(0, -1) : lines;
  return lines.map((line, at) => (at === body.number - 1 ? plainLine(body.line) : line));
}

const DEPENDS_ON_LINES = new Set(["game", "change", "sign", "sign_paper"]);

export class Outbox {
  #store;
  #state;
  #items = [];
  #running = false;
  #again = false;
  #timer = 0;
  #failures = 0;
  #changed;

  constructor({ store, state, offset, changed }) {
    this.#store = store;
    this.#state = state;
    this.#changed = changed;
    this.offset = offset; // of the server's clock, in milliseconds
    this.online = true;
    this.withdrawn = false;
  }

  get state() {
    return this.#state;
  }

  get items() {
    return this.#items;
  }

  get lines() {
    return this.#items
      .filter((item) => item.status === WAITING)
      .reduce(apply, linesOf(this.#state));
  }

  async start() {
    this.#items = await this.#store.items();
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.#reach(false));
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    this.wake();
  }

  // Stores first and sends then; resolves as soon as it is stored on the device.
  async add(kind, body) {
    const item = {
      key: newKey(),
      kind,
      body,
      base: this.lines,
      version: null,
      status: WAITING,
      answer: null,
    };
    const id = await this.#store.add(item);
    this.#items = await this.#store.items();
    this.#changed();
    this.wake();
    return id;
  }

  // Sends now or not at all: what makes no sense later.
  async direct(kind, body) {
    const answer = await send({ key: newKey(), kind, version: this.#state.version, ...body });
    if (answer.state) await this.#learn(answer.state);
    return answer;
  }

  wake() {
    clearTimeout(this.#timer);
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#run();
  }

  async #run() {
    this.#running = true;
    try {
      await exclusively(() => this.#round());
      this.#failures = 0;
      this.#reach(true);
    } catch (error) {
      if (!(error instanceof Withdrawn || error instanceof Unreachable)) throw error;
      this.#failures += 1;
      this.#reach(false, error instanceof Withdrawn ? error.message || true : false);
    } finally {
      this.#running = false;
      const delay = this.#again ? 0 : Math.min(POLL * (1 + this.#failures / 2), SLOWEST);
      this.#again = false;
      this.#timer = setTimeout(() => this.wake(), delay);
    }
  }

  async #round() {
    this.#items = await this.#store.items();
    for (let item = this.#next(); item; item = this.#next()) await this.#send(item);
    if (document.hidden) return;
    const state = await fetchState(this.#state.since);
    if (state) await this.#learn(state);
  }

  // In order; behind an entry that waits for a person only what is about no line, like a call.
  #next() {
    const stopped = this.#items.findIndex((item) => item.status !== WAITING);
    const ready = (item, at) => stopped < 0 || at < stopped || !DEPENDS_ON_LINES.has(item.kind);
    return this.#items.find((item, at) => item.status === WAITING && ready(item, at));
  }

  async #send(item) {
    if (item.version === null) {
      if (!(await this.#fits(item))) return;
      item.version = this.#state.version;
      await this.#store.put(item);
    }
    const answer = await send({
      key: item.key,
      kind: item.kind,
      version: item.version,
      ...item.body,
    });
    if (answer.ok) return this.#finish(item, answer.state);
    if (answer.status === STALE) {
      await this.#learn(answer.state);
      if (isDone(item, this.#state)) return this.drop(item);
      // Something else than the lines was changed, or the same was written: nobody need be asked.
      const newer = this.#state.version !== item.version;
      if (newer && same(item.base, linesOf(this.#state)) && (item.tries ?? 0) < 3) {
        return this.#replace({
          ...item,
          key: newKey(),
          version: null,
          tries: (item.tries ?? 0) + 1,
        });
      }
      if (await this.#fits(item)) await this.#stop(item, CONFLICT, { conflict: answer.conflict });
      return undefined;
    }
    if (answer.ask) return this.#stop(item, DOUBT, { problems: answer.ask });
    if (answer.status === NOT_ALLOWED)
      return this.#stop(item, REFUSED, { problems: [{ where: "", message: answer.refused }] });
    return this.#stop(item, REFUSED, {
      problems: answer.problems ?? [
        { where: "", message: answer.refused ?? answer.conflict ?? "" },
      ],
    });
  }

  // Whether the entry was made for the lines the server has; if not, a person is asked.
  async #fits(item) {
    const lines = linesOf(this.#state);
    if (!DEPENDS_ON_LINES.has(item.kind) || same(item.base, lines)) return true;
    const theirs = item.kind === "game" && this.#state.games[item.body.number - 1];
    if (theirs && sameLine(theirs.line, item.body.line)) {
      await this.#store.remove(item.id);
      await this.rebase();
      return false;
    }
    await this.#stop(item, CONFLICT, { conflict: "" });
    return false;
  }

  async #finish(item, state) {
    // First, so that the entry is never missing in between.
    this.#state = state;
    await this.#store.remove(item.id);
    this.#items = await this.#store.items();
    await this.#learn(state);
  }

  async #stop(item, status, answer) {
    await this.#replace({ ...item, status, answer });
  }

  async #replace(item) {
    await this.#store.put(item);
    this.#items = await this.#store.items();
    this.#changed();
  }

  async #learn(state) {
    this.#state = state;
    this.offset = Date.parse(state.now) - Date.now();
    await this.#store.update({ state, offset: this.offset });
    this.#changed();
  }

  // withdrawn: true, or the sentence that says why the code opens nothing any more.
  #reach(online, withdrawn = false) {
    if (this.online === online && this.withdrawn === withdrawn) return;
    Object.assign(this, { online, withdrawn });
    this.#changed();
  }

  // --- What a person decides about the entry at the front ---

  async drop(item) {
    await this.#store.remove(item.id);
    await this.rebase();
  }

  async confirm(item) {
    await this.#store.put({ ...item, ...fresh(), body: { ...item.body, confirmed: true } });
    await this.rebase();
  }

  async rewrite(item, kind, body) {
    await this.#store.put({ ...item, ...fresh(), kind, body });
    await this.rebase();
  }

  // After a decision the entries behind it continue from what stands there then.
  async rebase() {
    let lines = linesOf(this.#state);
    const items = await this.#store.items();
    // Others may be on their way to the server this moment.
    const following = items.filter(
      (each) => each.status === WAITING && DEPENDS_ON_LINES.has(each.kind),
    );
    for (const item of following) {
      if (item.kind === "game" && item.body.number > lines.length)
        item.body.number = lines.length + 1;
      const follows = item.kind !== "game" || item.body.number === lines.length + 1;
      if (follows) Object.assign(item, { base: lines, version: null, key: newKey() });
      lines = apply(lines, item);
    }
    await this.#store.putAll(following);
    this.#items = items;
    this.#changed();
    this.wake();
  }
}

const fresh = () => ({ key: newKey(), version: null, status: WAITING, answer: null, tries: 0 });

// What somebody else did meanwhile need not be done again.
function isDone({ kind, body }, state) {
  if (kind === "call") return state.call !== null;
  if (kind === "sign") return state.signatures.some((signature) => signature.seat === body.seat);
  return kind === "sign_paper" && state.status === "signed";
}

// Two windows of one browser share the outbox; one of them sends at a time.
const exclusively = (act) =>
  navigator.locks ? navigator.locks.request("tisch-outbox", act) : act();
