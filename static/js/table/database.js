// A connection to IndexedDB that survives its end by the browser, as iOS ends it on a locked phone.

const NAME = "tisch";
const VERSION = 1;
export const LISTS = "lists";
export const OUTBOX = "outbox";
const MADE = "made"; // an empty store whose name identifies our database
const PATIENCE = 2000; // milliseconds for one attempt; some browsers never answer
const PAUSE = 15_000; // milliseconds after two failed attempts until the next optional one

// Thrown if nothing has stored the value.
export class NotKept extends Error {}

/**
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
function inTime(promise) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), PATIENCE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** @type {(request: IDBOpenDBRequest) => Promise<IDBDatabase>} */
const opened = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * Resolves when the transaction is complete, not when the request succeeds.
 *
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
const settled = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });

export class Database {
  /** @type {Promise<IDBDatabase> | null} */
  #connection = null;
  #pausesUntil = 0;
  /** @type {string | null | undefined} names the database that was opened last */
  #made = null;
  #lost;

  /** @param {() => void} lost is called when it is another database than before: that one is gone */
  constructor(lost) {
    this.#lost = lost;
  }

  /**
   * Runs an act in a transaction, and again over a new connection if it fails.
   *
   * @template T
   * @param {string} name of the object store
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest<T> | undefined} act
   * @param {{ insist?: boolean }} options
   * @returns {Promise<T | undefined>} what the request of the act brought
   */
  async run(name, mode, act, { insist = false } = {}) {
    if (!insist && Date.now() < this.#pausesUntil) throw new NotKept();
    try {
      return await this.#attempt(name, mode, act);
    } catch {
      this.#leave();
    }
    try {
      return await this.#attempt(name, mode, act);
    } catch (error) {
      this.#leave();
      this.#pausesUntil = Date.now() + PAUSE;
      throw new NotKept("", { cause: error });
    }
  }

  /**
   * @template T
   * @param {string} name
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest<T> | undefined} act
   */
  async #attempt(name, mode, act) {
    const result = await inTime(this.#transact(name, mode, act));
    this.#pausesUntil = 0;
    return result;
  }

  /**
   * @template T
   * @param {string} name
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => IDBRequest<T> | undefined} act
   */
  async #transact(name, mode, act) {
    this.#connection ??= this.#connect();
    const database = await this.#connection;
    const durability = name === OUTBOX && mode === "readwrite" ? "strict" : "default";
    const transaction = database.transaction(name, mode, { durability });
    const request = act(transaction.objectStore(name));
    await settled(transaction);
    return request?.result;
  }

  async #connect() {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(LISTS, { keyPath: "path" });
      const keys = { keyPath: "id", autoIncrement: true };
      request.result.createObjectStore(OUTBOX, keys).createIndex("path", "path");
      // Another window of this device may create the new database.
      request.result.createObjectStore(`${MADE} ${Date.now()} ${Math.random()}`);
    };
    const database = await opened(request);
    const made = [...database.objectStoreNames].find((name) => name.startsWith(MADE));
    if (this.#made !== null && this.#made !== made) this.#lost();
    this.#made = made;
    // Do not block a deletion or an upgrade by another window.
    database.onversionchange = () => this.#leave();
    database.onclose = () => this.#leave();
    return database;
  }

  #leave() {
    this.#connection?.then(
      (database) => database.close(),
      () => {}, // it was never open
    );
    this.#connection = null;
  }
}
