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

/** What outlasts a session. */
const KEPT = ['read', 'written', 'writtenMillis', 'isPartial'];

/** Whether an answer that was requested at a time may lack a write of the session. */
const mayLackWrite = (seen, requestedMillis) =>
  seen.key.writtenMillis !== null && (requestedMillis ?? -Infinity) <= seen.key.writtenMillis;

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
      const writtenMillis = isOwnWrite ? nowMillis : null;
      this.#remember(hash, { read, written, writtenMillis, revalidatedMillis: null, isPartial });
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

  /**
   * How to request a copy now.
   *
   * @param {{key: string, address: string, copy: string}} name of what is read: the key is that in the filter, versions
   *     are of the address, and a revalidation is of the copy
   */
  decide(name, level, nowMillis) {
    this.#latestMillis = Math.max(this.#latestMillis, nowMillis);
    if (level === Consistency.STRONG) {
      return Way.REVALIDATE;
    }
    if (!this.isFresh(nowMillis)) {
      return Way.REVALIDATE_AND_REFRESH;
    }
    const way = this.#decide(name, level);
    const hasHorizon = level === Consistency.CAUSAL && this.#horizonMillis > -Infinity;
    return way === Way.CACHED && hasHorizon ? this.#ifProven() : way;
  }

  #decide(name, level) {
    const seen = this.#seenOf(name);
    const revalidated = this.#revalidatedAt.get(keyHash(name.copy));
    if (seesOwnWrites(level) && this.#isOwnWrite(seen)) {
      return revalidated !== undefined && revalidated > seen.key.writtenMillis ? Way.CACHED : Way.REVALIDATE;
    }
    if (level !== Consistency.DELTA && seen.isPartial) {
      return Way.REVALIDATE;
    }
    // Without its version a cache's older copy would pass for the revalidated one.
    if (revalidated !== undefined && this.#known.get(keyHash(name.address)) !== undefined) {
      return Way.CACHED;
    }
    return this.#filter.mightContain(keyHash(name.key)) ? this.#ifProven() : Way.CACHED;
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

  /**
   * Whether a copy that came with a result is as new as the filter says of the result. Who reads the result does not
   * report its records, so the filter may lack a changed record; it has the result then.
   */
  isCurrentIn(resultKey, evaluatedMillis, nowMillis) {
    return (
      this.#filter !== null &&
      (!this.#filter.mightContain(keyHash(resultKey)) ||
        this.isProven(resultKey, evaluatedMillis, Consistency.DELTA, nowMillis))
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
  judge(name, version, level) {
    const seen = this.#seenOf(name);
    // A stale key's copy that was not proven is fresh if it is the one that was revalidated.
    const mustNotFall =
      isMonotonic(level) || this.#filter === null || this.#filter.mightContain(keyHash(name.key));
    if (
      (mustNotFall && version < seen.address.read) ||
      (seesOwnWrites(level) && version < seen.address.written) ||
      (level !== Consistency.DELTA && seen.isPartial)
    ) {
      return false;
    }
    this.#read(name, version, seen.address, { isPartial: seen.isPartial });
    return true;
  }

  /** Records an answer of the origin, which is fresh until the next filter. */
  revalidated(name, version, askedAtMillis) {
    const seen = this.#seenOf(name);
    const before = seen.address;
    if (version >= newer(before.read, before.written)) {
      // Without versions nothing tells whether another copy is as new.
      const isShown = version > 0n || name.copy === name.address;
      const asked = Math.max(askedAtMillis, before.revalidatedMillis ?? askedAtMillis);
      const showsWrite = mayLackWrite(seen, before.revalidatedMillis) && !mayLackWrite(seen, asked);
      this.#read(name, version, before, {
        written: seen.isPartial || showsWrite ? version : before.written,
        revalidatedMillis: isShown ? asked : before.revalidatedMillis,
        isPartial: false,
      });
    }
    if (askedAtMillis >= this.#filterAskedAtMillis) {
      const copy = keyHash(name.copy);
      this.#revalidatedAt.put(copy, Math.max(askedAtMillis, this.#revalidatedAt.get(copy) ?? askedAtMillis));
    }
  }

  /** Records a write of the session. Caches may still hold the version before it. */
  wrote(name, version, nowMillis) {
    this.#latestMillis = Math.max(this.#latestMillis, nowMillis);
    if (version > 0n) {
      const address = keyHash(name.address);
      const seen = this.#seen(address);
      this.#remember(address, { ...seen, written: newer(version, seen.written) });
    }
    const key = keyHash(name.key);
    this.#remember(key, { ...this.#seen(key), writtenMillis: this.#latestMillis });
  }

  /** Records a version that the session takes. One that is new to it may depend on anything. */
  #read(name, version, seen, changes) {
    if (version === 0n || version > seen.read) {
      this.#horizonMillis = this.#latestMillis;
    }
    this.#remember(keyHash(name.address), { ...seen, ...changes, read: newer(version, seen.read) });
  }

  /** The version before a write is in no cache any more once the longest time to live is over. */
  #isOwnWrite(seen) {
    return (
      mayLackWrite(seen, seen.address.revalidatedMillis) &&
      this.#latestMillis - seen.key.writtenMillis <= this.#settings.longestTtlMillis
    );
  }

  /** The address before its key, so that it is the first to be forgotten. */
  #seenOf(name) {
    const hash = keyHash(name.address);
    const address = this.#seen(hash);
    const key = name.key === name.address ? address : this.#seen(keyHash(name.key));
    const isPartial = address.isPartial || (key.isPartial && this.#known.get(hash) === undefined);
    return { address, key, isPartial };
  }

  /** What is known of a key, which becomes the last to be dropped; partial if newer was forgotten. */
  #seen(hash) {
    const seen = this.#known.get(hash);
    if (seen === undefined) {
      const isPartial = this.#forgotten.mightContain(hash, this.#latestMillis);
      return { read: 0n, written: 0n, writtenMillis: null, revalidatedMillis: null, isPartial };
    }
    this.#known.renew(hash, seen);
    return seen;
  }

  #remember(hash, known) {
    const before = this.#known.get(hash);
    if (before === undefined || KEPT.some((name) => known[name] !== before[name])) {
      this.#changed.set(hash, known);
    }
    const gone = this.#known.renew(hash, known);
    if (gone !== undefined) {
      this.#forgotten.add(gone, this.#latestMillis);
    }
  }
}
