// What the page of a paper list makes of typed rows: JSON in, JSON out, for test_cells_as_scoring.py.

import { json } from "node:stream/consumers";
import { mayHaveFinished, readCell, readRow } from "../../static/js/cells.js";

const rows = await json(process.stdin);
const read = (row) => [readRow(row), row.map((text) => mayHaveFinished(readCell(text)))];

process.stdout.write(JSON.stringify(rows.map(read)));
