// Two keys of the desk: F2 enters somebody new, Escape empties the field again.

/** @returns {HTMLInputElement | null} */
const searchField = () => document.querySelector("input#q");

document.addEventListener("keydown", (event) => {
  const field = searchField();
  if (event.key === "F2") {
    /** @type {HTMLElement | null} */
    const link = document.querySelector("#found .result-name.new");
    if (!link) return;
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
