// Keys of the desk: F2 enters somebody new, F4 takes the one whose name is nearly what was typed,
// Escape empties the field again.

/** @returns {HTMLInputElement | null} */
const searchField = () => document.querySelector("input#q");

/** @type {Record<string, string>} */
const ENTRIES = { F2: ".new", F4: ".meant .result-name" };

document.addEventListener("keydown", (event) => {
  const field = searchField();
  const entry = ENTRIES[event.key];
  if (entry) {
    /** @type {HTMLElement | null} */
    const link = document.querySelector(`#found ${entry}`);
    if (!link || (event.key === "F4" && field?.hasAttribute("data-pending"))) return;
    link.click();
  } else if (event.key === "Escape" && event.target === field && field?.value) {
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  } else return;
  event.preventDefault();
});

// The field has the keyboard a moment before htmx listens to it. What was typed in that moment is
// searched for as soon as it does; "changed" alone would never notice.
document.addEventListener("htmx:load", () => {
  const field = searchField();
  const found = document.getElementById("found");
  if (field?.value && found?.hidden) field.dispatchEvent(new Event("late"));
});
