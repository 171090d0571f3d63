// What this device keeps of a list: the last state it saw, and what it has not sent yet.
//
// IndexedDB, so that it is still there after the browser was closed or the device restarted. Half
// a game changes with each digit and is written at once, in localStorage: whoever loads the page
// anew waits for no write. A list is known by the path of its page.

const LISTS = "lists";
const OUTBOX = "outbox";
const DRAFT = "draft";

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * Resolves when it is on the disk, not when it was asked for.
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

function open() {
  const request = indexedDB.open("tisch", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(LISTS, { keyPath: "path" });
    const outbox = request.result.createObjectStore(OUTBOX, { keyPath: "id", autoIncrement: true });
    outbox.createIndex("path", "path");
  };
  return done(request);
}

/**
 * @param {string} path
 * @returns {Promise<Store>}
 */
export async function openStore(path) {
  const db = await open();
  /** @type {(name: string, act: (store: IDBObjectStore) => void) => Promise<void>} */
  const write = (name, act) => {
    const durability = name === OUTBOX ? "strict" : "default";
    const transaction = db.transaction(name, "readwrite", { durability });
    act(transaction.objectStore(name));
    return settled(transaction);
  };
  const draftKey = `${DRAFT} ${path}`;
  return {
    readDraft: () => JSON.parse(localStorage.getItem(draftKey) ?? "null"),
    keepDraft: (draft) => localStorage.setItem(draftKey, JSON.stringify(draft)),
    dropDraft: () => localStorage.removeItem(draftKey),
    read: () => done(db.transaction(LISTS).objectStore(LISTS).get(path)),
    update: (changes) =>
      write(LISTS, (lists) => {
        const request = lists.get(path);
        request.onsuccess = () => lists.put({ ...request.result, path, ...changes });
      }),
    // In the order in which they were entered.
    items: () => done(db.transaction(OUTBOX).objectStore(OUTBOX).index("path").getAll(path)),
    add: (item) => write(OUTBOX, (outbox) => outbox.add({ ...item, path })),
    put: (item) => write(OUTBOX, (outbox) => outbox.put(item)),
    putAll: (items) =>
      write(OUTBOX, (outbox) => {
        for (const item of items) outbox.put(item);
      }),
    remove: (id) => write(OUTBOX, (outbox) => outbox.delete(id)),
  };
}

// A key of its own for each entry, also where the page is served without https.
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
