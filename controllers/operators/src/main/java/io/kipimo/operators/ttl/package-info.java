/**
 * Estimates times to live of records and query results on Flink. Read {@link io.kipimo.operators.ttl.TtlFlow} first,
 * which shows how rates of writes reach the queries that need them.
 */
package io.kipimo.operators.ttl;
