// Evaluates a deadline curve. Pure functions.

import * as words from "../words.js";

/** Mean quality at the deadline in force, by the curve; null without a curve. */
export function qualityInForce(deadline) {
  const points = deadline?.points ?? [];
  if (points.length === 0) return null;
  const at = deadline.deadlineMillis;
  const after = points.findIndex((p) => p.deadlineMillis >= at);
  if (after < 0) return points.at(-1).mean;
  if (after === 0 || points[after].deadlineMillis === at) return points[after].mean;
  const [a, b] = [points[after - 1], points[after]];
  return a.mean + ((at - a.deadlineMillis) / (b.deadlineMillis - a.deadlineMillis)) * (b.mean - a.mean);
}

/** The shortest deadline from which {@code figure} of all points is at least the objective; null if none. */
export function shortest(points, objective, figure) {
  let found = null;
  for (let i = points.length - 1; i >= 0 && points[i][figure] >= objective; i--) found = points[i].deadlineMillis;
  return found;
}

/** The curve's advice as a sentence. */
export function deadlineAdvice({ points, deadlineMillis }, objective) {
  const sure = shortest(points, objective, "low");
  const likely = shortest(points, objective, "mean");
  const goal = words.objective(objective);
  const longest = words.millis(points.at(-1).deadlineMillis);
  if (sure === null && likely === null) return `No deadline up to ${longest} keeps ${goal}.`;
  if (sure === null) return `${words.millis(likely)} keeps ${goal} by the mean; by the interval, no deadline up to ${longest} surely does.`;
  const first = `The shortest deadline that surely keeps ${goal} is ${words.millis(sure)}; ${words.millis(deadlineMillis)} is in force.`;
  if (sure < deadlineMillis * 0.98) return `${first} Up to ${words.millis(deadlineMillis - sure)} could be saved.`;
  if (sure > deadlineMillis * 1.02) return `${first} It would take ${words.millis(sure - deadlineMillis)} more.`;
  return first;
}

/** Share of the work below which a choice of components is not worth its trouble. */
const LEAST_SAVING = 0.1;

/** Share of the work that the cheapest choice saves that surely keeps the objective. */
const saving = (floors, objective) => 1 - Math.min(1, ...floors.filter((f) => f.low >= objective).map((f) => f.effort));

/** What asking fewer components would save, as a sentence. */
const FAN_OUT_STATES = {
  ON: "On: queries ask the components that the model chooses",
  SHADOW: "Shadow: all components are asked, the choices are only made",
  OFF: "Off: all components are asked",
};

// What front ends choose components by; empty: the policy does not let them.
export function fanOutState(publication, nowMillis) {
  if (!publication) return "";
  if (publication.validUntilMillis <= nowMillis) return "All components are asked: the published choice has expired.";
  return `${FAN_OUT_STATES[publication.state]} (${publication.reason}).`;
}

export function fanOutAdvice({ calibrated, learned, perfect }, objective) {
  const goal = words.objective(objective);
  const most = saving(perfect, objective);
  if (most < LEAST_SAVING) return `Nothing to gain here: even a perfect choice of components saves only ${words.share(most)} of the work at ${goal}.`;
  const own = saving(learned, objective);
  if (!calibrated) return `A perfect choice of components would save ${words.share(most)} of the work at ${goal}. The learned one is not reliable yet, so it asks all.`;
  if (own < LEAST_SAVING) return `Nothing to gain by the learned choice: it saves only ${words.share(own)} of the work at ${goal}, a perfect one ${words.share(most)}.`;
  return `A learned choice of components for each query would save ${words.share(own)} of the work at ${goal}; a perfect one, ${words.share(most)}.`;
}
