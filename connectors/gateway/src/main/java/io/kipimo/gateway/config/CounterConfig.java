package io.kipimo.gateway.config;

import java.util.regex.Pattern;

/**
 * An engine's own counter of queries.
 *
 * @param read path and query of the read
 * @param count finds numbers in what is read, each as the first group; their sum counts
 * @param ofCluster whether any server counts the queries of all; otherwise each counts its own
 */
public record CounterConfig(String read, Pattern count, boolean ofCluster) {}
