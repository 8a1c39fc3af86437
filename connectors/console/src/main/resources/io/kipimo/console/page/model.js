// What is known: the newest summary as entries, one a service and class.

import { statusOf } from "./words.js";

/** The hash route of a class, which is also its key; names may hold any character. */
export const route = (service, queryClass) => `#/${encodeURIComponent(service)}/${encodeURIComponent(queryClass)}`;

/** The other way; null if it is no such route. */
export function parseRoute(hash) {
  const match = /^#\/([^/]+)(?:\/([^/]+))?$/.exec(hash);
  if (!match) return null;
  try {
    return { service: decodeURIComponent(match[1]), queryClass: match[2] === undefined ? null : decodeURIComponent(match[2]) };
  } catch {
    return null; // a % that encodes nothing: somebody edited the address
  }
}

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
  /** Whether any summary came. */
  known = false;
  /** Rises when entries come, go or change status: then rows may have to move. */
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
    return changes;
  }

  count(status) {
    let n = 0;
    for (const { cls } of this.entries.values()) if (statusOf(cls.status) === statusOf(status)) n++;
    return n;
  }
}

/** Where a smaller share of the answers is measurable, the quality of the others says little. */
export const LEAST_MEASURABLE = 0.5;

/** How far the mean is above its objective; negative is bad, null unknown. */
export const margin = (cls) => (cls.now?.mean == null || cls.objective == null ? null : cls.now.mean - cls.objective);

/** Wrong has other causes too: what expired, what nobody decides, a budget that burns. */
export const isBelow = (cls) => cls.status === "wrong" && (margin(cls) ?? 0) < 0;

/** Everything that is in force on a service that people should know before they read its figures. */
export function steering(service) {
  if (service.policy?.killSwitch) return "kill switch";
  if (service.policy?.shadow) return "shadow";
  if (service.policy?.controller === "NO_CONTROL") return "measures only";
  return null;
}
