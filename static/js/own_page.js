// The own page of a player: shows what everybody in the hall is to see, when it is time.

import { Clock } from "./table/clock.js";
import { SignBoard } from "./table/signs.js";

const clock = new Clock(0);
/** @type {HallSign[]} */
let signs = [];
const host = /** @type {HTMLElement} */ (document.getElementById("hall-signs"));
const board = new SignBoard(host, clock, show);

function show() {
  board.show(signs);
}

// Comes anew with each answer that has news.
function learn() {
  const known = JSON.parse(document.getElementById("own-signs")?.textContent ?? "null");
  if (!known) return;
  signs = known.signs;
  clock.offset = Date.parse(known.now) - Date.now();
  document.getElementById("own-signs")?.remove(); // what it says of the time grows old
  show();
}

learn();
document.addEventListener("htmx:afterSettle", learn);
setInterval(show, 1000);
