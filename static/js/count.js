// Adds up the notes and coins while somebody counts the till. Without it the sum comes with the answer.

const form = document.querySelector("[data-count]");
const line = form?.querySelector("[data-count-sum]");
const write = new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" });
const euro = (cents) => write.format(cents / 100).replace("-", "−");

function cents(text) {
  const found = /^(\d+)(?:[.,](\d{1,2}))?$/.exec(text.replace(/[\s€]/g, ""));
  return found ? Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0")) : 0;
}

function show() {
  let sum = cents(form.elements.loose_cents.value);
  for (const piece of form.querySelectorAll("[data-value]")) {
    sum += Number(piece.dataset.value) * (Number.parseInt(piece.value, 10) || 0);
  }
  line.querySelector("[data-counted]").textContent = euro(sum);
  line.querySelector("[data-difference]").textContent = euro(sum - Number(form.dataset.count));
  line.hidden = false;
}

form?.addEventListener("input", show);
