// Keeps details open when htmx refreshes the page.

/** @type {string[]} */
let open = [];

document.addEventListener("htmx:beforeSwap", (event) => {
  open = [...event.detail.target.querySelectorAll("details[id][open]")].map((part) => part.id);
});

document.addEventListener("htmx:afterSettle", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  open = [];
});
