// Which sign stands on a page when, and what is left of one that was read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sort } from "../../static/js/table/signs.js";

const at = (minute) => new Date(Date.UTC(2026, 10, 22, 14, minute)).toISOString();
const START = { kind: "start", since: at(0), until: at(3) };
const LAST = { kind: "last", since: at(50), until: at(60) };
const WORDS = { kind: "words", since: at(52), until: null };
const SIGNS = [START, LAST, WORDS];

const kinds = (minute, read = {}) => {
  const { unread, words } = sort(SIGNS, read, Date.parse(at(minute)));
  return [unread?.kind, words?.kind];
};

test("the weightiest sign in force is shown", () => {
  assert.deepEqual(kinds(2), ["start", undefined]);
  assert.deepEqual(kinds(3), [undefined, undefined]);
  assert.deepEqual(kinds(51), ["last", undefined]);
  assert.deepEqual(kinds(52), ["words", undefined]);
});

test("what was read gives way to what was not, and words stay as a line", () => {
  assert.deepEqual(kinds(55, { words: WORDS.since }), ["last", "words"]);
  assert.deepEqual(kinds(55, { words: WORDS.since, last: LAST.since }), [undefined, "words"]);
});

test("the same words said again, or a later end, are read anew", () => {
  assert.deepEqual(kinds(55, { words: at(20), last: at(35) }), ["words", undefined]);
});
