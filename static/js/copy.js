// Buttons that copy what stands in a field. Without it the field is there to be selected by hand.

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
    // The clipboard of navigator needs https, which a laptop in the hall does not have.
    if (document.execCommand("copy")) button.textContent = button.dataset.copied ?? "";
  });
}
