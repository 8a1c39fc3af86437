// Tiers, components and servers with latencies and utilisation.

import { heat } from "../charts/heat.js";
import { Reading } from "../charts/reading.js";
import { attribute, h, KeyedList, shown, style, text } from "../dom.js";
import * as words from "../words.js";
import { card, table } from "./card.js";
import { replicasSection } from "./replicas.js";

const COLUMNS = [
  { label: "Tier, component" },
  { label: "Servers: p99 by colour, utilisation by height", className: "wide" },
  { label: "Requests", className: "number" },
  { label: "Utilisation", className: "number" },
  { label: "Of capacity", className: "number" },
  { label: "p50", className: "number" },
  { label: "p99", className: "number" },
  { label: "p99.9", className: "number" },
  { label: "Time-outs", className: "number" },
];

/** A server is slow if its p99 exceeds this multiple of its component's median. */
const SLOW = 1.5;
/** Least number of servers for a comparison. */
const FEWEST_SERVERS = 3;

export function serversCard() {
  const body = h("tbody");
  const reading = h("p", { class: "server-line side" });
  let rest = "";
  /** The row with the pointer. */
  let pointed = null;
  const rows = new KeyedList(body, (r) => r.key, (r) => (r.component ? componentRow(r, (line) => read(r.key, line)) : tierRow(r)));
  const read = (key, line) => {
    if (line === null && pointed !== key) return;
    pointed = line === null ? null : key;
    text(reading, line ?? rest);
  };
  const replicas = replicasSection();
  const figures = h("div", {}, table("Tiers and components with their servers", COLUMNS, body), reading,
    h("p", { class: "note" }, "Sketches of servers are merged to components and tiers; percentiles are never averaged. Of capacity: requests over the number that the cores can process (Baseline estimator)."));
  const own = card("Servers", "servers", figures, replicas.node);
  return {
    node: own.node,
    update({ service }) {
      const tails = service.tails ?? null;
      const truths = service.replicaTruth ?? [];
      replicas.update(truths);
      shown(figures, tails !== null);
      own.lack(tails === null && truths.length === 0 ? "No server sends reports. Servers report with ServerReports of the SDK; then start the job: ./kipimo run tails" : null);
      if (tails === null) return;
      const components = tails.tiers.flatMap((tier) => tier.components.map((component) => compared(tier, component)));
      own.say(whoIsSlow(components));
      rest = `Windows of ${words.duration(tails.windowMillis)}, the last to ${words.clock(tails.endMillis, null, true)}. Point at a server, or move with the arrow keys.`;
      if (pointed === null) text(reading, rest);
      rows.update(tails.tiers.flatMap((tier) => [
        { key: tier.name, tier, figures: tier, component: null },
        ...components.filter((c) => c.tier === tier).map((c) => ({ key: `${tier.name}/${c.component.name}`, figures: c.component, ...c })),
      ]));
    },
  };
}

/** Adds to each server its ratio to the component's median. */
function compared(tier, component) {
  const known = component.listed.map((s) => s.p99).filter((p) => p != null).sort((a, b) => a - b);
  const median = known.length === 0 ? null : known[(known.length - 1) >> 1];
  const comparable = known.length >= FEWEST_SERVERS && median > 0;
  return { tier, component, servers: component.listed.map((s) => ({ ...s, ratio: comparable && s.p99 != null ? s.p99 / median : null })) };
}

/** A sentence on slow servers, slowest first. */
function whoIsSlow(components) {
  const all = components.flatMap(({ component, servers }) => servers.map((server) => ({ component, server })));
  const judged = all.filter(({ server }) => server.ratio !== null);
  const slow = judged.filter(({ server }) => server.ratio >= SLOW).sort((a, b) => b.server.ratio - a.server.ratio);
  if (slow.length > 0) {
    const { component, server } = slow[0];
    const others = slow.length - 1;
    return `${server.name} is slow: its p99 of ${words.millis(server.p99)} is ${times(server.ratio)} the median of ${component.name}’s servers${others > 0 ? `; so are ${words.plural(others, "other")}` : ""}.`;
  }
  const busiest = components.map((c) => c.component).filter((c) => c.load != null).sort((a, b) => b.load - a.load)[0];
  const load = busiest ? ` ${busiest.name} has the highest load, ${words.share(busiest.load)} of its capacity.` : "";
  if (judged.length === 0) return `Too few servers in each component for a comparison.${load}`;
  return `No server stands out: every p99 is below ${SLOW} times the median of its component.${load}`;
}

const times = (ratio) => `${ratio.toFixed(1)}\u00a0times`;

function cells() {
  return Object.fromEntries(COLUMNS.slice(2).map(({ label, className }) => [label, h("td", { "data-label": label, class: className })]));
}

function put(c, f) {
  text(c.Requests, words.rate(f.requestsPerSecond));
  text(c.Utilisation, words.share(f.utilisation));
  text(c["Of capacity"], words.share(f.load));
  attribute(c["Of capacity"], "data-full", f.load != null && f.load >= 0.9 ? "" : null);
  text(c.p50, words.latency(f.p50));
  text(c.p99, words.latency(f.p99));
  text(c["p99.9"], words.latency(f.p999));
  text(c["Time-outs"], words.share(f.timedOutShare));
}

function tierRow({ tier }) {
  const c = cells();
  const fill = h("span", { class: "fill" });
  const servers = h("span", {});
  const node = h("tr", { class: "tier" }, h("th", { scope: "row" }, tier.name),
    h("td", { "data-label": COLUMNS[1].label, class: "wide" }, h("span", { class: "tier-servers" }, servers, h("span", { class: "meter", "aria-hidden": "true" }, fill))), ...Object.values(c));
  return {
    node,
    update({ figures }) {
      text(servers, words.plural(figures.servers, "server"));
      style(fill, "width", `${100 * Math.min(1, figures.utilisation ?? 0)}%`);
      put(c, figures);
    },
  };
}

function componentRow({ component }, onLine) {
  const c = cells();
  const map = heat();
  let servers = [];
  const line = (i) => (i < 0 || i >= servers.length ? summary() : sentence(servers[i], component.name));
  const summary = () => `${words.plural(servers.length, "server")} of ${component.name}`;
  const reading = new Reading(`Servers of ${component.name}`, [map], [map.node], line, (i) => onLine(i < 0 ? null : line(i)));
  const more = h("span", { class: "side" });
  const node = h("tr", {}, h("th", { scope: "row" }, component.name),
    h("td", { "data-label": COLUMNS[1].label, class: "wide" }, reading.node, more), ...Object.values(c));
  return {
    node,
    update({ figures, servers: next }) {
      servers = next;
      map.update(servers);
      reading.setPoints([...servers.keys()]);
      text(more, figures.servers > servers.length ? `the slowest ${words.count(servers.length)} of ${words.count(figures.servers)}` : "");
      put(c, figures);
    },
  };
}

function sentence(server, component) {
  const beside = server.ratio === null ? "" : `, ${times(server.ratio)} the median of ${component}`;
  return `${server.name}: p99 ${words.latency(server.p99)}${beside}; ${words.share(server.utilisation)} utilised, ${words.rate(server.requestsPerSecond)}.`;
}
