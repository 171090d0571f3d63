// Shows a wall in pages: one section after the other, with as many list entries as fit.
//
// <div id="wall" data-seconds="12"><section data-wall-page><ul data-pages> <li data-name="7"> …
// A [data-which] in a section says which entries are shown: „Tische {first} bis {last}“.

/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;
/** @type {{ section: HTMLElement, entries: HTMLElement[] }[]} */
let pages = [];
let shown = 0;

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
 * Splits the entries into groups that fit, with one entry at least.
 *
 * @type {(entries: HTMLElement[], area: Element) => HTMLElement[][]}
 */
function cut(entries, area) {
  const chunks = [];
  let rest = entries;
  while (rest.length > 0) {
    for (const entry of entries) entry.hidden = !rest.includes(entry);
    const over = rest.findIndex((entry) => !isWhole(area, entry));
    const size = over < 0 ? rest.length : Math.max(1, over);
    chunks.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return chunks;
}

/** @type {(all: HTMLElement[], visible: HTMLElement) => void} */
const showOnly = (all, visible) => {
  for (const section of all) section.hidden = section !== visible;
};

/** @type {(section: HTMLElement) => HTMLElement[]} */
const entriesOf = (section) => Array.from(section.querySelectorAll("[data-pages] > *"));

/** @type {(wall: HTMLElement) => HTMLElement[]} */
const sectionsOf = (wall) => Array.from(wall.querySelectorAll("[data-wall-page]"));

/** @type {(wall: HTMLElement, number: number) => void} */
function show(wall, number) {
  shown = number % pages.length;
  const { section, entries } = pages[shown];
  showOnly(sectionsOf(wall), section);
  for (const entry of entriesOf(section)) entry.hidden = !entries.includes(entry);
  say(section, entries);
}

/** @type {(section: HTMLElement, entries: HTMLElement[]) => void} */
function say(section, entries) {
  const label = /** @type {HTMLElement | null} */ (section.querySelector("[data-which]"));
  if (!label) return;
  const names = entries.map((entry) => entry.dataset.name ?? "");
  const [first, last] = [names[0], names[names.length - 1]];
  const text = first === last ? label.dataset.whichOne : label.dataset.which;
  label.textContent = (text ?? "").replace("{first}", first).replace("{last}", last);
}

function start() {
  clearInterval(timer);
  document.body.classList.remove("screen-long");
  const wall = document.getElementById("wall");
  if (!wall) return;
  const sections = sectionsOf(wall);
  pages = sections.flatMap((section) => {
    showOnly(sections, section);
    const entries = entriesOf(section);
    if (entries.length === 0) return [{ section, entries }];
    say(section, entries); // because its text also needs space
    return cut(entries, section).map((some) => ({ section, entries: some }));
  });
  if (pages.length === 0) return;
  show(wall, Math.min(shown, pages.length - 1));
  const seconds = Number(wall.dataset.seconds);
  if (pages.length > 1) timer = setInterval(() => show(wall, shown + 1), seconds * 1000);
}

start();
document.fonts.addEventListener("loadingdone", start); // another font changes the lines
addEventListener("resize", start);
document.addEventListener("htmx:afterSettle", start);
