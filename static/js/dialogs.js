// Dialogs, and the question before something that is hard to take back.
//
// <a class="button" href="#pause" data-dialog>…</a>  opens <dialog id="pause" class="dialog">;
//   without a script the link shows the same dialog as a box in the page (:target).
// <a href="#" data-dialog-close>…</a>                closes it.
// <form data-confirm="Frage?" data-confirm-detail="…" data-confirm-yes="Ausschließen">
// The server closes open dialogs by the answer's header  HX-Trigger: dialog-close

const question = document.getElementById("confirm-dialog");

document.addEventListener("click", (event) => {
  const opener = event.target.closest("a[data-dialog]");
  const closer = event.target.closest("[data-dialog-close]");
  if (opener) {
    const dialog = document.getElementById(opener.hash.slice(1));
    if (!dialog) return;
    event.preventDefault();
    dialog.showModal();
  } else if (closer) {
    const dialog = closer.closest("dialog[open]");
    if (!dialog) return;
    event.preventDefault();
    dialog.close();
  }
});

document.addEventListener("dialog-close", () => {
  document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
});

function ask({ confirm, confirmDetail = "", confirmYes = "" }, dangerous) {
  const yes = question.querySelector("[data-confirm-yes]");
  const detail = question.querySelector("[data-confirm-detail]");
  question.querySelector("h2").textContent = confirm;
  detail.textContent = confirmDetail;
  detail.hidden = !confirmDetail;
  yes.dataset.default ??= yes.textContent;
  yes.textContent = confirmYes || yes.dataset.default;
  yes.classList.toggle("danger", dangerous);
  question.returnValue = "no";
  question.showModal();
  return new Promise((resolve) => {
    question.addEventListener("close", () => resolve(question.returnValue === "yes"), {
      once: true,
    });
  });
}

// Before htmx and the browser see it, so that one question serves both.
const agreed = new WeakSet();
document.addEventListener(
  "submit",
  async (event) => {
    const form = event.target;
    const source = event.submitter?.dataset.confirm ? event.submitter : form;
    if (!source.dataset.confirm || agreed.delete(form)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const { submitter } = event;
    if (await ask(source.dataset, Boolean(submitter?.classList.contains("danger")))) {
      agreed.add(form);
      form.requestSubmit(submitter);
    }
  },
  true,
);
