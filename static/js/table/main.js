// The page at the table: shows the list, asks for the next game, and stores every entry.

import { fetchRules, Unreachable, Withdrawn } from "./api.js";
import { renderBoughtCards } from "./bought_cards.js";
import { storeChange } from "./change.js";
import { Clock } from "./clock.js";
import { callNote, keepOrTell, renderGreeting, renderWatching } from "./dialogs.js";
import { announce, button, byId, h, pageData, present, say } from "./dom.js";
import { EntrySheet } from "./entry.js";
import { renderConnection, renderProgress } from "./head.js";
import { loadInitialState } from "./initial_state.js";
import { renderList, renderMoves } from "./list.js";
import { callTakenSign, moveSign, unsentNote, withdrawnAlert } from "./notices.js";
import { Outbox } from "./outbox.js";
import { isProtestOpen, protestLine } from "./protest.js";
import {
  callButton,
  correctionButton,
  entryFoot,
  paperParts,
  section,
  takeBackFoot,
} from "./sheet_parts.js";
import { renderClosed, renderSigning } from "./signing.js";
import { SignBoard } from "./signs.js";
import { renderStoppedEntry } from "./stopped_entry.js";
import { openStore } from "./store.js";
import { deals, makeView } from "./view.js";

/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("./stopped_entry.js").LineItem} LineItem */

const TALL = 900; // px; from this height on the whole list fits beside the sheet
const FLAT = 480; // px; below this height a phone is held sideways
const FRESH = 4000; // milliseconds for which a new line is highlighted

/** @type {Rules} */
const rules = pageData("table-rules");
const store = openStore(location.pathname);
const { state, offset, moved } = await loadInitialState(store, rules);
const clock = new Clock(offset);

const parts = {
  call: h("div", { class: "call-part" }),
  notices: h("div", { class: "notices stack" }),
  list: h("div", { class: "list-part" }),
  sheet: h("div", { class: "sheet-part" }),
};
// The list scrolls separately, so that the keys do not move while a game is entered.
const scroller = h(
  "div",
  { class: "scroll-part", role: "region", "aria-label": say("list"), tabindex: 0 },
  parts.notices,
  parts.list,
);

const ui = {
  /** @type {number | null} number of the game that is changed */
  editing: null,
  /** @type {LineItem | null} the refused entry that is corrected */
  correcting: null,
  watching: false,
  short: false,
  isNew: false,
  fresh: 0,
  /** whether this page saw an open call, and the time at which it was taken */
  called: false,
  answered: "",
};
const shown = { call: "", notices: "", list: "", sheet: "", mode: "" };
/** @type {EntrySheet | null} */
let sheet = null;
let isRenewing = false;

const board = new SignBoard(byId("hall-signs"), clock, renderCall);
const outbox = new Outbox({ store, state, offset, moved, changed: render });
let view = makeView(outbox.state, outbox.items, rules);

/**
 * Replaces a part of the page only if its key has changed, so that typing is not disturbed.
 *
 * @param {keyof typeof parts} part
 * @param {string} key
 * @param {() => Child | Child[]} build
 */
function show(part, key, build) {
  if (shown[part] === key) return;
  shown[part] = key;
  parts[part].replaceChildren(...present([build()].flat()));
}

function render() {
  clock.offset = outbox.offset;
  view = makeView(outbox.state, outbox.items, rules);
  if (ui.watching && view.mode === "greeting") view.mode = "watch";
  renderConnection(view, outbox);
  renderProgress(view, clock);
  renderNotices();
  renderSheet();
  renderRows();
  renderBoughtCards(view.state);
  if (view.state.players.length !== rules.players || view.state.bonus !== rules.bonus) renewRules();
  if (ui.isNew) scrollToEnd();
  ui.isNew = false;
  if (shown.mode !== view.mode) begin(view.mode);
}

/**
 * Scrolls to the heading of a new mode.
 *
 * @param {string} mode
 */
function begin(mode) {
  const isFirst = !shown.mode;
  shown.mode = mode;
  if (["signing", "closed"].includes(mode) && !isFirst)
    requestAnimationFrame(() => parts.sheet.firstElementChild?.scrollIntoView());
}

// The number of players has changed, and with it hands, bounds and bonus of the loaded rules.
async function renewRules() {
  if (isRenewing) return;
  isRenewing = true;
  try {
    Object.assign(rules, await fetchRules());
    await store.update({ rules });
    sheet = null;
    Object.assign(shown, { list: "", sheet: "" });
    render();
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Withdrawn)) throw error;
  } finally {
    isRenewing = false;
  }
}

// --- Notices ----------------------------------------------------------------------------

/** @returns {HallSign[]} */
function callSigns() {
  const { call } = view;
  const isTaken = call?.state === "taken";
  if (!isTaken) Object.assign(ui, { called: Boolean(call), answered: "" });
  else if (ui.called && !ui.answered) ui.answered = new Date(clock.now()).toISOString();
  return call && ui.answered ? [callTakenSign(call, ui.answered)] : [];
}

function renderCall() {
  const { call } = view;
  const moves = outbox.moved ? [moveSign(view, outbox.moved)] : [];
  const words = board.show([...(view.state.signs ?? []), ...callSigns(), ...moves]);
  show("call", JSON.stringify([call, outbox.online, words]), () => [
    words && button(words.title, () => board.mark(words, ""), { css: "said-words" }),
    callNote(call, outbox.online),
  ]);
}

function renderNotices() {
  const { stopped } = view;
  renderCall();
  const key = JSON.stringify([
    stopped,
    view.behind,
    outbox.online,
    outbox.withdrawn,
    [...view.pending],
    view.state.version,
  ]);
  show("notices", key, () => [
    withdrawnAlert(outbox),
    renderStoppedEntry(view, outbox, correct),
    unsentNote(view, outbox),
  ]);
}

/**
 * Opens the sheet with an entry that was refused.
 *
 * @param {LineItem} item
 */
function correct(item) {
  ui.correcting = item;
  ui.editing = item.body.number;
  render();
}

// --- The list ---------------------------------------------------------------------------

const isAtWork = () => ["entry", "signing"].includes(view.mode) && !outbox.withdrawn;
const mayChange = () => isAtWork() && !view.stopped;

function renderRows() {
  const isOpen = view.mode === "greeting";
  const short = ui.short && ["entry", "signing"].includes(view.mode) && innerHeight < TALL;
  const onChange = mayChange() && !ui.short ? edit : null;
  const key = JSON.stringify([
    view.games,
    view.state.players,
    view.moves,
    [...view.pending],
    view.totals,
    view.listenfuehrer,
    view.mode,
    short,
    Boolean(onChange),
    innerHeight < FLAT,
    ui.fresh,
    ui.editing,
  ]);
  show("list", key, () =>
    isOpen
      ? null
      : [
          renderList(view, {
            onChange,
            narrow: innerHeight < FLAT,
            short,
            upTo: ui.editing,
            fresh: ui.fresh,
            withNow: ui.editing === null,
            withFoot: ["entry", "watch"].includes(view.mode),
          }),
          ...(short ? [] : renderMoves(view)),
        ],
  );
}

/** @param {number} number */
function edit(number) {
  ui.editing = number;
  ui.correcting = null;
  render();
}

// --- The sheet --------------------------------------------------------------------------

function renderSheet() {
  const { mode } = view;
  const entering = ui.editing !== null || mode === "entry";
  const stopped = view.stopped && ui.correcting === null;
  const isEntering = entering && isAtWork() && !stopped;
  document.body.classList.toggle("is-entering", isEntering);
  if (isEntering) return renderEntry();
  ui.short = false;
  sheet = null;
  const key = JSON.stringify([
    mode,
    view.state.players,
    view.moves,
    view.signatures,
    view.signsOnPaper,
    view.cases,
    view.totals,
    view.call,
    view.state.status,
    view.state.has_keeper,
    Boolean(stopped),
    outbox.withdrawn,
    isProtestOpen(view, clock),
  ]);
  return show("sheet", key, () => {
    if (outbox.withdrawn) return null;
    return stopped ? section([callButton(view, outbox, "button quiet wide")]) : otherSheet(mode);
  });
}

/** @param {string} mode */
function otherSheet(mode) {
  if (mode === "greeting") return section(renderGreeting(view, outbox, watchOnly));
  if (mode === "watch") return renderWatching(view, outbox, { call: callButton(view, outbox) });
  if (mode === "paper") return section(paperParts(view, outbox));
  if (mode === "signing")
    return section([...renderSigning(view, outbox), entryFoot(view, outbox, edit)]);
  const correction = correctionButton(view, outbox, clock);
  return section(renderClosed(view, { countdown: protestLine(view, clock), correction }));
}

function watchOnly() {
  ui.watching = true;
  render();
}

function renderEntry() {
  const { editing, correcting } = ui;
  const { moves } = view;
  const isChange = editing !== null;
  const number = editing ?? view.lines.length + 1;
  const games = isChange && view.games.length;
  const { players } = view.state;
  const key = JSON.stringify([number, correcting?.id, Boolean(view.call), games, players, moves]);
  if (sheet && shown.sheet === key) {
    sheet.view = view;
    return;
  }
  shown.sheet = key;
  sheet = isChange ? changeSheet(number, correcting) : newSheet(number);
  parts.sheet.replaceChildren(sheet.element);
  ui.isNew = true;
}

const keep = store.keepDraft;

/** @param {number} number */
function newSheet(number) {
  const { people } = view;
  /** @type {(line: ClearLine, confirmed: boolean) => Promise<void>} */
  const done = (line, confirmed) => entered(number, line, confirmed, people);
  const acts = {
    done,
    leave: leaveEditing,
    short: setShort,
    keep,
    foot: entryFoot(view, outbox, edit),
  };
  return new EntrySheet({ view, number, saved: store.readDraft(), act: acts });
}

/** @type {(number: number, correcting: LineItem | null) => EntrySheet} */
function changeSheet(number, correcting) {
  const line = correcting?.body.line ?? view.lines[number - 1];
  const { people } = view;
  /** @type {(line: ClearLine, confirmed: boolean) => Promise<void>} */
  const done = (next, confirmed) => changed(number, next, confirmed, people);
  const mayTakeBack = number === view.games.length && !ui.correcting;
  const foot = mayTakeBack ? takeBackFoot(number, takeBack) : null;
  const acts = { done, leave: leaveEditing, short: setShort, keep, foot };
  return new EntrySheet({ view, number, line, isChange: true, act: acts });
}

/** @param {boolean} short */
function setShort(short) {
  if (ui.short === short) return;
  ui.short = short;
  queueMicrotask(() => {
    renderRows();
    scrollToEnd();
  });
}

function scrollToEnd() {
  scroller.scrollTop = scroller.scrollHeight;
}

function leaveEditing() {
  outbox.hasFailed = false;
  ui.editing = null;
  ui.correcting = null;
  shown.sheet = "";
  render();
}

/** @type {(number: number, line: ClearLine, confirmed: boolean, people: People) => Promise<void>} */
async function entered(number, line, confirmed, people) {
  ui.fresh = number;
  const isKept = await outbox.add("game", { number, line, confirmed }, people);
  if (isKept && store.readDraft()?.number === number) store.dropDraft();
  const following = view.next
    ? deals(view.rules, view.next.number, view.names)
    : say("listComplete");
  announce(`${say("gameStored", { n: number })} ${following}`);
  setTimeout(() => {
    ui.fresh = 0;
    renderRows();
  }, FRESH);
}

/** @type {(number: number, line: ClearLine, confirmed: boolean, people: People) => Promise<void>} */
async function changed(number, line, confirmed, people) {
  const item = ui.correcting;
  if (item) await outbox.rewrite(item, item.kind, { ...item.body, line, confirmed }, people);
  else if (!(await storeChange({ ...view, people }, outbox, number, line, confirmed)))
    return sheet?.render();
  return leaveEditing();
}

/** @param {number} number */
async function takeBack(number) {
  if (await keepOrTell(storeChange(view, outbox, number, null, false))) leaveEditing();
}

// --- Start ------------------------------------------------------------------------------

byId("table-app").replaceChildren(parts.call, scroller, parts.sheet);
document.body.classList.add("has-script");
await outbox.start();
render();
setInterval(() => {
  renderProgress(view, clock);
  renderCall();
  if (view.mode === "closed") renderSheet();
}, 1000);
// Keeps the last lines visible above the keys, and limits a sign to the height of the list.
new ResizeObserver(() => {
  if (ui.short) scrollToEnd();
  document.documentElement.style.setProperty("--list-height", `${scroller.clientHeight}px`);
}).observe(scroller);
addEventListener("resize", () => renderRows());
navigator.storage?.persist?.();
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/tisch/sw.js", { scope: "/tisch/" });
  navigator.serviceWorker.ready.then((registration) =>
    registration.active?.postMessage({ keep: location.pathname }),
  );
}
