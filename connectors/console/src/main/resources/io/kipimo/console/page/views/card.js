// A section of the service screen: a heading, a sentence, and figures or a note on missing data.

import { h, shown, text } from "../dom.js";

let ids = 0;

/** {node, say(sentence), lack(sentence | null)}: with a note on missing data, the rest is hidden. */
export function card(title, className, ...children) {
  const id = `card-${++ids}`;
  const answer = h("p", { class: "answer", hidden: true });
  const missing = h("p", { class: "empty", hidden: true });
  const body = h("div", { class: "card-body" }, ...children);
  return {
    node: h("section", { class: `card ${className}`, "aria-labelledby": id }, h("h2", { id }, title), answer, missing, body),
    say(sentence) {
      shown(answer, Boolean(sentence));
      text(answer, sentence);
    },
    lack(sentence) {
      shown(missing, sentence !== null);
      text(missing, sentence);
      shown(body, sentence === null);
      if (sentence !== null) shown(answer, false);
    },
  };
}

/** A list of figures with their names: {node, update({name: [figure, side]})}; the names are given once. */
export function figures(className, names) {
  const parts = Object.entries(names).map(([key, label]) => {
    const main = h("span", { class: "main" });
    const side = h("span", { class: "side" });
    return { key, main, side, node: h("div", { class: "figure" }, h("dt", {}, label), h("dd", {}, main, " ", side)) };
  });
  return {
    node: h("dl", { class: className }, ...parts.map((p) => p.node)),
    update(values) {
      for (const part of parts) {
        const [main, side] = values[part.key] ?? ["–", ""];
        text(part.main, main);
        text(part.side, side);
        if (values[part.key]?.[2]) part.node.dataset.alarm = "";
        else delete part.node.dataset.alarm;
      }
    },
  };
}

/** A table whose cells have their column's name, so that narrow screens can show them as lines. */
export function table(caption, columns, body) {
  return h("div", { class: "reflow" }, h("table", {},
    h("caption", { class: "sr-only" }, caption),
    h("thead", {}, h("tr", {}, ...columns.map(({ label, className }) => h("th", { scope: "col", class: className }, label)))), body));
}
