/**
 * Times to live of cached records and query results (Gessert et al., "Quaestor", VLDB 2017, sec. 4.2). Estimates start
 * from the write rates of records and improve with invalidations. Beyond the paper, times to live can be bounded by a
 * budget for lost quality. Read {@link io.kipimo.core.ttl.TtlEstimator} first, then
 * {@link io.kipimo.core.ttl.TtlTracking}, which applies it to one key.
 */
package io.kipimo.core.ttl;
