/**
 * Times to live of records and query results in Flink. Read {@link io.kipimo.operators.ttl.TtlFlow} first, which shows
 * how rates of writes reach the queries that need them.
 */
package io.kipimo.operators.ttl;
