// Axes: from figures to pixels, and ticks at round figures.

/** A linear scale of [d0, d1] onto [r0, r1]. */
export function linear(d0, d1, r0, r1) {
  const span = d1 - d0 || 1;
  const scale = (v) => r0 + ((v - d0) / span) * (r1 - r0);
  scale.invert = (p) => d0 + ((p - r0) / (r1 - r0 || 1)) * span;
  scale.domain = [d0, d1];
  return scale;
}

/** About {@code wanted} round figures within [from, to]. */
export function ticks(from, to, wanted) {
  const rough = (to - from) / Math.max(1, wanted);
  if (!(rough > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((candidate) => candidate >= rough * 0.999);
  const found = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) found.push(i * step);
  return found;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEPS = [
  5 * SECOND, 10 * SECOND, 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE,
  15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR,
];

/** Round times of the local day. */
export function timeTicks(from, to, wanted) {
  const rough = (to - from) / Math.max(1, wanted);
  const step = STEPS.find((candidate) => candidate >= rough) ?? Math.ceil(rough / (24 * HOUR)) * 24 * HOUR;
  const zone = new Date(from).getTimezoneOffset() * MINUTE;
  const found = [];
  for (let t = Math.ceil((from - zone) / step) * step + zone; t <= to; t += step) found.push({ at: t, step });
  return found;
}

/** A path through known points, with gaps for unknown ones. */
export function linePath(xs, ys, x, y) {
  let path = "";
  let pen = false;
  for (let i = 0; i < xs.length; i++) {
    if (ys[i] == null) {
      pen = false;
      continue;
    }
    path += `${pen ? "L" : "M"}${px(x(xs[i]))} ${px(y(ys[i]))}`;
    if (!pen && ys[i + 1] == null) path += "h.01"; // the round cap shows a single point
    pen = true;
  }
  return path;
}

/** The same as steps: a value holds until the next. */
export function stepPath(xs, ys, x, y) {
  let path = "";
  let pen = false;
  for (let i = 0; i < xs.length; i++) {
    if (ys[i] == null) {
      pen = false;
      continue;
    }
    path += pen ? `H${px(x(xs[i]))}V${px(y(ys[i]))}` : `M${px(x(xs[i]))} ${px(y(ys[i]))}`;
    pen = true;
  }
  return path;
}

/** The area between two lines, one closed path for each stretch without a gap. */
export function bandPath(xs, lows, highs, x, y) {
  let path = "";
  let start = -1;
  for (let i = 0; i <= xs.length; i++) {
    const known = i < xs.length && lows[i] != null && highs[i] != null;
    if (known && start < 0) start = i;
    if (known || start < 0) continue;
    for (let j = start; j < i; j++) path += `${j === start ? "M" : "L"}${px(x(xs[j]))} ${px(y(highs[j]))}`;
    for (let j = i - 1; j >= start; j--) path += `L${px(x(xs[j]))} ${px(y(lows[j]))}`;
    path += "Z";
    start = -1;
  }
  return path;
}

/** A tenth of a pixel is enough, and keeps paths short. */
export const px = (v) => Math.round(v * 10) / 10;

/** The index of the value nearest to {@code wanted} in an ascending list; -1 if it is empty. */
export function nearest(ascending, wanted) {
  if (ascending.length === 0) return -1;
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low > 0 && wanted - ascending[low - 1] < ascending[low] - wanted ? low - 1 : low;
}
