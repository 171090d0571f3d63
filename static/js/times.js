// Keeps countdowns, clocks and „vor 2 min“ up to date on an open page.
//
// <time data-countdown datetime="…" data-now="…">bis 16:30 Uhr</time>
// <time data-ago datetime="…">vor 2 min</time>
// <time data-clock data-now="…">13:45</time>
//
// data-now is the server's time of the answer, because clocks of devices are often wrong by
// minutes. A page that is cached for offline use has none.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SOON = 10 * MINUTE;
const FAR = 2 * DAY; // from here on in days

const texts = /** @type {PageTexts} */ ({ ...document.getElementById("texts")?.dataset });
/** @param {number} number */
const pad = (number) => String(number).padStart(2, "0");
let offset = 0;

function learnOffset() {
  /** @type {NodeListOf<HTMLElement>} */
  const elements = document.querySelectorAll("[data-now]");
  for (const element of elements) {
    offset = Date.parse(element.dataset.now ?? "") - Date.now();
    element.removeAttribute("data-now");
  }
}

const now = () => Date.now() + offset;

/** @type {(element: Element, text: string) => void} */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLTimeElement} element */
function showCountdown(element) {
  const left = Date.parse(element.dateTime) - now();
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const inTime =
    hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
  const days = String(Math.floor(left / DAY));
  const text = left < FAR ? inTime : texts.days.replace("{n}", days);
  element.classList.toggle("has-hours", hours > 0);
  element.classList.toggle("is-soon", left > 0 && left <= SOON);
  element.classList.toggle("is-over", left <= 0);
  write(element, left > 0 ? text : texts.over);
}

/** @param {HTMLTimeElement} element */
function showAgo(element) {
  const passed = now() - Date.parse(element.dateTime);
  /** @type {(text: string, unit: number) => void} */
  const count = (text, unit) =>
    write(element, text.replace("{n}", String(Math.floor(passed / unit))));
  if (passed < MINUTE) write(element, texts.justNow);
  else if (passed < HOUR) count(texts.minutes, MINUTE);
  else if (passed < DAY) count(texts.hours, HOUR);
}

/** @param {HTMLTimeElement} element */
function showClock(element) {
  const time = new Date(now());
  write(element, `${time.getHours()}:${pad(time.getMinutes())}`);
}

/** @type {(selector: string, show: (element: HTMLTimeElement) => void) => void} */
function each(selector, show) {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const elements = document.querySelectorAll(selector);
  for (const element of elements) show(element);
}

function tick() {
  each("time[data-countdown]", showCountdown);
  each("time[data-ago]", showAgo);
  each("time[data-clock]", showClock);
}

function start() {
  learnOffset();
  tick();
}

start();
document.addEventListener("htmx:afterSettle", start);
setInterval(tick, 1000);
