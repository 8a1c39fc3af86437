package io.kipimo.loadgen.squeeze;

/**
 * The server whose share grows, by its names in the topic of server observations.
 *
 * @param tier its other servers are the rest
 */
public record SqueezedServer(String service, String tier, String server) {}
