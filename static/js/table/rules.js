// Counts lines like the scoring, for lines that the server has not seen, and checks whether numbers
// are possible. The server decides on both.

/**
 * @template T
 * @param {Entry<T>} entry
 * @returns {T[]}
 */
export const readings = (entry) => (Array.isArray(entry) ? entry : [entry]);
/** @type {<T>(entry: Entry<T>) => T[]} */
const distinct = (entry) => [...new Set(readings(entry))];
/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** @type {(game: number, players: number) => number} */
export const dealer = (game, players) => ((game - 1) % players) + 1;
/**
 * The seat that sits out in a game, or null.
 *
 * @type {(rules: { sits_out?: number[] }, game: number) => number | null}
 */
export const sitsOut = (rules, game) => rules.sits_out?.[game - 1] ?? null;
/** @type {(rules: Rules, game: number) => Round} */
export const roundOf = (rules, game) => rules.rounds[Math.min(game, rules.rounds.length) - 1];

/** @typedef {{ handromme: { factor: number, surcharge: number } | null, valuation?: Valuation }} Counting */

/** @type {(hand: number, rules: Counting) => number} */
function addedForHandromme(hand, rules) {
  if (hand === 0 || !rules.handromme) return 0;
  return hand * (rules.handromme.factor - 1) + rules.handromme.surcharge;
}

/**
 * The points of a hand that count (§ 2.2.6); 0 for a seat that sits out.
 *
 * @param {Hand} entry
 */
const leastFavourable = (entry) => (entry === null ? 0 : Math.max(...readings(entry)));

/** @type {(entry: Hand, valuation: Valuation | undefined) => number} */
const ofHand = (entry, valuation) =>
  entry === null
    ? 0
    : (valuation?.steps.find(([upto]) => leastFavourable(entry) <= upto)?.[1] ?? 0);

/**
 * The result of a game for a seat: Wertpunkte, or the points of the hand.
 *
 * @param {Count} count
 * @param {Counting} rules
 */
function brought({ minus, finished, handromme, step }, { valuation }) {
  if (!valuation) return minus;
  if (!finished) return step;
  return handromme ? valuation.handromme : valuation.finish;
}

/** @typedef {ReturnType<typeof countLine>[number]} Count */

/**
 * The counts of a line by seat. The least favourable reading counts for all (§ 2.2.6).
 *
 * @param {Line} line
 * @param {Counting} rules
 */
export function countLine(line, rules) {
  const finishers = distinct(line.finisher);
  const handromme = readings(line.handromme ?? false);
  return line.minus.map((entry, at) => {
    const seat = at + 1;
    const hand = leastFavourable(entry);
    const finished = finishers.length === 1 && finishers[0] === seat;
    const suffers =
      handromme.includes(true) && finishers.some((other) => other !== seat && other !== null);
    return {
      minus: hand + (suffers ? addedForHandromme(hand, rules) : 0),
      finished,
      handromme: finished && handromme.every(Boolean),
      step: finished ? 0 : ofHand(entry, rules.valuation),
      adjustment: sum(
        (line.adjustments ?? []).filter((part) => part.seat === seat).map((part) => part.points),
      ),
    };
  });
}

/**
 * Games with points and running sums, computed from lines.
 *
 * @param {Line[]} lines
 * @param {Counting & { players: number }} rules
 * @returns {CountedGame[]}
 */
export function countGames(lines, rules) {
  /** @type {number[]} */
  let running = Array(rules.players).fill(0);
  return lines.map((line, at) => {
    const counts = countLine(line, rules);
    const points = counts.map((count) => count.minus);
    running = running.map((total, seat) => total + brought(counts[seat], rules));
    return { number: at + 1, dealer: dealer(at + 1, rules.players), line, points, running };
  });
}

/** @type {(moved: MovedGames[], seat: number, game: number) => MovedGames | undefined} */
export const movedGame = (moved, seat, game) =>
  moved.find((span) => span.seat === seat && span.first <= game && game <= span.last);

/** @typedef {Pick<SeatTotal, "total" | "augen" | "games_won" | "handromme">} Ranked */
// The order of two results: most Wertpunkte first, else fewest points first.
/** @type {(a: Ranked, b: Ranked) => number} */
const better = (a, b) =>
  (a.augen === undefined ? a.total - b.total : b.total - a.total) ||
  (a.augen ?? 0) - (b.augen ?? 0) ||
  b.games_won - a.games_won ||
  b.handromme - a.handromme;

// Turns -0 into 0.
/** @param {number} points */
const off = (points) => (points === 0 ? 0 : -points);

/**
 * The parts of a result in Wertpunkte, with the Augen.
 *
 * @param {Pick<SeatTotal, "minus" | "adjustment" | "penalty" | "games_won" | "handromme">} counted
 * @param {number} steps
 * @param {Valuation} valuation
 */
function valued({ minus, adjustment, penalty, games_won, handromme }, steps, valuation) {
  const bonus = valuation.finish * games_won;
  const handromme_bonus = (valuation.handromme - valuation.finish) * handromme;
  const penalty_cost = valuation.penalty_per ? Math.ceil(penalty / valuation.penalty_per) : 0;
  const total = steps + bonus + handromme_bonus - penalty_cost;
  return {
    bonus,
    handromme_bonus,
    steps,
    penalty_cost,
    total,
    augen: minus + adjustment + penalty,
  };
}

/**
 * The result of each seat's player (§ 3.2); Strafpunkte come from the server.
 *
 * @param {Line[]} lines
 * @param {Rules} rules
 * @param {number[]} penalties
 * @param {MovedGames[]} moved games that belong to a player who no longer sits there
 * @returns {SeatTotal[]}
 */
export function totals(lines, rules, penalties, moved = []) {
  const counts = lines.map((line) => countLine(line, rules));
  /** @type {(seat: number, game: number) => number | null} where the player of then sits now */
  const ownerSeat = (seat, game) => {
    const other = movedGame(moved, seat, game);
    return other ? other.owner_seat : seat;
  };
  const seats = Array.from({ length: rules.players }, (_none, at) => {
    const mine = counts.flatMap((count, game) =>
      count.filter((_count, seat) => ownerSeat(seat + 1, game + 1) === at + 1),
    );
    const won = mine.filter((count) => count.finished).length;
    const handromme = mine.filter((count) => count.handromme).length;
    const signed = {
      minus: sum(mine.map((count) => count.minus)),
      bonus: off(rules.bonus * won),
      handromme_bonus: off((rules.handromme?.bonus ?? 0) * handromme),
      penalty: penalties[at] ?? 0,
      adjustment: sum(mine.map((count) => count.adjustment)),
    };
    const counted = { seat: at + 1, ...signed, games_won: won, handromme, bussgeld_cents: null };
    if (!rules.valuation) return { ...counted, total: sum(Object.values(signed)) };
    return {
      ...counted,
      ...valued(counted, sum(mine.map((count) => count.step)), rules.valuation),
    };
  });
  return seats.map((seat) => ({
    ...seat,
    place: 1 + seats.filter((other) => better(other, seat) < 0).length,
  }));
}

/** @type {(bounds: GameBounds, handromme: boolean) => HandBounds} */
export const handBounds = (bounds, handromme) =>
  (handromme && bounds.after_handromme) || bounds.hand;

/**
 * Whether no further digit is possible, so that the next field can follow.
 *
 * @type {(value: number, most: number) => boolean}
 */
export const isFinal = (value, most) => value > 0 && value * 10 > most;

/**
 * The reason why a hand cannot have so many points, as key and values of a text, or null.
 *
 * @type {(value: number, bounds: GameBounds, handromme: boolean) => Said | null}
 */
export function handProblem(value, bounds, handromme) {
  const hand = handBounds(bounds, handromme);
  if (value < hand.min) {
    if (handromme && bounds.after_handromme && value >= bounds.hand.min)
      return ["tooLowHandromme", { value, min: hand.min }];
    return [value === 0 ? "zeroIsFinisher" : "tooLow", { value, min: hand.min }];
  }
  if (value > hand.max) return ["tooHigh", { value, max: hand.max }];
  if (value % hand.step !== 0 || hand.impossible.includes(value)) return ["notPossible", { value }];
  return null;
}

/** @type {(value: number, bounds: GameBounds, handromme: boolean) => Said | null} */
export function finisherProblem(value, bounds, handromme) {
  if (value === 0) return null;
  const most = handromme ? 0 : bounds.finisher_max;
  if (value > most) return ["finisherTooHigh", { value, max: most }];
  return handProblem(value, bounds, false);
}

/**
 * Hands that are possible separately but not together from one pack.
 *
 * @type {(values: number[], bounds: GameBounds, handromme: boolean) => Said | null}
 */
export function jointProblem(values, bounds, handromme) {
  const hand = handBounds(bounds, handromme);
  const falling = [...values].sort((a, b) => b - a);
  for (let number = 2; number <= falling.length; number += 1) {
    const high = falling.slice(0, number);
    const low = falling.slice(-number).reverse();
    const at = number - 1;
    if (sum(high) > hand.joint_max[at])
      return ["jointHigh", { values: high.join(" + "), number, max: hand.joint_max[at] }];
    if (sum(low) < hand.joint_min[at])
      return ["jointLow", { values: low.join(" + "), number, min: hand.joint_min[at] }];
  }
  return null;
}

/** @type {(first: unknown, second: unknown) => boolean} */
const same = (first, second) => JSON.stringify(first) === JSON.stringify(second);

/**
 * A line with all parts, so that two lines can be compared.
 *
 * @param {Line} line
 */
export const plainLine = (line) => ({
  finisher: line.finisher,
  handromme: line.handromme ?? false,
  minus: line.minus,
  adjustments: (line.adjustments ?? []).map(({ seat, points, reason }) => ({
    seat,
    points,
    reason,
  })),
});

/**
 * Whether a line with all parts has one reading only.
 *
 * @param {Line} line
 * @returns {line is ClearLine}
 */
export function isClear(line) {
  return ![line.finisher, line.handromme, ...line.minus].some(Array.isArray);
}

/** @type {(first: Line, second: Line) => boolean} */
export const sameLine = (first, second) => same(plainLine(first), plainLine(second));

/**
 * Unlikely values; the table is asked once.
 *
 * @param {ClearLine} line
 * @param {Line[]} earlier
 * @param {GameBounds} bounds
 * @param {Record<number, string>} names
 * @returns {Said[]}
 */
export function doubts(line, earlier, bounds, names) {
  const hand = handBounds(bounds, line.handromme);
  /** @type {Said[]} */
  const reasons = [];
  line.minus.forEach((value, at) => {
    const name = names[at + 1];
    if (at + 1 === line.finisher || value === null) return;
    if (value > hand.ask_above) reasons.push(["askHigh", { name, value, limit: hand.ask_above }]);
    if (value < hand.ask_below) reasons.push(["askLow", { name, value, limit: hand.ask_below }]);
  });
  if (line.handromme && line.finisher !== null) {
    const before = earlier.filter(
      (game) => game.handromme === true && game.finisher === line.finisher,
    ).length;
    if (before) reasons.push(["askHandromme", { name: names[line.finisher], count: before + 1 }]);
  }
  const hands = line.minus.filter((value) => value).length;
  const last = earlier.at(-1);
  if (last && hands > 1 && sameLine(last, line)) reasons.push(["askRepeated", {}]);
  return reasons;
}

/**
 * The seats whose points a changed line changes (§ 2.2.3); a withdrawn line concerns all with points.
 *
 * @param {Line} before
 * @param {Line | null} after
 * @param {Rules} rules
 * @returns {number[]}
 */
export function concernedSeats(before, after, rules) {
  const old = countLine(before, rules);
  const next = after && countLine(after, rules);
  return old.flatMap((count, at) => {
    const touched = next
      ? !same([count, before.minus[at]], [next[at], after.minus[at]])
      : count.minus || count.finished || count.adjustment;
    return touched ? [at + 1] : [];
  });
}
