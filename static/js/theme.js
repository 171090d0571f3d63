// Sets the chosen colours before the page is painted; a blocking script on purpose.
(() => {
  try {
    const theme = localStorage.getItem("theme");
    if ((theme === "light" || theme === "dark") && !document.documentElement.dataset.theme) {
      document.documentElement.dataset.theme = theme;
    }
  } catch {
    // Without storage the device's preference applies.
  }
})();
