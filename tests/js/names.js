// How the desk's page reads names: JSON in, JSON out, for test_names_as_desk.py.

import { json } from "node:stream/consumers";
import { splitName } from "../../static/js/desk_names.js";

const typed = await json(process.stdin);

process.stdout.write(JSON.stringify(typed.map(splitName)));
