// The desk: one field, in which typing never waits for the server.
//
// Enter and F2 take the value out of the field, which is free for the next name. Steps that must
// wait are queued in `ahead`, so typed letters never get into an element that an answer adds. The
// form of a new person is already on the page.
//
// F2 enters a new person, F4 chooses a person with a similar name, F8 swaps last and first name,
// F9 adds a person to a joint payment, Enter in the empty field takes the money for it, with Shift
// by card. Escape empties the field or closes the form.

import { splitName } from "./desk_names.js";

/** @typedef {{ text: string, key: string }} Typed */

const REFUSED = 400; // lowest status of an answer that changed nothing

const field = /** @type {HTMLInputElement} */ (document.getElementById("q"));
const shown = /** @type {HTMLElement} */ (document.getElementById("ahead"));
/** @type {Typed[]} */
const ahead = [];
/** @type {Typed | null} The entry being processed. */
let current = null;
/** @type {"" | "asking" | "choosing" | "form" | "sending" | "stopped"} */
let step = "";
/** @type {XMLHttpRequest | null} */
let sent = null;

const results = () => /** @type {HTMLElement} */ (document.getElementById("found"));
/** @returns {HTMLFormElement | null} */
const openForm = () => document.querySelector("#found > form");
/** @param {string} where */
const entry = (where) => /** @type {HTMLElement | null} */ (results().querySelector(where));
/** @type {Record<string, string>} What else than Enter takes money, and by which button. */
const OTHERS = { F9: "button[name=together]", "Shift+Enter": "button[value=card]" };
/** @type {(place: Element | null | undefined, key?: string) => HTMLElement | null | undefined} */
const other = (place, key = "") => (OTHERS[key] ? place?.querySelector(OTHERS[key]) : null);
/** @returns {HTMLFormElement | null} */
const payTogether = () => document.querySelector("#pay-together");
const isTyping = () => field.value.trim() !== "" || ahead.length > 0;
const isAnswered = () => results().dataset.typed?.trim() === field.value.trim();

function empty() {
  field.value = "";
  delete field.dataset.pending;
}

// --- The queue ------------------------------------------------------------------------------

function next() {
  if (step === "form" && ahead[0]?.text.trim() === "") submit(openForm(), ahead.shift()?.key);
  else if (!step) begin(ahead.shift() ?? null);
  show();
}

/** @param {Typed | null} typed */
function begin(typed) {
  current = typed;
  if (!typed) search();
  else if (!typed.text.trim()) {
    if (typed.key.endsWith("Enter") && payTogether()) submit(payTogether(), typed.key);
    else next();
  } else if (typed.key === "F2") enterInTurn(typed.text);
  else ask(typed.text);
}

/** @type {(form: HTMLFormElement | null, key?: string) => void} */
function submit(form, key) {
  const button = other(form, key);
  if (button) button.click();
  else form?.requestSubmit();
}

/** @param {string} text */
function ask(text) {
  const isAsked = field.dataset.asked === text && field.matches(".htmx-request");
  if (!isAsked) htmx.trigger(field, "htmx:abort");
  step = "asking";
  if (isAsked) return;
  const form = /** @type {HTMLFormElement} */ (field.form);
  const values = { ...Object.fromEntries(new FormData(form)), q: text };
  htmx.ajax("GET", form.getAttribute("action") ?? "", {
    target: "#found",
    swap: "outerHTML",
    values,
  });
}

// Enter came before the answer. It is valid if it has one meaning; otherwise the user must look.
/** @param {Typed} typed */
function decide(typed) {
  /** @type {NodeListOf<HTMLElement>} */
  const sure = results().querySelectorAll(".result:not(.meant) .result-name:not(.new)");
  const isNew = !entry(".meant") || ahead[0]?.text.trim() === "";
  if (sure.length === 0 && isNew) {
    enter(typed.text);
    next();
  } else if (sure.length === 1 && (!isTyping() || sure[0].matches("button"))) {
    take(sure[0], typed.key);
  } else if (isTyping()) step = "choosing";
  else putBack(typed);
  show();
}

/** @type {(name: HTMLElement, key: string) => void} */
function take(name, key) {
  (other(name.closest(".result"), key) || name).click();
}

/** @param {Typed} typed */
function putBack({ text }) {
  step = "";
  current = null;
  field.value = text;
  field.dataset.asked = text;
}

// The field is searched for as soon as nothing else needs the list.
function search() {
  delete field.dataset.asked;
  if (field.value) field.dispatchEvent(new Event("late"));
  else clearList();
}

function clearList() {
  results().replaceChildren();
  delete results().dataset.typed;
  delete results().dataset.undecided;
}

/**
 * Open the form of a new person.
 *
 * @param {string} text
 */
function enter(text) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("new-person"));
  htmx.trigger(field, "htmx:abort"); // a later answer would replace the form
  clearList();
  results().append(document.importNode(template.content, true));
  const form = openForm();
  if (!form) return;
  step = "form";
  current = { text, key: "F2" };
  for (const [name, value] of Object.entries(splitName(text))) write(form, name, value);
  htmx.process(form);
}

/** @type {(form: HTMLFormElement, name: string, value: string) => void} */
function write(form, name, value) {
  const input = form.elements.namedItem(name);
  if (input instanceof HTMLInputElement) input.value = value;
}

function leave() {
  const typed = current;
  step = "";
  current = null;
  clearList();
  field.focus();
  if (typed && !isTyping()) field.value = typed.text;
  next();
}

// --- Typing ------------------------------------------------------------------------------------

/**
 * Take the value out of the field and queue it.
 *
 * @param {string} key
 */
function push(key) {
  const text = field.value;
  if (step === "stopped") step = "";
  if (text.trim() || step || payTogether()) {
    ahead.push({ text, key });
    empty();
  }
  next();
}

/** @param {string} text */
function enterNow(text) {
  if (!step) empty();
  enter(text);
  /** @type {HTMLElement | null | undefined} */
  const first = openForm()?.querySelector("[name=last_name]");
  first?.focus();
  show();
}

/**
 * Open the queued form; it gets the focus unless the user types the next name.
 *
 * @param {string} text
 */
function enterInTurn(text) {
  if (isTyping()) enter(text);
  else enterNow(text);
  next();
}

const mayChoose = () => (step ? step === "choosing" && !field.value.trim() : isAnswered());

/** @param {string} key */
function choose(key) {
  const selected = mayChoose() ? entry(".is-selected .result-name") : null;
  // A person queued with F9 joins the payment, whichever key chooses the result.
  if (selected) take(selected, current?.key === "F9" ? "F9" : key);
  else if (!(mayChoose() && "undecided" in results().dataset)) push(key);
}

/** @type {Record<string, () => void>} */
const KEYS = {
  Enter: () => choose("Enter"),
  F2() {
    if (step) push("F2");
    else if (field.value.trim()) enterNow(field.value);
  },
  F4() {
    if (mayChoose()) entry(".meant .result-name")?.click();
  },
  F8() {
    if (step === "form") changeOver();
  },
  F9: () => choose("F9"),
  "Shift+Enter": () => choose("Shift+Enter"),
  Escape() {
    if (field.value) {
      field.value = "";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    } else if (["form", "choosing", "stopped"].includes(step)) leave();
  },
};

/** @type {Record<string, () => void>} */
const IN_FORM = {
  Escape: leave,
  F8: changeOver,
  F9: () => submit(openForm(), "F9"),
  "Shift+Enter": () => submit(openForm(), "Shift+Enter"),
};

function changeOver() {
  const form = openForm();
  if (!form) return;
  const data = new FormData(form);
  write(form, "last_name", String(data.get("first_name")));
  write(form, "first_name", String(data.get("last_name")));
}

/** @param {KeyboardEvent} event */
function keyIn(event) {
  const key = event.shiftKey && event.key === "Enter" ? "Shift+Enter" : event.key;
  if (event.target === field) return KEYS[key];
  const isInForm = event.target instanceof Node && openForm()?.contains(event.target);
  if (isInForm) return IN_FORM[key];
  return key.startsWith("F") ? KEYS[key] : undefined;
}

document.addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const act = keyIn(event);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  },
  { capture: true },
);

document.addEventListener("click", (event) => {
  const place = event.target instanceof Element ? event.target : null;
  const pressed = place?.closest("#found .new, #found [data-leave], #found [data-change-over]");
  if (!pressed) return;
  event.preventDefault();
  if (pressed.matches("[data-leave]")) leave();
  else if (pressed.matches("[data-change-over]")) changeOver();
  else enterNow(current?.text ?? results().dataset.typed ?? "");
});

// --- Requests and answers ----------------------------------------------------------------------

document.addEventListener(
  "htmx:confirm",
  (event) => {
    if (!step || event.detail.elt !== field) return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);

document.addEventListener("htmx:beforeRequest", ({ detail: { elt, xhr } }) => {
  if (!(elt instanceof HTMLFormElement && elt.closest("#found, #work"))) return;
  if (!step && elt.closest("#found")) {
    current = { text: field.value, key: "Enter" };
    empty();
  }
  step = "sending";
  sent = xhr;
  field.focus();
  show();
});

/** @param {HtmxEvent} event */
function isAnswerToAsked({ detail: { requestConfig } }) {
  return step === "asking" && requestConfig.parameters.q === current?.text;
}

document.addEventListener("htmx:afterSettle", (event) => {
  const { xhr } = event.detail;
  if (xhr === sent) taken(xhr.status < REFUSED);
  else if (current && isAnswerToAsked(event)) decide(current);
});

/** @param {boolean} isDone */
function taken(isDone) {
  sent = null;
  delete field.dataset.asked;
  // Text typed into the field must not get into an input of the answer.
  if (isTyping()) field.focus();
  if (openForm() && !isDone) step = "form";
  else {
    step = !isDone && isTyping() ? "stopped" : "";
    current = null;
    if (isDone) next();
  }
  show();
}

// Without an answer that is shown, the value stays, and Enter tries again.
document.addEventListener("htmx:afterRequest", (event) => {
  const { xhr, successful } = event.detail;
  if (successful || !current) return;
  if (xhr === sent) failed(current, "choosing");
  else if (isAnswerToAsked(event)) failed(current, "stopped");
});

/** @type {(typed: Typed, otherwise: "choosing" | "stopped") => void} */
function failed(typed, otherwise) {
  sent = null;
  if (openForm()) step = "form";
  else if (isTyping()) {
    if (otherwise === "stopped") ahead.unshift(typed);
    step = otherwise;
  } else putBack(typed);
  show();
}

// --- Waiting steps------------------------------------------------------------------------------

function show() {
  const waiting = ahead.filter(({ text }) => text.trim());
  const texts = [current, ...waiting].map((typed) => typed?.text.trim()).filter(Boolean);
  const { label, stopped } = shown.dataset;
  shown.hidden = waiting.length === 0 && step !== "asking";
  shown.textContent = `${label} ${texts.join(" · ")}${step === "stopped" ? ` – ${stopped}` : ""}`;
}

addEventListener("beforeunload", (event) => {
  if (ahead.length > 0) event.preventDefault();
});

// The page was loaded with the form open, as after a refusal without script.
if (openForm()) {
  step = "form";
  entry("[data-change-over]")?.removeAttribute("hidden");
}

// The field has the focus before htmx listens. Text typed until then is searched for afterwards.
document.addEventListener("htmx:load", () => {
  if (!step && field.value && !isAnswered()) field.dispatchEvent(new Event("late"));
});
