// What the cells of a paper list are while they are typed. That they are read as the server reads
// them is shown by test_cells_as_scoring.py.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isWhole, tidy } from "../../static/js/cells.js";

test("a cell is left when no digit can follow", () => {
  assert.equal(isWhole("0", 197), true);
  assert.equal(isWhole("19", 197), false);
  assert.equal(isWhole("20", 197), true);
  assert.equal(isWhole("H", 197), true);
  assert.equal(isWhole("?", 197), true);
  assert.equal(isWhole("5+", 197), false);
  assert.equal(isWhole("20/", 197), false);
  assert.equal(isWhole("", 197), false);
});

test("a Handrommé is one letter, whatever key it was", () => {
  assert.equal(tidy("*"), "H");
  assert.equal(tidy("0h"), "H");
  assert.equal(tidy("0/h"), "0/H");
  assert.equal(tidy("17/71"), "17/71");
});
