// The keyboard of checking: F2 is „geprüft“, Enter goes from sum to sum and from a cell to the reason.

document.addEventListener("keydown", (event) => {
  // A key held down must not check a second list that nobody has looked at.
  if (event.repeat && (event.key === "Enter" || event.key === "F2")) {
    event.preventDefault();
    return;
  }
  if (event.key === "F2") {
    const button = document.querySelector('[data-shortcut="F2"]');
    if (!button) return;
    event.preventDefault();
    button.click();
  } else if (event.key === "Enter" && event.target.matches("input[data-sum]")) {
    const sums = [...document.querySelectorAll("input[data-sum]")];
    const next = sums[sums.indexOf(event.target) + 1];
    if (!next || !event.target.value) return;
    event.preventDefault();
    next.focus();
    next.select();
  } else if (event.key === "Enter" && event.target.dataset.enter) {
    event.preventDefault();
    document.getElementById(event.target.dataset.enter)?.focus();
  }
});

// The server compares as well; this only shows it while somebody types.
function judge(target) {
  const verdict = target.parentElement.querySelector("[data-verdict]");
  const typed = target.value.trim().replace(/[−–]/, "-");
  const right = target.dataset.sum.split(" ").includes(typed);
  verdict.textContent = typed && (right ? "✓" : "≠");
  verdict.classList.toggle("is-right", Boolean(typed) && right);
  verdict.classList.toggle("is-wrong", Boolean(typed) && !right);
}
document.addEventListener("input", ({ target }) => {
  if (target.matches("input[data-sum]")) judge(target);
});
// Sums that were typed with a paper list stand there already.
document.querySelectorAll("input[data-sum]").forEach(judge);

// What is to be corrected is typed over.
document.querySelector("input[data-select]")?.select();
