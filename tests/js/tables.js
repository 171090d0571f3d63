// Tables to reckon for. The numbers are those of the rule sets, see tests/scoring/test_bounds.py.

const rank = (name, value, count) => ({ rank: name, short: name, name, value, count });

// Four people by the Romméordnung.
export const ORDNUNG = {
  games: 12,
  players: 4,
  bonus: 20,
  handromme: { bonus: 50, factor: 1, surcharge: 0 },
  ends_without_finisher: false,
  grants: [],
  card_values: "",
  cards: [rank("Joker", 20, 6), rank("A", 11, 8), rank("K", 10, 8), rank("7", 7, 8)],
  rounds: [
    {
      contract: "",
      most: 13,
      bounds: {
        hand: {
          min: 2,
          max: 197,
          step: 1,
          impossible: [],
          joint_min: [2, 4, 6, 8],
          joint_max: [197, 328, 458, 582],
          ask_below: 0,
          ask_above: 160,
        },
        after_handromme: {
          min: 31,
          max: 197,
          step: 1,
          impossible: [],
          joint_min: [31, 82, 154, 248],
          joint_max: [197, 328, 458, 582],
          ask_below: 60,
          ask_above: 160,
        },
        finisher_max: 0,
      },
    },
  ],
};

const { bounds } = ORDNUNG.rounds[0];

// House rules: whoever finishes may keep up to 7 points, a Handrommé doubles those of the others.
export const HOUSE = {
  ...ORDNUNG,
  handromme: { bonus: 0, factor: 2, surcharge: 0 },
  rounds: [{ ...ORDNUNG.rounds[0], bounds: { ...bounds, finisher_max: 7 } }],
};

// A game may end with nobody out, and who cuts the pack exactly is granted 50 points.
export const GRANTING = {
  ...ORDNUNG,
  games: 2,
  handromme: null,
  ends_without_finisher: true,
  grants: [{ name: "genau abgehoben", points: -50, seats: [4, 1] }],
};

export const NAMES = { 1: "Anna", 2: "Bernd", 3: "Clara", 4: "Dieter" };

export const line = (finisher, minus, more = {}) => ({
  finisher,
  handromme: false,
  minus,
  ...more,
});
