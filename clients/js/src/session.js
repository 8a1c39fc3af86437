/** What one client may read from caches, as FreshnessSession in Java. */

import { CLOCK_ERROR_MILLIS, ForgottenKeys, keyHash, RecentKeys } from './filter.js';

/** What one read promises; the names of Java's {@code Consistency}. */
export const Consistency = Object.freeze({
  DELTA: 'DELTA',
  MONOTONIC_READS: 'MONOTONIC_READS',
  READ_YOUR_WRITES: 'READ_YOUR_WRITES',
  SESSION: 'SESSION',
  CAUSAL: 'CAUSAL',
  STRONG: 'STRONG',
});

const isMonotonic = (level) => level !== Consistency.DELTA && level !== Consistency.READ_YOUR_WRITES;
const seesOwnWrites = (level) => level !== Consistency.DELTA && level !== Consistency.MONOTONIC_READS;

/** How to request a key. */
export const Way = Object.freeze({
  CACHED: 'CACHED',
  PROVEN: 'PROVEN',
  REVALIDATE: 'REVALIDATE',
  REVALIDATE_AND_REFRESH: 'REVALIDATE_AND_REFRESH',
});

const newer = (one, two) => (one > two ? one : two);

/** A map that drops its oldest entry where it has too many. */
class BoundedMap {
  #most;
  #map = new Map();

  constructor(most) {
    this.#most = most;
  }

  get(key) {
    return this.#map.get(key);
  }

  /** Puts the entry last. Returns the key that was dropped. */
  renew(key, value) {
    this.#map.delete(key);
    return this.put(key, value);
  }

  put(key, value) {
    this.#map.set(key, value);
    if (this.#map.size <= this.#most) {
      return undefined;
    }
    const oldest = this.#map.keys().next().value;
    this.#map.delete(oldest);
    return oldest;
  }

  removeIf(test) {
    for (const [key, value] of this.#map) {
      if (test(value)) {
        this.#map.delete(key);
      }
    }
  }
}

/**
 * Times are milliseconds of one monotonic clock; times of evaluation are epoch milliseconds.
 * Versions are bigint, 0n without one.
 */
export class FreshnessSession {
  #settings;
  #known;
  #revalidatedAt;
  #forgotten;
  #filter = null;
  #recent = RecentKeys.NONE;
  #filterAskedAtMillis = -Infinity;
  #latestMillis = -Infinity;
  #horizonMillis = -Infinity;
  #distrustedUntilMillis = 0;
  #clockErrors = 0;
  #changed = new Map();

  /** @param {{refreshMillis: number, rememberedKeys: number, longestTtlMillis: number}} settings */
  constructor(settings) {
    this.#settings = settings;
    this.#known = new BoundedMap(settings.rememberedKeys);
    this.#revalidatedAt = new BoundedMap(settings.rememberedKeys);
    this.#forgotten = new ForgottenKeys(settings.longestTtlMillis);
  }

  /**
   * Continues a session that has ended. Its times are not known any more, so its writes and what it has read count as of
   * now, which only costs revalidations.
   *
   * @param {object[]} seen what {@link changes} gave, the oldest first
   */
  restore(seen, nowMillis) {
    this.#latestMillis = Math.max(this.#latestMillis, nowMillis);
    for (const { hash, read, written, isOwnWrite, isPartial } of seen) {
      this.#remember(hash, { read, written, writtenMillis: isOwnWrite ? nowMillis : null, isPartial });
      this.#horizonMillis = this.#latestMillis;
    }
    this.#changed.clear();
  }

  /** What the session has seen since it was asked last; the newest of each key. */
  changes() {
    const all = [...this.#changed].map(([hash, { read, written, writtenMillis, isPartial }]) => ({
      hash,
      read,
      written,
      isOwnWrite: writtenMillis !== null,
      isPartial,
    }));
    this.#changed.clear();
    return all;
  }

  /** Replaces the filter. One that was asked for before the current one is passed over. */
  refresh(filter, recent, askedAtMillis) {
    if (askedAtMillis < this.#filterAskedAtMillis) {
      return;
    }
    this.#filter = filter;
    this.#recent = recent;
    this.#filterAskedAtMillis = askedAtMillis;
    this.#revalidatedAt.removeIf((at) => at < askedAtMillis);
  }

  isFresh(nowMillis) {
    return this.#filter !== null && nowMillis - this.#filterAskedAtMillis < this.#settings.refreshMillis;
  }

  /** How to request a copy of a key now; the copy's name is for example its address. */
  decide(key, copy, level, nowMillis) {
    this.#latestMillis = Math.max(this.#latestMillis, nowMillis);
    if (level === Consistency.STRONG) {
      return Way.REVALIDATE;
    }
    if (!this.isFresh(nowMillis)) {
      return Way.REVALIDATE_AND_REFRESH;
    }
    const way = this.#decide(keyHash(key), keyHash(copy), level);
    const hasHorizon = level === Consistency.CAUSAL && this.#horizonMillis > -Infinity;
    return way === Way.CACHED && hasHorizon ? this.#ifProven() : way;
  }

  #decide(hash, copy, level) {
    const seen = this.#seen(hash);
    const revalidated = this.#revalidatedAt.get(copy);
    if (seesOwnWrites(level) && this.#isOwnWrite(seen)) {
      return revalidated !== undefined && revalidated > seen.writtenMillis ? Way.CACHED : Way.REVALIDATE;
    }
    if (level !== Consistency.DELTA && seen.isPartial) {
      return Way.REVALIDATE;
    }
    // Without its version a cache's older copy would pass for the revalidated one.
    if (revalidated !== undefined && this.#known.get(hash) !== undefined) {
      return Way.CACHED;
    }
    return this.#filter.mightContain(hash) ? this.#ifProven() : Way.CACHED;
  }

  #ifProven() {
    return this.#recent.windows.length === 0 ? Way.REVALIDATE : Way.PROVEN;
  }

  /** Records when an answer says that its evaluation began; 0 if it does not. */
  received(evaluatedMillis, nowMillis) {
    this.#latestMillis = Math.max(this.#latestMillis, nowMillis);
    if (this.#recent.windows.length > 0 && evaluatedMillis > this.filterClock(nowMillis) + CLOCK_ERROR_MILLIS) {
      this.#clockErrors++;
      this.#distrustedUntilMillis = nowMillis + this.#settings.longestTtlMillis;
    }
  }

  get clockErrors() {
    return this.#clockErrors;
  }

  /** Whether a copy was evaluated late enough for its level; 0 if that is not known. */
  isProven(key, evaluatedMillis, level, nowMillis) {
    const hash = keyHash(key);
    const isStale = this.#filter === null || this.#filter.mightContain(hash);
    return (
      evaluatedMillis > 0 &&
      (this.#clockErrors === 0 || nowMillis > this.#distrustedUntilMillis) &&
      (!isStale || evaluatedMillis >= this.#recent.provenSinceMillis(hash)) &&
      (level !== Consistency.CAUSAL || evaluatedMillis >= this.#causalSinceMillis())
    );
  }

  #causalSinceMillis() {
    if (this.#horizonMillis === -Infinity) {
      return -Infinity;
    }
    return (this.filterClock(this.#horizonMillis) ?? Infinity) + CLOCK_ERROR_MILLIS;
  }

  /** The time of the filter's clock, or later, epoch milliseconds; undefined without windows. */
  filterClock(millis) {
    const newest = this.#recent.windows[0];
    return newest && newest.sinceMillis + millis - this.#filterAskedAtMillis;
  }

  /** Whether an answer that may come from a cache is usable; false: ask past the caches. */
  judge(key, version, level) {
    const hash = keyHash(key);
    const seen = this.#seen(hash);
    // A stale key's copy that was not proven is fresh if it is the one that was revalidated.
    const mustNotFall = isMonotonic(level) || this.#filter === null || this.#filter.mightContain(hash);
    if (
      (mustNotFall && version < seen.read) ||
      (seesOwnWrites(level) && version < seen.written) ||
      (level !== Consistency.DELTA && seen.isPartial)
    ) {
      return false;
    }
    this.#read(hash, version, seen);
    return true;
  }

  /** Records an answer of the origin, which is fresh until the next filter. */
  revalidated(key, copy, version, askedAtMillis) {
    const hash = keyHash(key);
    const seen = this.#seen(hash);
    if (version >= newer(seen.read, seen.written)) {
      // An answer that was asked for before the write ended may not show it. Without versions
      // nothing tells whether another copy is as new.
      const staysWritten =
        this.#isOwnWrite(seen) && (askedAtMillis <= seen.writtenMillis || (version === 0n && key !== copy));
      this.#read(hash, version, seen, {
        written: seen.isPartial ? version : seen.written,
        writtenMillis: staysWritten ? seen.writtenMillis : null,
        isPartial: false,
      });
    }
    if (askedAtMillis >= this.#filterAskedAtMillis) {
      const name = keyHash(copy);
      this.#revalidatedAt.put(name, Math.max(askedAtMillis, this.#revalidatedAt.get(name) ?? askedAtMillis));
    }
  }

  /** Records a write of the session. Caches may still hold the version before it. */
  wrote(key, version, nowMillis) {
    this.#latestMillis = Math.max(this.#latestMillis, nowMillis);
    const hash = keyHash(key);
    const seen = this.#seen(hash);
    this.#remember(hash, { ...seen, written: newer(version, seen.written), writtenMillis: this.#latestMillis });
  }

  /** Records a version that the session takes. One that is new to it may depend on anything. */
  #read(hash, version, seen, changes = {}) {
    if (version === 0n || version > seen.read) {
      this.#horizonMillis = this.#latestMillis;
    }
    this.#remember(hash, { ...seen, ...changes, read: newer(version, seen.read) });
  }

  /** The version before a write is in no cache any more once the longest time to live is over. */
  #isOwnWrite(seen) {
    return seen.writtenMillis !== null && this.#latestMillis - seen.writtenMillis <= this.#settings.longestTtlMillis;
  }

  /** What is known of a key, which becomes the last to be dropped; partial if newer was forgotten. */
  #seen(hash) {
    const seen = this.#known.get(hash);
    if (seen === undefined) {
      const isPartial = this.#forgotten.mightContain(hash, this.#latestMillis);
      return { read: 0n, written: 0n, writtenMillis: null, isPartial };
    }
    this.#known.renew(hash, seen);
    return seen;
  }

  #remember(hash, known) {
    const before = this.#known.get(hash);
    if (before === undefined || Object.keys(known).some((name) => known[name] !== before[name])) {
      this.#changed.set(hash, known);
    }
    const gone = this.#known.renew(hash, known);
    if (gone !== undefined) {
      this.#forgotten.add(gone, this.#latestMillis);
    }
  }
}
