// Two keys of the desk: F2 enters somebody new, Escape empties the field again.

document.addEventListener("keydown", (event) => {
  if (event.key === "F2") {
    const link = document.querySelector("#found .result-name.new");
    if (!link) return;
    link.click();
  } else if (event.key === "Escape" && event.target.matches?.("#q") && event.target.value) {
    event.target.value = "";
    event.target.dispatchEvent(new Event("input", { bubbles: true }));
  } else return;
  event.preventDefault();
});

// The field has the keyboard a moment before htmx listens to it. What was typed in that moment is
// searched for as soon as it does; "changed" alone would never notice.
document.addEventListener("htmx:load", () => {
  const field = document.getElementById("q");
  const found = document.getElementById("found");
  if (field?.value && found?.hidden) field.dispatchEvent(new Event("late"));
});
