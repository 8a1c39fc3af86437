/**
 * Reads through HTTP caches with bounded staleness (Gessert et al., "Quaestor", VLDB 2017, sec. 3),
 * as CachingClient of Kipimo's Java SDK. For pages, service workers and other JavaScript.
 */

import { integer, ReceivedFilter, windowsSince } from './filter.js';
import {
  ageMillis,
  freshMillis,
  isExpired,
  isNotToBeStored,
  isSharedCacheHit,
  isStream,
  isForThisUser,
  isVariantShown,
  wantsOrigin,
} from './http.js';
import { copySelecting, Entry, isCopied, ResponseCache } from './responses.js';
import { Consistency, FreshnessSession, Way } from './session.js';

export { Consistency };
export { LIVE_DEFAULTS, liveQuery } from './live.js';
export { SessionMemory } from './memory.js';

const VERSION = 'Kipimo-Version';
const EVALUATED_MILLIS = 'Kipimo-Evaluated-Millis';
const FILTER_HASHES = 'Kipimo-Filter-Hashes';
const FILTER_AGE_MILLIS = 'Kipimo-Filter-Age-Millis';
const FILTER_WINDOWS = 'Kipimo-Filter-Windows';
const FILTER_WITH_WINDOWS = 'application/vnd.kipimo.stale-keys';

/** Longest wait for a memory, which may never open. */
const MEMORY_MILLIS = 2_000;

/** Most bytes of a filter with its windows; a usual one has some 10,000. */
const LARGEST_FILTER = 2 ** 27;

/** Delay after a failed request for the filter. */
const RETRY_MILLIS = 100;

const LARGEST_VERSION = 2n ** 63n - 1n;

const SAFE = ['GET', 'HEAD', 'OPTIONS'];
const PAST_CACHES = ['no-store', 'reload', 'no-cache'];
const NOT_ALLOWED = /^(?:range|if-.*)$/i;

/** Default settings; times in milliseconds. */
export const DEFAULTS = Object.freeze({
  /** Delta: greatest staleness of a read. */
  refreshMillis: 1_000,
  /** Most keys whose versions the client remembers. */
  rememberedKeys: 10_000,
  /** Longest time to live that the origin hands out. */
  longestTtlMillis: 3_600_000,
  /** Most answers and bytes in the client's own cache. */
  cachedResponses: 1_000,
  cachedBytes: 16 * 1024 * 1024,
  /** Until an answer begins. If its body is not whole by then, the caller gets it as it comes, and it is not kept. */
  timeoutMillis: 10_000,
  /** Whether all reads are one user's, so that private answers may be kept. */
  isOfOneUser: false,
});

/** {@code /search?q=a%20b} has the key {@code /search?q=a%20b}: what a request asks for, as it is sent. */
export function pathAndQuery(address) {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** {@code /products/p-17} has the key {@code p-17}. */
export function lastSegment(address) {
  const path = decoded(new URL(address).pathname);
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Escapes of invalid UTF-8 become U+FFFD. */
function decoded(path) {
  return path.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      Uint8Array.from(escapes.slice(1).split('%'), (hex) => Number.parseInt(hex, 16)),
    ),
  );
}

/**
 * A monotonic clock, milliseconds. That of browsers may stand still while the computer sleeps, the
 * wall clock does not.
 */
function monotonicClock() {
  const start = performance.now();
  const wall = Date.now();
  let slept = 0;
  return () => {
    const run = performance.now() - start;
    slept = Math.max(slept, Date.now() - wall - run);
    return run + slept;
  };
}

/** One client is one session. */
export class CachingClient {
  #settings;
  #fetch;
  #nowMillis;
  #session;
  #cache;
  #received = null;
  #filterEtag = '';
  #filterRequest = null;
  #filterAskedAtMillis = -Infinity;
  #nextFilterMillis = -Infinity;
  #counts = {
    reads: 0,
    clientHits: 0,
    sharedHits: 0,
    revalidations: 0,
    needlessRevalidations: 0,
    filterFailures: 0,
    unprovenVariants: 0,
    olderVersions: 0,
    restoredKeys: 0,
    memoryFailures: 0,
  };
  #memory;
  #restored;
  #saved = Promise.resolve();
  #clears = 0;

  /**
   * @param {object} settings {@link DEFAULTS}, and {@code filter}, the filter's address; {@code
   *     keys}, which maps an address to its key; {@code memory}, a {@link SessionMemory} from which the session
   *     continues; {@code fetch} and {@code nowMillis}, for tests
   * @throws {RangeError} if a value is out of range
   */
  constructor(settings) {
    const all = { keys: pathAndQuery, ...DEFAULTS, ...settings };
    for (const [name, least] of Object.entries({
      refreshMillis: 0,
      rememberedKeys: 1,
      longestTtlMillis: 0,
      cachedResponses: 0,
      cachedBytes: 0,
      timeoutMillis: 1,
    })) {
      if (!Number.isFinite(all[name]) || all[name] < least) {
        throw new RangeError(`${name} is ${all[name]}; allowed: at least ${least}`);
      }
    }
    if (typeof all.isOfOneUser !== 'boolean') {
      throw new RangeError(`isOfOneUser is ${all.isOfOneUser}; allowed: true, false`);
    }
    if (all.filter === undefined) {
      throw new RangeError('filter is undefined; allowed: the address of the filter of stale keys');
    }
    this.#settings = { ...all, filter: new URL(all.filter, globalThis.location?.href).href };
    this.#fetch = all.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#nowMillis = all.nowMillis ?? monotonicClock();
    this.#session = new FreshnessSession(all);
    this.#cache = new ResponseCache(all.cachedResponses, all.cachedBytes);
    this.#memory = all.memory;
    this.#restored = this.#restore();
  }

  /**
   * As the browser's {@code fetch}. GET reads through caches; {@code init.consistency} is the level
   * of the read. POST, PUT, PATCH and DELETE count as writes of the record at the address. Ranges,
   * conditions and streams of events are answered past all caches, for as long as they last.
   *
   * @returns {Promise<Response>}
   */
  async fetch(input, init = {}) {
    const { consistency, ...rest } = init;
    const request = toRequest(input, rest);
    if (!SAFE.includes(request.method)) {
      return this.write(request);
    }
    if (
      request.method !== 'GET' ||
      isStream(request.headers.get('accept')) ||
      [...request.headers.keys()].some((name) => NOT_ALLOWED.test(name))
    ) {
      return this.#fetch(request, { cache: 'no-store' });
    }
    return (await this.get(request, { consistency })).response;
  }

  /**
   * Reads the resource at an address from the nearest cache that is fresh enough, or from the
   * origin. With {@code Cache-Control: no-cache}, or a cache mode that says so, the origin answers.
   *
   * @returns what answered, see kipimo.d.ts
   * @throws {TypeError} if there is no answer, or the request is no plain GET
   * @throws {RangeError} if the level is unknown
   */
  async get(input, init = {}) {
    const { consistency: level = Consistency.SESSION, ...rest } = init;
    if (!Object.hasOwn(Consistency, level)) {
      throw new RangeError(`consistency is ${level}; allowed: ${Object.keys(Consistency)}`);
    }
    const request = toRequest(input, rest);
    if (request.method !== 'GET') {
      throw new TypeError(`method is ${request.method}; allowed: GET`);
    }
    for (const name of request.headers.keys()) {
      if (NOT_ALLOWED.test(name)) {
        throw new TypeError(`header ${name} is not allowed in a read through caches`);
      }
    }
    await this.#restored;
    try {
      return await this.#read(request, level);
    } finally {
      this.#save();
    }
  }

  async #read(request, level) {
    const address = withoutFragment(request.url);
    if (level !== Consistency.STRONG) {
      await this.#awaitFirstFilter();
    }
    const own = this.#cache.find(address, request);
    const name = this.#name(request, own);
    const asked = { request, address, name, level, own };
    let way = this.#session.decide(name, level, this.#nowMillis());
    if (wantsOrigin(request.headers) || PAST_CACHES.includes(request.cache)) {
      way = Way.REVALIDATE;
    }
    if (own !== undefined && own.freshUntilMillis > this.#nowMillis()) {
      if (this.#isFresh(way, asked, own) && this.#isNewEnough(asked, own)) {
        return this.#answered(this.#result(own, 'CLIENT_CACHE', false, false));
      }
      way = way === Way.CACHED ? Way.REVALIDATE : way;
    }
    // Another's answer from another cache could not be told.
    if (this.#cache.isVariantUnshown(address)) {
      way = Way.REVALIDATE;
    }
    if (way === Way.CACHED || way === Way.PROVEN) {
      const answer = await this.#ask(asked, way);
      if (!answer.isVariantShown) {
        this.#counts.unprovenVariants++;
      } else if (
        !answer.isRedirected &&
        !answer.isExpired &&
        this.#isFresh(way, asked, answer.entry) &&
        this.#isNewEnough(asked, answer.entry)
      ) {
        this.#store(asked, answer);
        return this.#answered(
          this.#result(answer.entry, answer.isHit ? 'SHARED_CACHE' : 'UNKNOWN', false, answer.isUnchanged),
        );
      }
      answer.entry.drop();
    }
    const answer = await this.#ask(asked, Way.REVALIDATE);
    this.#counts.revalidations++;
    this.#counts.needlessRevalidations += answer.isUnchanged ? 1 : 0;
    if (!answer.isRedirected) {
      this.#store(asked, answer);
    }
    this.#session.revalidated(
      this.#name(request, answer.entry), answer.entry.version, answer.askedAtMillis);
    return this.#answered(this.#result(answer.entry, 'ORIGIN', true, answer.isUnchanged));
  }

  /**
   * Sends a request that writes the record at its address. The client's next read of it sees the
   * write, also if there was no answer.
   *
   * @returns {Promise<Response>}
   */
  async write(input, init = {}) {
    const request = toRequest(input, init);
    const name = this.#name(request, undefined);
    let version = 0n;
    try {
      const response = await this.#fetch(request);
      version = versionOf(response.headers);
      return response;
    } finally {
      await this.#restored;
      this.#session.wrote(name, version, this.#nowMillis());
      this.#cache.removeKey(name.key);
      this.#save();
    }
  }

  /** Ends when the memory has what the session has seen until now. */
  saved() {
    return this.#saved;
  }

  async #restore() {
    await this.#remembering(async (memory, isInTime) => {
      const seen = await memory.load();
      if (isInTime()) {
        this.#session.restore(seen, this.#nowMillis());
        this.#counts.restoredKeys = seen.length;
      }
    });
  }

  #save() {
    const seen = this.#session.changes();
    if (seen.length > 0 && this.#memory !== undefined) {
      this.#saved = this.#saved.then(() => this.#remembering((memory) => memory.save(seen)));
    }
  }

  /** Without a memory, or if it fails, a session lasts as long as its client. One that does not answer is left. */
  async #remembering(task) {
    if (this.#memory === undefined) {
      return;
    }
    let timer;
    try {
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => {
          this.#memory = undefined;
          reject(new Error(`no answer within ${MEMORY_MILLIS} ms`));
        }, MEMORY_MILLIS);
      });
      await Promise.race([task(this.#memory, () => this.#memory !== undefined), late]);
    } catch (error) {
      if (this.#counts.memoryFailures++ === 0) {
        console.warn(`the session is not kept: ${error.message}`);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Drops all own copies, also those that are on their way, for example when another user logs in. */
  clear() {
    this.#clears++;
    this.#cache.clear();
  }

  /** How reads were answered until now, and what went wrong. */
  get counts() {
    return { ...this.#counts, clockErrors: this.#session.clockErrors, cachedResponses: this.#cache.size };
  }

  /** What is read: versions are of an address as its user sees it. */
  #name(request, copy) {
    const address = withoutFragment(request.url);
    const user = copySelecting('', request);
    return {
      key: this.#settings.keys(new URL(address)),
      address: `${address}\n${user}`,
      copy: `${address}\n${user}\n${copy?.selecting ?? user}`,
    };
  }

  #isNewEnough(asked, entry) {
    const isNewEnough = this.#session.judge(asked.name, entry.version, asked.level);
    this.#counts.olderVersions += isNewEnough ? 0 : 1;
    return isNewEnough;
  }

  #isFresh(way, asked, entry) {
    return (
      way === Way.CACHED ||
      (way === Way.PROVEN &&
        this.#session.isProven(asked.name.key, entry.evaluatedMillis, asked.level, this.#nowMillis()))
    );
  }

  #result(entry, source, isRevalidated, isUnchanged) {
    return { response: entry.toResponse(), version: entry.version, source, isRevalidated, isUnchanged };
  }

  #answered(result) {
    this.#counts.reads++;
    this.#counts.clientHits += result.source === 'CLIENT_CACHE' ? 1 : 0;
    this.#counts.sharedHits += result.source === 'SHARED_CACHE' ? 1 : 0;
    return result;
  }

  /** The clock that dates are compared with: the filter's, since those of users may be wrong. */
  #epochMillis() {
    return this.#session.filterClock(this.#nowMillis()) ?? Date.now();
  }

  async #ask(asked, way) {
    const askedAtMillis = this.#nowMillis();
    const clears = this.#clears;
    const { response, body } = await this.#receive(asked.request, way);
    const headers = response.headers;
    const arrivedMillis = this.#nowMillis();
    const exchangeMillis = arrivedMillis - askedAtMillis;
    const epochMillis = this.#epochMillis();
    const evaluatedMillis = Math.max(0, numberOf(headers, EVALUATED_MILLIS));
    const entry = new Entry(response, body, asked.name.key, asked.request, {
      version: versionOf(headers),
      evaluatedMillis,
      freshUntilMillis: arrivedMillis + freshMillis(headers, evaluatedMillis, exchangeMillis, epochMillis),
    });
    this.#session.received(evaluatedMillis, arrivedMillis);
    const isPast = way === Way.REVALIDATE;
    const isHit = !isPast && isSharedCacheHit(headers);
    return {
      entry,
      askedAtMillis,
      clears,
      isHit,
      isRedirected: response.redirected,
      // A key leaves the filter when its copies have expired, whatever caches do with them.
      isExpired:
        (isHit && entry.freshUntilMillis <= arrivedMillis) ||
        (evaluatedMillis < epochMillis - exchangeMillis && isExpired(headers, evaluatedMillis, epochMillis)),
      isUnchanged: (asked.own?.etag ?? '') !== '' && asked.own.etag === entry.etag,
      isVariantShown:
        isPast ||
        (isForThisUser(headers, asked.request.headers, isHit) && isVariantShown(headers, asked.request.headers)),
    };
  }

  /**
   * Sends a request and receives the answer. One that is no copy, larger than the cache, or not whole in time has no
   * body here: the caller reads it as it comes.
   */
  async #receive(request, way) {
    const { cachedBytes, timeoutMillis } = this.#settings;
    const limit = new AbortController();
    let isLate = false;
    let onLate = () => limit.abort(new DOMException(`no answer within ${timeoutMillis} ms`, 'TimeoutError'));
    const timer = setTimeout(() => {
      isLate = true;
      onLate();
    }, timeoutMillis);
    try {
      const response = await this.#fetch(this.#outgoing(request, way, limit.signal));
      const { headers } = response;
      if (
        !isCopied(response) ||
        isStream(headers.get('content-type')) ||
        Number(headers.get('content-length')) > cachedBytes
      ) {
        return { response };
      }
      const rest = response.clone();
      const reader = response.body?.getReader();
      const late = new Promise((resolve) => {
        onLate = () => resolve({ isLate });
      });
      const pieces = [];
      let bytes = 0;
      while (reader !== undefined) {
        const { done, value, isLate: isOver } = await Promise.race([reader.read(), late]);
        bytes += value?.byteLength ?? 0;
        if (isOver || bytes > cachedBytes) {
          reader.cancel().catch(() => {});
          return { response: rest };
        }
        if (done) {
          break;
        }
        pieces.push(value);
      }
      rest.body?.cancel().catch(() => {});
      return { response, body: await new Blob(pieces).arrayBuffer() };
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * What goes out. The browser's own cache takes part. For PROVEN it asks the next one, which may
   * have a newer copy; for REVALIDATE all do. Across origins a header would need a preflight.
   */
  #outgoing(request, way, limit) {
    const signal = AbortSignal.any([request.signal, limit]);
    if (way !== Way.REVALIDATE) {
      return new Request(request, { signal, cache: way === Way.PROVEN ? 'no-cache' : 'default' });
    }
    if (request.cache === 'no-store') {
      return new Request(request, { signal });
    }
    if (new URL(request.url).origin !== globalThis.location?.origin) {
      return new Request(request, { signal, cache: 'reload' });
    }
    const outgoing = new Request(request, { signal, cache: 'no-cache' });
    outgoing.headers.set('Cache-Control', 'no-cache');
    return outgoing;
  }

  #store(asked, { entry, clears }) {
    if (
      entry.status !== 200 ||
      !entry.isWhole ||
      clears !== this.#clears ||
      this.#settings.cachedResponses === 0 ||
      entry.vary.includes('*') ||
      asked.request.cache === 'no-store' ||
      isNotToBeStored(asked.request.headers, true) ||
      isNotToBeStored(entry.headers, this.#settings.isOfOneUser)
    ) {
      this.#cache.remove(asked.address, asked.request);
      return;
    }
    this.#cache.put(asked.address, asked.request, entry.isKnown ? entry : entry.withoutBody());
  }

  /**
   * Requests a filter if it is time. Without a fresh one it waits for it, since otherwise the read
   * would bypass caches that are warm; at most for Delta, and not after a failure.
   */
  async #awaitFirstFilter() {
    const now = this.#nowMillis();
    this.#requestFilter(now);
    if (this.#session.isFresh(now) || this.#filterRequest === null) {
      return;
    }
    const { refreshMillis, timeoutMillis } = this.#settings;
    const millis = Math.min(refreshMillis, timeoutMillis) - (now - this.#filterAskedAtMillis);
    let timer;
    await Promise.race([
      this.#filterRequest,
      new Promise((resolve) => {
        timer = setTimeout(resolve, Math.max(0, millis));
      }),
    ]);
    clearTimeout(timer);
  }

  /** Requests a filter in the background if the current one is past three quarters of its time. */
  #requestFilter(now) {
    if (this.#filterRequest !== null || now < this.#nextFilterMillis) {
      return;
    }
    const headers = { Accept: `${FILTER_WITH_WINDOWS}, */*;q=0.5` };
    if (this.#received !== null && this.#filterEtag !== '') {
      headers['If-None-Match'] = this.#filterEtag;
    }
    this.#filterAskedAtMillis = now;
    this.#filterRequest = this.#fetchFilter(headers, now)
      .catch((error) => {
        this.#nextFilterMillis = this.#nowMillis() + RETRY_MILLIS;
        if (this.#counts.filterFailures++ === 0) {
          console.warn(`cannot fetch the filter of stale keys: ${error.message}`);
        }
      })
      .finally(() => {
        this.#filterRequest = null;
      });
  }

  async #fetchFilter(headers, askedAtMillis) {
    const response = await this.#fetch(this.#settings.filter, {
      headers,
      cache: 'no-store',
      signal: AbortSignal.timeout(this.#settings.timeoutMillis),
    });
    if (!response.ok && response.status !== 304) {
      throw new TypeError(`status ${response.status}`);
    }
    const bytes = await whole(response, LARGEST_FILTER);
    const whenSent = integer(response.headers.get(FILTER_AGE_MILLIS) ?? '0');
    if (whenSent < 0) {
      throw new RangeError(`${FILTER_AGE_MILLIS} is ${whenSent}; allowed: at least 0`);
    }
    const takenAtMillis = askedAtMillis - ageMillis(response.headers, whenSent);
    const since = windowsSince(response.headers.get(FILTER_WINDOWS));
    if (response.status !== 304) {
      this.#received = new ReceivedFilter(integer(response.headers.get(FILTER_HASHES) ?? '0'), bytes, since);
      this.#filterEtag = response.headers.get('etag') ?? '';
    } else if (this.#received === null) {
      throw new TypeError('status 304, and no filter was there');
    }
    this.#session.refresh(this.#received.filter, this.#received.recent(since), takenAtMillis);
    this.#nextFilterMillis = takenAtMillis + (this.#settings.refreshMillis * 3) / 4;
  }
}

/** The bytes of a body, which may have no end, or unpack to one. */
async function whole(response, mostBytes) {
  const pieces = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    bytes += value.byteLength;
    if (bytes > mostBytes) {
      reader.cancel().catch(() => {});
      throw new RangeError(`a body is larger than ${mostBytes} bytes`);
    }
    pieces.push(value);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Scripts know the header Accept that browsers add. */
function toRequest(input, init) {
  const request = new Request(input, init);
  if (request.mode === 'no-cors' || request.mode === 'navigate') {
    throw new TypeError(`mode is ${request.mode}; allowed: cors, same-origin`);
  }
  if (!request.headers.has('accept')) {
    request.headers.set('Accept', '*/*');
  }
  return request;
}

function withoutFragment(address) {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/** 0 if it is missing or no number. */
function numberOf(headers, name) {
  try {
    return integer(headers.get(name) ?? '0');
  } catch {
    return 0;
  }
}

function versionOf(headers) {
  const value = headers.get(VERSION) ?? '';
  const version = /^\+?[0-9]+$/.test(value) ? BigInt(value.replace('+', '')) : 0n;
  return version > LARGEST_VERSION ? 0n : version;
}
