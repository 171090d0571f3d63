// One field, a list below it: arrows choose, Enter does it. Without a script the entries are
// reached with Tab as the buttons and links they are.
//
// <input data-choose="found" …>  <ul id="found" class="results"><li class="result">…</li></ul>
// Each .result has one .result-name (button or link): that is what Enter presses.

const texts = /** @type {PageTexts} */ ({ ...document.getElementById("texts")?.dataset });

/** @param {Element} list */
const entries = (list) => [...list.querySelectorAll(".result:has(.result-name)")];
/** @param {HTMLElement} input */
const listOf = (input) => document.getElementById(input.dataset.choose ?? "");

/**
 * The field in which a list is chosen from, if that is where something happens.
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
 * The button or link that does what an entry stands for.
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
    input.dataset.enter = ""; // What stands there was found for fewer letters.
  } else if (event.key === "Enter" && current >= 0) {
    nameIn(all[current])?.click();
  } else return;
  event.preventDefault();
});

// What was found for fewer letters must not be taken by an Enter that comes before the answer.
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

// The same letters are asked for once: a second answer would begin at its first entry again, just
// when somebody has gone down to the third.
document.addEventListener("htmx:confirm", (event) => {
  const { elt } = event.detail;
  if (!isField(elt) || elt.dataset.asked !== elt.value) return;
  event.preventDefault();
  if (!elt.matches(".htmx-request")) delete elt.dataset.pending;
});

// Not before: what begins while an older answer is being shown waits in htmx, and is confirmed again.
document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
  if (isField(elt)) elt.dataset.asked = elt.value;
});

// What was chosen is under way: a late answer of the search must not take it off the page, for
// htmx looks for what else an answer replaces from the element that asked.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, target } = event.detail;
  if (requestConfig.elt.matches("[data-choose]") && target.querySelector(".htmx-request")) {
    event.detail.shouldSwap = false;
  }
});

// A new answer begins at its first entry again, unless several are called the same.
document.addEventListener("htmx:afterSettle", () => {
  const input = fieldOf(document.activeElement);
  const list = input?.value && listOf(input);
  if (!list || "undecided" in list.dataset) return;
  if (!list.querySelector(".is-selected")) select(input, 0);
});

// Enter came before the answer. It counts if it can mean only one; otherwise somebody has to look,
// as with .new and with .meant, which is written a little differently from what was typed.
/** @type {(input: HTMLInputElement, list: Element) => void} */
function takeOnlyOne(input, list) {
  delete input.dataset.enter;
  /** @type {NodeListOf<HTMLElement>} */
  const known = list.querySelectorAll(".result:not(.meant) .result-name:not(.new)");
  if (known.length === 1) known[0].click();
}
