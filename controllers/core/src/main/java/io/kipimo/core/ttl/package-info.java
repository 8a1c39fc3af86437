/**
 * For how long records and query results may be cached (Gessert et al., "Quaestor", VLDB 2017, sec.
 * 4.2): from the rates at which records are written, then from what invalidations teach; and,
 * beyond the paper, for how long they may be cached so that the answers lose no more than a budget.
 * Read {@link io.kipimo.core.ttl.TtlEstimator} first, then {@link io.kipimo.core.ttl.TtlTracking},
 * which follows one key by it.
 */
package io.kipimo.core.ttl;
