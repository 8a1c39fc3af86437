// Cached answers by table: hit rates, times to live, staleness.

import { h, KeyedList, style, text } from "../dom.js";
import * as words from "../words.js";
import { card, table } from "./card.js";

const COLUMNS = [
  { label: "Table" },
  { label: "Hits: client dark, shared light", className: "wide" },
  { label: "Reads", className: "number" },
  { label: "Stale", className: "number" },
  { label: "Time to live: 10, 50, 90 %", className: "number" },
  { label: "Stale keys", className: "number" },
  { label: "Filter full", className: "number" },
  { label: "False alarms", className: "number" },
  { label: "Invalidations", className: "number" },
];

/** A filter with a higher rate of false positives is too small. */
const TOO_MANY_FALSE = 0.1;
const LISTED = 5;

export function cachingCard() {
  const body = h("tbody");
  const rows = new KeyedList(body, (t) => t.table, createRow);
  const hottest = h("ol", { class: "hottest" });
  const keys = new KeyedList(hottest, (k) => `${k.table}\u0000${k.key}`, createKey);
  const truth = truthSection();
  const own = card("Caching", "caching", table("Cached tables", COLUMNS, body),
    h("h3", {}, "Invalidated most often"), hottest,
    truth.node,
    h("p", { class: "note" }, "The filter holds the keys that some cache may serve stale; clients ask the origin for those. False alarms: share of fresh keys that it holds by chance. Figures of the last window, ten seconds."));
  return {
    node: own.node,
    update({ service }) {
      const tables = service.caching ?? [];
      const truths = service.cacheTruth ?? [];
      truth.update(truths);
      own.lack(tables.length === 0 && truths.length === 0 ? "No cached answers are reported. Origins report them with CachingReports of the SDK; then start the job: ./kipimo run ttl" : null);
      if (tables.length === 0 && truths.length === 0) return;
      own.say([lost(truths), tables.length === 0 ? null : sentence(tables)].filter((s) => s !== null).join(" "));
      rows.update(tables);
      keys.update(tables.flatMap((t) => t.mostInvalidated.map((k) => ({ ...k, table: t.table })))
        .sort((a, b) => b.invalidations - a.invalidations || (a.key < b.key ? -1 : 1)).slice(0, LISTED));
    },
  };
}

function sentence(tables) {
  const full = tables.filter((t) => (t.filter?.falsePositiveRate ?? 0) > TOO_MANY_FALSE);
  if (full.length > 0) {
    return `The filter of ${words.list(full.map((t) => t.table))} is too full: it takes ${words.share(full[0].filter.falsePositiveRate)} of the fresh keys for stale ones. Make it larger, or times to live shorter.`;
  }
  const told = tables.filter((t) => t.use !== null && t.use.readsPerSecond > 0);
  if (told.length === 0) return "No client reports its reads, so hit rates are unknown.";
  const reads = sum(told, (t) => t.use.readsPerSecond);
  const hits = sum(told, (t) => t.use.readsPerSecond * (t.use.clientHitShare + t.use.sharedHitShare));
  const stale = sum(told, (t) => t.use.readsPerSecond * t.use.staleShare);
  return `Caches answer ${words.share(hits / reads)} of the reads; ${words.share(stale / reads)} were found stale.`;
}

const sum = (all, of) => all.reduce((total, one) => total + of(one), 0);

function createRow({ table: name }) {
  const c = Object.fromEntries(COLUMNS.slice(2).map(({ label, className }) => [label, h("td", { "data-label": label, class: className })]));
  const client = h("span", { class: "fill" });
  const shared = h("span", { class: "fill shared" });
  const figure = h("span", {});
  return {
    node: h("tr", {}, h("th", { scope: "row" }, name),
      h("td", { "data-label": COLUMNS[1].label, class: "wide" }, h("span", { class: "hits" }, figure, h("span", { class: "meter", "aria-hidden": "true" }, client, shared))), ...Object.values(c)),
    update({ use, ttlMillis, filter, invalidationsPerSecond }) {
      text(figure, use === null ? "not reported" : `${words.share(use.clientHitShare)} + ${words.share(use.sharedHitShare)}`);
      style(client, "width", `${100 * (use?.clientHitShare ?? 0)}%`);
      style(shared, "width", `${100 * (use?.sharedHitShare ?? 0)}%`);
      text(c.Reads, words.rate(use?.readsPerSecond));
      text(c.Stale, words.share(use?.staleShare));
      text(c["Time to live: 10, 50, 90 %"], ttlMillis === null ? "–" : [ttlMillis.p10, ttlMillis.p50, ttlMillis.p90].map(words.millis).join(", "));
      text(c["Stale keys"], filter === null ? "–" : `${words.count(filter.staleKeys)} of ${words.count(filter.trackedKeys)}`);
      text(c["Filter full"], words.share(filter?.fill));
      text(c["False alarms"], words.share(filter?.falsePositiveRate));
      text(c.Invalidations, words.rate(invalidationsPerSecond));
    },
  };
}

function createKey({ key, table: name }) {
  const times = h("span", { class: "side" });
  return {
    node: h("li", {}, h("code", {}, `${name}/${key}`), " ", times),
    update({ invalidations }) {
      text(times, words.plural(invalidations, "time"));
    },
  };
}

const LINKS = { CLIENT: "caching client", SHARED_CACHE: "shared cache", PURGE: "purge", FILTER: "filter" };
const TRUTH_COLUMNS = [{ label: "Table" }, { label: "Link" }, { label: "Fresh within", className: "number" }, { label: "Reads", className: "number" }, { label: "Result", className: "wide" }];

/** Reads of the last hour that a prober has compared with the origin. */
function truthSection() {
  const body = h("tbody");
  const rows = new KeyedList(body, (l) => `${l.prober}\u0000${l.table}\u0000${l.link}\u0000${l.withinMillis}`, createLink);
  const node = h("div", { class: "truth" }, h("h3", {}, "Cache truth"), table("Sampled reads by link", TRUTH_COLUMNS, body));
  return {
    node,
    update(truths) {
      node.hidden = truths.length === 0;
      rows.update(truths.flatMap((t) => t.links.map((l) => ({ ...l, table: t.table, prober: t.prober }))));
    },
  };
}

function lost(truths) {
  const named = truths.filter((t) => t.lostBy !== null);
  if (named.length === 0) return null;
  return `Changes are lost: ${words.list(named.map((t) => `${t.table} by the ${LINKS[t.lostBy]}`))}.`;
}

function createLink({ table: name, link, withinMillis }) {
  const reads = h("td", { "data-label": "Reads", class: "number" });
  const result = h("td", { "data-label": "Result", class: "wide" });
  return {
    node: h("tr", {}, h("th", { scope: "row" }, name), h("td", { "data-label": "Link" }, LINKS[link]), h("td", { "data-label": "Fresh within", class: "number" }, words.millis(withinMillis)), reads, result),
    update({ fresh, stale, unknown, nines, verdict }) {
      text(reads, words.count(fresh + stale));
      text(result, verdict === "UNKNOWN" ? `unknown${unknown > 0 ? `: ${words.plural(unknown, "read")} without proof` : ""}`
        : `${stale === 0 ? "none stale" : `${words.count(stale)} stale`}, ${nines === 0 ? "less than one nine" : words.plural(nines, "nine")} shown`);
    },
  };
}
