// The view of the page: the server's state with the entries of this device on top.

import { say, shortNames } from "./dom.js";
import { apply, peopleOf } from "./lines.js";
import { WAITING } from "./outbox.js";
import { countGames, dealer, movedGame, plainLine, sameLine, sitsOut, totals } from "./rules.js";

/** @typedef {ReturnType<typeof makeView>} View */

/**
 * The mode of the page, one for each step of a table.
 *
 * @param {TableState} state
 * @param {boolean} complete
 */
function modeOf(state, complete) {
  if (!["open", "complete"].includes(state.status)) return "closed";
  if (state.on_paper) return "paper";
  if (!state.has_keeper) return "greeting";
  if (!state.is_keeper) return "watch";
  return complete ? "signing" : "entry";
}

/**
 * The lines with the waiting entries, and the first game of those.
 *
 * @param {TableState} state
 * @param {Item[]} waiting
 */
function pendingLines(state, waiting) {
  /** @type {Line[]} */
  const known = state.games.map((game) => plainLine(game.line));
  let least = known.length; // games before all waiting entries
  const lines = waiting.reduce((before, item) => {
    const after = apply(before, item);
    least = Math.min(least, after.length);
    return after;
  }, known);
  /** @type {Set<number>} */
  const pending = new Set();
  lines.forEach((line, at) => {
    if (!known[at] || !sameLine(known[at], line)) pending.add(at + 1);
  });
  return { lines, least, pending, changed: pending.size > 0 || lines.length !== known.length };
}

/**
 * A game played instead of a withdrawn one belongs to the present players.
 *
 * @param {SeatMoves | undefined} moves
 * @param {number} least
 * @returns {SeatMoves}
 */
function movesUpTo(moves, least) {
  if (!moves) return { after: [], games: [] };
  const games = moves.games
    .filter((moved) => moved.first <= least)
    .map((moved) => ({ ...moved, last: Math.min(moved.last, least) }));
  const after = [...new Set(moves.after.map((game) => Math.min(game, least)))];
  return { after, games };
}

/**
 * The bodies of entries of one kind, in order.
 *
 * @template {Kind} K
 * @param {Item[]} items
 * @param {K} kind
 */
const bodiesOf = (items, kind) =>
  items.filter((item) => item.kind === kind).map((item) => /** @type {Bodies[K]} */ (item.body));

/**
 * @param {TableState} state
 * @param {Item[]} items
 * @param {Rules} ruleSet
 */
export function makeView(state, items, ruleSet) {
  // The Spielleitung may have ended the list before its last game.
  const rules = { ...ruleSet, games: state.games_wanted ?? ruleSet.games };
  const waiting = items.filter((item) => item.status === WAITING);
  const { lines, least, pending, changed } = pendingLines(state, waiting);
  const moves = movesUpTo(state.moves, least);
  const number = lines.length + 1;
  const next = number <= rules.games ? { number, dealer: dealer(number, rules.players) } : null;
  const penalties = state.totals.map((total) => total.penalty);
  const calls = bodiesOf(waiting, "call").map(({ call_kind: kind }) => ({
    kind,
    state: "waiting",
  }));
  const signing = bodiesOf(waiting, "sign").map(({ seat }) => ({ seat, pending: true }));
  const asked = bodiesOf(waiting, "case").map((body) => ({ ...body, state: "waiting" }));
  return {
    state,
    rules,
    waiting,
    stopped: items.find((item) => item.status !== WAITING) ?? null,
    behind: items.length - 1,
    names: shortNames(state.players),
    people: peopleOf(state),
    moves,
    games: changed ? countGames(lines, rules) : state.games,
    lines,
    pending,
    totals: changed ? totals(lines, rules, penalties, moves.games) : state.totals,
    next,
    listenfuehrer: bodiesOf(waiting, "keeper").at(-1)?.seat ?? state.listenfuehrer,
    // A changed list must be signed again.
    signatures: /** @type {Signature[]} */ ([...(changed ? [] : state.signatures), ...signing]),
    signsOnPaper: waiting.some((item) => item.kind === "sign_paper"),
    call: /** @type {TableCall | null} */ (state.call ?? calls.at(-1) ?? null),
    cases: /** @type {TableCase[]} */ ([...state.cases, ...asked]),
    mode: modeOf(state, next === null),
  };
}

/**
 * The sentence about the dealer of a game, who may sit out.
 *
 * @type {(rules: Rules, game: number, names: Record<number, string>) => string}
 */
export const deals = (rules, game, names) =>
  say(sitsOut(rules, game) ? "dealsAndSitsOut" : "deals", {
    name: names[dealer(game, rules.players)],
  });

/**
 * The players of a game, who may sit elsewhere now.
 *
 * @type {(view: View, game: number) => Player[]}
 */
export const playersAt = (view, game) =>
  view.state.players.map((player) => {
    const moved = movedGame(view.moves.games, player.seat, game);
    return moved ? { ...player, name: moved.name } : player;
  });

/**
 * Their short names, by seat.
 *
 * @type {(view: View, game: number) => Record<number, string>}
 */
export const namesAt = (view, game) =>
  Object.fromEntries(
    view.state.players.map(({ seat }) => {
      const moved = movedGame(view.moves.games, seat, game);
      if (!moved) return [seat, view.names[seat]];
      return [seat, moved.owner_seat ? view.names[moved.owner_seat] : moved.name];
    }),
  );
