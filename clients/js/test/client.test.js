/** The client over real HTTP: a server that answers as caches and origins do. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { afterEach, beforeEach, test } from 'node:test';

import { FlatFilter, keyHash } from '../src/filter.js';
import { CachingClient, Consistency, lastSegment, pathAndQuery } from '../src/kipimo.js';

const HASHES = 4;

let server;
let base;
let requests;
let filterRequests;
let stale;
let version;
let content;
let now;
/** Changes what the server does for one test. */
let behave;

beforeEach(async () => {
  [requests, filterRequests, stale, version, content, now] = [[], 0, [], 1, {}, 100_000];
  behave = { filter: () => {}, answer: () => {} };
  server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  base = `http://127.0.0.1:${server.address().port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function answer(request, response) {
  if (request.url === '/stale-filter') {
    filterRequests++;
    filter(request, response);
    return;
  }
  requests.push(request);
  const isPast = request.headers['cache-control'] === 'no-cache';
  response.setHeader('Cache-Control', 'max-age=60');
  response.setHeader('Kipimo-Version', String(version));
  response.setHeader('ETag', `"${version}"`);
  response.setHeader('Cache-Status', isPast ? 'test; fwd=request' : 'test; hit');
  if (behave.answer(request, response, isPast) !== true) {
    response.end(content[request.url] ?? `${request.url} ${version}`);
  }
}

function filter(request, response) {
  const all = FlatFilter.empty(HASHES, 512);
  stale.forEach((key) => all.add(keyHash(key)));
  response.setHeader('Kipimo-Filter-Hashes', String(HASHES));
  response.setHeader('Kipimo-Filter-Age-Millis', '0');
  if (behave.filter(request, response, all) !== true) {
    response.end(all.bytes);
  }
}

const open = (settings) =>
  new CachingClient({ filter: `${base}/stale-filter`, keys: lastSegment, nowMillis: () => now, ...settings });

const text = async (client, path, init) => (await client.get(base + path, init)).response.text();

test('a fresh key is read once, then from the own cache', async () => {
  const client = open();
  const first = await client.get(`${base}/p-1`);
  assert.equal(first.source, 'SHARED_CACHE');
  const second = await client.get(`${base}/p-1#top`);
  assert.equal(second.source, 'CLIENT_CACHE');
  assert.equal(second.version, 1n);
  assert.equal(await second.response.text(), '/p-1 1');
  assert.equal(second.response.url, `${base}/p-1`);
  assert.equal(requests.length, 1);
});

test('a key in the filter is revalidated once for each filter', async () => {
  stale = ['p-1'];
  const client = open();
  assert.equal((await client.get(`${base}/p-1`)).source, 'ORIGIN');
  assert.equal((await client.get(`${base}/p-1`)).source, 'CLIENT_CACHE');
  now += 800;
  await text(client, '/p-2');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const third = await client.get(`${base}/p-1`);
  assert.equal(third.source, 'ORIGIN');
  assert.equal(third.isUnchanged, true);
  assert.equal(filterRequests, 2);
});

test('without a filter every read is a revalidation, and that is counted', async () => {
  behave.filter = (request, response) => {
    response.writeHead(503).end();
    return true;
  };
  const client = open();
  await text(client, '/p-1');
  assert.equal((await client.get(`${base}/p-1`)).source, 'ORIGIN');
  assert.ok(client.counts.filterFailures > 0);
});

test('a damaged filter, and a page instead of one, are not used', async () => {
  for (const damage of [
    (request, response) => response.removeHeader('Kipimo-Filter-Hashes'),
    (request, response) => response.setHeader('Kipimo-Filter-Hashes', '99'),
    (request, response) => response.setHeader('Kipimo-Filter-Hashes', 'four'),
    (request, response) => response.setHeader('Kipimo-Filter-Windows', '3000, 2000, 1000'),
    (request, response) => response.setHeader('Kipimo-Filter-Age-Millis', '-1'),
    (request, response) => response.end('') || true,
  ]) {
    behave.filter = (...all) => damage(...all) !== undefined && all[1].writableEnded;
    const client = open();
    assert.equal((await client.get(`${base}/p-1`)).source, 'ORIGIN', String(damage));
    assert.equal(client.counts.filterFailures, 1, String(damage));
  }
});

test('a filter without an end is given up before it fills the memory', async () => {
  let pieces = 0;
  const client = open({
    fetch: (input, init) =>
      String(input.url ?? input).endsWith('/stale-filter')
        ? Promise.resolve(
            new Response(
              new ReadableStream({
                pull: (controller) => {
                  pieces++;
                  controller.enqueue(new Uint8Array(2 ** 24));
                },
              }),
              { headers: { 'Kipimo-Filter-Hashes': String(HASHES) } },
            ),
          )
        : globalThis.fetch(input, init),
  });
  await text(client, '/p-1');
  assert.equal(client.counts.filterFailures, 1);
  assert.ok(pieces < 12);
});

test('a filter of another shape takes the place of the former', async () => {
  stale = ['p-1'];
  const client = open();
  assert.equal((await client.get(`${base}/p-1`)).source, 'ORIGIN');
  behave.filter = (request, response) => {
    const all = FlatFilter.empty(7, 1_024);
    all.add(keyHash('p-2'));
    response.setHeader('Kipimo-Filter-Hashes', '7');
    response.end(all.bytes);
    return true;
  };
  now += 1_000;
  assert.equal((await client.get(`${base}/p-2`)).source, 'ORIGIN');
  assert.equal((await client.get(`${base}/p-3`)).source, 'SHARED_CACHE');
  assert.equal(client.counts.filterFailures, 0);
});

test('a filter that hangs delays a read for Delta at most', async () => {
  behave.filter = () => true;
  const client = open({ nowMillis: () => performance.now(), refreshMillis: 200 });
  assert.equal((await client.get(`${base}/p-1`)).source, 'ORIGIN');
});

test('an older filter than Delta is not used', async () => {
  behave.filter = (request, response) => response.setHeader('Kipimo-Filter-Age-Millis', '1000') && false;
  assert.equal((await open().get(`${base}/p-1`)).source, 'ORIGIN');
});

test('an older version from a cache is revalidated where the level says so', async () => {
  const client = open({ cachedResponses: 0 });
  version = 5;
  await text(client, '/p-1');
  behave.answer = (request, response, isPast) => {
    response.setHeader('Kipimo-Version', isPast ? '5' : '4');
  };
  assert.equal((await client.get(`${base}/p-1`, { consistency: Consistency.DELTA })).version, 4n);
  assert.equal((await client.get(`${base}/p-1`)).version, 5n);
});

test('versions beyond 2^53 are compared exactly', async () => {
  const client = open({ cachedResponses: 0 });
  behave.answer = (request, response, isPast) => {
    response.setHeader('Kipimo-Version', isPast || requests.length === 1 ? '4611686018427387904' : '4611686018427387903');
  };
  await text(client, '/p-1');
  assert.equal((await client.get(`${base}/p-1`)).version, 4_611_686_018_427_387_904n);
});

test('a client sees its own write, also without an answer', async () => {
  const client = open();
  await text(client, '/p-1');
  now += 10;
  const written = await client.fetch(`${base}/p-1`, { method: 'PUT', body: 'x' });
  assert.equal(written.status, 200);
  now += 10;
  assert.equal((await client.get(`${base}/p-1`)).source, 'ORIGIN');
  behave.answer = (request) => {
    if (request.method === 'DELETE') {
      request.destroy();
      return true;
    }
    return false;
  };
  await assert.rejects(client.write(`${base}/p-1`, { method: 'DELETE' }));
  now += 10;
  assert.equal((await client.get(`${base}/p-1`)).source, 'ORIGIN');
});

test('a strong read is the origin’s, whatever the filter says', async () => {
  const client = open();
  await text(client, '/p-1');
  const read = await client.get(`${base}/p-1`, { consistency: 'STRONG' });
  assert.equal(read.source, 'ORIGIN');
  assert.equal(requests.at(-1).headers['cache-control'], 'no-cache');
});

test('after something new a causal read needs a copy that was evaluated later', async () => {
  const clock = 1_700_000_000_000;
  behave.filter = (request, response, all) => {
    response.setHeader('Kipimo-Filter-Windows', `${clock + now}, ${clock + now - 500}`);
    response.end(Buffer.concat([all.bytes, all.bytes]));
    return true;
  };
  let evaluated = clock + now - 50;
  behave.answer = (request, response) => response.setHeader('Kipimo-Evaluated-Millis', String(evaluated)) && false;
  const client = open();
  const causal = { consistency: Consistency.CAUSAL };
  assert.equal((await client.get(`${base}/p-1`, causal)).source, 'SHARED_CACHE');
  assert.equal((await client.get(`${base}/p-2`, causal)).source, 'ORIGIN');
  assert.equal((await client.get(`${base}/p-2`)).source, 'CLIENT_CACHE');
  now += 300;
  evaluated = clock + now;
  assert.equal((await client.get(`${base}/p-3`, causal)).source, 'SHARED_CACHE');
});

test('bodies are stored by address, not by key', async () => {
  const client = open();
  assert.equal(await text(client, '/users/1'), '/users/1 1');
  assert.equal(await text(client, '/products/1'), '/products/1 1');
  assert.equal(await text(client, '/products/1?lang=fr'), '/products/1?lang=fr 1');
  assert.equal(await text(client, '/users/1'), '/users/1 1');
  assert.equal(requests.length, 3);
});

test('what varies by a header that browsers add is neither taken from shared caches nor kept', async () => {
  behave.answer = (request, response) => response.setHeader('Vary', 'Cookie') && false;
  const client = open();
  assert.equal((await client.get(`${base}/me`)).source, 'ORIGIN');
  assert.equal((await client.get(`${base}/me`)).source, 'ORIGIN');
  assert.equal(requests.length, 3, 'the second read knows, and does not ask the cache');
  assert.equal(client.counts.unprovenVariants, 1);
});

test('everybody gets their own variant', async () => {
  behave.answer = (request, response) => {
    response.setHeader('Vary', 'X-Lang');
    response.end(`in ${request.headers['x-lang']}`);
    return true;
  };
  const client = open();
  const fetched = async (lang) => (await client.fetch(`${base}/p-1`, { headers: { 'X-Lang': lang } })).text();
  assert.equal(await fetched('de'), 'in de');
  assert.equal(await fetched('fr'), 'in fr');
  assert.equal(await fetched('de'), 'in de');
});

test('memory is bounded by answers and by bytes', async () => {
  const client = open({ cachedResponses: 3, cachedBytes: 2_500 });
  for (let i = 0; i < 10; i++) {
    content[`/k${i}`] = 'x'.repeat(1_000);
    await text(client, `/k${i}`);
  }
  assert.equal(client.counts.cachedResponses, 2);
  content['/big'] = 'x'.repeat(5_000);
  assert.equal((await text(client, '/big')).length, 5_000);
  assert.equal(client.counts.cachedResponses, 2, 'it is passed on, and displaces nothing');
});

test('an answer that expired on its way is revalidated, by the filter’s clock', async () => {
  const clock = Date.now() - 3_600_000;
  behave.filter = (request, response) => response.setHeader('Kipimo-Filter-Windows', String(clock)) && false;
  let age = 0;
  behave.answer = (request, response) => response.setHeader('Date', new Date(clock - age).toUTCString()) && false;
  const client = open();
  assert.equal((await client.get(`${base}/p-1`)).source, 'SHARED_CACHE', 'the user’s clock is an hour ahead');
  age = 61_000;
  assert.equal((await client.get(`${base}/p-2`)).source, 'ORIGIN');
});

test('redirected answers come from the origin and are not kept', async () => {
  behave.answer = (request, response) => {
    if (request.url === '/old') {
      response.writeHead(302, { Location: '/new' }).end();
      return true;
    }
    return false;
  };
  const client = open();
  assert.equal((await client.get(`${base}/old`)).source, 'ORIGIN');
  assert.equal(requests.at(-1).headers['cache-control'], 'no-cache');
  assert.equal(client.counts.cachedResponses, 0);
});

test('bad settings and requests get one clear error', async () => {
  assert.throws(() => new CachingClient({}), /filter is undefined; allowed/);
  assert.throws(() => open({ rememberedKeys: 0 }), /rememberedKeys is 0; allowed: at least 1/);
  assert.throws(() => open({ refreshMillis: Number.NaN }), /refreshMillis is NaN; allowed: at least 0/);
  await assert.rejects(open().get(`${base}/p`, { method: 'POST' }), /method is POST; allowed: GET/);
  await assert.rejects(open().get(`${base}/p`, { headers: { Range: 'bytes=0-1' } }), /range is not allowed/);
  await assert.rejects(open().get(`${base}/p`, { consistency: 'strong' }), /consistency is strong; allowed: DELTA,/);
});

/** As SessionMemory, without a browser. */
class Memory {
  #keys = new Map();

  async load() {
    return [...this.#keys.values()];
  }

  async save(seen) {
    for (const one of seen) {
      this.#keys.delete(one.hash);
      this.#keys.set(one.hash, structuredClone(one));
    }
  }
}

/** Caches have version 1, the origin 2. */
const withOldCaches = () => {
  behave.answer = (request, response, isPast) => {
    response.setHeader('Kipimo-Version', isPast ? '2' : '1');
  };
};

test('a session continues in the next client of its memory', async () => {
  withOldCaches();
  const memory = new Memory();
  const first = open({ memory });
  assert.equal((await first.get(`${base}/p-1`, { consistency: Consistency.STRONG })).version, 2n);
  await first.saved();

  const next = open({ memory });
  assert.equal((await next.get(`${base}/p-1`)).version, 2n, 'reads do not go back');
  assert.equal((await next.get(`${base}/p-2`)).version, 1n, 'other keys come from caches');
  assert.equal(next.counts.restoredKeys, 1);
  assert.equal((await open().get(`${base}/p-1`)).version, 1n, 'another session may read it');
});

test('the next client sees the writes of the last one', async () => {
  withOldCaches();
  const memory = new Memory();
  const first = open({ memory });
  await first.fetch(`${base}/p-1`, { method: 'PUT' });
  await first.saved();

  const read = await open({ memory }).get(`${base}/p-1`, { consistency: Consistency.READ_YOUR_WRITES });
  assert.equal(read.source, 'ORIGIN');
});

test('keys that the session has forgotten are still known to have been read', async () => {
  withOldCaches();
  const memory = new Memory();
  const first = open({ memory, rememberedKeys: 1 });
  await first.get(`${base}/p-1`, { consistency: Consistency.STRONG });
  await first.get(`${base}/p-2`, { consistency: Consistency.STRONG });
  await first.saved();

  const next = open({ memory, rememberedKeys: 1 });
  assert.equal((await next.get(`${base}/p-1`)).version, 2n);
});

test('a memory that fails is counted and costs no read', async () => {
  const broken = { load: () => Promise.reject(new Error('no quota')), save: () => Promise.reject(new Error('no quota')) };
  const client = open({ memory: broken });
  assert.equal(await text(client, '/p-1'), '/p-1 1');
  await client.saved();
  assert.equal(client.counts.memoryFailures, 2);
});

const user = (name) => ({ headers: { Authorization: name } });

test('nobody gets the answer of another user', async () => {
  behave.answer = (request, response) =>
    response.end(`${request.headers.authorization} ${request.headers.cookie}`) && true;
  const client = open();
  assert.equal(await text(client, '/me', user('A')), 'A undefined');
  for (const [init, expected] of [
    [user('B'), 'B undefined'],
    [{}, 'undefined undefined'],
    [{ headers: { Cookie: 's=1' } }, 'undefined s=1'],
    [{ headers: { Cookie: 's=2' } }, 'undefined s=2'],
    [user('A'), 'A undefined'],
  ]) {
    assert.equal(await text(client, '/me', init), expected);
  }
  assert.equal(requests.filter((one) => one.headers['cache-control'] !== 'no-cache').length, 1);
  assert.equal(requests.length, 6, 'what was for A is not public: other caches are not asked any more');
});

test('any header that tells users apart selects', async () => {
  const names = ['X-Api-Key', 'X-Auth-Token', 'X-Forwarded-User', 'Proxy-Authentication-Info', 'x-session-id', 'Tenant'];
  behave.answer = (request, response) => response.end(names.map((name) => request.headers[name.toLowerCase()]).join()) && true;
  const client = open();
  for (const name of names) {
    await text(client, `/${name}`, { headers: { [name]: 'A' } });
    assert.equal(await text(client, `/${name}`, { headers: { [name]: 'B' } }), names.map((one) => (one === name ? 'B' : '')).join());
  }
  await text(client, '/all', { headers: { traceparent: '1', 'x-request-id': '1', Accept: 'a' } });
  const again = await client.get(`${base}/all`, { headers: { traceparent: '2', 'x-request-id': '2', Accept: 'a' } });
  assert.equal(again.source, 'CLIENT_CACHE');
});

test('a cache that does not say that it answered may keep what was for a user only if that is public', async () => {
  const kept = new Map();
  behave.answer = (request, response, isPast) => {
    response.removeHeader('Cache-Status');
    response.setHeader('Cache-Control', control);
    const answer = (!isPast && kept.get(request.url)) || request.headers.authorization;
    kept.set(request.url, answer);
    response.end(answer);
    return true;
  };
  let control = 'max-age=60';
  await text(open(), '/mine', user('A'));
  assert.equal(await text(open(), '/mine', user('B')), 'B');
  control = 'public, max-age=60';
  await text(open(), '/all', user('A'));
  assert.equal(await text(open(), '/all', user('B')), 'A');
});

test('a cache that gives away what is one user’s is not believed', async () => {
  for (const [name, value] of [['Cache-Control', 'private, max-age=60'], ['Set-Cookie', 's=1'], ['Cache-Control', 'no-store']]) {
    behave.answer = (request, response) => response.setHeader(name, value) && false;
    assert.equal((await open().get(`${base}/me`)).source, 'ORIGIN');
  }
});

test('what the caller does not want to be stored is stored nowhere', async () => {
  const modes = [];
  const client = open({
    fetch: (input, init) => {
      modes.push(input.cache ?? init.cache);
      return globalThis.fetch(input, init);
    },
  });
  await client.get(`${base}/secret`, { cache: 'no-store' });
  assert.deepEqual(modes, ['no-store', 'no-store']);
});

test('the credentials mode selects, since scripts do not see cookies', async () => {
  const client = open();
  assert.equal((await client.get(`${base}/me`, { credentials: 'include' })).source, 'SHARED_CACHE');
  assert.equal((await client.get(`${base}/me`, { credentials: 'omit' })).source, 'SHARED_CACHE');
  assert.equal((await client.get(`${base}/me`, { credentials: 'include' })).source, 'CLIENT_CACHE');
});

test('private answers are kept for one user only, those that are not to be stored for none', async () => {
  for (const [isOfOneUser, name, value, isKept] of [
    [false, 'Cache-Control', 'private, max-age=60', false],
    [true, 'Cache-Control', 'private, max-age=60', true],
    [false, 'Set-Cookie', 's=1', false],
    [true, 'Set-Cookie', 's=1', true],
    [true, 'Cache-Control', 'no-store, max-age=60', false],
    [false, 'Cache-Control', 'must-revalidate, max-age=60', true],
  ]) {
    behave.answer = (request, response) => response.setHeader(name, value) && false;
    const client = open({ isOfOneUser });
    await text(client, '/me');
    assert.equal(client.counts.cachedResponses, isKept ? 1 : 0, `${isOfOneUser} ${name}: ${value}`);
  }
});

test('after clear no copy is used, nor one that was on its way', async () => {
  const client = open();
  let answer;
  behave.answer = (request, response) => {
    answer = () => response.end('A');
    return true;
  };
  const read = text(client, '/me');
  while (answer === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  client.clear();
  answer();
  assert.equal(await read, 'A');
  behave.answer = () => false;
  assert.equal(await text(client, '/me'), '/me 1');
});

test('a copy ends its lifetime after it was evaluated, however late it came', async () => {
  const clock = Date.now();
  const from = now;
  behave.filter = (request, response) =>
    response.setHeader('Kipimo-Filter-Windows', String(clock + now - from)) && false;
  behave.answer = (request, response, isPast) => {
    response.setHeader('Kipimo-Evaluated-Millis', String(clock + (isPast ? now - from : -58_000)));
    return false;
  };
  const client = open();
  assert.equal((await client.get(`${base}/slow`)).source, 'SHARED_CACHE');
  now += 1_900;
  assert.equal((await client.get(`${base}/slow`)).source, 'CLIENT_CACHE');
  now += 200;
  assert.equal((await client.get(`${base}/slow`)).source, 'ORIGIN', 'neither the own copy nor that of the cache');
});

test('the default key is path and query, and versions are of an address', async () => {
  behave.answer = (request, response) =>
    response.setHeader('Kipimo-Version', request.url.endsWith('shoes') ? '900' : '100') && false;
  stale = ['/search?q=hats'];
  const client = open({ keys: pathAndQuery });
  assert.equal((await client.get(`${base}/search?q=shoes`)).source, 'SHARED_CACHE');
  assert.equal((await client.get(`${base}/search?q=hats`)).source, 'ORIGIN');
  const short = open({ refreshMillis: 60_000 });
  stale = [];
  assert.equal((await short.get(`${base}/search?q=shoes`)).source, 'SHARED_CACHE');
  assert.equal((await short.get(`${base}/search?q=hats`)).source, 'SHARED_CACHE');
  assert.equal(short.counts.olderVersions, 0);
});

test('a version that falls is counted', async () => {
  behave.answer = (request, response) => {
    response.setHeader('Cache-Control', 'max-age=0');
    response.removeHeader('Cache-Status');
  };
  const client = open();
  version = 5;
  await text(client, '/p-1');
  version = 4;
  await text(client, '/p-1');
  assert.equal(client.counts.olderVersions, 1);
});

test('a memory that never opens delays the first read and no other', { timeout: 30_000 }, async () => {
  const client = open({ memory: { load: () => new Promise(() => {}), save: () => new Promise(() => {}) } });
  assert.equal(await text(client, '/p-1'), '/p-1 1');
  assert.equal(client.counts.memoryFailures, 1);
  await text(client, '/p-2');
  await client.saved();
  assert.equal(client.counts.memoryFailures, 1);
});

test('what scripts cannot make is passed on', async () => {
  behave.answer = (request, response) => {
    response.writeHead(request.url === '/moved' ? 302 : 799, { Location: '/new' }).end('odd');
    return true;
  };
  const client = open();
  assert.equal((await client.fetch(`${base}/moved`, { redirect: 'manual' })).status, 302);
  const odd = await client.fetch(`${base}/odd`);
  assert.equal(odd.status, 799);
  assert.equal(await odd.text(), 'odd');
  // Browsers hide what a redirect is.
  const hidden = open({
    fetch: async (input, init) =>
      String(input.url ?? input).endsWith('/stale-filter')
        ? globalThis.fetch(input, init)
        : { type: 'opaqueredirect', status: 0, headers: new Headers(), url: '', redirected: false, body: null },
  });
  assert.equal((await hidden.fetch(`${base}/moved`, { redirect: 'manual' })).type, 'opaqueredirect');
});

test('streams of events and large or slow bodies come as they come, and are not kept', { timeout: 30_000 }, async () => {
  const first = async (response) => new TextDecoder().decode((await response.body.getReader().read()).value);
  behave.answer = (request, response) => {
    if (request.url === '/events') {
      response.setHeader('Content-Type', 'text/event-stream');
    }
    response.write(request.url === '/large' ? 'x'.repeat(3_000) : 'begin');
    return true;
  };
  const client = open({ timeoutMillis: 2_000, cachedBytes: 2_000 });
  assert.equal(await first(await client.fetch(`${base}/events`)), 'begin');
  assert.equal(await first(await client.fetch(`${base}/asked`, { headers: { Accept: 'text/event-stream' } })), 'begin');
  assert.match(await first(await client.fetch(`${base}/large`)), /^x+$/);
  assert.equal(await first(await client.fetch(`${base}/slow`)), 'begin');
  assert.equal(client.counts.cachedResponses, 0);
});
