// Keeps the page at the table and its files on the device, so that it opens without network.
// It does not handle entries: the page stores and sends them.

const FILES = {{ files|safe }};
const CACHE = "tisch-{{ version }}";
const PAGES = "tisch-seiten";
const PATIENCE = 4000; // a weak network is as good as none after so long
const GONE = 404;
const SERVER_ERROR = 500;

self.addEventListener("install", (event) => {
  const fresh = FILES.map((url) => new Request(url, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("tisch-") && name !== CACHE && name !== PAGES);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

const isPage = (path) => /^\/tisch\/[\w-]+\/$/.test(path);

// The first visit is loaded before this script runs; the page asks to be kept afterwards.
self.addEventListener("message", (event) => {
  const { keep } = event.data ?? {};
  if (keep && isPage(keep)) event.waitUntil(load(keep).catch(() => undefined));
});

async function load(path, options = {}) {
  const answer = await fetch(path, { credentials: "same-origin", ...options });
  const pages = await caches.open(PAGES);
  if (answer.ok && !answer.redirected) await pages.put(path, answer.clone());
  if (answer.status === GONE) await pages.delete(path);
  return answer;
}

// From the network if it answers soon, else the copy on the device.
async function page(path) {
  const kept = await caches.match(path, { cacheName: PAGES });
  if (!kept) return load(path);
  try {
    const answer = await load(path, { signal: AbortSignal.timeout(PATIENCE) });
    return answer.status >= SERVER_ERROR ? kept : answer;
  } catch {
    return kept;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate" && isPage(url.pathname)) event.respondWith(page(url.pathname));
  else if (FILES.includes(url.pathname)) {
    event.respondWith(caches.match(request, { cacheName: CACHE }).then((kept) => kept ?? fetch(request)));
  }
});
