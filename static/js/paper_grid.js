// A paper list by the keyboard: moves on where nothing else can follow, shows the running sums,
// and sends each finished line while the next one is typed. Without it the form is a form.

import { mayHaveFinished, readCell, readRow } from "./cells.js";
import { countGames, isFinal } from "./table/rules.js";

const form = document.querySelector("[data-grid]");
const rows = [...form.querySelectorAll("[data-row]")];
const cells = rows.map((row) => [...row.querySelectorAll("[data-seat]")]);
const sums = [...form.querySelectorAll("[data-sum]")];
const save = form.querySelector("[data-save]");
const stops = [...cells.flat(), ...sums, ...(save ? [save] : [])];
const told = document.querySelector("[data-told]");
const { factor, surcharge, lost } = form.dataset;
const rules = {
  players: cells[0].length,
  handromme: { factor: Number(factor), surcharge: Number(surcharge) },
};

const rowOf = (cell) => cells.findIndex((row) => row.includes(cell));
const maxOf = (cell) => Number(cell.closest("[data-row]").dataset.max);

function go(stop) {
  if (!stop) return;
  stop.focus();
  stop.select?.();
}

const next = (cell) => go(stops[stops.indexOf(cell) + 1]);
const before = (cell) => go(stops[Math.max(0, stops.indexOf(cell) - 1)]);

// --- What a cell says --------------------------------------------------------------------

// No hand can begin with these digits and go on: „23“ is whole, „12“ may become 120.
function isWhole(text, max) {
  if (text === "0" || text === "H") return true;
  return /^\d+$/.test(text) && isFinal(Number(text), max);
}

// The running sums go as far as every row can be read.
function showSums() {
  const texts = cells.map((row) => row.map((cell) => cell.value));
  const lines = texts.map(readRow);
  const end = lines.indexOf(null);
  const games = countGames(end < 0 ? lines : lines.slice(0, end), rules);
  cells.forEach((row, index) => {
    row.forEach((cell, seat) => {
      const finisher = mayHaveFinished(readCell(cell.value));
      cell.parentElement.classList.toggle("is-finisher", finisher);
      cell.parentElement.querySelector("output").value = games[index]?.running[seat] ?? "";
    });
  });
}

// --- Sending what is finished ---------------------------------------------------------------

let sending = null;
let again = false;
let sent = "";

function mark({ problems, doubts }) {
  for (const marked of form.querySelectorAll(".is-wrong, .is-doubtful")) {
    if (!marked.querySelector("[data-sum]")) marked.classList.remove("is-wrong", "is-doubtful");
  }
  for (const cell of cells.flat()) cell.removeAttribute("aria-invalid");
  const lines = [];
  for (const [found, name] of [
    [doubts, "is-doubtful"],
    [problems, "is-wrong"],
  ]) {
    for (const { game, seat, message } of found) {
      const cell = cells[game - 1]?.[seat - 1];
      (cell?.parentElement ?? rows[game - 1])?.classList.add(name);
      if (name === "is-wrong") cell?.setAttribute("aria-invalid", "true");
      lines.push(message);
    }
  }
  tell(lines);
}

function tell(lines) {
  told.hidden = lines.length === 0;
  told.querySelector("ul").replaceChildren(
    ...lines.map((line) => {
      const entry = document.createElement("li");
      entry.textContent = line;
      return entry;
    }),
  );
}

// One after another: each answer brings the version that the next one needs.
async function send() {
  if (sending) {
    again = true;
    return sending;
  }
  sending = sendOnce();
  await sending;
  sending = null;
  if (again) {
    again = false;
    return send();
  }
}

async function sendOnce() {
  const body = new FormData(form);
  body.set("save", "typing");
  const lines = JSON.stringify([...body].filter(([name]) => /^[cg]\d/.test(name)));
  if (lines === sent) return;
  try {
    const answer = await fetch(form.action || location.href, { method: "POST", body });
    const said = await answer.json();
    if (said.refused) {
      tell([said.refused]);
      return;
    }
    sent = lines;
    form.elements.version.value = said.version;
    document.querySelector("[data-stored]").textContent = said.stored;
    mark(said);
  } catch {
    tell([lost]);
  }
}

function finishRow(index) {
  if (cells[index].every((cell) => cell.value.trim())) send();
}

// --- Keys --------------------------------------------------------------------------------

let arrived = null; // the cell that the last digit went on to by itself

form.addEventListener("input", (event) => {
  const cell = event.target;
  if (cell.dataset.seat) {
    cell.value = cell.value.replace(/\*/g, "H").replace(/h/g, "H").replace(/^0H/, "H");
    showSums();
    if (isWhole(cell.value, maxOf(cell))) {
      next(cell);
      arrived = document.activeElement;
    }
  }
});

// Who is used to end each number with Enter or Tab does so here too; it must not skip a cell.
function isHabit(event) {
  const came = arrived;
  arrived = null;
  const endsNumber = event.key === "Enter" || (event.key === "Tab" && !event.shiftKey);
  return endsNumber && !event.ctrlKey && !event.metaKey && came === event.target;
}

form.addEventListener("focusout", (event) => {
  const index = rowOf(event.target);
  if (index >= 0 && !cells[index].includes(event.relatedTarget)) finishRow(index);
});

form.addEventListener("focusin", (event) => {
  if (event.target.matches("[data-seat], [data-sum]")) event.target.select();
});

// A stroke that comes after the cell was left belongs to the cell before: 23 / 28.
function appendStroke(cell) {
  const earlier = stops[stops.indexOf(cell) - 1];
  if (cell.value || !earlier?.dataset.seat || !earlier.value) return false;
  earlier.value += "/";
  earlier.focus();
  earlier.setSelectionRange(earlier.value.length, earlier.value.length);
  return true;
}

function move(cell, key) {
  const index = rowOf(cell);
  const seat = index >= 0 ? cells[index].indexOf(cell) : sums.indexOf(cell);
  const row = index >= 0 ? index : rows.length;
  const target = row + (key === "ArrowDown" ? 1 : -1);
  go(target === rows.length ? sums[seat] : cells[target]?.[seat]);
}

const isAllSelected = (cell) =>
  cell.selectionStart === 0 && cell.selectionEnd === cell.value.length;

form.addEventListener("keydown", (event) => {
  const cell = event.target;
  if (isHabit(event)) return event.preventDefault();
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save?.click();
  else if (!cell.matches("[data-seat], [data-sum]")) return;
  else if (event.key === "Enter") next(cell);
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") move(cell, event.key);
  else if (event.key === "ArrowLeft" && (isAllSelected(cell) || cell.selectionEnd === 0))
    before(cell);
  else if (
    event.key === "ArrowRight" &&
    (isAllSelected(cell) || cell.selectionStart === cell.value.length)
  )
    next(cell);
  else if (event.key === "Backspace" && !cell.value) before(cell);
  else if (event.key === "/" && cell.dataset.seat && appendStroke(cell))
    return event.preventDefault();
  else return;
  event.preventDefault();
});

// Keys that the number pad of a tablet does not have.
const keys = document.querySelector("[data-keys]");
let last = null;
form.addEventListener("focusin", (event) => {
  if (event.target.dataset.seat) last = event.target;
});
if (keys) keys.hidden = false;
keys?.addEventListener("mousedown", (event) => event.preventDefault());
keys?.addEventListener("click", (event) => {
  const { key } = event.target.dataset;
  if (!key || !last) return;
  last.focus();
  if (key === "/" && appendStroke(last)) return;
  last.value = key === "H" ? key : last.value + key;
  last.dispatchEvent(new Event("input", { bubbles: true }));
});

// The whole form goes with the version that the last line brought.
form.addEventListener(
  "submit",
  async (event) => {
    if (!sending) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { submitter } = event;
    await send();
    form.requestSubmit(submitter);
  },
  true,
);

showSums();
const wrong = form.querySelector("td.is-wrong input");
const empty = cells.flat().find((cell) => !cell.value);
if (save && !form.querySelector("[name=confirmed]")) go(wrong ?? empty ?? sums[0]);
