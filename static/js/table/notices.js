// Notices of this device above the list: unsent entries, withdrawn access, changed players.

import { alertBox, button, h, say } from "./dom.js";

/** @typedef {import("./outbox.js").Outbox} Outbox */
/** @typedef {import("./view.js").View} View */

/** @type {(view: View, outbox: Outbox) => HTMLElement | null} */
export function unsentNote(view, outbox) {
  const games = [...view.pending].sort((a, b) => a - b);
  // Only a page loaded by https can be opened again offline.
  const stay = isSecureContext ? "" : say("stayOpen");
  if (outbox.online || outbox.withdrawn || !(games.length || stay)) return null;
  const which = games.length === 1 ? String(games[0]) : `${games[0]}\u2013${games.at(-1)}`;
  const unsent = say(games.length === 1 ? "unsentOne" : "unsentMany", { games: which });
  return h("p", { class: "unsent" }, [games.length ? unsent : "", stay].join(" ").trim());
}

/** @type {(outbox: Outbox) => HTMLElement | null} */
export function withdrawnAlert(outbox) {
  if (!outbox.withdrawn) return null;
  return alertBox(
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
  );
}

/**
 * Tells a table that called that a Schiedsrichter is coming.
 *
 * @type {(call: TableCall, since: string) => HallSign}
 */
export const callTakenSign = (call, since) => ({
  kind: "call",
  title: say("callTaken"),
  text: say(`call_${call.kind}`),
  since,
  until: null,
  ends_at: null,
});

/**
 * Names the players who sit at the table now.
 *
 * @type {(view: View, since: string) => HallSign}
 */
export function moveSign(view, since) {
  const names = view.state.players.map(({ seat, name }) => `${seat} ${name}`).join(", ");
  const text = say("seatsNow", { names });
  return { kind: "moved", title: say("seatsMoved"), text, since, until: null, ends_at: null };
}
