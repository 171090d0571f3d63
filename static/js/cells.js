// What a row of typed cells says, as scoring/cells.py reads it; the notation is explained there.

const READING = /^(\d{1,3})?([+H?])?$/;

function readReading(part) {
  const found = READING.exec(part);
  if (!part || !found || (found[1] && found[2] === "?")) return null;
  const points = Number(found[1] ?? 0);
  const handromme = found[2] === "H";
  const finished = handromme || found[2] === "+" || (!found[2] && points === 0);
  return { points, finished, handromme };
}

const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const distinct = (entries) => [...new Set(entries)];

// The readings of one cell, or null if that stands on no list.
export function readCell(text) {
  const readings = text.replaceAll(" ", "").toUpperCase().split("/").map(readReading);
  if (readings.includes(null)) return null;
  const isTwice = readings.some((one, at) =>
    readings.slice(0, at).some((each) => alike(one, each)),
  );
  return isTwice ? null : readings;
}

export const mayHaveFinished = (cell) => Boolean(cell?.some((one) => one.finished));
const hasFinished = (cell) => cell.every((one) => one.finished);

function minus(cell) {
  const held = cell.filter((one) => !one.finished);
  return entry(distinct((held.length ? held : cell).map((one) => one.points)));
}

const entry = (readings) => (readings.length === 1 ? readings[0] : readings);

// The line that stands in a row, as lists store it, or null if it cannot be read.
export function readRow(texts) {
  const cells = texts.map(readCell);
  if (cells.includes(null) || cells.filter(hasFinished).length > 1) return null;
  const finishers = cells.flatMap((cell, at) => (mayHaveFinished(cell) ? [at + 1] : []));
  const isSure = cells.some(hasFinished);
  const marks = cells.flat().flatMap((one) => (one.finished ? [one.handromme] : []));
  return {
    finisher: entry(finishers.length > 1 || isSure ? finishers : [...finishers, null]),
    handromme: entry(distinct(marks.length ? marks : [false]).sort((one, other) => other - one)),
    minus: cells.map(minus),
  };
}
