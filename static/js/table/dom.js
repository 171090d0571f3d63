// Helpers for texts, numbers and elements.

/** @typedef {Node | string | false | null | undefined} Child empty values are omitted */
/** @typedef {(event: Event) => unknown} Press what happens when something is pressed */
/** @typedef {Record<string, string | number | boolean | null | undefined | Press>} Attributes */

/** @param {string} id */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
export const pageData = (id) => JSON.parse(byId(id).textContent ?? "");

/** @type {Record<string, string>} */
const texts = pageData("table-texts");

/**
 * The text of a key, such as "Spiel {n}", with its values filled in.
 *
 * @type {(key: string, values?: Values) => string}
 */
export const say = (key, values = {}) =>
  texts[key].replace(/\{(\w+)\}/g, (_place, name) => String(values[name]));

/**
 * A sentence whose paragraphs link to the rules in another tab.
 *
 * @param {string} text
 * @returns {Child[]}
 */
export const linked = (text) =>
  text.split(/(§ \d+(?:\.\d+)*)/).map((part, at) => {
    const href = `${rulesPage()}#p-${part.slice(2).replaceAll(".", "-")}`;
    return at % 2 ? h("a", { href, target: "_blank" }, part.replace(" ", "\u00a0")) : part;
  });

export const rulesPage = () => byId("table-app").dataset.rules;

/**
 * h("p", { class: "soft", onclick: act }, "text", other) creates an element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} attributes
 * @param {(Child | Child[])[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
  element.append(...present(children.flat()));
  return element;
}

/**
 * The children that are not null, undefined or false.
 *
 * @param {Child[]} children
 */
export const present = (children) =>
  children.filter((child) => child !== null && child !== undefined && child !== false);

/** @param {string} text */
export const hidden = (text) => h("span", { class: "visually-hidden" }, text);

/** @param {string} name */
export function icon(name) {
  const icons = /** @type {HTMLTemplateElement} */ (byId("table-icons"));
  const drawn = /** @type {Element} */ (icons.content.querySelector(`[data-icon="${name}"] svg`));
  return drawn.cloneNode(true);
}

/**
 * @param {string} text
 * @param {Press} act
 * @param {Attributes & { css?: string, sign?: string }} options
 */
export function button(text, act, { css = "button", sign = "", ...attributes } = {}) {
  return h(
    "button",
    { type: "button", class: css, onclick: act, ...attributes },
    sign ? icon(sign) : null,
    text,
  );
}

/** @type {(tone: string, ...children: Child[]) => HTMLElement} */
export const alertBox = (tone, ...children) =>
  h("div", { class: `alert ${tone}` }, h("div", {}, ...children));

const MINUS = "\u2212";
/** @param {number} value */
export const points = (value) => (value < 0 ? `${MINUS}${-value}` : String(value));

const plain = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 2 });
/**
 * An amount without currency, for narrow cells of a labelled row.
 *
 * @param {number} cents
 */
export const amount = (cents) => plain.format(cents / 100);

/**
 * A dialog over the page; closes by its button, by Escape, and when `close` is called.
 *
 * @param {string} title
 * @param {(close: () => void) => Child | Child[]} build
 * @param {{ css?: string, onclose?: () => void }} options
 */
export function openDialog(title, build, { css = "dialog", onclose } = {}) {
  const heading = h("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
  const dialog = h("dialog", { class: css, "aria-labelledby": heading.id });
  dialog.append(heading, ...present([build(() => dialog.close())].flat()));
  dialog.addEventListener("close", () => {
    dialog.remove();
    onclose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks a question; resolves to true for yes.
 *
 * @param {string} title
 * @param {string[]} details
 * @param {string} yes
 * @param {{ no?: string }} options
 * @returns {Promise<boolean>}
 */
export function ask(title, details, yes, { no = say("cancel") } = {}) {
  return new Promise((resolve) => {
    let answer = false;
    /** @param {() => void} close */
    const build = (close) => {
      const agree = () => {
        answer = true;
        close();
      };
      return [
        ...details.map((detail) => h("p", {}, detail)),
        h(
          "div",
          { class: "button-row" },
          button(yes, agree),
          button(no, close, { css: "button quiet" }),
        ),
      ];
    };
    openDialog(title, build, { onclose: () => resolve(answer) });
  });
}

const speaker = byId("table-speaker");
/** @param {string} text */
export function announce(text) {
  speaker.textContent = text;
}

/** @type {(names: string[], at: number) => boolean} */
const isAlone = (names, at) => names.filter((name) => name === names[at]).length === 1;

/**
 * First names if unique, else with the first letters of the surname, or in full.
 *
 * @param {Player[]} players
 * @returns {Record<number, string>}
 */
export function shortNames(players) {
  const first = players.map((player) => player.name.split(" ")[0]);
  const short = players.map((player, at) => {
    // The server adds the start number to equal names: „Anna Schmidt (Nr. 7)“.
    const surname =
      player.name
        .replace(/ \(.*\)$/, "")
        .split(" ")
        .at(-1) ?? "";
    return isAlone(first, at) ? first[at] : `${first[at]} ${surname.slice(0, 3)}.`;
  });
  return Object.fromEntries(
    players.map((player, at) => [player.seat, isAlone(short, at) ? short[at] : player.name]),
  );
}
