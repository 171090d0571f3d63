// A game during its entry: the finisher, and the points field by field.

import {
  doubts,
  finisherProblem,
  handBounds,
  handProblem,
  isClear,
  isFinal,
  jointProblem,
  plainLine,
  roundOf,
  sitsOut,
} from "./rules.js";

const MOST_DIGITS = 3; // every hand is below 1000 points

export class Draft {
  /** @type {number | null | undefined} null: no player finished, undefined: not entered yet */
  finisher;
  handromme = false;
  /** @type {Record<number, string>} the digits of each seat */
  values = {};
  /** @type {Record<number, string[]>} the ranks that a seat has counted one by one */
  cards = {};
  /** @type {Set<number>} positions in rules.grants */
  granted = new Set();
  current = 0; // seat whose points are asked for
  fresh = false; // whether the next digit replaces the value of the field

  /**
   * @param {{
   *   rules: Rules, number: number, names: Record<number, string>, line?: Line | null
   * }} game
   */
  constructor({ rules, number, names, line = null }) {
    this.rules = rules;
    this.number = number;
    this.names = names;
    this.round = roundOf(rules, number);
    this.isChange = line !== null;
    if (line) this.#read(plainLine(line));
  }

  // An unclear line is entered again; a clear line can be changed in part.
  /** @param {Line} line */
  #read(line) {
    if (!isClear(line)) return;
    this.finisher = line.finisher;
    this.handromme = line.handromme;
    this.values = Object.fromEntries(line.minus.map((value, at) => [at + 1, String(value ?? "")]));
    for (const adjustment of line.adjustments ?? []) {
      const at = this.rules.grants.findIndex(
        (grant) => grant.points === adjustment.points && this.receiver(grant) === adjustment.seat,
      );
      if (at >= 0) this.granted.add(at);
    }
    this.moveTo(this.seats[0]);
  }

  get bounds() {
    return this.round.bounds;
  }

  get sitsOut() {
    return sitsOut(this.rules, this.number);
  }

  // Seats with a field: all that hold cards, and the finisher if the rules let finishers keep cards.
  get seats() {
    const all = Array.from({ length: this.rules.players }, (_none, at) => at + 1);
    if (this.finisher === undefined) return [];
    return all.filter(
      (seat) =>
        seat !== this.sitsOut &&
        (seat !== this.finisher || (this.bounds.finisher_max > 0 && !this.handromme)),
    );
  }

  /** @param {Grant} grant */
  receiver(grant) {
    return grant.seats[this.number - 1];
  }

  /** @param {number | null} finisher */
  choose(finisher) {
    this.finisher = finisher;
    if (finisher === null) this.handromme = false;
    else this.#leaveEmptyHanded(finisher);
    for (const seat of this.seats)
      if (seat !== finisher && this.values[seat] === "0") delete this.values[seat];
    this.moveTo(this.nextEmpty() ?? this.seats[0]);
  }

  toggleHandromme() {
    this.handromme = !this.handromme;
    if (this.finisher) this.#leaveEmptyHanded(this.finisher);
    if (!this.seats.includes(this.current)) this.moveTo(this.nextEmpty() ?? this.seats[0]);
  }

  /** @param {number} seat */
  #leaveEmptyHanded(seat) {
    this.values[seat] = "0";
    delete this.cards[seat];
  }

  /** @param {number} seat */
  moveTo(seat) {
    this.current = seat;
    this.fresh = true;
  }

  nextEmpty() {
    return this.seats.find((seat) => !this.values[seat]);
  }

  get isFull() {
    return this.finisher !== undefined && this.nextEmpty() === undefined;
  }

  /** @param {number} seat */
  value(seat) {
    return Number(this.values[seat]);
  }

  /**
   * Adds a digit; returns whether it completes the field, or null if it was one too many.
   *
   * @param {string} digit
   */
  type(digit) {
    return this.set((this.fresh ? "" : (this.values[this.current] ?? "")) + digit);
  }

  /**
   * Sets a whole field, as a keyboard types it; returns as `type`.
   *
   * @param {string} text
   */
  set(text) {
    const digits = text.replace(/\D/g, "").replace(/^0+(?=\d)/, "");
    if (digits.length > MOST_DIGITS) return null;
    this.fresh = false;
    delete this.cards[this.current];
    if (digits) this.values[this.current] = digits;
    else delete this.values[this.current];
    return Boolean(digits) && this.isFinal();
  }

  // The next digit replaces a refused number, unless it is full: then the digit is one too many.
  expectAnother() {
    this.fresh = (this.values[this.current] ?? "").length < MOST_DIGITS;
  }

  isFinal() {
    const value = this.value(this.current);
    const most =
      this.current === this.finisher
        ? this.bounds.finisher_max
        : handBounds(this.bounds, this.handromme).max;
    return value === 0 || value > most || isFinal(value, most);
  }

  // Whether a step back removes typed digits. The fields of a changed line are full, so there
  // only after something was typed.
  get erases() {
    if (this.isChange && this.fresh) return false;
    return Boolean(this.values[this.current]) && !this.cards[this.current];
  }

  // One step back: a digit or the selection, else the previous field, else the question for the
  // finisher. In a changed line the step leads directly to the question.
  back() {
    if (this.erases) {
      this.set(this.fresh ? "" : this.values[this.current].slice(0, -1));
      return;
    }
    const at = this.isChange && this.fresh ? 0 : this.seats.indexOf(this.current);
    const before = this.seats.slice(0, at).findLast((seat) => seat !== this.finisher);
    if (before) {
      this.moveTo(before);
      this.fresh = false;
    } else this.#askAgain();
  }

  // A Handrommé belongs to the finisher chosen before.
  #askAgain() {
    this.finisher = undefined;
    this.handromme = false;
  }

  // --- Cards counted one by one ---

  get cardsHere() {
    return this.cards[this.current] ?? [];
  }

  /**
   * The number of cards of a rank that this hand can have beside the hands counted before.
   *
   * @param {Rank} rank
   */
  left(rank) {
    const counted = Object.values(this.cards)
      .flat()
      .filter((each) => each === rank.rank).length;
    return this.cardsHere.length >= this.round.most ? 0 : rank.count - counted;
  }

  /** @param {Rank} rank */
  addCard(rank) {
    this.#setCards([...this.cardsHere, rank.rank]);
  }

  removeCard() {
    this.#setCards(this.cardsHere.slice(0, -1));
  }

  /** @param {string[]} cards */
  #setCards(cards) {
    this.cards[this.current] = cards;
    const worth = Object.fromEntries(this.rules.cards.map((rank) => [rank.rank, rank.value]));
    this.fresh = false;
    if (cards.length)
      this.values[this.current] = String(cards.reduce((sum, rank) => sum + worth[rank], 0));
    else {
      delete this.cards[this.current];
      delete this.values[this.current];
    }
  }

  // --- Checks ---

  /**
   * The reason why the points of a seat are impossible.
   *
   * @param {number} seat
   */
  problem(seat) {
    const value = this.value(seat);
    if (seat === this.finisher) return finisherProblem(value, this.bounds, this.handromme);
    return handProblem(value, this.bounds, this.handromme);
  }

  joint() {
    const held = this.seats.map((seat) => this.value(seat)).filter((value) => value > 0);
    return jointProblem(held, this.bounds, this.handromme);
  }

  /**
   * The first impossible value: its seat (0 for several together) and the reason.
   *
   * @returns {{ seat: number, why: Said } | null}
   */
  wrong() {
    for (const seat of this.seats) {
      const why = this.problem(seat);
      if (why) return { seat, why };
    }
    const why = this.joint();
    return why && { seat: 0, why };
  }

  /** @returns {ClearLine} */
  line() {
    const minus = Array.from({ length: this.rules.players }, (_none, at) =>
      at + 1 === this.sitsOut ? null : Number(this.values[at + 1] ?? 0),
    );
    const line = { finisher: this.finisher ?? null, handromme: this.handromme, minus };
    const adjustments = [...this.granted].map((at) => {
      const grant = this.rules.grants[at];
      return { seat: this.receiver(grant), points: grant.points, reason: grant.name };
    });
    return adjustments.length ? { ...line, adjustments } : line;
  }

  /** @param {Line[]} earlier */
  doubts(earlier) {
    return doubts(this.line(), earlier, this.bounds, this.names);
  }

  /**
   * The state stored on the device until the game is entered.
   *
   * @returns {SavedDraft}
   */
  save() {
    const { number, finisher, handromme, values, cards, granted, current } = this;
    return { number, finisher, handromme, values, cards, granted: [...granted], current };
  }

  /** @param {SavedDraft} saved */
  restore(saved) {
    Object.assign(this, { ...saved, granted: new Set(saved.granted), fresh: true });
  }
}
