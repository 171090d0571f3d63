import assert from "node:assert/strict";
import { test } from "node:test";
import { coalesce } from "../../static/js/coalesce.js";

test("what is asked for while it is done is done once more, and then is over", async () => {
  const done = [];
  let finish = () => {};
  const sending = coalesce(() => {
    done.push("begun");
    return new Promise((resolve) => {
      finish = resolve;
    });
  });

  const all = sending.start();
  sending.start();
  sending.start();
  assert.deepEqual(done, ["begun"]);
  assert.equal(sending.isRunning, true);

  finish();
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(done, ["begun", "begun"]);

  finish();
  await all;
  assert.equal(sending.isRunning, false);
  assert.equal(done.length, 2);
});
