// The page's model: the newest summary as entries, one for each service and class.

import { parseRange } from "./range.js";
import { statusOf } from "./words.js";

/** The hash route of a class, which is also its key; names may hold any character. */
export const route = (service, queryClass) => `#/${encodeURIComponent(service)}/${encodeURIComponent(queryClass)}`;

/** Parses a route; null if it is none. */
export function parseRoute(hash) {
  const match = /^#\/([^/?]+)(?:\/([^/?]+))?(?:\?(.*))?$/.exec(hash);
  if (!match) return null;
  try {
    return { service: decodeURIComponent(match[1]), queryClass: match[2] === undefined ? null : decodeURIComponent(match[2]), range: parseRange(match[3]) };
  } catch {
    return null; // malformed percent-encoding in an edited address
  }
}

/** Summaries come every few seconds, also without news. */
const OLD_MILLIS = 30_000;

/**
 * One row of the first screen.
 *
 * @typedef {{key: string, service: object, cls: object}} Entry
 */

export class Model {
  health = null;
  writable = false;
  /** @type {Map<string, Entry>} */
  entries = new Map();
  /** All of the newest summary; some have no classes. */
  services = [];
  /** Whether a summary has arrived. */
  known = false;
  #takenAtMillis = 0;
  /** Increases when entries appear, disappear or change status: then rows may have to move. */
  shape = 0;

  /** Takes a summary and returns what changed status: [{entry, before}]. */
  apply(summary) {
    const changes = [];
    const next = new Map();
    for (const service of summary.services) {
      for (const cls of service.classes) {
        const key = route(service.name, cls.name);
        const before = this.entries.get(key);
        const entry = { key, service, cls };
        next.set(key, entry);
        if (!before) this.shape++;
        else if (before.cls.status !== cls.status) {
          this.shape++;
          changes.push({ entry, before: before.cls.status });
        }
      }
    }
    if (next.size !== this.entries.size || [...this.entries.keys()].some((key) => !next.has(key))) this.shape++;
    this.entries = next;
    this.services = summary.services;
    this.health = summary.health;
    this.writable = summary.writable;
    this.known = true;
    this.#takenAtMillis = performance.now();
    return changes;
  }

  /** Whether the console has been silent for so long that nothing here is known any more. */
  get isOld() {
    return this.known && performance.now() - this.#takenAtMillis > OLD_MILLIS;
  }

  count(status) {
    let n = 0;
    for (const { cls } of this.entries.values()) if (statusOf(cls.status) === statusOf(status)) n++;
    return n;
  }
}

/** With a smaller measurable share, the quality of the measurable answers means little. */
export const LEAST_MEASURABLE = 0.5;

/** How far the mean is above its objective; negative is bad, null unknown. */
export const margin = (cls) => (cls.now?.mean == null || cls.objective == null ? null : cls.now.mean - cls.objective);

/** Whether the objective is missed; a class can also be wrong for expired queries, missing decisions or a burning budget. */
export const isBelow = (cls) => cls.status === "wrong" && cls.now?.high != null && cls.now.high < cls.objective;

/** The state of a service that people must know before they read its figures. */
export function steering(service) {
  if (service.policy?.problem) return "unusable policy";
  if (service.policy?.killSwitch) return "kill switch";
  if (service.policy?.shadow) return "shadow";
  if (service.policy?.controller === "NO_CONTROL") return "measures only";
  return null;
}
