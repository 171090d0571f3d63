// An entry that the server refused or that conflicts with the list; the user decides about it.

import { askConsent } from "./change.js";
import { button, h, linked, points, say } from "./dom.js";
import { isForOthers } from "./lines.js";
import { CONFLICT, DOUBT } from "./outbox.js";
import { countLine } from "./rules.js";
import { namesAt } from "./view.js";

/** @typedef {import("./outbox.js").Outbox} Outbox */
/** @typedef {import("./view.js").View} View */
/** @typedef {Item & (GameAct | { kind: "change", body: ChangeBody & { line: ClearLine } })} LineItem */
/** @typedef {Extract<Act, { kind: "game" }>} GameAct */
/** @typedef {(item: LineItem) => void} Edit opens the sheet with the entered values */
/** @typedef {{ title: string, text: string, buttons: (HTMLElement | null)[] }} StoppedEntry */

/** @type {(number: number, line: Line, view: View) => string} */
const hand = (number, line, view) =>
  view.state.players
    .filter((player) => line.minus[player.seat - 1] !== null)
    .map((player) => {
      const count = countLine(line, view.rules)[player.seat - 1];
      const mark = count.finished ? ` ${say(count.handromme ? "finishedByHand" : "finished")}` : "";
      return `${namesAt(view, number)[player.seat]} ${points(count.minus)}${mark}`;
    })
    .join(" · ");

/**
 * @param {Item} item
 * @returns {item is LineItem}
 */
const isLine = (item) =>
  item.kind === "game" || (item.kind === "change" && item.body.line !== null);

/** @type {(key: string, number: number, line: Line, view: View) => HTMLElement} */
const shown = (key, number, line, view) =>
  h("p", {}, h("strong", {}, say(key, { n: number })), h("br"), hand(number, line, view));

/** @type {(item: Item, view: View) => HTMLElement | null} */
function mine(item, view) {
  if (!isLine(item)) return null;
  return shown("yourEntry", item.body.number, item.body.line, view);
}

/** @type {(item: Item, view: View) => HTMLElement | null} */
function theirs(item, view) {
  const game = isLine(item) ? view.state.games[item.body.number - 1] : null;
  return game ? shown("theirEntry", game.number, game.line, view) : null;
}

/** @type {(item: LineItem, view: View, outbox: Outbox) => Promise<void>} */
async function asChange(item, view, outbox) {
  const { number, line, confirmed } = item.body;
  const serverView = { ...view, signatures: view.state.signatures };
  const consents = await askConsent(serverView, number, view.state.games[number - 1].line, line);
  if (consents) await outbox.rewrite(item, "change", { number, line, consents, confirmed });
}

/** @type {(item: Item, outbox: Outbox, css: string) => HTMLElement} */
const againButton = (item, outbox, css) =>
  button(say("sendAgain"), () => outbox.rewrite(item, item.kind, item.body), { css });

/** @type {(item: LineItem, view: View, outbox: Outbox) => (HTMLElement | null)[]} */
function waysForLine(item, view, outbox) {
  const css = "button outline wide";
  const games = view.state.games.length;
  const { number } = item.body;
  const next = item.kind === "game" && games < view.rules.games;
  return [
    next
      ? button(
          say("mineAsGame", { n: games + 1 }),
          () => outbox.rewrite(item, "game", { ...item.body, number: games + 1 }),
          { css },
        )
      : null,
    number <= games
      ? button(say("mineAsChange", { n: number }), () => asChange(item, view, outbox), { css })
      : null,
  ];
}

/** @type {(item: Item, view: View, outbox: Outbox, edit: Edit) => StoppedEntry} */
function conflict(item, view, outbox, edit) {
  const taken = isLine(item) && item.body.number <= view.state.games.length;
  const drop = button(say(taken ? "keepTheirs" : "dropMine"), () => outbox.drop(item), {
    css: "button outline wide",
  });
  // A signature belongs to one person. Numbers may belong to the present players, or be corrected.
  if (isForOthers(item, view.state))
    return {
      title: say("seatsMoved"),
      text: say("entryOfOthers"),
      buttons: [
        drop,
        isLine(item) ? button(say("putRight"), () => edit(item), { css: "button wide" }) : null,
        ...(isLine(item) ? waysForLine(item, view, outbox) : []),
      ],
    };
  return {
    title: say("conflictTitle"),
    text: item.answer?.conflict || say("conflictText"),
    buttons: isLine(item)
      ? [drop, ...waysForLine(item, view, outbox)]
      : [drop, againButton(item, outbox, "button wide")],
  };
}

/** @type {(item: Item, view: View, outbox: Outbox, edit: Edit) => StoppedEntry} */
function refused(item, view, outbox, edit) {
  const doubtful = item.status === DOUBT;
  // Later entries depend on this one, so it can be corrected but not dropped.
  const canGo = view.behind === 0 || !isLine(item);
  const css = "button outline wide";
  return {
    title: say(doubtful ? "pleaseCheck" : "refusedTitle"),
    text: (item.answer?.problems ?? []).map((problem) => problem.message).join(" "),
    buttons: [
      doubtful
        ? button(say("itIsRight"), () => outbox.confirm(item), { css: "button wide" })
        : null,
      isLine(item) ? button(say("putRight"), () => edit(item), { css }) : null,
      !isLine(item) && !doubtful ? againButton(item, outbox, css) : null,
      canGo ? button(say("dropMine"), () => outbox.drop(item), { css: "button quiet wide" }) : null,
    ],
  };
}

/** @type {(view: View, outbox: Outbox, edit: Edit) => HTMLElement | null} */
export function renderStoppedEntry(view, outbox, edit) {
  const item = view.stopped;
  if (!item) return null;
  const isConflict = item.status === CONFLICT;
  const { title, text, buttons } = isConflict
    ? conflict(item, view, outbox, edit)
    : refused(item, view, outbox, edit);
  return h(
    "section",
    { class: "trouble stack", role: "alert", "aria-labelledby": "trouble-title" },
    h("h2", { id: "trouble-title" }, title),
    h("p", {}, linked(text)),
    isConflict ? theirs(item, view) : null,
    mine(item, view),
    view.behind > 0 ? h("p", { class: "soft" }, say("behind", { n: view.behind })) : null,
    h("div", { class: "stack tight" }, buttons),
  );
}
