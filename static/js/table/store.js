// The storage of a list on this device: its last state, and the unsent entries.
//
// IndexedDB survives a restart of browser and device. A half-entered game changes with each digit
// and is written synchronously to localStorage, so that a reload loses nothing. The key of a list is
// the path of its page.
//
// While the database fails, the page keeps the outbox in memory, and writes it as soon as the
// database answers again, even into a new one if the old one was deleted.

import { Database, LISTS, NotKept, OUTBOX } from "./database.js";

const DRAFT = "draft";

/**
 * @param {string} path
 * @returns {Store}
 */
export function openStore(path) {
  /** @type {Map<number, Item>} as the database had them last */
  let known = new Map();
  /** @type {Map<number, Item | null>} what the database has not taken yet; null is to go */
  const behind = new Map();
  let isRead = false;
  const database = new Database(() => {
    for (const [id, item] of known) if (!behind.has(id)) behind.set(id, item);
  });

  const items = () => {
    const all = new Map(known);
    for (const [id, item] of behind)
      if (item) all.set(id, item);
      else all.delete(id);
    return [...all.values()].sort((a, b) => a.id - b.id).map((item) => ({ ...item }));
  };

  /** @param {{ insist?: boolean }} options */
  async function catchUp(options = {}) {
    /** @type {[number, Item | null][]} */
    let written = [];
    await database.run(
      OUTBOX,
      "readwrite",
      (outbox) => {
        written = [...behind];
        for (const [id, item] of written)
          if (item) outbox.put(item);
          else outbox.delete(id);
        return undefined;
      },
      options,
    );
    for (const [id, item] of written) {
      if (item) known.set(id, item);
      else known.delete(id);
      if (behind.get(id) === item) behind.delete(id);
    }
  }

  async function read() {
    if (behind.size > 0) await catchUp();
    const kept = await database.run(OUTBOX, "readonly", (outbox) =>
      outbox.index("path").getAll(path),
    );
    known = new Map((kept ?? []).map((item) => [item.id, item]));
    isRead = true;
  }

  /** @type {(...changes: [number, Item | null][]) => Promise<boolean>} */
  function write(...changes) {
    for (const [id, item] of changes) behind.set(id, item && { ...item, path });
    return works(catchUp());
  }

  const draftKey = `${DRAFT} ${path}`;
  return {
    readDraft: () => JSON.parse(fromDevice(() => localStorage.getItem(draftKey)) ?? "null"),
    keepDraft: (draft) =>
      fromDevice(() => localStorage.setItem(draftKey, JSON.stringify(draft))) ?? undefined,
    dropDraft: () => fromDevice(() => localStorage.removeItem(draftKey)) ?? undefined,
    read: async () => {
      try {
        return await database.run(LISTS, "readonly", (lists) => lists.get(path));
      } catch (error) {
        if (!(error instanceof NotKept)) throw error;
        return undefined;
      }
    },
    update: async (changes) => {
      const updating = database.run(LISTS, "readwrite", (lists) => {
        const request = lists.get(path);
        request.onsuccess = () => lists.put({ ...request.result, path, ...changes });
        return undefined;
      });
      await works(updating);
    },
    get isRead() {
      return isRead;
    },
    get isBehind() {
      return [...behind.values()].some((item) => item !== null);
    },
    // Later IDs are greater, even if the clock is set back or another window adds entries.
    newId: () =>
      Math.max(Date.now(), ...items().map(({ id }) => Math.floor(id) + 1)) + Math.random(),
    // In the order of entry.
    items: async () => {
      await works(read());
      return items();
    },
    add: async (item, options) => {
      behind.set(item.id, { ...item, path });
      const isKept = await works(catchUp(options));
      if (!isKept) behind.delete(item.id);
      return isKept;
    },
    put: (item) => write([item.id, item]),
    putAll: (all) => write(...all.map((item) => /** @type {[number, Item]} */ ([item.id, item]))),
    remove: (id) => write([id, null]),
  };
}

/**
 * Whether the database completed an act.
 *
 * @param {Promise<unknown>} asked
 */
async function works(asked) {
  try {
    await asked;
    return true;
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    return false;
  }
}

/**
 * @template T
 * @param {() => T} act
 */
function fromDevice(act) {
  try {
    return act();
  } catch {
    return null; // no storage, or a full one
  }
}

// A unique key for each entry, even without https.
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
