// Whether answers depend on which server of a component was asked.

import { h, KeyedList, shown, text } from "../dom.js";
import * as words from "../words.js";
import { table } from "./card.js";

const COLUMNS = [{ label: "Component, server" }, { label: "Compared", className: "number" }, { label: "Lacked items", className: "number" }, { label: "For a while", className: "number" }];
const LISTED = 5;

/** {node, update(truths)}; hidden without any. */
export function replicasSection() {
  const body = h("tbody");
  const rows = new KeyedList(body, (s) => `${s.component}\u0000${s.reporter}\u0000${s.server}`, createServer);
  const answer = h("p", { class: "side" });
  const examples = h("ol", { class: "hottest" });
  const queries = new KeyedList(examples, (q) => `${q.component}\u0000${q.queryId}\u0000${q.server}`, createQuery);
  const node = h("div", { class: "replicas" }, h("h3", {}, "Does the answer depend on the server?"), answer, table("Compared answers by server", COLUMNS, body), examples);
  return {
    node,
    update(truths) {
      shown(node, truths.length > 0);
      text(answer, truths.map(sentence).join(" "));
      rows.update(truths.flatMap((t) => t.servers.map((s) => ({ ...s, component: t.component, reporter: t.reporter }))));
      queries.update(truths.flatMap((t) => t.queries.map((q) => ({ ...q, component: t.component })))
        .sort((a, b) => Number(a.isLag) - Number(b.isLag) || b.atMillis - a.atMillis).slice(0, LISTED));
    },
  };
}

function sentence({ component, standing, same, ties, lag, different }) {
  const known = same + ties + lag + different;
  if (standing === "UNKNOWN") return `${component}: unknown, nothing was compared lately.`;
  if (standing === "ALIKE") return `${component}: no, in ${words.plural(known, "comparison")}.`;
  if (standing === "LAG") return `${component}: only for a while, in ${words.count(lag)} of ${words.plural(known, "comparison")}.`;
  return `${component}: yes, in ${words.count(different)} of ${words.plural(known, "comparison")}, also when asked again.`;
}

function createServer({ component, server }) {
  const cells = COLUMNS.slice(1).map(({ label, className }) => h("td", { "data-label": label, class: className }));
  return {
    node: h("tr", {}, h("th", { scope: "row" }, `${component}, ${server}`), ...cells),
    update({ compared, different, behind }) {
      [compared, different, behind].forEach((count, i) => text(cells[i], words.count(count)));
    },
  };
}

function createQuery({ queryId }) {
  const what = h("span", { class: "side" });
  return {
    node: h("li", {}, h("code", {}, queryId), " ", what),
    update({ server, other, lacked, items, isLag }) {
      const more = lacked - items.length;
      const lack = lacked === 0 ? `has another order than ${other}` : `lacks ${items.join(", ")}${more > 0 ? ` and ${words.count(more)} more` : ""}`;
      text(what, `${server} ${lack}${isLag ? ", for a while" : ""}`);
    },
  };
}
