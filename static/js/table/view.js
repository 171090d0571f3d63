// What the page shows: the state the server knows, and on top of it what was entered here since.

import { shortNames } from "./dom.js";
import { apply, WAITING } from "./outbox.js";
import { countGames, dealer, plainLine, sameLine, totals } from "./rules.js";

// A mode for each thing the table does; one of them is shown.
function modeOf(state, complete) {
  if (!["open", "complete"].includes(state.status)) return "closed";
  if (state.on_paper) return "paper";
  if (!state.has_keeper) return "greeting";
  if (!state.is_keeper) return "watch";
  return complete ? "signing" : "entry";
}

// The lines with what waits for the network, and from which game on they wait.
function pendingLines(state, waiting) {
  const known = state.games.map((game) => plainLine(game.line));
  const lines = waiting.reduce(apply, known);
  const pending = new Set();
  lines.forEach((line, at) => {
    if (!known[at] || !sameLine(known[at], line)) pending.add(at + 1);
  });
  return { lines, pending, changed: pending.size > 0 || lines.length !== known.length };
}

export function makeView(state, items, rules) {
  const waiting = items.filter((item) => item.status === WAITING);
  const { lines, pending, changed } = pendingLines(state, waiting);
  const count = rules.players;
  const next =
    lines.length < rules.games
      ? { number: lines.length + 1, dealer: dealer(lines.length + 1, count) }
      : null;
  const last = (kind) => waiting.findLast((item) => item.kind === kind)?.body;
  const signing = waiting
    .filter((item) => item.kind === "sign")
    .map((item) => ({ seat: item.body.seat, pending: true }));
  const onPaper = waiting.some((item) => item.kind === "sign_paper");
  const call =
    state.call ?? (last("call") ? { kind: last("call").call_kind, state: "waiting" } : null);
  return {
    state,
    rules,
    waiting,
    stopped: items.find((item) => item.status !== WAITING) ?? null,
    behind: items.length - 1,
    names: shortNames(state.players),
    games: changed ? countGames(lines, rules) : state.games,
    lines,
    pending,
    totals: changed
      ? totals(
          lines,
          rules,
          state.totals.map((total) => total.penalty),
        )
      : state.totals,
    next,
    listenfuehrer: last("keeper")?.seat ?? state.listenfuehrer,
    // A changed list is signed anew.
    signatures: [...(changed ? [] : state.signatures), ...signing],
    signsOnPaper: onPaper,
    call,
    cases: [
      ...state.cases,
      ...waiting
        .filter((item) => item.kind === "case")
        .map(({ body }) => ({ ...body, state: "waiting" })),
    ],
    mode: modeOf(state, next === null),
  };
}
