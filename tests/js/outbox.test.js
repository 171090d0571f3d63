// What was entered without network reaches the server in order, once, and never over what
// somebody else wrote.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { NotKept } from "../../static/js/table/database.js";
import { apply, isForOthers } from "../../static/js/table/lines.js";
import { CONFLICT, DOUBT, Outbox, REFUSED, WAITING } from "../../static/js/table/outbox.js";
import { MemoryStore, Server, until } from "./device.js";
import { line } from "./tables.js";

const FIRST = line(1, [0, 20, 30, 40]);
const SECOND = line(2, [25, 0, 35, 45]);
const THIRD = line(3, [12, 13, 0, 14]);
const THEIRS = line(4, [50, 60, 70, 0]);

/** @type {Server} */
let server;
/** @type {Outbox} */
let outbox;
let store;

beforeEach(async () => {
  server = new Server();
  store = new MemoryStore();
  outbox = new Outbox({ store, state: server.state, offset: 0, changed() {} });
  await outbox.start();
  await until(() => outbox.online);
});

const enter = (number, entered) => outbox.add("game", { number, line: entered });
const numbers = () => outbox.items.map((item) => item.body.number);
const statuses = () => outbox.items.map((item) => item.status);
const hands = () => server.lines.map((each) => each.minus);
const isEmpty = () => outbox.items.length === 0;

function cutOff() {
  server.isReachable = false;
  outbox.wake();
  return until(() => !outbox.online);
}

function reconnect() {
  server.isReachable = true;
  outbox.wake();
}

async function enterWithoutNetwork(...lines) {
  await cutOff();
  for (const [at, entered] of lines.entries()) await enter(at + 1, entered);
}

test("games are sent in order, each for the version that the one before brought", async () => {
  await enter(1, FIRST);
  await enter(2, SECOND);
  await until(isEmpty);

  assert.deepEqual(server.lines, [FIRST, SECOND]);
  assert.deepEqual(
    server.received.map(({ number, version }) => [number, version]),
    [
      [1, 1],
      [2, 2],
    ],
  );
});

test("without network a game waits on the device and stands in its list", async () => {
  await enterWithoutNetwork(FIRST, SECOND);

  assert.deepEqual(statuses(), [WAITING, WAITING]);
  assert.deepEqual(
    outbox.lines.map((each) => each.minus),
    [FIRST.minus, SECOND.minus],
  );
  assert.deepEqual(server.lines, []);

  reconnect();
  await until(isEmpty);
  assert.deepEqual(server.lines, [FIRST, SECOND]);
});

test("a game whose answer was lost is sent again under its key and counts once", async () => {
  server.losesAnswers = true;
  await enter(1, FIRST);
  await until(() => server.received.length === 1 && !outbox.online);
  server.losesAnswers = false;

  outbox.wake();
  await until(isEmpty);

  const [once, again] = server.received;
  assert.deepEqual(again, once);
  assert.deepEqual(server.lines, [FIRST]);
});

test("a game is not written over what somebody else wrote meanwhile", async () => {
  await enterWithoutNetwork(FIRST, SECOND);
  server.write(THEIRS);

  reconnect();
  await until(() => statuses()[0] === CONFLICT);

  assert.deepEqual(server.lines, [THEIRS]);
  assert.deepEqual(statuses(), [CONFLICT, WAITING]);
});

test("a call goes past a game that waits for a person", async () => {
  await enterWithoutNetwork(FIRST);
  server.write(THEIRS);
  reconnect();
  await until(() => statuses()[0] === CONFLICT);

  await outbox.add("call", { call_kind: "dispute" });
  await until(() => outbox.items.length === 1);

  assert.deepEqual(server.call, { kind: "dispute", state: "open" });
  assert.deepEqual(server.lines, [THEIRS]);
});

test("a call that somebody else has made already is not made again", async () => {
  await cutOff();
  await outbox.add("call", { call_kind: "dispute" });
  server.call = { kind: "counting", state: "open" };

  reconnect();
  await until(isEmpty);

  assert.equal(server.call.kind, "counting");
});

test("the same game from somebody else is no conflict, and the next ones follow", async () => {
  await enterWithoutNetwork(FIRST, SECOND);
  server.write(FIRST);

  reconnect();
  await until(isEmpty);

  assert.deepEqual(server.lines, [FIRST, SECOND]);
});

test("what the device does not keep is entered once the server has it", async () => {
  store.fails = true;

  assert.equal(await enter(1, FIRST), true);

  assert.deepEqual(server.lines, [FIRST]);
  assert.equal(outbox.isUnkept, false);
});

test("what the device does not keep goes behind what waited before", async () => {
  await enterWithoutNetwork(FIRST, SECOND);
  store.fails = true;
  server.isReachable = true;

  const entering = enter(3, THIRD);
  await until(() => server.lines.length === 3);

  assert.equal(await entering, true);
  assert.deepEqual(server.lines, [FIRST, SECOND, THIRD]);
});

test("what neither device nor server has is refused and stands nowhere", async () => {
  await enterWithoutNetwork(FIRST);
  store.fails = true;

  const entering = assert.rejects(enter(2, SECOND), NotKept);
  await until(() => outbox.isUnkept);
  await entering;

  assert.deepEqual(numbers(), [1]);
  assert.equal(outbox.isUnkept, true);
  reconnect();
  await until(isEmpty);
  assert.equal(outbox.isUnkept, true);
  const again = enter(2, SECOND);
  await until(() => server.lines.length === 2);
  await again;
  assert.equal(outbox.isUnkept, false);
  assert.deepEqual(server.lines, [FIRST, SECOND]);
});

test("what the device does not keep and the server asks about waits for a person", async () => {
  store.fails = true;
  server.says = [[422, { ok: false, ask: [{ where: "minus[1]", message: "Ungewöhnlich viel." }] }]];

  assert.equal(await enter(1, FIRST), false);

  assert.deepEqual(statuses(), [DOUBT]);
});

test("a changed line that stands there already is no conflict", async () => {
  await enter(1, FIRST);
  await until(isEmpty);
  await cutOff();
  await outbox.add("change", { number: 1, line: SECOND, consents: [1, 2, 3, 4] });
  server.lines[0] = SECOND;
  server.version += 1;

  reconnect();
  await until(isEmpty);

  assert.deepEqual(server.lines, [SECOND]);
});

test("games behind one that is left out take its place", async () => {
  await enterWithoutNetwork(FIRST, SECOND, THIRD);
  server.write(THEIRS);
  reconnect();
  await until(() => statuses()[0] === CONFLICT);

  await outbox.drop(outbox.items[0]);
  assert.deepEqual(numbers(), [2, 3]);
  await until(isEmpty);

  assert.deepEqual(server.lines, [THEIRS, SECOND, THIRD]);
});

test("a game may be entered as the next one, and one that was for that number is asked about", async () => {
  await enterWithoutNetwork(FIRST, SECOND);
  server.write(THEIRS);
  reconnect();
  await until(() => statuses()[0] === CONFLICT);

  await outbox.rewrite(outbox.items[0], "game", { number: 2, line: FIRST });
  await until(() => outbox.items.length === 1 && statuses()[0] === CONFLICT);

  assert.deepEqual(server.lines, [THEIRS, FIRST]);
  assert.deepEqual(outbox.items[0].body.line, SECOND);
});

test("a game may take the place of the other line", async () => {
  await enterWithoutNetwork(FIRST);
  server.write(THEIRS);
  reconnect();
  await until(() => statuses()[0] === CONFLICT);

  const change = { number: 1, line: FIRST, consents: [1, 2, 3, 4] };
  await outbox.rewrite(outbox.items[0], "change", change);
  await until(isEmpty);

  assert.deepEqual(server.lines, [FIRST]);
});

test("what the server asks about is sent again when a person confirms it", async () => {
  server.says = [[422, { ok: false, ask: [{ where: "minus[1]", message: "Ungewöhnlich viel." }] }]];
  await enter(1, FIRST);
  await until(() => statuses()[0] === DOUBT);
  assert.equal(outbox.items[0].answer.problems[0].message, "Ungewöhnlich viel.");

  await outbox.confirm(outbox.items[0]);
  await until(isEmpty);

  const [asked, confirmed] = server.received;
  assert.equal(confirmed.confirmed, true);
  assert.notEqual(confirmed.key, asked.key);
  assert.deepEqual(server.lines, [FIRST]);
});

test("a refusal waits with its sentence, whatever the server calls it", async () => {
  for (const [status, body] of [
    [422, { problems: [{ where: "", message: "Das geht nicht." }] }],
    [403, { refused: "Das geht nicht." }],
    [400, { conflict: "Das geht nicht." }],
  ]) {
    server.says = [[status, { ok: false, ...body }]];
    await enter(1, FIRST);
    await until(() => statuses()[0] === REFUSED);

    assert.equal(outbox.items[0].answer.problems[0].message, "Das geht nicht.");
    await outbox.drop(outbox.items[0]);
  }
});

test("where something else than the lines was changed nobody need be asked", async () => {
  await enterWithoutNetwork(FIRST);
  server.isReachable = true;
  server.version += 1; // such as somebody else keeping the list

  outbox.wake();
  await until(isEmpty);

  const [stale, newer] = server.received;
  assert.deepEqual([stale.version, newer.version], [1, 2]);
  assert.notEqual(newer.key, stale.key);
  assert.deepEqual(server.lines, [FIRST]);
});

test("after three newer versions a person is asked", async () => {
  const stale = (version) => [
    409,
    { ok: false, conflict: "", state: { ...server.state, version } },
  ];
  server.says = [2, 3, 4, 5].map(stale);

  await enter(1, FIRST);
  await until(() => statuses()[0] === CONFLICT);

  assert.equal(server.received.length, 4);
});

test("a code that opens nothing any more is told, and what was entered is kept", async () => {
  globalThis.fetch = async () => new Response("", { status: 404 });

  await enter(1, FIRST);
  await until(() => outbox.withdrawn);

  assert.equal(outbox.withdrawn, true);
  assert.deepEqual(statuses(), [WAITING]);
});

test("a code that opens nothing any more is not asked for again by itself", async () => {
  const served = globalThis.fetch;
  globalThis.fetch = async () => new Response("", { status: 404 });
  outbox.wake();
  await until(() => outbox.withdrawn);
  const asks = mock.method(outbox, "wake");

  mock.timers.tick(60_000);
  assert.equal(asks.mock.callCount(), 0);

  globalThis.fetch = served; // somebody comes back to the page, and it opens again
  outbox.wake();
  await until(() => outbox.online);
  assert.equal(outbox.withdrawn, false);
});

test("the server may say why the code opens nothing any more", async () => {
  const refused = "Die Serie ist abgeschlossen.";
  globalThis.fetch = async () => Response.json({ ok: false, refused }, { status: 403 });

  outbox.wake();
  await until(() => outbox.withdrawn);

  assert.equal(outbox.withdrawn, refused);
});

test("an answer that is none counts as no answer", async () => {
  globalThis.fetch = async () => new Response("<h1>Anmelden</h1>", { status: 200 });

  await enter(1, FIRST);
  await until(() => !outbox.online);

  assert.deepEqual(statuses(), [WAITING]);
  assert.equal(outbox.withdrawn, false);
});

test("what makes sense only now is not kept for later", async () => {
  await cutOff();

  await assert.rejects(outbox.direct("take_over", {}));

  assert.deepEqual(outbox.items, []);
});

test("the clock of the server is learnt with each state", async () => {
  await enter(1, FIRST);
  await until(isEmpty);

  const now = Date.now() + outbox.offset;
  assert.ok(Math.abs(now - Date.parse("2030-05-04T10:00:00Z")) < 60_000);
});

test("an entry changes the lines it was made for, and no others", () => {
  const change = (number, entered) => ({ kind: "change", body: { number, line: entered } });
  const minus = (lines) => lines.map((each) => each.minus);

  assert.deepEqual(minus(apply([FIRST, SECOND], change(1, THIRD))), [THIRD.minus, SECOND.minus]);
  assert.deepEqual(minus(apply([FIRST, SECOND], change(2, null))), [FIRST.minus]);
  assert.deepEqual(apply([FIRST, SECOND], change(1, null)), [FIRST, SECOND]);
  assert.deepEqual(apply([FIRST], { kind: "game", body: { number: 1, line: FIRST } }), [FIRST]);
  assert.deepEqual(apply([FIRST], { kind: "sign", body: { seat: 1, drawing: "" } }), [FIRST]);
});

test("games that a laptop which took over does not know are sent to it again", async () => {
  await enter(1, FIRST);
  await enter(2, SECOND);
  await until(isEmpty);
  server.forget(1);
  outbox.wake();

  await until(() => server.lines.length === 2 && isEmpty());
  assert.deepEqual(hands(), [FIRST.minus, SECOND.minus]);
});

test("what waited for the new laptop comes behind the games that it does not know", async () => {
  await enter(1, FIRST);
  await enter(2, SECOND);
  await until(isEmpty);
  await cutOff();
  await enter(3, THIRD);
  server.forget(1);
  reconnect();

  await until(isEmpty);
  assert.deepEqual(hands(), [FIRST.minus, SECOND.minus, THIRD.minus]);
});

test("what a laptop which took over has otherwise is left alone", async () => {
  await enter(1, FIRST);
  await enter(2, SECOND);
  await until(isEmpty);
  server.forget(2);
  server.lines.push(THEIRS);
  outbox.wake();
  await until(() => outbox.state.games.length === 1);

  assert.ok(isEmpty());
  assert.deepEqual(server.lines, [THEIRS]);
});

test("a game for people who have changed seats meanwhile is sent only once somebody has looked", async () => {
  await enterWithoutNetwork(FIRST, SECOND);
  server.seat(2, 1, 3, 4);

  reconnect();
  await until(() => outbox.items[0].status === CONFLICT);

  assert.deepEqual(server.lines, []);
  assert.ok(isForOthers(outbox.items[0], outbox.state));
  const [first] = outbox.items;
  await outbox.rewrite(first, first.kind, { ...first.body, line: line(2, [20, 0, 30, 40]) });
  await until(() => server.lines.length === 1);
  // The one behind it was made for them too.
  await until(() => outbox.items[0].status === CONFLICT);
  await outbox.drop(outbox.items[0]);
  assert.deepEqual(hands(), [[20, 0, 30, 40]]);
});

test("a game that was on its way while people changed seats is not sent again by itself", async () => {
  server.seat(2, 1, 3, 4);
  await enter(1, FIRST);

  await until(() => outbox.items[0]?.status === CONFLICT);

  assert.deepEqual(server.lines, []);
});

test("a doubt that is confirmed is still about those for whom it was entered", async () => {
  server.says.push([422, { ask: [{ where: "", message: "?" }] }]);
  await enter(1, FIRST);
  await until(() => outbox.items[0].status === DOUBT);
  server.seat(2, 1, 3, 4);
  outbox.wake();
  await until(() => outbox.state.players[0].number === 2);

  await outbox.confirm(outbox.items[0]);
  await until(() => outbox.items[0].status === CONFLICT);

  assert.deepEqual(server.lines, []);
});

test("nobody signs for who sits there now", async () => {
  await cutOff();
  await outbox.add("sign", { seat: 1, drawing: "M0 0" });
  server.seat(2, 1, 3, 4);

  reconnect();
  await until(() => outbox.items[0].status === CONFLICT);

  assert.deepEqual(server.signatures, []);
  assert.ok(isForOthers(outbox.items[0], outbox.state));
});

test("a device notices when other people sit there, and keeps that", async () => {
  assert.equal(outbox.moved, "");

  server.seat(2, 1, 3, 4);
  outbox.wake();
  await until(() => outbox.moved);

  assert.equal(store.kept.moved, "2030-05-04T10:00:00Z");
});

test("what is drawn while it is stored that people changed seats names those who sit there now", async () => {
  const drawn = [];
  const update = store.update.bind(store);
  store.update = (changes) => {
    drawn.push([outbox.moved, outbox.state.players[0].number]); // as a page that draws now
    return update(changes);
  };

  server.seat(2, 1, 3, 4);
  outbox.wake();
  await until(() => outbox.moved && drawn.length);

  assert.deepEqual(drawn[0], ["2030-05-04T10:00:00Z", 2]);
});
