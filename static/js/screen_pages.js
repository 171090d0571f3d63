// Shows a list on the wall page by page: as many entries as fit, then the next ones.
//
// <ul data-pages data-seconds="12"> … <li data-name="7"> …</ul>
// A [data-which] on the page says which are shown: „Tische {first} bis {last}“.

let timer = 0;
let pages = [];
let shown = 0;

const list = () => document.querySelector("[data-pages]");

// A list in columns grows to the right, any other downwards.
function isWhole(area, entry) {
  const [outer, inner] = [area.getBoundingClientRect(), entry.getBoundingClientRect()];
  return inner.bottom <= outer.bottom + 0.5 && inner.right <= outer.right + 0.5;
}

// Takes entries from the front as long as they fit; one at least.
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

function show(number) {
  shown = number % pages.length;
  pages.forEach((page, at) => page.forEach((entry) => (entry.hidden = at !== shown)));
  const page = pages[shown];
  const label = document.querySelector("[data-which]");
  const text = page.length > 1 ? label.dataset.which : label.dataset.whichOne;
  label.textContent = text
    .replace("{first}", page[0].dataset.name)
    .replace("{last}", page.at(-1).dataset.name);
}

function start() {
  clearInterval(timer);
  const area = list();
  if (!area) return;
  document.body.classList.remove("screen-long");
  const entries = [...area.children];
  pages = cut(entries, area.closest(".screen-stack"));
  show(Math.min(shown, pages.length - 1));
  if (pages.length > 1)
    timer = setInterval(() => show(shown + 1), Number(area.dataset.seconds) * 1000);
}

await document.fonts.ready;
start();
addEventListener("resize", start);
document.addEventListener("htmx:afterSettle", start);
