// Keeps the keyboard where it was when htmx replaces a part of the page.
//
// htmx finds an element again by its id. Beyond that: the field of the same name, then
// what carries data-focus, then the replaced part itself, so that nobody starts over at the top.

let lost = null;

document.addEventListener("htmx:beforeSwap", (event) => {
  const active = document.activeElement;
  const { target } = event.detail;
  lost =
    target?.contains(active) && active !== document.body
      ? { id: active.id, name: active.name, part: target.id }
      : null;
});

function find(part, { id, name }) {
  return (
    (id && document.getElementById(id)) ||
    part?.querySelector("[data-focus], [aria-invalid='true']") ||
    (name && part?.querySelector(`[name="${CSS.escape(name)}"]:not([type="hidden"])`))
  );
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
