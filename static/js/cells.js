// Reads a row of typed cells like scoring/reading/cells.py, which explains the notation.

import { isFinal } from "./table/rules.js";

/** @typedef {{ points: number, finished: boolean, handromme: boolean }} Reading */
/** @typedef {Reading[]} Cell */
/** @typedef {{ held: number[], afterHandromme: number[] }} Unreadable The readings of „?“. */

const READING = /^(\d{1,3})?([+H?])?$/;

/**
 * @param {string} part
 * @returns {Reading | null}
 */
function readReading(part) {
  const reading = READING.exec(part);
  if (!part || !reading || (reading[1] && reading[2] === "?")) return null;
  const points = Number(reading[1] ?? 0);
  const handromme = reading[2] === "H";
  const finished =
    handromme || reading[2] === "+" || (!reading[2] && points === 0 && part !== "00");
  return { points, finished, handromme };
}

/** @type {(first: unknown, second: unknown) => boolean} */
const alike = (first, second) => JSON.stringify(first) === JSON.stringify(second);
/** @type {<T>(entries: T[]) => T[]} */
const distinct = (entries) => [...new Set(entries)];

/**
 * The values if none is null, else null.
 *
 * @template T
 * @param {(T | null)[]} values
 * @returns {T[] | null}
 */
const all = (values) => (values.includes(null) ? null : /** @type {T[]} */ (values));

/** @param {string} text */
const tight = (text) => text.replaceAll(" ", "").toUpperCase();

/**
 * The readings of one cell, or null if no list can have it.
 *
 * @param {string} text
 * @returns {Cell | null}
 */
export function readCell(text) {
  const parts = tight(text).split("/");
  const readings = all(parts.map(readReading));
  if (!readings) return null;
  if (parts.length > 1 && parts.includes("?") && !mayHaveFinished(readings)) return null;
  const isTwice = readings.some((reading, at) =>
    readings.slice(0, at).some((earlier) => alike(reading, earlier)),
  );
  return isTwice ? null : readings;
}

/** @param {Cell | null} cell */
export const mayHaveFinished = (cell) => Boolean(cell?.some((reading) => reading.finished));
/** @param {Cell} cell */
const hasFinished = (cell) => cell.length > 0 && cell.every((reading) => reading.finished);

/** @param {Cell} cell */
function minus(cell) {
  if (!cell.length) return null;
  const held = cell.filter((reading) => !reading.finished);
  return entry(distinct((held.length ? held : cell).map((reading) => reading.points)));
}

/** @type {<T>(readings: T[]) => Entry<T>} */
const entry = (readings) => (readings.length === 1 ? readings[0] : readings);

/**
 * The line of a row, as lists store it, or null if it cannot be read.
 *
 * @param {string[]} texts
 * @param {Unreadable} unreadable
 * @param {number} sitsOut the seat without a hand, 0 where all play
 * @returns {Line | null}
 */
export function readRow(texts, unreadable, sitsOut = 0) {
  const cells = all(
    texts.map((text, at) => (at + 1 === sitsOut && /^[-– ]*$/.test(text) ? [] : readCell(text))),
  );
  if (!cells || cells.filter(hasFinished).length > 1) return null;
  const finishers = cells.flatMap((cell, at) => (mayHaveFinished(cell) ? [at + 1] : []));
  const isSure = cells.some(hasFinished);
  const marks = cells.flat().flatMap((reading) => (reading.finished ? [reading.handromme] : []));
  const handromme = distinct(marks.length ? marks : [false]);
  const any = handromme.every(Boolean) ? unreadable.afterHandromme : unreadable.held;
  return {
    finisher: entry(finishers.length > 1 || isSure ? finishers : [...finishers, null]),
    handromme: entry(handromme.sort((a, b) => Number(b) - Number(a))),
    minus: cells.map((cell, at) => (tight(texts[at]) === "?" ? any : minus(cell))),
  };
}

/**
 * The normalised cell: every key for a Handrommé becomes an H, which includes the points.
 *
 * @param {string} text
 */
export const tidy = (text) => text.replace(/[*h]/g, "H").replace(/^0H/, "H");

/**
 * Whether no further digit is possible: „23“ is complete, „12“ may become 120.
 *
 * @param {string} text
 * @param {number} max
 */
export function isWhole(text, max) {
  if (["0", "H", "?"].includes(text)) return true;
  return /^\d+$/.test(text) && isFinal(Number(text), max);
}
