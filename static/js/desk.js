// The desk: one field, and whoever types there never waits for the server.
//
// Enter and F2 take what stands in the field out of it, and the field is free for the next name.
// What cannot be done at once waits in `ahead`; so a letter that is typed never lands in anything
// that an answer has just put on the page. The form of a new person is on the page already.
//
// F2 enters somebody new, F4 takes who is nearly called so, F8 changes last and first name over,
// F9 lets somebody pay with others, Enter in the empty field takes the money of all of them, with
// Shift by card. Escape empties the field, or leaves the form.

import { splitName } from "./desk_names.js";

/** @typedef {{ text: string, key: string }} Typed */

const REFUSED = 400; // and above: an answer that changed nothing

const field = /** @type {HTMLInputElement} */ (document.getElementById("q"));
const shown = /** @type {HTMLElement} */ (document.getElementById("ahead"));
/** @type {Typed[]} */
const ahead = [];
/** @type {Typed | null} What is being worked on. */
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

// --- One thing after the other -----------------------------------------------------------------

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

// Enter came before the answer. It counts if it can mean only one; otherwise somebody has to look.
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

// What stands in the field is searched for as soon as nothing else needs the list.
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
  htmx.trigger(field, "htmx:abort"); // an answer that is still to come would replace the form
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

// --- What is typed -----------------------------------------------------------------------------

/**
 * Take what stands in the field out of it, to be done when its turn comes.
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
 * Open the form that was asked for ahead: it has the keyboard unless the next name is being typed.
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
  // Who was typed ahead with F9 still pays with the others, whatever key chooses them now.
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

// --- What is sent, and what comes back ---------------------------------------------------------

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
  // What the answer wants typed must not get what somebody types into the field.
  if (isTyping()) field.focus();
  if (openForm() && !isDone) step = "form";
  else {
    step = !isDone && isTyping() ? "stopped" : "";
    current = null;
    if (isDone) next();
  }
  show();
}

// No answer, or none that is shown: it is all still there, and Enter tries again.
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

// --- What waits --------------------------------------------------------------------------------

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

// A page that came with the form open, as after a refusal without a script.
if (openForm()) {
  step = "form";
  entry("[data-change-over]")?.removeAttribute("hidden");
}

// The field has the keyboard a moment before htmx listens to it. What was typed in that moment is
// searched for as soon as it does.
document.addEventListener("htmx:load", () => {
  if (!step && field.value && !isAnswered()) field.dispatchEvent(new Event("late"));
});
