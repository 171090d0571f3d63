// What the page at the table makes of lists: JSON in, JSON out, for test_rules_as_scoring.py.

import { json } from "node:stream/consumers";
import { Draft } from "../../static/js/table/draft.js";
import {
  concernedSeats,
  countGames,
  finisherProblem,
  handProblem,
  isClear,
  totals,
} from "../../static/js/table/rules.js";

const { most, tables } = await json(process.stdin);
const numbers = Array.from({ length: most + 1 }, (_none, value) => value);

// Which numbers cannot be entered in a round, by whether it was a Handrommé.
function impossible({ bounds }, handromme) {
  return {
    hand: numbers.filter((value) => handProblem(value, bounds, handromme)),
    finisher: numbers.filter((value) => finisherProblem(value, bounds, handromme)),
  };
}

// A clear line as the sheet takes it: what it refuses, and what it asks about.
function judge(line, at, lines, rules) {
  if (!isClear(line)) return null;
  const names = Array.from({ length: rules.players + 1 }, (_none, seat) => `Platz ${seat}`);
  const draft = new Draft({ rules, number: at + 1, names, line });
  const wrong = draft.seats.filter((seat) => draft.problem(seat));
  const joint = wrong.length === 0 && draft.joint() !== null;
  const isWrong = joint || wrong.length > 0;
  return { wrong, joint, doubts: isWrong ? 0 : draft.doubts(lines.slice(0, at)).length };
}

const reckon = ({ rules, lists }) => ({
  impossible: rules.rounds.map((round) => [false, true].map((each) => impossible(round, each))),
  lists: lists.map(({ lines, penalties, moved }) => ({
    games: countGames(lines, rules).map(({ dealer, points, running }) => [dealer, points, running]),
    totals: totals(lines, rules, penalties),
    parted: totals(lines, rules, penalties, moved),
    lines: lines.map((line, at) => judge(line, at, lines, rules)),
    takenBack: lines.map((line) => concernedSeats(line, null, rules)),
  })),
});

process.stdout.write(JSON.stringify(tables.map(reckon)));
