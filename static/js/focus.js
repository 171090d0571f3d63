// Keeps the keyboard focus when htmx replaces a part of the page.
//
// htmx restores the focus by id. Otherwise the order is: the field of the same name, the element
// with data-focus, the replaced part itself.

/** @typedef {{ id: string, name: string, part: string }} Place */

/** @type {Place | null} */
let lost = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  const active = document.activeElement;
  const { target } = event.detail;
  const isInside = active && active !== document.body && target?.contains(active);
  const name = active?.getAttribute("name") ?? "";
  lost = isInside ? { id: active.id, name, part: target.id } : null;
});

/** @type {(part: Element | null, place: Place) => HTMLElement | null | undefined} */
function find(part, { id, name }) {
  const there = id ? document.getElementById(id) : null;
  /** @type {HTMLElement | null | undefined} */
  const wanted = part?.querySelector("[data-focus], [aria-invalid='true']");
  const same = `[name="${CSS.escape(name)}"]:not([type="hidden"])`;
  return there ?? wanted ?? (name ? part?.querySelector(same) : null);
}

document.addEventListener("htmx:afterSettle", () => {
  if (!lost) return;
  const where = lost;
  lost = null;
  if (document.activeElement && document.activeElement !== document.body) return;
  const part = where.part ? document.getElementById(where.part) : null;
  const next = find(part, where) ?? part;
  if (!next) return;
  if (next === part && !part.hasAttribute("tabindex")) part.tabIndex = -1;
  next.focus({ preventScroll: next === part });
});

// A focused field with data-select is selected, so that typing replaces a refused value.
/** @param {Element | null} field */
function selectText(field) {
  if (field instanceof HTMLInputElement && "select" in field.dataset) field.select();
}

document.addEventListener("focusin", ({ target }) => selectText(/** @type {Element} */ (target)));
selectText(document.activeElement);
