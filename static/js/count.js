// Adds up the notes and coins while somebody counts the till. Without it the sum comes with the answer.

const form = document.querySelector("[data-count]");
const line = form?.querySelector("[data-count-sum]");
const format = new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" });
const euro = (cents) => format.format(cents / 100).replace("-", "−");

// As the server reads amounts: 12,50 · 12.50 · 1.250 · 1.250,50.
function cents(text) {
  const bare = text.replace(/[\s€]/g, "");
  const found =
    /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{0,2}))?$/.exec(bare) ?? /^(\d+)\.(\d{1,2})$/.exec(bare);
  if (!found) return 0;
  return Number(found[1].replaceAll(".", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

function show() {
  let sum = cents(form.elements.loose_cents.value);
  for (const piece of form.querySelectorAll("[data-value]")) {
    const worth = Number(piece.dataset.value) * (Number.parseInt(piece.value, 10) || 0);
    form.querySelector(`[data-of="${piece.dataset.value}"]`).textContent = worth ? euro(worth) : "";
    sum += worth;
  }
  line.querySelector("[data-counted]").textContent = euro(sum);
  line.querySelector("[data-difference]").textContent = euro(sum - Number(form.dataset.count));
  line.hidden = false;
}

form?.addEventListener("input", show);
// Who counts with the figures of the keyboard ends each with Enter: on to the next, not off.
form?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
  event.preventDefault();
  const stops = [...form.querySelectorAll("input:not([type=hidden]), button")];
  stops[stops.indexOf(event.target) + 1]?.focus();
});
// After a refusal, or back from another page, the fields are filled already.
if (form && [...form.querySelectorAll("input:not([type=hidden])")].some((input) => input.value))
  show();
