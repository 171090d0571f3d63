// The queue of entries that the server has not confirmed, in order.
//
// Each entry has the lines of the list at its creation (`base`). If the server has other lines, the
// user decides. The first request gives an entry its version, which it keeps with its key: the
// server answers a repeated key like the first time.

import { fetchState, send, Unreachable, Withdrawn } from "./api.js";
import { NotKept } from "./database.js";
import {
  apply,
  DEPENDS_ON_LINES,
  isDone,
  isForOthers,
  isWritten,
  linesOf,
  lostLines,
  peopleOf,
  same,
} from "./lines.js";
import { newKey } from "./store.js";

export const WAITING = "waiting";
export const CONFLICT = "conflict"; // the server has other lines
export const REFUSED = "refused"; // the server refuses with a reason
export const DOUBT = "doubt"; // the server asks for a confirmation

const STALE = 409;
const POLL = 4000;
const SLOWEST = 15_000;
const LONGEST_ROUND = 20_000; // milliseconds for another window, which may be frozen

const MOST_TRIES = 3; // with newer versions, before the user is asked

export class Outbox {
  #store;
  #state;
  /** @type {Item[]} */
  #items = [];
  #running = false;
  #again = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #failures = 0;
  /** @type {(() => void)[]} who waits for the end of a round */
  #waiting = [];
  #changed;

  online = true;
  isSending = false; // an entry that this device could not store
  hasFailed = false; // to store and to send the last line or signature
  /** @type {boolean | string} true, or the sentence that says why the code opens nothing any more */
  withdrawn = false;

  /**
   * @param {{
   *   store: Store, state: TableState, offset: number, moved?: string, changed: () => void
   * }} parts
   */
  constructor({ store, state, offset, moved = "", changed }) {
    this.moved = moved; // time at which this device saw other people at the table
    this.#store = store;
    this.#state = state;
    this.#changed = changed;
    this.offset = offset; // of the server's clock, in milliseconds
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

  // Whether an entry is neither on the device nor on the server.
  get isUnkept() {
    return this.hasFailed || (this.#store.isBehind && !this.online);
  }

  // Whether storage or server confirms that no entry waits.
  get isKnown() {
    return this.#store.isRead;
  }

  async start() {
    this.#items = await this.#store.items();
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.#reach(false));
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    this.wake();
  }

  /**
   * Stores an entry, then sends it. Resolves as soon as the device has stored it, or the server if
   * the device cannot; resolves to false if neither has and the user must decide.
   *
   * @template {Kind} K
   * @param {K} kind
   * @param {Bodies[K]} body
   * @param {People} people for whom it was made
   */
  async add(kind, body, people = peopleOf(this.#state)) {
    const act = /** @type {Act} */ ({ kind, body });
    const item = { ...act, base: this.lines, people, id: this.#store.newId(), ...fresh() };
    // Do not wait for a database that just failed if the server answers.
    const isKept = await this.#store.add(item, { insist: !this.online });
    if (!isKept) await this.#sendNow(item);
    if (DEPENDS_ON_LINES.has(kind)) this.hasFailed = false;
    await this.#show();
    this.wake();
    return isKept || !this.#items.some(({ id }) => id === item.id);
  }

  /** @param {Item} item */
  async #sendNow(item) {
    this.isSending = true;
    this.#changed();
    try {
      await this.#nextRound(); // earlier entries first
      if (this.#next()) throw new Unreachable();
      await exclusively(() => this.#send(item));
      const isWaiting = () => this.#items.some(({ id }) => id === item.id) && this.#next();
      if (isWaiting()) await this.#nextRound();
      if (isWaiting()) throw new Unreachable();
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Withdrawn)) throw error;
      await this.#store.remove(item.id);
      this.hasFailed ||= DEPENDS_ON_LINES.has(item.kind);
      throw new NotKept("", { cause: error });
    } finally {
      this.isSending = false;
      await this.#show();
    }
  }

  /** @returns {Promise<void>} */
  #nextRound() {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.wake();
    });
  }

  /**
   * Sends an act that is useless later: now, or not at all.
   *
   * @param {string} kind
   * @param {Record<string, unknown>} body
   */
  async direct(kind, body) {
    const answer = await send({ key: newKey(), kind, version: this.#state.version, ...body });
    if (answer.state && (await this.#learn(answer.state))) this.wake();
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
      this.#goOn();
    }
  }

  // An invalid code is polled only when the user returns to the page.
  #goOn() {
    // A call during a round waits for the complete next one.
    if (!this.#again) for (const resolve of this.#waiting.splice(0)) resolve();
    const delay = this.#again ? 0 : Math.min(POLL * (1 + this.#failures / 2), SLOWEST);
    if (this.#again || !this.withdrawn) this.#timer = setTimeout(() => this.wake(), delay);
    this.#again = false;
  }

  async #round() {
    this.#items = await this.#store.items();
    for (let item = this.#next(); item; item = this.#next()) await this.#send(item);
    if (document.hidden) return;
    const state = await fetchState(this.#state.since);
    if (state && (await this.#learn(state))) this.wake();
  }

  // In order. Behind an entry that waits for the user only those about no line, like a call.
  #next() {
    const stopped = this.#items.findIndex((item) => item.status !== WAITING);
    /** @type {(item: Item, at: number) => boolean} */
    const ready = (item, at) => stopped < 0 || at < stopped || !DEPENDS_ON_LINES.has(item.kind);
    return this.#items.find((item, at) => item.status === WAITING && ready(item, at));
  }

  /** @param {Item} item */
  async #send(item) {
    if (item.version === null) {
      if (!(await this.#fits(item))) return;
      item.version = this.#state.version;
      await this.#store.put(item);
    }
    const { key, kind, version, body } = item;
    const answer = await send({ key, kind, version, ...body });
    if (answer.ok && answer.state) await this.#finish(item, answer.state);
    else if (answer.status === STALE && answer.state)
      await this.#meetOther(item, answer.state, answer.conflict);
    else if (answer.ask)
      await this.#replace({ ...item, status: DOUBT, answer: { problems: answer.ask } });
    else
      await this.#replace({ ...item, status: REFUSED, answer: { problems: problemsIn(answer) } });
  }

  /**
   * Handles a list that changed after the entry was sent.
   *
   * @param {Item} item
   * @param {TableState} state
   * @param {string | undefined} conflict
   */
  async #meetOther(item, state, conflict) {
    if (await this.#learn(state)) return undefined;
    if (isDone(item, this.#state)) return this.drop(item);
    // Other facts than the lines changed, or the line is the same: no question is needed.
    const isNewer = this.#state.version !== item.version;
    const tries = (item.tries ?? 0) + 1;
    if (isNewer && this.#isMadeForThese(item) && tries <= MOST_TRIES) {
      return this.#replace({ ...item, ...fresh(), tries });
    }
    if (await this.#fits(item))
      await this.#replace({ ...item, status: CONFLICT, answer: { conflict } });
    return undefined;
  }

  /**
   * Whether the entry was made for the server's lines and people.
   *
   * @param {Item} item
   */
  #isMadeForThese(item) {
    return same(item.base, linesOf(this.#state)) && !isForOthers(item, this.#state);
  }

  /**
   * Whether the entry was made for the server's state; if not, the user is asked.
   *
   * @param {Item} item
   */
  async #fits(item) {
    if (!DEPENDS_ON_LINES.has(item.kind) || this.#isMadeForThese(item)) return true;
    if (isWritten(item, this.#state) && !isForOthers(item, this.#state)) await this.drop(item);
    else await this.#replace({ ...item, status: CONFLICT, answer: { conflict: "" } });
    return false;
  }

  /** @type {(item: Item, state: TableState) => Promise<void>} */
  async #finish(item, state) {
    // Stored first, so that the entry is never missing.
    await this.#take(state);
    await this.#store.remove(item.id);
    this.#items = await this.#store.items();
    await this.#learn(state);
  }

  /** @param {Item} item */
  async #replace(item) {
    await this.#store.put(item);
    await this.#show();
  }

  async #show() {
    this.#items = await this.#store.items();
    this.#changed();
  }

  /**
   * Returns whether entries have to be sent again.
   *
   * @param {TableState} state
   */
  async #learn(state) {
    const lost = lostLines(this.#state, state);
    const people = peopleOf(this.#state);
    this.offset = Date.parse(state.now) - Date.now();
    await this.#take(state);
    await this.#store.update({ state, offset: this.offset });
    if (lost.length > 0) await this.#sendAgain(lost, people);
    this.#changed();
    return lost.length > 0;
  }

  // A change of people is shown with their names until the user has read it.
  /** @param {TableState} state */
  async #take(state) {
    const isMoved = !same(peopleOf(this.#state), peopleOf(state));
    this.#state = state;
    if (!isMoved) return;
    this.moved = state.now;
    await this.#store.update({ moved: this.moved });
  }

  // Before the waiting entries, which were made for a list with these lines.
  /** @type {(lost: Line[], people: People) => Promise<void>} */
  async #sendAgain(lost, people) {
    const waiting = await this.#store.items();
    const base = linesOf(this.#state);
    for (const line of lost) {
      const body = /** @type {GameBody} */ ({ number: base.length + 1, line, confirmed: true });
      const id = this.#store.newId();
      await this.#store.put({ kind: "game", body, base: [...base], people, id, ...fresh() });
      base.push(line);
    }
    for (const item of waiting) {
      await this.#store.put({ ...item, id: this.#store.newId() });
      await this.#store.remove(item.id);
    }
    this.#items = await this.#store.items();
  }

  /** @type {(online: boolean, withdrawn?: boolean | string) => void} */
  #reach(online, withdrawn = false) {
    if (this.online === online && this.withdrawn === withdrawn) return;
    Object.assign(this, { online, withdrawn });
    this.#changed();
  }

  // --- Decisions of the user about the first entry ---

  /** @param {Item} item */
  async drop(item) {
    await this.#store.remove(item.id);
    await this.rebase();
  }

  /** @param {Item} item */
  confirm(item) {
    const body = /** @type {GameBody | ChangeBody} */ ({ ...item.body, confirmed: true });
    return this.rewrite(item, item.kind, body, item.people);
  }

  /**
   * @template {Kind} K
   * @param {Item} item
   * @param {K} kind
   * @param {Bodies[K]} body
   * @param {People} people for whom it is made now
   */
  async rewrite(item, kind, body, people = peopleOf(this.#state)) {
    const act = /** @type {Act} */ ({ kind, body });
    await this.#store.put({ ...item, ...act, people, ...fresh() });
    await this.rebase();
  }

  // After a decision the following entries are based on the new lines.
  async rebase() {
    let lines = linesOf(this.#state);
    const items = await this.#store.items();
    // Other entries may be in a request at this moment.
    const following = items.filter(
      (each) => each.status === WAITING && DEPENDS_ON_LINES.has(each.kind),
    );
    for (const item of following) {
      const next = lines.length + 1;
      if (item.kind === "game" && item.body.number > next) item.body.number = next;
      const follows = item.kind !== "game" || item.body.number === next;
      if (follows) Object.assign(item, { base: lines, version: null, key: newKey() });
      lines = apply(lines, item);
    }
    await this.#store.putAll(following);
    this.#items = items;
    this.#changed();
    this.wake();
  }
}

/** @returns {Pick<NewItem, "key" | "version" | "status" | "answer" | "tries">} */
const fresh = () => ({ key: newKey(), version: null, status: WAITING, answer: null, tries: 0 });

/** @type {(answer: Answer) => Problem[]} */
const problemsIn = ({ problems, refused, conflict }) =>
  problems ?? [{ where: "", message: refused ?? conflict ?? "" }];

/**
 * Two windows of one browser share the outbox; one of them sends at a time. Entries keep their key,
 * so a window that does not wait causes no duplicate.
 *
 * @param {() => Promise<void>} act
 */
async function exclusively(act) {
  if (!navigator.locks) return act();
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), LONGEST_ROUND);
  const locked = () => {
    clearTimeout(timer);
    return act();
  };
  try {
    return await navigator.locks.request("tisch-outbox", { signal: patience.signal }, locked);
  } catch (error) {
    if (error !== patience.signal.reason) throw error;
    return act();
  }
}
