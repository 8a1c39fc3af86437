// The dialog of keys and words.

import { h } from "../dom.js";

const KEYS = [
  ["/", "filter"],
  ["j k ↓ ↑", "move between classes"],
  ["Enter", "open a class"],
  ["Esc", "clear the filter, close, go back"],
  ["o", "override the class that has the focus"],
  ["← →", "in a chart: read it point by point"],
  ["?", "this help"],
];

const WORDS = [
  ["quality", "how like the answer that the user got is to the one that everything invoked would have given: 0 to 1. With its 95 % interval."],
  ["objective", "the mean quality that the policy asks for; the tick across the bar."],
  ["admitted", "the fraction of a class's queries that is let in."],
  ["time-outs", "answers that left without some component's result."],
  ["measurable", "answers of which somebody knows whether they are complete. The others, errors for instance, count as neither good nor bad, and no class with fewer than half is called fine."],
  ["expired", "measured answers whose late results never came: their quality is only known within bounds, and the low end counts."],
  ["budget left", "of the quality that the objective allows to lose in the period."],
  ["lost quality", "the share of it that a component's lateness caused (Shapley value); shares of a query sum to what it lost."],
];

export function helpDialog() {
  const dialog = h("dialog", { class: "sheet", "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keys and words"),
    h("dl", { class: "keys" }, ...KEYS.flatMap(([keys, does]) => [h("dt", {}, ...keys.split(" ").map((k) => h("kbd", {}, k))), h("dd", {}, does)])),
    h("dl", { class: "terms" }, ...WORDS.flatMap(([word, means]) => [h("dt", {}, word), h("dd", {}, means)])),
    h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")));
  document.body.append(dialog);
  return dialog;
}
