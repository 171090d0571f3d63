// After the last game: the results, then each player reads the whole list and signs it.

import { keepOrTell } from "./dialogs.js";
import { announce, ask, button, h, icon, linked, openDialog, say } from "./dom.js";
import { renderList, renderMoves, renderTotals } from "./list.js";
import { SignatureField } from "./signature.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./outbox.js").Outbox} Outbox */

/** @type {(view: View, seat: number) => Signature | undefined} */
const signed = (view, seat) => view.signatures.find((signature) => signature.seat === seat);

/** @param {Signature} signature */
function pill(signature) {
  if (signature.pending) return h("span", { class: "pill amber" }, say("signedWaiting"));
  return h(
    "span",
    { class: "pill felt" },
    say(signature.method === "paper" ? "signedPaper" : "signed"),
  );
}

/** @type {(view: View, player: Player, outbox: Outbox) => void} */
function signDialog(view, player, outbox) {
  const name = player.name;
  const dialog = openDialog(
    say("readAndSign", { name }),
    (close) => {
      const store = button(say("signNow"), sign, { css: "button large wide", disabled: true });
      const field = new SignatureField(say("signatureField", { name }), (isSigned) => {
        store.disabled = !isSigned;
      });
      async function sign() {
        store.disabled = true;
        const body = { seat: player.seat, drawing: field.path };
        const adding = outbox.add("sign", body, view.people);
        if (!(await keepOrTell(adding))) {
          store.disabled = false;
          return;
        }
        announce(say("hasSigned", { name }));
        close();
      }
      return [
        h("p", { class: "soft" }, say("readWhole")),
        renderList(view, { withFoot: false, caption: say("wholeList") }),
        ...renderMoves(view),
        renderTotals(view),
        h("p", { class: "sign-promise lead" }, say("signPromise", { name })),
        h(
          "div",
          { class: "signature-box" },
          field.element,
          h("span", { class: "signature-line", "aria-hidden": "true" }),
        ),
        store,
        h(
          "div",
          { class: "button-row" },
          button(say("clear"), () => field.clear(), { css: "button quiet" }),
          button(say("somethingWrong"), close, { css: "button outline" }),
        ),
      ];
    },
    { css: "dialog sign-dialog" },
  );
  dialog.scrollTop = 0;
}

/** @param {Outbox} outbox */
async function onPaper(outbox) {
  if (await ask(say("signPaperTitle"), [say("signPaperText")], say("signPaperYes")))
    await keepOrTell(outbox.add("sign_paper", {}));
}

/** @type {(view: View) => Node | null} */
const endedSign = ({ state }) =>
  state.ended?.length ? h("div", { class: "alert info" }, h("p", {}, state.ended.join(" "))) : null;

/** @type {(view: View, outbox: Outbox) => (Node | null)[]} */
export function renderSigning(view, outbox) {
  const open = view.state.players.filter((player) => !signed(view, player.seat));
  return [
    h("h2", {}, say("listComplete")),
    endedSign(view),
    renderTotals(view),
    h("p", { class: "soft small" }, say("formula")),
    h("h2", {}, say("signTitle")),
    h("p", {}, linked(say("signText"))),
    h(
      "ul",
      { class: "signers stack", role: "list" },
      view.state.players.map((player) => {
        const signature = signed(view, player.seat);
        if (signature)
          return h(
            "li",
            { class: "signer is-done cluster spread" },
            h("span", {}, icon("check"), player.name),
            pill(signature),
          );
        return h(
          "li",
          { class: "signer" },
          h(
            "button",
            {
              type: "button",
              class: "button large wide",
              "data-sign": player.seat,
              onclick: () => signDialog(view, player, outbox),
            },
            icon("edit"),
            say("signFor", { name: player.name }),
          ),
        );
      }),
    ),
    view.signsOnPaper ? h("p", {}, h("span", { class: "pill amber" }, say("paperWaiting"))) : null,
    open.length && !view.signsOnPaper
      ? button(say("signOnPaper"), () => onPaper(outbox), { css: "button outline wide" })
      : null,
  ];
}

/**
 * The view after signing: results, and the time to request a correction.
 *
 * @type {(view: View, parts: Record<"countdown" | "correction", Node | null>) => (Node | null)[]}
 */
export function renderClosed(view, { countdown, correction }) {
  const { state } = view;
  const done = view.next === null;
  return [
    h("h2", {}, say(`status_${state.status}`)),
    endedSign(view),
    done ? renderTotals(view) : null,
    h("p", { class: "soft small" }, say("formula")),
    countdown,
    ...state.cases.map((each) => caseCard(each)),
    ...view.cases.slice(state.cases.length).map((each) => caseCard(each)),
    correction,
  ];
}

/** @param {TableCase} each */
function caseCard(each) {
  const [tone, word] = toneAndWord(each);
  return h(
    "section",
    { class: "card" },
    h("h3", {}, each.game ? say("caseGame", { n: each.game }) : say("caseList")),
    h("p", {}, each.text),
    each.decision ? h("p", {}, h("strong", {}, each.decision)) : null,
    h("span", { class: `pill ${tone}` }, say(word)),
  );
}

/** @param {TableCase} each */
function toneAndWord({ state, decision }) {
  if (state === "waiting") return ["amber", "caseNotSent"];
  return decision ? ["felt", "caseDecided"] : ["amber", "caseOpen"];
}
