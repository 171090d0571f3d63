// Two keys of the desk: F2 enters somebody new, Escape empties the field again.

document.addEventListener("keydown", (event) => {
  if (event.key === "F2") {
    const link = document.querySelector("#found .result-name.new");
    if (!link) return;
    link.click();
  } else if (event.key === "Escape" && event.target.matches?.("#q") && event.target.value) {
    event.target.value = "";
    event.target.dispatchEvent(new Event("input", { bubbles: true }));
  } else return;
  event.preventDefault();
});
