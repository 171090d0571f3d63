// Feedback on requests: running, failed, offline; and protection against double submits.

const root = document.documentElement;
const texts = /** @type {PageTexts} */ ({ ...document.getElementById("texts")?.dataset });
const RESEND_AFTER = 8000;
let waiting = 0;

// Requests that the page starts itself (every 2s, load) have no triggering event.
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

// No connection: one note, removed as soon as the server answers.
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

// The server's own message, such as a full disk.
/** @param {XMLHttpRequest} answer */
function refusal(answer) {
  const isJson = answer.getResponseHeader("Content-Type")?.startsWith("application/json");
  return isJson ? JSON.parse(answer.responseText).refused : undefined;
}

// htmx does not show these answers (403, 404, 500), so the error is shown here.
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

// Aborts the poll of a part that is replaced meanwhile: its answer would be older than the
// present content.
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

// A second submit of the same form during the first one has no effect.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
  if (form.method !== "post") return;
  if ("sending" in form.dataset) {
    event.preventDefault();
    return;
  }
  form.dataset.sending = "";
  // A download as answer leaves the page in place.
  setTimeout(() => delete form.dataset.sending, RESEND_AFTER);
});

addEventListener("pageshow", () => {
  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll("form[data-sending]");
  for (const form of forms) delete form.dataset.sending;
});
