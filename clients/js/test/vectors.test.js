/** The golden vectors that Java writes: both clients do the same. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { FlatFilter, keyHash, ReceivedFilter, RecentKeys, windowsSince } from '../src/filter.js';
import { freshMillis, isExpired, isNotToBeStored, isSharedCacheHit, isVariantShown, variantName } from '../src/http.js';
import { DEFAULTS, lastSegment, pathAndQuery } from '../src/kipimo.js';
import { ResultRecords } from '../src/records.js';
import { Consistency, FreshnessSession, Way } from '../src/session.js';

const read = (name) => JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8'));
const filters = read('stale-filter.json');
const answers = read('cached-answers.json');
const sessions = read('caching-session.json');

/** As browsers give them: bytes as Latin-1, lines joined. */
function headers(fields) {
  const all = new Headers();
  for (const field of fields.split(' | ')) {
    const colon = field.indexOf(': ');
    all.append(field.slice(0, colon), Buffer.from(field.slice(colon + 2), 'utf8').toString('latin1'));
  }
  return all;
}

test('keys have the same hashes and positions', () => {
  assert.ok(filters.keys.length > 70);
  for (const { key, hash, positions } of filters.keys) {
    assert.equal(keyHash(key).toString(16).padStart(16, '0'), hash, key);
    assert.deepEqual(new FlatFilter(4, new Uint8Array(14_600)).positions(keyHash(key)), positions, key);
  }
});

test('filters and windows say the same of keys', () => {
  for (const { hashes, windows, bytes, keys } of filters.filters) {
    const since = windowsSince(windows);
    const received = new ReceivedFilter(hashes, Uint8Array.from(Buffer.from(bytes, 'hex')), since);
    const recent = received.recent(since);
    for (const { key, mightContain, provenSinceMillis } of keys) {
      assert.equal(received.filter.mightContain(keyHash(key)), mightContain, key);
      const proven = recent.provenSinceMillis(keyHash(key));
      assert.equal(proven === Infinity ? 'never' : String(proven), provenSinceMillis, key);
    }
  }
});

test('damaged filters are refused', () => {
  assert.ok(filters.received.some(({ isAccepted }) => isAccepted));
  for (const { hashes, bytes, windows, isAccepted } of filters.received) {
    const take = () => new ReceivedFilter(hashes, new Uint8Array(bytes), windowsSince(windows));
    if (isAccepted) {
      take();
    } else {
      assert.throws(take, RangeError, `${hashes} ${bytes} ${windows}`);
    }
  }
});

test('addresses have the same keys', () => {
  for (const { address, key, lastSegment: segment } of filters.addresses) {
    assert.equal(pathAndQuery(address), key, address);
    assert.equal(lastSegment(address), segment, address);
  }
});

test('answers are fresh for the same time, and tell the same of caches', () => {
  assert.ok(answers.fields.length > 100);
  for (const { fields, ...expected } of answers.fields) {
    const all = headers(fields);
    const evaluated = Number(all.get('kipimo-evaluated-millis') ?? 0);
    assert.deepEqual(
      {
        freshMillis: freshMillis(all, evaluated, 0, answers.nowMillis),
        isExpired: isExpired(all, evaluated, answers.nowMillis),
        isNotToBeStored: isNotToBeStored(all, false),
        isNotToBeStoredForOneUser: isNotToBeStored(all, true),
        isHit: isSharedCacheHit(all),
      },
      expected,
      fields,
    );
  }
});

test('variants have the same names', () => {
  for (const { vary, request, name, isShownByName, isShownByAnother } of answers.variants) {
    const asked = headers(request);
    assert.equal(variantName(vary, asked), name, `${vary}: ${request}`);
    const shown = (variant) => isVariantShown(new Headers({ vary, 'kipimo-variant': variant }), asked);
    assert.equal(shown(name), isShownByName, `${vary}: ${request}`);
    assert.equal(shown(`1${name}`), isShownByAnother, `${vary}: ${request}`);
  }
});

test('settings, levels and ways are those of Java', () => {
  const { cachedBytes, ...shared } = DEFAULTS;
  assert.ok(cachedBytes > 0);
  assert.deepEqual(shared, sessions.defaults);
  assert.deepEqual(Object.values(Consistency), sessions.levels);
  assert.deepEqual(Object.values(Way), sessions.ways);
});

const small = (keys) => {
  const filter = FlatFilter.empty(3, 32);
  keys.split(',').filter((key) => key !== '').forEach((key) => filter.add(keyHash(key)));
  return filter;
};

function windowsOf(text) {
  return new RecentKeys(
    text
      .split(';')
      .filter((window) => window !== '')
      .map((window) => window.split(':'))
      .map(([since, keys]) => ({ sinceMillis: Number(since), keys: small(keys) })),
  );
}

const steps = {
  refresh: (session, at, stale, windows) => session.refresh(small(stale), windowsOf(windows), Number(at)),
  decide: (session, key, address, copy, level, now) => session.decide({ key, address, copy }, level, Number(now)),
  received: (session, evaluated, now) => {
    session.received(Number(evaluated), Number(now));
    return session.clockErrors;
  },
  isProven: (session, key, evaluated, level, now) => session.isProven(key, Number(evaluated), level, Number(now)),
  isCurrentIn: (session, key, evaluated, now) => session.isCurrentIn(key, Number(evaluated), Number(now)),
  judge: (session, key, address, copy, version, level) =>
    session.judge({ key, address, copy }, BigInt(version), level) ? 'TAKE' : 'REVALIDATE',
  revalidated: (session, key, address, copy, version, asked) =>
    session.revalidated({ key, address, copy }, BigInt(version), Number(asked)),
  wrote: (session, key, address, copy, version, now) =>
    session.wrote({ key, address, copy }, BigInt(version), Number(now)),
};

test('a session decides the same at every step', () => {
  const seen = new Set();
  for (const [number, script] of sessions.scripts.entries()) {
    const session = new FreshnessSession({ refreshMillis: 1_000, ...script });
    script.steps.forEach((step, at) => {
      const [asked, given] = step.split(' = ');
      const [name, ...words] = asked.split(' ');
      assert.equal(String(steps[name](session, ...words) ?? ''), given, `script ${number}, step ${at}: ${step}`);
      seen.add(`${name} ${given}`);
    });
  }
  for (const way of Object.values(Way)) {
    assert.ok(seen.has(`decide ${way}`), way);
  }
  for (const outcome of ['isCurrentIn true', 'isCurrentIn false', 'judge TAKE', 'judge REVALIDATE', 'isProven true', 'isProven false']) {
    assert.ok(seen.has(outcome), outcome);
  }
});

test('results have the same records', () => {
  for (const { body, records = null, ...settings } of read('result-records.json').results) {
    let found = null;
    try {
      found = new ResultRecords({ lists: '/queries/', ...settings })
        .of('https://shop/queries/q', new TextEncoder().encode(body), 77n, 3)
        .map((record) => [record.address, String(record.version), new TextDecoder().decode(record.body)]);
    } catch (error) {
      assert.ok(error instanceof SyntaxError, error);
    }
    assert.deepEqual(found, records, `${body} ${settings.array}`);
  }
});

const only = (key) => ({ key, address: key, copy: key });

test('a session that has forgotten much takes the same keys for forgotten', () => {
  const { seen, others, takenForForgotten } = sessions.forgotten;
  const session = new FreshnessSession({ refreshMillis: 1_000, rememberedKeys: 1, longestTtlMillis: 3_600_000 });
  session.refresh(small(''), RecentKeys.NONE, 0);
  session.received(0, 0);
  for (let i = 0; i < seen; i++) {
    session.judge(only(`seen/${i}`), 1n, Consistency.SESSION);
  }
  const taken = Array.from({ length: others }, (_, i) => i).filter(
    (i) => session.decide(only(`other/${i}`), Consistency.SESSION, 0) !== Way.CACHED,
  );
  assert.deepEqual(taken, takenForForgotten);
});
