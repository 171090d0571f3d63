// What was entered here and has not reached the server yet, in order.
//
// Each entry knows the lines that stood in the list when it was made (`base`). If the server
// has other lines, a person decides. An entry gets the version it is sent under when it is
// first sent, and keeps it with its key: the same key again is answered as the first time.

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
export const REFUSED = "refused"; // the server says why not
export const DOUBT = "doubt"; // the server asks whether it is right so

const STALE = 409;
const POLL = 4000;
const SLOWEST = 15_000;
const LONGEST_ROUND = 20_000; // of another window, which may have been frozen in it

const MOST_TRIES = 3; // under a newer version, before a person is asked

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
  isSending = false; // what nothing here could keep
  hasFailed = false; // to keep and to send the last line or signature
  /** @type {boolean | string} true, or the sentence that says why the code opens nothing any more */
  withdrawn = false;

  /**
   * @param {{
   *   store: Store, state: TableState, offset: number, moved?: string, changed: () => void
   * }} parts
   */
  constructor({ store, state, offset, moved = "", changed }) {
    this.moved = moved; // when this device saw that other people sit there
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

  // What was entered here is neither on the device nor with the server.
  get isUnkept() {
    return this.hasFailed || (this.#store.isBehind && !this.online);
  }

  // Whether something else than the page says that nothing waits.
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
   * Stores first and sends then; resolves as soon as it is stored on the device, or with the server
   * where the device keeps nothing. Resolves to false if it is neither and a person has to decide.
   *
   * @template {Kind} K
   * @param {K} kind
   * @param {Bodies[K]} body
   * @param {People} people for whom it was made
   */
  async add(kind, body, people = peopleOf(this.#state)) {
    const act = /** @type {Act} */ ({ kind, body });
    const item = { ...act, base: this.lines, people, id: this.#store.newId(), ...fresh() };
    // A database that did not answer a moment ago is not waited for where the server does.
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
      await this.#nextRound(); // what was entered before goes first
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
   * Sends now or not at all: what makes no sense later.
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

  // A code that opens nothing any more is not asked for by itself: only when somebody comes back.
  #goOn() {
    // Who came during the round waits for the whole one that follows.
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

  // In order; behind an entry that waits for a person only what is about no line, like a call.
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
   * The list is another one than when the entry was sent.
   *
   * @param {Item} item
   * @param {TableState} state
   * @param {string | undefined} conflict
   */
  async #meetOther(item, state, conflict) {
    if (await this.#learn(state)) return undefined;
    if (isDone(item, this.#state)) return this.drop(item);
    // Something else than the lines was changed, or the same was written: nobody need be asked.
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
   * Whether the entry was made for the lines and the people the server has.
   *
   * @param {Item} item
   */
  #isMadeForThese(item) {
    return same(item.base, linesOf(this.#state)) && !isForOthers(item, this.#state);
  }

  /**
   * Whether the entry was made for what the server has; if not, a person is asked.
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
    // First, so that the entry is never missing in between.
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
   * Says whether there is something to send again.
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

  // That other people sit there is shown with their names, and kept until somebody has read it.
  /** @param {TableState} state */
  async #take(state) {
    const isMoved = !same(peopleOf(this.#state), peopleOf(state));
    this.#state = state;
    if (!isMoved) return;
    this.moved = state.now;
    await this.#store.update({ moved: this.moved });
  }

  // Before what waits already, which was entered for a list that has these lines.
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

  // --- What a person decides about the entry at the front ---

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

  // After a decision the entries behind it continue from what stands there then.
  async rebase() {
    let lines = linesOf(this.#state);
    const items = await this.#store.items();
    // Others may be on their way to the server this moment.
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
 * Two windows of one browser share the outbox; one of them sends at a time. What both send has the
 * same key, so nothing is entered twice where one is not waited for.
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
