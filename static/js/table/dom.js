// Small helpers: what the page says, how numbers are written, how elements are made.

const read = (id) => JSON.parse(document.getElementById(id).textContent);

export const texts = read("table-texts");

// "Spiel {n}" with values for the places.
export const say = (key, values = {}) =>
  texts[key].replace(/\{(\w+)\}/g, (_place, name) => values[name]);

export const pageData = (id) => (document.getElementById(id) ? read(id) : null);

// h("p", { class: "soft", onclick: act }, "text", other) makes an element; null children are left out.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== false && child !== undefined),
  );
  return element;
}

export const hidden = (text) => h("span", { class: "visually-hidden" }, text);

export function icon(name) {
  const drawn = document
    .getElementById("table-icons")
    .content.querySelector(`[data-icon="${name}"] svg`);
  return drawn.cloneNode(true);
}

export function button(text, act, { css = "button", sign = "", ...attributes } = {}) {
  return h(
    "button",
    { type: "button", class: css, onclick: act, ...attributes },
    sign ? icon(sign) : null,
    text,
  );
}

export const alertBox = (tone, ...children) =>
  h("div", { class: `alert ${tone}` }, h("div", {}, ...children));

const MINUS = "\u2212";
export const points = (value) => (value < 0 ? `${MINUS}${-value}` : String(value));

const money = new Intl.NumberFormat(document.documentElement.lang, {
  style: "currency",
  currency: "EUR",
});
export const euro = (cents) => money.format(cents / 100);
const plain = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 2 });
// Without the sign, for narrow cells whose row says that it is money.
export const amount = (cents) => plain.format(cents / 100);

// A dialog over the page; closes by its button, by Escape, and when `close` is called.
export function openDialog(title, build, { css = "dialog", onclose } = {}) {
  const heading = h("h2", { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
  const dialog = h("dialog", { class: css, "aria-labelledby": heading.id });
  const close = () => dialog.close();
  dialog.append(heading, ...[build(close)].flat().filter(Boolean));
  dialog.addEventListener("close", () => {
    dialog.remove();
    onclose?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

// Asks a question; the promise is true if the person says yes.
export function ask(title, details, yes, { no = say("cancel"), css = "button" } = {}) {
  return new Promise((resolve) => {
    let answer = false;
    openDialog(
      title,
      (close) => [
        ...details.map((detail) => h("p", {}, detail)),
        h(
          "div",
          { class: "button-row" },
          button(
            yes,
            () => {
              answer = true;
              close();
            },
            { css },
          ),
          button(no, close, { css: "button quiet" }),
        ),
      ],
      { onclose: () => resolve(answer) },
    );
  });
}

const speaker = document.getElementById("table-speaker");
export function announce(text) {
  speaker.textContent = text;
}

// First names where they tell people apart, otherwise with the surname's first letters.
export function shortNames(players) {
  const first = players.map((player) => player.name.split(" ")[0]);
  return Object.fromEntries(
    players.map((player, at) => {
      const alone = first.filter((name) => name === first[at]).length === 1;
      const surname = player.name.split(" ").at(-1);
      return [player.seat, alone ? first[at] : `${first[at]} ${surname.slice(0, 3)}.`];
    }),
  );
}
