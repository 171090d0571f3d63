// A field with a list of results: arrows select an entry, Enter presses it. Without script the
// entries are buttons and links reached with Tab.
//
// <input data-choose="found" …>  <ul id="found" class="results"><li class="result">…</li></ul>
// Each .result has one .result-name, the button or link that Enter presses.

const texts = /** @type {PageTexts} */ ({ ...document.getElementById("texts")?.dataset });

/** @param {Element} list */
const entries = (list) => [...list.querySelectorAll(".result:has(.result-name)")];
/** @param {HTMLElement} input */
const listOf = (input) => document.getElementById(input.dataset.choose ?? "");

/**
 * The field of a list if the event happens in it, else null.
 *
 * @param {EventTarget | null} target
 * @returns {HTMLInputElement | null}
 */
const fieldOf = (target) => (target instanceof Element ? target.closest("[data-choose]") : null);

/**
 * @param {Element} element
 * @returns {element is HTMLInputElement}
 */
const isField = (element) => element.matches("[data-choose]");

/**
 * The button or link of an entry.
 *
 * @param {Element | undefined} entry
 * @returns {HTMLElement | null | undefined}
 */
const nameIn = (entry) => entry?.querySelector(".result-name");

/** @type {(input: HTMLInputElement, index: number) => void} */
function select(input, index) {
  const list = listOf(input);
  if (!list) return;
  const all = entries(list);
  const chosen = Math.min(Math.max(index, 0), all.length - 1);
  all.forEach((entry, number) => {
    entry.classList.toggle("is-selected", number === chosen);
  });
  all[chosen]?.scrollIntoView({ block: "nearest" });
  announce(all[chosen], chosen + 1, all.length);
}

/** @type {(entry: Element | undefined, n: number, all: number) => void} */
function announce(entry, n, all) {
  const name = nameIn(entry)?.textContent?.trim().replace(/\s+/g, " ") ?? "";
  speaker.textContent =
    name &&
    texts.selected.replace("{name}", name).replace("{n}", String(n)).replace("{all}", String(all));
}

const speaker = document.createElement("p");
speaker.className = "visually-hidden";
speaker.setAttribute("role", "status");
document.body.append(speaker);

document.addEventListener("keydown", (event) => {
  const input = fieldOf(event.target);
  const list = input && listOf(input);
  if (!list || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
  const all = entries(list);
  const current = all.findIndex((entry) => entry.classList.contains("is-selected"));
  if (event.key === "ArrowDown") select(input, current + 1);
  else if (event.key === "ArrowUp") select(input, current - 1);
  else if (event.key === "Enter" && "pending" in input.dataset) {
    input.dataset.enter = ""; // The results are those of fewer letters.
  } else if (event.key === "Enter" && current >= 0) {
    nameIn(all[current])?.click();
  } else return;
  event.preventDefault();
});

// Enter before the answer must not choose a result of fewer letters.
document.addEventListener("input", (event) => {
  const input = fieldOf(event.target);
  if (!input?.hasAttribute("hx-get")) return;
  input.dataset.pending = "";
  delete input.dataset.enter;
});

document.addEventListener("htmx:afterRequest", (event) => {
  const { elt, requestConfig, successful } = event.detail;
  if (!isField(elt) || requestConfig.parameters[elt.name] !== elt.value) return;
  delete elt.dataset.pending;
  const list = listOf(elt);
  if (!successful) delete elt.dataset.asked;
  else if (list && "enter" in elt.dataset) takeOnlyOne(elt, list);
});

// The same letters are requested once: a second answer would move the selection back to the
// first entry.
document.addEventListener("htmx:confirm", (event) => {
  const { elt } = event.detail;
  if (!isField(elt) || elt.dataset.asked !== elt.value) return;
  event.preventDefault();
  if (!elt.matches(".htmx-request")) delete elt.dataset.pending;
});

// Not earlier: htmx queues a request during the swap of an older answer, and confirms it again.
document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
  if (isField(elt)) elt.dataset.asked = elt.value;
});

// While a chosen entry's request runs, a late answer of the search must not replace it: htmx
// resolves the target of the answer from that element.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, target } = event.detail;
  if (requestConfig.elt.matches("[data-choose]") && target.querySelector(".htmx-request")) {
    event.detail.shouldSwap = false;
  }
});

// A new answer selects its first entry, unless several have the same name.
document.addEventListener("htmx:afterSettle", () => {
  const input = fieldOf(document.activeElement);
  const list = input?.value && listOf(input);
  if (!list || "undecided" in list.dataset) return;
  if (!list.querySelector(".is-selected")) select(input, 0);
});

// Enter came before the answer. It is valid if it has one meaning; otherwise the user must look,
// as for .new and for .meant, whose spelling differs from the typed one.
/** @type {(input: HTMLInputElement, list: Element) => void} */
function takeOnlyOne(input, list) {
  delete input.dataset.enter;
  /** @type {NodeListOf<HTMLElement>} */
  const known = list.querySelectorAll(".result:not(.meant) .result-name:not(.new)");
  if (known.length === 1) known[0].click();
}
