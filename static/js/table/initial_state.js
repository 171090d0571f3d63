// The initial state of the page: the newer one of the page's and the device's copy.

import { pageData } from "./dom.js";
import { peopleOf } from "./lines.js";

/** @typedef {{ state: TableState, offset: number, moved?: string }} InitialState */

/** @type {(store: Store, rules: Rules) => Promise<InitialState>} */
export async function loadInitialState(store, rules) {
  /** @type {TableState} */
  const embedded = pageData("table-state");
  const stored = (await store.read()) ?? {};
  // The page itself may come from this device's cache and be older than the stored state.
  const newer = stored.state && stored.state.revision >= embedded.revision ? stored.state : null;
  const state = newer ?? embedded;
  const offset = (newer && stored.offset) ?? Date.parse(embedded.now) - Date.now();
  const isMoved = stored.state && String(peopleOf(stored.state)) !== String(peopleOf(state));
  const moved = isMoved ? embedded.now : stored.moved;
  if (!newer) await store.update({ state, offset, rules, moved });
  else if (stored.rules) Object.assign(rules, stored.rules);
  return { state, offset, moved };
}
