// Coalesces calls of an act that must not run twice at the same time.

/**
 * Runs an act once at a time. Calls during a run cause one more run; the promise resolves after it.
 *
 * @param {() => Promise<void>} act
 */
export function coalesce(act) {
  /** @type {Promise<void> | null} */
  let running = null;
  let again = false;

  async function run() {
    do {
      again = false;
      await act();
    } while (again);
    running = null;
  }

  return {
    get isRunning() {
      return running !== null;
    },
    start() {
      if (running) again = true;
      else running = run();
      return running;
    },
  };
}
