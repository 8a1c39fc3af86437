/** The filter of stale keys, as FlatFilter, RecentKeys and ForgottenKeys in Java. */

import { xxHash64 } from './hash.js';

/** Greatest difference of the clocks of origins, of the job that marks keys, and of filters. */
export const CLOCK_ERROR_MILLIS = 100;

const MOST_BITS = 2 ** 30;
const MOST_HASHES = 32;
const MOST_WINDOWS = 64;

/**
 * Hash of a key, never 0.
 *
 * @param {string} key
 * @returns {bigint}
 */
export function keyHash(key) {
  return xxHash64(key) || 1n;
}

/** Bits of a Bloom filter; the most significant bit of a byte comes first. */
export class FlatFilter {
  /**
   * @param {number} hashes positions a key, 1..32
   * @param {Uint8Array} bytes
   * @throws {RangeError} if a size is out of range
   */
  constructor(hashes, bytes) {
    this.bits = bytes.length * 8;
    if (this.bits < 8 || this.bits > MOST_BITS) {
      throw new RangeError(`filter bits are ${this.bits}; allowed: multiples of 8 in 8..${MOST_BITS}`);
    }
    if (!Number.isInteger(hashes) || hashes < 1 || hashes > MOST_HASHES) {
      throw new RangeError(`filter hashes are ${hashes}; allowed: 1..${MOST_HASHES}`);
    }
    this.hashes = hashes;
    this.bytes = bytes;
  }

  static empty(hashes, length) {
    return new FlatFilter(hashes, new Uint8Array(length));
  }

  /** Whether the key of a hash may be inside; never false for one that is. */
  mightContain(hash) {
    return this.positions(hash).every((p) => (this.bytes[p >>> 3] & (0x80 >>> (p & 7))) !== 0);
  }

  add(hash) {
    for (const p of this.positions(hash)) {
      this.bytes[p >>> 3] |= 0x80 >>> (p & 7);
    }
  }

  /** {@code (low + i * (high | 1)) mod 2^32 mod bits} for each i. */
  positions(hash) {
    const low = Number(hash & 0xffffffffn);
    const step = Number(hash >> 32n) | 1;
    return Array.from({ length: this.hashes }, (_, i) => ((low + Math.imul(i, step)) >>> 0) % this.bits);
  }
}

/** Keys that became stale lately, in nested windows of time, the newest first. */
export class RecentKeys {
  static NONE = new RecentKeys([]);

  /** @param {{sinceMillis: number, keys: FlatFilter}[]} windows */
  constructor(windows) {
    this.windows = windows;
  }

  /** The earliest time of evaluation, epoch milliseconds, that proves a copy of the key fresh. */
  provenSinceMillis(hash) {
    let since = Infinity;
    for (const window of this.windows) {
      if (window.keys.mightContain(hash)) {
        break;
      }
      since = window.sinceMillis;
    }
    return since + CLOCK_ERROR_MILLIS;
  }
}

/** A received filter and its windows. The filter is that of the last answer with a body. */
export class ReceivedFilter {
  /**
   * @param {Uint8Array} bytes of the filter, then of each window but the first
   * @param {number[]} since when each window begins
   * @throws {RangeError} if it is damaged, or no filter at all
   */
  constructor(hashes, bytes, since) {
    const parts = Math.max(1, since.length);
    if (bytes.length % parts !== 0) {
      throw new RangeError(`filter has ${bytes.length} bytes; allowed: multiples of ${parts}`);
    }
    const length = bytes.length / parts;
    const all = Array.from(
      { length: parts },
      (_, i) => new FlatFilter(hashes, bytes.subarray(i * length, (i + 1) * length)),
    );
    this.filter = all.shift();
    this.older = all;
  }

  /** The windows, which begin at the given times now; none if their number is another. */
  recent(since) {
    if (since.length !== this.older.length + 1) {
      return RecentKeys.NONE;
    }
    const none = FlatFilter.empty(this.filter.hashes, this.filter.bytes.length);
    return new RecentKeys(since.map((sinceMillis, i) => ({ sinceMillis, keys: i === 0 ? none : this.older[i - 1] })));
  }
}

/**
 * The beginnings of windows in a header.
 *
 * @throws {RangeError} if they are no numbers, too many, or not the newest first
 */
export function windowsSince(header) {
  const since = (header ?? '').split(',').map((text) => text.trim()).filter((text) => text !== '').map(integer);
  if (since.length > MOST_WINDOWS) {
    throw new RangeError(`the filter has ${since.length} windows; allowed: at most ${MOST_WINDOWS}`);
  }
  if (since.some((one, i) => i > 0 && one > since[i - 1])) {
    throw new RangeError(`windows of the filter begin at ${since}; allowed: the newest first`);
  }
  return since;
}

/** @throws {RangeError} if it is not an integer */
export function integer(text) {
  const number = Number(text);
  if (!/^[-+]?[0-9]+$/.test(text) || !Number.isSafeInteger(number)) {
    throw new RangeError(`number is ${text}; allowed: integers`);
  }
  return number;
}

const FORGOTTEN_BITS_A_KEY = 11.6;
const FORGOTTEN_HASHES = 8;
const FEWEST_FORGOTTEN = 10_000;
const MOST_FORGOTTEN = 2 ** 24;

/** Keys that a session has seen, but whose versions it has dropped. */
export class ForgottenKeys {
  #keptMillis;
  #parts = [];

  constructor(keptMillis) {
    this.#keptMillis = keptMillis;
  }

  add(hash, nowMillis) {
    this.#drop(nowMillis);
    let last = this.#parts.at(-1);
    if (last === undefined || last.keys >= last.most) {
      while (this.#keys() >= MOST_FORGOTTEN / 2) {
        this.#parts.shift();
      }
      const most = Math.max(FEWEST_FORGOTTEN, this.#keys());
      const bytes = Math.floor(Math.trunc(most * FORGOTTEN_BITS_A_KEY) / 8);
      last = { most, keys: 0, lastMillis: 0, filter: FlatFilter.empty(FORGOTTEN_HASHES, bytes) };
      this.#parts.push(last);
    }
    last.lastMillis = nowMillis;
    if (!last.filter.mightContain(hash)) {
      last.filter.add(hash);
      last.keys++;
    }
  }

  mightContain(hash, nowMillis) {
    this.#drop(nowMillis);
    return this.#parts.some((part) => part.filter.mightContain(hash));
  }

  #drop(nowMillis) {
    while (this.#parts.length > 0 && nowMillis - this.#parts[0].lastMillis > this.#keptMillis) {
      this.#parts.shift();
    }
  }

  #keys() {
    return this.#parts.reduce((sum, part) => sum + part.keys, 0);
  }
}
