// Countdowns, the hall's clock and „vor 2 min“, kept true while a page stays open.
//
// <time data-countdown datetime="…" data-now="…">bis 16:30 Uhr</time>
// <time data-ago datetime="…">vor 2 min</time>
// <time data-clock data-now="…">13:45</time>
//
// data-now is the server's time when the page was made: devices in a hall are often wrong
// by minutes. A page that is kept for later (offline) leaves it out.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SOON = 10 * MINUTE;

const texts = document.getElementById("texts").dataset;
const pad = (number) => String(number).padStart(2, "0");
let offset = 0;

function learnOffset() {
  for (const element of document.querySelectorAll("[data-now]")) {
    offset = Date.parse(element.dataset.now) - Date.now();
    element.removeAttribute("data-now");
  }
}

const now = () => Date.now() + offset;

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function showCountdown(element) {
  const left = Date.parse(element.dateTime) - now();
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const text =
    hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
  element.classList.toggle("is-soon", left > 0 && left <= SOON);
  element.classList.toggle("is-over", left <= 0);
  write(element, left > 0 ? text : texts.over);
}

function showAgo(element) {
  const passed = now() - Date.parse(element.dateTime);
  if (passed < MINUTE) write(element, texts.justNow);
  else if (passed < HOUR) write(element, texts.minutes.replace("{n}", Math.floor(passed / MINUTE)));
  else if (passed < DAY) write(element, texts.hours.replace("{n}", Math.floor(passed / HOUR)));
}

function showClock(element) {
  const time = new Date(now());
  write(element, `${time.getHours()}:${pad(time.getMinutes())}`);
}

function tick() {
  document.querySelectorAll("time[data-countdown]").forEach(showCountdown);
  document.querySelectorAll("time[data-ago]").forEach(showAgo);
  document.querySelectorAll("time[data-clock]").forEach(showClock);
}

function start() {
  learnOffset();
  tick();
}

start();
document.addEventListener("htmx:afterSettle", start);
setInterval(tick, 1000);
