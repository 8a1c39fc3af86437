// The worst measured queries of the last hour, with the components that lost their quality.

import { attribute, h, KeyedList, shown, text } from "../dom.js";
import * as words from "../words.js";
import { card, table } from "./card.js";

const COLUMNS = [
  { label: "Quality", className: "number" },
  { label: "Query" },
  { label: "Started", className: "number" },
  { label: "Components" },
];

/** Queries that show until all are wanted. */
const FIRST_ROWS = 5;

/** Components of a row; more make it unreadable. */
const MOST_NAMED = 4;

export function queriesCard() {
  const body = h("tbody");
  const rows = new KeyedList(body, (q) => q.query, createRow);
  let newest = [];
  let all = false;
  const more = h("button", { type: "button", class: "more", onclick: () => { all = !all; draw(); } });
  function draw() {
    rows.update(all ? newest : newest.slice(0, FIRST_ROWS));
    shown(more, newest.length > FIRST_ROWS);
    attribute(more, "aria-expanded", String(all));
    text(more, all ? `Show the worst ${FIRST_ROWS}` : `Show all ${newest.length}`);
  }
  const own = card("Worst queries", "queries", table("The measured queries that lost most quality", COLUMNS, body), more,
    h("p", { class: "note" }, "Measured queries of the last hour, or since the console’s start, ordered by the loss that is certain. All of a topic: ./kipimo worst"));
  return {
    node: own.node,
    update({ cls, now }) {
      const queries = cls.worst ?? [];
      own.lack(queries.length === 0 ? "No measured query has lost quality since the console’s start." : null);
      if (queries.length === 0) return;
      const [first] = queries;
      own.say(`${first.query} has lost most: quality ${range(first)}, ${blamed(first)}.`);
      newest = queries.map((q) => ({ ...q, now }));
      draw();
    },
  };
}

const range = (q) => (q.low === q.high ? words.quality(q.low) : `${words.quality(q.low)} to ${words.quality(q.high)}`);

/** "shard-2 timed out after 120 ms, lost 0.250; …". */
function blamed(q) {
  const guilty = q.components.filter((c) => (c.outcome !== "IN_TIME" && c.outcome !== "NOT_ASKED") || c.lostQuality > 0);
  const leftOut = q.notAsked > 0 ? `; ${q.notAsked} not asked, lost ${words.quality(q.deliberateLoss)}` : "";
  if (guilty.length === 0) return `all components in time${leftOut}`;
  const named = guilty.slice(0, MOST_NAMED).map((c) =>
    `${c.component} ${words.constant(c.outcome)}${c.missing ? ", no mature result" : `, ${words.latency(c.latencyMillis)}`}${c.lostQuality > 0 ? `, lost ${words.quality(c.lostQuality)}` : ""}`);
  const others = guilty.length - named.length;
  return named.join("; ") + (others > 0 ? `; and ${words.plural(others, "other")}` : "") + leftOut;
}

function createRow({ query }) {
  const [quality, , started, components] = COLUMNS.map(({ label, className }) => h("td", { "data-label": label, class: className }));
  const link = h("a", { target: "_blank", rel: "noopener noreferrer" }, query);
  const plain = h("span", {}, query);
  const node = h("tr", {}, quality, h("th", { scope: "row" }, link, plain), started, components);
  return {
    node,
    update(q) {
      text(quality, range(q));
      attribute(link, "href", q.trace);
      shown(link, q.trace !== null);
      shown(plain, q.trace === null);
      text(started, words.clock(q.startedAtMillis, q.now, true));
      text(components, blamed(q));
    },
  };
}
