// Buttons and sections of the sheet below the list.

import { act, callDialog, caseDialog, menuDialog } from "./dialogs.js";
import { button, h, say } from "./dom.js";
import { changeButton } from "./list.js";
import { isProtestOpen } from "./protest.js";

/** @typedef {import("./clock.js").Clock} Clock */
/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("./outbox.js").Outbox} Outbox */
/** @typedef {import("./view.js").View} View */

/** @param {Child[]} children */
export const section = (children) => h("section", { class: "table-section stack" }, children);

/** @type {(view: View, outbox: Outbox, css?: string) => HTMLElement} */
export const callButton = (view, outbox, css = "button quiet") =>
  button(say("callShort"), () => callDialog(outbox), { css, disabled: Boolean(view.call) });

/** @type {(view: View, outbox: Outbox) => Child[]} */
export const paperParts = (view, outbox) => [
  h("h2", {}, say("isOnPaper")),
  h("p", {}, say("isOnPaperText")),
  view.state.is_keeper
    ? button(say("backToDevice"), () => act(outbox, "paper", { on_paper: false }), {
        css: "button outline wide",
      })
    : null,
  callButton(view, outbox, "button quiet wide"),
];

/** @type {(view: View, outbox: Outbox, edit: (number: number) => void) => HTMLElement} */
export function entryFoot(view, outbox, edit) {
  const last = view.games.at(-1)?.number;
  return h(
    "div",
    { class: "entry-foot" },
    last ? changeButton(last, () => edit(last)) : null,
    callButton(view, outbox),
    button(say("more"), () => menuDialog(view, outbox), { css: "button quiet" }),
  );
}

/** @type {(number: number, takeBack: (number: number) => Promise<void>) => HTMLElement} */
export const takeBackFoot = (number, takeBack) =>
  h(
    "div",
    { class: "entry-foot" },
    button(say("takeBackGame", { n: number }), () => takeBack(number), {
      css: "button quiet",
      sign: "undo",
    }),
  );

/** @type {(view: View, outbox: Outbox, clock: Clock) => HTMLElement | null} */
export function correctionButton(view, outbox, clock) {
  const isSigned = ["signed", "handed_in", "verified"].includes(view.state.status);
  if (!isProtestOpen(view, clock) || !isSigned) return null;
  return button(say("askCorrection"), () => caseDialog(view, outbox), {
    css: "button outline wide",
  });
}
