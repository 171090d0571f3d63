// Shows tournaments or a ranking on the website of a club, by two lines that the page
// „Ausschreibung“ of a tournament provides:
//
// <div data-romme="https://turnier.example/api/turniere/"></div>
// <script src="https://turnier.example/api/einbetten.js" async></script>
//
// The website styles the content by its classes, which all begin with „romme-“.

/** @typedef {{ announcement: string, register: string, ranking: string, called_off: string,
 *   nothing: string }} Words */
/** @typedef {{ name: string, starts_at: string, venue: string, url: string, registration_url: string | null,
 *   ranking_url: string, status: string, called_off_reason: string }} Announced */
/** @typedef {{ rank: number, name: string, beside: string, points: number }} Ranked */

(() => {
  const words = /** @type {Window & { rommeWords: Words }} */ (/** @type {unknown} */ (window))
    .rommeWords;
  const MOST_LINES = 10;

  /** @type {(tag: string, css: string, text?: string) => HTMLElement} */
  function made(tag, css, text = "") {
    const element = document.createElement(tag);
    element.className = `romme-${css}`;
    element.textContent = text;
    return element;
  }

  /** @type {(address: string, text: string) => HTMLElement} */
  function link(address, text) {
    const element = /** @type {HTMLAnchorElement} */ (made("a", "link", text));
    element.href = address;
    return element;
  }

  /** @param {Announced} data */
  function tournament(data) {
    const card = made("div", "tournament");
    const day = new Date(data.starts_at).toLocaleString(document.documentElement.lang || "de", {
      dateStyle: "full",
      timeStyle: "short",
    });
    card.append(
      made("h3", "name", data.name),
      made("p", "when", [day, data.venue].filter(Boolean).join(", ")),
    );
    if (data.status === "called_off") {
      card.append(made("p", "called-off", `${words.called_off}: ${data.called_off_reason}`));
    }
    const links = made("p", "links");
    links.append(link(data.url, words.announcement));
    if (data.registration_url) links.append(" · ", link(data.registration_url, words.register));
    if (["running", "closed"].includes(data.status))
      links.append(" · ", link(data.ranking_url, words.ranking));
    card.append(links);
    return card;
  }

  /** @type {(stand: string, lines: Ranked[]) => HTMLElement} */
  function ranking(stand, lines) {
    const table = made("table", "ranking");
    table.append(made("caption", "stand", stand));
    for (const line of lines.slice(0, MOST_LINES)) {
      const row = made("tr", "line");
      for (const text of [`${line.rank}.`, line.name, line.beside, String(line.points)]) {
        row.append(made("td", "cell", text));
      }
      table.append(row);
    }
    return table;
  }

  /** @param {HTMLElement} place */
  async function show(place) {
    const answer = await fetch(place.dataset.romme ?? "");
    if (!answer.ok) return;
    const said = await answer.json();
    const shown = said.lines
      ? [ranking(`${said.label} · ${said.stand}`, said.lines)]
      : said.current.map(tournament);
    place.replaceChildren(...(shown.length ? shown : [made("p", "nothing", words.nothing)]));
  }

  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll("[data-romme]");
  for (const place of places) show(place);
})();
