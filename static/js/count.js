// Adds up notes and coins during a count of the till. Without script the answer has the sum.

/** @type {HTMLFormElement | null} */
const till = document.querySelector("form[data-count]");
const format = new Intl.NumberFormat(document.documentElement.lang, {
  style: "currency",
  currency: "EUR",
});
/** @param {number} sum in cents */
const euro = (sum) => format.format(sum / 100).replace("-", "−");

/**
 * Reads amounts as the server does: 12,50 · 12.50 · 1.250 · 1.250,50 · 1,250.50.
 *
 * @param {string} text
 */
function cents(text) {
  const bare = text.replace(/[\s€]/g, "");
  const match =
    /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{0,2}))?$/.exec(bare) ??
    /^(\d{1,3}(?:,\d{3})+|\d+)\.(\d{1,2})$/.exec(bare);
  if (!match) return 0;
  return Number(match[1].replace(/[.,]/g, "")) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** @type {(part: Element, selector: string, text: string) => void} */
function write(part, selector, text) {
  const element = part.querySelector(selector);
  if (element) element.textContent = text;
}

/** @param {HTMLFormElement} form */
function show(form) {
  const loose = /** @type {HTMLInputElement} */ (form.elements.namedItem("loose_cents"));
  /** @type {NodeListOf<HTMLInputElement>} */
  const pieces = form.querySelectorAll("[data-value]");
  let sum = cents(loose.value);
  for (const piece of pieces) {
    const worth = Number(piece.dataset.value) * (Number.parseInt(piece.value, 10) || 0);
    write(form, `[data-of="${piece.dataset.value}"]`, worth ? euro(worth) : "");
    sum += worth;
  }
  write(form, "[data-counted]", euro(sum));
  write(form, "[data-difference]", euro(sum - Number(form.dataset.count)));
  form.querySelector("[data-count-sum]")?.removeAttribute("hidden");
}

/** @param {HTMLFormElement} form */
function listen(form) {
  /** @type {HTMLInputElement[]} */
  const fields = Array.from(form.querySelectorAll("input:not([type=hidden])"));
  form.addEventListener("input", () => show(form));
  // Enter moves to the next field instead of submitting the form.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    /** @type {HTMLElement[]} */
    const stops = Array.from(form.querySelectorAll("input:not([type=hidden]), button"));
    stops[stops.indexOf(event.target) + 1]?.focus();
  });
  // After a refusal, or when the user comes back, the fields have values.
  if (fields.some((field) => field.value)) show(form);
}

if (till) listen(till);
