// The keys below the fields: digits, or the ranks of the cards that are left in a hand.

import { byId, h, say } from "./dom.js";

/** @typedef {import("./draft.js").Draft} Draft */

/**
 * The field keeps the focus while keys of the page are pressed.
 *
 * @template {HTMLElement} T
 * @param {T} pad
 */
function leaveKeyboard(pad) {
  pad.addEventListener("mousedown", (event) => event.preventDefault());
  return pad;
}

/** @type {(goLabel: string, press: (key: string) => void) => HTMLElement} */
export function digitPad(goLabel, press) {
  const { content } = /** @type {HTMLTemplateElement} */ (byId("table-keypad"));
  const pad = /** @type {HTMLElement} */ (content.firstElementChild?.cloneNode(true));
  pad.addEventListener("click", ({ target }) => {
    /** @type {HTMLElement | null} */
    const key = target instanceof Element ? target.closest("[data-key]") : null;
    if (key?.dataset.key) press(key.dataset.key);
  });
  const go = /** @type {HTMLButtonElement} */ (pad.querySelector("[data-key=go]"));
  go.type = "button";
  go.textContent = goLabel;
  return leaveKeyboard(pad);
}

/**
 * @param {Draft} draft
 * @param {string} goLabel
 * @param {{ change: (act: () => void) => void, go: () => void, leave: () => void }} acts
 */
export function cardPad(draft, goLabel, { change, go, leave }) {
  const isEmpty = draft.cardsHere.length === 0;
  /** @type {(text: string, css: string, onclick: () => void, disabled?: boolean) => HTMLElement} */
  const word = (text, css, onclick, disabled = false) =>
    h("button", { type: "button", class: css, disabled, onclick }, text);
  const pad = h(
    "div",
    { class: "keypad cards", role: "group", "aria-label": say("countCards") },
    draft.rules.cards.map((rank) => cardKey(draft, rank, () => change(() => draft.addCard(rank)))),
    word(say("cardBack"), "key word", () => change(() => draft.removeCard()), isEmpty),
    isEmpty ? word(say("digits"), "key word go", leave) : word(goLabel, "key word go", go),
  );
  return leaveKeyboard(pad);
}

/** @type {(draft: Draft, rank: Rank, onclick: () => void) => HTMLElement} */
function cardKey(draft, rank, onclick) {
  const here = draft.cardsHere.filter((each) => each === rank.rank).length;
  return h(
    "button",
    {
      type: "button",
      class: "key card-key",
      "data-rank": rank.rank,
      disabled: draft.left(rank) === 0,
      "aria-label": say("cardKey", { name: rank.name, value: rank.value, n: here }),
      onclick,
    },
    h("span", { class: "card-rank" }, rank.short),
    h("span", { class: "card-value" }, rank.value === Number(rank.rank) ? "" : String(rank.value)),
    here ? h("span", { class: "card-count" }, `${here}×`) : null,
  );
}
