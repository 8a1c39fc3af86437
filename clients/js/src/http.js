/** What answers say of caches, as CacheControl, SharedCacheHit and Variants in Java. */

import { xxHash64 } from './hash.js';

const MOST_SECONDS = 2 ** 31;

/** Values of a header, where all lines are one text with commas between, as browsers give them. */
const text = (headers, name) => headers.get(name) ?? '';

function split(value, separator) {
  const parts = [];
  let isQuoted = false;
  let part = '';
  const add = () => {
    if (part.trim() !== '') {
      parts.push(part.trim());
    }
    part = '';
  };
  for (let i = 0; i < value.length; i++) {
    const c = value[i];
    if (c === separator && !isQuoted) {
      add();
      continue;
    }
    part += c;
    if (c === '\\' && isQuoted && i + 1 < value.length) {
      part += value[++i];
    } else if (c === '"') {
      isQuoted = !isQuoted;
    }
  }
  add();
  return { parts, isWhole: !isQuoted };
}

const members = (value) => split(value, ',').parts;

function unquoted(value) {
  return /^".*"$/s.test(value) && value.length > 1 ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
}

/** Seconds, at most 2^31; undefined if it is no number. */
function seconds(value) {
  return /^[0-9]+$/.test(value) ? Math.min(MOST_SECONDS, Number(value)) : undefined;
}

const firstSeconds = (value) => seconds(members(value)[0] ?? '');

/** The directives of {@code Cache-Control}. What is not clear makes an answer stale. */
class Directives {
  #values = new Map();

  constructor(value) {
    const list = split(value, ',');
    this.isWhole = list.isWhole;
    for (const member of list.parts) {
      const equals = member.indexOf('=');
      const name = (equals < 0 ? member : member.slice(0, equals)).toLowerCase();
      const values = this.#values.get(name) ?? [];
      values.push(equals < 0 ? '' : unquoted(member.slice(equals + 1)));
      this.#values.set(name, values);
    }
  }

  has(name) {
    return this.#values.has(name);
  }

  get forbidReuse() {
    return this.forbidStorage || this.has('no-cache');
  }

  get forbidStorage() {
    return this.has('no-store') || !this.isWhole;
  }

  /** undefined: it is not there; 0: it has different values, or an invalid one. */
  seconds(name) {
    const values = this.#values.get(name);
    return values && (new Set(values).size > 1 ? 0 : (seconds(values[0]) ?? 0));
  }
}

const directives = (headers) => new Directives(text(headers, 'cache-control'));

/**
 * Whether no copy may be stored, not even for its ETag. Private ones may be if all who use them are one user.
 */
export function isNotToBeStored(headers, isOfOneUser) {
  return isOfOneUser ? directives(headers).forbidStorage : isOneUsers(headers);
}

/** Whether an answer is one user's, by its own words; browsers do not show scripts which answers set cookies. */
function isOneUsers(headers) {
  const control = directives(headers);
  return control.forbidStorage || control.has('private') || headers.has('set-cookie') || headers.has('set-cookie2');
}

/** Whether a shared cache may give an answer to a user to all others, too (RFC 9111, sec. 3.5). */
function isForEverybody(headers) {
  const control = directives(headers);
  return !isOneUsers(headers) && ['public', 's-maxage', 'must-revalidate'].some((name) => control.has(name));
}

/**
 * Whether an answer that may come from a shared cache, or from the browser's, is not another user's. Some caches keep
 * answers to users, give them to others, and do not say that they answered; browsers and nginx do.
 */
export function isForThisUser(answer, request, isHit) {
  const isUser = [...request.keys()].some(isOfTheUser);
  return isHit
    ? !isOneUsers(answer) && (!isUser || isForEverybody(answer))
    : !isUser || isOneUsers(answer) || isForEverybody(answer);
}

/** Whether a request wants an answer of the origin, or one that is younger than others. */
export function wantsOrigin(headers) {
  const control = directives(headers);
  return control.forbidReuse || control.has('max-age') || control.has('min-fresh');
}

export const forbidsReuse = (headers) => directives(headers).forbidReuse;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*';
const MONTH = `(${MONTHS.join('|')})`;
const TIME = '(\\d{2}):(\\d{2}):(\\d{2})';
const IMF = new RegExp(`^${DAY}, ?(\\d{2}) ${MONTH} (\\d{4}) ${TIME} GMT$`);
const RFC_850 = new RegExp(`^${DAY}, ?(\\d{2})-${MONTH}-(\\d{2}) ${TIME} GMT$`);
const ASCTIME = new RegExp(`^${DAY} ${MONTH} ([ \\d]\\d) ${TIME} (\\d{4})$`);

/** Seconds since 1970 of a date in one of the three forms of HTTP; undefined if it is none. */
export function dateSeconds(value, nowEpochMillis) {
  // Equal lines, which browsers join.
  const date = value.trim().replace(/^(.+?)(?:, \1)+$/, '$1');
  const [, day, month, year, ...time] = IMF.exec(date) ?? [];
  if (day !== undefined) {
    return epochSeconds(Number(year), month, day, time);
  }
  const old = RFC_850.exec(date);
  if (old) {
    const first = new Date(nowEpochMillis).getUTCFullYear() - 49;
    const ahead = (Number(old[3]) - (first % 100) + 100) % 100;
    return epochSeconds(first + ahead, old[2], old[1], old.slice(4));
  }
  const asc = ASCTIME.exec(date);
  return asc ? epochSeconds(Number(asc[6]), asc[1], asc[2], asc.slice(3, 6)) : undefined;
}

function epochSeconds(year, month, day, time) {
  const [hour, minute, second] = time.map(Number);
  const date = new Date(Date.UTC(2000, MONTHS.indexOf(month), Number(day), hour, minute, second));
  date.setUTCFullYear(year, MONTHS.indexOf(month), Number(day));
  const isDate = date.getUTCDate() === Number(day) && hour < 24 && minute < 60 && second < 60;
  return isDate ? date.getTime() / 1000 : undefined;
}

/**
 * How much longer an answer may be reused when it arrives, milliseconds; 0 if it must not be reused. It ends its
 * lifetime after it was evaluated, since its key leaves the filter of stale keys then.
 *
 * @param evaluatedMillis epoch milliseconds; 0: not known
 * @param exchangeMillis from the request to the answer
 */
export function freshMillis(headers, evaluatedMillis, exchangeMillis, nowEpochMillis) {
  const control = directives(headers);
  if (control.forbidReuse) {
    return 0;
  }
  const now = Math.floor(nowEpochMillis / 1000);
  const age = Math.max(
    (firstSeconds(text(headers, 'age')) ?? 0) * 1000 + exchangeMillis,
    (now - (dateSeconds(text(headers, 'date'), nowEpochMillis) ?? now)) * 1000,
    evaluatedMillis > 0 ? nowEpochMillis - evaluatedMillis : 0,
  );
  return Math.max(0, lifetimeSeconds(headers, nowEpochMillis) * 1000 - age);
}

/** Whether an answer was fresh once, and is no more when it arrives: a cache has kept it. */
export function isExpired(headers, evaluatedMillis, nowEpochMillis) {
  return (
    !forbidsReuse(headers) &&
    lifetimeSeconds(headers, nowEpochMillis) > 0 &&
    freshMillis(headers, evaluatedMillis, 0, nowEpochMillis) === 0
  );
}

function lifetimeSeconds(headers, nowEpochMillis) {
  const sent = dateSeconds(text(headers, 'date'), nowEpochMillis) ?? Math.floor(nowEpochMillis / 1000);
  const expires = dateSeconds(text(headers, 'expires'), nowEpochMillis) ?? -Infinity;
  return directives(headers).seconds('max-age') ?? expires - sent;
}

/** Age of a filter: when it was sent, and in caches since, milliseconds. */
export function ageMillis(headers, whenSentMillis) {
  return Math.min(whenSentMillis, MOST_SECONDS * 1000) + (firstSeconds(text(headers, 'age')) ?? 0) * 1000;
}

const HIT_FIELDS = [
  'x-cache',
  'x-cache-status',
  'x-proxy-cache',
  'cf-cache-status',
  'akamai-cache-status',
  'x-vercel-cache',
  'cdn-cache',
];
const HIT = /^(?:hit|(?:tcp|udp)_(?:[a-z]+_)*hit|stale|updating|revalidated)(?:[\s(:;].*)?$/i;
const HIT_OF_CLOUDFRONT = /^(?:[A-Z][a-z]+)+Hit(?:[\s(:;].*)?$/;
const TOKEN = "[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*";
const STRING = '"(?:[ !#-\\[\\]-~]|\\\\["\\\\])*"';
const CACHE = new RegExp(`^(?:${TOKEN}|${STRING})$`);
const PARAMETER = new RegExp(
  `^([a-z*][a-z0-9_.*-]*)(?:=(${TOKEN}|${STRING}|%"(?:[ !#-$&-~]|%[0-9a-f]{2})*"` +
    '|@?-?[0-9]{1,15}(?:\\.[0-9]{1,3})?|:[A-Za-z0-9+/=]*:|\\?[01]))?$',
);
const LONGEST_MEMBER = 2_000;

/** Whether a shared cache answered, by what caches say of themselves. */
export function isSharedCacheHit(headers) {
  const status = split(text(headers, 'cache-status'), ',');
  const isHit =
    status.isWhole && status.parts.every(isCacheStatus) && status.parts.some(isCacheStatusHit);
  return (
    isHit ||
    HIT_FIELDS.flatMap((field) => members(text(headers, field))).some(
      (member) => HIT.test(member) || HIT_OF_CLOUDFRONT.test(member),
    )
  );
}

function isCacheStatus(member) {
  const [cache, ...parameters] = split(member, ';').parts;
  return (
    cache !== undefined &&
    member.length <= LONGEST_MEMBER &&
    CACHE.test(cache) &&
    parameters.every((parameter) => PARAMETER.test(parameter.toLowerCase()))
  );
}

function isCacheStatusHit(member) {
  const parameters = split(member, ';').parts.slice(1).map((part) => part.toLowerCase());
  const of = (name) => parameters.filter((part) => part.split('=')[0] === name);
  return ['hit', 'hit=?1'].includes(of('hit').at(-1)) && of('fwd').length === 0;
}

/** Headers that browsers add to requests, so that scripts do not know their values. */
const ADDED_BY_BROWSERS =
  /^(?:accept-language|accept-charset|user-agent|cookie2?|authorization|referer|dnt|date|host|te|via|save-data|device-memory|dpr|width|viewport-.*|ect|rtt|downlink|priority|sec-.*|proxy-.*|if-.*|range|connection|upgrade-.*|cache-control|pragma)$/;
const OF_THE_SAME_BODY = ['accept-encoding', 'origin'];

/** Names that select the answer to a request, in small letters. */
function selectingNames(vary) {
  return members(vary).map((name) => name.toLowerCase());
}

/**
 * Names of headers that tell users apart, as in Java's Variants: they select each copy, whatever Vary says (RFC 9111,
 * sec. 3.5).
 */
const OF_THE_USER = new RegExp(
  '^(?!user-agent$).*(?:auth|cookie|token|api-?key|secret' +
    '|session|user|account|tenant|credential|password|jwt|identity|signature)',
  'i',
);

const isOfTheUser = (name) => OF_THE_USER.test(name);

/**
 * What selects a copy, in order: name and value of the request's headers, and whether the browser adds a user's
 * cookies, which scripts do not see.
 *
 * @param {Request} request
 */
export function selecting(vary, request) {
  const { credentials, headers } = request;
  return [['', credentials], ...named([...selectingNames(vary), ...[...headers.keys()].filter(isOfTheUser)], headers)];
}

/** The headers of a request with some names, in order: name and value. */
function named(names, request) {
  const all = new Map();
  for (const name of names) {
    const value = name === '*' ? '' : request.get(name);
    if (value !== null) {
      all.set(name, value.trim());
    }
  }
  return [...all].sort(([one], [two]) => (one < two ? -1 : 1));
}

/** The name of a request's variant, as an origin sends it in {@code Kipimo-Variant}. */
export function variantName(vary, request) {
  return xxHash64(
    named(selectingNames(vary), request)
      .map(([name, value]) => `${name}:${value}\n`)
      .join(''),
  ).toString(16);
}

/**
 * Whether it is known which requests get an answer: it varies only by headers that scripts know.
 * Another answer is used once and not kept.
 */
export function isSelectionKnown(answer, request) {
  return selectingNames(text(answer, 'vary')).every(
    (name) =>
      OF_THE_SAME_BODY.includes(name) || (name !== '*' && (request.has(name) || !ADDED_BY_BROWSERS.test(name))),
  );
}

/** Whether an answer that may come from a cache is shown to be of the variant for the request. */
export function isVariantShown(answer, request) {
  const vary = text(answer, 'vary');
  const names = selectingNames(vary).filter((name) => !OF_THE_SAME_BODY.includes(name));
  return (
    names.length === 0 ||
    (isSelectionKnown(answer, request) && text(answer, 'kipimo-variant') === variantName(vary, request))
  );
}

/** Whether another cache may have another's answer for the address of this one. */
export const mayBeAnothers = (answer, request) =>
  !isVariantShown(answer, request) || ([...request.keys()].some(isOfTheUser) && !isForEverybody(answer));

/** Whether a media type is that of a stream of events, which does not end. */
export function isStream(type) {
  return /^\s*text\/event-stream\b/i.test(type ?? '');
}
