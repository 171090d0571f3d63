// Keys of checking: F2 is „geprüft“, Enter moves from sum to sum and from a cell to the reason.

/** @returns {HTMLInputElement[]} */
const sums = () => Array.from(document.querySelectorAll("input[data-sum]"));

/**
 * Moves on from a filled sum or cell; returns whether it did.
 *
 * @param {HTMLElement} field
 */
function goOn(field) {
  if (field.dataset.enter) {
    document.getElementById(field.dataset.enter)?.focus();
    return true;
  }
  if (!(field instanceof HTMLInputElement)) return false;
  const at = sums().indexOf(field);
  const next = sums()[at + 1];
  if (at < 0 || !next || !field.value) return false;
  next.focus();
  next.select();
  return true;
}

function pressVerified() {
  /** @type {HTMLElement | null} */
  const button = document.querySelector('[data-shortcut="F2"]');
  button?.click();
  return button !== null;
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== "F2") return;
  // A key held down must not verify the next list unseen.
  const isDone =
    event.repeat ||
    (event.key === "F2"
      ? pressVerified()
      : event.target instanceof HTMLElement && goOn(event.target));
  if (isDone) event.preventDefault();
});

/**
 * Shows the comparison while the user types; the server also compares.
 *
 * @param {HTMLInputElement} sum
 */
function judge(sum) {
  const verdict = /** @type {HTMLElement} */ (sum.parentElement?.querySelector("[data-verdict]"));
  const typed = sum.value.trim().replace(/[−–]/, "-");
  const isRight = (sum.dataset.sum ?? "").split(" ").includes(typed);
  verdict.textContent = typed && (isRight ? "✓" : "≠");
  verdict.classList.toggle("is-right", Boolean(typed) && isRight);
  verdict.classList.toggle("is-wrong", Boolean(typed) && !isRight);
}
document.addEventListener("input", ({ target }) => {
  if (target instanceof HTMLInputElement && "sum" in target.dataset) judge(target);
});
// A copied paper list has its sums already.
sums().forEach(judge);

// Typing replaces the value to be corrected.
/** @type {HTMLInputElement | null} */
const selected = document.querySelector("input[data-select]");
selected?.select();
