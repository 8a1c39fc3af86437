// Variants of the class, such as a canary and the stable release, side by side.

import { attribute, h, KeyedList, shown, text } from "../dom.js";
import * as words from "../words.js";
import { card, table } from "./card.js";

const COLUMNS = [
  { label: "Variant" },
  { label: "Quality", className: "number" },
  { label: "95 % interval", className: "number" },
  { label: "Answers", className: "number" },
  { label: "Time-outs", className: "number" },
  { label: "Samples", className: "number" },
];

export function variantsCard() {
  const body = h("tbody");
  const rows = new KeyedList(body, (v) => v.name, createRow);
  const own = card("Variants", "variants", table("Variants of this class by their quality", COLUMNS, body),
    h("p", { class: "note" }, "Of the newest window. Whether a release may go on: ./kipimo gate --variant NEW --against OLD"));
  return {
    node: own.node,
    update({ cls }) {
      const variants = cls.variants ?? [];
      // Most services have none.
      shown(own.node, variants.length > 0);
      if (variants.length === 0) return;
      const known = variants.filter((v) => v.mean != null).sort((a, b) => a.mean - b.mean);
      own.say(compared(known, variants.length));
      rows.update(variants.map((v) => ({ ...v, isBelow: known.length > 1 && isBelow(v, known[known.length - 1]) })));
    },
  };
}

const isBelow = (variant, best) => variant.high != null && variant.high < best.low;

function compared(known, all) {
  if (all === 1) return known.length === 0 ? "One variant answers, with too few samples for its quality." : "One variant answers; there is none to compare it with.";
  if (known.length < 2) return "Too few samples to compare the variants.";
  const [worst, best] = [known[0], known[known.length - 1]];
  return isBelow(worst, best)
    ? `${worst.name} is clearly below ${best.name}, by ${words.quality(best.mean - worst.mean)}: their intervals do not touch.`
    : "No variant is clearly below another: their intervals touch.";
}

function createRow(variant) {
  const cells = COLUMNS.slice(1).map(({ label, className }) => h("td", { "data-label": label, class: className }));
  const node = h("tr", {}, h("th", { scope: "row" }, variant.name), ...cells);
  return {
    node,
    update({ low, mean, high, answered, timeOutShare, samples, isBelow: below }) {
      const row = [words.quality(mean), mean == null ? "–" : `${words.quality(low)} to ${words.quality(high)}`, words.rate(answered), words.share(timeOutShare), words.count(samples)];
      row.forEach((figure, i) => text(cells[i], figure));
      attribute(cells[0], "data-below", below ? "" : null);
    },
  };
}
