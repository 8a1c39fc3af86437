// The help dialog: keys and terms.

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
  ["quality", "similarity of the user's answer to the answer with all results, 0 to 1, with its 95 % interval."],
  ["uncertain", "the interval contains the objective, so the quality may be above or below it. Not the same as fine."],
  ["unknown", "there is no recent evidence, or too little. Figures that are older than their window allows are not shown."],
  ["objective", "the mean quality that the policy demands; the tick across the bar."],
  ["admitted", "the admitted fraction of a class's queries."],
  ["time-outs", "answers without the result of some component."],
  ["measurable", "share of the answers whose quality can be determined. The others, such as errors, count as neither good nor bad. A class with less than half is never fine."],
  ["expired", "measured answers whose late results never arrived. Their quality is known within bounds only; the low end counts."],
  ["budget left", "remaining share of the loss that the objective allows in the period."],
  ["lost quality", "loss that a component's lateness caused (Shapley value). The shares of a query's components add up to its loss."],
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
