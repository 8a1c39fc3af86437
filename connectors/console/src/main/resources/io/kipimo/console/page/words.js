// Figures and states as texts for people. Pure functions.

const GAP = "\u00a0"; // keeps a figure and its unit on one line

/** A quality, 0..1, always with three digits so that columns align. */
export const quality = (q) => (q == null ? "–" : q.toFixed(3));

/** An objective or another round fraction: 0.9 -> "0.90". */
export const objective = (q) => (q == null ? "–" : Math.abs(q * 100 - Math.round(q * 100)) < 1e-9 ? q.toFixed(2) : q.toFixed(3));

/** Every answer keeps an objective of 0, so it is none. */
export const withObjective = (q) => (q === 0 ? "no objective" : `objective ${objective(q)}`);
export const ofObjective = (q) => (q === 0 ? "no objective" : `of ${objective(q)}`);

/** A difference of qualities with its sign; a true minus. */
export function gain(d) {
  if (d == null) return "–";
  const rounded = d.toFixed(3);
  if (rounded === "0.000" || rounded === "-0.000") return "0.000";
  return d > 0 ? `+${rounded}` : `−${rounded.slice(1)}`;
}

/** A share, 0..1, in percent; only exact 0 and 1 become 0 % and 100 %. */
export function share(f) {
  if (f == null) return "–";
  const p = f * 100;
  if (p === 0 || p === 100) return `${p}${GAP}%`;
  if (p < 0.1) return p > 0 ? `<0.1${GAP}%` : `−${share(-f)}`;
  if (p > 99.9) return p < 100 ? `>99.9${GAP}%` : `${p.toFixed(0)}${GAP}%`;
  return `${p < 10 || p > 99 ? p.toFixed(1) : p.toFixed(0)}${GAP}%`;
}

/** A duration in at most two units. */
export function duration(millis) {
  const m = Math.max(0, millis);
  if (m < 1000) return `${Math.round(m)}${GAP}ms`;
  const seconds = Math.round(m / 1000);
  if (seconds < 90) return `${seconds}${GAP}s`;
  const minutes = Math.round(m / 60_000);
  if (minutes < 90 && minutes !== 60) return `${minutes}${GAP}min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours}${GAP}h` : `${hours}${GAP}h ${minutes % 60}${GAP}min`;
  return `${Math.round(minutes / 1440)}${GAP}days`;
}

/** Milliseconds in a sentence: three digits without trailing zeros. */
export const millis = (m) => (m >= 1000 ? `${Number((m / 1000).toPrecision(3))}${GAP}s` : `${Number(m.toPrecision(3))}${GAP}ms`);

/** A latency in a column: three digits, so that they align. */
export function latency(millis) {
  if (millis == null) return "–";
  if (millis >= 10_000) return `${(millis / 1000).toFixed(1)}${GAP}s`;
  if (millis >= 1000) return `${(millis / 1000).toFixed(2)}${GAP}s`;
  return `${millis >= 100 ? millis.toFixed(0) : millis.toPrecision(3)}${GAP}ms`;
}

export const rate = (perSecond) =>
  perSecond == null ? "–" : `${perSecond >= 10 ? count(perSecond) : perSecond.toFixed(1)}${GAP}/s`;

/** A whole number with thin spaces between thousands. */
export const count = (n) =>
  n == null ? "–" : String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, "\u202f");

export function bytes(n) {
  if (n == null) return "–";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let value = n;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(1)}${GAP}${units[unit]}`;
}

/** Local time of day; with the date if it is not the date of {@code nowMillis}. */
export function clock(millis, nowMillis, withSeconds = false) {
  const then = new Date(millis);
  const two = (n) => String(n).padStart(2, "0");
  const time = `${two(then.getHours())}:${two(then.getMinutes())}${withSeconds ? `:${two(then.getSeconds())}` : ""}`;
  if (nowMillis == null || new Date(nowMillis).toDateString() === then.toDateString()) return time;
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}

export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** "a", "a and b", "a, b and c". */
export const list = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** HELD_INTERVAL_TOO_WIDE -> "held: interval too wide". */
export function constant(name) {
  const lower = String(name ?? "").toLowerCase().replaceAll("_", " ");
  return lower.startsWith("held ") ? `held: ${lower.slice(5)}` : lower;
}

/** Names of statuses in rows and sentences; rank 0 needs attention most. */
export const STATUS = {
  wrong: { rank: 0, word: "wrong", title: "Needs attention", sentence: "needs attention" },
  unknown: { rank: 1, word: "unknown", title: "Not known", sentence: "cannot be judged" },
  uncertain: { rank: 2, word: "uncertain", title: "Uncertain", sentence: "may be above or below its objective" },
  fine: { rank: 3, word: "fine", title: "Fine", sentence: "keeps its objective" },
  idle: { rank: 4, word: "idle", title: "Idle", sentence: "is idle" },
};

export const statusOf = (name) => STATUS[name] ?? STATUS.unknown;

/** Error budget verdicts. */
export const BUDGET = {
  FINE: { word: "lasts", sentence: "The budget lasts." },
  SLOW_BURN: { word: "slow burn", sentence: "If this goes on, the budget is spent before its period ends." },
  FAST_BURN: { word: "fast burn", sentence: "At this speed the budget is spent within hours." },
  EXHAUSTED: { word: "spent", sentence: "Nothing is left of the budget." },
  NOT_ENOUGH: { word: "unknown", sentence: "Too few measurements for a verdict; this is not the same as fine." },
};

const MAY_LAST = { word: "may last", sentence: "By the mean the budget lasts. The interval does not rule out that it is spent before its period ends." };

/** What a budget's verdict means; one that lasts only by the mean is not called one that lasts. */
export const budgetOf = (budget) =>
  budget.verdict === "FINE" && !(budget.long?.high <= 1) ? MAY_LAST : (BUDGET[budget.verdict] ?? BUDGET.NOT_ENOUGH);
