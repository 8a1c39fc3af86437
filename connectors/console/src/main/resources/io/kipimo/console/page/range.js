// The time range of a service's charts, which the page's address holds: ?range=15m, or ?from=…&to=…
// in epoch milliseconds or ISO 8601.

const UNIT_MILLIS = { m: 60_000, h: 3_600_000 };

/** Spans to choose from, by their words in the address; the console keeps about an hour. */
export const SPANS = [["", "all that is kept"], ["5m", "the last 5 minutes"], ["15m", "the last 15 minutes"], ["30m", "the last 30 minutes"]];

function moment(word) {
  if (word === null || word === "") return null;
  const millis = /^\d{1,15}$/.test(word) ? Number(word) : Date.parse(word);
  return Number.isFinite(millis) ? millis : null;
}

/**
 * The range in the query of an address: {span, millis}, {from, to} of which one may be null, or null for
 * everything. What is no range counts as everything.
 */
export function parseRange(query) {
  const wanted = new URLSearchParams(query ?? "");
  const span = /^([1-9]\d{0,3})([mh])$/.exec(wanted.get("range") ?? "");
  if (span) return { span: span[0], millis: Number(span[1]) * UNIT_MILLIS[span[2]] };
  const [from, to] = [moment(wanted.get("from")), moment(wanted.get("to"))];
  if (from === null && to === null) return null;
  return (from ?? -Infinity) < (to ?? Infinity) ? { from, to } : null;
}

/** The query of an address with this range; empty for everything. */
export function rangeQuery(range) {
  if (range === null) return "";
  if (range.span) return `?range=${range.span}`;
  const parts = [["from", range.from], ["to", range.to]].filter(([, millis]) => millis !== null);
  return `?${parts.map(([name, millis]) => `${name}=${new Date(millis).toISOString()}`).join("&")}`;
}

/** First and last moment, epoch milliseconds; spans end now. */
export function bounds(range, now) {
  if (range === null) return [-Infinity, Infinity];
  return range.span ? [now - range.millis, Infinity] : [range.from ?? -Infinity, range.to ?? Infinity];
}

/**
 * The points of a history within the bounds; every array of it has one element a point. Between windows that do not
 * meet stands a point of which only the time is known, so that no line crosses what nobody measured.
 */
export function within({ startMillis: starts, endMillis: ends, ...figures }, [from, to]) {
  const points = [];
  for (let i = 0; i < ends.length; i++) {
    if (ends[i] < from || ends[i] > to) continue;
    const last = points.at(-1)?.endMillis;
    if (starts[i] > last) points.push({ endMillis: (last + starts[i]) / 2 });
    points.push({ endMillis: ends[i], i });
  }
  const all = Object.entries(figures).map(([name, values]) => [name, points.map(({ i }) => values[i] ?? null)]);
  return { endMillis: points.map((p) => p.endMillis), ...Object.fromEntries(all) };
}
