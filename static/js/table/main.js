// The page at the table: shows the list, asks for the next game, and sees to it that nothing is lost.

import { fetchRules, Unreachable, Withdrawn } from "./api.js";
import { renderBoughtCards } from "./bought_cards.js";
import { storeChange } from "./change.js";
import { Clock } from "./clock.js";
import {
  act,
  callDialog,
  callNote,
  caseDialog,
  keepOrTell,
  menuDialog,
  renderGreeting,
  renderWatching,
} from "./dialogs.js";
import { alertBox, announce, button, byId, h, pageData, present, say } from "./dom.js";
import { EntrySheet } from "./entry.js";
import { renderConnection, renderProgress } from "./head.js";
import { peopleOf } from "./lines.js";
import { changeButton, renderList, renderMoves } from "./list.js";
import { Outbox } from "./outbox.js";
import { isProtestOpen, protestLine } from "./protest.js";
import { renderClosed, renderSigning } from "./signing.js";
import { SignBoard } from "./signs.js";
import { renderStoppedEntry } from "./stopped_entry.js";
import { openStore } from "./store.js";
import { deals, makeView } from "./view.js";

/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("./stopped_entry.js").LineItem} LineItem */

const TALL = 900; // from this height on the whole list fits beside the sheet
const FLAT = 480; // below that, a phone is held sideways
const FRESH = 4000; // how long a new line stands out

/** @type {Rules} */
const rules = pageData("table-rules");
/** @type {TableState} */
const embedded = pageData("table-state");
const store = openStore(location.pathname);
const kept = (await store.read()) ?? {};
// The page may be this device's own copy, older than what the device saw since.
const known = kept.state && kept.state.revision >= embedded.revision ? kept.state : null;
const state = known ?? embedded;
const offset = (known && kept.offset) ?? Date.parse(embedded.now) - Date.now();
const clock = new Clock(offset);
const isMoved = kept.state && String(peopleOf(kept.state)) !== String(peopleOf(state));
const moved = isMoved ? embedded.now : kept.moved;
if (!known) await store.update({ state, offset, rules, moved });
else if (kept.rules) Object.assign(rules, kept.rules);

const parts = {
  call: h("div", { class: "call-part" }),
  notices: h("div", { class: "notices stack" }),
  list: h("div", { class: "list-part" }),
  sheet: h("div", { class: "sheet-part" }),
};
// While a game is entered the list scrolls by itself, and what is pressed never moves.
const scroller = h(
  "div",
  { class: "scroll-part", role: "region", "aria-label": say("list"), tabindex: 0 },
  parts.notices,
  parts.list,
);

const ui = {
  /** @type {number | null} the game that is changed */
  editing: null,
  /** @type {LineItem | null} the entry that is put right */
  correcting: null,
  watching: false,
  short: false,
  isNew: false,
  fresh: 0,
  /** whether this page saw a call that nobody had taken yet, and since when somebody has */
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
 * Replaces a part of the page only if what it shows has changed: nobody's typing is disturbed.
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
 * A new part of the day begins at its heading.
 *
 * @param {string} mode
 */
function begin(mode) {
  const isFirst = !shown.mode;
  shown.mode = mode;
  if (["signing", "closed"].includes(mode) && !isFirst)
    requestAnimationFrame(() => parts.sheet.firstElementChild?.scrollIntoView());
}

// Somebody came to the table or left it: other hands, bounds and bonus than when the page was loaded.
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

function unsentNote() {
  const games = [...view.pending].sort((a, b) => a - b);
  // Only a page that came over https opens again without network.
  const stay = isSecureContext ? "" : say("stayOpen");
  if (outbox.online || outbox.withdrawn || !(games.length || stay)) return null;
  const which = games.length === 1 ? String(games[0]) : `${games[0]}\u2013${games.at(-1)}`;
  const unsent = say(games.length === 1 ? "unsentOne" : "unsentMany", { games: which });
  return h("p", { class: "unsent" }, [games.length ? unsent : "", stay].join(" ").trim());
}

/**
 * That somebody comes is shown as a sign too: it is said to the one who called.
 *
 * @returns {HallSign[]}
 */
function answer() {
  const { call } = view;
  const isTaken = call?.state === "taken";
  if (!isTaken) Object.assign(ui, { called: Boolean(call), answered: "" });
  else if (ui.called && !ui.answered) ui.answered = new Date(clock.now()).toISOString();
  if (!call || !ui.answered) return [];
  const title = say("callTaken");
  const text = say(`call_${call.kind}`);
  return [{ kind: "call", title, text, since: ui.answered, until: null, ends_at: null }];
}

/**
 * That other people sit there is to be read before anything is entered.
 *
 * @returns {HallSign[]}
 */
function moveSign() {
  if (!outbox.moved) return [];
  const names = view.state.players.map(({ seat, name }) => `${seat} ${name}`).join(", ");
  const times = { since: outbox.moved, until: null, ends_at: null };
  return [{ kind: "moved", title: say("seatsMoved"), text: say("seatsNow", { names }), ...times }];
}

function renderCall() {
  const { call } = view;
  const words = board.show([...(view.state.signs ?? []), ...answer(), ...moveSign()]);
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
    outbox.withdrawn
      ? alertBox(
          "error",
          h("strong", {}, say("withdrawn")),
          h("p", {}, outbox.withdrawn === true ? say("withdrawnText") : outbox.withdrawn),
          h("p", {}, say("withdrawnNext")),
          h(
            "div",
            { class: "button-row" },
            h("a", { class: "button outline", href: "/tisch/" }, say("enterCode")),
            button(say("askAgain"), () => outbox.wake(), { css: "button outline" }),
          ),
        )
      : null,
    renderStoppedEntry(view, outbox, correct),
    unsentNote(),
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

function callButton(css = "button quiet") {
  return button(say("callShort"), () => callDialog(outbox), { css, disabled: Boolean(view.call) });
}

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
    return stopped ? section([callButton("button quiet wide")]) : otherSheet(mode);
  });
}

/** @param {string} mode */
function otherSheet(mode) {
  if (mode === "greeting") return section(renderGreeting(view, outbox, watchOnly));
  if (mode === "watch") return renderWatching(view, outbox, { call: callButton("button quiet") });
  if (mode === "paper") return section(onPaper());
  if (mode === "signing") return section([...renderSigning(view, outbox), foot()]);
  return section(
    renderClosed(view, { countdown: protestLine(view, clock), correction: correctionButton() }),
  );
}

/** @param {Child[]} children */
const section = (children) => h("section", { class: "table-section stack" }, children);

function watchOnly() {
  ui.watching = true;
  render();
}

function onPaper() {
  return [
    h("h2", {}, say("isOnPaper")),
    h("p", {}, say("isOnPaperText")),
    view.state.is_keeper
      ? button(say("backToDevice"), () => act(outbox, "paper", { on_paper: false }), {
          css: "button outline wide",
        })
      : null,
    callButton("button quiet wide"),
  ];
}

function foot() {
  const last = view.games.at(-1)?.number;
  return h(
    "div",
    { class: "entry-foot" },
    last ? changeButton(last, () => edit(last)) : null,
    callButton(),
    button(say("more"), () => menuDialog(view, outbox), { css: "button quiet" }),
  );
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
  const acts = { done, leave: leaveEditing, short: setShort, keep, foot: foot() };
  return new EntrySheet({ view, number, saved: store.readDraft(), act: acts });
}

/** @type {(number: number, correcting: LineItem | null) => EntrySheet} */
function changeSheet(number, correcting) {
  const line = correcting?.body.line ?? view.lines[number - 1];
  const { people } = view;
  /** @type {(line: ClearLine, confirmed: boolean) => Promise<void>} */
  const done = (next, confirmed) => changed(number, next, confirmed, people);
  const acts = { done, leave: leaveEditing, short: setShort, keep, foot: takeBackFoot(number) };
  return new EntrySheet({ view, number, line, isChange: true, act: acts });
}

/** @param {number} number */
function takeBackFoot(number) {
  if (number !== view.games.length || ui.correcting) return null;
  return h(
    "div",
    { class: "entry-foot" },
    button(say("takeBackGame", { n: number }), () => takeBack(number), {
      css: "button quiet",
      sign: "undo",
    }),
  );
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

function correctionButton() {
  if (
    !isProtestOpen(view, clock) ||
    !["signed", "handed_in", "verified"].includes(view.state.status)
  )
    return null;
  return button(say("askCorrection"), () => caseDialog(view, outbox), {
    css: "button outline wide",
  });
}

// --- Off we go --------------------------------------------------------------------------

byId("table-app").replaceChildren(parts.call, scroller, parts.sheet);
document.body.classList.add("has-script");
await outbox.start();
render();
setInterval(() => {
  renderProgress(view, clock);
  renderCall();
  if (view.mode === "closed") renderSheet();
}, 1000);
// The last lines stay in sight above the keys, and a sign covers no more than the list.
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
