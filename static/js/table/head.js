// The line above the list: its progress, the time, and whether everything is stored.

import { Clock } from "./clock.js";
import { byId, h, say } from "./dom.js";
import { protestText } from "./protest.js";

/** @typedef {import("./outbox.js").Outbox} Outbox */
/** @typedef {import("./view.js").View} View */

const progress = byId("table-progress");
const connection = byId("connection");

/** @type {(view: View, outbox: Outbox) => [tone: string, text: string]} */
function connectionPill(view, outbox) {
  if (outbox.withdrawn) return ["red", say("withdrawn")];
  if (view.stopped) return ["red", say("needsYou")];
  return storagePill(view.waiting.length, outbox);
}

/** @type {(n: number, outbox: Outbox) => [tone: string, text: string]} */
function storagePill(n, { isSending, isUnkept, isKnown, online }) {
  if (isSending || (n && online)) return ["amber", say("sending")];
  if (isUnkept) return ["red", say("unkept")];
  if (!isKnown) return ["amber", say("storeFails")];
  if (n) return ["amber", say(n === 1 ? "waitsOne" : "waitsMany", { n })];
  return online ? ["felt", say("stored")] : ["amber", say("offline")];
}

/** @type {(view: View, outbox: Outbox) => void} */
export function renderConnection(view, outbox) {
  const [tone, text] = connectionPill(view, outbox);
  const isShown = connection.firstElementChild?.classList.contains(tone);
  if (isShown && connection.textContent?.trim() === text) return;
  connection.replaceChildren(h("span", { class: `pill ${tone}` }, h("span", {}, text)));
}

/** @type {(view: View, seconds: number | null) => string} */
function timeText(view, seconds) {
  if (seconds === null || view.mode === "closed") return "";
  return seconds > 0 ? say("timeLeft", { time: Clock.write(seconds) }) : say("timeOver");
}

/** @type {(view: View, clock: Clock) => void} */
export function renderProgress(view, clock) {
  const { games } = view.rules;
  const seconds = view.state.ends_at ? clock.secondsTo(view.state.ends_at) : null;
  const done = view.next
    ? say("gameOf", { n: view.next.number, all: games })
    : say("allGames", { all: games });
  const text = [done, timeText(view, seconds)].filter(Boolean).join(" · ");
  if (progress.textContent !== text) progress.textContent = text;
  progress.classList.toggle("is-soon", seconds !== null && Clock.isSoon(seconds));
  const countdown = document.getElementById("protest-left");
  if (countdown) countdown.textContent = protestText(view, clock);
}
