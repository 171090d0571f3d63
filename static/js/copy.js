// Buttons that copy the value of a field. Without script the user selects it.

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("button[data-copy]");

for (const button of buttons) {
  button.hidden = false;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", () => {
    const field = /** @type {HTMLTextAreaElement} */ (
      document.getElementById(button.dataset.copy ?? "")
    );
    field.select();
    // navigator.clipboard needs https, which a laptop in the hall does not have.
    if (document.execCommand("copy")) button.textContent = button.dataset.copied ?? "";
  });
}
