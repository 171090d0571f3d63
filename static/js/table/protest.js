// The time to request a correction after signing.

import { Clock } from "./clock.js";
import { h, say } from "./dom.js";

/** @typedef {import("./view.js").View} View */

/** @type {(view: View, clock: Clock) => number} */
const secondsLeft = ({ state }, clock) =>
  state.protest_until ? clock.secondsTo(state.protest_until) : 0;

/** @type {(view: View, clock: Clock) => boolean} */
export const isProtestOpen = (view, clock) => secondsLeft(view, clock) > 0;

/** @type {(view: View, clock: Clock) => string} */
export const protestText = (view, clock) =>
  isProtestOpen(view, clock)
    ? say("protestLeft", { time: Clock.write(secondsLeft(view, clock)) })
    : say("protestOver");

/** @type {(view: View, clock: Clock) => HTMLElement | null} */
export const protestLine = (view, clock) =>
  view.state.protest_until
    ? h("p", { id: "protest-left", class: "lead" }, protestText(view, clock))
    : null;
