// The switch of the colour scheme, and buttons that need a script.

const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");

const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);

/** @type {NodeListOf<HTMLButtonElement>} */
const switches = document.querySelectorAll("[data-theme-switch]");
for (const button of switches) {
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.hidden = false;
  show();
  dark.addEventListener("change", show);
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {
      // Storage is forbidden: the choice lasts as long as the page.
    }
  });
}

/** @type {NodeListOf<HTMLButtonElement>} */
const printers = document.querySelectorAll("[data-print]");
for (const button of printers) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// Scrolls the current tab or chip into view.
function showCurrent() {
  for (const current of document.querySelectorAll(":is(.tabs, .chips) [aria-current]")) {
    const strip = current.closest("ul");
    if (!strip) continue;
    const beyond = current.getBoundingClientRect().right - strip.getBoundingClientRect().right;
    if (beyond > 0) strip.scrollLeft += beyond;
  }
}

document.addEventListener("htmx:afterSettle", showCurrent);
showCurrent();

// Closes open menus on a click elsewhere and on Escape.
/** @returns {NodeListOf<HTMLDetailsElement>} */
const unfolded = () => document.querySelectorAll(":is(.menu, .header-own)[open]");

document.addEventListener("click", (event) => {
  const place = event.target instanceof Node ? event.target : null;
  for (const menu of unfolded()) menu.open = menu.contains(place);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of unfolded()) {
    menu.open = false;
    if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
  }
});
