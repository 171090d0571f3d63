// Applies entries to the lines of a list, and checks whether it has them already.

import { plainLine, sameLine } from "./rules.js";

export const DEPENDS_ON_LINES = new Set(["game", "change", "sign", "sign_paper"]);

/** @type {(state: TableState) => Line[]} */
export const linesOf = (state) => state.games.map((game) => plainLine(game.line));
/** @type {(first: unknown, second: unknown) => boolean} */
export const same = (first, second) => JSON.stringify(first) === JSON.stringify(second);

/** @type {(state: TableState) => People} */
export const peopleOf = ({ players }) => players.map(({ number, name }) => number ?? name);
/**
 * Whether an entry about lines was made for other people than those at the table now.
 *
 * @type {(item: Pick<Item, "kind" | "people">, state: TableState) => boolean}
 */
export const isForOthers = ({ kind, people }, state) =>
  DEPENDS_ON_LINES.has(kind) && people !== undefined && !same(people, peopleOf(state));

/**
 * The lines after an entry; unchanged if the list has it already.
 *
 * @param {Line[]} lines
 * @param {Act} act
 * @returns {Line[]}
 */
export function apply(lines, { kind, body }) {
  if (kind !== "game" && kind !== "change") return lines;
  const { number } = body;
  const line = body.line && plainLine(body.line);
  if (line === null) return number === lines.length ? lines.slice(0, -1) : lines;
  if (kind === "game") return number === lines.length + 1 ? [...lines, line] : lines;
  return lines.map((old, at) => (at === number - 1 ? line : old));
}

/**
 * The games that this device knows as stored, but a laptop that took over does not: its list is
 * older and ends before them.
 *
 * @type {(before: TableState, now: TableState) => Line[]}
 */
export function lostLines(before, now) {
  const [known, there] = [linesOf(before), linesOf(now)];
  const isOlder = now.version < before.version && now.is_keeper && now.status === "open";
  return isOlder && same(there, known.slice(0, there.length)) ? known.slice(there.length) : [];
}

/**
 * Whether another device has already done the same.
 *
 * @type {(act: Act, state: TableState) => boolean}
 */
export function isDone({ kind, body }, state) {
  if (kind === "call") return state.call !== null;
  if (kind === "sign") return state.signatures.some((signature) => signature.seat === body.seat);
  return kind === "sign_paper" && state.status === "signed";
}

/**
 * Whether the list has the line of this entry.
 *
 * @type {(act: Act, state: TableState) => boolean}
 */
export function isWritten({ kind, body }, { games }) {
  if (kind !== "game" && kind !== "change") return false;
  const there = games[body.number - 1];
  if (body.line === null) return games.length === body.number - 1;
  return Boolean(there) && sameLine(there.line, body.line);
}
