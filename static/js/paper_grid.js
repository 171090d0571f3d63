// The grid for a paper list: moves on from complete cells, shows the running sums, and sends each
// finished line while the next one is typed. Without script it is a plain form.

import { isWhole, mayHaveFinished, readCell, readRow, tidy } from "./cells.js";
import { coalesce } from "./coalesce.js";
import { countGames } from "./table/rules.js";

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-grid]"));
const told = /** @type {HTMLElement} */ (document.querySelector("[data-told]"));
/** @type {HTMLElement[]} */
const rows = Array.from(form.querySelectorAll("[data-row]"));
const cells = rows.map((row) => inputs(row, "[data-seat]"));
const sums = inputs(form, "[data-sum]");
/** @type {HTMLButtonElement | null} */
const save = form.querySelector("[data-save]");
// The cell of a player who sits out stays empty.
const filled = cells.map((row) => row.filter((cell) => !cell.disabled));
const stops = [...filled.flat(), ...sums, ...(save ? [save] : [])];
const { factor, surcharge, valuation } = form.dataset;
const rules = {
  players: cells[0].length,
  handromme: { factor: Number(factor), surcharge: Number(surcharge) },
  valuation: valuation && JSON.parse(valuation),
};

/** @type {(part: HTMLElement, selector: string) => HTMLInputElement[]} */
function inputs(part, selector) {
  return Array.from(part.querySelectorAll(selector));
}

/** @param {Node | EventTarget | null} cell */
const rowOf = (cell) => cells.findIndex((row) => row.some((each) => each === cell));

/**
 * The cell or sum of an event, else null.
 *
 * @param {Event} event
 */
function cellOf({ target }) {
  const isCell = target instanceof HTMLInputElement && target.matches("[data-seat], [data-sum]");
  return isCell ? target : null;
}

/** @param {HTMLInputElement} cell */
const isSum = (cell) => "sum" in cell.dataset;

/** @param {HTMLElement | undefined} stop */
function go(stop) {
  stop?.focus();
  if (stop instanceof HTMLInputElement) stop.select();
}

/** @param {HTMLInputElement} cell */
const next = (cell) => go(stops[stops.indexOf(cell) + 1]);
/** @param {HTMLInputElement} cell */
const before = (cell) => go(stops[Math.max(0, stops.indexOf(cell) - 1)]);

/** @param {HTMLElement} row */
function unreadable({ dataset }) {
  const numbers = (text = "") => text.split(" ").map(Number);
  return { held: numbers(dataset.unreadable), afterHandromme: numbers(dataset.afterHandromme) };
}

// The running sums end at the first row that cannot be read.
function showSums() {
  const lines = cells.map((row, at) =>
    readRow(
      row.map((cell) => cell.value),
      unreadable(rows[at]),
      Number(rows[at].dataset.sitsOut),
    ),
  );
  const end = lines.indexOf(null);
  const readable = end < 0 ? lines : lines.slice(0, end);
  const games = countGames(
    readable.filter((line) => line !== null),
    rules,
  );
  cells.forEach((row, index) => {
    row.forEach((cell, seat) => {
      const field = /** @type {HTMLElement} */ (cell.parentElement);
      field.classList.toggle("is-finisher", mayHaveFinished(readCell(cell.value)));
      const output = /** @type {HTMLOutputElement} */ (field.querySelector("output"));
      output.value = String(games[index]?.running[seat] ?? "");
    });
  });
}

// --- Sending finished lines ---------------------------------------------------------------

/** @typedef {{ game: number, seat: number, message: string }} RowProblem */

let sent = "";
// A repetition after a failure is the same act, so it has the same key.
let tried = "";
let acts = 0;

/** @param {{ problems: RowProblem[], doubts: RowProblem[] }} said */
function mark({ problems, doubts }) {
  for (const marked of form.querySelectorAll(".is-wrong, .is-doubtful")) {
    if (!marked.querySelector("[data-sum]")) marked.classList.remove("is-wrong", "is-doubtful");
  }
  for (const cell of cells.flat()) cell.removeAttribute("aria-invalid");
  for (const problem of doubts) placeOf(problem)?.classList.add("is-doubtful");
  for (const problem of problems) {
    placeOf(problem)?.classList.add("is-wrong");
    cellAt(problem)?.setAttribute("aria-invalid", "true");
  }
  tell([...doubts, ...problems].map((problem) => problem.message));
}

/** @param {RowProblem} problem */
const cellAt = ({ game, seat }) => cells[game - 1]?.[seat - 1];
/** @param {RowProblem} problem */
const placeOf = (problem) => cellAt(problem)?.parentElement ?? rows[problem.game - 1];

/** @param {string[]} lines */
function tell(lines) {
  told.hidden = lines.length === 0;
  told.querySelector("ul")?.replaceChildren(
    ...lines.map((line) => {
      const entry = document.createElement("li");
      entry.textContent = line;
      return entry;
    }),
  );
}

// One after the other: each answer has the version that the next request needs.
const sending = coalesce(async () => {
  const body = new FormData(form);
  body.set("save", "typing");
  const lines = JSON.stringify([...body].filter(([name]) => /^[cg]\d/.test(name)));
  if (lines === sent) return;
  const act = JSON.stringify([body.get("version"), lines]);
  if (act !== tried) acts += 1;
  tried = act;
  body.set("form_key", `${body.get("form_key")}.${acts}`);
  try {
    const answer = await fetch(form.action || location.href, { method: "POST", body });
    const said = await answer.json();
    if (said.refused) {
      tell([said.refused]);
      return;
    }
    sent = lines;
    const version = /** @type {HTMLInputElement} */ (form.elements.namedItem("version"));
    version.value = said.version;
    const stored = /** @type {HTMLElement} */ (document.querySelector("[data-stored]"));
    stored.textContent = said.stored;
    mark(said);
  } catch {
    tell([form.dataset.lost ?? ""]);
  }
});

// --- Keys --------------------------------------------------------------------------------

/** @type {Element | null} */
let arrived = null; // the cell to which the last digit moved on

form.addEventListener("input", (event) => {
  const cell = cellOf(event);
  if (!cell || isSum(cell)) return;
  cell.value = tidy(cell.value);
  showSums();
  if (isWhole(cell.value, Number(rows[rowOf(cell)].dataset.max))) {
    next(cell);
    arrived = document.activeElement;
  }
});

/**
 * Enter or Tab after moving on automatically must not skip a cell.
 *
 * @param {KeyboardEvent} event
 */
function isHabit(event) {
  const came = arrived;
  arrived = null;
  const endsNumber = event.key === "Enter" || (event.key === "Tab" && !event.shiftKey);
  return endsNumber && !event.ctrlKey && !event.metaKey && came === event.target;
}

form.addEventListener("focusout", (event) => {
  const row = rowOf(event.target);
  if (row < 0 || row === rowOf(event.relatedTarget)) return;
  if (filled[row].every((cell) => cell.value.trim())) sending.start();
});

form.addEventListener("focusin", (event) => cellOf(event)?.select());

/**
 * A slash after moving on belongs to the previous cell: 23 / 28.
 *
 * @param {HTMLInputElement} cell
 */
function appendStroke(cell) {
  const earlier = filled.flat()[stops.indexOf(cell) - 1];
  if (isSum(cell) || cell.value || !earlier?.value) return false;
  earlier.value += "/";
  earlier.focus();
  earlier.setSelectionRange(earlier.value.length, earlier.value.length);
  return true;
}

/** @type {(cell: HTMLInputElement, down: 1 | -1) => void} */
function move(cell, down) {
  const grid = [...cells, sums];
  const row = isSum(cell) ? cells.length : rowOf(cell);
  const column = grid.map((each) => each[grid[row].indexOf(cell)]);
  const further = down > 0 ? column.slice(row + 1) : column.slice(0, row).reverse();
  go(further.find((each) => !each.disabled));
}

/** @param {HTMLInputElement} cell */
const isAllSelected = (cell) =>
  cell.selectionStart === 0 && cell.selectionEnd === cell.value.length;
/** @param {HTMLInputElement} cell */
const isAtStart = (cell) => isAllSelected(cell) || cell.selectionEnd === 0;
/** @param {HTMLInputElement} cell */
const isAtEnd = (cell) => isAllSelected(cell) || cell.selectionStart === cell.value.length;

/**
 * Handles a key in a cell; false means the default action.
 *
 * @type {Record<string, (cell: HTMLInputElement) => unknown>}
 */
const KEYS = {
  Enter: next,
  ArrowUp: (cell) => move(cell, -1),
  ArrowDown: (cell) => move(cell, 1),
  ArrowLeft: (cell) => isAtStart(cell) && before(cell),
  ArrowRight: (cell) => isAtEnd(cell) && next(cell),
  Backspace: (cell) => !cell.value && before(cell),
  "/": appendStroke,
};

form.addEventListener("keydown", (event) => {
  const cell = cellOf(event);
  const isSaving = event.key === "Enter" && (event.ctrlKey || event.metaKey);
  if (isHabit(event)) event.preventDefault();
  else if (isSaving) {
    save?.click();
    event.preventDefault();
  } else if (cell && event.key in KEYS && KEYS[event.key](cell) !== false) event.preventDefault();
});

// Buttons for keys that the number pad of a tablet lacks.
/** @type {HTMLElement | null} */
const keys = document.querySelector("[data-keys]");
/** @type {HTMLInputElement | null} */
let last = null;
form.addEventListener("focusin", (event) => {
  const cell = cellOf(event);
  if (cell && !isSum(cell)) last = cell;
});
if (keys) keys.hidden = false;
keys?.addEventListener("mousedown", (event) => event.preventDefault());
keys?.addEventListener("click", ({ target }) => {
  const key = target instanceof HTMLElement && target.dataset.key;
  if (!key || !last) return;
  last.focus();
  if (key === "/" && appendStroke(last)) return;
  last.value = key === "H" ? key : last.value + key;
  last.dispatchEvent(new Event("input", { bubbles: true }));
});

// The form is submitted with the version of the last answer.
form.addEventListener(
  "submit",
  async (event) => {
    if (!sending.isRunning) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { submitter } = event;
    await sending.start();
    form.requestSubmit(submitter);
  },
  true,
);

showSums();
const [wrong] = inputs(form, "td.is-wrong input");
const empty = filled.flat().find((cell) => !cell.value);
if (save && !form.querySelector("[name=confirmed]")) go(wrong ?? empty ?? sums[0]);
