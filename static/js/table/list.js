// The list as on paper: a row for each game, a mark for the dealer, a ring for the finisher.

import { amount, button, h, hidden, icon, points, say } from "./dom.js";
import { readings } from "./rules.js";
import { deals } from "./view.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {(number: number) => void} OnGame */

const LAST_ROWS = 2; // rows that stay visible while a game is entered
const SLIM = 416; // px; the width of a phone held upright
const LETTERS = 8; // of a word in a column head on such a phone

/** @type {(view: View, options: { narrow: boolean }) => HTMLElement} */
function head(view, { narrow }) {
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("th", { scope: "col" }, hidden(say("game"))),
      view.state.players.map((player) =>
        h(
          "th",
          { scope: "col" },
          narrow ? view.names[player.seat] : player.name,
          player.seat === view.listenfuehrer
            ? h("span", { class: "keeper-mark" }, icon("edit"), hidden(say("keepsList")))
            : null,
        ),
      ),
    ),
  );
}

/**
 * Whether a name would be cut within a word: a quarter of a phone has room for eight letters.
 *
 * @param {View} view
 */
const wouldBreak = (view) =>
  innerWidth < SLIM &&
  view.state.players.some(({ name }) => name.split(/[ -]/).some((word) => word.length > LETTERS));

/**
 * Names above the sums, where a phone has less room than in the list: initials if one is long.
 *
 * @param {View} view
 */
function namesOfSums(view) {
  const { players } = view.state;
  const cut =
    innerWidth < SLIM && players.some(({ seat }) => view.names[seat].length > LETTERS - 2);
  /** @param {string} name */
  const initials = (name) =>
    [...new Set([name, name.slice(name.lastIndexOf(" ") + 1)])]
      .map((part) => `${part[0]}.`)
      .join(" ");
  return players.map(({ name, seat }) => (cut ? initials(name) : view.names[seat]));
}

/**
 * The owners of games played at a seat before people changed seats.
 *
 * @param {View} view
 */
export const renderMoves = (view) =>
  view.moves.games.map(({ seat, first: n, last, number, name: full, total }) => {
    const name = number ? `${number} · ${full}` : full;
    const key = n === 1 ? "moved" : "movedFrom";
    const sentence = say(n === last ? "movedOne" : key, { seat, n, last, name });
    const result = total === null ? "" : ` ${say("movedTotal", { total: points(total) })}`;
    return h("p", { class: "soft" }, sentence + result);
  });

/** @type {(entry: Hand, counted: number) => string | HTMLElement} */
function handText(entry, counted) {
  if (entry === null) return h("abbr", { title: say("sitsOut") }, "\u2013");
  const read = [...new Set(readings(entry))];
  return readings(entry).length > 1 ? read.join("/") : points(counted);
}

/** @type {(game: CountedGame, seat: number) => HTMLElement} */
function cell(game, seat) {
  const { line } = game;
  const finished = readings(line.finisher).length === 1 && line.finisher === seat;
  const isDealer = game.dealer === seat;
  const value = handText(line.minus[seat - 1], game.points[seat - 1]);
  const extra = (line.adjustments ?? [])
    .filter((adjustment) => adjustment.seat === seat)
    .reduce((sum, adjustment) => sum + adjustment.points, 0);
  return h(
    "td",
    {},
    h(
      "span",
      { class: "points" },
      isDealer
        ? h("abbr", { class: "dealer-mark", title: say("dealerMark") }, say("dealerLetter"))
        : null,
      finished ? h("span", { class: "finisher" }, hidden(`${say("finished")}: `), value) : value,
      finished && line.handromme === true
        ? h("span", { class: "hand-mark" }, h("abbr", { title: say("handromme") }, "H"))
        : null,
    ),
    h(
      "span",
      { class: "running" },
      extra ? `${points(extra)} · ` : "",
      points(game.running[seat - 1]),
    ),
  );
}

/**
 * @param {CountedGame} game
 * @param {View} view
 * @param {{ onChange: OnGame | null, roundEnd: boolean, fresh: boolean }} options
 */
function row(game, view, { onChange, roundEnd, fresh }) {
  const isPending = view.pending.has(game.number);
  const state = isPending ? say("notSent") : say("stored");
  const number = [
    String(game.number),
    h(
      "span",
      { class: isPending ? "row-sign waits" : "row-sign" },
      icon(isPending ? "clock" : "check"),
      hidden(`, ${state}`),
    ),
  ];
  const css = [
    roundEnd && "round-end",
    view.moves.after.includes(game.number) && "seats-change",
    isPending && "is-pending",
    fresh && "is-fresh",
  ]
    .filter(Boolean)
    .join(" ");
  return h(
    "tr",
    { class: css, "data-game": game.number },
    h(
      "th",
      { scope: "row" },
      onChange
        ? h(
            "button",
            {
              type: "button",
              class: "row-button",
              onclick: () => onChange(game.number),
              "aria-label": `${say("changeGame", { n: game.number })}, ${state}`,
            },
            ...number,
          )
        : number,
    ),
    view.state.players.map((player) => cell(game, player.seat)),
  );
}

/** @type {(view: View, next: { number: number }) => HTMLElement} */
function nowRow(view, next) {
  return h(
    "tr",
    { class: "is-now" },
    h("th", { scope: "row" }, String(next.number)),
    h("td", { colspan: view.state.players.length }, deals(view.rules, next.number, view.names)),
  );
}

/** @param {View} view */
function foot(view) {
  /** @param {SeatTotal} total */
  const bonus = (total) =>
    total.augen ?? total.bonus + total.handromme_bonus + total.adjustment + total.penalty;
  return h(
    "tfoot",
    {},
    h(
      "tr",
      { class: "foot-label" },
      h(
        "th",
        { scope: "rowgroup", colspan: view.state.players.length + 1 },
        say(view.next ? "standSoFar" : "result"),
      ),
    ),
    h(
      "tr",
      { class: "total" },
      h("td", {}),
      view.totals.map((total) =>
        h(
          "td",
          {},
          total.place ? points(total.total) : "\u2013",
          h("span", { class: "running" }, bonus(total) ? points(bonus(total)) : "\u2013"),
        ),
      ),
    ),
  );
}

/**
 * @param {View} view
 * @param {object} options
 * @param {OnGame | null} [options.onChange] makes rows pressable
 * @param {boolean} [options.narrow] first names only
 * @param {boolean} [options.short] leaves the last rows only, or those up to the game `upTo`
 * @param {number | null} [options.upTo]
 * @param {boolean} [options.withFoot]
 * @param {boolean} [options.withNow]
 * @param {number} [options.fresh] the newest game
 * @param {string} [options.caption]
 */
export function renderList(
  view,
  {
    onChange = null,
    narrow = false,
    short = false,
    upTo = null,
    withFoot = true,
    withNow = true,
    fresh = 0,
    caption = say("list"),
  } = {},
) {
  const players = view.state.players.length;
  const games = short
    ? view.games.slice(0, upTo ?? view.games.length).slice(-LAST_ROWS)
    : view.games;
  const body = h(
    "tbody",
    {},
    games.map((game) =>
      row(game, view, {
        onChange,
        roundEnd: game.number % players === 0,
        fresh: game.number === fresh,
      }),
    ),
  );
  if (withNow && view.next) body.append(nowRow(view, view.next));
  return h(
    "table",
    { class: `score${players > 4 ? " crowded" : ""}` },
    h("caption", { class: "visually-hidden" }, caption),
    head(view, { narrow: narrow || short || players > 4 || wouldBreak(view) }),
    body,
    withFoot && !short && view.games.length ? foot(view) : null,
  );
}

/**
 * The sums below the list, named by the letters on the paper list.
 *
 * @param {View} view
 */
export function renderTotals(view) {
  const { rules, totals } = view;
  /** @param {"adjustment" | "penalty" | "penalty_cost" | "added" | "bussgeld_cents"} name */
  const some = (name) => totals.some((total) => total[name]);
  const { valuation, handromme } = rules;
  const forHandromme = valuation ? valuation.handromme - valuation.finish : handromme?.bonus;
  /** @type {[key: string, isShown: unknown, value: (total: SeatTotal) => string][]} */
  const rows = [
    ["sumMinus", true, (total) => points(total.minus)],
    ["sumWon", true, (total) => String(total.games_won)],
    ["sumBonus", rules.bonus, (total) => points(total.bonus)],
    ["sumHandromme", rules.handromme, (total) => String(total.handromme)],
    ["sumHandrommeBonus", forHandromme, (total) => points(total.handromme_bonus)],
    ["sumSteps", rules.valuation, (total) => points(total.steps ?? 0)],
    ["sumAdjustment", some("adjustment"), (total) => points(total.adjustment)],
    ["sumPenalty", some("penalty"), (total) => points(total.penalty)],
    ["sumPenaltyCost", some("penalty_cost"), (total) => points(-(total.penalty_cost ?? 0))],
    ["sumAdded", some("added"), (total) => points(total.added ?? 0)],
    ["sumAugen", rules.valuation, (total) => points(total.augen ?? 0)],
  ];
  /** @type {(css: string, key: string, values: string[]) => HTMLElement} */
  const line = (css, key, values) =>
    h(
      "tr",
      { class: css },
      h("th", { scope: "row" }, say(key)),
      values.map((value) => h("td", {}, value)),
    );
  return h(
    "table",
    { class: `score sums${view.state.players.length > 4 ? " crowded" : ""}` },
    h("caption", { class: "visually-hidden" }, say("sums")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, hidden(say("sums"))),
        namesOfSums(view).map((name) => h("th", { scope: "col" }, name)),
      ),
    ),
    h(
      "tbody",
      {},
      rows
        .filter(([_key, isShown]) => isShown)
        .map(([key, _isShown, value]) => line("", key, totals.map(value))),
      line(
        "total",
        "result",
        totals.map((total) => (total.place ? points(total.total) : "\u2013")),
      ),
      line(
        "",
        "place",
        totals.map((total) => (total.place ? `${total.place}.` : "\u2013")),
      ),
      totals.some((total) => total.bussgeld_cents)
        ? line(
            "money",
            "bussgeld",
            totals.map((total) =>
              total.bussgeld_cents === null ? "\u2013" : amount(total.bussgeld_cents),
            ),
          )
        : null,
    ),
  );
}

/** @type {(number: number, act: () => void) => HTMLElement} */
export const changeButton = (number, act) =>
  button(say("changeGame", { n: number }), act, { css: "button quiet", sign: "undo" });
