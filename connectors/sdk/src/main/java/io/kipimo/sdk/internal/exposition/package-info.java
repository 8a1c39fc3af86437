/** Metrics in Prometheus' text format without a library, for Kipimo's own processes. */
package io.kipimo.sdk.internal.exposition;
