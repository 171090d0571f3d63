// Dialogs beside the games: calls, corrections, and which device keeps the list.

import { NotKept } from "./database.js";
import { alertBox, ask, button, h, linked, openDialog, rulesPage, say } from "./dom.js";
import { textSizes } from "./text_size.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./outbox.js").Outbox} Outbox */
/** @typedef {(close: () => void) => HTMLElement | null} MoreInDialog */

const CALLS = ["dispute", "counting", "seats", "device", "other"];

/** @type {(outbox: Outbox, kind: string) => Promise<boolean>} */
const callFor = (outbox, kind) => keepOrTell(outbox.add("call", { call_kind: kind }));

/** @param {Outbox} outbox */
export function callDialog(outbox) {
  openDialog(say("callTitle"), (close) => [
    h("p", {}, say("callText")),
    ...CALLS.map((kind) =>
      button(
        say(`call_${kind}`),
        () => {
          close();
          return callFor(outbox, kind);
        },
        { css: "button large wide", "data-call": kind },
      ),
    ),
    button(say("cancel"), close, { css: "button quiet wide" }),
  ]);
}

/**
 * Always visible, so it has one or two lines only.
 *
 * @type {(call: TableCall | null, online: boolean) => HTMLElement | null}
 */
export function callNote(call, online) {
  if (!call) return null;
  const kind = h("span", {}, " · ", say(`call_${call.kind}`));
  if (call.state === "taken")
    return alertBox("success slim", h("p", {}, h("strong", {}, say("callTaken")), kind));
  const isOut = call.state !== "waiting" || online;
  return alertBox(
    "warning slim",
    isOut
      ? h("p", {}, h("strong", {}, say("callOpen")), kind)
      : h("p", {}, h("strong", {}, say("callOffline")), " ", say("callOfflineText")),
  );
}

/** @type {(view: View, outbox: Outbox) => void} */
export function caseDialog(view, outbox) {
  openDialog(say("caseTitle"), (close) => {
    const which = h(
      "select",
      { id: "case-game" },
      h("option", { value: "" }, say("caseList")),
      view.games.map((game) =>
        h("option", { value: game.number }, say("caseGame", { n: game.number })),
      ),
    );
    const text = h("textarea", { id: "case-text", rows: 5, maxlength: 1000, required: true });
    /** @param {Event} event */
    const store = async (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (!text.value.trim()) return text.focus();
      const body = { game: which.value ? Number(which.value) : null, text: text.value.trim() };
      if (await keepOrTell(outbox.add("case", body))) close();
      return undefined;
    };
    return h(
      "form",
      { class: "form", onsubmit: store },
      h("div", { class: "field" }, h("label", { for: "case-game" }, say("caseWhich")), which),
      h("div", { class: "field" }, h("label", { for: "case-text" }, say("caseWhat")), text),
      h(
        "div",
        { class: "button-row" },
        h("button", { class: "button" }, say("caseSend")),
        button(say("cancel"), close, { css: "button quiet" }),
      ),
    );
  });
}

/**
 * Sends an act that needs the server now; shows its refusal.
 *
 * @param {Outbox} outbox
 * @param {string} kind
 * @param {Record<string, unknown>} body
 * @param {MoreInDialog} more
 */
export async function act(outbox, kind, body = {}, more = () => null) {
  try {
    const answer = await outbox.direct(kind, body);
    if (answer.ok) return true;
    const sentence = answer.refused ?? answer.conflict ?? answer.problems?.[0]?.message;
    return tell(sentence ?? say("failed"), more);
  } catch {
    return tell(say("needsNetwork"));
  }
}

/**
 * Resolves to whether an entry was stored or sent; shows a message if neither.
 *
 * @param {Promise<unknown>} adding resolves to false if a person does not want it after all
 */
export async function keepOrTell(adding) {
  try {
    return (await adding) !== false;
  } catch (error) {
    if (!(error instanceof NotKept)) throw error;
    return tell(say("notKept"), reloadButton);
  }
}

export const reloadButton = () =>
  button(say("reload"), () => location.reload(), { css: "button outline wide" });

/** @type {(sentence: string, more?: MoreInDialog) => false} */
function tell(sentence, more = () => null) {
  openDialog(say("notDone"), (close) => [
    h("p", {}, linked(sentence)),
    more(close),
    button(say("close"), close, { css: "button wide" }),
  ]);
  return false;
}

/**
 * Makes this device the keeper; if another one is, offers to call the Spielleitung.
 *
 * @param {Outbox} outbox
 */
const takeOver = (outbox) =>
  act(outbox, "take_over", {}, (close) =>
    button(
      say("askRelease"),
      () => {
        close();
        return callFor(outbox, "device");
      },
      { css: "button outline wide" },
    ),
  );

/** @type {(view: View, chosen: number) => HTMLElement[]} */
function seatChoice(view, chosen) {
  return view.state.players.map((player) =>
    h(
      "label",
      { class: "seat-option" },
      h("input", {
        type: "radio",
        name: "keeper",
        value: player.seat,
        checked: player.seat === chosen,
      }),
      h("span", { class: "seat-number" }, String(player.seat)),
      h("span", {}, player.name, player.club ? h("small", {}, player.club) : null),
    ),
  );
}

/** @param {HTMLFieldSetElement} fieldset */
function chosenSeat(fieldset) {
  const chosen = /** @type {HTMLInputElement} */ (fieldset.querySelector(":checked"));
  return Number(chosen.value);
}

/** @type {(view: View, outbox: Outbox, seat: number) => Promise<void>} */
async function keep(view, outbox, seat) {
  if (seat !== view.listenfuehrer) await keepOrTell(outbox.add("keeper", { seat }));
}

/**
 * The first view of a device: the players, and the choice of the Listenführer.
 *
 * @type {(view: View, outbox: Outbox, watch: () => void) => HTMLElement[]}
 */
export function renderGreeting(view, outbox, watch) {
  const seats = h(
    "fieldset",
    { class: "seat-options stack tight" },
    h("legend", {}, say("whoKeeps")),
    seatChoice(view, view.listenfuehrer),
  );
  const take = async () => {
    const seat = chosenSeat(seats);
    if (await takeOver(outbox)) await keep(view, outbox, seat);
  };
  return [
    h("p", { class: "lead" }, say("welcome", { tournament: view.state.tournament })),
    seats,
    button(say("keepHere"), take, { css: "button large wide" }),
    button(say("onlyWatch"), watch, { css: "button quiet wide" }),
    button(say("otherSeats"), () => callFor(outbox, "seats"), {
      css: "button quiet wide",
      disabled: Boolean(view.call),
    }),
    textSizes(),
  ];
}

/** @type {(view: View, outbox: Outbox, parts: { call: HTMLElement }) => HTMLElement} */
export function renderWatching(view, outbox, { call }) {
  return h(
    "section",
    { class: "entry watching", "aria-label": say("watching") },
    h("p", {}, say(view.state.has_keeper ? "otherKeeps" : "nobodyKeeps")),
    h(
      "div",
      { class: "entry-foot" },
      button(say("takeOver"), () => takeOver(outbox), { css: "button outline" }),
      call,
    ),
  );
}

/** @type {(view: View, outbox: Outbox) => void} */
function keeperDialog(view, outbox) {
  openDialog(say("whoKeeps"), (close) => {
    const seats = h(
      "fieldset",
      { class: "seat-options stack tight" },
      h("legend", { class: "visually-hidden" }, say("whoKeeps")),
      seatChoice(view, view.listenfuehrer),
    );
    const store = async () => {
      close();
      await keep(view, outbox, chosenSeat(seats));
    };
    return [
      seats,
      h(
        "div",
        { class: "button-row" },
        button(say("take"), store),
        button(say("cancel"), close, { css: "button quiet" }),
      ),
    ];
  });
}

/** @param {Rules} rules */
function rulesDetails(rules) {
  const rounds = rules.rounds.filter((round) => round.contract);
  return h(
    "details",
    { class: "details" },
    h("summary", {}, say("rules")),
    h(
      "p",
      {},
      h("a", { class: "button outline", href: rulesPage(), target: "_blank" }, say("allRules")),
    ),
    h("p", {}, say("cardValues"), " ", rules.card_values),
    rounds.length
      ? h(
          "ol",
          { class: "contracts" },
          rounds.map((round) => h("li", {}, round.contract)),
        )
      : null,
  );
}

/** The links of the foot, which is hidden while a game is entered. */
function languages() {
  const links = document.querySelectorAll("body > .table-foot > a");
  return h("p", { class: "table-foot" }, ...[...links].map((link) => link.cloneNode(true)));
}

/** @type {(view: View, outbox: Outbox) => void} */
export function menuDialog(view, outbox) {
  openDialog(say("more"), (close) => {
    /** @type {(text: string, what: () => unknown) => HTMLElement} */
    const item = (text, what) =>
      button(
        text,
        () => {
          close();
          what();
        },
        { css: "button outline wide" },
      );
    /** @type {(title: string, detail: string, yes: string, what: () => unknown) => Promise<void>} */
    const sure = async (title, detail, yes, what) => {
      if (await ask(say(title), [say(detail)], say(yes))) what();
    };
    const open = ["open", "complete"].includes(view.state.status);
    return [
      open ? item(say("changeKeeper"), () => keeperDialog(view, outbox)) : null,
      open
        ? item(say("releaseDevice"), () =>
            sure("releaseTitle", "releaseText", "releaseYes", () => act(outbox, "release")),
          )
        : null,
      open
        ? item(say("goOnPaper"), () =>
            sure("paperTitle", "paperText", "paperYes", () =>
              act(outbox, "paper", { on_paper: true }),
            ),
          )
        : null,
      rulesDetails(view.rules),
      textSizes(),
      languages(),
      button(say("close"), close, { css: "button quiet wide" }),
    ];
  });
}
