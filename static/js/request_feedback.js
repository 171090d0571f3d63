// What shows that something is on its way, that it failed, and that it is sent once only.

const root = document.documentElement;
const texts = /** @type {PageTexts} */ ({ ...document.getElementById("texts")?.dataset });
const RESEND_AFTER = 8000;
let waiting = 0;

// Requests that the page makes by itself (every 2s, load) have no event behind them.
/** @param {HtmxEvent} event */
const byPerson = (event) => Boolean(event.detail.requestConfig?.triggeringEvent);

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!byPerson(event)) return;
  waiting += 1;
  root.dataset.busy = "";
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!byPerson(event)) return;
  waiting = Math.max(0, waiting - 1);
  if (waiting === 0) delete root.dataset.busy;
});

// No connection: said once, taken back as soon as the server answers again.
/** @type {HTMLElement | null} */
let note = null;

function showOffline() {
  if (note) return;
  note = document.createElement("p");
  note.className = "offline-note";
  note.setAttribute("role", "status");
  document.body.append(note);
  note.textContent = texts.offline;
}

document.addEventListener("htmx:sendError", showOffline);
document.addEventListener("htmx:timeout", showOffline);
document.addEventListener("htmx:afterOnLoad", () => {
  note?.remove();
  note = null;
});

// What the server itself says of it, as that the disk is full.
/** @param {XMLHttpRequest} answer */
function refusal(answer) {
  const isJson = answer.getResponseHeader("Content-Type")?.startsWith("application/json");
  return isJson ? JSON.parse(answer.responseText).refused : undefined;
}

// An answer that is not shown (403, 404, 500) must not look as if nothing had happened.
document.addEventListener("htmx:responseError", (event) => {
  const messages = document.getElementById("messages");
  if (!messages || !byPerson(event)) return;
  const alert = document.createElement("div");
  alert.className = "alert error";
  alert.setAttribute("role", "alert");
  const text = document.createElement("div");
  text.textContent = refusal(event.detail.xhr) ?? texts.failed;
  alert.append(text);
  messages.replaceChildren(alert);
  messages.scrollIntoView({ block: "nearest" });
});

// A part that asks for news by itself and is replaced meanwhile: its answer is older than what
// stands there now, and has no place any more.
/** @type {Element | null} */
let answered = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  answered = event.detail.target;
});

document.addEventListener("htmx:beforeCleanupElement", ({ target }) => {
  if (target === answered || !(target instanceof Element)) return;
  if (!target.matches(".htmx-request[hx-trigger^='every']")) return;
  target.dispatchEvent(new CustomEvent("htmx:abort", { bubbles: true, detail: {} }));
});

// A second click on the same button while the first is on its way does nothing.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
  if (form.method !== "post") return;
  if ("sending" in form.dataset) {
    event.preventDefault();
    return;
  }
  form.dataset.sending = "";
  // An answer that is a file leaves the page standing.
  setTimeout(() => delete form.dataset.sending, RESEND_AFTER);
});

addEventListener("pageshow", () => {
  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll("form[data-sending]");
  for (const form of forms) delete form.dataset.sending;
});
