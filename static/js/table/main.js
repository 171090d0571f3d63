// The page at the table: shows the list, asks for the next game, and sees to it that nothing is lost.

import { fetchRules, Unreachable, Withdrawn } from "./api.js";
import { storeChange } from "./change.js";
import { Clock } from "./clock.js";
import {
  act,
  callDialog,
  callNote,
  caseDialog,
  menuDialog,
  renderGreeting,
  renderWatching,
} from "./dialogs.js";
import { alertBox, announce, button, h, pageData, say } from "./dom.js";
import { EntrySheet } from "./entry.js";
import { changeButton, renderList } from "./list.js";
import { Outbox } from "./outbox.js";
import { renderClosed, renderSigning } from "./signing.js";
import { openStore } from "./store.js";
import { renderTrouble } from "./trouble.js";
import { makeView } from "./view.js";

const TALL = 900; // from this height on the whole list fits beside the sheet
const FRESH = 4000; // how long a new line stands out

const rules = pageData("table-rules");
const embedded = pageData("table-state");
const store = await openStore(location.pathname);
const kept = (await store.read()) ?? {};
// The page may be this device's own copy, older than what the device saw since.
const knowsMore = kept.state && kept.state.revision >= embedded.revision;
const state = knowsMore ? kept.state : embedded;
const offset = knowsMore ? kept.offset : Date.parse(embedded.now) - Date.now();
const clock = new Clock(offset);
if (!knowsMore) await store.update({ state, offset, rules });
else if (kept.rules) Object.assign(rules, kept.rules);

const app = document.getElementById("table-app");
const parts = {
  call: h("div", { class: "call-part" }),
  notices: h("div", { class: "notices" }),
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
const progress = document.getElementById("table-progress");
const connection = document.getElementById("connection");

const ui = {
  editing: null,
  correcting: null,
  watching: false,
  short: false,
  isNew: false,
  fresh: 0,
  draft: kept.draft ?? null,
};
const shown = { call: "", notices: "", list: "", sheet: "", mode: "", bought: "" };
let sheet = null;
let view = null;
let isRenewing = false;

const outbox = new Outbox({ store, state, offset, changed: render });

// Replaces a part of the page only if what it shows has changed: nobody's typing is disturbed.
function show(part, key, build) {
  if (shown[part] === key) return;
  shown[part] = key;
  parts[part].replaceChildren(...[build()].flat().filter(Boolean));
}

function render() {
  clock.offset = outbox.offset;
  view = makeView(outbox.state, outbox.items, rules);
  if (ui.watching && view.mode === "greeting") view.mode = "watch";
  renderConnection();
  renderProgress();
  renderNotices();
  renderSheet();
  renderRows();
  renderBought();
  if (view.state.players.length !== rules.players || view.state.bonus !== rules.bonus) renewRules();
  if (ui.isNew) scrollToEnd();
  ui.isNew = false;
  if (shown.mode !== view.mode) begin(view.mode);
}

// A new part of the day begins at its heading.
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

// --- Head -------------------------------------------------------------------------------

function connectionPill() {
  if (outbox.withdrawn) return ["red", say("withdrawn")];
  if (view.stopped) return ["red", say("needsYou")];
  const waiting = view.waiting.length;
  if (waiting)
    return [
      "amber",
      say(outbox.online ? "sending" : waiting === 1 ? "waitsOne" : "waitsMany", { n: waiting }),
    ];
  return outbox.online ? ["felt", say("stored")] : ["amber", say("offline")];
}

function renderConnection() {
  const [tone, text] = connectionPill();
  if (
    connection.textContent.trim() === text &&
    connection.firstElementChild?.classList.contains(tone)
  )
    return;
  connection.replaceChildren(h("span", { class: `pill ${tone}` }, text));
}

function timeText() {
  const { ends_at: end } = view.state;
  if (!end || view.mode === "closed") return "";
  const seconds = clock.secondsTo(end);
  return seconds > 0 ? say("timeLeft", { time: Clock.write(seconds) }) : say("timeOver");
}

function renderProgress() {
  const done = view.next
    ? say("gameOf", { n: view.next.number, all: rules.games })
    : say("allGames", { all: rules.games });
  const text = [done, timeText()].filter(Boolean).join(" · ");
  if (progress.textContent !== text) progress.textContent = text;
  progress.classList.toggle(
    "is-soon",
    Boolean(view.state.ends_at) && Clock.isSoon(clock.secondsTo(view.state.ends_at)),
  );
  const countdown = document.getElementById("protest-left");
  if (countdown) countdown.textContent = protestText();
}

// --- Notices ----------------------------------------------------------------------------

function unsentNote() {
  const games = [...view.pending].sort((one, other) => one - other);
  if (!games.length || outbox.online) return null;
  const which = games.length === 1 ? String(games[0]) : `${games[0]}\u2013${games.at(-1)}`;
  return h(
    "p",
    { class: "unsent" },
    say(games.length === 1 ? "unsentOne" : "unsentMany", { games: which }),
  );
}

function renderNotices() {
  const { stopped, call } = view;
  show("call", JSON.stringify([call, outbox.online]), () => callNote(call, outbox.online));
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
        )
      : null,
    renderTrouble(view, outbox, correct),
    unsentNote(),
  ]);
}

// Opens the sheet with an entry that was refused.
function correct(item) {
  ui.correcting = item;
  ui.editing = item.body.number;
  render();
}

// --- The list ---------------------------------------------------------------------------

const mayChange = () => ["entry", "signing"].includes(view.mode) && !view.stopped;

function renderRows() {
  const isOpen = view.mode === "greeting";
  const short = ui.short && ["entry", "signing"].includes(view.mode) && innerHeight < TALL;
  const onChange = mayChange() && !ui.short ? edit : null;
  const key = JSON.stringify([
    view.games,
    [...view.pending],
    view.totals,
    view.listenfuehrer,
    view.mode,
    short,
    Boolean(onChange),
    ui.fresh,
    ui.editing,
  ]);
  show("list", key, () =>
    isOpen
      ? null
      : renderList(view, {
          onChange,
          short,
          upTo: ui.editing,
          fresh: ui.fresh,
          withNow: ui.editing === null,
          withFoot: ["entry", "watch"].includes(view.mode),
        }),
  );
}

function edit(number) {
  ui.editing = number;
  ui.correcting = null;
  render();
}

// Where the rules let cards be bought; a form of the page, since it fills a pot and changes no line.
function renderBought() {
  const form = document.querySelector("#table-bought form");
  const key = JSON.stringify([view.state.bought, view.state.is_keeper, view.state.status]);
  if (!form || shown.bought === key) return;
  const wasRefused = !shown.bought && form.querySelector(".alert"); // what was typed stands there
  shown.bought = key;
  const mayNote = view.state.is_keeper && ["open", "complete"].includes(view.state.status);
  form.querySelector("button").hidden = !mayNote;
  form.querySelectorAll("input[name^=bought_]").forEach((field, at) => {
    field.readOnly = !mayNote;
    if (!wasRefused) field.value = view.state.bought[at] ?? 0;
  });
}

// --- The sheet --------------------------------------------------------------------------

function callButton(css = "button quiet") {
  return button(say("callShort"), () => callDialog(outbox), { css, disabled: Boolean(view.call) });
}

function renderSheet() {
  const { mode } = view;
  const entering = ui.editing !== null || mode === "entry";
  const stopped = view.stopped && ui.correcting === null;
  const isEntering = entering && ["entry", "signing"].includes(mode) && !stopped;
  document.body.classList.toggle("is-entering", isEntering);
  if (isEntering) return renderEntry();
  ui.short = false;
  sheet = null;
  const key = JSON.stringify([
    mode,
    view.signatures,
    view.signsOnPaper,
    view.cases,
    view.totals,
    view.call,
    view.state.status,
    view.state.has_keeper,
    Boolean(stopped),
    protestOpen(),
  ]);
  return show("sheet", key, () =>
    stopped ? section([callButton("button quiet wide")]) : otherSheet(mode),
  );
}

function otherSheet(mode) {
  if (mode === "greeting") return section(renderGreeting(view, outbox, watchOnly));
  if (mode === "watch") return renderWatching(view, outbox, { call: callButton("button quiet") });
  if (mode === "paper") return section(onPaper());
  if (mode === "signing") return section([...renderSigning(view, outbox), foot()]);
  return section(renderClosed(view, { countdown: protestLine(), correction: correctionButton() }));
}

const section = (children) => h("section", { class: "table-section" }, children);

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
    button(say("moreShort"), () => menuDialog(view, outbox), { css: "button quiet" }),
  );
}

function renderEntry() {
  const isChange = ui.editing !== null;
  const number = ui.editing ?? view.next.number;
  const key = `${isChange}:${number}:${ui.correcting?.id ?? ""}:${view.call ? "called" : ""}:${isChange ? view.games.length : ""}`;
  if (sheet && shown.sheet === key) {
    sheet.view = view;
    return;
  }
  shown.sheet = key;
  sheet = new EntrySheet({
    view,
    number,
    line: ui.correcting?.body.line ?? (isChange ? view.lines[number - 1] : null),
    saved: isChange ? null : ui.draft,
    isChange,
    act: {
      done: isChange ? changed : entered,
      leave: leaveEditing,
      short: setShort,
      keep: (draft) => {
        ui.draft = draft;
        store.update({ draft });
      },
      foot: isChange ? takeBackFoot(number) : foot(),
    },
  });
  parts.sheet.replaceChildren(sheet.element);
  ui.isNew = true;
}

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

function setShort(short) {
  if (ui.short === short) return;
  ui.short = short;
  if (!view) return;
  queueMicrotask(() => {
    renderRows();
    scrollToEnd();
  });
}

function scrollToEnd() {
  scroller.scrollTop = scroller.scrollHeight;
}

function leaveEditing() {
  ui.editing = null;
  ui.correcting = null;
  shown.sheet = "";
  render();
}

async function entered(line, confirmed) {
  const { number } = view.next;
  ui.draft = null;
  ui.fresh = number;
  await store.update({ draft: null });
  await outbox.add("game", { number, line, confirmed });
  const following = view.next
    ? say("deals", { name: view.names[view.next.dealer] })
    : say("listComplete");
  announce(`${say("gameStored", { n: number })} ${following}`);
  setTimeout(() => {
    ui.fresh = 0;
    renderRows();
  }, FRESH);
}

async function changed(line, confirmed) {
  const item = ui.correcting;
  if (item) {
    await outbox.rewrite(item, item.kind, { ...item.body, line, confirmed });
    return leaveEditing();
  }
  if (await storeChange(view, outbox, ui.editing, line, confirmed)) return leaveEditing();
  return sheet.render();
}

async function takeBack(number) {
  if (await storeChange(view, outbox, number, null, false)) leaveEditing();
}

// --- After signing ----------------------------------------------------------------------

function protestOpen() {
  const { protest_until: until } = view.state;
  return Boolean(until) && clock.secondsTo(until) > 0;
}

function protestText() {
  return protestOpen()
    ? say("protestLeft", { time: Clock.write(clock.secondsTo(view.state.protest_until)) })
    : say("protestOver");
}

const protestLine = () =>
  view.state.protest_until ? h("p", { id: "protest-left", class: "lead" }, protestText()) : null;

function correctionButton() {
  if (!protestOpen() || !["signed", "handed_in", "verified"].includes(view.state.status))
    return null;
  return button(say("askCorrection"), () => caseDialog(view, outbox), {
    css: "button outline wide",
  });
}

// --- Off we go --------------------------------------------------------------------------

app.replaceChildren(parts.call, scroller, parts.sheet);
document.body.classList.add("has-script");
await outbox.start();
render();
setInterval(() => {
  renderProgress();
  if (view.mode === "closed") renderSheet();
}, 1000);
// The last lines stay in sight above the keys.
new ResizeObserver(() => ui.short && scrollToEnd()).observe(scroller);
addEventListener("resize", () => renderRows());
navigator.storage?.persist?.();
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/tisch/sw.js", { scope: "/tisch/" });
  navigator.serviceWorker.ready.then((registration) =>
    registration.active.postMessage({ keep: location.pathname }),
  );
}
