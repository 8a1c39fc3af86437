// Components: lost quality, latencies, and estimated effects of changes.

import { h, KeyedList, style, text, attribute } from "../dom.js";
import * as words from "../words.js";
import { card, table } from "./card.js";
import { qualityInForce } from "./advice.js";

const COLUMNS = [
  { label: "Component" },
  { label: "Lost quality", className: "wide" },
  { label: "Time-outs", className: "number" },
  { label: "Not asked", className: "number not-asked" },
  { label: "p50", className: "number" },
  { label: "p95", className: "number" },
  { label: "p99", className: "number" },
  { label: "If 25 % faster", className: "number" },
  { label: "If replicated", className: "number" },
  { label: "If dropped", className: "number" },
];

export function componentsCard() {
  const body = h("tbody");
  const rows = new KeyedList(body, (c) => c.name, createRow);
  const own = card("Components", "components",
    table("Components by the quality that their lateness costs", COLUMNS, body),
    h("p", { class: "note" }, "Lost quality: share of the window's total loss (Shapley value of being late). The last three columns: estimated change of the mean quality."));
  return {
    node: own.node,
    update({ cls }) {
      const components = cls.components ?? [];
      own.lack(components.length === 0 ? "No component was seen yet in a window of this class. Front ends name the components with every answer; do they emit?" : null);
      if (components.length === 0) return;
      const total = components.reduce((sum, c) => sum + (c.lostQuality ?? 0), 0);
      const economics = new Map((cls.deadline?.components ?? []).map((e) => [e.component, e]));
      const base = qualityInForce(cls.deadline);
      const sorted = [...components].sort((a, b) => b.lostQuality - a.lostQuality || (a.name < b.name ? -1 : 1));
      own.say(total > 0 ? `${blame(sorted, total)} All of them together cost ${words.quality(total)} a query.` : "No quality was lost to lateness in the window.");
      attribute(own.node, "data-all-asked", components.every((c) => !(c.notAsked > 0)) ? "" : null);
      rows.update(sorted.map((c) => ({ ...c, part: total > 0 ? (c.lostQuality ?? 0) / total : 0, economics: economics.get(c.name) ?? null, base })));
    },
  };
}

/** The few that make up most of it, in words. */
function blame(sorted, total) {
  const first = sorted[0];
  const share = first.lostQuality / total;
  if (share >= 0.5) return `${first.name} causes ${words.share(share)} of the lost quality.`;
  let sum = 0;
  const most = [];
  for (const c of sorted) {
    most.push(c.name);
    sum += c.lostQuality;
    if (sum / total >= 0.5) break;
  }
  if (most.length > 3) return `No component stands out: it takes ${most.length} of ${sorted.length} to make up half of the lost quality.`;
  return `${words.list(most)} cause ${words.share(sum / total)} of the lost quality.`;
}

function createRow(component) {
  const cell = (label, className) => h("td", { "data-label": label, class: className });
  const fill = h("span", { class: "fill" });
  const part = h("span", { class: "main" });
  const c = Object.fromEntries(COLUMNS.slice(2).map(({ label, className }) => [label, cell(label, className)]));
  const node = h("tr", {}, h("th", { scope: "row" }, component.name),
    h("td", { "data-label": "Lost quality", class: "wide" }, h("span", { class: "blame" }, h("span", { class: "meter", "aria-hidden": "true" }, fill), part)),
    ...Object.values(c));
  return {
    node,
    update({ part: share, timeOutShare, invoked, notAsked, latencyMillis, economics, base }) {
      style(fill, "width", `${share * 100}%`);
      text(part, words.share(share));
      attribute(node, "data-most", share >= 0.25 ? "" : null);
      text(c["Time-outs"], words.share(timeOutShare));
      text(c["Not asked"], notAsked > 0 ? words.share(notAsked / (invoked + notAsked)) : "");
      for (const p of ["p50", "p95", "p99"]) text(c[p], words.latency(latencyMillis?.[p]));
      const change = (figure) => (economics === null || base === null ? null : figure - base);
      const put = (label, figure) => {
        const d = change(figure);
        text(c[label], words.gain(d));
        attribute(c[label], "data-gain", d === null || Math.abs(d) < 0.0005 ? null : d > 0 ? "up" : "down");
      };
      put("If 25 % faster", economics?.qualityIfFaster);
      put("If replicated", economics?.qualityIfReplicated);
      put("If dropped", economics?.qualityIfDropped);
    },
  };
}
