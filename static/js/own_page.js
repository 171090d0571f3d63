// The own page of a player: shows the signs for the whole hall at their times.

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

// Each answer with changes brings new signs.
function learn() {
  const known = JSON.parse(document.getElementById("own-signs")?.textContent ?? "null");
  if (!known) return;
  signs = known.signs;
  clock.offset = Date.parse(known.now) - Date.now();
  document.getElementById("own-signs")?.remove(); // its time would become outdated
  show();
}

learn();
document.addEventListener("htmx:afterSettle", learn);
setInterval(show, 1000);
