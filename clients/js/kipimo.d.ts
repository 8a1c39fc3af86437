/** Reads through HTTP caches with bounded staleness. Times are milliseconds. */

/** What one read promises; each level also keeps the bound of DELTA. */
export const Consistency: {
  /** Not staler than Delta plus the time from a write to its invalidation. */
  readonly DELTA: 'DELTA';
  /** Not older than what the client has read of the key. */
  readonly MONOTONIC_READS: 'MONOTONIC_READS';
  /** Not older than what the client has written to the record. */
  readonly READ_YOUR_WRITES: 'READ_YOUR_WRITES';
  /** Both; the default. */
  readonly SESSION: 'SESSION';
  /** As SESSION, and not older than anything that an answer to the client may depend on. */
  readonly CAUSAL: 'CAUSAL';
  /** The origin evaluates it after it began. */
  readonly STRONG: 'STRONG';
};
export type ConsistencyLevel = keyof typeof Consistency;

/** Results that contain whole records, as the records' own addresses answer them, in JSON. */
export interface ResultRecords {
  /** How the paths of results begin, such as /queries/. */
  lists: string;
  /** The result's member that has the records; without it, the result is their array. */
  array?: string;
  /** Path of a record, with one field of it in braces, such as /products/{id}. */
  address: string;
  /**
   * Field of a record with its Kipimo-Version. Without it that of the result counts, which then is of one order with
   * those of the records, such as a position in the store's log.
   */
  version?: string;
}

export interface Settings {
  /** Address of the filter of stale keys; may be relative to the page. */
  filter: string | URL;
  /** Maps an address to the key of its record or query; by default {@link pathAndQuery}. */
  keys?: (address: URL) => string;
  /** Delta: greatest staleness of a read, at least 0; at 0 every read is a revalidation. */
  refreshMillis?: number;
  /** Most keys whose versions the client remembers, at least 1. */
  rememberedKeys?: number;
  /** Longest time to live that the origin hands out, as the ttl job's. */
  longestTtlMillis?: number;
  /** Most answers in the client's own cache; 0: no cache. */
  cachedResponses?: number;
  /** Most bytes of bodies there. */
  cachedBytes?: number;
  /** Until an answer begins, at least 1. A body that is not whole by then is the caller's, as it comes, and not kept. */
  timeoutMillis?: number;
  /** Whether all reads are one user's, so that private answers may be kept; false without it. */
  isOfOneUser?: boolean;
  /** Results whose records are kept as copies of their own addresses. */
  records?: ResultRecords[];
  /** What the session has seen outlives the client there. */
  memory?: Pick<SessionMemory, 'load' | 'save'>;
}

/** What a session has seen of a key. */
export interface SeenKey {
  hash: bigint;
  read: bigint;
  written: bigint;
  isOwnWrite: boolean;
  isPartial: boolean;
}

/** Keeps the keys whose versions changed last, four times rememberedKeys, in IndexedDB. */
export class SessionMemory {
  constructor(name: string, rememberedKeys: number);
  load(): Promise<SeenKey[]>;
  save(seen: SeenKey[]): Promise<void>;
}

export const DEFAULTS: Readonly<Required<Omit<Settings, 'filter' | 'keys' | 'records' | 'memory'>>>;

export interface ReadInit extends RequestInit {
  /** SESSION without it. */
  consistency?: ConsistencyLevel;
}

export interface CachedResponse {
  response: Response;
  /** Version of the content by header Kipimo-Version; 0n without it. */
  version: bigint;
  /** UNKNOWN: the browser's cache, or a cache that does not say so, or the origin. */
  source: 'CLIENT_CACHE' | 'SHARED_CACHE' | 'ORIGIN' | 'UNKNOWN';
  /** Whether caches had to ask the origin. */
  isRevalidated: boolean;
  /** Whether the client's own copy was still valid. */
  isUnchanged: boolean;
}

export interface Counts {
  reads: number;
  clientHits: number;
  sharedHits: number;
  revalidations: number;
  needlessRevalidations: number;
  filterFailures: number;
  unprovenVariants: number;
  /** Copies that were older than what the client had read or written of their address. */
  olderVersions: number;
  /** Results whose records could not be kept, because they are no such lists. */
  unreadResults: number;
  clockErrors: number;
  /** Keys that an earlier client of the same memory has seen. */
  restoredKeys: number;
  memoryFailures: number;
  cachedResponses: number;
}

export class CachingClient {
  /** @throws RangeError if a value is out of range */
  constructor(settings: Settings);
  /** As the browser's fetch. GET reads through caches; POST, PUT, PATCH and DELETE are writes. */
  fetch(input: RequestInfo | URL, init?: ReadInit): Promise<Response>;
  /** A read, and what answered it. */
  get(input: RequestInfo | URL, init?: ReadInit): Promise<CachedResponse>;
  /** Writes the record at an address; the client's next read of it sees the write. */
  write(input: RequestInfo | URL, init?: RequestInit): Promise<Response>;
  /** Ends when the memory has what the session has seen until now. */
  saved(): Promise<void>;
  /** Drops all own copies, also those on their way, for example when another user logs in. */
  clear(): void;
  readonly counts: Counts;
}

/** The key of an address: its path and query, as they are sent. */
export function pathAndQuery(address: string | URL): string;

/** A shorter key of an address: the last segment of its path, without escapes. */
export function lastSegment(address: string | URL): string;

/** A notification that a record or a query's result has changed. */
export interface Change {
  service: string;
  table: string;
  key: string;
  kind: 'RECORD' | 'QUERY';
  /** UNKNOWN: evaluate the query again. REFUSED: no more changes of it are told. */
  change: 'ADDED' | 'REMOVED' | 'CHANGED' | 'MOVED' | 'UNKNOWN' | 'REFUSED';
  /** The record that was written; empty with UNKNOWN and REFUSED. */
  record: string;
  /** Of the record; a decimal number. */
  version: string;
  writtenMillis: number;
  retryAfterMillis: number;
}

export interface LiveSettings<T> {
  /** Address of the change stream; may be relative to the page. */
  changes: string | URL;
  /** Names of what is shown, SERVICE/TABLE/KEY each; at least one. */
  keys: string[];
  /** If the server has one. */
  token?: string;
  /** Loads it; null: at the beginning, or because changes may be missing. */
  load: (change: Change | null) => Promise<T>;
  onResult: (result: T, change: Change | null) => void;
  /** A load failed; it is tried again. */
  onError?: (error: unknown) => void;
  /** Until a refused stream or a failed load is tried again. */
  retryMillis?: number;
}

export interface LiveQuery {
  close(): void;
  readonly counts: { connections: number; changes: number; reloads: number; loads: number; failures: number };
}

/**
 * Loads a result, and again after each change of it. Load with consistency STRONG: a cached answer
 * may be older than the change.
 */
export function liveQuery<T>(settings: LiveSettings<T>): LiveQuery;

export const LIVE_DEFAULTS: Readonly<{ retryMillis: number }>;
