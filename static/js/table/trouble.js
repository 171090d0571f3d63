// An entry that could not be stored as it is: a person decides what becomes of it.

import { askConsent } from "./change.js";
import { button, h, points, say } from "./dom.js";
import { CONFLICT, DOUBT } from "./outbox.js";
import { countLine } from "./rules.js";

const hand = (line, view) =>
  view.state.players
    .map((player) => {
      const count = countLine(line, view.rules)[player.seat - 1];
      const mark = count.finished ? ` ${say(count.handromme ? "finishedByHand" : "finished")}` : "";
      return `${view.names[player.seat]} ${points(count.minus)}${mark}`;
    })
    .join(" · ");

const isLine = (item) => item.kind === "game" || (item.kind === "change" && item.body.line);

function mine(item, view) {
  if (!isLine(item)) return null;
  return h(
    "p",
    {},
    h("strong", {}, say("yourEntry", { n: item.body.number })),
    h("br"),
    hand(item.body.line, view),
  );
}

function theirs(item, view) {
  const game = view.state.games[item.body.number - 1];
  if (!isLine(item) || !game) return null;
  return h(
    "p",
    {},
    h("strong", {}, say("theirEntry", { n: item.body.number })),
    h("br"),
    hand(game.line, view),
  );
}

async function asChange(item, view, outbox) {
  const before = view.state.games[item.body.number - 1].line;
  const serverView = { ...view, signatures: view.state.signatures };
  const consents = await askConsent(serverView, item.body.number, before, item.body.line);
  if (consents)
    await outbox.rewrite(item, "change", {
      number: item.body.number,
      line: item.body.line,
      consents,
      confirmed: item.body.confirmed,
    });
}

function conflict(item, view, outbox) {
  const games = view.state.games.length;
  const taken = isLine(item) && item.body.number <= games;
  const next = item.kind === "game" && games < view.rules.games;
  return {
    title: say("conflictTitle"),
    text: item.answer.conflict || say("conflictText"),
    buttons: [
      button(say(taken ? "keepTheirs" : "dropMine"), () => outbox.drop(item), {
        css: "button outline wide",
      }),
      next
        ? button(
            say("mineAsGame", { n: games + 1 }),
            () => outbox.rewrite(item, "game", { ...item.body, number: games + 1 }),
            { css: "button outline wide" },
          )
        : null,
      taken
        ? button(say("mineAsChange", { n: item.body.number }), () => asChange(item, view, outbox), {
            css: "button outline wide",
          })
        : null,
      !isLine(item)
        ? button(say("sendAgain"), () => outbox.rewrite(item, item.kind, item.body), {
            css: "button wide",
          })
        : null,
    ],
  };
}

function refused(item, view, outbox, edit) {
  const doubtful = item.status === DOUBT;
  // Later entries stand on this one: it can be put right, but not be left out.
  const canGo = view.behind === 0 || !isLine(item);
  return {
    title: say(doubtful ? "pleaseCheck" : "refusedTitle"),
    text: item.answer.problems.map((problem) => problem.message).join(" "),
    buttons: [
      doubtful
        ? button(say("itIsRight"), () => outbox.confirm(item), { css: "button wide" })
        : null,
      isLine(item)
        ? button(say("putRight"), () => edit(item), { css: "button outline wide" })
        : null,
      !isLine(item) && !doubtful
        ? button(say("sendAgain"), () => outbox.rewrite(item, item.kind, item.body), {
            css: "button outline wide",
          })
        : null,
      canGo ? button(say("dropMine"), () => outbox.drop(item), { css: "button quiet wide" }) : null,
    ],
  };
}

// edit(item) opens the sheet with what was entered.
export function renderTrouble(view, outbox, edit) {
  const item = view.stopped;
  if (!item) return null;
  const isConflict = item.status === CONFLICT;
  const { title, text, buttons } = isConflict
    ? conflict(item, view, outbox)
    : refused(item, view, outbox, edit);
  return h(
    "section",
    { class: "trouble", role: "alert", "aria-labelledby": "trouble-title" },
    h("h2", { id: "trouble-title" }, title),
    h("p", {}, text),
    isConflict ? theirs(item, view) : null,
    mine(item, view),
    view.behind > 0 ? h("p", { class: "soft" }, say("behind", { n: view.behind })) : null,
    h("div", { class: "trouble-buttons" }, buttons),
  );
}
