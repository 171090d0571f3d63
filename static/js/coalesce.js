// Things that must not be done twice at once.

/**
 * Does something once at a time: whoever asks while it is done has it done once more, after all
 * of which the promise resolves.
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
