/** Query results that stay new while a page shows them, by the change stream of `kipimo changes`. */

/** Default settings; times in milliseconds. */
export const LIVE_DEFAULTS = Object.freeze({
  /** Until a stream that the server refused, or a load that failed, is tried again. */
  retryMillis: 2_000,
});

/**
 * Loads a result, and again after each change of it. Loads are never at once: changes that come
 * meanwhile lead to one more.
 *
 * @param {object} settings {@code changes}, the stream's address; {@code keys}, the names
 *     SERVICE/TABLE/KEY of what is shown; {@code token}, if the server has one; {@code load}, which loads it, with the change, or null;
 *     {@code onResult} and {@code onError}; {@link LIVE_DEFAULTS}
 * @return {{close: () => void, counts: object}} closes the stream
 * @throws {RangeError} if there are no keys
 */
export function liveQuery(settings) {
  const { changes, keys, token, load, onResult, onError, retryMillis, EventSource, setTimeout, clearTimeout } = {
    onError: () => {},
    EventSource: globalThis.EventSource,
    setTimeout: globalThis.setTimeout.bind(globalThis),
    clearTimeout: globalThis.clearTimeout.bind(globalThis),
    ...LIVE_DEFAULTS,
    ...settings,
  };
  if (!Array.isArray(keys) || keys.length === 0) {
    throw new RangeError('keys are missing; allowed: at least one SERVICE/TABLE/KEY');
  }
  const counts = { connections: 0, changes: 0, reloads: 0, loads: 0, failures: 0 };
  const timers = new Set();
  let source = null;
  let lastEventId = '';
  let isLoading = false;
  let next;
  let isClosed = false;

  const later = (task, millis) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      task();
    }, millis);
    timers.add(timer);
  };

  async function reload(change) {
    if (isLoading) {
      next = change;
      return;
    }
    isLoading = true;
    do {
      const because = change;
      next = undefined;
      counts.loads++;
      try {
        const result = await load(because);
        if (!isClosed) onResult(result, because);
      } catch (error) {
        counts.failures++;
        if (!isClosed) {
          onError(error);
          later(() => reload(because), retryMillis);
        }
      }
      change = next;
    } while (next !== undefined && !isClosed);
    isLoading = false;
  }

  function connect() {
    if (isClosed) return;
    const address = new URL(changes, globalThis.location?.href);
    keys.forEach((key) => address.searchParams.append('key', key));
    // An EventSource sends no headers of its own.
    if (token !== undefined) address.searchParams.set('token', token);
    if (lastEventId !== '') address.searchParams.set('lastEventId', lastEventId);
    const opened = new EventSource(address.href);
    let hasLoaded = lastEventId !== '';
    source = opened;
    counts.connections++;
    const taking = (take) => (event) => {
      if (isClosed) return;
      lastEventId = event.lastEventId || lastEventId;
      take(event);
    };
    // What the page loads once the stream is open misses no change.
    opened.addEventListener('ready', taking(() => {
      if (!hasLoaded) reload(null);
      hasLoaded = true;
    }));
    opened.addEventListener('reload', taking(() => {
      counts.reloads++;
      hasLoaded = true;
      reload(null);
    }));
    opened.addEventListener('change', taking((event) => {
      counts.changes++;
      const change = JSON.parse(event.data);
      reload(change);
      // Nothing more is told of a refused query; reading it later subscribes it again.
      if (change.change === 'REFUSED') later(() => reload(change), change.retryAfterMillis);
    }));
    opened.addEventListener('error', () => {
      // The browser reconnects by itself, with the last id, unless the server refused.
      if (!isClosed && opened.readyState === 2) later(connect, retryMillis);
    });
  }

  connect();
  return {
    close() {
      isClosed = true;
      source.close();
      timers.forEach((timer) => clearTimeout(timer));
    },
    counts,
  };
}
