// Puts together what a page that asks again is sent: what has changed since the last answer.
// The answer is made by tournaments/web/cached_answers.py: pieces, either a text or lines from the last one.

/** @type {Map<string, { version: string, text: string }>} the last answer for each part */
const kept = new Map();

document.addEventListener("htmx:configRequest", (event) => {
  const last = kept.get(event.detail.target.id);
  if (last) event.detail.headers["X-Known"] = last.version;
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr } = event.detail;
  const version = xhr.getResponseHeader("X-Version");
  if (!version) return;
  const known = xhr.getResponseHeader("X-Known");
  const last = kept.get(target.id);
  kept.delete(target.id);
  if (known !== null && last?.version !== known) {
    // Another answer came in between: the next one is whole.
    event.detail.shouldSwap = false;
    return;
  }
  let text = event.detail.serverResponse;
  if (known !== null && last) {
    const lines = last.text.split("\n");
    /** @type {([number, number] | string)[]} */
    const pieces = JSON.parse(text);
    text = pieces
      .map((piece) => (typeof piece === "string" ? piece : lines.slice(...piece).join("\n")))
      .join("\n");
    event.detail.serverResponse = text;
  }
  kept.set(target.id, { version, text });
});
