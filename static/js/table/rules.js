// What a line comes to, as scoring does it, for lines that the server has not seen yet,
// and whether a number can be. The server has the last word on both.

export const readings = (entry) => (Array.isArray(entry) ? entry : [entry]);
const distinct = (entry) => [...new Set(readings(entry))];
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

export const dealer = (game, players) => ((game - 1) % players) + 1;
export const roundOf = (rules, game) => rules.rounds[Math.min(game, rules.rounds.length) - 1];

function addedForHandromme(hand, rules) {
  if (hand === 0 || !rules.handromme) return 0;
  return hand * (rules.handromme.factor - 1) + rules.handromme.surcharge;
}

// The least favourable reading counts for everybody (§ 2.2.6).
export function countLine(line, rules) {
  const finishers = distinct(line.finisher);
  const handromme = readings(line.handromme ?? false);
  return line.minus.map((entry, at) => {
    const seat = at + 1;
    const hand = Math.max(...readings(entry));
    const finished = finishers.length === 1 && finishers[0] === seat;
    const suffers =
      handromme.includes(true) && finishers.some((one) => one !== seat && one !== null);
    return {
      minus: hand + (suffers ? addedForHandromme(hand, rules) : 0),
      finished,
      handromme: finished && handromme.every(Boolean),
      adjustment: sum(
        (line.adjustments ?? []).filter((one) => one.seat === seat).map((one) => one.points),
      ),
    };
  });
}

// Games with points and running sums, from lines alone.
export function countGames(lines, rules) {
  const running = Array(rules.players).fill(0);
  return lines.map((line, at) => {
    const points = countLine(line, rules).map((count) => count.minus);
    points.forEach((value, seat) => (running[seat] += value));
    return {
      number: at + 1,
      dealer: dealer(at + 1, rules.players),
      line,
      points,
      running: [...running],
    };
  });
}

const better = (one, other) =>
  one.total - other.total || other.games_won - one.games_won || other.handromme - one.handromme;

// What each seat comes to (§ 3.2); Strafpunkte are the server's.
export function totals(lines, rules, penalties) {
  const counts = lines.map((line) => countLine(line, rules));
  const seats = Array.from({ length: rules.players }, (_none, at) => {
    const mine = counts.map((count) => count[at]);
    const won = mine.filter((count) => count.finished).length;
    const handromme = mine.filter((count) => count.handromme).length;
    const part = {
      seat: at + 1,
      minus: sum(mine.map((count) => count.minus)),
      games_won: won,
      bonus: -rules.bonus * won,
      handromme,
      handromme_bonus: -(rules.handromme?.bonus ?? 0) * handromme,
      penalty: penalties[at] ?? 0,
      adjustment: sum(mine.map((count) => count.adjustment)),
      bussgeld_cents: null,
    };
    const total = part.minus + part.bonus + part.handromme_bonus + part.penalty + part.adjustment;
    return {
      ...part,
      total: total || 0,
      bonus: part.bonus || 0,
      handromme_bonus: part.handromme_bonus || 0,
    };
  });
  return seats.map((seat) => ({
    ...seat,
    place: 1 + seats.filter((other) => better(other, seat) < 0).length,
  }));
}

export const handBounds = (bounds, handromme) =>
  (handromme && bounds.after_handromme) || bounds.hand;

// Whether nothing can follow the digits typed so far, so that the next field can have its turn.
export const isFinal = (value, most) => value > 0 && value * 10 > most;

// Why one hand cannot be so many points: the key of a sentence and its values, or null.
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

export function finisherProblem(value, bounds, handromme) {
  if (value === 0) return null;
  const most = handromme ? 0 : bounds.finisher_max;
  if (value > most) return ["finisherTooHigh", { value, max: most }];
  return handProblem(value, bounds, false);
}

// Hands that are possible one by one but cannot come from one pack.
export function jointProblem(values, bounds, handromme) {
  const hand = handBounds(bounds, handromme);
  const falling = [...values].sort((one, other) => other - one);
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

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// A line with every part written out, so that two can be compared.
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
export const sameLine = (one, other) => same(plainLine(one), plainLine(other));

// What is possible but hardly true; the table is asked once.
export function doubts(line, earlier, bounds, names) {
  const hand = handBounds(bounds, line.handromme);
  const found = line.minus.flatMap((value, at) => {
    if (at + 1 === line.finisher) return [];
    if (value > hand.ask_above)
      return [["askHigh", { name: names[at + 1], value, limit: hand.ask_above }]];
    if (value < hand.ask_below)
      return [["askLow", { name: names[at + 1], value, limit: hand.ask_below }]];
    return [];
  });
  if (line.handromme) {
    const before = earlier.filter(
      (one) => one.handromme === true && one.finisher === line.finisher,
    ).length;
    if (before) found.push(["askHandromme", { name: names[line.finisher], count: before + 1 }]);
  }
  const hands = line.minus.filter((value) => value !== 0).length;
  if (earlier.length && hands > 1 && sameLine(earlier.at(-1), line))
    found.push(["askRepeated", {}]);
  return found;
}

// Whose points become others by a changed line (§ 2.2.3); a line taken back concerns all who had any.
export function concernedSeats(before, after, rules) {
  const old = countLine(before, rules);
  const next = after && countLine(after, rules);
  const touched = (count, at) =>
    next
      ? !same(count, next[at]) || !same(before.minus[at], after.minus[at])
      : count.minus || count.finished || count.adjustment;
  return old.flatMap((count, at) => (touched(count, at) ? [at + 1] : []));
}
