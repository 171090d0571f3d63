// Shows a list on the wall page by page: as many entries as fit, then the next ones.
//
// <ul data-pages data-seconds="12"> … <li data-name="7"> …</ul>
// A [data-which] on the page says which are shown: „Tische {first} bis {last}“.

/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;
/** @type {HTMLElement[][]} */
let pages = [];
let shown = 0;

/** @returns {HTMLElement | null} */
const list = () => document.querySelector("[data-pages]");

/**
 * A list in columns grows to the right, any other downwards.
 *
 * @type {(area: Element, entry: Element) => boolean}
 */
function isWhole(area, entry) {
  const [outer, inner] = [area.getBoundingClientRect(), entry.getBoundingClientRect()];
  return inner.bottom <= outer.bottom + 0.5 && inner.right <= outer.right + 0.5;
}

/**
 * Takes entries from the front as long as they fit; one at least.
 *
 * @type {(entries: HTMLElement[], area: Element) => HTMLElement[][]}
 */
function cut(entries, area) {
  const found = [];
  let rest = entries;
  while (rest.length > 0) {
    for (const entry of entries) entry.hidden = !rest.includes(entry);
    const over = rest.findIndex((entry) => !isWhole(area, entry));
    const size = over < 0 ? rest.length : Math.max(1, over);
    found.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return found;
}

/** @param {number} number */
function show(number) {
  shown = number % pages.length;
  pages.forEach((entries, at) => {
    for (const entry of entries) entry.hidden = at !== shown;
  });
  const names = pages[shown].map((entry) => entry.dataset.name ?? "");
  const label = /** @type {HTMLElement} */ (document.querySelector("[data-which]"));
  const text = names.length > 1 ? label.dataset.which : label.dataset.whichOne;
  const [first, last] = [names[0], names[names.length - 1]];
  label.textContent = (text ?? "").replace("{first}", first).replace("{last}", last);
}

function start() {
  clearInterval(timer);
  const area = list();
  const stack = area?.closest(".screen-stack");
  if (!area || !stack) return;
  document.body.classList.remove("screen-long");
  /** @type {HTMLElement[]} */
  const entries = Array.from(area.querySelectorAll(":scope > *"));
  pages = cut(entries, stack);
  show(Math.min(shown, pages.length - 1));
  const seconds = Number(area.dataset.seconds);
  if (pages.length > 1) timer = setInterval(() => show(shown + 1), seconds * 1000);
}

await document.fonts.ready;
start();
addEventListener("resize", start);
document.addEventListener("htmx:afterSettle", start);
