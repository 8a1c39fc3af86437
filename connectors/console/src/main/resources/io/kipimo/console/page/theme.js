// Not a module: it runs before the first paint, so that a chosen theme does not flash.
(() => {
  const NEXT = { system: "light", light: "dark", dark: "system" };
  const WORDS = { system: "as in the system", light: "light", dark: "dark" };
  const SIGNS = { system: "◐", light: "○", dark: "●" };
  const root = document.documentElement;

  const stored = () => {
    try {
      return localStorage.getItem("kipimo-theme");
    } catch {
      return null; // storage is switched off: the choice lasts as long as the page
    }
  };
  let theme = stored() in NEXT ? stored() : "system";

  const show = () => {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const button = document.getElementById("theme");
    if (!button) return;
    button.textContent = SIGNS[theme];
    button.setAttribute("aria-label", `Colours: ${WORDS[theme]}`);
    button.title = `Colours: ${WORDS[theme]}`;
  };

  show();
  addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme").addEventListener("click", () => {
      theme = NEXT[theme];
      try {
        localStorage.setItem("kipimo-theme", theme);
      } catch {
        // see above
      }
      show();
    });
  });
})();
