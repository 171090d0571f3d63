// Changing a line before signing: old and new line, and the consent of the players concerned (§ 2.2.3).

import { alertBox, button, h, icon, linked, openDialog, points, say } from "./dom.js";
import { concernedSeats, countLine, readings, sameLine } from "./rules.js";
import { playersAt } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./outbox.js").Outbox} Outbox */

/** @type {(line: Line, at: number, view: View) => (Node | string | null)[]} */
function describe(line, at, view) {
  const count = countLine(line, view.rules)[at];
  const hand = line.minus[at];
  if (hand === null) return [h("abbr", { title: say("sitsOut") }, "\u2013")];
  const entry = readings(hand);
  const text = entry.length > 1 ? entry.join("/") : points(count.minus);
  const extra = count.adjustment ? ` ${points(count.adjustment)}` : "";
  if (count.finished)
    return [
      h("span", { class: "finisher" }, text),
      count.handromme ? h("span", { class: "hand-mark" }, "H") : null,
      extra,
    ];
  return [text, extra];
}

/** @type {(number: number, before: Line, after: Line | null, view: View) => HTMLElement} */
function comparison(number, before, after, view) {
  const rows = playersAt(view, number).map((player) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, player.name),
      h("td", {}, describe(before, player.seat - 1, view)),
      h("td", {}, after ? describe(after, player.seat - 1, view) : "\u2013"),
    ),
  );
  return h(
    "table",
    { class: "score comparison" },
    h("caption", { class: "visually-hidden" }, say("oldAndNew")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, say("player")),
        h("th", { scope: "col" }, say("before")),
        h("th", { scope: "col" }, say("after")),
      ),
    ),
    h("tbody", {}, rows),
  );
}

/**
 * Shows the change; resolves to the seats that agreed, or to null.
 *
 * @param {View} view
 * @param {number} number
 * @param {Line} before
 * @param {Line | null} after
 * @returns {Promise<number[] | null>}
 */
export function askConsent(view, number, before, after) {
  const concerned = concernedSeats(before, after, view.rules);
  /** @type {Set<number>} */
  const agreed = new Set();
  return new Promise((resolve) => {
    /** @type {number[] | null} */
    let answer = null;
    openDialog(
      say(after ? "changeGame" : "takeBackGame", { n: number }),
      (close) => {
        const go = button(
          say(after ? "changeNow" : "takeBackNow"),
          () => {
            answer = [...agreed];
            close();
          },
          { css: "button large wide", disabled: concerned.length > 0 },
        );
        /** @param {number} seat */
        const consent = (seat) => {
          const player = playersAt(view, number)[seat - 1];
          const toggle = h(
            "button",
            {
              type: "button",
              class: "toggle consent",
              "data-consent": seat,
              "aria-pressed": "false",
            },
            h("span", { class: "toggle-box" }, icon("check")),
            say("agrees", { name: player.name }),
          );
          toggle.addEventListener("click", () => {
            if (!agreed.delete(seat)) agreed.add(seat);
            toggle.setAttribute("aria-pressed", String(agreed.has(seat)));
            go.disabled = agreed.size < concerned.length;
          });
          return toggle;
        };
        return [
          comparison(number, before, after, view),
          concerned.length ? h("p", {}, linked(say("consentNeeded"))) : null,
          ...concerned.map(consent),
          view.signatures.length ? alertBox("warning", h("p", {}, say("signaturesLost"))) : null,
          go,
          button(say("cancel"), close, { css: "button quiet wide" }),
        ];
      },
      { onclose: () => resolve(answer) },
    );
  });
}

/**
 * Stores a changed or withdrawn line if the players concerned agree.
 *
 * @param {View} view
 * @param {Outbox} outbox
 * @param {number} number
 * @param {ClearLine | null} after
 * @param {boolean} confirmed
 */
export async function storeChange(view, outbox, number, after, confirmed) {
  const before = view.lines[number - 1];
  if (after && sameLine(before, after)) return true;
  const consents = await askConsent(view, number, before, after);
  if (!consents) return false;
  await outbox.add("change", { number, line: after, consents, confirmed }, view.people);
  return true;
}
