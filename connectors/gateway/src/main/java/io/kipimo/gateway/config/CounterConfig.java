package io.kipimo.gateway.config;

import java.util.regex.Pattern;

/**
 * Reading of the counter of queries that an engine keeps itself.
 *
 * @param read path and query of the read
 * @param count finds numbers in the engine's answer, each as the first group; the count is their sum
 * @param ofCluster true: each server reports the queries of all servers; false: each reports its own
 */
public record CounterConfig(String read, Pattern count, boolean ofCluster) {}
