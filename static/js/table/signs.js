// The signs for the whole hall, shown large on the page until they are read.

import { Clock } from "./clock.js";

// Kinds with vibration, so that deaf players notice announcements and answers at once.
const WHOLE = ["over", "call"];
const SHAKE = [300, 150, 300]; // milliseconds
const READ = "signs-read"; // key of the last sign of each kind read on this device

/** @type {(sign: HallSign, now: number) => boolean} */
const isInForce = ({ since, until }, now) =>
  Date.parse(since) <= now && (until === null || now < Date.parse(until));

/**
 * The signs to show, and the words that were read and are still valid; the most important last.
 *
 * @param {HallSign[]} signs
 * @param {Record<string, string>} read since when the one of each kind holds that was read
 * @param {number} now in milliseconds, by the server's clock
 */
export function sort(signs, read, now) {
  const held = signs.filter((sign) => isInForce(sign, now));
  return {
    unread: held.findLast(({ kind, since }) => read[kind] !== since) ?? null,
    words: held.find(({ kind, since }) => kind === "words" && read[kind] === since) ?? null,
  };
}

/** @returns {Record<string, string>} */
function readBefore() {
  try {
    return JSON.parse(localStorage.getItem(READ) ?? "{}");
  } catch {
    return {};
  }
}

export class SignBoard {
  #shown = "";
  #read = readBefore();

  /**
   * @param {HTMLElement} host says aloud what appears in it
   * @param {Clock} clock
   * @param {() => void} changed is called when something else is to be shown by that
   */
  constructor(host, clock, changed = () => {}) {
    this.host = host;
    this.clock = clock;
    this.changed = changed;
  }

  /**
   * Shows the unread present signs; returns the words that were read and are still valid.
   *
   * @param {HallSign[]} signs
   */
  show(signs) {
    const { unread, words } = sort(signs, this.#read, this.clock.now());
    const key = unread ? `${unread.kind} ${unread.since}` : "";
    // Added once, so that screen readers announce it once.
    if (key !== this.#shown) this.host.replaceChildren(...(unread ? [this.#build(unread)] : []));
    this.#shown = key;
    const left = this.host.querySelector(".hall-sign-left");
    if (unread && left instanceof HTMLElement) this.#count(unread, left);
    return words;
  }

  /** @param {HallSign} sign */
  #build(sign) {
    const { content } = /** @type {HTMLTemplateElement} */ (
      document.getElementById("hall-sign-template")
    );
    const built = /** @type {HTMLElement} */ (content.firstElementChild?.cloneNode(true));
    /** @type {(name: string, text: string) => void} */
    const fill = (name, text) => {
      const part = /** @type {HTMLElement} */ (built.querySelector(`.hall-sign-${name}`));
      part.textContent = text;
      part.hidden = !text;
    };
    fill("title", sign.title);
    fill("text", sign.text);
    const isWhole = WHOLE.includes(sign.kind);
    built.classList.toggle("is-whole", isWhole);
    const closing = isWhole ? built : built.querySelector("button");
    closing?.addEventListener("click", () => this.mark(sign));
    // Browsers vibrate only after the user has touched the page.
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(SHAKE);
    return built;
  }

  /** @type {(sign: HallSign, left: HTMLElement) => void} */
  #count({ ends_at: endsAt }, left) {
    const seconds = endsAt ? this.clock.secondsTo(endsAt) : 0;
    left.hidden = seconds <= 0;
    const text = (left.dataset.text ?? "").replace("{time}", Clock.write(seconds));
    if (left.textContent !== text) left.textContent = text;
  }

  /**
   * Records that a sign was read, or with "" that it is unread again.
   *
   * @param {HallSign} sign
   */
  mark({ kind, since }, read = since) {
    this.#read = { ...this.#read, [kind]: read };
    try {
      localStorage.setItem(READ, JSON.stringify(this.#read));
    } catch {
      // Without storage the next page shows it again.
    }
    this.changed();
  }
}
