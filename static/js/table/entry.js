// The sheet for entering a game: one question at a time, with keys large enough for fingers.

import { NotKept } from "./database.js";
import { reloadButton } from "./dialogs.js";
import { announce, ask, button, h, icon, points, present, say } from "./dom.js";
import { Draft } from "./draft.js";
import { cardPad, digitPad } from "./pads.js";
import { deals, namesAt, playersAt } from "./view.js";

/** @typedef {import("./view.js").View} View */
/**
 * @typedef {object} SheetAct what the page does for the sheet
 * @property {(line: ClearLine, confirmed: boolean) => Promise<void>} done
 * @property {() => void} leave
 * @property {(short: boolean) => void} short
 * @property {(draft: SavedDraft) => void} keep
 * @property {HTMLElement | null} foot
 */

export class EntrySheet {
  #counting = false;
  /** @type {HTMLElement | null} */
  #message = null;
  #hasMovedOn = false; // whether the last possible digit moved on to the next field
  #isDone = false; // a second touch on the last key must not enter the game twice

  /**
   * @param {object} game
   * @param {View} game.view
   * @param {number} game.number
   * @param {Line | null} [game.line]
   * @param {SavedDraft | null} [game.saved]
   * @param {boolean} [game.isChange]
   * @param {SheetAct} game.act
   */
  constructor({ view, number, line = null, saved = null, isChange = false, act }) {
    this.view = view;
    this.isChange = isChange;
    this.act = act;
    this.names = namesAt(view, number);
    this.draft = new Draft({ rules: view.rules, number, names: this.names, line });
    const isForThem = JSON.stringify(saved?.people) === JSON.stringify(view.people);
    if (saved?.number === number && isForThem && !line) this.draft.restore(saved);
    this.element = h("section", { class: "entry", "aria-labelledby": "entry-question" });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.render();
  }

  get isAsking() {
    return this.draft.finisher === undefined;
  }

  render() {
    this.act.short(!this.isAsking);
    this.element.replaceChildren(...present(this.isAsking ? this.#who() : this.#amounts()));
    this.element.classList.toggle("is-asking", this.isAsking);
    if (!this.isAsking) this.#giveKeyboard(`input[data-seat="${this.draft.current}"]`);
    this.#markFresh();
  }

  // A value that the next digit replaces is shown as selected.
  #markFresh() {
    const field = this.element.querySelector(".is-current input");
    if (field instanceof HTMLInputElement && this.draft.fresh && !this.#counting) field.select();
  }

  // --- Who finished ---

  #who() {
    const { draft, view } = this;
    const choices = playersAt(view, draft.number)
      .filter((player) => player.seat !== draft.sitsOut)
      .map((player) => this.#choice(player.seat, this.names[player.seat], player.name));
    if (view.rules.ends_without_finisher)
      choices.push(this.#choice(null, say("nobody"), say("nobodyFinished")));
    return [
      this.#heading(),
      h(
        "p",
        { class: "entry-question", id: "entry-question" },
        say(this.isChange ? "whoFinishedChange" : "whoFinished", { n: draft.number }),
      ),
      h("div", { class: "who" }, choices),
      this.act.foot,
    ];
  }

  #heading() {
    const { draft, view } = this;
    if (this.isChange)
      return h(
        "div",
        { class: "entry-head cluster spread" },
        h("h2", {}, say("changeGame", { n: draft.number })),
        button(say("cancel"), this.act.leave, { css: "button quiet" }),
      );
    return h(
      "div",
      { class: "dealer-now cluster flat baseline spread" },
      h("h2", {}, deals(view.rules, draft.number, this.names)),
      h(
        "p",
        { class: "soft" },
        [say("gameOf", { n: draft.number, all: view.rules.games }), draft.round.contract]
          .filter(Boolean)
          .join(" · "),
      ),
    );
  }

  /** @type {(seat: number | null, name: string, label: string) => HTMLElement} */
  #choice(seat, name, label) {
    return h(
      "button",
      {
        type: "button",
        class: "who-option",
        "aria-label": label,
        "data-seat": seat ?? "none",
        onclick: () => {
          this.draft.choose(seat);
          this.#message = null;
          this.#keep();
          this.render();
        },
      },
      h("span", {}, name),
    );
  }

  // --- Their points ---

  #amounts() {
    const { draft } = this;
    const chips = draft.rules.grants.map((grant, at) =>
      this.#toggle(
        draft.granted.has(at),
        say("grant", {
          name: this.names[draft.receiver(grant)],
          what: grant.name,
          points: points(grant.points),
        }),
        () => {
          if (!draft.granted.delete(at)) draft.granted.add(at);
        },
      ),
    );
    return [
      h(
        "div",
        { class: "entry-head cluster spread" },
        h(
          "h2",
          { id: "entry-question" },
          this.isChange ? h("small", {}, say("changeGame", { n: draft.number })) : null,
          draft.finisher
            ? say("finishedGame", { name: this.names[draft.finisher] })
            : say("nobodyFinished"),
        ),
        this.#handToggle(),
        this.#backButton(),
      ),
      draft.handromme && draft.rules.handromme?.note
        ? h("p", { class: "entry-note" }, draft.rules.handromme.note)
        : null,
      ...chips,
      h(
        "div",
        { class: "amounts" },
        draft.seats.map((seat) => this.#field(seat)),
      ),
      h("div", { class: "entry-message", role: "alert" }, this.#message),
      this.#pad(),
      this.isChange ? this.act.foot : null,
    ];
  }

  #backButton() {
    const { erases } = this.draft;
    return button(say(erases ? "erase" : "back"), () => this.#back(), {
      css: "button quiet back",
      sign: erases ? "backspace" : "arrow-left",
    });
  }

  // Beside the name of the player concerned.
  #handToggle() {
    const { draft } = this;
    if (!draft.finisher || !draft.rules.handromme) return null;
    const toggle = this.#toggle(draft.handromme, say("hand"), () => draft.toggleHandromme());
    toggle.classList.add("hand-toggle");
    toggle.setAttribute("aria-label", say("handromme"));
    return toggle;
  }

  /** @type {(pressed: boolean, text: string, act: () => void) => HTMLElement} */
  #toggle(pressed, text, act) {
    return h(
      "button",
      {
        type: "button",
        class: "toggle",
        "aria-pressed": String(pressed),
        onclick: () => {
          act();
          this.#message = null;
          this.#keep();
          this.render();
        },
      },
      h("span", { class: "toggle-box" }, icon("check")),
      text,
    );
  }

  /** @param {number} seat */
  #field(seat) {
    const { draft, names } = this;
    const input = h("input", {
      name: `minus_${seat}`,
      "data-seat": seat,
      inputmode: "none", // the page has its own keys
      autocomplete: "off",
      "aria-label": say("pointsOf", { name: names[seat] }),
      placeholder: "\u2013",
    });
    input.value = draft.values[seat] ?? "";
    input.addEventListener("focus", () => {
      if (draft.current === seat) return;
      draft.moveTo(seat);
      this.#counting = false;
      this.render();
    });
    // A touched field is selected, even the current one.
    input.addEventListener("click", () => {
      draft.fresh = true;
      this.render();
    });
    input.addEventListener("input", () => this.#typed(draft.set(input.value)));
    return h(
      "label",
      { class: `amount${draft.current === seat ? " is-current" : ""}` },
      names[seat],
      input,
    );
  }

  /** @param {string} key */
  #press(key) {
    if (key === "go") this.#go();
    else if (key === "count") this.#count(true);
    else this.#typed(this.draft.type(key));
  }

  #goLabel() {
    const { draft } = this;
    const others = draft.seats.filter((seat) => seat !== draft.current && !draft.values[seat]);
    return say(others.length || this.isChange ? "next" : "store");
  }

  /** @param {boolean} counting */
  #count(counting) {
    this.#counting = counting;
    this.#message = null;
    this.render();
  }

  #pad() {
    if (!this.#counting) return digitPad(this.#goLabel(), (key) => this.#press(key));
    return cardPad(this.draft, this.#goLabel(), {
      change: (act) => this.#card(act),
      go: () => this.#go(),
      leave: () => this.#count(false),
    });
  }

  /** @param {() => void} act */
  #card(act) {
    act();
    this.#message = tooMany(this.draft);
    this.#keep();
    this.render();
    announce(String(this.draft.values[this.draft.current] ?? ""));
  }

  // --- Going on ---

  /** @param {boolean | null} isFinal */
  #typed(isFinal) {
    const { draft } = this;
    if (isFinal === null) {
      this.#message = h("p", {}, say("fourthDigit"));
      return this.render();
    }
    this.#message = null;
    this.#hasMovedOn = false;
    const problem = isFinal && draft.problem(draft.current);
    const empty = draft.nextEmpty();
    if (problem) this.#refuse(problem);
    else if (isFinal && empty !== undefined) {
      draft.moveTo(empty);
      this.#hasMovedOn = true;
    }
    this.#keep();
    return this.render();
  }

  /** @param {Said} problem */
  #refuse(problem) {
    const [key, values] = problem;
    this.#message = h("p", {}, say(key, values));
    this.draft.expectAnother();
  }

  #go() {
    const { draft } = this;
    const hasMovedOn = this.#hasMovedOn;
    this.#message = null;
    this.#hasMovedOn = false;
    if (!draft.values[draft.current]) {
      // „Weiter“ out of habit after moving on automatically refers to the previous field.
      if (hasMovedOn) return this.render();
      this.#message = h("p", {}, say("pointsMissing", { name: this.names[draft.current] }));
      return this.render();
    }
    const problem = draft.problem(draft.current);
    if (problem) {
      this.#refuse(problem);
      return this.render();
    }
    this.#counting = false;
    const empty = draft.nextEmpty();
    if (empty === undefined) return this.#finish();
    draft.moveTo(empty);
    this.#keep();
    return this.render();
  }

  async #finish() {
    const { draft } = this;
    const wrong = draft.wrong();
    if (wrong) {
      if (wrong.seat) draft.moveTo(wrong.seat);
      this.#refuse(wrong.why);
      return this.render();
    }
    const earlier = this.view.lines.slice(0, draft.number - 1);
    const doubts = draft.doubts(earlier).map(([key, values]) => say(key, values));
    const sure =
      doubts.length === 0 ||
      (await ask(say("pleaseCheck"), doubts, say("itIsRight"), { no: say("change") }));
    if (!sure || this.#isDone) return this.render();
    this.#isDone = true;
    await this.#store(doubts.length > 0).finally(() => {
      this.#isDone = false;
    });
    return undefined;
  }

  /** @param {boolean} isConfirmed */
  async #store(isConfirmed) {
    try {
      await this.act.done(this.draft.line(), isConfirmed);
    } catch (error) {
      if (!(error instanceof NotKept)) throw error;
      const sentence = say(this.isChange ? "notKept" : "gameNotKept");
      this.#message = h("div", {}, h("p", {}, sentence), reloadButton());
      this.render();
    }
  }

  #back() {
    this.#counting = false;
    this.#message = null;
    this.draft.back();
    this.#keep();
    this.render();
    if (this.isAsking) this.#giveKeyboard(".who-option");
  }

  #keep() {
    if (!this.isChange) this.act.keep({ ...this.draft.save(), people: this.view.people });
  }

  /** @param {string} selector */
  #giveKeyboard(selector) {
    /** @type {HTMLElement | null} */
    const element = this.element.querySelector(selector);
    element?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const isField = event.target instanceof HTMLInputElement;
    if (event.key === "Escape" && !this.isAsking) this.#back();
    else if (isField && event.key === "Enter") this.#go();
    else if (isField && /^\d$/.test(event.key) && this.draft.fresh) {
      this.#typed(this.draft.type(event.key));
    } else return;
    event.preventDefault();
  }
}

/**
 * The largest number of cards in hand is known, so no more of them can be tapped.
 *
 * @param {Draft} draft
 */
function tooMany(draft) {
  if (draft.cardsHere.length < draft.round.most) return null;
  return h("p", {}, say("handIsFull", { n: draft.round.most }));
}
