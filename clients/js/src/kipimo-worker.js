/**
 * A service worker that reads through caches for pages that change nothing:
 *
 *     navigator.serviceWorker.register('/kipimo-worker.js?filter=/stale-filter&paths=/products/,/queries/',
 *         { type: 'module' });
 *
 * It answers what scripts fetch from their own origin below the paths; all else goes its way. Writes
 * there count as the session's. Parameters: {@code filter}, {@code paths}, any of the client's settings, such as {@code
 * refreshMillis} or {@code isOfOneUser=true}, {@code keys}, pathAndQuery or lastSegment, and {@code records}, JSON. Pages may set the header
 * {@code Kipimo-Consistency}.
 * The session continues in the next worker when the browser ends this one.
 */

import { isStream } from './http.js';
import { CachingClient, DEFAULTS, lastSegment, pathAndQuery, SessionMemory } from './kipimo.js';

const LEVEL = 'Kipimo-Consistency';

const parameters = new URL(self.location.href).searchParams;
const paths = (parameters.get('paths') ?? '').split(',').filter((path) => path !== '');
const filter = parameters.get('filter');
if (filter === null || paths.length === 0) {
  throw new RangeError('filter or paths are missing; allowed: kipimo-worker.js?filter=/stale-filter&paths=/a/,/b/');
}

const settings = Object.keys(DEFAULTS)
  .filter((name) => parameters.has(name))
  .map((name) => [name, setting(name, parameters.get(name))]);
const all = { ...DEFAULTS, ...Object.fromEntries(settings) };
const memory = new SessionMemory(`kipimo ${self.registration.scope}`, all.rememberedKeys);
const KEYS = { lastSegment, pathAndQuery };
const keys = parameters.get('keys') ?? 'pathAndQuery';
if (!Object.hasOwn(KEYS, keys)) {
  throw new RangeError(`keys are ${keys}; allowed: ${Object.keys(KEYS)}`);
}
const records = JSON.parse(parameters.get('records') ?? '[]');
const client = new CachingClient({ filter, memory, ...all, keys: KEYS[keys], records });
const filterPath = new URL(filter, self.location.href).pathname;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isOurs =
    url.origin === self.location.origin &&
    url.pathname !== filterPath &&
    paths.some((path) => url.pathname.startsWith(path)) &&
    ['cors', 'same-origin'].includes(request.mode) &&
    !isStream(request.headers.get('accept'));
  if (isOurs) {
    const answered = answer(request);
    event.respondWith(answered);
    event.waitUntil(answered.catch(() => {}).then(() => client.saved()));
  }
});

/** Of the type that the setting has. */
function setting(name, text) {
  return typeof DEFAULTS[name] === 'boolean' && ['true', 'false'].includes(text) ? text === 'true' : Number(text);
}

/**
 * The answer to a page's "counts" says how reads were answered; the session is saved by then. A page's "clear" drops all
 * copies, for example when another user logs in; the answer is "cleared".
 */
self.addEventListener('message', (event) => {
  if (event.data === 'clear') {
    client.clear();
    event.source?.postMessage('cleared');
  }
  if (event.data === 'counts') {
    event.waitUntil(client.saved().then(() => event.source.postMessage(client.counts)));
  }
});

async function answer(request) {
  const own = new Request(request);
  const consistency = own.headers.get(LEVEL) ?? undefined;
  own.headers.delete(LEVEL);
  try {
    return await client.fetch(own, { consistency });
  } catch (error) {
    if (error instanceof RangeError) {
      return new Response(error.message, { status: 400, headers: { 'Content-Type': 'text/plain' } });
    }
    throw error;
  }
}
