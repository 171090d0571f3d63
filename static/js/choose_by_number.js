// Submits a typed number as soon as no other number begins with it.

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.dataset.numbers) return;
  const numbers = target.dataset.numbers.trim().split(" ");
  const typed = target.value.trim();
  const alike = numbers.filter((number) => number.startsWith(typed));
  if (typed && alike.length === 1 && alike[0] === typed) target.form?.requestSubmit();
});
