// What the page at the table knows of the rules. That it agrees with the scoring for any list is
// shown by test_rules_as_scoring.py; here are the cases that chance hardly meets.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  concernedSeats,
  dealer,
  doubts,
  finisherProblem,
  handProblem,
  isFinal,
  jointProblem,
  roundOf,
  sameLine,
  totals,
} from "../../static/js/table/rules.js";
import { GRANTING, HOUSE, line, NAMES, ORDNUNG } from "./tables.js";

const { bounds } = ORDNUNG.rounds[0];

test("the deal goes round the table", () => {
  assert.deepEqual(
    [1, 2, 4, 5, 12].map((game) => dealer(game, 4)),
    [1, 2, 4, 1, 4],
  );
});

test("one round holds for all games, several one each", () => {
  const several = { rounds: ["first", "second"] };

  assert.equal(roundOf(ORDNUNG, 12), ORDNUNG.rounds[0]);
  assert.equal(roundOf(several, 1), "first");
  assert.equal(roundOf(several, 2), "second");
});

test("a field is finished when no digit can follow", () => {
  assert.equal(isFinal(19, 197), false);
  assert.equal(isFinal(20, 197), true);
  assert.equal(isFinal(0, 197), false);
});

test("a hand that cannot be says why", () => {
  assert.equal(handProblem(2, bounds, false), null);
  assert.equal(handProblem(197, bounds, false), null);
  assert.deepEqual(handProblem(198, bounds, false), ["tooHigh", { value: 198, max: 197 }]);
  assert.deepEqual(handProblem(1, bounds, false), ["tooLow", { value: 1, min: 2 }]);
  assert.deepEqual(handProblem(0, bounds, false), ["zeroIsFinisher", { value: 0, min: 2 }]);
  assert.deepEqual(handProblem(30, bounds, true), ["tooLowHandromme", { value: 30, min: 31 }]);
});

test("a hand between what the cards make cannot be", () => {
  const hand = { ...bounds.hand, min: 5, step: 5, impossible: [195] };
  const fives = { ...bounds, hand };

  assert.equal(handProblem(190, fives, false), null);
  assert.deepEqual(handProblem(192, fives, false), ["notPossible", { value: 192 }]);
  assert.deepEqual(handProblem(195, fives, false), ["notPossible", { value: 195 }]);
});

test("whoever finishes keeps what the rules allow, and nothing after a Handrommé", () => {
  const house = HOUSE.rounds[0].bounds;

  assert.deepEqual(finisherProblem(3, bounds, false), ["finisherTooHigh", { value: 3, max: 0 }]);
  assert.equal(finisherProblem(7, house, false), null);
  assert.deepEqual(finisherProblem(8, house, false), ["finisherTooHigh", { value: 8, max: 7 }]);
  assert.deepEqual(finisherProblem(1, house, false), ["tooLow", { value: 1, min: 2 }]);
  assert.deepEqual(finisherProblem(7, house, true), ["finisherTooHigh", { value: 7, max: 0 }]);
});

test("hands from one pack count together no more than it has", () => {
  assert.equal(jointProblem([197, 131], bounds, false), null); // 328
  assert.deepEqual(jointProblem([5, 132, 197], bounds, false), [
    "jointHigh",
    { values: "197 + 132", number: 2, max: 328 },
  ]);
});

test("hands from one pack count together no less than it has", () => {
  assert.equal(jointProblem([31, 51], bounds, true), null); // 82
  assert.deepEqual(jointProblem([50, 31], bounds, true), [
    "jointLow",
    { values: "31 + 50", number: 2, min: 82 },
  ]);
});

test("what is hardly true is asked about", () => {
  const earlier = [line(1, [0, 70, 80, 90], { handromme: true })];
  const ask = (next) => doubts(next, earlier, bounds, NAMES);

  assert.deepEqual(ask(line(2, [160, 0, 12, 12])), []);
  assert.deepEqual(ask(line(2, [161, 0, 12, 12])), [
    ["askHigh", { name: "Anna", value: 161, limit: 160 }],
  ]);
  assert.deepEqual(ask(line(1, [0, 60, 59, 80], { handromme: true })), [
    ["askLow", { name: "Clara", value: 59, limit: 60 }],
    ["askHandromme", { name: "Anna", count: 2 }],
  ]);
});

test("the same line twice is asked about, but not a single hand that comes again", () => {
  const three = line(1, [0, 20, 30, 40]);
  const one = line(1, [0, 20, 0, 0]);

  assert.deepEqual(doubts(three, [three], bounds, NAMES), [["askRepeated", {}]]);
  assert.deepEqual(doubts(one, [one], bounds, NAMES), []);
});

test("a line is the same with parts left out that say nothing", () => {
  assert.ok(
    sameLine(
      { finisher: 1, minus: [0, 5, 5, 5] },
      { adjustments: [], minus: [0, 5, 5, 5], handromme: false, finisher: 1 },
    ),
  );
  assert.ok(!sameLine(line(1, [0, 5, 5, 5]), line(2, [0, 5, 5, 5])));
});

test("a change concerns those whose points or finish become others", () => {
  const before = line(1, [0, 20, 30, 40]);

  assert.deepEqual(concernedSeats(before, line(1, [0, 20, 31, 40]), ORDNUNG), [3]);
  assert.deepEqual(concernedSeats(before, line(2, [20, 0, 30, 40]), ORDNUNG), [1, 2]);
  assert.deepEqual(concernedSeats(before, null, ORDNUNG), [1, 2, 3, 4]);
});

test("a Handrommé that doubles concerns all who hold cards", () => {
  const before = line(1, [0, 20, 30, 40]);

  assert.deepEqual(concernedSeats(before, { ...before, handromme: true }, HOUSE), [1, 2, 3, 4]);
});

test("sums are those of the order, with nothing written as minus zero", () => {
  const lines = [line(1, [0, 23, 45, 12]), line(3, [61, 88, 0, 40], { handromme: true })];

  const sums = totals(lines, ORDNUNG, [0, 0, 0, 10]);

  // 61 − 20 · 23 + 88 · 45 − 20 − 50 · 12 + 40 + 10
  assert.deepEqual(
    sums.map((seat) => seat.total),
    [41, 111, -25, 62],
  );
  assert.deepEqual(
    sums.map((seat) => seat.place),
    [2, 4, 1, 3],
  );
  assert.ok(Object.is(sums[1].bonus, 0));
  assert.ok(Object.is(sums[1].handromme_bonus, 0));
});

test("of equal sums the one with more games finished is ahead", () => {
  const granted = [{ seat: 1, points: -50, reason: "genau abgehoben" }];
  const lines = [line(2, [70, 20, 5, 60], { adjustments: granted })];

  // 70 − 50 and 20 − 0; no bonus by these rules.
  const sums = totals(lines, { ...GRANTING, bonus: 0 }, []);

  assert.deepEqual(
    sums.map((seat) => [seat.total, seat.place]),
    [
      [20, 3],
      [20, 2],
      [5, 1],
      [60, 4],
    ],
  );
});

test("of equal sums and games the one with more Handrommés is ahead", () => {
  const lines = [
    line(1, [0, 20, 5, 60]),
    line(2, [70, 0, 5, 60], { handromme: true }),
    line(3, [0, 50, 0, 60]),
  ];

  // 70 each for places 1 and 2, with a game each; no bonus by these rules.
  const sums = totals(lines, { ...GRANTING, bonus: 0, handromme: null }, []);

  assert.deepEqual(
    sums.map((seat) => [seat.total, seat.games_won, seat.handromme, seat.place]),
    [
      [70, 1, 0, 3],
      [70, 1, 1, 2],
      [10, 1, 0, 1],
      [180, 0, 0, 4],
    ],
  );
});
