// What the page of a paper list makes of typed rows: JSON in, JSON out, for test_cells_as_scoring.py.

import { json } from "node:stream/consumers";
import { mayHaveFinished, readCell, readRow } from "../../static/js/cells.js";

const { rows, sitsOut } = await json(process.stdin);
const unreadable = { held: [2, 197], afterHandromme: [31, 197] };
const read = (row) => [
  readRow(row, unreadable, sitsOut),
  row.map((text) => mayHaveFinished(readCell(text))),
];

process.stdout.write(JSON.stringify(rows.map(read)));
