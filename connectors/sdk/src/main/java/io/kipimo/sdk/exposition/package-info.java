/** Figures for Prometheus, without a library: what every process of Kipimo's own serves. */
package io.kipimo.sdk.exposition;
