// The time of the Serie by the server's clock, because that of a device may be wrong by minutes.

/** @param {number} number */
const pad = (number) => String(number).padStart(2, "0");
const SOON = 10 * 60;

export class Clock {
  /** @param {number} offset of the server's clock, in milliseconds */
  constructor(offset) {
    this.offset = offset;
  }

  now() {
    return Date.now() + this.offset;
  }

  /** @param {string} iso */
  secondsTo(iso) {
    return Math.ceil((Date.parse(iso) - this.now()) / 1000);
  }

  /**
   * "1:04 h" from one hour on, below that minutes and seconds.
   *
   * @param {number} seconds
   */
  static write(seconds) {
    if (seconds >= 3600)
      return `${Math.floor(seconds / 3600)}:${pad(Math.floor(seconds / 60) % 60)} h`;
    return `${Math.floor(seconds / 60)}:${pad(seconds % 60)} min`;
  }

  /** @param {number} seconds */
  static isSoon(seconds) {
    return seconds > 0 && seconds <= SOON;
  }
}
