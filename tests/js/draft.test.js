// A game while it is entered: which field has its turn, what it takes, and the way back.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Draft } from "../../static/js/table/draft.js";
import { GRANTING, HOUSE, line, NAMES, ORDNUNG } from "./tables.js";

const makeDraft = (rules = ORDNUNG, more = {}) =>
  new Draft({ rules, number: 1, names: NAMES, ...more });

const type = (draft, digits) => [...digits].map((digit) => draft.type(digit)).at(-1);

test("the first question is who finished, then the first who holds cards", () => {
  const draft = makeDraft();

  assert.deepEqual(draft.seats, []);
  draft.choose(1);
  assert.deepEqual(draft.seats, [2, 3, 4]);
  assert.equal(draft.current, 2);
});

test("a field is finished with the last digit that can follow", () => {
  const draft = makeDraft();
  draft.choose(1);

  assert.equal(draft.type("2"), false); // 200 cannot be, 29 can
  assert.equal(draft.type("3"), true);
  draft.moveTo(3);
  assert.equal(type(draft, "19"), false); // 197 can be
  assert.equal(draft.type("8"), true);
  assert.deepEqual(draft.problem(3), ["tooHigh", { value: 198, max: 197 }]);
});

test("the first digit replaces what stood in the field", () => {
  const draft = makeDraft();
  draft.choose(1);
  type(draft, "45");

  draft.moveTo(2);
  draft.type("7");

  assert.equal(draft.value(2), 7);
});

test("what is typed at once keeps its digits and nothing else", () => {
  const draft = makeDraft();
  draft.choose(1);

  assert.equal(draft.set("a07x"), false); // 70 to 79 can follow
  assert.equal(draft.value(2), 7);
  assert.equal(draft.set("0123"), true);
  assert.equal(draft.value(2), 123);
  assert.equal(draft.set(""), false);
  assert.equal(draft.nextEmpty(), 2);
});

test("a fourth digit is not taken, after a number that is refused as well", () => {
  const draft = makeDraft();
  draft.choose(1);
  type(draft, "198");
  draft.expectAnother();

  assert.equal(draft.type("4"), null);
  assert.equal(draft.set("1984"), null);
  assert.equal(draft.value(2), 198);
  draft.moveTo(2); // touched
  draft.type("4");
  assert.equal(draft.value(2), 4);
});

test("another digit replaces a shorter number that is refused", () => {
  const draft = makeDraft();
  draft.choose(1);
  type(draft, "0");
  draft.expectAnother();

  draft.type("4");

  assert.equal(draft.value(2), 4);
});

test("a full draft is the line of the game", () => {
  const draft = makeDraft();
  draft.choose(2);
  draft.toggleHandromme();
  for (const [seat, digits] of [
    [1, "61"],
    [3, "88"],
    [4, "140"],
  ]) {
    draft.moveTo(seat);
    type(draft, digits);
  }

  assert.ok(draft.isFull);
  assert.deepEqual(draft.line(), { finisher: 2, handromme: true, minus: [61, 0, 88, 140] });
  assert.equal(draft.joint(), null);
});

test("hands are refused together that are possible one by one", () => {
  const draft = makeDraft(ORDNUNG, { line: line(1, [0, 197, 132, 2]) });

  assert.equal(draft.problem(2), null);
  assert.deepEqual(draft.joint(), ["jointHigh", { values: "197 + 132", number: 2, max: 328 }]);
});

test("who finished has a field only where the rules let one keep some points", () => {
  const draft = makeDraft(HOUSE);

  draft.choose(3);
  assert.deepEqual(draft.seats, [1, 2, 3, 4]);
  assert.equal(draft.value(3), 0);
  draft.moveTo(3);
  assert.equal(draft.type("7"), true);
  draft.toggleHandromme();
  assert.deepEqual(draft.seats, [1, 2, 4]);
  assert.equal(draft.value(3), 0);
  assert.equal(draft.current, 1);
});

test("another one who finished takes the zero along", () => {
  const draft = makeDraft();
  draft.choose(1);
  type(draft, "23");

  draft.choose(2);

  assert.equal(draft.value(2), 0);
  assert.equal(draft.nextEmpty(), 1);
});

test("nobody finished is no Handrommé, and all have a field", () => {
  const draft = makeDraft({ ...GRANTING, handromme: ORDNUNG.handromme });
  draft.choose(1);
  draft.toggleHandromme();

  draft.choose(null);

  assert.equal(draft.handromme, false);
  assert.deepEqual(draft.seats, [1, 2, 3, 4]);
  assert.equal(draft.nextEmpty(), 1);
});

test("one step back is a digit, the field before, the question who finished", () => {
  const draft = makeDraft();
  draft.choose(1);
  type(draft, "23");
  draft.moveTo(3);
  type(draft, "45");

  draft.back();
  assert.equal(draft.value(3), 4);
  draft.back();
  assert.equal(draft.values[3], undefined);
  draft.back();
  assert.equal(draft.current, 2);
  draft.back();
  assert.equal(draft.value(2), 2);
  draft.back();
  draft.back();
  assert.equal(draft.finisher, undefined);
});

test("out of the hand is asked anew with the question who finished", () => {
  const draft = makeDraft();
  draft.choose(1);
  draft.toggleHandromme();
  draft.back();

  draft.choose(2);

  assert.equal(draft.handromme, false);
});

test("a step back takes away what is typed or selected, else it leads to another field", () => {
  const draft = makeDraft();
  draft.choose(1);
  assert.equal(draft.erases, false);
  type(draft, "45");
  assert.equal(draft.erases, true);
  draft.moveTo(2); // touched, so all of it is selected

  draft.back();

  assert.equal(draft.values[2], undefined);
  assert.equal(draft.erases, false);
});

test("the way back out of a change leads to the question at once", () => {
  const draft = makeDraft(ORDNUNG, { line: line(1, [0, 20, 30, 40]) });

  assert.equal(draft.current, 2);
  draft.back();

  assert.equal(draft.finisher, undefined);
});

test("an unclear line is entered anew", () => {
  const draft = makeDraft(ORDNUNG, { line: line(1, [0, [23, 28], 30, 40]) });

  assert.equal(draft.finisher, undefined);
  assert.deepEqual(draft.values, {});
});

test("cards counted one by one are added up, and no more than the pack has", () => {
  const draft = makeDraft();
  const joker = ORDNUNG.cards[0];
  draft.choose(1);
  for (let number = 1; number <= 6; number += 1) draft.addCard(joker);

  assert.equal(draft.value(2), 120);
  assert.equal(draft.left(joker), 0);
  draft.moveTo(3);
  assert.equal(draft.left(joker), 0);
  draft.moveTo(2);
  draft.removeCard();
  assert.equal(draft.value(2), 100);
  assert.equal(draft.left(joker), 1);
});

test("no more cards can be counted than a hand has", () => {
  const draft = makeDraft();
  const seven = ORDNUNG.cards[3];
  draft.choose(1);
  for (const rank of [...Array(8).fill(seven), ...Array(5).fill(ORDNUNG.cards[2])]) {
    draft.addCard(rank);
  }

  assert.equal(draft.value(2), 106); // 8 × 7 + 5 × 10
  assert.equal(draft.left(ORDNUNG.cards[1]), 0); // 13 cards are in the hand
});

test("a digit ends the counting of cards", () => {
  const draft = makeDraft();
  draft.choose(1);
  draft.addCard(ORDNUNG.cards[0]);

  draft.type("5");

  assert.equal(draft.value(2), 205);
  assert.deepEqual(draft.cardsHere, []);
});

test("the last card taken back leaves the field empty", () => {
  const draft = makeDraft();
  draft.choose(1);
  draft.addCard(ORDNUNG.cards[0]);

  draft.removeCard();

  assert.equal(draft.nextEmpty(), 2);
});

test("what the rules grant goes to the seat whose turn it is", () => {
  const draft = new Draft({ rules: GRANTING, number: 2, names: NAMES });
  draft.choose(null);
  draft.granted.add(0);

  assert.deepEqual(draft.line().adjustments, [{ seat: 1, points: -50, reason: "genau abgehoben" }]);
});

test("a line that is changed brings what it was granted", () => {
  const adjustments = [{ seat: 4, points: -50, reason: "genau abgehoben" }];
  const draft = makeDraft(GRANTING, { line: line(1, [0, 20, 30, 40], { adjustments }) });

  assert.deepEqual([...draft.granted], [0]);
  assert.deepEqual(draft.line().adjustments, adjustments);
});

test("half a game is the same after it was kept on the device", () => {
  const draft = makeDraft(GRANTING);
  draft.choose(1);
  type(draft, "23");
  draft.moveTo(3);
  draft.granted.add(0);
  const kept = structuredClone(draft.save());

  const again = makeDraft(GRANTING);
  again.restore(kept);

  assert.deepEqual(again.save(), draft.save());
  assert.equal(again.nextEmpty(), 3);
  assert.equal(again.fresh, true);
});
