// The names on the keys of a table's page: two are never the same.

import assert from "node:assert/strict";
import { test } from "node:test";

// The module reads its sentences from the page.
globalThis.document = {
  documentElement: { lang: "de" },
  getElementById: () => ({ textContent: "{}" }),
};
const { shortNames } = await import("../../static/js/table/dom.js");

/** @param {string[]} names */
const short = (...names) =>
  Object.values(
    shortNames(names.map((name, at) => ({ seat: at + 1, number: at + 1, name, club: "" }))),
  );

test("first names where they tell people apart", () => {
  assert.deepEqual(short("Anna Berg", "Bernd Voß"), ["Anna", "Bernd"]);
});

test("letters of the surname for two with one first name", () => {
  assert.deepEqual(short("Karl Voß", "Karl Berger"), ["Karl Voß.", "Karl Ber."]);
});

test("whole names where the letters are the same, with the number of namesakes", () => {
  assert.deepEqual(short("Karl Meier", "Karl Meinert"), ["Karl Meier", "Karl Meinert"]);
  assert.deepEqual(short("Anna Schmidt (Nr. 7)", "Anna Schmidt (Nr. 9)"), [
    "Anna Schmidt (Nr. 7)",
    "Anna Schmidt (Nr. 9)",
  ]);
});
