// Keys of the page; they are off while a field has the focus or a dialog is open.

/** @param actions key -> function; it returns false if the browser shall handle the key, too. */
export function listenToKeys(actions) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (target instanceof Element && target.closest("input, select, textarea, dialog[open]")) {
      if (event.key !== "Escape" || target.closest("dialog[open]")) return;
      target.blur();
    }
    const action = actions[event.key];
    if (action === undefined || document.querySelector("dialog[open]")) return;
    if (action() !== false) event.preventDefault();
  });
}
